# SPDX-License-Identifier: Apache-2.0
"""With the rows in hand: exact, for the owner, NOT private."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._call import Call, Progress
from tacitdp._data import Described, Table, open_table
from tacitdp._library import ffi, lib
from tacitdp._source import Source
from tacitdp.release import Release


def predict(release: Release, rows: Any, *, ledger: Any = None, as_owner: bool = False,
            threads: Any = 0, progress: Progress = None) -> npt.NDArray[np.int32]:
    """The label of every row."""
    with Call(options.whole("threads", threads, 0, 1024), progress) as call, \
            Source(call, rows, ledger) as source:
        source.as_owner(as_owner, "predict")
        table = open_for(call, release, rows, source)
        labels, count = ffi.new("int32_t **"), ffi.new("int64_t *")
        call.run(lib.tacit_model_predict, release._model, table.handle, labels, count)
        return taken(labels[0], count[0], np.int32)


def open_for(call: Call, release: Release, rows: Any, source: Source) -> Table:
    """Rows with the columns of a release."""
    names = [feature.name for feature in release.features]
    return open_table(call, rows, Described(columns=names, declaration=source.declaration))


def taken(pointer: Any, count: int, kind: Any) -> npt.NDArray[Any]:
    """An array that the library made, as numpy's."""
    kept = ffi.gc(pointer, lib.tacit_free)
    size = np.dtype(kind).itemsize
    return np.frombuffer(ffi.buffer(kept, size * count), dtype=kind).copy()
