#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ranks against threads: wall time of tacit-mpi over that of tacit, in one run.

mpi_scale.py BUILD [--rows N] [--runs N]

float32 rows of 10 columns in 8 clusters, in two NPY files; k-means `auto`. Ranks have one thread
each. In turns: tacit with 1 and with 2 threads, tacit-mpi with 1 and with 2 ranks. Prints ratios of
medians; starting mpirun is in them. All releases must be the same bytes."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from larger_than_memory import CLUSTERS, write_rows

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl="self,vader",
           OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_plm_rsh_agent="false")


def run(head, files, model, threads):
    start = time.perf_counter()
    subprocess.run([*head, "kmeans", *files, "-k", str(CLUSTERS), "--epsilon", "1", "--delta",
                    "1e-9", "--bounds", "0:1", "--insecure-test-seed", "1", "--quiet", "--threads",
                    str(threads), "-o", str(model)],
                   check=True, env=ENV, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=4 * 10**6)
    parser.add_argument("--runs", type=int, default=5)
    a = parser.parse_args()
    tacit, ranks = str(a.build / "src/cli/tacit"), str(a.build / "src/mpi/tacit-mpi")
    kinds = {"1 thread": ([tacit], 1), "2 threads": ([tacit], 2),
             "1 rank": (["mpirun", "-np", "1", ranks], 1),
             "2 ranks": (["mpirun", "-np", "2", ranks], 1)}
    seconds, releases = {kind: [] for kind in kinds}, set()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        files = [pathlib.Path(folder) / f"part-{i}.npy" for i in range(2)]
        for file in files:
            write_rows(file, a.rows // 2)
        model = pathlib.Path(folder) / "model.json"
        for _ in range(a.runs):
            for kind, (head, threads) in kinds.items():
                seconds[kind].append(run(head, [str(file) for file in files], model, threads))
                releases.add(model.read_bytes())
                model.unlink()
    if len(releases) != 1:
        sys.exit("the releases differ")
    middle = {kind: statistics.median(times) for kind, times in seconds.items()}
    print(f"{a.rows} x 10 in 2 files, medians of {a.runs}: "
          f"1 rank / 1 thread {middle['1 rank'] / middle['1 thread']:.2f}, "
          f"2 ranks / 2 threads {middle['2 ranks'] / middle['2 threads']:.2f}, "
          f"1 rank / 2 ranks {middle['1 rank'] / middle['2 ranks']:.2f}, "
          f"1 thread / 2 threads {middle['1 thread'] / middle['2 threads']:.2f}; the same bytes")


if __name__ == "__main__":
    main()
