# SPDX-License-Identifier: Apache-2.0
"""Nothing is learned for free. On a data set with a ledger one person's value, whatever it is,
changes neither the outcome of a run, nor a sentence, a warning or what is charged."""

from __future__ import annotations

import datetime
import decimal
import warnings

import numpy as np
import pytest

import tacitdp as td

ROWS = 1200
AGE = np.random.default_rng(3).uniform(20, 80, ROWS)
SECRET = "secret-4711"


def outcome(work, ledger):
    """What an analyst sees: the columns of the release or the refusal, warnings, and whether it
    was paid for."""
    before = ledger.spent
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            seen = ("release", work().release_.columns)
        except Exception as error:
            seen = (type(error).__name__, str(error))
    sentences = [str(one.message) for one in said]
    assert SECRET not in str((seen, sentences))
    return seen, sentences, ledger.spent > before


def same_outcome(tmp_path, one, other, units=(None, None), **said):
    """Runs on two data sets that differ in one row; returns what is seen of either."""
    ledger = td.Ledger.create(tmp_path / "rows.ledger", one, epsilon=50, delta=1e-3,
                              units=units[0], **said)
    km = td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger)
    first, second = (outcome(lambda: km.fit(rows, units=who), ledger)
                     for rows, who in zip((one, other), units))
    assert first == second
    return first


# (usual value, one person's value, what is declared of the column)
CATEGORIES = {"categories": {"x": ["F", "M"]}}
DATES = {"x": ("2010-01-01", "2030-01-01")}
OBJECTS = [
    ("not declared", "n", 3, {}),
    ("a list", "n", [SECRET], {}),
    ("a dict", "n", {SECRET: 1}, {}),
    ("a text that is no text", "n", "\ud800", {}),
    ("another type", "F", 3.5, CATEGORIES),
    ("undeclared category", "F", SECRET, CATEGORIES),
    ("bytes", "F", b"F", CATEGORIES),
    ("one category", None, "F", CATEGORIES),
    ("missing category", "F", None, CATEGORIES),
    ("a giant", "F", 2**200, CATEGORIES),
    ("no date", datetime.date(2020, 1, 1), SECRET, {"more": DATES}),
    ("another date", datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 3), {"more": DATES}),
    ("no number", 5, SECRET, {"more": {"x": (0, 9)}}),
    ("a large number", 5, 2**70, {"more": {"x": (0, 9)}}),
    ("a long decimal", decimal.Decimal("1.5"), decimal.Decimal("1e60"), {"more": {"x": (0, 9)}}),
]


@pytest.mark.parametrize("usual, odd, said", [case[1:] for case in OBJECTS],
                         ids=[case[0] for case in OBJECTS])
def test_one_value_of_a_column_of_objects(usual, odd, said, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    cells = np.full(ROWS, usual, dtype=object)
    one = pandas.DataFrame({"age": AGE, "x": pandas.Series(cells, dtype=object)})
    cells = cells.copy()
    cells[7] = odd
    other = pandas.DataFrame({"age": AGE, "x": pandas.Series(cells, dtype=object)})
    bounds = {"age": (0, 110), **said.get("more", {})}
    seen = {k: v for k, v in said.items() if k != "more"}
    if bounds.get("x") == (0, 9):  # by its type, before anybody has a ledger
        with pytest.raises(td.ArgumentError, match="cast it to numbers"):
            td.KMeans(2, epsilon=1, delta=1e-6, bounds=bounds).fit(one)
        bounds.pop("x")
    got, _, paid = same_outcome(tmp_path, one, other, bounds=bounds, **seen)
    assert got[0] == "release" and paid


@pytest.mark.parametrize("hidden", [SECRET, 3, 2.5, None])
def test_a_category_that_no_row_has(hidden, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    one, other = (pandas.DataFrame({"age": AGE, "x": pandas.Categorical(["F"] * ROWS, listed)})
                  for listed in (["F", "M"], ["F", "M"] + ([] if hidden is None else [hidden])))
    assert same_outcome(tmp_path, one, other, bounds={"age": (0, 110)}, **CATEGORIES)[2]


def test_a_dictionary_with_more_than_its_rows(tmp_path):
    pa = pytest.importorskip("pyarrow")
    places = pa.array([0] * ROWS, pa.int8())
    one, other = (pa.table({"age": AGE, "x": pa.DictionaryArray.from_arrays(places, pa.array(w))})
                  for w in (["F", "M"], ["F", "M", SECRET]))
    assert same_outcome(tmp_path, one, other, bounds={"age": (0, 110)}, **CATEGORIES)[2]


def test_polars_categories(tmp_path):
    pl = pytest.importorskip("polars")
    one, other = (pl.DataFrame({"age": AGE, "x": pl.Series([x] + ["F"] * (ROWS - 1),
                                                           dtype=pl.Categorical)})
                  for x in ("F", SECRET))
    assert same_outcome(tmp_path, one, other, bounds={"age": (0, 110)}, **CATEGORIES)[2]


@pytest.mark.parametrize("kind, usual", [("Int64", 5), ("boolean", True), ("Float32", 0.5)])
@pytest.mark.parametrize("names", [["age", "x"], [0, 1]])
@pytest.mark.parametrize("persons", [False, True])
def test_missing_in_nullable_columns(kind, usual, names, persons, tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    who = np.arange(ROWS) if persons else None
    one, other = (pandas.DataFrame({names[0]: pandas.array(AGE, dtype="Float64"),
                                    names[1]: pandas.array([x] + [usual] * (ROWS - 1), dtype=kind)})
                  for x in (usual, pandas.NA))
    more = {"max_rows_per_person": 1} if persons else {}
    got, _, paid = same_outcome(tmp_path, one, other, (who, who), bounds=(0, 110), **more)
    assert got[0] == "release" and paid


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_missing_beside_persons(library, tmp_path):
    frames = pytest.importorskip(library)
    pytest.importorskip("pyarrow")
    make = frames.table if library == "pyarrow" else frames.DataFrame
    one, other = (make({"age": AGE, "ill": [x] + [True] * (ROWS - 1)}) for x in (True, None))
    if library == "pandas":
        one, other = one.astype({"ill": "boolean"}), other.astype({"ill": "boolean"})
    who = np.arange(ROWS)
    got, _, paid = same_outcome(tmp_path, one, other, (who, who), bounds=(0, 110),
                                max_rows_per_person=1)
    assert got == ("release", ["age", "ill"]) and paid


@pytest.mark.parametrize("odd", [None, float("nan"), "NA", "NaT", [1], np.zeros(2), {}, SECRET,
                                 2**70, "\ud800"], ids=lambda odd: ascii(odd))
@pytest.mark.parametrize("kind", [list, np.array])
def test_who_a_row_is_of(odd, kind, tmp_path):
    if odd in ("NA", "NaT") if isinstance(odd, str) else False:
        odd = getattr(pytest.importorskip("pandas"), odd)
    people = np.arange(ROWS).astype(object)
    others = people.copy()
    others[5] = odd
    units = (people, others) if kind is np.array else (people.tolist(), others.tolist())
    rows = np.column_stack([AGE, AGE])
    assert same_outcome(tmp_path, rows, rows, units, bounds=(0, 110), max_rows_per_person=1)[2]


@pytest.mark.parametrize("odd", [[1.0, None], [1.0, 2**70], [1.0], [1.0, SECRET], [1.0, 2j]],
                         ids=str)
def test_lists_have_no_types(odd, tmp_path):
    rows = np.column_stack([AGE, AGE])
    ledger = td.Ledger.create(tmp_path / "rows.ledger", rows, epsilon=5, delta=1e-3,
                              bounds=(0, 110))
    km = td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger)
    one, other = rows.tolist(), rows.tolist()
    other[5] = odd
    first, second = (outcome(lambda: km.fit(some), ledger) for some in (one, other))
    assert first == second and "list" in first[0][1] and not first[2]


def test_how_many_rows_there_are(tmp_path):
    rows = np.column_stack([AGE, AGE])
    ledger = td.Ledger.create(tmp_path / "rows.ledger", rows, epsilon=5, delta=1e-3,
                              bounds=(0, 110))
    km = td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger).fit(rows)
    for classes in (ROWS, ROWS + 1):
        with pytest.raises(td.DeclaredError, match="as_owner"):
            td.evaluate(km, rows, labels=np.zeros(classes))


def test_cells_of_a_workbook(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    seen = []
    for odd in (45000, 4.711e9):  # a day; no day that there is
        path = tmp_path / f"people{odd:g}.xlsx"
        book = openpyxl.Workbook()
        book.active.append(["age", "since"])
        for i in range(50):
            book.active.append([float(AGE[i]), 45000])
        book.active["B7"].value = odd
        for i in range(2, 52):
            book.active[f"B{i}"].number_format = "yyyy-mm-dd"
        book.save(path)
        ledger = td.Ledger.create(None, path, epsilon=50, delta=1e-3,
                                  bounds={"age": (0, 110), "since": ("2000-01-01", "2030-01-01")})
        km = td.KMeans(2, epsilon=1, delta=1e-6)
        seen.append(outcome(lambda: km.fit(path), ledger))
        assert "4711" not in str(seen[-1]) and seen[-1][2]
    assert seen[0] == seen[1]


def test_a_column_that_is_called_as_the_names_are(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": AGE, "column_names": SECRET, "schema": SECRET})
    km = td.KMeans(2, epsilon=1, delta=1e-6, bounds={"age": (0, 110)}).fit(frame)
    assert list(km.feature_names_in_) == ["age", "column_names", "schema"]


def test_frames_of_classes_made_from_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")

    class Own(pandas.DataFrame):
        """As geopandas and others have it."""

    cells = np.array(["F"] * (ROWS - 1) + [3], dtype=object)
    one, other = (Own({"age": AGE, "x": pandas.Series(c, dtype=object)}, index=range(5, ROWS + 5))
                  for c in (np.full(ROWS, "F", dtype=object), cells))
    assert same_outcome(tmp_path, one, other, bounds={"age": (0, 110)}, **CATEGORIES)[2]


def test_nullable_columns_without_arrow(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    monkeypatch.setattr("tacitdp._arrow.can_give", lambda frame: False)
    one, other = (pandas.DataFrame({"age": AGE, "x": pandas.array([x] + [5] * (ROWS - 1), "Int64")})
                  for x in (5, pandas.NA))
    got, _, paid = same_outcome(tmp_path, one, other, bounds=(0, 110))
    assert got == ("release", ["age", "x"]) and paid


def test_persons_beside_a_frame_with_a_ledger(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"age": AGE, "sex": ["F", "M"] * (ROWS // 2)})
    who = np.arange(ROWS) // 2
    said = dict(bounds={"age": (0, 110)}, categories={"sex": ["F", "M"]}, max_rows_per_person=2)
    ledger = td.Ledger.create(tmp_path / "f.ledger", frame, epsilon=9, delta=1e-3, units=who,
                              **said)
    km = td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger).fit(frame, units=who)
    assert km.release_.card.max_rows_per_person == 2 and "person" in km.release_.card.unit
    assert list(km.feature_names_in_) == ["age", "sex"]
    assert km.predict(frame, as_owner=True).shape == (ROWS,)
    before = ledger.spent
    with pytest.raises(td.DeclaredError):
        td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger).fit(frame)
    with pytest.raises(td.ArgumentError, match="unit_column='person'"):
        td.KMeans(2, epsilon=1, delta=1e-6, **said).fit(frame.assign(person=who), units=who)
    assert ledger.spent == before


def test_marks_in_the_name_of_a_parquet_file(tmp_path, monkeypatch):
    pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    import sys

    pq.write_table(pa.table({"age": AGE}), tmp_path / "people.parquet")
    td.Ledger.create(None, tmp_path / "people.parquet", epsilon=1, bounds={"age": (0, 110)})
    pq.write_table(pa.table({"age": AGE[:0]}), tmp_path / "p*.parquet")
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    km = td.KMeans(1, epsilon=8, delta=1e-6, bounds={"age": (0, 110)})
    assert km.fit(tmp_path / "p*.parquet").sizes_.sum() < 100  # nobody but noise


@pytest.mark.parametrize("odd", ["F\0x", "\0", "\n", 'F","M', "\r", "\ufeff", "\x1a", "F" * 100000],
                         ids=lambda odd: ascii(odd)[:9])
@pytest.mark.parametrize("library", ["pyarrow", "duckdb"])
def test_texts_of_a_parquet_file(odd, library, tmp_path, monkeypatch):
    pytest.importorskip(library)
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    import sys

    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for path, cell in zip(paths, ("F", odd)):
        pq.write_table(pa.table({"age": AGE, "x": [cell] + ["F"] * (ROWS - 1)}), path)
    if library == "duckdb":
        for module in ("pyarrow", "pyarrow.parquet"):
            monkeypatch.setitem(sys.modules, module, None)
    for path in paths:
        ledger = td.Ledger.create(None, path, epsilon=50, delta=1e-3, bounds={"age": (0, 110)},
                                  **CATEGORIES)
        km = td.KMeans(2, epsilon=1, delta=1e-6)
        seen, said, paid = outcome(lambda: km.fit(path), ledger)
        assert seen == ("release", ["age", "x=F", "x=M"]) and not said and paid
