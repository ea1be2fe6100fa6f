#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shared library exports what the header declares, no more and no less; it never prints, exits
or installs a signal handler; its SONAME is right, and so are the names of its Debian packages.
TAP. Usage: check_symbols.py LIBRARY HEADER"""
import pathlib
import re
import subprocess
import sys

library, header = sys.argv[1:]
declared = set(re.findall(r"\b(tacit_\w+)\(",
                          re.sub(r"/\*.*?\*/", "", open(header).read(), flags=re.S)))


def symbols(kind):
    text = subprocess.run(["nm", "-D", kind, library], capture_output=True, text=True,
                          check=True).stdout
    return {line.split()[-1].split("@")[0] for line in text.splitlines() if line.split()}


exported, wanted = symbols("--defined-only"), symbols("--undefined-only")
forbidden = {"printf", "puts", "putchar", "vprintf", "perror", "exit", "_exit", "signal",
             "sigaction", "abort", "rand", "srand", "random", "drand48", "setlocale", "setenv",
             "system", "__printf_chk"} & wanted
short = re.search(r'TACIT_VERSION "(\d+\.\d+)', open(header).read()).group(1)
dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True,
                         check=True).stdout
debian = pathlib.Path(header).resolve().parents[2] / "debian"
full = re.search(r'TACIT_VERSION "(.*)"', open(header).read()).group(1)
packaged = (f"\nPackage: libtacit{short}\n" in (debian / "control").read_text()
            and (debian / f"libtacit{short}.install").exists()
            and set(re.findall(r"libtacit\d[\d.]*", (debian / "control").read_text())) ==
            {f"libtacit{short}"}
            and (debian / "changelog").read_text().startswith(f"tacit ({full})"))
checks = [
    (exported == declared,
     f"exports are the header's functions (extra {sorted(exported - declared)}, missing "
     f"{sorted(declared - exported)})"),
    (not forbidden,
     "the library does not print, exit, or touch signals, locale or global randomness "
     f"{sorted(forbidden)}"),
    (f"libtacit.so.{short}]" in dynamic,
     f"SONAME is libtacit.so.{short}, as a minor version may change the header"),
    (packaged, f"debian/ names libtacit{short} and version {full}"),
]
for number, (good, what) in enumerate(checks, 1):
    print(f"{'ok' if good else 'not ok'} {number} - {what}")
print(f"1..{len(checks)}")
sys.exit(not all(good for good, _ in checks))
