#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How fast rows come in, as ratios against named peers in the same run.

CSV: 100 MB of numbers against pandas.read_csv (C engine, one thread) for 17, 6 and 2 digits.
NPY: 200 MB of float64 streamed in blocks, against memcpy of the same bytes in memory and numpy.load
into memory.

    bench_ingest.py BUILD/bench/bench_ingest [MB]
"""
import os
import subprocess
import sys
import tempfile
import time

import numpy
import pandas


def best(function, times=5):
    """(seconds, CPU seconds), the best of each: on a busy machine the second is the fairer one."""
    seconds = []
    for _ in range(times):
        begin, cpu = time.perf_counter(), time.process_time()
        function()
        seconds.append((time.perf_counter() - begin, time.process_time() - cpu))
    return [min(s[k] for s in seconds) for k in (0, 1)]


def ratio(over, under):
    return f"{over[0] / under[0]:.2f} (CPU {over[1] / under[1]:.2f})"


def main():
    program, megabytes = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 100

    def ours(*words):
        output = subprocess.run([program, *map(str, words)], check=True, capture_output=True).stdout
        return [float(word) for word in output.split()]

    with tempfile.TemporaryDirectory() as folder:
        columns = 20
        draw = numpy.random.default_rng(1)
        for name, form, width in (("17 digits", "%.17g", 20), ("6 digits", "%.6f", 9.1),
                                  ("integers", "%d", 3.0)):
            path = os.path.join(folder, "data.csv")
            rows = int(megabytes * 1e6 / columns / width)
            values = draw.random((rows, columns)) * (100 if form == "%d" else 1)
            with open(path, "w") as file:
                file.write(",".join(f"x{j}" for j in range(columns)) + "\n")
                line = ",".join([form] * columns) + "\n"
                for row in values:
                    file.write(line % tuple(row))
            size = os.path.getsize(path) / 1e6
            peer = best(lambda: pandas.read_csv(path, dtype="float64"))
            exact = best(lambda: pandas.read_csv(path, dtype="float64",
                                                 float_precision="round_trip"), 1)
            for threads in (1, 2):
                seconds = ours("csv", path, threads)
                print(f"CSV {name:9} {size:4.0f} MB, {threads} thread(s): {ratio(peer, seconds)} "
                      "times as fast as "
                      f"pandas, {ratio(exact, seconds)} times as pandas made exact", flush=True)

        path = os.path.join(folder, "data.npy")
        numpy.save(path, draw.random((int(2 * megabytes * 1e6 / 8 / columns), columns)))
        seconds, copy = ours("npy", path, 1), ours("copy", path)
        load = best(lambda: numpy.load(path))
        size = os.path.getsize(path) / 1e6
        print(f"NPY float64 {size:4.0f} MB: {ratio(seconds, copy)} times the time of memcpy, "
              f"{ratio(seconds, load)} times numpy.load")
        for dtype in ("float32", "int16", "uint8"):
            numpy.save(path,
                       (draw.random((int(2 * megabytes * 1e6 / 8 / columns), columns)) *
                        100).astype(dtype))
            size = os.path.getsize(path) / 1e6
            seconds = ours("npy", path, 1)
            load = best(lambda: numpy.load(path).astype("float64"))
            print(f"NPY {dtype:7} {size:4.0f} MB: {ratio(seconds, load)} times numpy.load and "
                  "astype float64")


main()
