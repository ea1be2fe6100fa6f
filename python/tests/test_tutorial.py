# SPDX-License-Identifier: Apache-2.0
"""The tutorial runs from its first cell to its last, and is kept without outputs."""

from __future__ import annotations

import ast
import json

import pytest
from conftest import ROOT

TUTORIAL = ROOT / "examples" / "tutorial.ipynb"
pytestmark = pytest.mark.skipif(not TUTORIAL.exists(), reason="the tutorial is not here")


def code_cells():
    return [cell for cell in json.loads(TUTORIAL.read_text())["cells"]
            if cell["cell_type"] == "code"]


def test_it_is_kept_without_outputs():
    assert len(code_cells()) > 10
    for cell in code_cells():
        assert cell["outputs"] == [] and cell["execution_count"] is None


def test_it_runs():
    """Every cell in turn; what a cell ends with is shown as a notebook would show it."""
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pytest.importorskip("matplotlib").use("Agg")
    names: dict = {}
    shown = []
    for number, cell in enumerate(code_cells()):
        tree = ast.parse("".join(cell["source"]), f"cell {number}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
            if hasattr(value, "_repr_html_"):
                shown.append(value._repr_html_() or repr(value))
    assert sum("<table" in page for page in shown) >= 6
    assert names["km"].release_.is_private and names["three"].k == 3
    assert names["plan"].verdict == "usable"
    # five groups of 4000, far apart: epsilon 1 loses none but with a chance far below 1e-6
    assert names["km"].sizes_.min() > 1000
