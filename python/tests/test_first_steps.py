# SPDX-License-Identifier: Apache-2.0
"""What somebody types who never read the manual: the sentence says what to type instead."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tacitdp as td

ROWS = np.random.default_rng(0).random((400, 2))


def kmeans(**more):
    return td.KMeans(**{"n_clusters": 2, "epsilon": 1, "delta": 1e-6, "bounds": (0, 1), **more})


@pytest.mark.parametrize("word, part", [
    ("n_cluster", "'n_clusters'"), ("eps", "'epsilon'"), ("bound", "'bounds'"),
    ("n_jobs", "'threads'"), ("random_state", "insecure_test_seed"), ("accountant", "ledger"),
    ("n_init", "it takes n_clusters, epsilon"),
])
def test_words_that_it_does_not_take(word, part):
    with pytest.raises(TypeError, match=part):
        td.KMeans(2, **{word: 1})


@pytest.mark.parametrize("name, meant", [("Kmeans", "KMeans"), ("KMedian", "KMedians"),
                                         ("Cocluster", "CoClustering"), ("sintesize", "synthes")])
def test_names_that_are_not_there(name, meant):
    with pytest.raises(AttributeError, match=f"did you mean '{meant}"):
        getattr(td, name)
    assert not hasattr(td, "zzz")


def test_attributes_that_are_not_there():
    km = kmeans()
    with pytest.raises(AttributeError, match="not fitted yet"):
        km.cluster_centers_
    km.fit(ROWS)
    with pytest.raises(AttributeError, match="predict"):
        km.labels_
    with pytest.raises(AttributeError, match="score"):
        km.inertia_
    assert not hasattr(km, "labels_") and not hasattr(km, "_zzz") and not hasattr(km, "zzz_")
    assert pickle.loads(pickle.dumps(km)).release_.to_json() == km.release_.to_json()


def test_rows_that_are_no_table():
    for rows, part in (({"a": [1.0]}, "DataFrame"), (iter([[1.0]]), "not object"),
                       (b"rows.csv", "path")):
        with pytest.raises(TypeError, match=part):
            kmeans().fit(rows)
    with open(__file__, "rb") as file, pytest.raises(TypeError, match="path"):
        kmeans().fit(file)


def test_frames_that_are_no_table():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["a", "a"])
    with pytest.raises(ValueError, match="'a' twice"):
        kmeans().fit(frame)
    frame.columns = pandas.MultiIndex.from_tuples([("a", "x"), ("a", "y")])
    with pytest.raises(TypeError, match="several levels"):
        kmeans().fit(frame)
    frame.columns = ["a", "b"]
    with pytest.raises(ValueError, match="to_frame"):
        kmeans().fit(frame["a"])
    with pytest.raises(TypeError, match="GroupBy"):
        kmeans().fit(frame.groupby("a"))
    with pytest.raises(ValueError, match="unit_column"):
        kmeans(max_rows_per_person=1).fit(frame, units="a")


def test_lazy_frames():
    polars = pytest.importorskip("polars")
    with pytest.raises(TypeError, match="collect"):
        kmeans().fit(polars.DataFrame(ROWS, schema=["a", "b"]).lazy())


def test_columns_are_numbered_from_one():
    with pytest.raises(ValueError, match="numbered from 1"):
        kmeans(bounds={0: (0, 1)}).fit(ROWS)
    assert kmeans(bounds={1: (0, 1)}).fit(ROWS).release_.columns == ["c1"]


def test_nothing_said_of_columns_is_nothing():
    assert kmeans(transforms={}, weights={}, missing={}, categories={}).fit(ROWS).release_.k == 2


def test_a_release_is_read_as_text():
    lines = str(kmeans().fit(ROWS).release_).split("\n")
    assert lines[1].split() == ["cluster", "size", "c1", "c2"]
    assert len({len(line) for line in lines[1:4]}) == 1 and "±" in lines[2]
    counts = np.random.default_rng(1).poisson(2, (500, 6))
    blocks = td.CoClustering(2, 2, epsilon=4, delta=1e-6).fit(counts).release_
    assert "row cluster" in str(blocks) and blocks.guarantee in str(blocks)
    flats = td.SubspaceClustering(2, 1, epsilon=1, delta=1e-6, radius=2).fit(ROWS).release_
    assert "largest loadings" in str(flats)
