# SPDX-License-Identifier: Apache-2.0
"""What all estimators share: one private run, and what the owner of the rows does with it."""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING, Any, Iterator, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp import _owner
from tacitdp._call import Call, Progress
from tacitdp._contract import Contract, Distances, not_fitted
from tacitdp._data import Described, Table, open_table, width_of
from tacitdp._declared import with_declaration
from tacitdp._errors import refuse
from tacitdp._library import lib
from tacitdp._source import Source
from tacitdp.release import Release

if TYPE_CHECKING:
    from tacitdp.planning import Plan

Self = TypeVar("Self", bound="Estimator")
Labels = npt.NDArray[np.int32]


class Estimator(Contract):
    """A private clustering of rows. Subclasses say how to fill their options and which call of the
    library runs them."""

    release_: Release
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]

    # what every subclass has among its parameters
    epsilon: Any
    delta: Any
    neighbors: Any
    unit_column: Any
    max_rows_per_person: Any
    ledger: Any
    schema: Any
    columns: Any
    insecure_test_seed: Any
    threads: Any
    memory: Any
    spill_dir: Any
    progress: Progress

    _family: str  # as the library's functions are called
    _counts = False  # whether rows are tables of counts

    # ---- for subclasses ----

    def _options(self) -> Any:
        """The options of the family, as its struct has them."""
        raise NotImplementedError

    def _described(self) -> Described:
        """What is said of the columns."""
        return Described(self.columns, self.unit_column)

    def _declare(self, call: Call, table: Table, said: Described, declared: bool) -> None:
        """Says what values are possible, where the family needs to know."""

    def _neighbors(self) -> str:
        return options.some_text("neighbors", self.neighbors)

    # ---- the run ----

    def fit(self: Self, X: Any, y: Any = None, *, units: Any = None,
            as_owner: bool = False) -> Self:
        """Cluster rows privately.

        Parameters
        ----------
        X : array, sparse matrix, data frame, path, list of paths or File
            The rows. They are not kept.
        y : ignored
        units : array of shape (rows,), optional
            Whose row it is: equal entries are rows of one person. Needs `max_rows_per_person`.
        as_owner : bool
            On a data set with a ledger: the owner runs it, which the ledger's history notes, and
            refusals then say where in the rows something is wrong.

        Returns
        -------
        self
        """
        self._fit(X, units, as_owner, None)
        return self

    def fit_predict(self, X: Any, y: Any = None, *, units: Any = None,
                    as_owner: bool = False) -> Labels:
        """`fit`, then `predict`, whose labels are exact: for the owner of the rows."""
        self._fit(X, units, as_owner, "predict")
        return self.predict(X, as_owner=as_owner)

    def _fit(self, X: Any, units: Any, as_owner: bool, then: Optional[str]) -> None:
        """then: what the owner is going to do, which must be allowed before anything is spent."""
        opts = self._options()
        with self._opened(X, units, as_owner, then) as (call, source, table, budget):
            if source.ledger is not None:
                budget.ledger = source.ledger
            run = getattr(lib, f"tacit_{self._family}_run")
            model = call.run_make("tacit_model", run, table.handle, budget, opts)
        self._keep(Release(model), table)

    @contextlib.contextmanager
    def _opened(self, X: Any, units: Any, as_owner: bool = False, then: Optional[str] = None,
                header_only: bool = False) -> Iterator[tuple[Call, Source, Table, Any]]:
        """Rows as the library has them, with their ledger, and the budget: all checked, nothing
        read and nothing spent."""
        unit_column = None if self.unit_column is None else options.some_text(
            "unit_column", self.unit_column)
        with self._call() as call, Source(call, X, self.ledger, self.schema) as source:
            if then is not None:
                source.check_owner(as_owner, then)
            declared = source.summary()
            budget = options.budget_of(
                self.epsilon, self.delta, declared.neighbors(self._neighbors()),
                declared.rows_per_person(self.max_rows_per_person), self.insecure_test_seed,
                as_owner, getattr(self, "bounds_share", None))
            self._check_persons(budget, units, unit_column or declared.unit_column)
            said = with_declaration(call, X, self._described(), source.declaration)
            table = open_table(call, X, said, units, source=source, counts=self._counts,
                               header_only=header_only)
            self._declare(call, table, said, declared.has_domain)
            yield call, source, table, budget

    def plan(self, X: Any, *, rows_about: float) -> Plan:
        """What this estimator would ask, and what would come of it: tried on made-up rows. Reads
        no row and spends nothing.

        Parameters
        ----------
        X : data set, int or list of str
            The rows, of which only names and types of columns count; or the columns alone, by
            their number or their names.
        rows_about : float
            Your guess of the number of rows; the data is not asked.
        """
        from tacitdp.planning import plan

        return plan(self, X, rows_about=rows_about)

    def _check_persons(self, budget: Any, units: Any, unit_column: Optional[str]) -> None:
        """Who is protected must be said once, and whole."""
        named = units is not None or unit_column is not None
        if named and budget.max_rows_per_unit == 0 and not self._counts:
            refuse("unit_column and units need max_rows_per_person: how many rows of each person "
                   "count")
        if budget.max_rows_per_unit > 0 and not named:
            refuse("max_rows_per_person needs unit_column, the column that names the person, or "
                   "units in fit")

    def _plain(self, X: Any, as_owner: bool, function: str, opts: Any) -> Release:
        """A plain solver on the rows: exact, so NOT private, as its release says."""
        with self._call() as call, Source(call, X, self.ledger, self.schema) as source:
            source.as_owner(as_owner, "a plain solver")
            said = with_declaration(call, X, self._described(), source.declaration)
            table = open_table(call, X, said, source=source, counts=self._counts)
            self._declare(call, table, said, source.summary().has_domain)
            return Release(call.run_make("tacit_model", getattr(lib, function), table.handle, opts))

    def _call(self) -> Call:
        memory = options.size("memory", self.memory)
        if self.spill_dir is not None and memory == 0:
            refuse("spill_dir says where rows go that are more than memory; give memory too, for "
                   "example memory=\"2G\"")
        return Call(options.whole("threads", self.threads, 0, 1024), self.progress, memory,
                    options.folder("spill_dir", self.spill_dir))

    def _keep(self, release: Release, table: Table) -> None:
        """Fitted attributes. None of them is read from rows: all come from the release."""
        self.release_ = release
        self.n_features_in_ = table.columns
        if table.names is not None:
            self.feature_names_in_ = np.array(table.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _released(self) -> Release:
        release: Optional[Release] = getattr(self, "release_", None)
        if release is None:
            raise not_fitted(f"This {type(self).__name__} instance is not fitted yet: call fit "
                             "with rows first")
        return release

    def _repr_html_(self) -> str:
        from tacitdp._show import estimator_page

        return estimator_page(self)

    # ---- for the owner of the rows ----

    def predict(self, X: Any, *, as_owner: bool = False) -> Labels:
        """The released cluster of every row: exact, so NOT private, for the owner of the rows.

        A row that lacks every value has -1.

        On a data set with a ledger it needs `as_owner=True`, which the ledger's history shows.
        """
        release = self._released()
        names = self._names_for(X)
        with self._call() as call, Source(call, X, self.ledger) as source:
            source.as_owner(as_owner, "predict")
            table = _owner.open_for(call, release, X, source, names)
            return _owner.labels_of(call, release, table)

    def _names_for(self, X: Any) -> Optional[list[str]]:
        """Names for an array, which has none: those of the rows that were fitted, by position."""
        width = width_of(X)
        if width is None:
            return None
        if width != self.n_features_in_:
            refuse(f"X has {width} features, but {type(self).__name__} is expecting "
                   f"{self.n_features_in_} features as input")
        names = getattr(self, "feature_names_in_", None)
        if names is None:
            return [f"c{i + 1}" for i in range(width)]
        warnings.warn(f"X does not have valid feature names, but {type(self).__name__} was fitted "
                      "with feature names", stacklevel=3)
        return [str(name) for name in names]


class Measured(Distances, Estimator):
    """Families that measure distances: k-means, k-median, subspaces."""

    bounds: options.Bounds
    radius: Any
    center: Any

    def _declare(self, call: Call, table: Table, said: Described, declared: bool) -> None:
        options.declare_domain(call, table.handle, said.bounds, said.radius, said.center,
                               said.categories is not None, declared)

    def transform(self, X: Any, *, as_owner: bool = False) -> Any:
        """Distances of every row to each released center or subspace, where the nearest is what
        `predict` says: exact, so NOT private, for the owner of the rows.

        Distances are those of the clustering: columns divided by their declared ranges, unless
        `scale` or `radius` says otherwise.
        """
        release = self._released()
        names = self._names_for(X)
        with self._call() as call, Source(call, X, self.ledger) as source:
            source.as_owner(as_owner, "transform")
            table = _owner.open_for(call, release, X, source, names)
            values = _owner.distances_of(call, release, table)
        return self._presented(values, X)

    def fit_transform(self, X: Any, y: Any = None, *, units: Any = None,
                      as_owner: bool = False) -> Any:
        """`fit`, then `transform`, whose distances are exact: for the owner of the rows."""
        self._fit(X, units, as_owner, "transform")
        return self.transform(X, as_owner=as_owner)

    def score(self, X: Any, y: Any = None, *, as_owner: bool = False) -> float:
        """Minus the mean cost of a row (k-means, subspaces: squared distance; k-median: distance):
        larger is better. Exact, so NOT private, for the owner of the rows."""
        release = self._released()
        names = self._names_for(X)
        with self._call() as call, Source(call, X, self.ledger) as source:
            source.as_owner(as_owner, "score")
            table = _owner.open_for(call, release, X, source, names)
            return -_owner.cost_of(call, release, table)
