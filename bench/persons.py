#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Persons who own many rows: peak memory of a run over an NPY file, for each row more, and seconds,
beside the same rows without persons and with limits of memory. Bytes a row are the slope between
two numbers of rows, so that the program itself does not count.

Usage: bench/persons.py TACIT [--other OLDER] [--rows 2000000,6000000] [--spill-dir DIR]"""
import argparse
import array
import multiprocessing
import os
import pathlib
import struct
import subprocess
import tempfile
import time

LIMITS = ["64M", "256M"]


def write(path, n):
    """n rows of an id, five rows a person, and two numbers, as NPY."""
    x = array.array("I", os.urandom(12 * n))
    x[0::3] = array.array("I", (v % (n // 5) for v in x[0::3]))
    head = f"{{'descr': '<u4', 'fortran_order': False, 'shape': ({n}, 3), }}"
    head += " " * (63 - (len(head) + 10) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        x.tofile(f)


def measure(tacit, path, extra):
    """Seconds and peak memory in bytes of one run."""
    argv = [tacit, "kmeans", str(path), "-k", "4", "--epsilon", "1", "--delta", "1e-6", "--bounds",
            "c2=0:4294967295,c3=0:4294967295", "--rounds", "3", "--method", "lloyd", "--json",
            "--quiet", *extra]
    start = time.perf_counter()
    run = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = run.stderr.read().decode()
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise SystemExit(said)
    return time.perf_counter() - start, used.ru_maxrss * 1024


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("tacit")
    p.add_argument("--other")
    p.add_argument("--rows", default="2000000,6000000")
    p.add_argument("--spill-dir", default="/var/tmp")
    a = p.parse_args()
    few, many = (int(x) for x in a.rows.split(","))
    persons = ["--unit-column", "c1", "--max-rows-per-person", "3"]
    lines = [("rows, no persons", a.tacit, []), ("persons", a.tacit, persons)]
    lines += [(f"persons, --memory {m}", a.tacit,
               [*persons, "--memory", m, "--spill-dir", a.spill_dir]) for m in LIMITS]
    if a.other:
        lines.append(("persons, the other program", a.other, persons))
    with tempfile.TemporaryDirectory(dir=a.spill_dir) as folder:
        files = {}
        for n in (few, many):
            files[n] = pathlib.Path(folder) / f"{n}.npy"
            # apart: peak memory of a child begins with its parent's
            writer = multiprocessing.Process(target=write, args=(files[n], n))
            writer.start()
            writer.join()
        for what, tacit, extra in lines:
            (_, low), (seconds, high) = (measure(tacit, files[n], extra) for n in (few, many))
            print(f"{what:28} {(high - low) / (many - few):7.1f} bytes a row, "
                  f"{high / 2**20:7.0f} MB at most, {seconds:6.1f} s for {many} rows", flush=True)


if __name__ == "__main__":
    main()
