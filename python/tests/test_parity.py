# SPDX-License-Identifier: Apache-2.0
"""With the same insecure test seed, Python and the command give the same release, byte for byte:
every family, from CSV, numpy, Arrow and sparse rows."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

import tacitdp as td
from tacitdp import _arrow

SEED = 11


def released(command, tmp_path, *arguments) -> str:
    """What the command writes."""
    out = tmp_path / "command.json"
    subprocess.run([command, *map(str, arguments), "--insecure-test-seed", str(SEED), "--quiet",
                    "-o", str(out)], check=True, cwd=tmp_path, capture_output=True)
    return out.read_text()


def csv_of(path, rows, names):
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        for row in rows.tolist():
            file.write(",".join(map(repr, row)) + "\n")
    return path


def form(kind, rows, names):
    """The table as a frame of some library."""
    module = pytest.importorskip(kind)
    columns = {name: rows[:, j] for j, name in enumerate(names)}
    if kind == "pyarrow":
        return module.table(columns)
    if kind == "duckdb":
        if not _arrow.HAS_STREAMS:
            pytest.skip("this library has no Arrow streams")
        table = pytest.importorskip("pyarrow").table(columns)
        return module.connect().from_arrow(table)
    return module.DataFrame(columns)


SPARSE = ["csr", "csc", "coo"]
KINDS = ["path", "numpy", "fortran", "big-endian", *SPARSE, "pandas", "polars", "pyarrow",
         "duckdb"]


def given(kind, rows, names, path):
    if kind == "path":
        return path
    if kind == "numpy":
        return rows
    if kind == "fortran":
        return np.asfortranarray(rows)
    if kind == "big-endian":
        return rows.astype(rows.dtype.newbyteorder(">"))
    if kind in SPARSE:
        return pytest.importorskip("scipy.sparse").coo_array(rows).asformat(kind)
    if kind == "pyarrow" and not _arrow.HAS_STREAMS:
        pytest.skip("this library has no Arrow streams")
    return form(kind, rows, names)


NAMES = ["c1", "c2", "c3"]
FAMILIES = {
    "kmeans": (["kmeans", "-k", "3", "--epsilon", "1", "--delta", "1e-6", "--bounds", "0:1"],
               td.KMeans(3, epsilon=1, delta=1e-6, bounds=(0, 1), insecure_test_seed=SEED)),
    "kmeans-auto": (["kmeans", "-k", "auto", "--k-max", "6", "--epsilon", "1", "--delta", "1e-6",
                     "--bounds", "c1=0:1,c3=0:2", "--weights", "c1=2", "--no-synopsis"],
                    td.KMeans("auto", k_max=6, epsilon=1, delta=1e-6,
                              bounds={"c1": (0, 1), "c3": (0, 2)}, weights={"c1": 2},
                              synopsis=False, insecure_test_seed=SEED)),
    "kmeans-pure": (["kmeans", "-k", "3", "--epsilon", "1", "--method", "lloyd", "--rounds", "4",
                     "--bounds", "-1:2", "--neighbors", "replace", "--scale", "none"],
                    td.KMeans(3, epsilon=1, method="lloyd", rounds=4, bounds=(-1, 2),
                              neighbors="replace", scale="none", insecure_test_seed=SEED)),
    "kmedian": (["kmedian", "-k", "3", "--epsilon", "1", "--delta", "1e-6", "--radius", "2",
                 "--center", "0.5"],
                td.KMedians(3, epsilon=1, delta=1e-6, radius=2, center=0.5,
                            insecure_test_seed=SEED)),
    "subspace": (["subspace", "-k", "2", "-q", "1", "--epsilon", "1", "--delta", "1e-6",
                  "--radius", "1.5"],
                 td.SubspaceClustering(2, 1, epsilon=1, delta=1e-6, radius=1.5,
                                       insecure_test_seed=SEED)),
    "subspace-affine": (["subspace", "-k", "auto", "-q", "auto", "--affine", "--epsilon", "1",
                         "--delta", "1e-6", "--bounds", "0:1"],
                        td.SubspaceClustering("auto", "auto", affine=True, epsilon=1, delta=1e-6,
                                              bounds=(0, 1), insecure_test_seed=SEED)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_centers_and_subspaces(family, kind, rows, command, tmp_path):
    arguments, estimator = FAMILIES[family]
    if family == "kmeans-auto" and kind in SPARSE:
        pytest.skip("weights are for tables with all their cells")
    path = csv_of(tmp_path / "rows.csv", rows, NAMES)
    wanted = released(command, tmp_path, arguments[0], path, *arguments[1:])
    assert estimator.fit(given(kind, rows, NAMES, path)).release_.to_json() == wanted


def counts_table() -> np.ndarray:
    rng = np.random.default_rng(3)
    means = np.kron([[3, 0.2, 0.2], [0.2, 3, 0.2], [0.2, 0.2, 3]], np.ones((400, 8)))
    return rng.poisson(means).astype(np.int64)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", ["row", "entry"])
def test_counts(unit, kind, command, tmp_path):
    counts = counts_table()
    names = [f"c{j + 1}" for j in range(counts.shape[1])]
    path = csv_of(tmp_path / "counts.csv", counts, names)
    file = td.File(path, shape=counts.shape)
    # of entries the shape is public; arrays have one, and a stream is read to find its own
    shape = [] if kind in ("pandas", "polars", "pyarrow", "duckdb") else ["--shape", "1200x24"]
    wanted = released(command, tmp_path, "cocluster", path, "--rows", 3, "--cols", 3, "--epsilon",
                      1, "--delta", "1e-6", "--unit", unit, *shape)
    cc = td.CoClustering(3, 3, epsilon=1, delta=1e-6, unit=unit, insecure_test_seed=SEED)
    assert cc.fit(given(kind, counts, names, file)).release_.to_json() == wanted


def test_triplets_are_known_by_their_header(command, tmp_path):
    counts = counts_table()
    with open(tmp_path / "t.csv", "w") as file:
        file.write("row,col,count\n")
        for i, j in zip(*np.nonzero(counts)):
            file.write(f"{i},{j},{counts[i, j]}\n")
    wanted = released(command, tmp_path, "cocluster", "t.csv", "--rows", 3, "--cols", 3,
                      "--epsilon", 1, "--delta", "1e-6", "--shape", "x24")
    cc = td.CoClustering(3, 3, epsilon=1, delta=1e-6, insecure_test_seed=SEED)
    assert cc.fit(td.File(tmp_path / "t.csv", shape=(None, 24))).release_.to_json() == wanted


def customers(tmp_path):
    """A messy table: texts, dates, holes, persons."""
    rng = np.random.default_rng(5)
    n = 3000
    table = {
        "id": [f"C{i // 2:05d}" for i in range(n)],
        "sex": rng.choice(["F", "M", ""], n, p=[0.5, 0.45, 0.05]).tolist(),
        "age": [None if i % 17 == 0 else int(a) for i, a in enumerate(rng.integers(18, 90, n))],
        "spend": rng.lognormal(5, 1, n).round(2).tolist(),
        "joined": [str(np.datetime64("2015-01-01") + np.timedelta64(int(day), "D"))
                   for day in rng.integers(0, 3000, n)],
    }
    with open(tmp_path / "customers.csv", "w") as file:
        file.write(",".join(table) + "\n")
        for row in zip(*table.values()):
            file.write(",".join("" if cell is None else str(cell) for cell in row) + "\n")
    return table


MESSY = (["-k", "3", "--epsilon", "2", "--delta", "1e-6", "--bounds",
          "age=18:100,spend=1:100000,joined=2010-01-01:2026-12-31", "--categories", "sex=F|M",
          "--weights", "sex=0.2", "--log", "spend", "--missing", "drop-row,age=fill:40,"
          "sex=own-category", "--unit-column", "id", "--max-rows-per-person", "2"],
         td.KMeans(3, epsilon=2, delta=1e-6,
                   bounds={"age": (18, 100), "spend": (1, 1e5),
                           "joined": ("2010-01-01", "2026-12-31")},
                   categories={"sex": ["F", "M"]}, weights={"sex": 0.2},
                   transforms={"spend": "log"},
                   missing="drop-row,age=fill:40,sex=own-category", unit_column="id",
                   max_rows_per_person=2, insecure_test_seed=SEED))


@pytest.mark.parametrize("kind", ["path", "pandas", "polars", "pyarrow", "duckdb", "parquet"])
def test_a_messy_table(kind, command, tmp_path):
    table = customers(tmp_path)
    wanted = released(command, tmp_path, "kmeans", "customers.csv", *MESSY[0])
    if kind != "path" and not _arrow.HAS_STREAMS:
        pytest.skip("this library has no Arrow streams")
    pa = pytest.importorskip("pyarrow")
    arrow = pa.table(table)
    if kind == "path":
        rows = tmp_path / "customers.csv"
    elif kind == "parquet":
        pytest.importorskip("pyarrow.parquet").write_table(arrow, tmp_path / "c.parquet")
        rows = tmp_path / "c.parquet"
    elif kind == "pandas":
        pytest.importorskip("pandas")
        rows = arrow.to_pandas()
    elif kind == "polars":
        rows = pytest.importorskip("polars").from_arrow(arrow)
    elif kind == "duckdb":
        rows = pytest.importorskip("duckdb").connect().from_arrow(arrow)
    else:
        rows = arrow
    km = MESSY[1].fit(rows)
    assert km.release_.to_json() == wanted
    if kind != "duckdb":  # whose streams can be read once
        assert km.predict(rows).shape == (3000,)


def test_plain_solvers(rows, command, tmp_path):
    path = csv_of(tmp_path / "rows.csv", rows[::6], NAMES)
    wanted = plainly(command, tmp_path, "subspace", path, "-k", 2, "-q", 1, "--radius", 2,
                     "--solver", "tsc", "--restarts", 3, "--seed", 4)
    sc = td.SubspaceClustering(2, 1, radius=2, solver="tsc")
    assert sc.plain(rows[::6], restarts=3, seed=4).to_json() == wanted
    counts = counts_table()
    names = [f"c{j + 1}" for j in range(counts.shape[1])]
    path = csv_of(tmp_path / "counts.csv", counts, names)
    wanted = plainly(command, tmp_path, "cocluster", path, "--rows", 3, "--cols", 3)
    release = td.CoClustering(3, 3).plain(counts)
    assert release.to_json() == wanted and not release.is_private


def plainly(command, tmp_path, *arguments) -> str:
    out = tmp_path / "plain.json"
    subprocess.run([command, *map(str, arguments), "--not-private", "--quiet", "-o", str(out)],
                   check=True, cwd=tmp_path, capture_output=True)
    return out.read_text()
