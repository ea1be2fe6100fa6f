# SPDX-License-Identifier: Apache-2.0
"""Private co-clustering of tables of counts."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._base import Estimator
from tacitdp._call import Progress
from tacitdp._contract import reasoned
from tacitdp._data import Table
from tacitdp._errors import refuse
from tacitdp._library import started
from tacitdp.release import Release

Floats = npt.NDArray[np.float64]
UNITS = ("row", "entry", "person")


class CoClustering(Estimator):
    """Differentially private co-clustering: clusters of the rows and of the columns of a table of
    counts (people x items, documents x words) at once.

    Parameters
    ----------
    n_row_clusters, n_column_clusters : int or "auto"
        "auto": as many as surely stand out of the noise, a lower bound.
    unit : {"row", "entry", "person"}
        What is protected: everything a row says; one count more or less; all rows of a person,
        named by `unit_column` or by `units` in `fit`.
    method, rounds, row_labels, least_z
        As ``tacit cocluster --help`` has them. `row_labels` is the share of the budget that buys
        a private label for every row, with ``unit="entry"``.

    The other parameters are those of `KMeans`. Counts need no bounds.

    Attributes
    ----------
    column_labels_ : ndarray of shape (n_columns,)
        Cluster of every column; the number of column clusters stands for "rest".
    table_ : ndarray
        The noisy contingency table of row and column clusters.
    table_error_ : float
        The standard deviation of the noise in each of its numbers.
    release_ : Release
        All that may leave.

    Examples
    --------
    >>> import numpy as np, tacitdp as td
    >>> counts = np.kron(np.eye(2, dtype=int), np.full((1500, 10), 5))
    >>> cc = td.CoClustering(2, 2, epsilon=4, delta=1e-6).fit(counts)
    >>> cc.column_labels_.shape
    (20,)
    """

    _family = "cocluster"
    _counts = True

    column_labels_: npt.NDArray[np.int32]
    table_: Floats
    table_error_: float

    @reasoned
    def __init__(self, n_row_clusters: Any = "auto", n_column_clusters: Any = "auto", *,
                 epsilon: Optional[float] = None, delta: float = 0.0, unit: str = "row",
                 columns: Any = None, unit_column: Optional[str] = None,
                 max_rows_per_person: Optional[int] = None, neighbors: str = "add-remove",
                 ledger: Any = None, schema: Any = None, method: str = "auto",
                 rounds: Optional[int] = None, row_labels: float = 0.0,
                 least_z: Optional[float] = None, threads: int = 0,
                 memory: Union[int, str, None] = None, spill_dir: Any = None,
                 progress: Progress = None,
                 insecure_test_seed: Optional[int] = None) -> None:
        self.n_row_clusters = n_row_clusters
        self.n_column_clusters = n_column_clusters
        self.epsilon = epsilon
        self.delta = delta
        self.unit = unit
        self.columns = columns
        self.unit_column = unit_column
        self.max_rows_per_person = max_rows_per_person
        self.neighbors = neighbors
        self.ledger = ledger
        self.schema = schema
        self.method = method
        self.rounds = rounds
        self.row_labels = row_labels
        self.least_z = least_z
        self.threads = threads
        self.memory = memory
        self.spill_dir = spill_dir
        self.progress = progress
        self.insecure_test_seed = insecure_test_seed

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only, tags.input_tags.allow_nan = True, False  # counts
        return tags

    def _neighbors(self) -> str:
        options.one_of("unit", self.unit, UNITS)
        if self.unit != "entry":
            return super()._neighbors()
        if self.neighbors != "add-remove":
            refuse("neighbors is about rows and persons, and unit=\"entry\" about single counts; "
                   "leave one of them out")
        return "entry"

    def _check_persons(self, budget: Any, units: Any, unit_column: Optional[str]) -> None:
        super()._check_persons(budget, units, unit_column)
        named = units is not None or unit_column is not None
        if self.unit == "person" and not named:
            refuse("unit=\"person\" needs unit_column, the column that names the person, or units "
                   "in fit")
        if self.unit == "entry" and named:
            refuse("unit_column and units name persons, and unit=\"entry\" protects single counts; "
                   "leave one of them out")

    def _check_agreement(self) -> None:
        entry = self.unit == "entry"
        chosen = "auto" in (self.n_row_clusters, self.n_column_clusters)
        options.agree(
            (chosen and (entry or self.method != "auto"),
             "\"auto\" numbers of clusters are for method=\"auto\" and whole rows or persons; give "
             "both numbers, for example n_row_clusters=6, n_column_clusters=6"),
            (bool(self.row_labels) and not entry,
             "row_labels are for unit=\"entry\": a label that hides its whole row would be little "
             "better than a random one; leave it out and use predict"),
            (self.least_z is not None and entry,
             "least_z is for whole rows, and unit=\"entry\" places every column; leave it out"),
            (self.rounds is not None and self.method != "dp-taucc",
             "rounds are those of method=\"dp-taucc\"; say that or leave rounds out"),
            (self.method == "dp-taucc" and not entry,
             "method=\"dp-taucc\" protects single counts only; say unit=\"entry\" or take another "
             "method"))

    def _options(self) -> Any:
        self._check_agreement()
        opts = started("tacit_cocluster_opts")
        opts.row_clusters = options.whole_or_auto("n_row_clusters", self.n_row_clusters, 1, 1000)
        opts.column_clusters = options.whole_or_auto("n_column_clusters", self.n_column_clusters,
                                                     1, 1000)
        opts.method = options.method("method", self.method, "cocluster_method")
        opts.labels_share = options.number("row_labels", self.row_labels)
        if self.rounds is not None:
            opts.rounds = options.whole("rounds", self.rounds, 1, 1000)
        if self.least_z is not None:
            opts.least_z = options.number("least_z", self.least_z)
        return opts

    def plain(self, X: Any, *, restarts: Optional[int] = None, seed: int = 1,
              as_owner: bool = False) -> Release:
        """What Fast-tauCC finds in the rows themselves, for comparison: NOT private, and the
        release says so. Nothing is spent. On a data set with a ledger it needs `as_owner=True`."""
        opts = self._options()
        opts.seed = options.whole("seed", seed, 0, 2**64 - 1)
        if restarts is not None:
            opts.restarts = options.whole("restarts", restarts, 1, 10000)
        return self._plain(X, as_owner, "tacit_cocluster_plain", opts)

    def _keep(self, release: Release, table: Table) -> None:
        super()._keep(release, table)
        clusters, contingency = release.column_clusters, release.table
        assert clusters is not None and contingency is not None
        self.column_labels_, self.table_ = clusters, contingency
        self.table_error_ = release.table_error
