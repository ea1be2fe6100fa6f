# SPDX-License-Identifier: Apache-2.0
"""Plans: what a run would ask, tried on made-up rows; nothing is read and nothing is spent."""

from __future__ import annotations

import json
import math
import subprocess

import numpy as np
import pytest

import tacitdp as td

CENTERS = dict(n_clusters=3, epsilon=1, delta=1e-6, bounds=(0, 1))


def test_the_same_as_the_command(command):
    plan = td.plan("kmeans", 3, rows_about=5000, **CENTERS)
    told = json.loads(subprocess.run(
        [command, "plan", "kmeans", "--dimensions", "3", "-k", "3", "--epsilon", "1", "--delta",
         "1e-6", "--bounds", "0:1", "--rows-about", "5000", "--json"], check=True,
        capture_output=True).stdout)
    text = json.dumps(told)
    for step in plan.steps:
        assert step.what in text
    assert f'"{plan.verdict}"' in text and len(plan.forecasts) == 3
    assert math.isclose(sum(step.share for step in plan.steps), 1, rel_tol=0.02)


def test_rows_do_not_matter(rows, tmp_path):
    """The plan of rows, of other rows and of names alone is one plan."""
    km = td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1))
    plans = [km.plan(X, rows_about=6000) for X in (rows, rows[:1] * 0 + 9e9, 3, ["c1", "c2", "c3"])]
    assert all(plan.steps == plans[0].steps for plan in plans)
    assert all(plan.verdict == plans[0].verdict for plan in plans)
    assert not hasattr(km, "release_")


def test_a_ledger_is_not_asked(rows, tmp_path):
    ledger = td.Ledger.create(tmp_path / "x.ledger", rows, epsilon=1, bounds=(0, 1))
    td.KMeans(3, epsilon=50, ledger=ledger).plan(rows, rows_about=6000)
    assert ledger.runs == 0 and len(ledger.records()) == 1


def test_verdicts_follow_the_budget():
    good = td.plan("kmeans", 2, rows_about=100000, **CENTERS)
    bad = td.plan("kmeans", 20, rows_about=200, **{**CENTERS, "epsilon": 0.01})
    assert good.verdict == "usable" and bad.verdict == "useless"
    assert good.least_epsilon < 1 < bad.least_epsilon
    assert good.sizes_error > 0 and 0 < good.centers_error < bad.centers_error


@pytest.mark.parametrize("family, columns, params", [
    ("kmedian", 2, CENTERS),
    ("cocluster", 60, dict(n_row_clusters=3, n_column_clusters=3, epsilon=1, delta=1e-6)),
    ("subspace", 4, dict(n_clusters=2, dimension=2, radius=1, epsilon=1, delta=1e-6))])
def test_families(family, columns, params):
    plan = td.plan(family, columns, rows_about=3000, **params)
    assert plan.family == family and plan.steps and len(plan.forecasts) == 3
    assert plan.advice in " ".join(str(plan).split())
    assert "<table" in plan._repr_html_()


def test_categories_and_dates_by_name():
    plan = td.plan("kmeans", ["age", "sex", "since", "not, used"], rows_about=3000, n_clusters=2,
                   epsilon=1, bounds={"age": (0, 100), "since": ("2015-01-01", "2025-01-01")},
                   categories={"sex": ["F", "M"]})
    assert plan.verdict in ("usable", "rough", "useless")


def test_as_frames():
    pytest.importorskip("pandas")
    plan = td.plan("kmeans", 2, rows_about=3000, **CENTERS)
    assert plan.to_frame()["what"].tolist() == [step.what for step in plan.steps]
    assert plan.to_frame("forecasts")["verdict"].tolist() == [f.verdict for f in plan.forecasts]
    with pytest.raises(td.ArgumentError, match="what"):
        plan.to_frame("rows")


@pytest.mark.parametrize("arguments, params, says", [
    (("kmeans", 2), {**CENTERS, "rows_about": None}, "rows_about"),
    (("kmeans", 2), {**CENTERS, "rows_about": -4}, "rows|guess"),
    (("kmeans", 2), {**CENTERS, "rows_about": "many"}, "rows_about must be a number"),
    (("trees", 2), {"rows_about": 10}, "family='trees'"), ((3, 2), {"rows_about": 10}, "family"),
    (("kmeans", 0), {**CENTERS, "rows_about": 10}, "X=0"),
    (("kmeans", 2), {"n_clusters": 2, "rows_about": 10, "bounds": (0, 1)}, "no privacy budget"),
    (("kmeans", 2), {"n_clusters": 2, "rows_about": 10, "epsilon": 1}, "bounds"),
    ((td.KMeans(2, epsilon=1, bounds=(0, 1)), 2), {"rows_about": 10, "epsilon": 2}, "already"),
])
def test_wrong_arguments(arguments, params, says):
    with pytest.raises(td.TacitError, match=says):
        td.plan(*arguments, **params)
