# SPDX-License-Identifier: Apache-2.0
"""A run over Spark Connect, compared with one in memory; for test_spark.py."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pyarrow
import pyspark
import pyspark.sql

import tacitdp as td
from tacitdp import spark as on_spark

os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
os.environ["PYSPARK_PYTHON"] = sys.executable

builder = pyspark.sql.SparkSession.builder.remote("local[2]")
for name, value in {"spark.io.encryption.enabled": "true", "spark.ui.enabled": "false",
                    "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
                    "spark.log.level": "ERROR"}.items():
    builder = builder.config(name, value)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    session = builder.getOrCreate()
assert ".connect." in type(session).__module__
rows = np.random.default_rng(7).uniform(0, 1, (2000, 2))
table = pyarrow.table({"x": rows[:, 0], "y": rows[:, 1]})
said = dict(epsilon=1, delta=1e-6, bounds=(0, 1), method="lloyd", rounds=2, insecure_test_seed=1)
there = on_spark.KMeans(2, **said).fit(session.createDataFrame(table).repartition(2)).release_
print("the same release:", there == td.KMeans(2, **said).fit(table).release_)
session.stop()
