#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Spark costs: wall time of tacitdp.spark.KMeans.fit over that of tacitdp.KMeans.fit on the
same rows in memory, per table size, in one run; seconds of a query and of placing; passes; and that
the releases are the same bytes.
Usage: bench/spark_overhead.py [MASTER [ROWS...]]; needs pyspark, java, and the package installed or
a build in build/ with python/make_binding.py and PYTHONPATH=python. MASTER starts as
local-cluster[2,1,2048]."""
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COLUMNS, K = 10, 8
SETTINGS = {"spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1", "spark.executor.memory": "2g",
            "spark.io.encryption.enabled": "true", "spark.authenticate": "true",
            "spark.authenticate.secret": "for-benchmarks-alone",
            "spark.network.crypto.enabled": "true", "spark.log.level": "ERROR",
            "spark.ui.showConsoleProgress": "false"}


def started(master):
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("tacit bench")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def timed(spans, name, function):
    def run(*arguments):
        began = time.perf_counter()
        try:
            return function(*arguments)
        finally:
            spans.setdefault(name, []).append(time.perf_counter() - began)

    return run


def measured(session, folder, rows):
    import pyarrow
    import pyarrow.parquet

    import tacitdp as td
    from tacitdp import _spark_engine as engine
    from tacitdp import spark as on_spark

    rng = np.random.default_rng(1)
    centers = rng.random((K, COLUMNS))
    values = np.clip(centers[rng.integers(0, K, rows)] + rng.normal(0, 0.05, (rows, COLUMNS)), 0, 1)
    table = pyarrow.table({f"c{j + 1}": values[:, j] for j in range(COLUMNS)})
    path = os.path.join(folder, f"{rows}")
    os.mkdir(path)
    for part in range(4):
        at = part * rows // 4, (part + 1) * rows // 4 - part * rows // 4
        pyarrow.parquet.write_table(table.slice(*at), os.path.join(path, f"{part}.parquet"))
    options = dict(epsilon=1, delta=1e-6, bounds=(0, 1), insecure_test_seed=1)
    spans = {}
    place, evaluate = engine.SparkRows.place, engine.SparkRows.evaluate
    engine.SparkRows.place = lambda *a: timed(spans, "place", place)(*a)
    engine.SparkRows.evaluate = lambda *a: timed(spans, "query", evaluate)(*a)
    try:
        began = time.perf_counter()
        there = on_spark.KMeans(K, **options).fit(session.read.parquet(path)).release_
        spark_seconds = time.perf_counter() - began
    finally:
        engine.SparkRows.place, engine.SparkRows.evaluate = place, evaluate
    began = time.perf_counter()
    here = td.KMeans(K, **options).fit(table).release_
    c_seconds = time.perf_counter() - began
    print(f"{rows:>9} x {COLUMNS}: Spark {spark_seconds:.1f} s, {spark_seconds / c_seconds:.0f} "
          f"times the {c_seconds:.2f} s in memory; {len(spans['query'])} passes, median "
          f"{statistics.median(spans['query']):.2f} s; {len(spans['place'])} placings, median "
          f"{statistics.median(spans['place']):.2f} s; the same release: {there == here}",
          flush=True)
    return statistics.median(spans["query"])


def main():
    master = sys.argv[1] if len(sys.argv) > 1 else "local-cluster[2,1,2048]"
    sizes = [int(word) for word in sys.argv[2:]] or [10000, 1000000, 4000000]
    session = started(master)
    print(f"k-means auto, k = {K}, {master}, Spark {session.version}")
    with tempfile.TemporaryDirectory() as folder:
        queries = [measured(session, folder, rows) for rows in sizes]
    for rows, seconds in zip(sizes[1:], queries[1:]):
        print(f"a query over {rows} rows takes {seconds / queries[0]:.2f} times one over "
              f"{sizes[0]}")
    session.stop()


if __name__ == "__main__":
    main()
