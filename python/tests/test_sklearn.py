# SPDX-License-Identifier: Apache-2.0
"""scikit-learn's contract. Checks that must fail are named, with the reason."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tacitdp as td

sklearn = pytest.importorskip("sklearn", minversion="1.6")
from sklearn.base import clone  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import FunctionTransformer  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

# Co-clusterings are not among them: the checks hand over fractions, which are no counts.
ESTIMATORS = [
    td.KMeans(3, epsilon=100.0, delta=1e-6, bounds=(-10, 10)),
    td.KMedians(3, epsilon=100.0, delta=1e-6, bounds=(-10, 10)),
    td.SubspaceClustering(2, 1, epsilon=100.0, delta=1e-6, radius=10),
]

EXPECTED = {
    "check_fit_idempotent": "noise is fresh in every fit",
    "check_estimators_empty_data_messages": "refusing no rows would tell none from one",
    "check_dtype_object": "objects are refused by their type: what a cell holds must not decide",
}


OF_SUBSPACES = {
    "check_fit2d_1feature": "refused, but not in scikit-learn's words: subspaces need two columns",
}


def expected(estimator):
    return {**EXPECTED, **(OF_SUBSPACES if hasattr(estimator, "dimension") else {})}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected)
def test_contract(estimator, check):
    check(estimator)


def test_clone_and_parameters():
    km = td.KMeans(4, epsilon=1, bounds={"age": (0, 110)}, ledger="x.ledger")
    assert clone(km).get_params() == km.get_params()
    assert km.set_params(n_clusters=5).n_clusters == 5
    with pytest.raises(ValueError, match="n_cluster"):
        km.set_params(n_cluster=5)
    assert "epsilon=1" in repr(km) and "threads" not in repr(km)


def test_pickle(rows):
    km = td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows)
    again = pickle.loads(pickle.dumps(km))
    assert again.release_ == km.release_
    assert np.array_equal(again.predict(rows), km.predict(rows))


def test_after_a_public_transformer(rows):
    line = make_pipeline(FunctionTransformer(np.sqrt),
                         td.KMeans(3, epsilon=2, delta=1e-6, bounds=(0, 1)))
    positive = np.clip(rows, 0, 1)
    labels = line.fit(positive).predict(positive)
    assert np.array_equal(np.sort(np.bincount(labels)), [2000, 2000, 2000])


def test_transform_agrees_with_predict_and_names_its_output(rows):
    km = td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows)
    distances = km.transform(rows)
    assert np.array_equal(distances.argmin(1), km.predict(rows))
    assert np.allclose(distances[0], np.linalg.norm(rows[0] - km.cluster_centers_, axis=1))
    assert km.score(rows) == pytest.approx(-(distances.min(1) ** 2).mean())
    pytest.importorskip("pandas")
    frame = km.set_output(transform="pandas").transform(rows)
    assert list(frame.columns) == ["kmeans0", "kmeans1", "kmeans2"]


@pytest.mark.parametrize("name, why", [("random_state", "predictable"), ("accountant", "ledger")])
def test_what_others_take_is_refused_with_the_reason(name, why):
    with pytest.raises(TypeError, match=why):
        td.KMeans(3, epsilon=1, **{name: 1})
