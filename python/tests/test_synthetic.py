# SPDX-License-Identifier: Apache-2.0
"""Rows that are nobody's."""

from __future__ import annotations

import numpy as np
import pytest

import tacitdp as td


def test_mixture():
    X, y = td.make_mixture(3000, 4, 6, spread=0.01, seed=3)
    again, _ = td.make_mixture(3000, 4, 6, spread=0.01, seed=3)
    assert X.shape == (3000, 4) and set(y) == set(range(6)) and (X == again).all()
    for group in range(6):  # 4 standard deviations of a spread of 0.01, estimated from 400 rows
        assert X[y == group].std(axis=0).max() < 0.0125


def test_subspaces_lie_near_the_truth():
    X, y, truth = td.make_subspaces(600, 6, 3, 2, noise=0)
    assert not truth.is_private
    for row, label in zip(X, y):
        basis = truth.subspaces[label]
        assert np.linalg.norm(row - basis @ (basis.T @ row)) < 1e-9


def test_counts(monkeypatch):
    pytest.importorskip("scipy")
    X, y = td.make_counts(400, 24, 3, 4, mean=12, contrast=1.0)
    assert X.shape == (400, 24) and (y == np.arange(400) % 3).all()
    assert (X.sum(axis=1) > 0).all()
    import sys

    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    dense, _ = td.make_counts(400, 24, 3, 4, mean=12, contrast=1.0)
    assert isinstance(dense, np.ndarray) and (dense == X.toarray()).all()


@pytest.mark.parametrize("call, says", [
    (lambda: td.make_mixture(0), "rows=0"), (lambda: td.make_mixture(10, columns=1.5), "columns"),
    (lambda: td.make_mixture(10, spread=-1), "spread"),
    (lambda: td.make_subspaces(10, 3, 2, 3), "dimension"),
    (lambda: td.make_counts(10, 5, 20), "clusters"), (lambda: td.make_counts(seed="a"), "seed")])
def test_wrong_arguments(call, says):
    with pytest.raises(td.ArgumentError, match=says):
        call()
