# SPDX-License-Identifier: Apache-2.0
"""A Spark of several worker JVMs on this machine, encrypted as tacitdp.spark wants it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.ui.enabled": "false", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1", "spark.executor.memory": "768m",
    "spark.driver.memory": "768m", "spark.sql.shuffle.partitions": "3",
    "spark.io.encryption.enabled": "true", "spark.authenticate": "true",
    "spark.authenticate.secret": "for-tests-alone", "spark.network.crypto.enabled": "true",
    "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false",
    # small tables on a busy machine: compiling costs more than it saves
    "spark.driver.extraJavaOptions": QUICK, "spark.executor.extraJavaOptions": QUICK,
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "700",  # several batches in a partition
}


def start(master, **more):
    pyspark = pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("tacit tests")
    for name, value in {**SETTINGS, **more}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def executors(session):
    """The process ids of the session's executors."""
    wanted = session.sparkContext.applicationId.encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.endswith(b"CoarseGrainedExecutorBackend") for word in words) and \
                wanted in words:
            found.append(int(folder.name))
    return found
