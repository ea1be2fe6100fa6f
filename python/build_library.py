# SPDX-License-Identifier: Apache-2.0
"""What a wheel has beside Python files: the library, the command and the binding. Called by the
build backend (pyproject.toml). Nothing is left in the source tree.

TACIT_BUILD_FOLDER is where meson builds, kept for the next time; a temporary folder otherwise. The
compiler and where libraries lie are meson's to find: CC, CFLAGS, PKG_CONFIG_LIBDIR."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "tacitdp"


def install(source: Path, folder: Path, into: Path) -> None:
    """Build library and command in `folder`, and put them `into` a folder of their own."""
    # Both lie in the package: the command finds the library beside itself. A folder of the last time
    # names a meson that lay in an environment of that time.
    again = ["--reconfigure"] if (folder / "build.ninja").exists() else []
    meson("setup", *again, folder, source, "--prefix=/usr", f"--bindir={PACKAGE}",
          f"--libdir={PACKAGE}", "-Dmpi=disabled")
    meson("compile", "-C", folder, "tacit:executable")
    meson("install", "-C", folder, "--no-rebuild", "--quiet", "--strip", "--tags=runtime",
          f"--destdir={into}")


def meson(*words: object) -> None:
    subprocess.run(["meson", *map(str, words)], check=True, stdout=sys.stderr)


class BuildLibrary(BuildHookInterface):  # type: ignore[type-arg,misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        source = Path(self.root)
        sys.path.insert(0, str(source / "python"))
        import make_binding

        if version == "editable":  # the package is used from the tree, with the library built there
            make_binding.write()
            return
        self.made = tempfile.TemporaryDirectory()
        made = Path(self.made.name)
        kept = os.environ.get("TACIT_BUILD_FOLDER")
        install(source, Path(kept).resolve() if kept else made / "build", made / "root")
        make_binding.write(output=made / "_cdef.py")
        installed = made / "root" / "usr" / PACKAGE
        library, = (path for path in installed.glob("libtacit.so.*") if not path.is_symlink())
        build_data["force_include"] |= {
            str(made / "_cdef.py"): f"{PACKAGE}/_cdef.py",
            str(installed / "tacit"): f"{PACKAGE}/tacit",
            # One file, under the name that the command asks the loader for.
            str(library): f"{PACKAGE}/{library.stem}",
        }
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data |= {"pure_python": False, "tag": f"py3-none-{platform}"}

    def finalize(self, version: str, build_data: dict[str, Any], artifact: str) -> None:
        if version != "editable":
            self.made.cleanup()
