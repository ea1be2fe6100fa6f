# SPDX-License-Identifier: Apache-2.0
"""Rows in memory and a declaration. A file or an Arrow stream is opened by its declaration; arrays
are told what it says, in the words of the options. Options that say otherwise are refused by the
ledger."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Optional

from tacitdp._call import Call
from tacitdp._data import Described, opened_by_declaration
from tacitdp._library import lib


def with_declaration(call: Call, rows: Any, said: Described, declaration: Any) -> Described:
    """What is said of the rows, together with the declaration that holds."""
    if declaration is None or opened_by_declaration(rows):
        return dataclasses.replace(said, declaration=declaration)
    text = json.loads(call.make_text(lib.tacit_declaration_json, declaration))
    declared = _described(text)
    found = {field.name: getattr(declared, field.name) for field in dataclasses.fields(said)
             if getattr(said, field.name) is None}
    if said.radius is not None or said.bounds is not None:  # one domain, not parts of two
        for name in ("bounds", "radius", "center"):
            found.pop(name, None)
    return dataclasses.replace(said, **found)


def _described(text: Any) -> Described:
    """A declaration's JSON in the words of the options."""
    about = text["tacit"]
    bounds: dict[str, Any] = {}
    categories: dict[str, Any] = {}
    weights: dict[str, Any] = {}
    transforms: dict[str, Any] = {}
    missing: list[str] = [about["missing"]] if "missing" in about else []
    unit: Optional[str] = None
    for field in text["fields"]:
        name, own = field["name"], field.get("tacit", {})
        limits = field.get("constraints", {})
        if own.get("role") == "unit":
            unit = name
        if own.get("role") != "feature":
            continue
        if "enum" in limits or field.get("type") == "boolean":
            categories[name] = limits.get("enum", "boolean")
        if "minimum" in limits:
            bounds[name] = (limits["minimum"], limits["maximum"])
        if own.get("bounds") == "private":
            bounds[name] = ("private", *bounds[name]) if name in bounds else "private"
        if "weight" in own:
            weights[name] = own["weight"]
        if "transform" in own:
            transforms[name] = own["transform"]
        if "fill" in own:
            missing.append(f"{name}=fill:{own['fill']}")
        elif "missing" in own:
            missing.append(f"{name}={own['missing']}")
    return Described(unit_column=unit, categories=categories or None, weights=weights or None,
                     transforms=transforms or None,
                     # rows start as drop-row, so saying it alone says nothing
                     missing=None if missing in ([], ["drop-row"]) else ",".join(missing),
                     bounds=bounds or (tuple(about["bounds"]) if "bounds" in about else None),
                     radius=about.get("radius"), center=about.get("center"))
