# SPDX-License-Identifier: Apache-2.0
"""What follows from releases alone: another k, synthetic rows, what changed. No row is looked at
and nothing is spent."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Iterable, Optional

import numpy as np
import numpy.typing as npt

from tacitdp import _html
from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._errors import refuse, refuse_type
from tacitdp._library import ffi, lib, started
from tacitdp._owner import taken
from tacitdp.release import Feature, Release, plain

LABEL = "synthetic"  # the column that says so, as the command calls it


def released(release: Any) -> Release:
    """A release, or that of a fitted estimator."""
    if isinstance(release, Release):
        return release
    if hasattr(release, "_released"):
        found: Release = release._released()
        return found
    return refuse_type("release must be a Release or a fitted estimator, not "  # type: ignore
                       + options.kind_of(release) + "; tacitdp.load reads a file")


def recut(release: Any, k: int, *, median: bool = False) -> Release:
    """A release of k-means or k-median in another number of clusters.

    It is made from the noisy cells that the release holds. Nothing more is spent, and the privacy
    card is the same.

    Parameters
    ----------
    release : Release or fitted estimator
        Of k-means or k-median.
    k : int
        At most as many as it has `cells`.
    median : bool
        Keep distances small, not their squares.

    Examples
    --------
    >>> import tacitdp as td
    >>> X, _ = td.make_mixture(20000)
    >>> km = td.KMeans(5, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(X)
    >>> td.recut(km, 3).k
    3
    """
    model = released(release)._model
    with Call() as call:
        return Release(call.run_make("tacit_model", lib.tacit_model_recut, model,
                                     options.whole("k", k, 1, 1000000),
                                     options.flag("median", median)))


def synthesize(release: Any, rows: int, *, seed: int = 1, whole: Iterable[str] = (),
               label: bool = True) -> Any:
    """Synthetic rows from a release of k-means or k-median: as private as it is.

    Columns have their names, units and bounds; categories are texts and dates are dates.

    Parameters
    ----------
    release : Release or fitted estimator
        Of k-means or k-median.
    rows : int
        How many.
    seed : int
        The same seed gives the same rows.
    whole : list of str
        Columns of whole numbers, to be rounded.
    label : bool
        Add a last column, ``synthetic``, which is True, so that nobody takes the rows for real
        ones.

    Returns
    -------
    pandas.DataFrame, or a structured array where pandas is not installed

    Examples
    --------
    >>> import tacitdp as td
    >>> X, _ = td.make_mixture(20000)
    >>> km = td.KMeans(5, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(X)
    >>> td.synthesize(km, 4).shape
    (4, 3)
    """
    source = released(release)
    count = options.whole("rows", rows, 1, 2**40)
    features = source.features
    rounded = _whole(whole, features)
    if options.flag("label", label) and any(f.name == LABEL for f in features):
        refuse(f"the release has a column called {LABEL}, which is what the label of synthetic "
               "rows is called; leave the label out with label=False")
    out = ffi.new("double **")
    with Call() as call:
        call.run(lib.tacit_model_synthesize, source._model, count,
                 options.whole("seed", seed, 0, 2**64 - 1), out)
    values = taken(out[0], count * len(features), np.float64).reshape(count, len(features))
    names = source.columns
    made = {f.name: _column(values[:, i], f, names, f.name in rounded)
            for i, f in enumerate(features)}
    if label:
        made[LABEL] = np.ones(count, dtype=bool)
    return _frame(made, count)


def _whole(whole: Iterable[str], features: list[Feature]) -> set[str]:
    wanted = {whole} if isinstance(whole, str) else set(whole)
    numbers = {f.name for f in features if f.kind == "number"}
    for name in sorted(wanted, key=str):
        if name not in numbers:
            refuse(f"whole names {plain(str(name))!r}, which is no column of numbers in the "
                   "release; dates and categories are whole by themselves")
    return wanted


def _column(values: npt.NDArray[np.float64], feature: Feature, names: list[str],
            rounded: bool) -> npt.NDArray[Any]:
    """One column in the form that tables have it."""
    if feature.kind == "category":
        words = np.array([_word(names[feature.first + i], feature.name)
                          for i in range(feature.width)], dtype=object)
        return words[values.astype(np.int64)]
    if feature.kind == "date":
        return np.floor(values).astype("int64").astype("datetime64[D]")
    if rounded:
        return np.floor(values + 0.5).astype(np.int64)
    return np.array(values)


def _word(column: str, feature: str) -> Optional[str]:
    """"region=north" -> "north"; a missing value is None."""
    word = column[len(feature) + 1:]
    return None if word == "(missing)" else word


def _frame(made: dict[str, npt.NDArray[Any]], count: int) -> Any:
    try:
        import pandas
    except ImportError:
        kinds = [(name, column.dtype) for name, column in made.items()]
        array = np.empty(count, dtype=kinds)
        for name, column in made.items():
            array[name] = column
        return array
    frame = pandas.DataFrame({name: column.astype("datetime64[s]")
                              if column.dtype.kind == "M" else column
                              for name, column in made.items()})
    frame.attrs[LABEL] = True
    return frame


@dataclasses.dataclass(frozen=True)
class Pair:
    """Clusters that belong together; None: without a partner."""

    first: Optional[int]
    second: Optional[int]
    first_size: float
    second_size: float
    size_z: float
    distance: float


@dataclasses.dataclass(frozen=True)
class Change:
    """A number of a pair that differs by more than the threshold; column None: its size."""

    pair: int
    column: Optional[str]
    before: float
    after: float
    z: float


@dataclasses.dataclass(frozen=True, repr=False)
class Comparison:
    """Two releases side by side: which cluster is which, and what changed beyond the noise.

    Of `numbers` that were compared those count as changed whose |z| is above `threshold`. For the
    same rows, divided in the same way, 95 of 100 comparisons show no change.
    """

    pairs: list[Pair]
    changes: list[Change]
    numbers: int
    threshold: float

    def to_frame(self) -> Any:
        """The changes as a pandas DataFrame."""
        import pandas

        return pandas.DataFrame(
            [dict(first=self.pairs[c.pair].first, second=self.pairs[c.pair].second,
                  column="size" if c.column is None else plain(c.column), before=c.before,
                  after=c.after, z=c.z) for c in self.changes],
            columns=["first", "second", "column", "before", "after", "z"])

    def __repr__(self) -> str:
        return (f"<Comparison {len(self.pairs)} pairs, {len(self.changes)} of {self.numbers} "
                "numbers changed beyond the noise>")

    def _rows(self) -> list[list[str]]:
        rows = []
        for at, pair in enumerate(self.pairs):
            changed = [f"{'size' if c.column is None else plain(c.column)} {c.before:.4g} → "
                       f"{c.after:.4g} (z {c.z:+.1f})" for c in self.changes if c.pair == at]
            alone = pair.first is None or pair.second is None
            rows.append([_number(pair.first), _number(pair.second), _count(pair.first_size),
                         _count(pair.second_size),
                         "; ".join(changed) or ("no partner" if alone else "nothing")])
        return rows

    def __str__(self) -> str:
        heads = ["first", "second", "size", "size", "changed beyond the noise"]
        rows = [heads, *self._rows()]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        return "\n".join(["  ".join([*(cell.rjust(width) for cell, width in zip(row, widths)),
                                     row[4]]) for row in rows])

    def _repr_html_(self) -> str:
        return _html.page(
            f"{len(self.changes)} of {self.numbers} numbers changed beyond the noise",
            [_html.table(["first", "second", "size", "size", "changed"], self._rows()),
             _html.paragraph(f"Changed: by more than {self.threshold:.2f} standard deviations of "
                             "the noise of both. Of the same rows, divided in the same way, 95 of "
                             "100 comparisons show no change.")])


def _number(cluster: Optional[int]) -> str:
    return "-" if cluster is None else str(cluster)


def _count(size: float) -> str:
    return "?" if math.isnan(size) else f"{size:.0f}"


def compare(first: Any, second: Any) -> Comparison:
    """Two releases of k-means or of k-median with the same columns and bounds.

    Parameters
    ----------
    first, second : Release or fitted estimator
        `k` may differ.

    Examples
    --------
    >>> import tacitdp as td
    >>> X, _ = td.make_mixture(20000)
    >>> km = td.KMeans(5, epsilon=1, delta=1e-6, bounds=(0, 1))
    >>> len(td.compare(km.fit(X).release_, km.fit(X).release_).pairs)
    5
    """
    one, other = released(first), released(second)
    names = one.columns
    with Call() as call:
        handle = call.run_make("tacit_comparison", lib.tacit_model_compare, one._model,
                               other._model)
        pairs, changes = [], []
        for i in range(lib.tacit_comparison_pair_count(handle)):
            p = started("tacit_pair")
            call.check(lib.tacit_comparison_pair_get(handle, i, p))
            pairs.append(Pair(p.first if p.first >= 0 else None,
                              p.second if p.second >= 0 else None, p.first_size, p.second_size,
                              p.size_z, p.distance))
        for i in range(lib.tacit_comparison_change_count(handle)):
            c = started("tacit_change")
            call.check(lib.tacit_comparison_change_get(handle, i, c))
            changes.append(Change(c.pair, names[c.column] if c.column >= 0 else None, c.before,
                                  c.after, c.z))
        return Comparison(pairs, changes, int(lib.tacit_comparison_numbers(handle)),
                          float(lib.tacit_comparison_threshold(handle)))
