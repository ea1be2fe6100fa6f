# SPDX-License-Identifier: Apache-2.0
"""The package is typed: mypy --strict finds nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import ROOT


def test_mypy_is_content(tmp_path):
    pytest.importorskip("mypy")
    if not (ROOT / "python" / "mypy.ini").exists():
        pytest.skip("the source tree is not here")
    out = subprocess.run([sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "--cache-dir",
                          str(tmp_path)], cwd=ROOT / "python", capture_output=True, text=True,
                         env={**os.environ, "MYPYPATH": "."})
    assert out.returncode == 0, out.stdout
