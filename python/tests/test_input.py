# SPDX-License-Identifier: Apache-2.0
"""What users hand us, and what becomes of it."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import tacitdp as td
from tacitdp import _data
from tacitdp._call import Call

SEED = dict(insecure_test_seed=5)


def fitted(rows, **more):
    options = {"epsilon": 1, "delta": 1e-6, "bounds": (0, 1), **SEED, **more}
    return td.KMeans(3, **options).fit(rows)


@pytest.mark.parametrize("kind", sorted(_data.TYPES))
def test_the_librarys_types_are_not_copied(kind):
    matrix = np.zeros((50, 4), dtype=kind)
    assert _data.as_matrix(matrix) is matrix or np.shares_memory(_data.as_matrix(matrix), matrix)


def test_no_copy_of_a_large_array():
    matrix = np.random.default_rng(0).random((200_000, 10))
    with Call() as call:
        tracemalloc.start()
        _data.open_table(call, matrix)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < matrix.nbytes / 20


@pytest.mark.parametrize("kind", ["float16", "bool", "int8", "uint16", "int64", "float32",
                                  "longdouble", ">f8", ">i4", "<f4"])
def test_every_real_type(kind):
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 2, (3000, 3))
    assert (fitted(rows.astype(kind)).release_.to_json()
            == fitted(rows.astype(float)).release_.to_json())


def test_strides_and_orders(rows):
    wanted = fitted(rows).release_
    wide = np.zeros((6000, 6))
    wide[:, ::2] = rows
    assert fitted(wide[:, ::2]).release_ == wanted == fitted(np.asfortranarray(rows)).release_
    assert fitted(np.array(rows[::-1])).release_ == fitted(rows[::-1]).release_
    assert fitted(rows.tolist()).release_ == wanted


def test_masked_values_are_missing(rows):
    holes = rows.copy()
    holes[::7, 1] = np.nan
    masked = np.ma.masked_invalid(holes)
    assert fitted(masked).release_ == fitted(holes).release_
    assert fitted(np.ma.masked_array(rows.astype("f4"), mask=False)).release_


def test_sparse_duplicates_add_up():
    sparse = pytest.importorskip("scipy.sparse")
    doubled = sparse.coo_array((np.array([0.25, 0.25, 1.0]), ([0, 0, 1], [1, 1, 2])), (3000, 3))
    plain = sparse.csr_array(doubled.toarray())
    matrix = sparse.csr_array((np.array([0.25, 0.25, 1.0]), np.array([1, 1, 2]),
                               np.r_[0, 2, np.full(2999, 3)]), shape=(3000, 3))
    before = matrix.nnz
    assert fitted(doubled).release_ == fitted(plain).release_ == fitted(matrix).release_
    assert matrix.nnz == before, "the caller's matrix is as it was"


def test_names_of_frames_and_columns_that_bounds_name(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["age", "cost", "id"])
    frame["text"] = "x"
    km = fitted(frame, bounds={"age": (0, 1), "cost": (0, 1)})
    assert km.release_.columns == ["age", "cost"]
    assert list(km.feature_names_in_) == ["age", "cost", "id", "text"]
    assert km.n_features_in_ == 4
    labels = km.predict(frame)
    assert np.array_equal(labels, km.predict(frame[["text", "cost", "age"]]))
    assert np.array_equal(labels, km.release_.predict(frame))
    assert np.array_equal(labels, km.release_.predict(rows[:, :2]))


def test_odd_names(rows):
    pandas = pytest.importorskip("pandas")
    names = ['with, comma', 'with "quote"', "a=b"]
    frame = pandas.DataFrame(rows, columns=names)
    km = fitted(frame, bounds={name: (0, 1) for name in names})
    assert km.release_.columns == names
    assert km.predict(frame).shape == (6000,)


def test_an_index_is_no_column(rows):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["a", "b", "c"], index=[f"r{i}" for i in range(6000)])
    assert fitted(frame).release_ == fitted(frame.reset_index(drop=True)).release_


def test_numbered_columns_are_an_array(rows):
    pandas = pytest.importorskip("pandas")
    assert fitted(pandas.DataFrame(rows)).release_ == fitted(rows).release_


def test_units_in_fit_and_as_a_column(rows):
    who = np.arange(6000) // 3
    one = td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1), max_rows_per_person=2,
                    unit_column="who", **SEED).fit(rows, units=who)
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows, columns=["c1", "c2", "c3"]).assign(who=who)
    two = fitted(frame, max_rows_per_person=2, unit_column="who",
                 bounds={n: (0, 1) for n in ("c1", "c2", "c3")})
    assert one.release_.card == two.release_.card
    assert np.array_equal(one.cluster_centers_, two.cluster_centers_)


def test_a_number_counts_all_columns_of_a_frame(rows):
    """Columns that do not matter are left out of a frame of pandas: a number must not slip to
    another one, least of all that of the persons."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"c1": rows[:, 0], "who": np.arange(6000) // 3, "other": 1.5,
                              "c2": rows[:, 1]})
    said = dict(max_rows_per_person=2, bounds={"c1": (0, 1), "c2": (0, 1)})
    by_name = fitted(frame, unit_column="who", weights={"c2": 2}, **said).release_
    assert "person (column who)" in by_name.to_json()
    assert fitted(frame, unit_column="2", weights={"c2": 2}, **said).release_ == by_name
    for weights in ({"4": 2}, "4=2"):
        assert fitted(frame, unit_column="who", weights=weights, **said).release_ == by_name


def test_units_of_any_kind_are_the_same_persons():
    names = np.array(["b", "a", "", "b"])
    assert _data.unit_codes(names, 4).tolist() == [0, 1, -1, 0]
    assert _data.unit_codes([None, 2.5, np.nan, 2.5], 4).tolist() == [-1, 0, -1, 0]
    codes = _data.unit_codes(np.array([7, -3, 7]), 3)
    assert codes[0] == codes[2] != codes[1] and codes.min() >= 0


def test_zero_and_one_row_are_no_error():
    """Refusing few rows would tell how many there are."""
    for n in (0, 1, 2):
        km = fitted(np.full((n, 2), 0.5))
        assert km.cluster_centers_.shape[1] == 2


def test_nan_everywhere_is_no_error():
    assert fitted(np.full((500, 2), np.nan)).cluster_centers_.shape == (3, 2)
    assert fitted(np.full((500, 2), np.inf)).cluster_centers_.shape == (3, 2)


def test_the_rows_are_as_they_were(rows):
    before = rows.copy()
    rows.flags.writeable = False
    fitted(rows).predict(rows)
    assert np.array_equal(rows, before)


def test_bounds_of_every_shape(rows):
    wanted = fitted(rows).release_
    for bounds in ((0, 1), ([0, 0, 0], [1, 1, 1]), (np.zeros(3), np.ones(3)), "0:1",
                   (0.0, np.float32(1)), ([0], [1])):
        assert fitted(rows, bounds=bounds).release_ == wanted
    named = fitted(rows, bounds={"c1": (0, 1), "c2": "0:1", "3": (0, 1)}).release_
    assert np.array_equal(named.centers, wanted.centers)


def test_a_file_of_bounds(rows, tmp_path):
    path = tmp_path / "bounds.csv"
    path.write_text("column,lower,upper\nc1,0,1\nc2,0,1\n")
    assert fitted(rows, bounds=path).release_.columns == ["c1", "c2"]


def test_private_bounds(rows):
    km = fitted(rows, epsilon=4, bounds={"c1": "private", "c2": ("private", 0, 5), "c3": (0, 1)},
                bounds_share=0.2)
    assert km.release_.domain.upper[2] == 1


def test_pandas_without_pyarrow(rows, monkeypatch):
    pandas = pytest.importorskip("pandas")
    from tacitdp import _arrow

    frame = pandas.DataFrame(rows, columns=["a", "b", "c"]).assign(text="x", who="p")
    bounds = {"a": (0, 1), "b": (0, 1)}
    wanted = fitted(frame, bounds=bounds).release_
    monkeypatch.setattr(_arrow, "can_give", lambda frame: False)
    km = fitted(frame, bounds=bounds)
    assert km.release_ == wanted and km.predict(frame).shape == (6000,)
    with pytest.raises(TypeError, match="pyarrow"):
        fitted(frame, bounds=bounds, categories={"text": ["x"]})
