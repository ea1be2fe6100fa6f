# SPDX-License-Identifier: Apache-2.0
"""How good a release is on its rows: exact, for the owner, NOT private."""

from __future__ import annotations

import dataclasses
import math
import os
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from tacitdp import _html
from tacitdp import _options as options
from tacitdp._call import Call, Progress
from tacitdp._data import width_of
from tacitdp._errors import refuse
from tacitdp._library import ffi, lib, started
from tacitdp._owner import labels_of, open_for
from tacitdp._source import Source
from tacitdp.derived import released
from tacitdp.files import File, as_file

NOT_PRIVATE = "exact, so NOT private: for the owner of the rows; never publish it"


@dataclasses.dataclass(frozen=True, repr=False)
class Evaluation:
    """Exact figures of a release on its rows. NaN: was not asked for, or is of another family.

    `cost` is the mean squared distance to the nearest center or subspace (k-median: distance), in
    the clustered geometry; of co-clusterings 1 - tau. `plain_cost` is that of the plain solver,
    `one_mean_cost` what doing nothing costs. `nmi` and `ari` hold the clusters against known
    classes. `clipped` is the share of rows outside the declared domain.
    """

    rows: int
    cost: float
    plain_cost: float
    one_mean_cost: float
    nmi: float
    ari: float
    clipped: float
    tau_rows: float
    tau_columns: float

    def to_dict(self) -> dict[str, float]:
        """What is known, by name."""
        return {name: value for name, value in dataclasses.asdict(self).items()
                if not math.isnan(value)}

    def __repr__(self) -> str:
        figures = ", ".join(f"{name}={_figure(value, 4)}" for name, value in self.to_dict().items())
        return f"<Evaluation NOT PRIVATE: {figures}>"

    def __str__(self) -> str:
        lines = [f"{name:16} {_figure(value, 6)}" for name, value in self.to_dict().items()]
        return "\n".join([*lines, NOT_PRIVATE])

    def _repr_html_(self) -> str:
        rows = [[name, _figure(value, 6)] for name, value in self.to_dict().items()]
        return _html.page("How good the release is on its rows",
                          [_html.warning(NOT_PRIVATE), _html.table([], rows)])


def _figure(value: float, digits: int) -> str:
    """Counts with all their digits."""
    return str(value) if isinstance(value, int) else f"{value:.{digits}g}"


def evaluate(release: Any, data: Any, *, labels: Any = None, restarts: int = 0,
             ledger: Any = None, as_owner: bool = False, threads: int = 0,
             progress: Progress = None) -> Evaluation:
    """Measures a release on its rows: exact, so NOT private, for the owner of the rows.

    Parameters
    ----------
    release : Release or fitted estimator
        What to measure.
    data : data set
        The rows.
    labels : array of shape (rows,) or str, optional
        Known classes, or the column that has them: adds `nmi` and `ari`.
    restarts : int
        Above 0: also run the plain solver so often, and compare with its best.
    ledger : path or Ledger, optional
        Of rows in memory.
    as_owner : bool
        On a data set with a ledger: you hold the rows, and the ledger's history shows it.

    Examples
    --------
    >>> import tacitdp as td
    >>> X, y = td.make_mixture(20000)
    >>> km = td.KMeans(5, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(X)
    >>> 0 <= td.evaluate(km, X, labels=y).nmi <= 1
    True
    """
    model = released(release)
    often = options.whole("restarts", restarts, 0, 10000)
    with Call(options.whole("threads", threads, 0, 1024), progress) as call, \
            Source(call, data, getattr(release, "ledger", None) if ledger is None else ledger
                   ) as source:
        source.check_owner(as_owner, "evaluate")  # first: how many rows there are is the owner's
        data, classes = _classes(data, labels)
        source.as_owner(as_owner, "evaluate")
        table = open_for(call, model, data, source)
        if classes is not None:
            if width_of(data) is None:  # a file or a stream takes them once its rows were read
                _check_count(classes, len(labels_of(call, model, table)))
            call.do(lib.tacit_data_set_labels, table.handle,
                    ffi.cast("int64_t *", classes.ctypes.data))
        e = started("tacit_evaluation")
        call.run(lib.tacit_model_evaluate, model._model, table.handle, often, e)
    return Evaluation(e.rows, e.cost, e.plain_cost if often else math.nan, e.one_mean_cost, e.nmi,
                      e.ari, e.clipped, e.tau_rows, e.tau_columns)


def _classes(data: Any, labels: Any) -> tuple[Any, Optional[npt.NDArray[np.int64]]]:
    """Known classes as numbers, or the file told which column has them."""
    data = as_file(data)
    if labels is None:
        return data, None
    if isinstance(labels, str):
        if isinstance(data, (str, os.PathLike)):
            file = data if isinstance(data, File) else File(data)
            return dataclasses.replace(file, label_column=labels), None
        try:
            labels = data[labels]
        except (KeyError, IndexError, TypeError, ValueError):
            refuse("labels names a column that the rows do not have; give its name, or an array "
                   "of classes")
    array = np.asarray(labels)
    if array.ndim != 1:
        refuse("labels must be one-dimensional, one class for each row")
    if not isinstance(data, (str, os.PathLike)):
        _check_count(array, data.shape[0] if hasattr(data, "shape") else len(data))
    if array.dtype.kind == "O":
        array = array.astype(str)
    codes = np.unique(array, return_inverse=True)[1]
    return data, np.ascontiguousarray(codes, dtype=np.int64)


def _check_count(labels: npt.NDArray[Any], rows: int) -> None:
    if len(labels) != rows:
        refuse("labels must have one class for each row, and there are more or fewer")
