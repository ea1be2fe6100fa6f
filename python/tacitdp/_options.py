# SPDX-License-Identifier: Apache-2.0
"""Python arguments as the library's option structs and texts have them. An argument that is wrong
is refused by its name, before a row is read and before anything is spent. Ranges are the library's
to check; here is only what C cannot hold."""

from __future__ import annotations

import datetime
import json
import math
import numbers
import os
import re
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from tacitdp._call import Call
from tacitdp._errors import BudgetUnsetError, DomainError, refuse, refuse_type
from tacitdp._library import ffi, lib, started, text_of

NEIGHBORS = {"add-remove": "TACIT_ADD_REMOVE", "replace": "TACIT_REPLACE", "entry": "TACIT_ENTRY"}
SCALES = {"range": "TACIT_SCALE_RANGE", "none": "TACIT_SCALE_NONE"}
CONSTANTS = {"practical": "TACIT_CONSTANTS_PRACTICAL", "theory": "TACIT_CONSTANTS_THEORY"}

Bounds = Union[str, "os.PathLike[str]", Mapping[str, Any], Sequence[Any], None]
Said = Union[str, Mapping[str, Any], None]


# ---- single values ----

def whole(name: str, value: Any, least: int = 0, most: int = 2**31 - 1) -> int:
    """A whole number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        refuse_type(f"{name} must be a whole number, not {kind_of(value)}")
    number = int(value)
    if not least <= number <= most:
        refuse(f"{name}={number} is out of range; it goes from {least} to {most}")
    return number


def size(name: str, value: Any) -> int:
    """Bytes: a whole number, or a text such as "512M" or "2G" (K, M, G, T: 1024 each). None: 0."""
    if value is None:
        return 0
    if isinstance(value, str):
        found = re.fullmatch(r"([0-9]{1,15})([KMGT]?)", value, re.I | re.A) or refuse(
            f"{name} must be a number of bytes or a size such as \"512M\" or \"2G\"")
        value = int(found[1]) << 10 * " KMGT".index(found[2].upper() or " ")
    return whole(name, value, 16 << 20, 2**63 - 1)


def folder(name: str, value: Any) -> Optional[str]:
    """A path, or None."""
    if value is not None and not isinstance(value, (str, os.PathLike)):
        refuse_type(f"{name} must be a path, not {kind_of(value)}")
    return None if value is None else str(os.fspath(value))


def number(name: str, value: Any) -> float:
    """A real number; infinite and NaN are refused."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        refuse_type(f"{name} must be a number, not {kind_of(value)}")
    try:
        real = float(value)
    except OverflowError:
        real = math.inf
    if not math.isfinite(real):
        refuse(f"{name} must be a finite number")
    return real


def flag(name: str, value: Any) -> int:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        refuse_type(f"{name} must be True or False, not {kind_of(value)}")
    return int(value)


def word(name: str, value: Any, words: Mapping[str, str]) -> int:
    """One of some words, as the library numbers it."""
    one_of(name, value, list(words))
    return int(getattr(lib, words[value]))


def one_of(name: str, value: Any, words: Sequence[str]) -> int:
    """The place of a word among those that are allowed."""
    if not isinstance(value, str):
        refuse_type(f"{name} must be a text, not {kind_of(value)}; one of {', '.join(words)}")
    if value not in words:
        refuse(f"{name}={value!r} is not known; it is one of {', '.join(words)}")
    return list(words).index(value)


def whole_or_auto(name: str, value: Any, least: int, most: int) -> int:
    """A whole number, or "auto", which the library writes -1."""
    if isinstance(value, str):
        if value != "auto":
            refuse(f"{name}={value!r} is not known; give a whole number or \"auto\"")
        return -1
    return whole(name, value, least, most)


def method(name: str, value: Any, family: str) -> int:
    """The number of a method by its name, from the library's own list."""
    count = getattr(lib, f"tacit_{family}_count")()
    names = {}
    for index in range(count):
        info = started("tacit_method")
        getattr(lib, f"tacit_{family}_get")(index, info)
        names[text_of(info.name)] = int(info.method)
    if not isinstance(value, str):
        refuse_type(f"{name} must be a text, not {kind_of(value)}")
    if value not in names:
        refuse(f"{name}={value!r} is not known; it is one of {', '.join(names)}")
    return names[value]


def agree(*rules: tuple[bool, str]) -> None:
    """Options that do not go together: the first rule that is broken is said."""
    for broken, sentence in rules:
        if broken:
            refuse(sentence)


def kind_of(value: Any) -> str:
    """What to call a value that is wrong: its type, never what it holds."""
    return "None" if value is None else type(value).__name__


# ---- texts ----

class Texts:
    """Keeps C texts alive while a struct points to them."""

    def __init__(self) -> None:
        self._kept: list[Any] = []

    def c(self, text: Optional[str]) -> Any:
        if text is None:
            return ffi.NULL
        data = text.encode("utf-8", "surrogateescape")
        if b"\0" in data:
            refuse("a text holds a NUL character; leave it out")
        kept = ffi.new("char[]", data)
        self._kept.append(kept)
        return kept


def quoted(name: str) -> str:
    """A name as lists of columns take it: quoted as in CSV where that is needed."""
    plain = name and not any(mark in name for mark in ',"\n') and name == name.strip()
    return name if plain else '"' + name.replace('"', '""') + '"'


def listed(name: str, value: Any) -> Optional[str]:
    """Names of columns as one text: a text as the command takes it, or a list of names."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, Iterable):
        refuse_type(f"{name} must be a list of column names, not {kind_of(value)}")
    names = list(value)
    for one in names:
        if not isinstance(one, str) and not isinstance(one, numbers.Integral):
            refuse_type(f"{name} must hold names of columns, not {kind_of(one)}")
    return ",".join(quoted(str(one)) for one in names)


def said(name: str, value: Said, write: Callable[[str, Any], str]) -> Optional[str]:
    """What is said of columns, as one text: {"age": ...} becomes "age=...". A text stays."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        refuse_type(f"{name} must be a dict of columns or a text, not {kind_of(value)}")
    parts = []
    for column, what in value.items():
        if not isinstance(column, (str, numbers.Integral)) or isinstance(column, bool):
            refuse_type(f"{name} names columns by texts, not by {kind_of(column)}")
        if not isinstance(column, str) and column < 1:
            refuse(f"{name} has the column {column}, and columns are numbered from 1")
        parts.append(quoted(f"{column}={write(f'{name}[{column!r}]', what)}"))
    return ",".join(parts) or None


def figure(name: str, value: Any) -> str:
    """A number or a date as text that reads back to the same number."""
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[D]").item()
    if isinstance(value, datetime.datetime):
        value = value.date()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, str):
        return value
    real = number(name, value)
    return str(int(real)) if real == int(real) and abs(real) < 1e15 else repr(real)


def bound(name: str, value: Any) -> str:
    """One column's range: (lower, upper), "private", or ("private", lower, upper)."""
    if isinstance(value, str):
        return value
    try:
        parts = list(value)
    except TypeError:
        parts = []
    if len(parts) == 3 and isinstance(parts[0], str) and parts[0] == "private":
        return "private:" + ":".join(figure(name, part) for part in parts[1:])
    if len(parts) != 2:
        refuse(f"{name} must be (lower, upper), \"private\" or (\"private\", lower, upper)")
    return ":".join(figure(name, part) for part in parts)


def words_of(name: str, value: Any) -> str:
    """Categories of a column: a list of them, or "boolean"."""
    if isinstance(value, str):
        return value
    if isinstance(value, type) and value is bool:
        return "boolean"
    if not isinstance(value, Iterable):
        refuse_type(f"{name} must be a list of categories, not {kind_of(value)}")
    return "|".join(one if isinstance(one, str) else figure(name, one) for one in value)


def rule(name: str, value: Any) -> str:
    """What becomes of missing values: "drop-row", "midpoint", "own-category", ("fill", 40)."""
    if isinstance(value, str):
        return value
    try:
        what, fill = value
    except (TypeError, ValueError):
        what, fill = refuse_type(f"{name} must be a text or (\"fill\", value)")
    if what != "fill":
        refuse(f"{name} must be a text or (\"fill\", value)")
    return "fill:" + figure(name, fill)


def some_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        refuse_type(f"{name} must be a text, not {kind_of(value)}")
    return str(value)


# ---- the domain ----

def declare_domain(call: Call, data: Any, bounds: Bounds, radius: Any, center: Any,
                   only_categories: bool, declared: bool) -> None:
    """Says what values are possible. bounds: as the command has it, a dict of columns, or a pair
    (lower, upper) of numbers or of arrays with one number for each column."""
    if bounds is not None and radius is not None:
        refuse("bounds and radius exclude each other; keep one")
    if center is not None and radius is None:
        refuse("center is the center of radius; give radius too, or leave it out")
    if radius is not None:
        columns = lib.tacit_data_column_count(data)
        point = ffi.NULL if center is None else doubles("center", center, columns)
        call.do(lib.tacit_data_set_ball, data, point, number("radius", radius))
    elif bounds is None and only_categories:
        call.do(lib.tacit_data_declare_bounds, data, b"")
    elif bounds is None:
        if not declared:
            raise DomainError("what values are possible is missing: give bounds, for example "
                              "bounds=(0, 1) or bounds={\"age\": (0, 120)}, or radius; it is never "
                              "taken from the rows")
    elif isinstance(bounds, (str, os.PathLike)):
        call.do(lib.tacit_data_declare_bounds, data, os.fspath(bounds).encode())
    elif isinstance(bounds, Mapping):
        text = said("bounds", bounds, bound)
        if not text:
            raise DomainError("bounds name no column; give a range for each column to use")
        call.do(lib.tacit_data_declare_bounds, data, text.encode())
    else:
        _declare_pair(call, data, bounds)


def _declare_pair(call: Call, data: Any, bounds: Any) -> None:
    """bounds=(lower, upper), numbers or arrays, as diffprivlib takes them."""
    try:
        lower, upper = bounds
    except (TypeError, ValueError):
        lower, upper = refuse_type("bounds must be (lower, upper), each a number or one number "
                                   "for each column, or a dict such as {\"age\": (0, 120)}")
    if np.ndim(lower) == 0 and np.ndim(upper) == 0:
        text = bound("bounds", (lower, upper))
        call.do(lib.tacit_data_declare_bounds, data, text.encode())
        return
    columns = lib.tacit_data_column_count(data)
    call.do(lib.tacit_data_set_bounds, data, doubles("the lower bounds", lower, columns),
            doubles("the upper bounds", upper, columns))


def doubles(name: str, value: Any, columns: int) -> Any:
    """One number for each column, or one for all."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = refuse_type(f"{name} must be numbers")
    if array.shape not in ((), (1,), (columns,)):
        refuse(f"{name} must be one number, or one for each of the {columns} columns in use")
    return ffi.new("double[]", np.broadcast_to(array, (columns,)).tolist())


# ---- budget ----

def budget_of(epsilon: Any, delta: Any, neighbors: str, max_rows_per_person: Any = None,
              insecure_test_seed: Any = None, as_owner: bool = False,
              bounds_share: Any = None) -> Any:
    """What a run may spend. The ledger is set by whoever opened it."""
    if epsilon is None:
        raise BudgetUnsetError("no privacy budget was given: set epsilon, for example epsilon=1; "
                               "about 1 is usual, smaller is safer, and there is no default")
    budget = started("tacit_budget")
    budget.epsilon = number("epsilon", epsilon)
    budget.delta = number("delta", 0 if delta is None else delta)
    budget.neighbors = word("neighbors", neighbors, NEIGHBORS)
    if max_rows_per_person is not None:
        budget.max_rows_per_unit = whole("max_rows_per_person", max_rows_per_person, 1, 32768)
    if insecure_test_seed is not None:
        budget.use_insecure_test_seed = 1
        budget.insecure_test_seed = whole("insecure_test_seed", insecure_test_seed, 0, 2**64 - 1)
    budget.as_owner = flag("as_owner", as_owner)
    if bounds_share is not None:
        budget.bounds_share = number("bounds_share", bounds_share)
    return budget


def declaration_of(call: Call, schema: Any) -> Any:
    """A declaration from a path, JSON text or a dict."""
    if isinstance(schema, Mapping):
        text = json.dumps(schema)
    elif isinstance(schema, str) and schema.lstrip().startswith("{"):
        text = schema
    elif isinstance(schema, (str, os.PathLike)):
        return call.make("tacit_declaration", lib.tacit_declaration_read, os.fsencode(schema))
    else:
        text = refuse_type("schema must be a path, JSON text or a dict, not " + kind_of(schema))
    return call.make("tacit_declaration", lib.tacit_declaration_parse, text.encode())
