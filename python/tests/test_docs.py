# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md run, and so do those of the docstrings."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re

import numpy as np
import pytest
from conftest import ROOT

import tacitdp as td

PAGE = ROOT / "docs" / "python.md"


def blocks() -> list[str]:
    if not PAGE.exists():
        pytest.skip("the documents are not here")
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)


def test_the_first_example(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"name": ["x"] * 5000, "age": rng.uniform(0, 100, 5000),
                              "cost": rng.uniform(0, 80000, 5000)})
    exec(blocks()[0], {"df": frame})
    assert td.load("segments.json").columns == ["age", "cost"]


def test_the_messy_example():
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    n = 20000
    frame = pandas.DataFrame({
        "customer": rng.integers(0, 9000, n), "age": rng.integers(18, 90, n).astype(float),
        "spend": rng.lognormal(5, 1, n), "visits": rng.poisson(9, n), "sex": rng.choice(
            ["F", "M"], n), "newsletter": rng.random(n) < 0.3,
        "joined": pandas.Timestamp("2015-01-01") + pandas.to_timedelta(
            rng.integers(0, 3000, n), unit="D")})
    km = eval(blocks()[1], {"td": td}).fit(frame)
    assert [f.name for f in km.release_.features if f.kind == "category"] == ["sex", "newsletter"]
    assert [f.name for f in km.release_.features if f.kind == "date"] == ["joined"]


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.iter_modules(td.__path__)
                                        if m.name not in ("__main__", "_cdef")))
def test_docstrings(name):
    module = importlib.import_module(f"tacitdp.{name}")
    assert doctest.testmod(module).failed == 0


def test_every_public_name_is_explained():
    for name in td.__all__:
        if name != "__version__":
            assert (getattr(td, name).__doc__ or "").strip(), name
