# SPDX-License-Identifier: Apache-2.0
"""Ledgers for tests, by the library alone."""

from __future__ import annotations

import os

from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._data import Described, open_table
from tacitdp._library import lib, started, text_of


def create(path, rows, epsilon=3.0, delta=1e-5, units=None, most=0, **said):
    """The ledger of rows in memory."""
    with Call() as call:
        table = open_table(call, rows, Described(**said), units)
        if "bounds" in said:
            options.declare_domain(call, table.handle, said["bounds"], None, None, False, False)
        declaration = call.make("tacit_declaration", lib.tacit_data_declaration, table.handle, 0,
                                most)
        call.do(lib.tacit_ledger_create, os.fsencode(path), b"rows", epsilon, delta, declaration)
    return path


def spent(path) -> float:
    with Call() as call:
        ledger = call.make("tacit_ledger", lib.tacit_ledger_open, os.fsencode(path))
        summary = started("tacit_ledger_summary")
        call.do(lib.tacit_ledger_summarize, ledger, summary)
        return summary.spent


def history(path) -> list[tuple[str, str]]:
    from tacitdp._library import ffi

    seen = []

    @ffi.callback("tacit_ledger_entry_fn")
    def each(entry, payload):
        seen.append((text_of(entry.kind), text_of(entry.what)))
        return 0

    with Call() as call:
        ledger = call.make("tacit_ledger", lib.tacit_ledger_open, os.fsencode(path))
        call.do(lib.tacit_ledger_history, ledger, each, ffi.NULL)
    return seen
