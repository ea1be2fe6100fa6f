# SPDX-License-Identifier: Apache-2.0
"""Exact figures for the owner, and declarations to fill in."""

from __future__ import annotations

import json
import math
import subprocess

import numpy as np
import pytest

import tacitdp as td

SEED = dict(insecure_test_seed=5)


@pytest.fixture
def file(tmp_path, command):
    subprocess.run([command, "generate", "mixture", "--rows", "3000", "--label-column", "class",
                    "-q", "-o", "people.csv"], cwd=tmp_path, check=True)
    return tmp_path / "people.csv"


def test_figures_are_exact():
    X, y = td.make_mixture(4000, 2, 3)
    km = td.KMeans(3, epsilon=2, delta=1e-6, bounds=(0, 1), **SEED).fit(X)
    found = td.evaluate(km, X, labels=y)
    near = ((X[:, None, :] - km.cluster_centers_[None]) ** 2).sum(axis=2).min(axis=1).mean()
    one = ((X - X.mean(axis=0)) ** 2).sum(axis=1).mean()
    assert found.rows == 4000 and math.isclose(found.cost, near, rel_tol=1e-9)
    assert math.isclose(found.one_mean_cost, one, rel_tol=1e-9) and math.isnan(found.plain_cost)
    assert td.evaluate(km, X, restarts=3).plain_cost <= found.cost * 1.0001
    assert found.nmi == td.evaluate(km.release_, X, labels=[f"k{i}" for i in y]).nmi
    assert math.isnan(td.evaluate(km, X).nmi)
    assert "NOT PRIVATE" in repr(found) and "NOT private" in str(found)
    assert "NOT private" in found._repr_html_()


def test_a_row_that_lacks_every_value_has_no_label():
    X, _ = td.make_mixture(4000, 2, 3)
    km = td.KMeans(3, epsilon=2, delta=1e-6, bounds=(0, 1), **SEED).fit(X)
    labels = km.predict(X[:50])
    X[7] = math.nan
    X[8, 1] = math.nan
    holes = km.predict(X[:50])
    assert holes[7] == -1 and holes[8] >= 0
    assert (np.delete(holes, [7, 8]) == np.delete(labels, [7, 8])).all()


def test_of_a_file(file, command):
    km = td.KMeans(5, epsilon=2, delta=1e-6, bounds={"x1": (0, 1), "x2": (0, 1)}, **SEED).fit(file)
    km.release_.save(file.with_name("m.json"))
    told = json.loads(subprocess.run([command, "evaluate", "m.json", "people.csv", "--label-column",
                                      "class", "--json"], cwd=file.parent, check=True,
                                     capture_output=True).stdout)
    ours = td.evaluate(km, file, labels="class")
    assert (ours.rows, ours.cost, ours.nmi) == (told["rows"], told["cost"], told["nmi"])
    classes = np.loadtxt(file, delimiter=",", skiprows=1)[:, -1]
    assert math.isclose(td.evaluate(km, file, labels=classes).nmi, ours.nmi)  # other numbers
    with pytest.raises(td.ArgumentError, match="more or fewer"):
        td.evaluate(km, file, labels=classes[1:])


def test_of_a_frame(file):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(file)
    km = td.KMeans(5, epsilon=2, delta=1e-6, bounds={"x1": (0, 1), "x2": (0, 1)}, **SEED).fit(frame)
    assert math.isclose(td.evaluate(km, frame, labels="class").nmi,
                        td.evaluate(km, file, labels="class").nmi)
    with pytest.raises(td.ArgumentError, match="labels names a column"):
        td.evaluate(km, frame, labels="kind")


def test_other_families():
    X, y, _ = td.make_subspaces(4000, 5, 2, 2)
    sc = td.SubspaceClustering(2, 2, epsilon=4, delta=1e-6, radius=1, **SEED).fit(X)
    assert td.evaluate(sc, X, labels=y).cost >= 0
    counts, y = td.make_counts(2000, 30, 3, 3)
    cc = td.CoClustering(3, 3, epsilon=4, delta=1e-6, **SEED).fit(counts)
    found = td.evaluate(cc, counts, labels=y)
    assert 0 <= found.tau_rows <= 1 and 0 <= found.nmi <= 1


def test_a_ledger_wants_the_owner(rows, tmp_path):
    ledger = td.Ledger.create(tmp_path / "x.ledger", rows, epsilon=2, delta=1e-5, bounds=(0, 1))
    km = td.KMeans(3, epsilon=1, delta=1e-6, ledger=ledger).fit(rows)
    before = len(ledger.records())
    for held in (dict(), dict(ledger=ledger)):
        with pytest.raises(td.DeclaredError, match="as_owner=True"):
            td.evaluate(km, rows, **held)
    assert len(ledger.records()) == before
    td.evaluate(km, rows, as_owner=True)
    assert ledger.records()[-1]["what"] == "evaluate"


@pytest.mark.parametrize("change, says", [
    (dict(labels=[[1]]), "one-dimensional"), (dict(labels=[1, 2]), "one class for each row"),
    (dict(restarts=-1), "restarts=-1"), (dict(restarts=1.5), "restarts"),
    (dict(as_owner=1), "as_owner")])
def test_wrong_arguments(rows, change, says):
    km = td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1), **SEED).fit(rows)
    with pytest.raises(td.ArgumentError, match=says):
        td.evaluate(km, rows, **change)


def test_a_declaration_to_fill_in(file, tmp_path, command):
    schema = td.declare(file)
    told = subprocess.run([command, "declare", str(file)], check=True, capture_output=True).stdout
    assert schema == json.loads(told)
    for field in schema["fields"]:
        if field["name"] == "class":
            field["tacit"]["role"] = "label"
            field.pop("constraints", None)
        else:
            field["constraints"] = {"minimum": 0, "maximum": 1}
    assert td.KMeans(3, epsilon=1, schema=schema).fit(file).release_.columns == ["x1", "x2"]
    ledger = td.Ledger.create(None, file, epsilon=2, schema=schema)
    assert td.declare(file) == ledger.schema  # what is bound, whatever else is said
    assert td.declare(td.File(file, skip_lines=1)) == ledger.schema


def test_declarations_of_other_dialects(tmp_path):
    (tmp_path / "t.csv").write_text("a title\nage;stay\n1,5;2\n")
    schema = td.declare(td.File(tmp_path / "t.csv", delimiter=";", decimal=",", skip_lines=1))
    assert [field["name"] for field in schema["fields"]] == ["age", "stay"]
    with pytest.raises(td.OpenError):
        td.declare(tmp_path / "none.csv")
    with pytest.raises(td.ArgumentError, match="path of a file"):
        td.declare(3)
