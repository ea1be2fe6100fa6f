# SPDX-License-Identifier: Apache-2.0
"""What a budget will buy: the queries of a run, and what came of it on made-up rows. No row is read
and nothing is spent."""

from __future__ import annotations

import csv
import dataclasses
import math
import numbers
import tempfile
import textwrap
from contextlib import contextmanager
from typing import Any, Iterator, Optional, Sequence

from tacitdp import _html
from tacitdp import _options as options
from tacitdp._base import Estimator
from tacitdp._errors import refuse, refuse_type
from tacitdp._library import lib, started, text_of
from tacitdp.cocluster import CoClustering
from tacitdp.files import File
from tacitdp.kmeans import KMeans, KMedians
from tacitdp.subspace import SubspaceClustering

FAMILIES = {"kmeans": KMeans, "kmedian": KMedians, "subspace": SubspaceClustering,
            "cocluster": CoClustering}


@dataclasses.dataclass(frozen=True)
class Step:
    """A query of the run: how often, for which share of the budget, and the noise in its answer, as
    so many rows or counts could do to it, or in radii of the domain."""

    what: str
    noise: str
    times: int
    share: float
    error: float
    error_of: str


@dataclasses.dataclass(frozen=True)
class Forecast:
    """What came of the plan on one kind of made-up rows: the median of some trials, and their
    range. `cost` is over that of the plain solver, `kept` the part of what that gains."""

    rows: str
    trials: int
    cost: float
    cost_least: float
    cost_most: float
    trivial: float
    kept: float
    kept_least: float
    kept_most: float
    lost: float
    verdict: str


@dataclasses.dataclass(frozen=True, repr=False)
class Plan:
    """What a run would ask and what would come of it.

    `verdict` is usable, rough, useless or unknown; `least_epsilon` the smallest epsilon of a few
    that would be usable, inf if none of them is; `sizes_error` the noise of a released size, in
    rows; `centers_error` that of a center, as a part of its range.
    """

    family: str
    epsilon: float
    delta: float
    rows_about: float
    verdict: str
    least_epsilon: float
    advice: str
    sizes_error: float
    centers_error: float
    steps: list[Step]
    forecasts: list[Forecast]

    def to_frame(self, what: str = "steps") -> Any:
        """The steps, or with ``"forecasts"`` what came of them, as a pandas DataFrame."""
        import pandas

        options.one_of("what", what, ("steps", "forecasts"))
        kind: Any = Step if what == "steps" else Forecast
        lines: Sequence[Any] = self.steps if what == "steps" else self.forecasts
        return pandas.DataFrame([dataclasses.asdict(line) for line in lines],
                                columns=[field.name for field in dataclasses.fields(kind)])

    def __repr__(self) -> str:
        least = ("" if math.isnan(self.least_epsilon) else "; no epsilon up to 20 would do"
                 if math.isinf(self.least_epsilon) else f"; epsilon {self.least_epsilon:g} would "
                 "do")
        return (f"<Plan {self.family}, epsilon={self.epsilon:g}, delta={self.delta:g}, about "
                f"{self.rows_about:,.0f} rows: {self.verdict}{least}>")

    def _steps(self) -> list[list[str]]:
        return [[step.what, str(step.times), f"{100 * step.share:.1f} %",
                 "-" if math.isnan(step.error) else f"{step.error:.4g} {step.error_of}".strip()]
                for step in self.steps]

    def _forecasts(self) -> list[list[str]]:
        return [[one.rows, _range(one.cost, one.cost_least, one.cost_most),
                 _range(one.kept, one.kept_least, one.kept_most),
                 "-" if math.isnan(one.lost) else f"{100 * one.lost:.0f} %", one.verdict]
                for one in self.forecasts]

    def __str__(self) -> str:
        parts = [repr(self), "", _columns(["query", "times", "budget", "expected error"],
                                          self._steps())]
        if self.forecasts:
            parts += ["", _columns(TRIED, self._forecasts())]
        if self.advice:
            parts += ["", textwrap.fill(self.advice, 96)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        parts = [_html.paragraph(self.advice)]
        if self.forecasts:
            parts.append(_html.table(TRIED, self._forecasts()))
        parts.append(_html.table(["query", "times", "budget", "expected error"], self._steps()))
        return _html.page(repr(self)[1:-1], parts)


TRIED = ["tried on made-up rows", "cost / plain", "gain kept", "a group is lost", "verdict"]


def _range(middle: float, least: float, most: float) -> str:
    return "-" if math.isnan(middle) else f"{middle:.2f} ({least:.2f} to {most:.2f})"


def _columns(heads: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                     for row in [heads, *rows])


def plan(family: Any, X: Any, *, rows_about: Any = None, **params: Any) -> Plan:
    """What a private run would ask, and what would come of it on made-up rows.

    Parameters
    ----------
    family : estimator or str
        An estimator, or "kmeans", "kmedian", "subspace" or "cocluster" with its parameters.
    X : data set, int or list of str
        The rows, of which only names and types of columns count; or the columns alone, by their
        number or their names.
    rows_about : float
        Your guess of the number of rows; the data is not asked.
    **params
        Of the estimator, where a family is named.

    Examples
    --------
    >>> import tacitdp as td
    >>> plan = td.plan("kmeans", 2, rows_about=20000, n_clusters=3, epsilon=1, delta=1e-6,
    ...                bounds=(0, 1))
    >>> plan.verdict
    'usable'
    """
    estimator = _estimator(family, params)
    if rows_about is None:
        refuse("rows_about is missing: how many rows there are, as you guess; the data is not "
               "asked")
    rows = options.number("rows_about", rows_about)
    opts = estimator._options()
    with _table_of(X) as table_like, \
            estimator._opened(table_like, None, header_only=True) as (call, source, table, budget):
        made = call.make("tacit_plan", getattr(lib, f"tacit_{estimator._family}_plan"),
                         table.handle, budget, opts, rows)
        call.run(lib.tacit_plan_try, table.handle, made)
        return _read(estimator._family, budget, rows, made)


def _estimator(family: Any, params: dict[str, Any]) -> Estimator:
    if isinstance(family, Estimator):
        if params:
            refuse("an estimator has its parameters already; leave out " + ", ".join(params))
        return family
    if not isinstance(family, str):
        refuse_type("family must be an estimator or the name of a family, not "
                    + options.kind_of(family))
    if family not in FAMILIES:
        refuse(f"family={family!r} is not known; it is one of {', '.join(FAMILIES)}")
    made: Estimator = FAMILIES[family](**params)
    return made


@contextmanager
def _table_of(X: Any) -> Iterator[Any]:
    """What to open: the rows, or for columns alone a table that has nothing else."""
    names: Optional[list[str]] = None
    if isinstance(X, numbers.Integral) and not isinstance(X, bool):
        names = [f"c{i + 1}" for i in range(options.whole("X", X, 1, 1000000))]
    elif isinstance(X, (list, tuple)) and X and all(isinstance(one, str) for one in X):
        names = list(X)
    if names is None:
        yield X
        return
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(names)
        file.flush()
        yield File(file.name, format="csv")


def _read(family: str, budget: Any, rows: float, made: Any) -> Plan:
    steps, forecasts = [], []
    for i in range(lib.tacit_plan_step_count(made)):
        s = started("tacit_plan_step")
        lib.tacit_plan_step_get(made, i, s)
        steps.append(Step(text_of(s.what), text_of(s.noise), s.times, s.share, s.error,
                          text_of(s.error_of)))
    for i in range(lib.tacit_plan_forecast_count(made)):
        f = started("tacit_forecast")
        lib.tacit_plan_forecast_get(made, i, f)
        forecasts.append(Forecast(text_of(f.rows), f.trials, f.cost, f.cost_least, f.cost_most,
                                  f.trivial, f.kept, f.kept_least, f.kept_most, f.lost,
                                  text_of(lib.tacit_verdict_name(f.verdict))))
    return Plan(family, budget.epsilon, budget.delta, rows,
                text_of(lib.tacit_verdict_name(lib.tacit_plan_verdict(made))),
                float(lib.tacit_plan_least_epsilon(made)), text_of(lib.tacit_plan_advice(made)),
                float(lib.tacit_plan_sizes_sd(made)), float(lib.tacit_plan_centers_sd(made)),
                steps, forecasts)
