# SPDX-License-Identifier: Apache-2.0
"""The ledger of a data set: what all runs together may spend, and what they have spent."""

from __future__ import annotations

import dataclasses
import json
import os
from types import TracebackType
from typing import Any, Optional, Union

from tacitdp import _html
from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._convert import is_foreign
from tacitdp._data import Described, open_table
from tacitdp._errors import DeclaredError, LedgerError, refuse, refuse_type
from tacitdp._library import ffi, lib, started, text_of
from tacitdp._source import Source, find_beside
from tacitdp.files import File, as_file

PathLike = Union[str, "os.PathLike[str]"]
_FIELDS = ("sequence", "time", "kind", "run", "what", "epsilon", "delta", "share")


class Ledger(os.PathLike):  # type: ignore[type-arg]
    """The ledger of one data set, by its path.

    It is opened anew by whatever uses it, so it can be copied, pickled and shared by forked
    processes, and estimators hold it as their `ledger`. What it says is read from the file each
    time.

    Parameters
    ----------
    path : path
        Of a ledger that exists; `create` makes one.

    Examples
    --------
    >>> import tempfile, numpy as np, tacitdp as td
    >>> rows = np.repeat([[0.2, 0.2], [0.8, 0.8]], 5000, axis=0)
    >>> folder = tempfile.TemporaryDirectory()
    >>> ledger = td.Ledger.create(folder.name + "/rows.ledger", rows, epsilon=3, delta=1e-5,
    ...                           bounds=(0, 1))
    >>> km = td.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger).fit(rows)
    >>> ledger.runs, 0 < ledger.spent < 1
    (1, True)
    >>> folder.cleanup()
    """

    def __init__(self, path: PathLike) -> None:
        if not isinstance(path, (str, os.PathLike)):
            refuse_type("a ledger is named by its path, not by " + options.kind_of(path))
        self.path = os.path.abspath(os.fspath(path))  # the same one, wherever a process goes
        self.summary()  # it must be there

    @classmethod
    def open(cls, path: PathLike) -> Ledger:
        """The ledger at a path; the same as ``Ledger(path)``."""
        return cls(path)

    @classmethod
    def create(cls, path: Optional[PathLike], data: Any, *, epsilon: Optional[float] = None,
               delta: float = 0.0, dataset: Optional[str] = None, schema: Any = None,
               bounds: options.Bounds = None, radius: Optional[float] = None,
               center: Any = None, categories: options.Said = None, weights: options.Said = None,
               transforms: options.Said = None, missing: options.Said = None,
               unit_column: Optional[str] = None, units: Any = None,
               max_rows_per_person: Optional[int] = None, neighbors: str = "add-remove",
               _old: Optional[PathLike] = None) -> Ledger:
        """Makes the ledger of a data set and declares, for all runs ever, what the table is.

        Parameters
        ----------
        path : path or None
            Where no file may be yet. None: beside the data file, with ``.ledger`` behind its name,
            where every run finds it; of several files beside the first, and links to it beside the
            others.
        data : data set
            The rows, of which only names and types of columns are looked at.
        epsilon, delta : float
            The budget of all runs ever; delta 0: pure runs only. epsilon has no default.
        dataset : str, optional
            What the ledger calls it; without it the name of the file.
        schema : path, str or dict, optional
            What the table is; or say it here:
        bounds, radius, center, categories, weights, transforms, missing, unit_column, \
units, max_rows_per_person
            As for `KMeans` and its `fit`. A table of counts needs no bounds.
        neighbors : {"add-remove", "replace", "entry"}
            What every run must hide.

        A ledger is kept where analysts cannot write: whoever restores an old copy can spend twice.
        """
        if epsilon is None:
            refuse("the budget of all runs is missing: give epsilon, for example epsilon=4")
        whole, slack = options.number("epsilon", epsilon), options.number("delta", delta)
        most = 0 if max_rows_per_person is None else options.whole(
            "max_rows_per_person", max_rows_per_person, 1, 32768)
        relation = options.word("neighbors", neighbors, options.NEIGHBORS)
        data = as_file(data)
        with Call() as call, Source(call, data, None, schema, with_ledger=False) as source:
            if _old is None:
                _check_first(source)
            target = _target(path, source)
            # without bounds here: the whole header is bound, not only the columns that they name
            said = Described(None, unit_column, categories, weights, transforms, missing,
                             source.declaration)
            table = open_table(call, _as_csv(data), said, units, source=source,
                               counts=neighbors == "entry", header_only=True)
            if bounds is not None or radius is not None or categories is not None:
                options.declare_domain(call, table.handle, bounds, radius, center,
                                       categories is not None, source.declaration is not None)
            declaration = call.make("tacit_declaration", lib.tacit_data_declaration, table.handle,
                                    relation, most)
            name = _dataset(dataset, source, target)
            if len(source.paths) > 1 and path is None:  # links beside the other files
                kept = [ffi.new("char[]", os.fsencode(one)) for one in source.paths]
                target = call.make_text(
                    lib.tacit_ledger_create_beside, ffi.new("char *[]", kept), len(kept), name,
                    whole, slack, declaration, ffi.NULL if _old is None else os.fsencode(_old))
            elif _old is None:
                call.do(lib.tacit_ledger_create, os.fsencode(target), name, whole, slack,
                        declaration)
            else:
                call.do(lib.tacit_ledger_carry, os.fsencode(target), name, whole, slack,
                        declaration, os.fsencode(_old))
        return cls(target)

    @classmethod
    def carry(cls, old: PathLike, path: Optional[PathLike], data: Any, *, as_owner: bool = False,
              **declared: Any) -> Ledger:
        """`create`, beginning with all that the ledger `old` has spent: to declare anew, or for a
        larger budget. For the owner of the rows. `path` may be `old` itself, which is then
        replaced at once."""
        if not options.flag("as_owner", as_owner):
            raise DeclaredError("a new budget for a data set that has one is for its owner: if you "
                                "are, say as_owner=True")
        return cls.create(path, data, _old=old, **declared)

    # ---- what it says ----

    def summary(self) -> LedgerSummary:
        """Budget, what is spent, and what is left, read now."""
        with Call() as call:
            s = started("tacit_ledger_summary")
            call.do(lib.tacit_ledger_summarize, self._handle(call), s)
        return LedgerSummary(text_of(s.dataset), text_of(s.unit_column) or None,
                             ("add-remove", "replace", "entry")[s.neighbors], s.epsilon, s.delta,
                             s.spent, s.epsilon_left, s.delta_left, s.runs)

    @property
    def dataset(self) -> str:
        """What the data set is called."""
        return self.summary().dataset

    @property
    def epsilon(self) -> float:
        """The whole budget."""
        return self.summary().epsilon

    @property
    def delta(self) -> float:
        """The slack of the whole budget."""
        return self.summary().delta

    @property
    def spent(self) -> float:
        """The share of the budget that is spent or reserved, 0 to 1, rounded up."""
        return self.summary().spent

    @property
    def epsilon_left(self) -> float:
        """The largest epsilon that one more run could ask for, at `delta_left`."""
        return self.summary().epsilon_left

    @property
    def delta_left(self) -> float:
        """The delta of that run."""
        return self.summary().delta_left

    @property
    def runs(self) -> int:
        """Runs that count as spent."""
        return self.summary().runs

    @property
    def schema(self) -> dict[str, Any]:
        """What the table is, as it was declared: a Table Schema."""
        with Call() as call:
            declaration = call.make("tacit_declaration", lib.tacit_ledger_declaration,
                                    self._handle(call))
            made: dict[str, Any] = json.loads(call.make_text(lib.tacit_declaration_json,
                                                             declaration))
        return made

    def records(self) -> list[dict[str, Any]]:
        """The history, entry by entry, as dicts. The chain of its hashes is checked."""
        found: list[dict[str, Any]] = []

        def each(entry: Any, payload: Any) -> int:
            found.append({name: text_of(value) if isinstance(value, ffi.CData) else value
                          for name, value in ((name, getattr(entry, name)) for name in _FIELDS)})
            return 0

        callback = ffi.callback("tacit_ledger_entry_fn", each, error=1)
        with Call() as call:
            call.do(lib.tacit_ledger_history, self._handle(call), callback, ffi.NULL)
        return found

    def history(self) -> Any:
        """The history as a pandas DataFrame, or as a list of dicts where pandas is not there."""
        records = self.records()
        try:
            import pandas
        except ImportError:
            return records
        frame = pandas.DataFrame(records, columns=list(_FIELDS)).set_index("sequence")
        frame["time"] = pandas.to_datetime(frame["time"], utc=True)
        return frame

    def _handle(self, call: Call) -> Any:
        return call.make("tacit_ledger", lib.tacit_ledger_open, os.fsencode(self.path))

    # ---- a path, and nothing to close ----

    def __fspath__(self) -> str:
        return self.path

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        """Nothing is held open between calls."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ledger) and other.path == self.path

    def __hash__(self) -> int:
        return hash(self.path)

    def __repr__(self) -> str:
        return f"Ledger({self.path!r})"

    def __str__(self) -> str:
        return "\n".join(f"{name:16} {value}" for name, value in self.summary().lines())

    def _repr_html_(self) -> str:
        return _html.page(f"Ledger {self.path}", [_html.table([], self.summary().lines())])


@dataclasses.dataclass(frozen=True)
class LedgerSummary:
    """What a ledger says at one moment."""

    dataset: str
    unit_column: Optional[str]
    neighbors: str
    epsilon: float
    delta: float
    spent: float
    epsilon_left: float
    delta_left: float
    runs: int

    def lines(self) -> list[tuple[str, str]]:
        """For people."""
        whom = f"persons, by column {self.unit_column}" if self.unit_column else \
            "single counts" if self.neighbors == "entry" else "rows"
        return [("data set", self.dataset), ("protects", f"{whom} ({self.neighbors})"),
                ("whole budget", f"epsilon {self.epsilon:g}, delta {self.delta:g}"),
                ("spent", f"{100 * self.spent:.1f} %"), ("runs", str(self.runs)),
                ("left for a run", f"epsilon {self.epsilon_left:.4g} at delta "
                                   f"{self.delta_left:.4g}")]


def _as_csv(data: Any) -> Any:
    """A Parquet file as the command reads it: a file has one ledger, whoever runs."""
    if not isinstance(data, (str, os.PathLike)) or not is_foreign(os.fspath(data)):
        return data
    file = data if isinstance(data, File) else File(data)
    return dataclasses.replace(file, format="csv") if file.format == "auto" else file


def _check_first(source: Source) -> None:
    """One ledger a data set. A second one could be made for it by other options, and read by them
    a row would pass for the header and be kept there."""
    for path, descriptor in zip(source.paths, source.descriptors):
        found = find_beside(path, descriptor, ".ledger")
        if found is not None:
            raise LedgerError(f"{path} has a ledger already, {found}; its owner can make one that "
                              "continues it: Ledger.carry")


def _target(path: Optional[PathLike], source: Source) -> str:
    if path is not None:
        return os.fspath(path)
    if source.path is None:
        refuse("path is missing: rows in memory have no file beside which their ledger could lie")
    return f"{source.path}.ledger"


def _dataset(dataset: Optional[str], source: Source, target: str) -> bytes:
    if dataset is not None:
        return options.some_text("dataset", dataset).encode()
    named = source.path or target
    name = os.path.basename(named)
    if len(source.paths) > 1:
        name += f" and {len(source.paths) - 1} more"
    return os.fsencode(name[:-len(".ledger")] if name.endswith(".ledger") else name)
