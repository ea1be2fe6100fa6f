# SPDX-License-Identifier: Apache-2.0
"""The Python examples of the manual run, and so do those of the docstrings; those of docs/spark.md
do in test_spark.py."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

import tacitdp as td


def blocks(page="python.md") -> list[str]:
    path = ROOT / "docs" / page
    if not path.exists():
        pytest.skip("the documents are not here")
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.S)


def people():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    return pandas.DataFrame({"name": ["x"] * 5000, "age": rng.uniform(0, 100, 5000),
                             "cost": rng.uniform(0, 80000, 5000)})


def test_the_first_example(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(blocks()[0], {"df": people()})
    assert td.load("segments.json").columns == ["age", "cost"]


def test_the_example_of_persons(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = subprocess.run([sys.executable, ROOT / "examples" / "make_visits.py"], check=True,
                          stdout=subprocess.PIPE)
    (tmp_path / "visits.csv").write_bytes(made.stdout)
    exec(blocks("persons.md")[0], {})


def test_the_example_of_a_move():
    """Of diffprivlib what it says comes after."""
    known = {"X": np.random.default_rng(0).uniform(0, 1, (3000, 4))}
    exec(blocks("migrating-from-diffprivlib.md")[0].split("\n\n")[1], known)
    assert known["km"].cluster_centers_.shape == (5, 4)


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


def test_the_examples_that_follow(tmp_path, monkeypatch):
    """Plan, ledger, what a release gives, checks: on the frame of the first example."""
    monkeypatch.chdir(tmp_path)
    first, _, plan, ledger, derived, check = blocks()
    known = {"df": people()}
    exec(first + plan + ledger, known)
    assert known["plan"].verdict == "usable" and 0 < known["ledger"].spent < 1
    release = known["km"].release_
    exec(derived, {**known, "january": release, "february": release})
    rows = known["df"][["age"]].to_numpy()
    exec(check, {**known, "rows": rows, "rows_without_somebody": rows[1:],
                 "my_mechanism": lambda rows: [len(rows) + np.random.laplace()]})


@pytest.mark.parametrize("name", sorted(m.name for m in pkgutil.iter_modules(td.__path__)
                                        if m.name not in ("__main__", "_cdef")))
def test_docstrings(name):
    module = importlib.import_module(f"tacitdp.{name}")
    assert doctest.testmod(module).failed == 0


def test_every_public_name_is_explained():
    for name in td.__all__:
        if name != "__version__":
            assert (getattr(td, name).__doc__ or "").strip(), name
