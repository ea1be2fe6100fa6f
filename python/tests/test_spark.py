# SPDX-License-Identifier: Apache-2.0
"""Estimators on a real Spark of two worker JVMs: the release of the command byte for byte, however
the rows are split and whatever dies; nothing is released or left unpaid when a reply is wrong."""

from __future__ import annotations

import datetime
import decimal
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import spark_cluster
import tacitdp as td
from test_docs import blocks
from tacitdp import spark as on_spark
from tacitdp import _spark_engine as engine
from tacitdp import _spark_session as closed

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no java, which Spark needs", allow_module_level=True)

SEED = 11
NAMES = ["c1", "c2", "c3"]
KMEANS = dict(epsilon=1, delta=1e-6, bounds=(0, 1), insecure_test_seed=SEED)
SHORT = dict(KMEANS, method="lloyd", rounds=2)


@pytest.fixture(scope="module")
def session():
    made = spark_cluster.start(os.environ.get("TACIT_TEST_SPARK", "local-cluster[2,1,768]"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def points():
    """Two groups of 1500 rows in the unit box."""
    rng = np.random.default_rng(7)
    return np.concatenate([rng.normal(m, 0.04, (1500, 3)) for m in (0.3, 0.7)])


def frame_of(session, rows, names=NAMES, partitions=2):
    table = pytest.importorskip("pyarrow").table(
        {name: rows[:, j] for j, name in enumerate(names)})
    return session.createDataFrame(table).repartition(partitions)


def csv_of(path, columns):
    with open(path, "w") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join("" if one is None else
                                one if isinstance(one, str) else str(one) for one in row) + "\n")


def released(command, folder, *arguments):
    out = folder / "command.json"
    subprocess.run([command, *map(str, arguments), "--insecure-test-seed", str(SEED), "--quiet",
                    "-o", str(out)], check=True, cwd=folder, capture_output=True)
    return out.read_text()


# ---- the same bytes ----

def split(frame, how):
    if how == "one":
        return frame.coalesce(1)
    if how == "empty":  # most of them, and one in the middle
        return frame.union(frame.filter("c1 > 1e9")).repartition(2).union(frame.limit(0))
    return frame


@pytest.mark.parametrize("how", ["one", "empty"])
def test_kmeans_auto(session, command, points, tmp_path, how):
    csv_of(tmp_path / "rows.csv", {name: points[:, j].tolist() for j, name in enumerate(NAMES)})
    expected = released(command, tmp_path, "kmeans", "rows.csv", "-k", 2, "--epsilon", 1,
                        "--delta", 1e-6, "--bounds", "0:1")
    km = on_spark.KMeans(2, **KMEANS).fit(split(frame_of(session, points), how))
    assert km.release_.to_json() == expected
    assert km.cluster_centers_.shape == (2, 3) and list(km.feature_names_in_) == NAMES


def test_subspace_auto(session, command, tmp_path):
    rows, _, _ = td.make_subspaces(1500, 4, 2, 1, seed=3)
    names = ["a", "b", "c", "d"]
    csv_of(tmp_path / "rows.csv", {name: rows[:, j].tolist() for j, name in enumerate(names)})
    expected = released(command, tmp_path, "subspace", "rows.csv", "-k", 2, "-q", 1, "--epsilon",
                        1, "--delta", 1e-6, "--radius", 1)
    ss = on_spark.SubspaceClustering(2, 1, epsilon=1, delta=1e-6, radius=1,
                                     insecure_test_seed=SEED)
    assert ss.fit(frame_of(session, rows, names)).release_.to_json() == expected


def test_cocluster_rows(session, command, tmp_path):
    rng = np.random.default_rng(5)
    counts = rng.poisson(np.kron(np.eye(2), np.full((600, 6), 5)) + 1)
    names = [f"w{j}" for j in range(12)]
    csv_of(tmp_path / "rows.csv", {name: counts[:, j].tolist() for j, name in enumerate(names)})
    expected = released(command, tmp_path, "cocluster", "rows.csv", "--rows", 2, "--cols", 2,
                        "--epsilon", 4, "--delta", 1e-6)
    cc = on_spark.CoClustering(2, 2, epsilon=4, delta=1e-6, insecure_test_seed=SEED)
    assert cc.fit(frame_of(session, counts, names, 3)).release_.to_json() == expected


def test_kmedian(session, command, points, tmp_path):
    csv_of(tmp_path / "rows.csv", {name: points[:, j].tolist() for j, name in enumerate(NAMES)})
    expected = released(command, tmp_path, "kmedian", "rows.csv", "-k", 2, "--epsilon", 1,
                        "--delta", 1e-6, "--bounds", "0:1")
    km = on_spark.KMedians(2, **KMEANS).fit(frame_of(session, points, partitions=3))
    assert km.release_.to_json() == expected


def test_types(session, command, tmp_path):
    """Nulls, categories, dates, instants, decimals and texts; a column that nobody uses."""
    rng = np.random.default_rng(2)
    n = 900
    day = [datetime.date(2020, 1, 1) + datetime.timedelta(int(d)) for d in rng.integers(0, 900, n)]
    columns = {
        "age": [None if i % 50 == 0 else float(i % 80) for i in range(n)],
        "sex": [None if i % 70 == 0 else "FM"[i % 2] for i in range(n)],
        "name": ["somebody"] * n,
        "born": day,
        "seen": [str(d) for d in reversed(day)],
        "spend": [decimal.Decimal(int(x)) / 4 for x in rng.integers(0, 4000, n)],
        "a.b`": rng.integers(0, 9, n).tolist(),
    }
    csv_of(tmp_path / "rows.csv", columns)
    dates = {"born": ("2020-01-01", "2023-01-01"), "seen": ("2020-01-01", "2023-01-01")}
    bounds = {"age": (0, 80), **dates, "spend": (0, 1000), "a.b`": (0, 9)}
    expected = released(
        command, tmp_path, "kmeans", "rows.csv", "-k", 2, "--epsilon", 1, "--delta", 1e-6,
        "--method", "lloyd", "--rounds", 2, "--categories", "sex=F|M", "--missing",
        "sex=own-category", "--bounds",
        ",".join(f"{name}={low}:{high}" for name, (low, high) in bounds.items()))
    schema = ("age double, sex string, name string, born date, seen string, spend decimal(12,2), "
              "`a.b``` int")
    frame = session.createDataFrame(list(zip(*columns.values())), schema).repartition(3)
    km = on_spark.KMeans(2, **dict(SHORT, bounds=bounds), categories={"sex": ["F", "M"]},
                         missing={"sex": "own-category"})
    assert km.fit(frame).release_.to_json() == expected
    instants = frame.withColumn("born", frame.born.cast("timestamp"))
    assert km.fit(instants).release_.to_json() == expected


@pytest.mark.parametrize("ids", ["texts", "numbers"])
def test_persons(session, command, tmp_path, ids):
    """Wherever Spark had the rows of a person, so many of them count; nobody's do not."""
    rng = np.random.default_rng(4)
    people = rng.integers(0, 300, 1200).tolist()
    who = [None if i % 97 == 0 else f"p{i}" if ids == "texts" else i for i in people]
    columns = {"who": who, "x": rng.uniform(0, 1, 1200).tolist(),
               "y": rng.uniform(0, 1, 1200).tolist()}
    csv_of(tmp_path / "rows.csv", columns)
    expected = released(command, tmp_path, "kmeans", "rows.csv", "-k", 2, "--epsilon", 1,
                        "--delta", 1e-6, "--method", "lloyd", "--rounds", 2, "--bounds",
                        "x=0:1,y=0:1", "--unit-column", "who", "--max-rows-per-person", 2)
    kind = "string" if ids == "texts" else "long"
    frame = session.createDataFrame(list(zip(*columns.values())),
                                    f"who {kind}, x double, y double").repartition(4)
    km = on_spark.KMeans(2, **dict(SHORT, bounds={"x": (0, 1), "y": (0, 1)}),
                         unit_column="who" if ids == "texts" else "1", max_rows_per_person=2)
    assert km.fit(frame).release_.to_json() == expected


def test_counts_of_persons(session, command, tmp_path):
    """A person's rows are added up, on the one shard that has them."""
    counts = np.random.default_rng(6).poisson(
        np.kron(np.eye(2), np.full((300, 4), 5)) + 1).tolist()
    columns = {"who": [f"p{i % 200}" for i in range(600)],
               **{f"w{j}": [row[j] for row in counts] for j in range(8)}}
    csv_of(tmp_path / "rows.csv", columns)
    expected = released(command, tmp_path, "cocluster", "rows.csv", "--rows", 2, "--cols", 2,
                        "--epsilon", 4, "--delta", 1e-6, "--unit", "person", "--unit-column",
                        "who")
    frame = session.createDataFrame(list(zip(*columns.values())), "who string, " + ", ".join(
        f"w{j} int" for j in range(8))).repartition(3)
    cc = on_spark.CoClustering(2, 2, epsilon=4, delta=1e-6, unit="person", unit_column="who",
                               insecure_test_seed=SEED)
    assert cc.fit(frame).release_.to_json() == expected


def test_a_person_on_two_shards(session, monkeypatch):
    """The shard looks, whatever Spark did with the rows."""
    rows = [(f"p{i % 50}", i / 600) for i in range(600)]
    frame = session.createDataFrame(rows, "who string, x double")
    monkeypatch.setattr(engine.SparkRows, "_together",
                        lambda self, rows: rows.repartition(self.shards))
    km = on_spark.KMeans(2, **dict(SHORT, bounds={"x": (0, 1)}), unit_column="who",
                         max_rows_per_person=2)
    with pytest.raises(td.ArgumentError, match="rows of one person must be on the shard"):
        km.fit(frame)
    assert not hasattr(km, "release_")


def test_no_rows(session, points):
    """A table like any other, though Spark runs no task for it."""
    expected = td.KMeans(2, **SHORT).fit(dict_frame(points[:0])).release_
    frame = frame_of(session, points)
    for empty in (frame.limit(0), frame.filter("c1 > 1e9")):
        assert on_spark.KMeans(2, **SHORT).fit(empty).release_ == expected
    persons = dict(SHORT, bounds={"c2": (0, 1)}, unit_column="c1", max_rows_per_person=1)
    expected = td.KMeans(2, **persons).fit(dict_frame(points[:0])).release_
    assert on_spark.KMeans(2, **persons).fit(frame.limit(0)).release_ == expected


def test_many_shards(session, points, monkeypatch):
    """Their answers are combined on the way."""
    monkeypatch.setattr(engine, "MANY", 4)
    expected = td.KMeans(2, **SHORT).fit(dict_frame(points)).release_
    frame = frame_of(session, points, partitions=9)
    assert on_spark.KMeans(2, **SHORT).fit(frame).release_ == expected


def test_the_page(session, tmp_path, monkeypatch):
    """docs/spark.md from top to bottom: a first release, a ledger, labels where the rows are."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.normal(40, 9, 3000), rng.normal(800, 90, 3000)])
    customers = frame_of(session, rows, ["age", "spend"])
    customers.createOrReplaceTempView("customers")
    known = {"df": customers}
    for block in blocks("spark.md"):
        exec(block, known)
    release = known["release"]
    assert td.load("segments.json") == release and 0 < known["ledger"].spent <= 1
    labeled = known["labeled"].toPandas()
    assert (labeled.segment == release.predict(labeled[["age", "spend"]])).all()
    assert len(labeled) == len(rows)


def test_connect(tmp_path):
    """Spark Connect has no RDD and no JVM beside this process. A session is for all of a process,
    so it has one of its own."""
    pytest.importorskip("grpc")
    script = Path(__file__).with_name("spark_connect.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert "the same release: True" in done.stdout, done.stderr[-2000:]


# ---- what goes wrong ----

def test_a_worker_is_killed(session, points, monkeypatch):
    """An executor dies between two queries: Spark makes its blocks again."""
    several = dict(SHORT, rounds=5)
    expected = td.KMeans(2, **several).fit(dict_frame(points)).release_
    evaluate = engine.SparkRows.evaluate

    def deadly(self, query, take):
        if self.queries == 2:
            os.kill(spark_cluster.executors(session)[0], signal.SIGKILL)
        evaluate(self, query, take)

    monkeypatch.setattr(engine.SparkRows, "evaluate", deadly)
    assert on_spark.KMeans(2, **several).fit(frame_of(session, points)).release_ == expected


def dict_frame(rows):
    return pytest.importorskip("pyarrow").table({name: rows[:, j] for j, name in enumerate(NAMES)})


def twice(answers):
    return [*answers, answers[0]]


def one_missing(answers):
    return answers[1:]


def damaged(answers):
    first = bytearray(answers[0])
    first[len(first) // 2] ^= 1
    return [bytes(first), *answers[1:]]


@pytest.mark.parametrize("wrong", [twice, one_missing, damaged, "of another query"])
def test_wrong_answers(session, points, tmp_path, monkeypatch, wrong):
    """Refused, nothing released, and what was reserved stays spent."""
    frame = frame_of(session, points)
    ledger = td.Ledger.create(tmp_path / "rows.ledger", dict_frame(points), epsilon=2, delta=1e-5,
                              bounds=(0, 1))
    evaluate, earlier = engine.SparkRows.evaluate, []

    def changed(self, query, take):
        answers = []
        evaluate(self, query, answers.append)
        given = answers if wrong == "of another query" else wrong(answers)
        for answer in earlier or given:
            take(answer)
        if wrong == "of another query":
            earlier[:] = answers

    monkeypatch.setattr(engine.SparkRows, "evaluate", changed)
    km = on_spark.KMeans(2, epsilon=1, delta=1e-6, method="lloyd", rounds=2, ledger=ledger)
    with pytest.raises(td.TacitError, match="shard|answer"):
        km.fit(frame)
    assert not hasattr(km, "release_") and ledger.spent > 0.2


def test_rows_that_change(session, points, monkeypatch):
    """Spark loses what it kept, and the source gives other rows."""
    from pyspark.sql import functions

    noise = functions.udf(lambda: float(np.random.default_rng().uniform()), "double")
    frame = frame_of(session, points).withColumn("c3", noise.asNondeterministic()())
    place = engine.SparkRows.place

    def forgetful(self, frames, take):
        place(self, frames, take)
        self.rows.unpersist(True)
        place(self, frames, lambda receipt: None)

    monkeypatch.setattr(engine.SparkRows, "place", forgetful)
    with pytest.raises(td.ReadError, match="changed while they were clustered"):
        on_spark.KMeans(2, **SHORT).fit(frame)


def test_a_failing_source_tells_no_value(session, points, tmp_path):
    """What Spark says of somebody's function holds a value; what is raised does not."""
    from pyspark.sql import functions

    def fail(x):
        raise ValueError(f"secret-{x}")

    ledger = td.Ledger.create(tmp_path / "rows.ledger", dict_frame(points), epsilon=2, delta=1e-5,
                              bounds=(0, 1))
    frame = frame_of(session, points).withColumn("c3", functions.udf(fail, "double")("c2"))
    km = on_spark.KMeans(2, epsilon=1, delta=1e-6, ledger=ledger)
    with pytest.raises(td.ReadError, match="Spark could not finish a job") as caught:
        km.fit(frame)
    error = caught.value
    assert "secret" not in str(error) and error.__cause__ is None and ledger.spent > 0.2
    assert error.__suppress_context__ or error.__context__ is None


def test_methods_that_need_all_rows(session, points, tmp_path):
    ledger = td.Ledger.create(tmp_path / "rows.ledger", frame_of(session, points), epsilon=2,
                              delta=1e-5, bounds=(0, 1))
    for method in ("kvariates", "sample-aggregate"):
        with pytest.raises(td.TacitError, match="one place|no price on a ledger"):
            on_spark.KMeans(2, epsilon=1, delta=1e-6, method=method, ledger=ledger).fit(
                frame_of(session, points))
    assert ledger.spent == 0
    with pytest.raises(td.ArgumentError, match="one place"):
        on_spark.KMeans(2, **dict(KMEANS, method="sample-aggregate")).fit(
            frame_of(session, points))
    with pytest.raises(td.ArgumentError, match="one place"):
        on_spark.CoClustering(2, 2, epsilon=1, delta=1e-6, unit="entry").fit(
            frame_of(session, points))


def test_a_plan(session, points):
    plan = on_spark.KMeans(2, epsilon=1, delta=1e-6, bounds=(0, 1)).plan(
        frame_of(session, points), rows_about=3000)
    assert plan.verdict in ("usable", "rough", "useless")


def test_what_is_no_table(session, points):
    from pyspark.sql import functions

    frame = frame_of(session, points)
    with pytest.raises(TypeError, match="takes a DataFrame of Spark"):
        on_spark.KMeans(2, **KMEANS).fit(points)
    with pytest.raises(TypeError, match="streaming"):
        on_spark.KMeans(2, **KMEANS).fit(session.readStream.format("rate").load())
    listed = frame.withColumn("c3", functions.array("c1", "c2"))
    with pytest.raises(TypeError, match="'c3' is of Spark's type array.*vector_to_array"):
        on_spark.KMeans(2, **KMEANS).fit(listed)
    with pytest.raises(td.ArgumentError, match="spark.executor.memory"):
        on_spark.KMeans(2, **KMEANS, memory="2G").fit(frame)
    for name in ("predict", "transform", "score", "fit_predict", "fit_transform"):
        with pytest.raises(td.ArgumentError, match=f"^{name} answers exactly"):
            getattr(on_spark.KMeans(2, **KMEANS), name)(frame)


def test_interrupted(session, points, monkeypatch):
    """Ctrl-C ends the run and its job, and leaves the session as it was."""
    evaluate = engine.SparkRows.evaluate

    def impatient(self, query, take):
        if self.queries == 1:
            os.kill(os.getpid(), signal.SIGINT)
        evaluate(self, query, take)

    monkeypatch.setattr(engine.SparkRows, "evaluate", impatient)
    km = on_spark.KMeans(2, **SHORT)
    with pytest.raises(KeyboardInterrupt):
        km.fit(frame_of(session, points))
    assert not hasattr(km, "release_") and session.range(3).count() == 3
    if hasattr(session, "sparkContext"):
        assert session.sparkContext._jsc.getPersistentRDDs().size() == 0


# ---- closed sessions ----

class FakeSession:
    def __init__(self, **settings):
        self.settings = {name.replace("_", "."): value for name, value in settings.items()}
        self.conf = self

    def get(self, name, default=None):
        return self.settings.get(name, default)


@pytest.mark.parametrize("settings, lacking", [
    ({"spark_master": "local[2]"}, "spark.io.encryption.enabled"),
    ({"spark_master": "yarn", "spark_io_encryption_enabled": "true"}, "spark.network.crypto"),
    ({"spark_master": "local-cluster[2,1,768]", "spark_io_encryption_enabled": "true"},
     "spark.network.crypto"),
    ({"spark_io_encryption_enabled": "true"}, "spark.ssl.rpc.enabled"),
    ({"spark_master": "yarn", "spark_io_encryption_enabled": "true",
      "spark_network_crypto_enabled": "true"}, "spark.authenticate=true"),
    ({"spark_master": "yarn", "spark_network_crypto_enabled": "true"}, "spark.io.encryption"),
])
def test_open_sessions_are_refused(settings, lacking):
    with pytest.raises(td.ArgumentError, match="allow_plaintext") as caught:
        closed.check_closed(FakeSession(**settings))
    assert lacking in str(caught.value)


@pytest.mark.parametrize("settings", [
    {"spark_master": "local", "spark_io_encryption_enabled": "true"},
    {"spark_master": "yarn", "spark_io_encryption_enabled": "True",
     "spark_ssl_rpc_enabled": "true"},
    {"spark_master": "yarn", "spark_io_encryption_enabled": "true", "spark_authenticate": "true",
     "spark_network_crypto_enabled": "true"},
])
def test_closed_sessions(settings):
    closed.check_closed(FakeSession(**settings))


def test_a_setting_cannot_be_changed_later(session):
    """Or a session could call itself closed."""
    for name in ("spark.io.encryption.enabled", "spark.network.crypto.enabled"):
        with pytest.raises(Exception, match="CANNOT_MODIFY"):
            session.conf.set(name, "false")
