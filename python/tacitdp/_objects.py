# SPDX-License-Identifier: Apache-2.0
"""What is of no type but that of its values: columns of Python objects, and who a row is of. A type
that were found out from all values would let one person's value decide what becomes of a run before
it is paid for. So every cell follows from its own value alone."""

from __future__ import annotations

import sys
from typing import Any, Optional

import numpy as np
import numpy.typing as npt

from tacitdp._convert import cell


def is_pandas(frame: Any) -> bool:
    """A data frame of pandas, or of a class made from it."""
    module: Any = sys.modules.get("pandas")
    return module is not None and isinstance(frame, module.DataFrame)


def text_of_object(value: Any) -> Optional[str]:
    """A value as text; None: it is missing, or has none. 3 and 3.0 are one, as they are equal."""
    try:
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or value != value:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        text = value if isinstance(value, str) else cell(value)
        text.encode()
        return text
    except Exception:  # pandas.NA, arrays, whatever a __str__ of somebody's does
        return None


def with_texts(frame: Any) -> Any:
    """A pandas frame whose columns of objects, and of categories that are objects, are texts."""
    import pandas
    import pyarrow

    made = None
    for place, kind in enumerate(frame.dtypes):
        categories = kind.categories if isinstance(kind, pandas.CategoricalDtype) else None
        if kind != object and (categories is None or categories.dtype != object):
            continue
        column = frame.iloc[:, place]
        if categories is None:
            texts = [text_of_object(one) for one in column]
        else:
            listed = [*map(text_of_object, categories), None]  # the last is that of code -1
            texts = [listed[code] for code in column.cat.codes]
        made = frame.copy(deep=False) if made is None else made
        made.isetitem(place, pandas.arrays.ArrowExtensionArray(
            pyarrow.array(texts, pyarrow.large_string())))
    return frame if made is None else made


def matrix_of(frame: Any) -> Any:
    """A frame whose columns are merely numbered as an array whose type follows from theirs. pandas
    makes objects of nullable columns if a value is missing."""
    if not is_pandas(frame):
        return frame.to_numpy()
    kinds = list(frame.dtypes)
    if any(getattr(kind, "kind", "O") not in "fiub" for kind in kinds) or not kinds:
        return frame.to_numpy()
    if isinstance(kinds[0], np.dtype) and all(kind == kinds[0] for kind in kinds):
        return frame.to_numpy()
    return frame.to_numpy(dtype=np.float64, na_value=np.nan)


def column_of(frame: Any, name: str) -> npt.NDArray[Any]:
    """A column of a frame that gives no Arrow stream, likewise."""
    column = frame[name]
    kind = getattr(column, "dtype", None)
    if isinstance(kind, np.dtype) or getattr(kind, "kind", "O") not in "fiub":
        return np.asarray(column)
    return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))


# ---- persons ----

def objects_of(units: Any) -> npt.NDArray[Any]:
    """Who rows are of, as an array. That of a list has a type of its own, not of its values."""
    if isinstance(units, (list, tuple)):
        return np.fromiter(units, dtype=object, count=len(units))
    return np.asarray(units)


def person(value: Any) -> Any:
    """What names a person; None: nobody, as None, NaN, NaT, NA, an empty text and what cannot be
    compared."""
    try:
        if value is None or value != value or value == "":
            return None
        hash(value)
        return value
    except (TypeError, ValueError):
        return None
