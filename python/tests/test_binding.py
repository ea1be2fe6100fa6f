# SPDX-License-Identifier: Apache-2.0
"""The binding holds what the C compiler sees: ABI mode has no compiler to check it."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from conftest import ROOT

from tacitdp import _errors
from tacitdp._library import ffi, lib

HEADER = ROOT / "include" / "tacit" / "tacit.h"
pytestmark = pytest.mark.skipif(not HEADER.exists(), reason="the public header is not here")


def compiled(program: str, tmp_path) -> list[str]:
    """What a C program prints that includes the header."""
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    source = tmp_path / "see.c"
    source.write_text("#include <stdio.h>\n#include <stddef.h>\n#include <tacit/tacit.h>\n"
                      "int main(void)\n{\n" + program + "return 0;\n}\n")
    subprocess.run(["cc", "-std=gnu11", "-I", str(ROOT / "include"), "-o", str(tmp_path / "see"),
                    str(source)], check=True)
    return subprocess.run([str(tmp_path / "see")], check=True, capture_output=True,
                          text=True).stdout.split()


def structs() -> list[str]:
    return re.findall(r"^typedef struct (tacit_\w+) \{", HEADER.read_text(), re.M)


def test_every_struct_of_the_header_begins_with_its_size():
    assert len(structs()) > 25
    assert all(ffi.typeof(name).fields[0][0] == "size" for name in structs())


def test_sizes_and_offsets(tmp_path):
    program, wanted = "", []
    for name in structs():
        kind = ffi.typeof(name)
        program += f'printf("%zu\\n", sizeof({name}));\n'
        wanted.append(ffi.sizeof(kind))
        for field, info in kind.fields:
            program += (f'printf("%zu %zu\\n", offsetof({name}, {field}), '
                        f'sizeof((({name} *)0)->{field}));\n')
            wanted += [info.offset, ffi.sizeof(info.type)]
    assert len(wanted) > 300
    assert list(map(int, compiled(program, tmp_path))) == wanted


def test_numbers(tmp_path):
    names = sorted(name for name in dir(lib) if name.startswith("TACIT_"))
    assert len(names) > 80 and "TACIT_K_AUTO" in names
    program = "".join(f'printf("%d\\n", (int){name});\n' for name in names)
    assert list(map(int, compiled(program, tmp_path))) == [getattr(lib, name) for name in names]


def test_every_function_is_in_the_library():
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    callbacks = set(re.findall(r"\(\*(tacit_\w+)\)\(", text))
    names = set(re.findall(r"\b(tacit_\w+)\(", text)) - callbacks
    assert len(names) > 100
    assert [name for name in sorted(names) if not hasattr(lib, name)] == []


def test_the_binding_is_of_this_header(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import make_binding

    for name in re.findall(r"\btacit_\w+_opts\b", make_binding.declarations(HEADER)):
        assert ffi.sizeof(name) > 8


def test_every_status_has_its_exception():
    table = (ROOT / "include" / "tacit" / "status.def").read_text()
    symbols = re.findall(r"^TACIT_STATUS_\(\d+,\s*(E_\w+)", table, re.M)
    assert set(symbols) == set(_errors.BY_SYMBOL)
    assert len({kind.status for kind in _errors.BY_SYMBOL.values()}) == len(symbols)
    for symbol, kind in _errors.BY_SYMBOL.items():
        error = _errors.error_of(getattr(lib, f"TACIT_{symbol}"), "why")
        assert type(error) is kind and str(error) == "why" and isinstance(error, _errors.TacitError)
