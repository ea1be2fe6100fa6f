# SPDX-License-Identifier: Apache-2.0
"""With the rows in hand: exact, for the owner, NOT private."""

from __future__ import annotations

import os
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from tacitdp import _arrow
from tacitdp import _options as options
from tacitdp._call import Call, Progress
from tacitdp._data import Described, Table, open_table, width_of
from tacitdp._errors import refuse
from tacitdp._library import ffi, lib, started
from tacitdp._source import Source
from tacitdp.files import as_file
from tacitdp.release import Release


def predict(release: Release, rows: Any, *, ledger: Any = None, as_owner: bool = False,
            threads: Any = 0, progress: Progress = None) -> npt.NDArray[np.int32]:
    """The label of every row."""
    with Call(options.whole("threads", threads, 0, 1024), progress) as call, \
            Source(call, rows, ledger) as source:
        source.as_owner(as_owner, "predict")
        return labels_of(call, release, open_for(call, release, rows, source))


def open_for(call: Call, release: Release, rows: Any, source: Source,
             names: Optional[list[str]] = None) -> Table:
    """Rows with the columns of a release. names: of an array's columns, where it is known; else an
    array of as many columns as the release has is taken to have these."""
    rows = as_file(rows)
    wanted = [feature.name for feature in release.features]
    width = width_of(rows)
    if names is None and width is not None and width == len(wanted):
        names = wanted
    counts = release.family == "cocluster"
    if counts and (width is None or names is not None) and not _lists_columns(rows):
        wanted = []  # entries are matched by their columns
    declaration = source.declaration
    if width is None and not isinstance(rows, (str, os.PathLike)) and \
            source.summary().unit_column not in (None, *(_arrow.names_of(rows) or ())):
        declaration = None  # persons were units beside the frame, and nobody asks for them here
    said = Described(columns=wanted or None, declaration=declaration, chooser="the release")
    return open_table(call, rows, said, source=source, names=names, counts=counts)


def _lists_columns(rows: Any) -> bool:
    """Is it a table whose columns can be chosen by name? Sparse files are matched entry by
    entry."""
    return hasattr(rows, "columns") or hasattr(rows, "column_names")


def labels_of(call: Call, release: Release, table: Table) -> npt.NDArray[np.int32]:
    labels, count = ffi.new("int32_t **"), ffi.new("int64_t *")
    call.run(lib.tacit_model_predict, release._model, table.handle, labels, count)
    return taken(labels[0], count[0], np.int32)


def distances_of(call: Call, release: Release, table: Table) -> npt.NDArray[np.float64]:
    """rows x k, in the clustered geometry."""
    out, count = ffi.new("double **"), ffi.new("int64_t *")
    call.run(lib.tacit_model_distances, release._model, table.handle, out, count)
    return taken(out[0], count[0] * release.k, np.float64).reshape(-1, release.k)


def cost_of(call: Call, release: Release, table: Table) -> float:
    """The mean cost of a row."""
    out = started("tacit_evaluation")
    call.run(lib.tacit_model_evaluate, release._model, table.handle, 0, out)
    return float(out.cost)


def taken(pointer: Any, count: int, kind: Any) -> npt.NDArray[Any]:
    """An array that the library made, as numpy's."""
    if pointer == ffi.NULL:
        return refuse("the library gave no array") if count else np.empty(0, kind)
    kept = ffi.gc(pointer, lib.tacit_free)
    size = np.dtype(kind).itemsize
    array: npt.NDArray[Any] = np.frombuffer(ffi.buffer(kept, size * count), dtype=kind).copy()
    return array
