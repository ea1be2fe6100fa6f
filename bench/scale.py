#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost model of docs/scale.md, with constants measured by bench_scale on this machine, and
what it predicts for more rows and machines than there are here.

usage: bench/scale.py BUILD        (BUILD/bench/bench_scale and BUILD/src/cli/tacit are built)

Prints the simulation of the root, a check of the model against real runs here, and the table of
predictions.
"""
import array
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

COLUMNS, SOURCE_BYTES, LATTICE_BYTES = 10, 40, 20  # float32 in, int16 behind the door
BLOCK = 100_000
FRAMES, LOOKS = 2, 38  # readings of the source, passes over placed rows

# Assumed, not measured here.
CORES = 16  # of a machine, each as fast as the one measured
MEMORY = 64e9  # bytes of a machine
DISK = 2e9  # bytes a second that a machine reads
NETWORK = 1.25e9  # bytes a second that reach the root: 10 Gbit
TRIPS = {"MPI": 0.001, "Spark": 1.0}  # seconds of a round trip, whatever is asked
FAN_IN = 32


def constants(build):
    text = subprocess.run([os.path.join(build, "bench/bench_scale")], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    print(text)
    return {name: float(value) for word, name, value in
            (line.split() for line in text.splitlines() if line.startswith("constant "))}


def rows_part(c, rows, machines, cores):
    """Placing and evaluating, on each machine its share: processor or disk, whichever is slower."""
    mine = rows / machines
    place = max(mine * c["place_ns_per_row"] * 1e-9 / cores, FRAMES * mine * SOURCE_BYTES / DISK)
    spilled = max(0, mine * LATTICE_BYTES - MEMORY)
    look = max(mine * c["evaluate_ns_per_row"] * 1e-9 / cores, LOOKS * spilled / DISK)
    return place, look


def root_part(c, shards, tree):
    """All answers of a run: bytes in, checked and added; by a tree of FAN_IN, or at the root."""
    answers, size = c["answers_per_run"], c["answer_bytes"]
    add = size * max(c["root_ns_per_byte"] * 1e-9, 1 / NETWORK)
    if not tree:
        return answers * shards * add
    levels, width = 0, shards
    while width > FAN_IN:
        width, levels = -(-width // FAN_IN), levels + 1
    node = FAN_IN * max(c["combine_us"] * 1e-6, size / NETWORK)
    return answers * (levels * node + width * add)


def whole(c, rows, machines, engine, tree):
    place, look = rows_part(c, rows, machines, CORES)
    shards = 1 if machines == 1 else machines * CORES
    root = root_part(c, shards, tree) if machines > 1 else 0
    trips = (c["answers_per_run"] + FRAMES) * TRIPS[engine] if machines > 1 else 0
    return place + look + root + trips + c["root_rest_s"]


def check(c, build):
    """The model against runs here, one thread, rows in memory: what it says of them."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "rows.npy")
    random.seed(1)
    block = array.array("f", ((i % 16 * 7 + j * 3) % 11 * 0.08 + 0.2 * random.random()
                              for i in range(BLOCK) for j in range(COLUMNS))).tobytes()
    print("check here, one thread: rows, measured s, model s, ratio")
    for rows in (1_000_000, 4_000_000):
        head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {COLUMNS}), }}"
        head += " " * (117 - len(head)) + "\n"
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode())
            for _ in range(rows // BLOCK):
                file.write(block)
        command = [os.path.join(build, "src/cli/tacit"), "kmeans", path, "-k", "16", "--epsilon",
                   "1", "--delta", "1e-13", "--bounds", "0:1", "--threads", "1", "-o",
                   os.path.join(folder, "out.json")]
        before = os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = os.times()
        measured = (after.children_user + after.children_system
                    - before.children_user - before.children_system)
        each = c["place_ns_per_row"] + c["evaluate_ns_per_row"]
        model = rows * each * 1e-9 + c["root_rest_s"]
        print(f"  {rows:>9,} {measured:8.2f} {model:8.2f} {measured / model:6.2f}")
    shutil.rmtree(folder)


def span(seconds):
    if seconds < 90:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    c = constants(build)
    check(c, build)
    print(f"\nPREDICTED, k-means auto, {COLUMNS} columns, k = 16; {CORES} cores, "
          f"{MEMORY / 1e9:.0f} GB, disk {DISK / 1e9:.0f} GB/s a machine and "
          f"{NETWORK / 1e9:.2f} GB/s into the root are assumed\n")
    print("| rows | machines | placing | evaluating | root, all shards | root, tree | whole, MPI | "
          "whole, Spark |")
    print("|---|---|---|---|---|---|---|---|")
    for rows in (1e9, 1e10, 1e11):
        for machines in (1, 10, 100):
            place, look = rows_part(c, rows, machines, CORES)
            shards = machines * CORES
            root = [span(root_part(c, shards, tree)) if machines > 1 else "-"
                    for tree in (False, True)]
            total = [span(whole(c, rows, machines, engine, True)) for engine in TRIPS]
            if machines == 1:
                total[1] = "-"
            cells = [f"{rows:.0e}".replace("e+", "e"), str(machines), span(place), span(look)]
            print("| " + " | ".join(cells + root + total) + " |")
    print("\nPREDICTED, the root alone: shards, all at the root s, with a tree s, "
          "bytes into the root a query")
    for shards in (100, 1000, 10_000, 100_000):
        alone, tree = root_part(c, shards, False), root_part(c, shards, True)
        megabytes = shards * c["answer_bytes"] / 1e6
        print(f"  {shards:>7,} {alone:8.2f} {tree:8.2f} {megabytes:10.1f} MB")


if __name__ == "__main__":
    start = time.time()
    main()
    print(f"\n{time.time() - start:.0f} s", file=sys.stderr)
