#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scoreboard's tables from numbers known beforehand, and what diffprivlib is said to spend. No
peer is needed. Usage: known_tables.py ROOT"""
import argparse
import json
import pathlib
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "bench"))
from scoreboard_audit import spent  # noqa: E402
from scoreboard_page import costs, write_page  # noqa: E402

CELLS = {
    "cost|a|auto|1.0|1e-06": [1.0, 1.02], "cost|b|auto|1.0|1e-06": [1.0, 1.0],
    "cost|a|lloyd|1.0|1e-06": [1.0, 1.0], "cost|b|lloyd|1.0|1e-06": [4.0, 4.0],
    "cost|a|google|1.0|1e-06": [2.0, 3.0, "no centers"], "cost|b|google|1.0|1e-06": [12.0, 14.0],
    "cost|a|dpm|1.0|1e-06": [5.0, "no centers"],
    "cost|a|emmc|1.0|1e-06": ["no centers"], "cost|b|emmc|1.0|1e-06": ["slow 30"],
    "speed|a|auto|1.0|1e-06": [[1.0, 100]], "speed|b|auto|1.0|1e-06": [[0.5, 100]],
    "speed|a|google|1.0|1e-06": [[20.0, 300]], "speed|b|google|1.0|1e-06": [[2.0, 300]],
    "audit|google|1.0|1e-06": [{"measured": 1.5, "violation": True}],
    "audit|ours|1.0|1e-06": [{"target": "kmeans auto", "measured": 0.25, "violation": False}],
    "audit|auto on google|1.0|1e-06": [{"measured": 0.5, "violation": False}],
    "cost|a|auto|1.0|0.0": [1.5, 1.5], "cost|b|auto|1.0|0.0": [6.0, 6.0],
}
LINES = [
    "`auto` has the smallest mean in 1 of 2 places; it loses on a at 1 (`lloyd`, by 1 %).",
    "`auto` has the smallest mean in 2 of 2 places.",
    "| tacit auto | 1.00 | 0.50 | 1.0 | 1.0 |",        # the larger of two bounds
    "| Google LSH | - | **1.50** | 4.0 to 20 | 3.0 |",  # no mean: a run had no centers
    "| EMMC | - | - | - | - |",
    "| `lloyd` | 2.00 | - | - | - |",
    "| tacit auto | 1.010 (.01) | **1.000** (0) |",
    "| Google LSH | 2.50 (.5), 1 of 3 without centers | 13.0 (1) |",
    "| DPM | 5.00, 1 of 2 without centers | - |",      # one run has no error
    "| EMMC | no centers | not in 60 x |",
    "| `lloyd` | **1.000** (0) | 4.00 (0) |",
    "| tacit auto | 3.00 | - | - | - |",
    "2 runs where a cell says nothing else.",
]


class Board:
    cells = json.loads(json.dumps(CELLS))

    def cell(self, *key):
        return self.cells.setdefault("|".join(map(str, key)), [])


with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder) / "page.md"
    page.write_text("before\n<!-- tables: begin -->\nold\n<!-- tables: end -->\nafter\n")
    write_page(Board(), argparse.Namespace(page=page, picture=None), ["a", "b"], [1.0],
               {1e-6: ["auto", "lloyd", "sulq"], 0.0: ["auto"]},
               {1e-6: ["google", "dpm", "emmc"], 0.0: []})
    text = page.read_text()
missing = [line for line in LINES if line not in text]
wrong = [part for part in ("old\n", "sulq") if part in text]
outside = text.startswith("before\n") and text.endswith("after\n")
# What was given up at one epsilon was not run at the others.
if "| EMMC | - |" not in list(costs(Board(), ["b"], [0.5], ["emmc"], 1e-6, 2)):
    missing.append("| EMMC | - | at another epsilon than the one at which it was given up")
for line in missing:
    print(f"missing: {line}")
for part in wrong:
    print(f"still there: {part}")
told = (root / "docs/scoreboard.md").read_text(encoding="utf-8")
values = f"{spent(2):.2f} times in 2 columns, {spent(10):.2f} in 10, {spent(64):.2f} in 64"
if values not in told:
    print(f"the page does not say: {values}")
# c is 1 where d is 1 / 0.2025; exchanged or not, equal shares spend what they are told.
if abs(spent(1 / 0.2025) - 1) > 1e-12 or not spent(4) < 1 < spent(5):
    print("the shares do not meet where they should")
    missing.append("")
if missing or wrong or not outside or values not in told:
    print(text)
    sys.exit(1)
print("ok: tables of known numbers, and what diffprivlib spends")
