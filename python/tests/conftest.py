# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python package. From a source tree: tools/build, python3 python/make_binding.py,
then pytest python/tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
try:
    import tacitdp  # noqa: F401  # installed: test that one
except ImportError:
    sys.path.insert(0, str(ROOT / "python"))


@pytest.fixture(scope="session")
def command() -> str:
    """The command of the same build."""
    path = os.environ.get("TACIT_COMMAND", str(ROOT / "build" / "src" / "cli" / "tacit"))
    if not os.access(path, os.X_OK):
        pytest.skip("the command is not built; TACIT_COMMAND names it")
    return path


@pytest.fixture
def rows() -> np.ndarray:
    """Three groups of 2000 rows in the unit box."""
    rng = np.random.default_rng(7)
    return np.concatenate([rng.normal(m, 0.04, (2000, 3)) for m in (0.2, 0.5, 0.8)])
