#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write tacitdp/_cdef.py, what cffi knows of the library, from the public header: no struct is
written twice. Needs cffi, no compiler. tests/test_binding.py holds sizes, offsets and numbers
against those of the C compiler.

Usage: make_binding.py [HEADER [OUTPUT]]"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADER = HERE.parent / "include" / "tacit" / "tacit.h"
OUTPUT = HERE / "tacitdp" / "_cdef.py"


def declarations(header: Path) -> str:
    """The header without comments and preprocessor, as cffi reads C. The header keeps it simple:
    one table of status codes is included, and conditions are about C++ or the compiler alone."""
    text = re.sub(r"/\*.*?\*/", " ", header.read_text(), flags=re.S).replace("\\\n", " ")
    table = (header.parent / "status.def").read_text()
    status = ", ".join(f"TACIT_{name} = {number}" for number, name in
                       re.findall(r"^TACIT_STATUS_\((\d+),\s*(\w+)", table, re.M))
    text = re.sub(r"^#include <tacit/status\.def>", status + ",", text, flags=re.M)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif", "", text, flags=re.S | re.M)
    numbers = re.findall(r"^#define (TACIT_\w+) +\(?(-?\d+)\)? *$", text, re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r"\b(TACIT_API|TACIT_CHECKED)\b", "", text)
    return "".join(f"#define {name} {value}\n" for name, value in numbers) + text


def write(header: Path = HEADER, output: Path = OUTPUT) -> None:
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(declarations(header))
    ffi.set_source("tacitdp._cdef", None)
    ffi.emit_python_code(str(output))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
