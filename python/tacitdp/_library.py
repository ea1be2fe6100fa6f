# SPDX-License-Identifier: Apache-2.0
"""The C library: `ffi` and `lib`. What they hold is in include/tacit/tacit.h, the manual."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Iterator

try:
    from tacitdp._cdef import ffi as _ffi
except ModuleNotFoundError as missing:
    if missing.name != "tacitdp._cdef":
        raise ImportError(f"tacitdp needs the package '{missing.name}': pip install cffi") from None
    raise ImportError("tacitdp is run from its source and has no binding yet: "
                      "python3 python/make_binding.py writes it") from None

ffi: Any = _ffi
_version = tuple(ffi.integer_const(f"TACIT_VERSION_{part}") for part in ("MAJOR", "MINOR"))


def _places() -> Iterator[str]:
    """Where the library may lie, in order: as TACIT_LIBRARY says, beside this file as wheels have
    it, in the build folder of a source tree, where the system has it."""
    named = os.environ.get("TACIT_LIBRARY")
    if named:
        yield named
        return
    here = Path(__file__).resolve().parent
    bundled = sorted(here.glob("libtacit*.so*")) + sorted(here.glob("libtacit*.dylib"))
    name = "libtacit.so.%d.%d" % _version
    tree = here.parent.parent / "build" / "src" / name
    yield from map(str, bundled + ([tree] if tree.is_file() else []))
    yield name


def _load() -> Any:
    failures = []
    for place in _places():
        try:
            library = ffi.dlopen(place)
            break
        except OSError as error:
            failures.append(str(error))
    else:
        raise ImportError("the tacit library cannot be loaded: " + "; ".join(failures) +
                          "; install the wheel of tacit-dp, build the tree with tools/build, or "
                          "set TACIT_LIBRARY to the path of libtacit.so")
    number = library.tacit_version_number()
    found = (number // 10000, number // 100 % 100)
    if found != _version:
        raise ImportError(f"{place} is tacit {found[0]}.{found[1]}, and this package was made for "
                          f"tacit {_version[0]}.{_version[1]}; install both from one version")
    return library


lib: Any = _load()


def text_of(pointer: Any) -> str:
    """A C text; "" for NULL."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def started(struct: str) -> Any:
    """A struct of the library as its _init function starts it."""
    made = ffi.new(f"{struct} *")
    getattr(lib, f"{struct}_init")(made, ffi.sizeof(struct))
    return made


__version__: str = text_of(lib.tacit_version())
