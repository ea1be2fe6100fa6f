# SPDX-License-Identifier: Apache-2.0
"""Runs that are charged: rows in memory and files, declarations, the owner's looks."""

from __future__ import annotations

import os
import subprocess

import ledgers
import numpy as np
import pytest

import tacitdp as td
from tacitdp import _arrow

BOUNDS = (0, 1)


def kmeans(**more):
    return td.KMeans(3, epsilon=1, delta=1e-6, **more)


@pytest.fixture
def ledger(tmp_path, rows):
    return ledgers.create(tmp_path / "rows.ledger", rows, bounds=BOUNDS)


def test_a_run_is_charged_before_rows_are_read(ledger, rows):
    km = kmeans(bounds=BOUNDS, ledger=ledger).fit(rows)
    assert 0 < ledgers.spent(ledger) < 1
    assert km.release_.card.in_ledger and km.release_.card.ledger_run


def test_the_ledger_says_what_is_possible(ledger, rows):
    assert kmeans(ledger=str(ledger)).fit(rows).release_.domain.upper.tolist() == [1, 1, 1]
    with pytest.raises(td.DeclaredError):
        kmeans(bounds=(0, 2), ledger=ledger).fit(rows)


def test_the_budget_ends(ledger, rows):
    km = kmeans(ledger=ledger)
    with pytest.raises(td.BudgetError):
        for _ in range(40):
            km.fit(rows)
    assert km.release_.is_private  # of the last run that was paid for


def test_owners_look_and_are_noted(ledger, rows):
    km = kmeans(ledger=ledger).fit(rows)
    for look in (km.predict, km.transform, km.score):
        with pytest.raises(td.DeclaredError, match="as_owner"):
            look(rows)
        look(rows, as_owner=True)
    with pytest.raises(td.DeclaredError, match="as_owner"):
        km.release_.predict(rows, ledger=ledger)
    noted = [what for kind, what in ledgers.history(ledger) if kind == "owner"]
    assert noted == ["predict", "transform", "score"]


def test_fit_predict_asks_before_it_spends(ledger, rows):
    before = ledgers.spent(ledger)
    for method in ("fit_predict", "fit_transform"):
        with pytest.raises(td.DeclaredError, match="as_owner"):
            getattr(kmeans(ledger=ledger), method)(rows)
    assert ledgers.spent(ledger) == before
    assert kmeans(ledger=ledger).fit_predict(rows, as_owner=True).shape == (6000,)


def test_a_test_seed_has_no_ledger(ledger, rows):
    with pytest.raises(td.ArgumentError):
        kmeans(ledger=ledger, insecure_test_seed=1).fit(rows)
    assert ledgers.spent(ledger) == 0


def test_persons(tmp_path, rows):
    who = np.arange(6000) // 2
    path = ledgers.create(tmp_path / "p.ledger", rows, bounds=BOUNDS, units=who, most=2)
    km = kmeans(ledger=path).fit(rows, units=who)
    assert km.release_.card.max_rows_per_person == 2 and "person" in km.release_.card.unit
    before = ledgers.spent(path)
    with pytest.raises(ValueError, match="give units in fit"):
        kmeans(ledger=path).fit(rows)
    with pytest.raises(td.DeclaredError):
        kmeans(ledger=path, max_rows_per_person=3).fit(rows, units=who)
    assert ledgers.spent(path) == before


@pytest.fixture
def file(tmp_path, rows, command):
    path = tmp_path / "people.csv"
    np.savetxt(path, rows, delimiter=",", header="a,b,c", comments="")
    subprocess.run([command, "ledger", "init", str(path), "--epsilon", "3", "--delta", "1e-5",
                    "--bounds", "0:1"], check=True, capture_output=True)
    return path


def test_a_file_spends_from_the_ledger_beside_it(file, tmp_path, rows):
    km = kmeans().fit(file)
    assert km.release_.card.in_ledger and ledgers.spent(f"{file}.ledger") > 0
    with pytest.raises(td.DeclaredError, match="as_owner"):
        km.predict(file)
    assert km.predict(file, as_owner=True).shape == (6000,)


def test_no_way_around_the_ledger_of_a_file(file, tmp_path, rows):
    other = ledgers.create(tmp_path / "other.ledger", rows, bounds=BOUNDS)
    with pytest.raises(td.LedgerError, match="of its own"):
        kmeans(ledger=other).fit(file)
    link = tmp_path / "link.csv"
    os.symlink(file, link)
    assert kmeans().fit(link).release_.card.in_ledger
    ledgers.create(tmp_path / "link.csv.ledger", rows, bounds=BOUNDS)
    with pytest.raises(td.LedgerError, match="another beside"):
        kmeans().fit(link)


def test_a_link_to_the_ledger_may_lead_elsewhere_a_moment_later(file, tmp_path):
    """What is opened is the ledger itself, not a link to it."""
    link, way = tmp_path / "link.csv", tmp_path / "link.csv.ledger"
    os.symlink(file, link)
    os.symlink(f"{file}.ledger", way)
    for data, more in ((link, {}), (link, {"ledger": way}), (file, {"ledger": way})):
        with pytest.raises(td.BudgetError) as refused:
            td.KMeans(3, epsilon=500, delta=1e-6, **more).fit(data)
        assert f"the ledger {file}.ledger has" in str(refused.value)


def test_a_ledger_gone_astray_is_no_data_set_without_one(file, tmp_path):
    os.remove(f"{file}.ledger")
    os.symlink(tmp_path / "nowhere", f"{file}.ledger")
    with pytest.raises(td.LedgerError):
        kmeans(bounds=BOUNDS).fit(file)


def test_a_schema_beside_a_file_holds(tmp_path, rows, command):
    path = tmp_path / "people.csv"
    np.savetxt(path, rows, delimiter=",", header="a,b,c", comments="")
    schema = {"fields": [{"name": n, "type": "number", "constraints": {"minimum": 0, "maximum": 1},
                          "tacit": {"role": "feature" if n != "b" else "ignore"}} for n in "abc"]}
    for given in (schema, str(schema).replace("'", '"')):
        assert kmeans(schema=given).fit(path).release_.columns == ["a", "c"]
    import json

    (tmp_path / "people.csv.schema.json").write_text(json.dumps(schema))
    assert kmeans().fit(path).release_.columns == ["a", "c"]
    if _arrow.HAS_STREAMS:
        pandas = pytest.importorskip("pandas")
        frame = pandas.read_csv(path)
        assert kmeans(schema=schema).fit(frame).release_.columns == ["a", "c"]


def test_a_vocabulary_is_no_data_set(file, tmp_path):
    counts = tmp_path / "c.csv"
    counts.write_text("row,col,count\n0,0,1\n")
    with pytest.raises(td.ArgumentError, match="vocabulary"):
        td.CoClustering(2, 2, epsilon=1).fit(td.File(counts, vocabulary=file))
    with pytest.raises(td.ArgumentError, match="vocabulary"):
        td.CoClustering(2, 2, epsilon=1).fit(td.File(counts, vocabulary=counts))


def test_a_plain_solver_is_for_the_owner(tmp_path, rows):
    path = ledgers.create(tmp_path / "r.ledger", rows, bounds=BOUNDS)
    sc = td.SubspaceClustering(2, 1, ledger=path)
    with pytest.raises(td.DeclaredError, match="as_owner"):
        sc.plain(rows)
    assert not sc.plain(rows, as_owner=True).is_private
    assert ledgers.history(path)[-1][0] == "owner" and ledgers.spent(path) == 0


def test_a_ledger_of_frames_serves_frames_of_every_library(tmp_path):
    pandas = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(1)
    frame = pandas.DataFrame({"name": "x", "age": rng.uniform(20, 80, 4000),
                              "sex": rng.choice(["F", "M"], 4000)})
    ledger = td.Ledger.create(tmp_path / "f.ledger", frame, epsilon=8, delta=1e-4,
                              bounds={"age": (0, 110)}, categories={"sex": ["F", "M"]})
    forms = [frame, pa.Table.from_pandas(frame, preserve_index=False)]
    for module in ("polars", "duckdb"):
        try:
            made = __import__(module)
        except ImportError:
            continue
        forms.append(made.from_arrow(forms[1]) if module == "polars"
                     else made.connect().from_arrow(forms[1]))
    for rows in forms:
        release = td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger).fit(rows).release_
        assert release.columns == ["age", "sex=F", "sex=M"] and release.card.in_ledger
    before = ledger.spent
    for rows, more in ((frame[["age", "sex"]], {}), (frame, {"bounds": {"age": (0, 100)}}),
                       (frame.rename(columns={"name": "nom"}), {})):
        with pytest.raises(td.DeclaredError):
            td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger, **more).fit(rows)
    assert ledger.spent == before
