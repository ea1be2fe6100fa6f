# SPDX-License-Identifier: Apache-2.0
"""python3 -m tacitdp is the command, for Parquet files and Excel workbooks too."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import tacitdp
from tacitdp import _command, _convert
from tacitdp._command import data_file

ASK = ["-k", "2", "--epsilon", "1", "--delta", "1e-6"]
TABLE = [*ASK, "--bounds", "age=0:100,joined=2015-01-01:2025-01-01", "--categories", "sex=F|M",
         "--insecure-test-seed", "3"]


@pytest.fixture
def run(command, tmp_path):
    environment = dict(os.environ, TACIT_COMMAND=command,
                       PYTHONPATH=str(Path(tacitdp.__file__).parent.parent))

    def go(*argv, check=0, program=None, **more):
        start = [command] if program == "tacit" else [sys.executable, "-m", "tacitdp"]
        done = subprocess.run([*start, *argv], cwd=tmp_path, env=environment, capture_output=True,
                              text=True, **more)
        assert check is None or done.returncode == check, done.stderr
        return done

    go.environment = environment
    return go


@pytest.fixture
def table(tmp_path):
    """The same table as CSV, Parquet and Excel, with all that a table may hold."""
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    group = rng.integers(0, 2, 3000)
    frame = pandas.DataFrame({
        "age": (np.where(group, 30, 60) + rng.normal(0, 3, 3000)).round(6),
        'spend, "net" €': (np.where(group, 200, 900) + rng.normal(0, 30, 3000)).round(6),
        "sex": np.where(group, "F", "M"),
        "joined": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(group * 400, "D"),
        "vip": group > 0, "visits": rng.integers(-5, 9, 3000)})
    frame.loc[3, "age"] = np.nan
    frame.loc[4, "sex"] = None
    frame.to_csv(tmp_path / "people.csv", index=False)
    return frame


@pytest.fixture
def parquet(table, tmp_path):
    pytest.importorskip("pyarrow")
    table.to_parquet(tmp_path / "people.parquet")


@pytest.fixture
def excel(table, tmp_path):
    pytest.importorskip("openpyxl")
    table.to_excel(tmp_path / "people.xlsx", index=False)


def test_the_command_itself(run):
    assert run("--version").stdout == run("--version", program="tacit").stdout
    assert run("--help").stdout == run("--help", program="tacit").stdout
    for argv in ([], ["kmean"], ["kmeans", "none.csv", *ASK, "--bounds", "0:1"]):
        ours, theirs = run(*argv, check=None), run(*argv, check=None, program="tacit")
        assert (ours.returncode, ours.stderr) == (theirs.returncode, theirs.stderr)


def same_release(run, other, tmp_path):
    run("kmeans", "people.csv", *TABLE, "-q", "-o", "a.json")
    run("kmeans", other, *TABLE, "-q", "-o", "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    labels = run("predict", "a.json", "people.csv").stdout
    assert run("predict", "a.json", other).stdout == labels
    assert json.loads(run("evaluate", "a.json", other, "--json").stdout) == \
        json.loads(run("evaluate", "a.json", "people.csv", "--json").stdout)


def test_parquet_gives_the_same_bytes(run, parquet, tmp_path):
    same_release(run, "people.parquet", tmp_path)


def test_excel_gives_the_same_bytes(run, excel, tmp_path):
    same_release(run, "people.xlsx", tmp_path)


def test_its_ledger_is_found_and_binds(run, parquet, tmp_path):
    run("ledger", "init", "people.parquet", "--epsilon", "2", "--delta", "1e-5", "--bounds",
        "age=0:100,visits=-5:9")
    run("kmeans", "people.parquet", *ASK, "-o", "m.json")
    shown = json.loads(run("ledger", "show", "people.parquet", "--json").stdout)
    assert shown["runs"] == 1 and shown["dataset"] == "people.parquet"
    assert "as-owner" in run("predict", "m.json", "people.parquet", check=77).stderr
    run("kmeans", "people.parquet", *ASK, "--bounds", "age=0:90,visits=-5:9", check=77)
    assert "insecure test seed" in run("kmeans", "people.parquet", *ASK, "--insecure-test-seed",
                                         "1", check=64).stderr
    assert json.loads(run("ledger", "show", "people.parquet", "--json").stdout)["runs"] == 1


def test_plans_and_declarations_read_no_row(run, parquet, tmp_path, monkeypatch):
    fields = json.loads(run("declare", "people.parquet").stdout)["fields"]
    assert [f["name"] for f in fields][:2] == ["age", 'spend, "net" €']
    run("plan", "kmeans", "people.parquet", *ASK, "--bounds", "age=0:100", "--rows-about", "3000")
    import pyarrow.parquet

    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "iter_batches", None)
    text, _ = converted("people.parquet", tmp_path / "people.parquet", rows=False)
    assert text.count(b"\n") == 1


def converted(name, data, rows=True):
    said, out = [], io.BytesIO()
    with open(data, "rb") as source:
        _convert.convert(name, source, out, rows=rows, say=said.append)
    return out.getvalue(), said


def test_numbers_keep_every_digit(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import datetime
    import decimal

    import pyarrow.parquet

    values = [0.1, 1e300, 5e-324, -0.0, 123456789.123456789, None]
    pyarrow.parquet.write_table(pyarrow.table({
        "d": pyarrow.array(values), "f": pyarrow.array([0.1] * 6, pyarrow.float32()),
        "i": pyarrow.array([2**63 - 1, -2**63, 0, 1, 2, None]),
        "u": pyarrow.array([2**64 - 1] * 6, pyarrow.uint64()),
        "n": pyarrow.array([decimal.Decimal("1.10")] * 6),
        "when": pyarrow.array([datetime.datetime(2020, 2, 29, 23, 59)] * 6),
        "day": pyarrow.array([datetime.date(1999, 12, 31)] * 6),
        "yes": pyarrow.array([True, False, None, True, True, True]),
        "word": pyarrow.array(['a,b', 'c"d', "e\nf", "", None, "é"]).dictionary_encode(),
        "list": pyarrow.array([[1]] * 6), "bytes": pyarrow.array([b"x"] * 6)}),
        tmp_path / "t.parquet")
    for reader in (_convert._by_pyarrow, _convert._by_duckdb):
        if reader is _convert._by_duckdb:
            pytest.importorskip("duckdb")
        import csv

        said = []
        with open(tmp_path / "t.parquet", "rb") as source:
            names, parts = reader("t.parquet", source, said.append)
            text = b"".join(parts).decode()
        assert names == ["d", "f", "i", "u", "n", "when", "day", "yes", "word"]
        assert len(said) == 1 and "list, bytes" in said[0]
        lines = list(csv.reader(io.StringIO(text)))
        for line, value in zip(lines, values):
            assert line[0] == "" if value is None else float(line[0]) == value
        assert float(lines[0][1]) == float(np.float32(0.1))
        assert [line[2] for line in lines[:2]] == [str(2**63 - 1), str(-2**63)]
        assert lines[0][3] == str(2**64 - 1) and lines[0][4] == "1.10"
        assert lines[0][5].startswith("2020-02-29") and lines[0][6] == "1999-12-31"
        assert [line[7] for line in lines[:3]] == ["true", "false", ""]
        assert [line[8] for line in lines] == ['a,b', 'c"d', "e\nf", "", "", "é"]


def test_a_file_that_breaks_off_among_its_rows(run, parquet, tmp_path, monkeypatch):
    """The command refuses it as any broken file, once the budget is spent, and no row is told."""
    import pyarrow.parquet

    whole = pyarrow.parquet.ParquetFile.iter_batches

    def breaks(self, *more, **named):
        yield from whole(self, batch_size=100, *more, **named)
        raise OSError("row 123 holds 456")

    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "iter_batches", breaks)
    text, said = converted("people.parquet", tmp_path / "people.parquet")
    assert text.endswith(b'"') and said == []
    (tmp_path / "broken.csv").write_bytes(text)
    run("ledger", "init", "broken.csv", "--epsilon", "2", "--delta", "1e-5", "--bounds",
        "age=0:100")
    run("kmeans", "broken.csv", *ASK, check=65)
    assert json.loads(run("ledger", "show", "broken.csv", "--json").stdout)["runs"] == 1


def test_what_is_no_such_file(run, table, tmp_path):
    for name in ("bad.parquet", "bad.xlsx"):
        (tmp_path / name).write_bytes((tmp_path / "people.csv").read_bytes())
        done = run("kmeans", name, *ASK, "--bounds", "age=0:100", check=65)
        assert name in done.stderr and "Traceback" not in done.stderr
    assert "none.parquet: cannot be opened" in run("kmeans", "none.parquet", *ASK, "--bounds",
                                                   "0:1", check=66).stderr


def test_what_is_not_installed(tmp_path, parquet, excel, monkeypatch):
    for module in ("pyarrow", "pyarrow.parquet", "duckdb", "openpyxl"):
        monkeypatch.setitem(sys.modules, module, None)
    for name, package in (("people.parquet", "pyarrow"), ("people.xlsx", "openpyxl")):
        with pytest.raises(_convert.ConvertError, match=f"pip install {package}"):
            converted(name, tmp_path / name)


def test_excel_lines_and_errors(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    for line in (["a", "b", None], [1, 2.5, None], [None, None, None], ["#N/A", 3, 9], [True]):
        sheet.append(line)
    book.create_sheet("other")
    book.save(tmp_path / "t.xlsx")
    text, said = converted("t.xlsx", tmp_path / "t.xlsx")
    assert text == b"a,b\n1,2.5\n,3\ntrue,\n"
    assert said == ["t.xlsx: the first of 2 sheets is used, Sheet"]
    assert converted("t.xlsx", tmp_path / "t.xlsx", rows=False)[0] == b"a,b\n"


def test_which_word_is_the_file(command):
    tables = json.loads(subprocess.run([command, "--tables"], capture_output=True,
                                       check=True).stdout)["options"]

    def found(line):
        return data_file(line.split(), tables)

    assert found("kmeans -k 2 x.parquet --epsilon 1") == "x.parquet"
    assert found("kmeans x.csv -o x.parquet") is None
    assert found("kmeans --output x.parquet y.XLSX") == "y.XLSX"
    assert found("kmeans --output=x.parquet y.pq") == "y.pq"
    assert found("kmeans --affine") is None
    assert found("subspace --affine x.parquet -q 2") == "x.parquet"
    assert found("kmeans -- x.parquet") == "x.parquet"
    assert found("predict m.json x.parquet") == "x.parquet"
    assert found("plan subspace x.parquet") == "x.parquet"
    assert found("ledger init x.parquet") == "x.parquet"
    assert found("ledger show x.parquet") is None
    assert found("recut x.parquet") is None
    assert found("audit --command x.parquet") is None
    assert found("kmeans x.parquet --converted 4") is None
    assert found("") is None


def test_ctrl_c_and_a_closed_pipe(run, parquet, tmp_path):
    """The process is the command: its pid gets the signal, and a reader that leaves ends it."""
    process = subprocess.Popen([sys.executable, "-m", "tacitdp", "audit", "kmeans", "--epsilon",
                                "1", "--delta", "1e-6", "--runs", "100000000", "-q"],
                               cwd=tmp_path, env=run.environment, stderr=subprocess.PIPE,
                               stdout=subprocess.PIPE,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if Path(f"/proc/{process.pid}/cmdline").read_bytes().startswith(b"tacit\0"):
            break
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    process.stderr.close()
    process.stdout.close()
    reading, writing = os.pipe()
    os.close(reading)
    plain = subprocess.Popen([sys.executable, "-m", "tacitdp", "--help"], env=run.environment,
                             stdout=writing, stderr=subprocess.DEVNULL)
    direct = subprocess.Popen([run.environment["TACIT_COMMAND"], "--help"], stdout=writing,
                              stderr=subprocess.DEVNULL)
    os.close(writing)
    assert plain.wait(60) == direct.wait(60)


def test_one_account_for_a_parquet_file(run, parquet, tmp_path):
    """The package and the command spend from one ledger, whoever made it."""
    td = tacitdp
    path = tmp_path / "people.parquet"
    ledger = td.Ledger.create(None, path, epsilon=3, delta=1e-5,
                              bounds={"age": (0, 100), "visits": (-5, 9)})
    assert ledger.schema["tacit"]["format"] == "csv"
    run("kmeans", "people.parquet", *ASK)
    km = td.KMeans(2, epsilon=1, delta=1e-6).fit(path)
    assert ledger.runs == 2
    assert len(km.predict(path, as_owner=True)) == 3000
    with pytest.raises(td.DeclaredError):
        km.predict(path)
    os.rename(path, tmp_path / "second.parquet")
    run("ledger", "init", "second.parquet", "--epsilon", "3", "--delta", "1e-5", "--bounds",
        "age=0:100")
    td.KMeans(2, epsilon=1, delta=1e-6).fit(tmp_path / "second.parquet")
    assert td.Ledger(tmp_path / "second.parquet.ledger").runs == 1


def test_workbooks_in_the_package(run, excel, tmp_path, monkeypatch):
    td = tacitdp
    asked = dict(epsilon=1, delta=1e-6, insecure_test_seed=3,
                 bounds={"age": (0, 100), "joined": ("2015-01-01", "2025-01-01")},
                 categories={"sex": ["F", "M"]})
    one = td.KMeans(2, **asked).fit(tmp_path / "people.xlsx").release_
    assert one.to_json() == td.KMeans(2, **asked).fit(tmp_path / "people.csv").release_.to_json()
    assert td.declare(tmp_path / "people.xlsx") == td.declare(tmp_path / "people.csv")
    td.KMeans(2, **asked).plan(tmp_path / "people.xlsx", rows_about=3000)
    (tmp_path / "bad.xlsx").write_text("age\n1\n")
    with pytest.raises(td.FormatError, match="bad.xlsx: is not an Excel workbook"):
        td.KMeans(2, **asked).fit(tmp_path / "bad.xlsx")


def test_a_limit_that_converted_rows_meet(excel, run):
    resource = pytest.importorskip("resource")
    done = run("kmeans", "people.xlsx", *TABLE, check=71,
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)))
    assert done.stderr == ("tacitdp: the rows cannot be converted: File too large; nothing was "
                           "spent\n")


def test_converted_rows_are_opened_by_nobody_else():
    """/proc shows what a process has open, and these rows are those of a file with a ledger."""
    with _convert.nameless() as rows:
        assert os.fstat(rows.fileno()).st_mode & 0o777 == 0
        if os.geteuid() != 0:  # whom no mode stops
            with pytest.raises(PermissionError):
                open(f"/proc/self/fd/{rows.fileno()}", "rb")


def test_a_link_that_is_swapped_meanwhile(excel, run, command, tmp_path, monkeypatch):
    """Rows of the owner's workbook are not released as those of a workbook without a ledger."""
    run("ledger", "init", "people.xlsx", "--epsilon", "0.1", "--delta", "1e-6", "--bounds",
        "age=0:100")
    run("kmeans", "people.xlsx", *ASK, check=75)
    (tmp_path / "mine.xlsx").write_bytes((tmp_path / "people.xlsx").read_bytes())
    link, whole = tmp_path / "link.xlsx", _command.convert
    link.symlink_to("people.xlsx")

    def swapped(*arguments, **more):
        link.unlink()
        link.symlink_to("mine.xlsx")
        return whole(*arguments, **more)

    monkeypatch.setattr(_command, "convert", swapped)
    words = _command._with_rows(command, ["kmeans", str(link), *ASK, "--bounds", "age=0:100"])
    kept = [int(number) for number in words[words.index("--converted") + 1].split(",")]
    done = subprocess.run([command, *words], capture_output=True, text=True, pass_fds=kept)
    for descriptor in kept:
        os.close(descriptor)
    assert done.returncode == 76 and "moved or replaced" in done.stderr and not done.stdout
    assert json.loads(run("ledger", "show", "people.xlsx", "--json").stdout)["runs"] == 0


def test_plans_of_a_workbook_read_no_row(excel, tmp_path, monkeypatch):
    wanted = []
    whole = _convert.convert

    def watched(*arguments, rows, **more):
        wanted.append(rows)
        return whole(*arguments, rows=rows, **more)

    monkeypatch.setattr(_convert, "convert", watched)
    km = tacitdp.KMeans(2, epsilon=1, delta=1e-6, bounds={"age": (0, 100)})
    km.plan(tmp_path / "people.xlsx", rows_about=3000)
    tacitdp.declare(tmp_path / "people.xlsx")
    tacitdp.Ledger.create(tmp_path / "x.ledger", tmp_path / "people.xlsx", epsilon=1,
                          bounds={"age": (0, 100)})
    assert wanted == [False, False, False]
