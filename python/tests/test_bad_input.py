# SPDX-License-Identifier: Apache-2.0
"""What is wrong is refused with a sentence that names it, of a kind that Python users expect, and
nothing is spent."""

from __future__ import annotations

import datetime

import ledgers
import numpy as np
import pytest

import tacitdp as td

ROWS = np.random.default_rng(0).random((400, 3))


class Odd:
    """Something that is nothing we know."""


# (name, rows, a part of the sentence)
WRONG_ROWS = [
    ("1-d", np.zeros(5), "2D"),
    ("3-d", np.zeros((2, 2, 2)), "2D"),
    ("scalar", np.float64(3), "2D"),
    ("no columns", np.zeros((5, 0)), "no columns"),
    ("objects", np.array([[1, "a"], [2, "b"]], dtype=object), "object"),
    ("objects that are numbers", np.ones((4, 2), dtype=object), "object"),
    ("texts", np.array([["a", "b"]]), "not numbers"),
    ("bytes", np.array([[b"a", b"b"]]), "not numbers"),
    ("complex", np.ones((4, 2), dtype=complex), "omplex"),
    ("dates", np.zeros((4, 2), dtype="M8[D]"), "not numbers"),
    ("records", np.zeros(4, dtype=[("a", float), ("b", float)]), "not numbers"),
    ("giant ints", [[2**70, 1], [1, 2]], "object"),
    ("None", None, "object"),
    ("a list of texts", [["a", "b"]], "not numbers"),
    ("something else", Odd(), "object"),
    ("masked 1-d", np.ma.masked_array([1.0, 2.0], mask=[0, 1]), "2D"),
    ("a missing file", "/nowhere/rows.csv", "cannot be opened"),
    ("a folder", "/tmp", "/tmp"),
    ("a path with a NUL", "a\0b", "cannot be opened"),
    ("a file of a missing file", td.File("/nowhere/rows.csv", delimiter=";"), "cannot be opened"),
]


def kmeans(**more):
    return td.KMeans(**{"n_clusters": 3, "epsilon": 1, "delta": 1e-6, "bounds": (0, 1), **more})


@pytest.mark.parametrize("rows, part", [case[1:] for case in WRONG_ROWS],
                         ids=[case[0] for case in WRONG_ROWS])
@pytest.mark.parametrize("method", ["fit", "fit_predict", "predict"])
def test_wrong_rows(rows, part, method):
    km = kmeans()
    if method == "predict":
        km.fit(ROWS)
    with pytest.raises((td.TacitError, ValueError), match="(?s).*" + part) as caught:
        getattr(km, method)(rows)
    assert isinstance(caught.value, (ValueError, TypeError, OSError))


def test_other_widths_and_names():
    km = kmeans().fit(ROWS)
    with pytest.raises(ValueError, match="X has 2 features, but KMeans is expecting 3"):
        km.predict(ROWS[:, :2])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["a", "b", "c"])
    named = kmeans().fit(frame)
    with pytest.raises(ValueError, match="c"):
        named.predict(frame[["a", "b"]])
    with pytest.warns(UserWarning, match="feature names"):
        named.predict(ROWS)
    with pytest.raises(TypeError, match="names"):
        kmeans().fit(pandas.DataFrame(ROWS, columns=["a", 1, "c"]))


# (parameters, a part of the sentence)
WRONG_OPTIONS = [
    ({"n_clusters": 0}, "n_clusters"),
    ({"n_clusters": -3}, "n_clusters"),
    ({"n_clusters": 2.5}, "n_clusters"),
    ({"n_clusters": "many"}, "n_clusters"),
    ({"n_clusters": None}, "n_clusters"),
    ({"n_clusters": True}, "n_clusters"),
    ({"n_clusters": 2**40}, "n_clusters"),
    ({"epsilon": None}, "epsilon"),
    ({"epsilon": 0}, "epsilon"),
    ({"epsilon": -1}, "epsilon"),
    ({"epsilon": float("nan")}, "epsilon"),
    ({"epsilon": float("inf")}, "epsilon"),
    ({"epsilon": 1e9}, "epsilon"),
    ({"epsilon": "1"}, "epsilon"),
    ({"epsilon": 10**400}, "epsilon"),
    ({"epsilon": True}, "epsilon"),
    ({"delta": 0.5}, "delta"),
    ({"delta": -1e-9}, "delta"),
    ({"delta": "small"}, "delta"),
    ({"delta": 1j}, "delta"),
    ({"bounds": None}, "possible"),
    ({"bounds": {}}, "bounds"),
    ({"bounds": 3}, "bounds"),
    ({"bounds": (0, 1, 2)}, "bounds"),
    ({"bounds": (1, 0)}, "reversed"),
    ({"bounds": (0, 0)}, "equal"),
    ({"bounds": (0, float("inf"))}, "bounds"),
    ({"bounds": ([0, 0], [1, 1])}, "bounds"),
    ({"bounds": ("a", "b")}, "a"),
    ({"bounds": {"age": (0, 1)}}, "age"),
    ({"bounds": {"c1": (0,)}}, "c1"),
    ({"bounds": {"c1": (0, Odd())}}, "c1"),
    ({"bounds": {("c1",): (0, 1)}}, "bounds"),
    ({"bounds": "c1=0"}, "c1"),
    ({"bounds": None, "radius": -1}, "radius"),
    ({"bounds": None, "radius": "1"}, "radius"),
    ({"radius": 1}, "bounds and radius"),
    ({"center": [0, 0, 0]}, "center"),
    ({"bounds": None, "radius": 1, "center": [0, 0]}, "center"),
    ({"bounds": None, "radius": 1, "center": "x"}, "center"),
    ({"bounds_share": 2}, "bounds"),
    ({"columns": ["age"]}, "age"),
    ({"columns": []}, "columns"),
    ({"columns": 3}, "columns"),
    ({"columns": ["c1", "c1"]}, "twice"),
    ({"categories": {"c1": 3}}, "c1"),
    ({"categories": {"sex": ["F"]}}, "sex"),
    ({"categories": 7}, "categories"),
    ({"weights": {"c1": -1}}, "c1"),
    ({"weights": {"c1": "x"}}, "c1"),
    ({"weights": [1, 2, 3]}, "weights"),
    ({"transforms": {"c1": "cube"}}, "c1"),
    ({"transforms": {"c1": 3}}, "c1"),
    ({"missing": "forget"}, "missing"),
    ({"missing": {"c1": ("full", 3)}}, "fill"),
    ({"missing": {"c1": 3}}, "fill"),
    ({"missing": 3}, "missing"),
    ({"unit_column": "who"}, "max_rows_per_person"),
    ({"unit_column": "who", "max_rows_per_person": 2}, "who"),
    ({"unit_column": 3, "max_rows_per_person": 2}, "unit_column"),
    ({"max_rows_per_person": 2}, "unit_column"),
    ({"max_rows_per_person": 0}, "max_rows_per_person"),
    ({"neighbors": "friends"}, "neighbors"),
    ({"neighbors": 1}, "neighbors"),
    ({"neighbors": "entry"}, "entr"),
    ({"ledger": 3}, "ledger"),
    ({"ledger": "/nowhere/x.ledger"}, "ledger"),
    ({"ledger": "/dev/null"}, "ledger"),
    ({"schema": 3}, "schema"),
    ({"schema": "{"}, "declaration"),
    ({"schema": "/nowhere/schema.json"}, "nowhere"),
    ({"schema": {"fields": 3}}, "fields"),
    ({"method": "best"}, "method"),
    ({"method": None}, "method"),
    ({"rounds": 0}, "rounds"),
    ({"rounds": 1.5}, "rounds"),
    ({"k_max": 5}, "k_max"),
    ({"n_clusters": "auto", "k_max": 0}, "k_max"),
    ({"scale": "none at all"}, "scale"),
    ({"constants": "theory"}, "constants"),
    ({"sparsity": 2}, "spars"),
    ({"synopsis": 3}, "synopsis"),
    ({"threads": -1}, "threads"),
    ({"threads": "all"}, "threads"),
    ({"memory": 5}, "memory"),
    ({"memory": "2X"}, "memory"),
    ({"memory": 1.5}, "memory"),
    ({"memory": "2G", "spill_dir": "/nowhere"}, "/nowhere"),
    ({"memory": "2G", "spill_dir": 3}, "spill_dir"),
    ({"spill_dir": "."}, "memory"),
    ({"progress": "yes"}, "progress"),
    ({"insecure_test_seed": -1}, "insecure_test_seed"),
    ({"insecure_test_seed": 2**64}, "insecure_test_seed"),
    ({"insecure_test_seed": "x"}, "insecure_test_seed"),
]


@pytest.mark.parametrize("options, part", WRONG_OPTIONS,
                         ids=[str(case[0]) for case in WRONG_OPTIONS])
def test_wrong_options_spend_nothing(options, part, tmp_path):
    path = ledgers.create(tmp_path / "rows.ledger", ROWS, bounds=(0, 1))
    for more in ({}, {"ledger": path}):
        if set(options) & set(more) or "schema" in options and more:
            continue
        if more and options.get("bounds", 0) is None and "radius" not in options:
            continue  # the ledger says what is possible
        with pytest.raises((td.TacitError, ValueError), match="(?s).*" + part):
            kmeans(**{**options, **more}).fit(ROWS)
    assert ledgers.spent(path) == 0


WRONG_FLATS = [
    ({"n_clusters": 0}, "n_clusters"), ({"dimension": 0}, "dimension"),
    ({"dimension": 3}, "dimension"),
    ({"dimension": 1.5}, "dimension"), ({"affine": "yes"}, "affine"), ({"parts": 5}, "parts"),
    ({"solver": "best"}, "solver"), ({"start": "solver"}, "gibbs"), ({"chains": 3}, "gibbs"),
    ({"method": "gibbs", "chains": 3}, "insecure_test_seed"), ({"q_max": 2}, "q_max"),
    ({"method": "gibbs", "release_labels": True}, "replace"), ({"solver": "ssc"}, "solver"),
]


@pytest.mark.parametrize("options, part", WRONG_FLATS, ids=[str(c[0]) for c in WRONG_FLATS])
def test_wrong_options_of_subspaces(options, part):
    with pytest.raises((td.TacitError, ValueError), match="(?s).*" + part):
        td.SubspaceClustering(**{"n_clusters": 2, "dimension": 1, "epsilon": 1, "delta": 1e-6,
                                 "radius": 1, **options}).fit(ROWS)


WRONG_BLOCKS = [
    ({"n_row_clusters": 0}, "n_row_clusters"), ({"n_column_clusters": 9}, "column"),
    ({"unit": "town"}, "unit"), ({"unit": "person"}, "unit_column"),
    ({"unit": "entry", "neighbors": "replace"}, "neighbors"), ({"row_labels": 0.2}, "row_labels"),
    ({"unit": "entry", "least_z": 2.0}, "least_z"), ({"rounds": 3}, "dp-taucc"),
    ({"method": "dp-taucc"}, "entry"), ({"unit": "entry", "n_row_clusters": "auto"}, "auto"),
]
COUNTS = np.random.default_rng(0).poisson(2, (300, 6))


@pytest.mark.parametrize("options, part", WRONG_BLOCKS, ids=[str(c[0]) for c in WRONG_BLOCKS])
def test_wrong_options_of_coclusterings(options, part):
    with pytest.raises((td.TacitError, ValueError), match="(?s).*" + part):
        td.CoClustering(**{"n_row_clusters": 2, "n_column_clusters": 2, "epsilon": 1,
                           "delta": 1e-6, **options}).fit(COUNTS)


def test_counts_that_are_none():
    with pytest.raises(td.TacitError, match="count"):
        td.CoClustering(2, 2, epsilon=1, delta=1e-6).fit(COUNTS - 5)


@pytest.mark.parametrize("units, part", [
    (np.zeros(3), "each row"), (np.zeros((400, 1)), "one-dimensional"), (5, "one-dimensional"),
    (np.zeros(400, dtype=[("a", int)]).reshape(20, 20), "one-dimensional"),
])
def test_wrong_units(units, part):
    with pytest.raises(ValueError, match=part):
        kmeans(max_rows_per_person=2).fit(ROWS, units=units)


def test_units_need_a_limit():
    with pytest.raises(ValueError, match="max_rows_per_person"):
        kmeans().fit(ROWS, units=np.arange(400))


def test_a_ledger_that_was_deleted(tmp_path):
    path = ledgers.create(tmp_path / "rows.ledger", ROWS, bounds=(0, 1))
    km = kmeans(ledger=path).fit(ROWS)
    path.unlink()
    for work in (km.fit, km.predict):
        with pytest.raises(td.LedgerError):
            work(ROWS)


def test_a_file_that_was_deleted(tmp_path):
    path = tmp_path / "rows.csv"
    np.savetxt(path, ROWS, delimiter=",", header="a,b,c", comments="")
    km = kmeans().fit(path)
    path.unlink()
    with pytest.raises(td.OpenError):
        km.predict(path)


def test_no_value_is_in_a_sentence(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,2\nsecret,3\n")
    try:
        kmeans().fit(path)
    except td.TacitError as error:
        assert "secret" not in str(error)
    with pytest.raises(TypeError) as caught:
        kmeans().fit(np.array([["secret", 1]], dtype=object))
    assert "secret" not in str(caught.value)


def test_frames_with_mixed_columns():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, "secret", 3.5] * 100, "b": 0.5})
    with pytest.raises((td.TacitError, TypeError)) as caught:
        kmeans(bounds={"a": (0, 1)}).fit(frame)
    assert "secret" not in str(caught.value)
    assert kmeans(bounds={"b": (0, 1)}).fit(frame).release_.columns == ["b"]


def test_not_fitted():
    for method in ("predict", "transform", "score"):
        with pytest.raises((ValueError, AttributeError), match="not fitted"):
            getattr(kmeans(), method)(ROWS)


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", "{\0}", '{"tacit": "release"}'])
def test_texts_that_are_no_release(text, tmp_path):
    with pytest.raises(td.TacitError):
        td.Release.from_json(text)
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(td.TacitError):
        td.load(path)


def test_paths_that_are_none():
    release = kmeans().fit(ROWS).release_
    for path in (3, None, b"x", "a\0b"):
        with pytest.raises((td.TacitError, TypeError)):
            release.save(path)
        with pytest.raises((td.TacitError, TypeError)):
            td.load(path)
    with pytest.raises(td.WriteError):
        release.save("/nowhere/at/all.json")
    with pytest.raises(OSError):
        td.load("/nowhere/at/all.json")


def test_files_that_are_written_otherwise(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a;b\n0,5;0,5\n" * 1)
    for wrong in (dict(delimiter=";;"), dict(delimiter=5), dict(format="xls"),
                  dict(skip_lines=-1), dict(skip_lines="1"), dict(shape=3), dict(shape=(0, 2))):
        with pytest.raises((td.TacitError, TypeError)):
            kmeans().fit(td.File(path, **wrong))
    assert kmeans().fit(td.File(path, delimiter=";", decimal=",")).release_.columns == ["a", "b"]
    with pytest.raises(td.ArgumentError, match="units"):
        kmeans(max_rows_per_person=1).fit(path, units=[1])


def test_dates_that_are_none():
    with pytest.raises(td.TacitError):
        kmeans(bounds={"c1": (datetime.date(2020, 1, 1), "yesterday")}).fit(ROWS)


@pytest.mark.parametrize("said, sentence", [
    ({"bounds": {"Age": (0, 110)}}, "a bound names the column 'Age'"),
    ({"bounds": {"age": (0, 110), "Age": (0, 1)}}, "a bound names the column 'Age'"),
    ({"bounds": (0, 1), "columns": ["aeg"]}, "columns names the column 'aeg'"),
    ({"bounds": (0, 1), "columns": np.array(["aeg"])}, "columns names the column 'aeg'"),
    ({"bounds": {"age": (0, 110)}, "unit_column": "agee", "max_rows_per_person": 2},
     "unit_column names the column 'agee'"),
    ({"bounds": {"cost": (0, 1)}, "categories": {"sexx": ["F", "M"]}},
     "categories names the column 'sexx'")])
def test_names_that_a_frame_lacks(said, sentence):
    frame = pytest.importorskip("pandas").DataFrame({"age": [1.0], "cost": [2.0], "sex": [0.0]})
    with pytest.raises(ValueError, match=sentence) as told:
        td.KMeans(2, epsilon=1, **said).fit(frame)
    assert "did you mean '" in str(told.value) and "Its columns: age, cost, sex" in str(told.value)


def test_columns_of_a_release_that_a_frame_lacks():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1.0], "cost": [2.0], "sex": [0.0]})
    fitted = td.KMeans(1, epsilon=1, bounds={"age": (0, 110), "cost": (0, 9)}).fit(frame)
    for given, others in ((frame[["age", "sex"]], "age, sex"), (frame[["sex"]], "sex")):
        with pytest.raises(ValueError, match="^the release names the column '.*its columns: "
                           + others):
            fitted.predict(given)
