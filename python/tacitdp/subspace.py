# SPDX-License-Identifier: Apache-2.0
"""Private subspace clustering."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._base import Measured
from tacitdp._call import Progress
from tacitdp._contract import reasoned
from tacitdp._data import Described, Table
from tacitdp._library import started
from tacitdp.release import Release

Floats = npt.NDArray[np.float64]
SOLVERS = {"kplane": "TACIT_SOLVER_KPLANE", "tsc": "TACIT_SOLVER_TSC",
           "tsc-simple": "TACIT_SOLVER_TSC_SIMPLE", "ssc": "TACIT_SOLVER_SSC",
           "lrr": "TACIT_SOLVER_LRR"}


class SubspaceClustering(Measured):
    """Differentially private subspace clustering: rows near one of k subspaces.

    Parameters
    ----------
    n_clusters : int or "auto"
        Number of subspaces.
    dimension : int or "auto"
        Their dimension, below the number of columns.
    affine : bool
        Subspaces need not pass through the origin: each gets a point too.
    radius, center, bounds
        What values are possible; best a radius about the origin. As for `KMeans`.
    method, rounds, k_max, q_max, scale, solver, parts, overlapping_parts, start, chains, \
release_labels
        As ``tacit subspace --help`` has them.

    The other parameters are those of `KMeans`.

    Attributes
    ----------
    subspaces_ : ndarray of shape (n_clusters, n_columns, dimension)
        Orthonormal bases in the clustered geometry.
    offsets_ : ndarray of shape (n_clusters, n_columns) or None
        A point of each affine subspace.
    sizes_, sizes_error_, release_
        As for `KMeans`.

    Examples
    --------
    >>> import numpy as np, tacitdp as td
    >>> rng = np.random.default_rng(0)
    >>> rows = np.zeros((6000, 4))
    >>> rows[:3000, :2], rows[3000:, 2:] = (rng.uniform(-0.7, 0.7, (3000, 2)) for _ in "ab")
    >>> sc = td.SubspaceClustering(2, 2, epsilon=4, delta=1e-6, radius=1).fit(rows)
    >>> sc.subspaces_.shape
    (2, 4, 2)
    """

    _family = "subspace"

    subspaces_: Floats
    offsets_: Optional[Floats]
    sizes_: Floats
    sizes_error_: float

    @reasoned
    def __init__(self, n_clusters: Any = 3, dimension: Any = "auto", *,
                 epsilon: Optional[float] = None, delta: float = 0.0,
                 radius: Optional[float] = None, center: Any = None,
                 bounds: options.Bounds = None, bounds_share: Optional[float] = None,
                 affine: bool = False, columns: Any = None, missing: options.Said = None,
                 unit_column: Optional[str] = None, max_rows_per_person: Optional[int] = None,
                 neighbors: str = "add-remove", ledger: Any = None, schema: Any = None,
                 method: str = "auto", rounds: Optional[int] = None, k_max: Optional[int] = None,
                 q_max: Optional[int] = None, scale: str = "range", solver: str = "kplane",
                 parts: Optional[int] = None, overlapping_parts: bool = False,
                 start: str = "random", chains: Optional[int] = None,
                 release_labels: bool = False, threads: int = 0,
                 memory: Union[int, str, None] = None, spill_dir: Any = None,
                 progress: Progress = None,
                 insecure_test_seed: Optional[int] = None) -> None:
        self.n_clusters = n_clusters
        self.dimension = dimension
        self.epsilon = epsilon
        self.delta = delta
        self.radius = radius
        self.center = center
        self.bounds = bounds
        self.bounds_share = bounds_share
        self.affine = affine
        self.columns = columns
        self.missing = missing
        self.unit_column = unit_column
        self.max_rows_per_person = max_rows_per_person
        self.neighbors = neighbors
        self.ledger = ledger
        self.schema = schema
        self.method = method
        self.rounds = rounds
        self.k_max = k_max
        self.q_max = q_max
        self.scale = scale
        self.solver = solver
        self.parts = parts
        self.overlapping_parts = overlapping_parts
        self.start = start
        self.chains = chains
        self.release_labels = release_labels
        self.threads = threads
        self.memory = memory
        self.spill_dir = spill_dir
        self.progress = progress
        self.insecure_test_seed = insecure_test_seed

    def _described(self) -> Described:
        return Described(self.columns, self.unit_column, missing=self.missing, bounds=self.bounds,
                         radius=self.radius, center=self.center)

    def _check_agreement(self, plain: bool) -> None:
        gibbs, parts = self.method == "gibbs", self.method == "sample-aggregate"
        options.agree(
            (self.k_max is not None and self.n_clusters != "auto",
             "k_max says how far n_clusters=\"auto\" may go; say \"auto\" or leave k_max out"),
            (self.q_max is not None and self.dimension != "auto",
             "q_max says how far dimension=\"auto\" may go; say \"auto\" or leave q_max out"),
            ((self.parts is not None or self.overlapping_parts is True) and not parts,
             "parts and overlapping_parts are those of method=\"sample-aggregate\"; say that or "
             "leave them out"),
            ((self.start != "random" or self.chains is not None or self.release_labels is True)
             and not gibbs,
             "start, chains and release_labels are those of method=\"gibbs\"; say that or leave "
             "them out"),
            (self.chains is not None and self.chains != 1 and self.insecure_test_seed is None,
             "chains compares exact states, which is not paid for; it needs insecure_test_seed"),
            (self.release_labels is True and self.neighbors != "replace",
             "release_labels tell how many rows there are; say neighbors=\"replace\" or leave "
             "release_labels out"),
            (self.solver != "kplane" and not (parts or plain or self.start == "solver"),
             "solver is for plain, method=\"sample-aggregate\" and start=\"solver\"; leave it out"))

    def _options(self, plain: bool = False) -> Any:
        self._check_agreement(plain)
        opts = started("tacit_subspace_opts")
        opts.k = options.whole_or_auto("n_clusters", self.n_clusters, 1, 1000)
        opts.q = options.whole_or_auto("dimension", self.dimension, 1, 1000000)
        opts.method = options.method("method", self.method, "subspace_method")
        opts.affine = options.flag("affine", self.affine)
        opts.scale = options.word("scale", self.scale, options.SCALES)
        opts.solver = options.word("solver", self.solver, SOLVERS)
        opts.overlapping_parts = options.flag("overlapping_parts", self.overlapping_parts)
        opts.start_with_solver = options.one_of("start", self.start, ("random", "solver"))
        opts.release_labels = options.flag("release_labels", self.release_labels)
        for name, least, most in (("rounds", 1, 1000000), ("k_max", 1, 64), ("q_max", 1, 1000000),
                                  ("parts", 3, 1000), ("chains", 1, 100)):
            value = getattr(self, name)
            if value is not None:
                setattr(opts, name, options.whole(name, value, least, most))
        return opts

    def plain(self, X: Any, *, restarts: Optional[int] = None, seed: int = 1,
              as_owner: bool = False) -> Release:
        """What `solver` finds in the rows themselves, for comparison: NOT private, and the release
        says so. Nothing is spent. On a data set with a ledger it needs `as_owner=True`."""
        opts = self._options(plain=True)
        opts.seed = options.whole("seed", seed, 0, 2**64 - 1)
        if restarts is not None:
            opts.restarts = options.whole("restarts", restarts, 1, 10000)
        return self._plain(X, as_owner, "tacit_subspace_plain", opts)

    def _keep(self, release: Release, table: Table) -> None:
        super()._keep(release, table)
        subspaces, sizes = release.subspaces, release.sizes
        assert subspaces is not None and sizes is not None
        self.subspaces_, self.offsets_ = subspaces, release.offsets
        self.sizes_, self.sizes_error_ = sizes, release.sizes_error
