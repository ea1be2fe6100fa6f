# SPDX-License-Identifier: Apache-2.0
"""td.Ledger: made, read, carried on, and held by estimators."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import tacitdp as td

ALL = dict(epsilon=3, delta=1e-5)
RUN = dict(epsilon=1, delta=1e-6)


@pytest.fixture
def ledger(rows, tmp_path):
    return td.Ledger.create(tmp_path / "rows.ledger", rows, bounds=(0, 1), **ALL)


def test_runs_are_paid_for(rows, ledger):
    assert (ledger.runs, ledger.spent, ledger.epsilon_left) == (0, 0, 3)
    td.KMeans(3, ledger=ledger, **RUN).fit(rows)
    assert ledger.runs == 1 and 0.1 < ledger.spent < 0.12  # 1 of 3 on the Gaussian curve
    assert 2.5 < ledger.epsilon_left < 3 and ledger.delta_left == 1e-5
    assert (ledger.dataset, ledger.epsilon, ledger.delta) == ("rows", 3, 1e-5)
    with pytest.raises(td.BudgetError):
        td.KMeans(3, ledger=ledger, epsilon=4, delta=1e-6).fit(rows)
    assert ledger.runs == 1
    assert "spent" in str(ledger) and "<table" in ledger._repr_html_()


def test_its_history(rows, ledger):
    km = td.KMeans(3, ledger=ledger, **RUN).fit(rows)
    km.predict(rows, as_owner=True)
    td.evaluate(km, rows, as_owner=True)
    records = ledger.records()
    assert [one["kind"] for one in records] == ["open", "reserve", "commit", "owner", "owner"]
    assert records[1]["run"] == records[2]["run"] == km.release_.card.ledger_run
    assert (records[1]["epsilon"], records[1]["delta"]) == (1, 1e-6)
    assert [one["what"] for one in records[3:]] == ["predict", "evaluate"]


def test_its_history_as_a_frame(rows, ledger, monkeypatch):
    pandas = pytest.importorskip("pandas")
    frame = ledger.history()
    assert isinstance(frame, pandas.DataFrame) and frame["kind"].tolist() == ["open"]
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert ledger.history() == ledger.records()


def test_it_is_a_path_that_can_be_copied(rows, ledger):
    for other in (copy.deepcopy(ledger), pickle.loads(pickle.dumps(ledger)),
                  td.Ledger.open(ledger.path)):
        assert other == ledger and hash(other) == hash(ledger) and other.runs == 0
    with ledger as same:
        td.KMeans(3, ledger=same, **RUN).fit(rows)
    assert ledger.runs == 1


def test_it_is_the_same_in_another_folder(rows, ledger, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = pickle.dumps(td.Ledger("rows.ledger"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    td.Ledger.create("rows.ledger", rows, bounds=(0, 1), **ALL)
    td.KMeans(3, ledger=pickle.loads(named), **RUN).fit(rows)
    assert ledger.runs == 1


def test_clones_share_it(rows, ledger):
    clone = pytest.importorskip("sklearn.base").clone
    km = td.KMeans(3, ledger=ledger, **RUN)
    clone(km).fit(rows)
    km.fit(rows)
    assert ledger.runs == 2


def test_of_a_file(tmp_path, rows, command):
    path = tmp_path / "people.csv"
    np.savetxt(path, rows, delimiter=",", header="a,b,c", comments="")
    ledger = td.Ledger.create(None, path, bounds={"a": (0, 1), "b": (0, 1)}, **ALL)
    assert ledger.path == f"{path}.ledger" and ledger.dataset == "people.csv"
    td.KMeans(3, **RUN).fit(path)  # found beside the file
    subprocess.run([command, "kmeans", str(path), "-k", "3", "--epsilon", "1", "--delta", "1e-6",
                    "-q", "-o", str(tmp_path / "m.json")], check=True)
    assert ledger.runs == 2  # one account, whoever runs
    shown = json.loads(subprocess.run([command, "ledger", "show", str(path), "--json"], check=True,
                                      capture_output=True).stdout)
    assert shown["spent"] == pytest.approx(ledger.spent)
    with pytest.raises(td.LedgerError, match="has a ledger already"):
        td.Ledger.create(tmp_path / "second.ledger", path, bounds={"a": (0, 9)}, **ALL)
    assert not (tmp_path / "second.ledger").exists()


def test_of_a_frame_with_categories_and_dates(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    group = np.arange(4000) % 2
    frame = pandas.DataFrame({"name": ["x"] * 4000, "age": 30.0 + 20 * group,
                              "sex": np.where(group, "F", "M"),
                              "since": pandas.Timestamp("2020-01-01")
                              + pandas.to_timedelta(300 * group, "D")})
    said = dict(bounds={"age": (0, 100), "since": ("2015-01-01", "2025-01-01")},
                categories={"sex": ["F", "M"]})
    ledger = td.Ledger.create(tmp_path / "frame.ledger", frame, **said, **ALL)
    km = td.KMeans(2, ledger=ledger, **RUN).fit(frame)
    assert [f.name for f in km.release_.features] == ["age", "sex", "since"]
    assert ledger.runs == 1
    with pytest.raises(td.TacitError):  # another header
        td.KMeans(2, ledger=ledger, **RUN).fit(frame.rename(columns={"age": "years"}))
    with pytest.raises(td.TacitError):  # other bounds
        td.KMeans(2, ledger=ledger, bounds={"age": (0, 50), "since": said["bounds"]["since"]},
                  categories=said["categories"], **RUN).fit(frame)
    assert ledger.runs == 1


def test_carried_on(rows, ledger, tmp_path):
    td.KMeans(3, ledger=ledger, **RUN).fit(rows)
    spent = ledger.spent
    with pytest.raises(td.DeclaredError, match="as_owner"):
        td.Ledger.carry(ledger, tmp_path / "new.ledger", rows, bounds=(0, 2), **ALL)
    other = td.Ledger.carry(ledger, tmp_path / "new.ledger", rows, bounds=(0, 2), as_owner=True,
                            **ALL)
    assert other.spent == pytest.approx(spent) and other.schema["tacit"]["bounds"] == [0, 2]
    with pytest.raises(td.TacitError):  # less than was spent
        td.Ledger.carry(ledger, tmp_path / "less.ledger", rows, bounds=(0, 1), as_owner=True,
                        epsilon=0.1, delta=1e-5)


def test_persons(tmp_path, rows):
    people = np.arange(len(rows)) // 2
    ledger = td.Ledger.create(tmp_path / "p.ledger", rows, bounds=(0, 1), units=people,
                              max_rows_per_person=2, **ALL)
    assert ledger.summary().unit_column == "person"
    td.KMeans(3, ledger=ledger, **RUN).fit(rows, units=people)
    with pytest.raises(td.TacitError):  # single rows would be another promise
        td.KMeans(3, ledger=ledger, **RUN).fit(rows)
    assert ledger.runs == 1


@pytest.mark.parametrize("change, error, says", [
    (dict(epsilon=None), td.ArgumentError, "epsilon=4"),
    (dict(epsilon="4"), td.ArgumentError, "epsilon must be a number"),
    (dict(epsilon=-1), td.ArgumentError, "epsilon"),
    (dict(delta=0.5), td.ArgumentError, "delta"),
    (dict(neighbors="all"), td.ArgumentError, "neighbors='all'"),
    (dict(max_rows_per_person=0), td.ArgumentError, "max_rows_per_person=0"),
    (dict(bounds={"zz": (0, 1)}), td.TacitError, "zz"),
    (dict(bounds=(1, 0)), td.TacitError, "bound"),
    (dict(dataset=3), td.ArgumentError, "dataset"),
])
def test_wrong_arguments_make_no_ledger(rows, tmp_path, change, error, says):
    wanted = {**ALL, "bounds": (0, 1), **change}
    with pytest.raises(error, match=says):
        td.Ledger.create(tmp_path / "no.ledger", rows, **wanted)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_ledger(tmp_path, rows):
    with pytest.raises(td.LedgerError, match="no ledger"):
        td.Ledger(tmp_path / "none.ledger")
    (tmp_path / "bad.ledger").write_text("not one")
    with pytest.raises(td.LedgerError):
        td.Ledger(tmp_path / "bad.ledger")
    with pytest.raises(td.ArgumentError, match="by its path"):
        td.Ledger(3)
    with pytest.raises(td.TacitError):  # what is there is not overwritten
        td.Ledger.create(tmp_path / "bad.ledger", rows, bounds=(0, 1), **ALL)
    assert (tmp_path / "bad.ledger").read_text() == "not one"
