# SPDX-License-Identifier: Apache-2.0
"""What follows from releases alone."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest

import tacitdp as td

BUDGET = dict(epsilon=2, delta=1e-6, insecure_test_seed=5)


@pytest.fixture(scope="module")
def release():
    X, _ = td.make_mixture(20000, 3, 4)
    return td.KMeans(4, bounds=(0, 1), **BUDGET).fit(X).release_


@pytest.fixture
def mixed(tmp_path, command):
    """A release of numbers, dates and categories, with one of those that are missing."""
    pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    lines = ["age,joined,region"]
    for i in range(6000):
        g = i % 2
        region = "" if i % 10 == 0 else ("north", '"a,b"')[g]
        age = 30 + 30 * g + rng.normal(0, 3)
        lines.append(f"{age:.3f},{2012 + 8 * g}-0{1 + i % 9}-11,{region}")
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    subprocess.run([command, "kmeans", "people.csv", "-k", "2", "--epsilon", "2", "--delta", "1e-6",
                    "--bounds", "age=0:100,joined=2010-01-01:2024-12-31",
                    "--categories", '"region=north|a,b"', "--missing", "region=own-category",
                    "--insecure-test-seed", "5", "-q", "-o", "mixed.json"], cwd=tmp_path,
                   check=True)
    return td.load(tmp_path / "mixed.json")


def test_recut_spends_nothing(release):
    cut = td.recut(release, 3)
    assert cut.k == 3 and cut.cut_from == 4
    assert cut.card == release.card and cut.queries == release.queries
    assert td.recut(release, 3, median=True).family == "kmedian"


def test_synthetic_rows_follow_the_release(release):
    pandas = pytest.importorskip("pandas")
    rows = td.synthesize(release, 20000, seed=7)
    assert list(rows.columns) == ["c1", "c2", "c3", "synthetic"]
    assert rows["synthetic"].all() and rows.attrs["synthetic"]
    assert rows.equals(td.synthesize(release, 20000, seed=7))
    assert not rows.equals(td.synthesize(release, 20000, seed=8))
    values = rows[["c1", "c2", "c3"]]
    assert ((values >= 0) & (values <= 1)).all(axis=None)
    # the mean of 20000 draws; a column spreads by at most 0.5: 6 sigma is 0.021
    assert np.abs(values.mean() - release.overall.mean).max() < 0.025
    bare = td.synthesize(release, 10, label=False)
    assert isinstance(bare, pandas.DataFrame) and "synthetic" not in bare


def test_dates_and_categories_come_back(mixed):
    rows = td.synthesize(mixed, 4000, whole=["age"])
    assert rows["age"].dtype.kind == "i"
    assert rows["joined"].dtype.kind == "M"
    assert rows["joined"].min().year >= 2010 and rows["joined"].max().year <= 2024
    words = set(rows["region"].dropna())
    assert words == {"north", "a,b"}
    missing = rows["region"].isna().mean()
    assert 0.05 < missing < 0.15  # a tenth of the rows; noise and 4000 draws move it by 0.01
    old = rows["age"] > 45
    assert (rows["joined"][old].dt.year > 2015).mean() > 0.9  # groups stay together


def test_the_same_rows_as_the_command(mixed, command, tmp_path):
    made = subprocess.run([command, "synthesize", str(tmp_path / "mixed.json"), "--rows", "50",
                           "--seed", "9", "-q"], check=True, capture_output=True, text=True).stdout
    import io

    import pandas

    theirs = pandas.read_csv(io.StringIO(made))
    ours = td.synthesize(mixed, 50, seed=9)
    assert list(theirs["region"].fillna("-")) == list(ours["region"].fillna("-"))
    assert list(theirs["joined"]) == list(ours["joined"].dt.strftime("%Y-%m-%d"))
    assert np.allclose(theirs["age"], ours["age"], rtol=1e-4)


def test_a_structured_array_without_pandas(release, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    rows = td.synthesize(release, 5)
    assert rows.dtype.names == ("c1", "c2", "c3", "synthetic") and rows["synthetic"].all()


def test_comparison(release):
    same = td.compare(release, release)
    assert [(p.first, p.second) for p in same.pairs] == [(i, i) for i in range(4)]
    assert same.changes == [] and same.numbers == 16 and same.threshold >= 3
    other = td.compare(release, td.recut(release, 3))
    assert any(p.second is None for p in other.pairs)
    assert "no partner" in str(other) and "<table" in other._repr_html_()
    assert set(c.column for c in other.changes) <= {None, "c1", "c2", "c3"}


def test_comparison_as_a_frame(release):
    pytest.importorskip("pandas")
    frame = td.compare(release, td.recut(release, 2)).to_frame()
    assert list(frame.columns) == ["first", "second", "column", "before", "after", "z"]


@pytest.mark.parametrize("call, says", [
    (lambda r: td.recut(r, 10**6 + 1), "k=1000001"),
    (lambda r: td.recut(r, 0), "k=0"),
    (lambda r: td.recut(r, 2.0), "whole number"),
    (lambda r: td.recut(r, 999), "cells"),
    (lambda r: td.recut("segments.json", 2), "tacitdp.load"),
    (lambda r: td.synthesize(r, 0), "rows=0"),
    (lambda r: td.synthesize(r, 5, whole=["zz"]), "'zz'"),
    (lambda r: td.synthesize(r, 5, seed=-1), "seed=-1"),
    (lambda r: td.compare(r, None), "not None"),
])
def test_wrong_arguments(release, call, says):
    with pytest.raises(td.ArgumentError, match=says):
        call(release)


def test_an_estimator_that_was_not_fitted_has_no_release():
    with pytest.raises(ValueError, match="not fitted"):
        td.recut(td.KMeans(2, epsilon=1), 2)


def test_a_column_that_is_called_as_the_label_is(release):
    text = json.loads(release.to_json())
    renamed = json.dumps(text).replace('"c1"', '"synthetic"')
    with pytest.raises(td.ArgumentError, match="label=False"):
        td.synthesize(td.Release.from_json(renamed), 5)
