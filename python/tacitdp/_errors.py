# SPDX-License-Identifier: Apache-2.0
"""One exception for each status of the library (include/tacit/status.def), with the library's
sentence: which column, option or file, why, and how to mend it; never a data value."""

from __future__ import annotations

from typing import Any

from tacitdp._library import lib


class TacitError(Exception):
    """What every error of tacit is. `status` is the library's number of it."""

    status: int = -1


class ArgumentError(TacitError, ValueError):
    """An argument or option is wrong."""


class BudgetUnsetError(TacitError, ValueError):
    """No privacy budget was given: there is no default."""


class DomainError(TacitError, ValueError):
    """The declared bounds are missing or wrong."""


class FormatError(TacitError, ValueError):
    """The input does not follow its format."""


class OpenError(TacitError, OSError):
    """The input cannot be opened."""


class ReadError(TacitError, OSError):
    """Reading failed."""


class WriteError(TacitError, OSError):
    """The output cannot be written."""


class BudgetError(TacitError):
    """The ledger has too little budget left."""


class LedgerError(TacitError):
    """The ledger is missing, damaged, locked or of another version."""


class DeclaredError(TacitError):
    """It is not what the owner declared, or is for the owner alone."""


class OutOfMemoryError(TacitError, MemoryError):
    """Out of memory."""


class SystemCallError(TacitError, OSError):
    """A system call failed."""


class CancelledError(TacitError):
    """The work was interrupted."""


class ViolationError(TacitError):
    """An audit found a violation of privacy."""


class InternalError(TacitError):
    """An internal error of tacit; please report it."""


BY_SYMBOL: dict[str, type[TacitError]] = {
    "E_ARGUMENT": ArgumentError, "E_BUDGET_UNSET": BudgetUnsetError, "E_DOMAIN": DomainError,
    "E_FORMAT": FormatError, "E_OPEN": OpenError, "E_READ": ReadError, "E_WRITE": WriteError,
    "E_BUDGET_SPENT": BudgetError, "E_LEDGER": LedgerError, "E_DECLARED": DeclaredError,
    "E_MEMORY": OutOfMemoryError, "E_SYSTEM": SystemCallError, "E_CANCELLED": CancelledError,
    "E_VIOLATION": ViolationError, "E_INTERNAL": InternalError,
}
_BY_STATUS: dict[int, type[TacitError]] = {}
for _symbol, _kind in BY_SYMBOL.items():
    _kind.status = getattr(lib, f"TACIT_{_symbol}")
    _BY_STATUS[_kind.status] = _kind


def error_of(status: int, sentence: str) -> TacitError:
    """The exception of a status."""
    return _BY_STATUS.get(status, InternalError)(sentence)


class OptionTypeError(ArgumentError, TypeError):
    """An argument has a type that it cannot have."""


def refuse(sentence: str) -> Any:
    """An option is wrong; typed so that it may stand in an expression."""
    raise ArgumentError(sentence)


def refuse_type(sentence: str) -> Any:
    """The same for an argument of a wrong type."""
    raise OptionTypeError(sentence)
