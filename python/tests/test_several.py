# SPDX-License-Identifier: Apache-2.0
"""Several files as one data set, with one ledger."""

from __future__ import annotations

import os

import numpy as np
import pytest

import tacitdp as td

BOUNDS = {"a": (0, 1), "b": (0, 1)}


@pytest.fixture
def parts(tmp_path):
    """Three files, and one with the rows of all."""
    dice = np.random.default_rng(1)
    lines = [f"{a:.4f},{b:.4f},p{who}\n" for a, b, who in
             zip(dice.random(600), dice.random(600), dice.integers(0, 50, 600))]
    (tmp_path / "whole.csv").write_text("a,b,who\n" + "".join(lines))
    for i in range(3):
        (tmp_path / f"part-{i}.csv").write_text("a,b,who\n" + "".join(lines[200 * i:200 * i + 200]))
    return tmp_path


def fit(rows, **more):
    return td.KMeans(2, epsilon=1, delta=1e-6, bounds=BOUNDS, unit_column="who",
                     max_rows_per_person=2, insecure_test_seed=3, **more).fit(rows)


def test_same_release(parts):
    whole = fit(parts / "whole.csv").release_.to_json()
    names = [parts / f"part-{i}.csv" for i in range(3)]
    for rows in (names, names[::-1], tuple(map(str, names)), str(parts / "part-*.csv"),
                 td.File(names), td.File(str(parts / "part-?.csv"), format="csv")):
        assert fit(rows).release_.to_json() == whole


def test_owner(parts):
    names = [str(parts / f"part-{i}.csv") for i in range(3)]
    km = fit(names)
    assert (km.predict(names) == km.predict(parts / "whole.csv")).all()
    assert td.evaluate(km.release_, names).cost == td.evaluate(km.release_,
                                                               parts / "whole.csv").cost


def test_refused(parts):
    one = str(parts / "part-0.csv")
    (parts / "z.csv").write_text("a,x,who\n1,2,3\n")
    (parts / "x.parquet").write_bytes(b"PAR1")
    os.symlink(one, parts / "link.csv")
    for rows, sentence in (([one, str(parts / "z.csv")], "has no column 'b'"),
                           ([one, str(parts / "link.csv")], "are one file"),
                           ([one, one], "are one file"),
                           ([one, str(parts / "x.parquet")], "pyarrow.dataset"),
                           (str(parts / "none-*.csv"), "no data file is called as the pattern"),
                           ([one, str(parts / "none.csv")], "cannot be opened")):
        with pytest.raises(td.TacitError, match=sentence):
            fit(rows)


def test_one_ledger(parts):
    pattern = str(parts / "part-*.csv")
    ledger = td.Ledger.create(None, pattern, epsilon=4, delta=1e-5, bounds=BOUNDS,
                              unit_column="who", max_rows_per_person=2)
    assert os.path.basename(ledger.path) == "part-0.csv.ledger"
    assert os.path.islink(parts / "part-1.csv.ledger")
    names = [str(parts / f"part-{i}.csv") for i in range(3)]

    def run(rows, **more):
        return td.KMeans(2, epsilon=.5, delta=1e-6, **more).fit(rows)

    run(names[::-1])
    assert ledger.runs == 1
    spent = ledger.spent
    (parts / "extra.csv").write_text("a,b,who\n.1,.2,p1\n")
    for rows in (names[1], names[:2], [*names, str(parts / "extra.csv")],
                 [str(parts / "extra.csv"), *names]):
        with pytest.raises(td.TacitError, match="no data set|is not the data set"):
            run(rows)
    with pytest.raises(td.TacitError, match="has a ledger already"):
        td.Ledger.create(None, [str(parts / "extra.csv"), names[2]], epsilon=4, bounds=BOUNDS)
    assert ledger.spent == spent
    grown = td.Ledger.carry(ledger, None, [*names, str(parts / "extra.csv")], as_owner=True,
                            epsilon=5, delta=1e-5, bounds=BOUNDS, unit_column="who",
                            max_rows_per_person=2)
    assert grown.path == ledger.path
    run([*names, str(parts / "extra.csv")])
    assert grown.runs == 2 - 1  # what was carried over is one entry
