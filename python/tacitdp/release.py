# SPDX-License-Identifier: Apache-2.0
"""A release: what may leave. Centers, sizes, subspaces or blocks, the noise in each number, and the
privacy card. It holds no row and may be passed on."""

from __future__ import annotations

import math
import os
from typing import Any, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from tacitdp._call import Call, Progress
from tacitdp._errors import refuse, refuse_type
from tacitdp._library import ffi, lib, started, text_of

Floats = npt.NDArray[np.float64]
_NEIGHBORS = ("add-remove", "replace", "entry")
_MISSING = ("default", "drop-row", "reject-file", "midpoint", "fill", "own-category")


class Card(NamedTuple):
    """The privacy card: what is promised, to whom, and what it rests on."""

    epsilon: float
    delta: float
    neighbors: str
    unit: Optional[str]
    max_rows_per_person: int
    definition: Optional[str]
    parameter: Optional[str]
    budget: float
    spent: float
    in_ledger: bool
    randomness: str
    paper: str
    version: str
    ledger_run: Optional[str]


class Query(NamedTuple):
    """One query that was asked of the rows, and the noise in its answer."""

    kind: str
    what: str
    distribution: str
    scale: float
    sensitivity: float
    share: float
    answers: int
    batch: int


class Feature(NamedTuple):
    """A column of the table, and which columns of the release are its."""

    name: str
    kind: str
    transform: str
    centers_are: str
    weight: float
    missing: str
    first: int
    width: int


class KChoice(NamedTuple):
    """How sure a number of clusters is that was chosen."""

    verdict: str
    strength: float
    needed: float
    low: int
    high: int
    best: int


class Domain(NamedTuple):
    """What was declared about the values, and how distances were measured."""

    lower: Optional[Floats]
    upper: Optional[Floats]
    center: Optional[Floats]
    radius: float
    scale: str
    missing: str


class Distinct(NamedTuple):
    """A column in which a cluster is unlike all rows."""

    column: str
    direction: int
    strength: float


class Overall(NamedTuple):
    """All rows together, from the clusters."""

    mean: Optional[Floats]
    mean_error: Optional[Floats]
    spread: Optional[Floats]
    spread_error: Optional[Floats]


def _optional(pointer: Any) -> Optional[str]:
    return None if pointer == ffi.NULL else text_of(pointer)


class Release:
    """What a private run may give away. Made by `fit`, or read by `tacitdp.load`.

    Names of columns and notes are whatever the maker of a file wrote; `print(release)` shows them
    with unseen marks replaced.
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    # ---- in and out ----

    @classmethod
    def from_json(cls, text: str) -> Release:
        """The release that `to_json` wrote."""
        if not isinstance(text, str):
            refuse_type("a release is read from JSON text; for a file use tacitdp.load")
        if "\0" in text:
            refuse("the release holds a NUL character, so it is not JSON as tacit wrote it")
        with Call() as call:
            return cls(call.make("tacit_model", lib.tacit_model_parse, text.encode()))

    def to_json(self) -> str:
        """The release as the command writes it, byte for byte."""
        with Call() as call:
            return call.make_text(lib.tacit_model_json, self._model)

    def to_html(self) -> str:
        """The release as a page for people, as `tacit report` writes it: one whole HTML file with a
        slider for other numbers of groups, which fetches nothing. Write it to a file and open it in
        a browser."""
        with Call() as call:
            return call.make_text(lib.tacit_model_html, self._model)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the release: complete or not at all."""
        with Call() as call:
            call.do(lib.tacit_model_write, self._model, _path(path))

    def __reduce__(self) -> Any:
        return (_from_json, (self.to_json(),))

    def __copy__(self) -> Release:
        return self  # nothing changes one

    def __deepcopy__(self, memo: Any) -> Release:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Release) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    # ---- what it is ----

    @property
    def family(self) -> str:
        """"kmeans", "kmedian", "subspace" or "cocluster"."""
        return text_of(lib.tacit_model_family(self._model))

    @property
    def method(self) -> str:
        """The method that made it."""
        return text_of(lib.tacit_model_method(self._model))

    @property
    def rounds(self) -> int:
        """Rounds of the method; 0: it has none."""
        return int(lib.tacit_model_rounds(self._model))

    @property
    def k(self) -> int:
        """Number of centers, subspaces or row clusters."""
        return int(lib.tacit_model_k(self._model))

    @property
    def columns(self) -> list[str]:
        """Columns of the release: those of the table, and one for each category."""
        return [text_of(lib.tacit_model_column_get(self._model, i))
                for i in range(lib.tacit_model_column_count(self._model))]

    @property
    def features(self) -> list[Feature]:
        """Columns of the table that the release was made from."""
        out = []
        for i in range(lib.tacit_model_feature_count(self._model)):
            f = started("tacit_feature")
            _must(lib.tacit_model_feature_get(self._model, i, f))
            out.append(Feature(text_of(f.name), text_of(f.kind), text_of(f.transform),
                               text_of(f.centers_are), f.weight, _MISSING[f.missing], f.first,
                               f.width))
        return out

    # ---- centers ----

    @property
    def centers(self) -> Optional[Floats]:
        """k x columns, in the units of the columns; None for subspaces and co-clusterings."""
        return self._matrix(lib.tacit_model_centers(self._model))

    @property
    def centers_error(self) -> Optional[Floats]:
        """The standard deviation that privacy noise gives each of `centers`; NaN: not known."""
        return self._matrix(lib.tacit_model_centers_sd(self._model))

    @property
    def sizes(self) -> Optional[Floats]:
        """Noisy numbers of rows; may be negative; NaN: not known."""
        return _numbers(lib.tacit_model_sizes(self._model), self.k)

    @property
    def sizes_error(self) -> float:
        """The standard deviation of the noise in each of `sizes`; NaN: not known."""
        return float(lib.tacit_model_sizes_sd(self._model))

    @property
    def spreads(self) -> Optional[Floats]:
        """k x columns: how much the rows of a cluster differ, one standard deviation; NaN: noise
        drowns it. Of a column with a transform it is that of the transformed values times the
        slope at the center: about how far rows reach near it."""
        return self._matrix(lib.tacit_model_spreads(self._model))

    @property
    def spreads_error(self) -> Optional[Floats]:
        """The standard deviation that privacy noise gives each of `spreads`."""
        return self._matrix(lib.tacit_model_spreads_sd(self._model))

    @property
    def overall(self) -> Overall:
        """Mean and spread of all rows together, from the clusters; behind a transform the spread
        is as `spreads`, with the slope at the mean."""
        out = started("tacit_overall")
        _must(lib.tacit_model_overall(self._model, out))
        width = len(self.columns)
        return Overall(*(_numbers(p, width) for p in
                         (out.mean, out.mean_sd, out.spread, out.spread_sd)))

    def distinct(self, cluster: int) -> list[Distinct]:
        """Columns that set a cluster apart from all rows, the clearest first."""
        names = self.columns
        out = []
        for i in range(lib.tacit_model_distinct_count(self._model, cluster)):
            d = started("tacit_distinct")
            _must(lib.tacit_model_distinct_get(self._model, cluster, i, d))
            out.append(Distinct(names[d.column], d.direction, d.strength))
        return out

    @property
    def share_at_bounds(self) -> float:
        """Share of the centers' coordinates on a declared bound: much of it means that the bounds
        do not fit the rows."""
        return float(lib.tacit_model_share_at_bounds(self._model))

    @property
    def curve(self) -> Optional[Floats]:
        """Where k was chosen: how clear k = 1, 2, ... groups are; else None."""
        count = ffi.new("int32_t *")
        pointer = lib.tacit_model_curve(self._model, count)
        return _numbers(pointer, count[0])

    @property
    def k_choice(self) -> Optional[KChoice]:
        """Where k was chosen: how sure it is; else None."""
        out = started("tacit_k_choice")
        if lib.tacit_model_k_choice(self._model, out) != 0:
            return None
        verdict = ("given", "clear", "weak", "none", "noisy")[out.verdict]
        return KChoice(verdict, out.strength, out.needed, out.low, out.high, out.best)

    @property
    def cells(self) -> int:
        """Noisy cells that it holds: the most clusters it can be cut into; 0: none."""
        return int(lib.tacit_model_cells(self._model))

    @property
    def cut_from(self) -> Optional[int]:
        """What it was cut from: its k; None: it was not."""
        return int(lib.tacit_model_cut_from(self._model)) or None

    # ---- subspaces ----

    @property
    def q(self) -> Optional[int]:
        """Dimension of the subspaces."""
        return int(lib.tacit_model_q(self._model)) or None

    @property
    def subspaces(self) -> Optional[Floats]:
        """k x columns x q: orthonormal bases in the clustered geometry."""
        return self._array(lib.tacit_model_subspaces(self._model),
                           (self.k, len(self.columns), self.q or 0))

    @property
    def offsets(self) -> Optional[Floats]:
        """k x columns: a point of each affine subspace; None: linear."""
        return self._matrix(lib.tacit_model_offsets(self._model))

    @property
    def profile(self) -> Optional[Floats]:
        """k x q: root mean square of the rows along each direction, noisy."""
        return self._array(lib.tacit_model_profile(self._model), (self.k, self.q or 0))

    @property
    def labels(self) -> Optional[npt.NDArray[np.int32]]:
        """Labels that are part of the release (gibbs, row labels of entries); else None."""
        rows = ffi.new("int64_t *")
        pointer = lib.tacit_model_labels(self._model, rows)
        return _integers(pointer, rows[0])

    # ---- co-clusterings ----

    @property
    def l(self) -> Optional[int]:  # noqa: E743
        """Number of column clusters."""
        return int(lib.tacit_model_l(self._model)) or None

    @property
    def requested(self) -> Optional[tuple[int, int]]:
        """Row and column clusters that were asked for, or chosen."""
        rows, columns = ffi.new("int32_t *"), ffi.new("int32_t *")
        lib.tacit_model_requested(self._model, rows, columns)
        return (rows[0], columns[0]) if self.l else None

    @property
    def column_clusters(self) -> Optional[npt.NDArray[np.int32]]:
        """Cluster of every column; `l` stands for "rest", too rare or uncertain to place."""
        return _integers(lib.tacit_model_column_clusters(self._model), len(self.columns))

    @property
    def column_z(self) -> Optional[Floats]:
        """Margin of every column's cluster in standard deviations of the noise."""
        return _numbers(lib.tacit_model_column_z(self._model), len(self.columns))

    @property
    def table(self) -> Optional[Floats]:
        """The noisy contingency table; a last column beyond `l` is "rest"."""
        width = ffi.new("int32_t *")
        pointer = lib.tacit_model_table(self._model, width)
        return self._array(pointer, (self.k, width[0]))

    @property
    def table_error(self) -> float:
        """The standard deviation of the noise in each number of `table`."""
        return float(lib.tacit_model_table_sd(self._model))

    @property
    def table_unit(self) -> Optional[str]:
        """"counts" or "rows"."""
        return _optional(lib.tacit_model_table_unit(self._model))

    @property
    def tau(self) -> tuple[float, float]:
        """Goodman and Kruskal's tau, rows given columns and columns given rows."""
        rows, columns = ffi.new("double *"), ffi.new("double *")
        lib.tacit_model_tau(self._model, rows, columns)
        return float(rows[0]), float(columns[0])

    # ---- what it promises ----

    @property
    def card(self) -> Card:
        """The privacy card."""
        c = started("tacit_card")
        _must(lib.tacit_model_card(self._model, c))
        return Card(c.epsilon, c.delta, _NEIGHBORS[c.neighbors], _optional(c.unit),
                    c.max_rows_per_unit, _optional(c.definition), _optional(c.parameter), c.budget,
                    c.spent, bool(c.in_ledger), text_of(c.randomness), text_of(c.paper),
                    text_of(c.version), _optional(c.ledger_run))

    @property
    def queries(self) -> list[Query]:
        """Every query that was asked, in its order."""
        out = []
        for i in range(lib.tacit_model_query_count(self._model)):
            q = started("tacit_query_info")
            _must(lib.tacit_model_query_get(self._model, i, q))
            out.append(Query(text_of(q.kind), text_of(q.what), text_of(q.distribution), q.scale,
                             q.sensitivity, q.share, q.answers, q.batch))
        return out

    @property
    def notes(self) -> list[str]:
        """What to know before trusting the numbers."""
        return [text_of(lib.tacit_model_note_get(self._model, i))
                for i in range(lib.tacit_model_note_count(self._model))]

    @property
    def guarantee(self) -> str:
        """The promise in one sentence."""
        return text_of(lib.tacit_model_guarantee(self._model))

    @property
    def is_private(self) -> bool:
        """False: made with a test seed, or by something that looks at rows without paying."""
        return bool(lib.tacit_model_is_private(self._model))

    @property
    def why_not_private(self) -> Optional[str]:
        """Why it is not private; None: it is."""
        return None if self.is_private else text_of(lib.tacit_model_why_not_private(self._model))

    @property
    def domain(self) -> Optional[Domain]:
        """What was declared about the values; None for co-clusterings, which need nothing."""
        d = started("tacit_domain")
        if lib.tacit_model_domain(self._model, d) != 0:
            return None
        width = len(self.columns)
        return Domain(_numbers(d.lower, width), _numbers(d.upper, width),
                      _numbers(d.center, width), d.radius, ("range", "none")[d.scale],
                      _MISSING[d.missing])

    # ---- for the owner of the rows ----

    def predict(self, rows: Any, *, ledger: Any = None, as_owner: bool = False, threads: int = 0,
                progress: Progress = None) -> npt.NDArray[np.int32]:
        """The nearest released center, subspace or row cluster of every row; -1 where a row lacks
        every value.

        Exact, so NOT private: for the owner of the rows. A label tells about its row; keep labels
        with the rows. On a data set with a ledger it needs `as_owner=True`, and the ledger's
        history shows it.
        """
        from tacitdp._owner import predict

        return predict(self, rows, ledger=ledger, as_owner=as_owner, threads=threads,
                       progress=progress)

    # ---- to look at ----

    def to_frame(self) -> Any:
        """A pandas DataFrame with a row for each cluster: centers, and `size`. For co-clusterings
        the table."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas") from None
        names = [plain(name) for name in self.columns]
        if self.family == "cocluster":
            table = self.table
            width = 0 if table is None else table.shape[1]
            heads = [str(j) if j != self.l else "rest" for j in range(width)]
            frame = pandas.DataFrame(table, columns=heads)
            frame.columns.name = "column cluster"
        elif self.family == "subspace":
            bases = self.subspaces
            assert bases is not None and self.q is not None
            index = pandas.MultiIndex.from_product([range(self.k), range(self.q)],
                                                   names=["cluster", "direction"])
            return pandas.DataFrame(bases.transpose(0, 2, 1).reshape(-1, len(names)), index=index,
                                    columns=names)
        else:
            frame = pandas.DataFrame(self.centers, columns=names)
        frame.index.name = "cluster"
        size = self.sizes
        if size is not None and not np.isnan(size).all():
            frame.insert(0, "size", size)
        return frame

    def plot(self, figure: Any = None) -> Any:
        """Draws the release with matplotlib, and gives the figure: centers in their declared
        ranges, blocks or loadings, sizes with their noise. Hatched cells are mostly noise.

        Parameters
        ----------
        figure : matplotlib.figure.Figure, optional
            An empty one to draw into.
        """
        from tacitdp._plot import plot

        return plot(self, figure)

    def _repr_html_(self) -> str:
        from tacitdp._show import page

        return page(self)

    def __repr__(self) -> str:
        card = self.card
        promise = (f"epsilon={card.epsilon:g}, delta={card.delta:g}" if self.is_private
                   else "NOT PRIVATE")
        count = len(self.columns)
        columns = f"{count} column" + ("s" if count != 1 else "")
        return f"<Release {self.family} k={self.k}, {columns}, {promise}>"

    def __str__(self) -> str:
        from tacitdp._show import text

        return text(self)

    def _matrix(self, pointer: Any) -> Optional[Floats]:
        return self._array(pointer, (self.k, int(lib.tacit_model_column_count(self._model))))

    def _array(self, pointer: Any, shape: tuple[int, ...]) -> Optional[Floats]:
        flat = _numbers(pointer, math.prod(shape))
        return None if flat is None else flat.reshape(shape)


def load(path: "str | os.PathLike[str]") -> Release:
    """Reads a release that `Release.save` or the command wrote."""
    with Call() as call:
        return Release(call.make("tacit_model", lib.tacit_model_read, _path(path)))


def _from_json(text: str) -> Release:
    """For pickles. Spark and joblib take a class method apart, and find the library in it."""
    return Release.from_json(text)


def plain(text: str) -> str:
    """One line that stands as it is: control characters and unseen marks become '?'."""
    buffer = ffi.new("char[]", text.encode("utf-8", "replace"))
    lib.tacit_text_make_plain(buffer)
    return text_of(buffer)


def _path(path: Any) -> bytes:
    if not isinstance(path, (str, os.PathLike)):
        refuse_type("a path must be a text or a Path")
    name = os.fsencode(path)
    if b"\0" in name:
        refuse("a path holds a NUL character")
    return name


def _numbers(pointer: Any, count: int) -> Optional[Floats]:
    """A copy that nobody writes to."""
    if pointer == ffi.NULL:
        return None
    array: Floats = np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=np.float64).copy()
    array.flags.writeable = False
    return array


def _integers(pointer: Any, count: int) -> Optional[npt.NDArray[np.int32]]:
    if pointer == ffi.NULL:
        return None
    array: npt.NDArray[np.int32] = np.frombuffer(ffi.buffer(pointer, 4 * count),
                                                 dtype=np.int32).copy()
    array.flags.writeable = False
    return array


def _must(status: int) -> None:
    """A getter that cannot fail for an index that exists."""
    if status != 0:
        refuse(text_of(lib.tacit_status_text(status)))
