#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows larger than memory: time and peak memory with a limit, over those with all rows in memory.

larger_than_memory.py TACIT [--rows N] [--memory SIZE] [--runs N] [--folder FOLDER] [--csv]
                      [--limit-only] [--method NAME] [--before OTHER]

float32 rows of 10 columns in 8 clusters, as NPY, N of them and a tenth of N. In turns: `auto` with
all rows in memory, with --memory SIZE on N rows and SIZE / 10 on a tenth of them. Prints ratios of
CPU and wall time (medians), peak memory over the limit + 64 MB, and the time of ten times the
rows: 10 is linear. All releases of a size must be the same bytes. 60 N bytes of disk.
--csv: the same as text, about 80 N bytes, which is parsed again for each pass; N rows alone.
--limit-only: no run without a limit, where not even that fits.
--method: another one than auto. --before: another build's tacit; prints its peak memory without a
limit over that of this one, on N rows, and compares the bytes of the releases."""
import argparse
import array
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

COLUMNS, CLUSTERS, BLOCK = 10, 8, 1 << 16
FLOOR = 1.5


def write_rows(path, rows):
    """Runs of rows of one cluster, from a few that were drawn: quick without numpy."""
    dice = random.Random(1)
    centers = [[dice.uniform(0.2, 0.8) for _ in range(COLUMNS)] for _ in range(CLUSTERS)]
    noise = [array.array("f", (center + dice.gauss(0, 0.05) for _ in range(BLOCK // CLUSTERS // 8)
                               for center in centers[c])) for c in range(CLUSTERS)]
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {COLUMNS}), }}"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00\x76\x00" + head.ljust(117).encode() + b"\n")
        left = rows
        while left > 0:
            part = noise[dice.randrange(CLUSTERS)]
            start = dice.randrange(len(part) // COLUMNS // 2)
            many = min(left, len(part) // COLUMNS - start)
            out.write(part[start * COLUMNS:(start + many) * COLUMNS].tobytes())
            left -= many


def write_text(path, rows):
    """The same as CSV, from a few thousand lines that were drawn."""
    dice = random.Random(1)
    centers = [[dice.uniform(0.2, 0.8) for _ in range(COLUMNS)] for _ in range(CLUSTERS)]
    lines = [[",".join(f"{center + dice.gauss(0, 0.05):.5f}" for center in centers[c]) + "\n"
              for _ in range(2000)] for c in range(CLUSTERS)]
    with open(path, "w") as out:
        out.write(",".join(f"x{j}" for j in range(COLUMNS)) + "\n")
        left = rows
        while left > 0:
            part = lines[dice.randrange(CLUSTERS)]
            start = dice.randrange(len(part) // 2)
            many = min(left, len(part) - start)
            out.write("".join(part[start:start + many]))
            left -= many


def run(tacit, rows, memory, model, method):
    """CPU seconds, wall seconds and peak resident bytes of one run, from /proc while it runs."""
    argv = [tacit, "kmeans", str(rows), "-k", str(CLUSTERS), "--epsilon", "1", "--delta", "1e-9",
            "--bounds", "0:1", "--insecure-test-seed", "1", "--quiet", "-o", str(model),
            "--method", method]
    if memory:
        argv += ["--memory", str(memory), "--spill-dir", str(rows.parent)]
    before, start, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter(), 0
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        try:
            for line in open(f"/proc/{process.pid}/status"):
                if line.startswith("VmHWM"):
                    peak = max(peak, 1024 * int(line.split()[1]))
        except (OSError, ProcessLookupError):
            pass
        time.sleep(0.01)
    if process.returncode:
        sys.exit(f"{' '.join(argv)} ends with {process.returncode}")
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, peak


def measure(a, folder, rows, memory):
    """CPU seconds with a limit and without."""
    file, releases = folder / f"{rows}.{'csv' if a.csv else 'npy'}", set()
    (write_text if a.csv else write_rows)(file, rows)
    if a.csv:
        print(f"{file.stat().st_size / 1e9:.2f} GB of text", flush=True)
    if a.limit_only:
        cpu, wall, peak = run(a.tacit, file, memory, folder / "spilled.json", a.method)
        os.remove(file)
        print(f"{rows} x {COLUMNS}, limit {memory >> 20} MiB: {wall:.0f} s, {cpu:.0f} s of CPU, "
              f"peak / (limit + 64 MB) {peak / (memory + 64e6):.2f}", flush=True)
        sys.exit(0 if peak <= memory + 64e6 else "the run takes more than its limit and 64 MB")
    held, spilled = [], []
    for _ in range(a.runs):
        held.append(run(a.tacit, file, 0, folder / "held.json", a.method))
        spilled.append(run(a.tacit, file, memory, folder / "spilled.json",
                           a.method))
        releases |= {(folder / name).read_bytes() for name in ("held.json", "spilled.json")}
    os.remove(file)
    if len(releases) != 1:
        sys.exit("the releases differ")
    middle = lambda runs, which: statistics.median(r[which] for r in runs)
    cpu = middle(spilled, 0) / middle(held, 0)
    peak = [max(r[2] for r in runs) / (memory + 64e6) for runs in (spilled, held)]
    print(f"{rows} x {COLUMNS}, limit {memory >> 20} MiB of {2 * COLUMNS * rows >> 20}: CPU time "
          f"{cpu:.2f}, wall time {middle(spilled, 1) / middle(held, 1):.2f} of all in memory; "
          f"peak / (limit + 64 MB) {peak[0]:.2f}, without a limit {peak[1]:.2f}; the same bytes",
          flush=True)
    if peak[0] > 1:
        sys.exit("the run takes more than its limit and 64 MB")
    return middle(held, 0), middle(spilled, 0), cpu


def against(a, folder):
    """Peak memory of another build over that of this one, all rows in memory."""
    file, model = folder / "rows.npy", folder / "model.json"
    write_rows(file, a.rows)
    peak, releases = [], set()
    for tacit in (a.before, a.tacit):
        peak.append(run(tacit, file, 0, model, a.method)[2])
        releases.add(model.read_bytes())
    if len(releases) != 1:
        sys.exit("the releases differ")
    print(f"{a.rows} x {COLUMNS}, {a.method}: peak memory before {peak[0] / peak[1]:.2f} times as "
          f"much ({peak[0] / 1e6:.0f} MB, {peak[1] / 1e6:.0f} MB); the same bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tacit")
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=10**8)
    parser.add_argument("--memory", type=int, default=512, help="MiB on all rows")
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("--limit-only", action="store_true")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--before")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/var/tmp"))
    a = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=a.folder) as folder:
        if a.before:
            against(a, pathlib.Path(folder))
            return
        if a.csv or a.limit_only:
            measure(a, pathlib.Path(folder), a.rows, a.memory << 20)
            return
        few = measure(a, pathlib.Path(folder), a.rows // 10, (a.memory << 20) // 10)
        many = measure(a, pathlib.Path(folder), a.rows, a.memory << 20)
    print(f"time of ten times the rows: {many[0] / few[0]:.1f} in memory, "
          f"{many[1] / few[1]:.1f} with a limit (10: linear)")
    if many[2] > FLOOR:
        sys.exit(f"the limit costs more than {FLOOR} times the time")


if __name__ == "__main__":
    main()
