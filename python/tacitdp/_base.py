# SPDX-License-Identifier: Apache-2.0
"""What all estimators share: scikit-learn's contract, without scikit-learn, and one private run."""

from __future__ import annotations

import inspect
from typing import Any, Optional, TypeVar

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._call import Call, Progress
from tacitdp._data import Described, Table, open_table
from tacitdp._errors import refuse
from tacitdp._library import lib
from tacitdp._source import Source
from tacitdp.release import Release

Self = TypeVar("Self", bound="Estimator")
Labels = npt.NDArray[np.int32]


class NotFittedError(ValueError, AttributeError):
    """An estimator that was not fitted has nothing to show."""


class Params:
    """Parameters are the arguments of __init__, kept as they were given: what clone needs."""

    @classmethod
    def _param_names(cls) -> list[str]:
        return [name for name in inspect.signature(cls).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, as `clone` and grid searches want them."""
        return {name: getattr(self, name) for name in sorted(self._param_names())}

    def set_params(self: Self, **params: Any) -> Self:
        """Sets parameters by name."""
        names = self._param_names()
        for name, value in params.items():
            if name not in names:
                refuse(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                       f"{sorted(names)!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        said = [f"{name}={getattr(self, name)!r}" for name in self._param_names()
                if hasattr(self, name) and not _same(getattr(self, name), defaults[name].default)]
        return f"{type(self).__name__}({', '.join(said)})"


def _same(value: Any, default: Any) -> bool:
    return value is default or (isinstance(value, (int, float, str)) and value == default)


class Estimator(Params):
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
    progress: Progress

    def _run(self, call: Call, table: Table, budget: Any) -> Any:
        """The private run; gives the model."""
        raise NotImplementedError

    def _described(self, declaration: Any) -> Described:
        return Described(columns=self.columns, unit_column=self.unit_column,
                         declaration=declaration)

    def _declare(self, call: Call, table: Table, declared: bool) -> None:
        """Says what values are possible, where the family needs to know."""

    def _neighbors(self) -> str:
        return options.some_text("neighbors", self.neighbors)

    def _budget(self, as_owner: bool) -> Any:
        return options.budget_of(self.epsilon, self.delta, self._neighbors(),
                                 self.max_rows_per_person, self.insecure_test_seed, as_owner,
                                 getattr(self, "bounds_share", None))

    def fit(self: Self, X: Any, y: Any = None, *, units: Any = None,
            as_owner: bool = False) -> Self:
        """Clusters rows privately.

        Parameters
        ----------
        X : array, sparse matrix, data frame or path
            The rows. They are not kept.
        y : ignored
        units : array of shape (rows,), optional
            Whose row it is: equal entries are rows of one person. Needs `max_rows_per_person`.
        as_owner : bool
            On a data set with a ledger: the owner runs it, which the ledger's history notes, and
            refusals then say where in the rows something is wrong.
        """
        release, table = self._fit(X, units, as_owner)
        self._keep(release, table)
        return self

    def _fit(self, X: Any, units: Any, as_owner: bool) -> tuple[Release, Table]:
        budget = self._budget(as_owner)
        threads = options.whole("threads", self.threads, 0, 1024)
        with Call(threads, self.progress) as call, \
                Source(call, X, self.ledger, self.schema) as source:
            table = open_table(call, X, self._described(source.declaration), units)
            self._declare(call, table, source.declaration is not None)
            if source.ledger is not None:
                budget.ledger = source.ledger
            return Release(self._run(call, table, budget)), table

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
            raise _not_fitted(f"This {type(self).__name__} instance is not fitted yet: call fit "
                              "with rows first")
        return release

    def fit_predict(self, X: Any, y: Any = None, *, units: Any = None,
                    as_owner: bool = False) -> Labels:
        """`fit`, then `predict`, whose labels are exact: for the owner of the rows."""
        return self.fit(X, y, units=units, as_owner=as_owner).predict(X, as_owner=as_owner)

    def predict(self, X: Any, *, as_owner: bool = False) -> Labels:
        """The released cluster of every row: exact, so NOT private, for the owner of the rows.

        On a data set with a ledger it needs `as_owner=True`, which the ledger's history shows.
        """
        from tacitdp._owner import predict

        return predict(self._released(), X, ledger=self.ledger, as_owner=as_owner,
                       threads=self.threads, progress=self.progress)


def _not_fitted(sentence: str) -> Exception:
    """scikit-learn's own exception where it is in use, since its callers catch that."""
    import sys

    if "sklearn.exceptions" in sys.modules:
        kind: Any = sys.modules["sklearn.exceptions"].NotFittedError
        error: Exception = kind(sentence)
        return error
    return NotFittedError(sentence)


def centers_domain(estimator: Any, call: Call, table: Table, declared: bool) -> None:
    """bounds, radius and center of an estimator."""
    options.declare_domain(call, table.handle, estimator.bounds, estimator.radius,
                           estimator.center, getattr(estimator, "categories", None) is not None,
                           declared)


def run_model(call: Call, function: str, table: Table, budget: Any, opts: Any) -> Any:
    """A private run of the library."""
    return call.run_make("tacit_model", getattr(lib, function), table.handle, budget, opts)
