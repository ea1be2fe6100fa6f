# SPDX-License-Identifier: Apache-2.0
"""A declaration to fill in: what a table is, said once by its owner."""

from __future__ import annotations

import json
import os
from typing import Any

from tacitdp import _options as options
from tacitdp._call import Call
from tacitdp._convert import is_foreign
from tacitdp._data import converted
from tacitdp._errors import refuse_type
from tacitdp._library import lib, started
from tacitdp._source import Source
from tacitdp.files import File, as_file


def declare(path: Any) -> dict[str, Any]:
    """A template from the header of a file alone, to be filled in.

    Give every column its role (feature, unit, label, id, ignore) and every feature its smallest
    and largest possible value, from knowledge of the subject and never from the rows. Estimators
    and `Ledger.create` take the result as `schema`; written to ``FILE.schema.json`` it is found by
    itself. Of a file with a ledger it is what that declares.

    Parameters
    ----------
    path : path, File or list of paths
        Of a file with a header, or of several.

    Examples
    --------
    >>> import os, tempfile, tacitdp as td
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "people.csv")
    ...     with open(path, "w") as file:
    ...         print("name,age\\nsomebody,30", file=file)
    ...     schema = td.declare(path)
    >>> [(field["name"], field["tacit"]["role"]) for field in schema["fields"]]
    [('name', 'ignore'), ('age', 'feature')]
    """
    path = as_file(path)
    if not isinstance(path, (str, os.PathLike)):
        refuse_type("declare takes the path of a file or a File, not " + options.kind_of(path))
    opts, texts = started("tacit_data_opts"), options.Texts()
    with Call() as call, Source(call, path) as source:
        if source.ledger is not None:  # read otherwise, a row could pass for its header
            return json.loads(  # type: ignore[no-any-return]
                call.make_text(lib.tacit_declaration_json, source.declaration))
        if isinstance(path, File):
            path.fill(opts, texts)
        name, rows = min(source.paths), None  # columns come in the order of that file
        descriptor = source.descriptors[source.paths.index(name)]
        if is_foreign(name):
            rows = converted(name, descriptor, header_only=True)
            opts.format = opts.format or lib.TACIT_FORMAT_CSV
        opts.descriptor = descriptor if rows is None else rows.fileno()
        text = call.make_text(lib.tacit_declaration_template, os.fsencode(name), opts)
    made: dict[str, Any] = json.loads(text)
    return made
