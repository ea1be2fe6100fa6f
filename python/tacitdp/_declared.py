# SPDX-License-Identifier: Apache-2.0
"""Rows in memory and a declaration. A file or an Arrow stream is opened by its declaration; arrays
are told what it says, in the words of the options."""

from __future__ import annotations

from typing import Any

from tacitdp._call import Call
from tacitdp._data import Described


def declare_memory(call: Call, rows: Any, said: Described, declaration: Any) -> Described:
    """What is said of the rows, with the declaration that holds."""
    import dataclasses

    return dataclasses.replace(said, declaration=declaration)
