# SPDX-License-Identifier: Apache-2.0
"""Rows that are nobody's, for examples and tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._library import ffi, lib, started
from tacitdp._owner import taken
from tacitdp.release import Release

Floats = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int32]


def make_mixture(rows: int = 10000, columns: int = 2, clusters: int = 5, *, spread: float = 0.05,
                 seed: int = 1) -> tuple[Floats, Labels]:
    """Rows of Gaussian clusters in the box from 0 to 1 of every column.

    Parameters
    ----------
    rows, columns, clusters : int
        How many of each.
    spread : float
        Standard deviation of a cluster in each column.
    seed : int
        The same seed gives the same rows.

    Returns
    -------
    X : ndarray of shape (rows, columns)
    y : ndarray of shape (rows,)
        The cluster that each row was drawn from.

    Examples
    --------
    >>> import tacitdp as td
    >>> X, y = td.make_mixture(1000, 3, 4)
    >>> X.shape, sorted(set(y.tolist()))
    ((1000, 3), [0, 1, 2, 3])
    """
    opts = started("tacit_synthetic_mixture_opts")
    opts.rows = options.whole("rows", rows, 1, 2**62)
    opts.columns = options.whole("columns", columns, 1)
    opts.clusters = options.whole("clusters", clusters, 1)
    opts.spread = options.number("spread", spread)
    opts.seed = options.whole("seed", seed, 0, 2**64 - 1)
    values, labels = ffi.new("double **"), ffi.new("int32_t **")
    with Call() as call:
        call.run(lib.tacit_synthetic_mixture, opts, values, labels)
    return (taken(values[0], rows * columns, np.float64).reshape(rows, columns),
            taken(labels[0], rows, np.int32))


def make_subspaces(rows: int = 10000, columns: int = 5, subspaces: int = 3, dimension: int = 3, *,
                   noise: float = 0.01, seed: int = 1) -> tuple[Floats, Labels, Release]:
    """Rows near subspaces through the origin: even on the unit sphere of a random subspace, plus
    normal noise.

    Returns
    -------
    X : ndarray of shape (rows, columns)
    y : ndarray of shape (rows,)
        The subspace that each row was drawn from.
    truth : Release
        The subspaces themselves; it says that it is not private.

    Examples
    --------
    >>> import tacitdp as td
    >>> X, y, truth = td.make_subspaces(1000, 5, 2, 2)
    >>> X.shape, truth.k, truth.q
    ((1000, 5), 2, 2)
    """
    opts = started("tacit_synthetic_subspaces_opts")
    opts.rows = options.whole("rows", rows, 1, 2**62)
    opts.columns = options.whole("columns", columns, 1)
    opts.subspaces = options.whole("subspaces", subspaces, 1)
    opts.dimension = options.whole("dimension", dimension, 1)
    opts.noise = options.number("noise", noise)
    opts.seed = options.whole("seed", seed, 0, 2**64 - 1)
    values, labels = ffi.new("double **"), ffi.new("int32_t **")
    with Call() as call:
        truth = call.run_make("tacit_model", lib.tacit_synthetic_subspaces, opts, values, labels)
    return (taken(values[0], rows * columns, np.float64).reshape(rows, columns),
            taken(labels[0], rows, np.int32), Release(truth))


def make_counts(rows: int = 20000, columns: int = 200, row_clusters: int = 4,
                column_clusters: int = 4, *, mean: float = 50.0, contrast: float = 0.75,
                seed: int = 1) -> tuple[Any, Labels]:
    """A table of counts with planted blocks. Column j is of column cluster j mod column_clusters.

    Parameters
    ----------
    rows, columns, row_clusters, column_clusters : int
        How many of each.
    mean : float
        Counts in a row.
    contrast : float
        0: no blocks; 1: a row has nothing outside its own.
    seed : int
        The same seed gives the same table.

    Returns
    -------
    X : scipy.sparse.csr_array, or ndarray without scipy
    y : ndarray of shape (rows,)
        The row cluster of each row.

    Examples
    --------
    >>> import tacitdp as td
    >>> X, y = td.make_counts(300, 20, mean=10)
    >>> X.shape, len(y)
    ((300, 20), 300)
    """
    opts = started("tacit_synthetic_counts_opts")
    opts.rows = options.whole("rows", rows, 1, 2**62)
    opts.columns = options.whole("columns", columns, 1)
    opts.row_clusters = options.whole("row_clusters", row_clusters, 1)
    opts.column_clusters = options.whole("column_clusters", column_clusters, 1)
    opts.mean = options.number("mean", mean)
    opts.contrast = options.number("contrast", contrast)
    opts.seed = options.whole("seed", seed, 0, 2**64 - 1)
    start, labels = [0], []
    column_parts: list[bytes] = []
    count_parts: list[bytes] = []

    def each(row: int, cluster: int, column: Any, count: Any, entries: int, payload: Any) -> int:
        labels.append(cluster)
        column_parts.append(bytes(ffi.buffer(column, 4 * entries)))
        count_parts.append(bytes(ffi.buffer(count, 4 * entries)))
        start.append(start[-1] + entries)
        return 0

    callback = ffi.callback("tacit_synthetic_counts_fn", each, error=1)
    with Call() as call:
        call.run(lib.tacit_synthetic_counts, opts, callback, ffi.NULL)
    return (_table(np.array(start), np.frombuffer(b"".join(column_parts), np.int32),
                   np.frombuffer(b"".join(count_parts), np.int32), (rows, columns)),
            np.array(labels, dtype=np.int32))


def _table(start: npt.NDArray[Any], column: npt.NDArray[np.int32], count: npt.NDArray[np.int32],
           shape: tuple[int, int]) -> Any:
    try:
        from scipy.sparse import csr_array
    except ImportError:
        dense = np.zeros(shape, dtype=np.int32)
        dense[np.repeat(np.arange(shape[0]), np.diff(start)), column] = count
        return dense
    return csr_array((count.copy(), column.copy(), start), shape=shape)
