# SPDX-License-Identifier: Apache-2.0
"""The estimators on a DataFrame of Spark. Rows stay on Spark's executors; this process asks bounded
queries, adds up the exact answers and adds noise once.

>>> from tacitdp.spark import KMeans
>>> km = KMeans(5, epsilon=1, delta=1e-6,
...             bounds={"age": (0, 110), "spend": (0, 5000)})
>>> km.fit(spark.table("customers")).cluster_centers_  # doctest: +SKIP

The same rows and the same noise give the same release as `tacitdp.KMeans` and the command, for
every number of partitions and executors. Parameters and attributes are those of the estimators of
these names in `tacitdp`.
"""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Optional, TypeVar

from tacitdp import _options as options
from tacitdp import cocluster, kmeans, subspace
from tacitdp._base import Estimator
from tacitdp._call import Call
from tacitdp._data import Table
from tacitdp._errors import refuse
from tacitdp._spark_engine import SparkRows, check_types, schema_of
from tacitdp._spark_session import check_closed, session_of

__all__ = ["CoClustering", "KMeans", "KMedians", "SubspaceClustering"]

Self = TypeVar("Self", bound="_OnSpark")


class _SparkCall(Call):
    """A call whose Ctrl-C ends the job of Spark too."""

    rows: Optional[SparkRows] = None

    def cancel(self) -> None:
        super().cancel()
        if self.rows is not None:
            self.rows.interrupt()


class _OnSpark(Estimator):
    """An estimator whose rows are a DataFrame of Spark."""

    def fit(self: Self, X: Any, y: Any = None, *, units: Any = None, as_owner: bool = False,
            allow_plaintext: bool = False) -> Self:
        """Cluster rows privately.

        Parameters
        ----------
        X : pyspark.sql.DataFrame
            The rows, of Spark's own classes or over Spark Connect. The columns in use are
            persisted while the run lasts.
        y : ignored
        units : None
            Whose row it is says `unit_column`.
        as_owner : bool
            On a data set with a ledger: the owner runs it, which the ledger's history notes, and
            refusals then say where in the rows something is wrong.
        allow_plaintext : bool
            Run on a session that does not encrypt its disks and its network.

        Returns
        -------
        self
        """
        session = session_of(X)
        if units is not None:
            refuse("units are for rows in memory; of a DataFrame of Spark, name its unit_column")
        if not options.flag("allow_plaintext", allow_plaintext):
            check_closed(session)
        self._fit(X, None, as_owner, None)
        return self

    @contextlib.contextmanager
    def _opened(self, X: Any, units: Any, as_owner: bool = False, then: Optional[str] = None,
                header_only: bool = False) -> Iterator[tuple[Call, Any, Table, Any]]:
        session = session_of(X)
        head = schema_of(X).empty_table()
        with super()._opened(head, units, as_owner, then, header_only) as opened:
            call, source, table, budget = opened
            if header_only:
                yield opened
                return
            unit = self.unit_column or source.summary().unit_column
            if unit is not None and unit not in X.columns:  # a number, which the library has taken
                unit = X.columns[int(unit) - 1]
            used = table.used() + ([unit] if unit is not None else [])
            check_types(X, used)
            rows = SparkRows(X, session, used, unit is not None)
            rows.try_workers()
            table.keep(rows.attach(call, table.handle))
            assert isinstance(call, _SparkCall)
            call.rows = rows
            try:
                yield opened
            except Exception as error:
                if rows.failed is None or (source.ledger is not None and not as_owner):
                    raise
                raise error from rows.failed  # no ledger: Spark's own words help

    def _call(self) -> Call:
        if self.memory is not None or self.spill_dir is not None:
            refuse("memory and spill_dir are for rows in this process; on Spark the executors hold "
                   "them, as spark.executor.memory and spark.local.dir say")
        return _SparkCall(options.whole("threads", self.threads, 0, 1024), self.progress)

    def _not_here(self, what: str) -> Any:
        refuse(f"{what} answers exactly, for the owner of the rows, and is not done on Spark: "
               "release_.predict labels rows where they are, as docs/spark.md shows")

    def _plain(self, X: Any, as_owner: bool, function: str, opts: Any) -> Any:
        self._not_here("a plain solver")

    def fit_predict(self, X: Any, y: Any = None, **more: Any) -> Any:
        """Not on Spark."""
        self._not_here("fit_predict")

    def predict(self, X: Any, **more: Any) -> Any:
        """Not on Spark: labels are exact, for the owner of the rows."""
        self._not_here("predict")


class _MeasuredOnSpark(_OnSpark):
    def transform(self, X: Any, **more: Any) -> Any:
        """Not on Spark."""
        self._not_here("transform")

    def fit_transform(self, X: Any, y: Any = None, **more: Any) -> Any:
        """Not on Spark."""
        self._not_here("fit_transform")

    def score(self, X: Any, y: Any = None, **more: Any) -> Any:
        """Not on Spark."""
        self._not_here("score")


class KMeans(_MeasuredOnSpark, kmeans.KMeans):
    """Differentially private k-means on Spark; parameters are those of `tacitdp.KMeans`."""


class KMedians(_MeasuredOnSpark, kmeans.KMedians):
    """Differentially private k-median on Spark; parameters are those of `tacitdp.KMedians`."""


class SubspaceClustering(_MeasuredOnSpark, subspace.SubspaceClustering):
    """Differentially private subspace clustering on Spark; parameters are those of
    `tacitdp.SubspaceClustering`."""


class CoClustering(_OnSpark, cocluster.CoClustering):
    """Differentially private co-clustering of a table of counts on Spark, where rows or persons are
    protected; parameters are those of `tacitdp.CoClustering`."""
