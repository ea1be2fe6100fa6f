#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The whole of `tacit kmeans` on a 1,000,000 x 10 NPY file, from process start to release: wall time as a ratio to one
scikit-learn fit and, if it is installed, to diffprivlib's KMeans, on the same rows in the same run; peak memory as a ratio to
the limit 1.2 x lattice + 64 MB.

Usage: bench/whole.py TACIT     (Debian's python3-numpy, python3-sklearn; diffprivlib is optional)"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
from sklearn.cluster import KMeans

N, D, K = 1_000_000, 10, 16
REPEATS = 5


def child(argv):
    """Wall seconds and peak resident bytes of a process. The peak is read from /proc while it runs: what wait4 tells still
    holds the size of this Python, from before the exec."""
    start = time.perf_counter()
    process = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        try:
            for line in open(f"/proc/{process.pid}/status"):
                if line.startswith("VmHWM") and os.readlink(f"/proc/{process.pid}/exe").endswith("tacit"):
                    peak = max(peak, int(line.split()[1]) * 1024)
        except OSError:
            pass
        time.sleep(0.0005)
    if process.returncode:
        sys.exit("tacit failed")
    return time.perf_counter() - start, peak


def main():
    tacit = sys.argv[1]
    rng = np.random.default_rng(1)
    c = rng.standard_normal((K, D))
    c *= (rng.random(K) ** (1 / D) / np.linalg.norm(c, axis=1))[:, None]
    x = (c[rng.integers(K, size=N)] + 0.35 / np.sqrt(D) * rng.standard_normal((N, D))) / 1.4
    x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "x.npy")
        np.save(path, x)
        argv = [tacit, "kmeans", path, "-k", str(K), "--epsilon", "1", "--delta", "1e-6", "--radius", "1", "--quiet", "-o",
                str(pathlib.Path(folder) / "m.json")]
        ours, memory, sk = [], 0, []
        for _ in range(REPEATS):
            seconds, peak = child(argv)
            ours.append(seconds)
            memory = max(memory, peak)
            start = time.perf_counter()
            KMeans(K, n_init=1, random_state=len(sk)).fit(x)
            sk.append(time.perf_counter() - start)
        mine = float(np.median(ours))
        limit = 1.2 * N * D * 2 + 64e6
        print(f"scikit-learn fit / tacit, wall:        {np.median(sk) / mine:8.1f}x")
        print(f"memory limit / tacit's peak:           {limit / memory:8.2f}x   (limit 1.2 x lattice + 64 MB)")
        try:
            from diffprivlib.models import KMeans as Private
            start = time.perf_counter()
            Private(n_clusters=K, epsilon=1, bounds=(-1, 1)).fit(x)
            print(f"diffprivlib fit / tacit, wall:         {(time.perf_counter() - start) / mine:8.1f}x")
        except ImportError:
            print("diffprivlib is not installed: its ratio was not measured")


main()
