#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Assignment + per-cell sums against one Lloyd iteration of scikit-learn (float64) on the same data
and threads.

Usage: ninja -C build bench/libbench_assign_ours.so && /usr/bin/python3
       bench/bench_assign_sklearn.py build
The peer is the compiled iteration that KMeans.fit calls (its chunked sgemm-style kernel), without
the validation, centring and tolerance work around it; BLAS has one thread inside, OpenMP the stated
number, as in fit. Prints peer / ours, the median of alternating repetitions."""
import ctypes
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "2")

import numpy as np
from sklearn.cluster._k_means_lloyd import lloyd_iter_chunked_dense
from threadpoolctl import threadpool_limits
from time import perf_counter

REPEATS = 9
FLOOR = 3.0


def data(n, d, k, as_bytes, rng):
    reach = 32000 / d ** 0.5
    if as_bytes:
        centers = np.where(rng.random((k, d)) < 0.2, rng.integers(0, 256, (k, d)) * 4, 0)
        home = centers[rng.integers(0, k, n)]
        rows = np.where(rng.random((n, d)) < 0.7, home, rng.integers(0, 256, (n, d)) * 4)
    else:
        centers = np.rint((rng.random((k, d)) - 0.5) * reach)
        rows = np.rint(centers[rng.integers(0, k, n)] +
                       (rng.random((n, d)) + rng.random((n, d)) - 1) * reach / 2)
    return np.ascontiguousarray(rows, dtype=np.int16), np.ascontiguousarray(centers, dtype=np.int16)


def main():
    build = sys.argv[1] if len(sys.argv) > 1 else "build"
    ours = ctypes.CDLL(os.path.abspath(os.path.join(build, "bench",
                                                    "libbench_assign_ours.so"))).bench_assign_ours
    ours.restype = ctypes.c_double
    pointer = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    rng = np.random.default_rng(42)
    good = True

    for n, d, k, as_bytes in ((1000000, 10, 16, False), (100000, 100, 64, False),
                              (60000, 784, 10, True)):
        rows, centers = data(n, d, k, as_bytes, rng)  # d is even: rows need no padding
        x, c = rows.astype(np.float64), centers.astype(np.float64)
        label, sums, counts = (np.zeros(n, np.int32), np.zeros((k, d), np.uint64),
                               np.zeros(k, np.uint64))
        new, shift = np.zeros_like(c), np.zeros(k)
        weight_in, peer_label, weight = np.zeros(k), np.full(n, -1, np.int32), np.ones(n)
        for path in ("auto", "avx2"):
            for threads in (1, 2):
                our_times, peer_times = [], []
                for _ in range(REPEATS):
                    our_times.append(ours(pointer(rows), ctypes.c_int64(n), d, d, pointer(centers),
                                          k, threads, path.encode(), pointer(label), pointer(sums),
                                          pointer(counts)))
                    old = c.copy()
                    with threadpool_limits(limits=1, user_api="blas"):
                        start = perf_counter()
                        lloyd_iter_chunked_dense(x, weight, old, new, weight_in, peer_label, shift,
                                                 threads)
                        peer_times.append(perf_counter() - start)
                if min(our_times) < 0:
                    print(f"n={n} d={d} k={k}: {path} is not here")
                    continue
                ratio = np.median(peer_times) / np.median(our_times)
                differ = np.mean(label != peer_label)
                if path == "auto":
                    good = good and ratio >= FLOOR
                print(f"n={n} d={d} k={k} {threads} thread(s) {path}: scikit-learn/ours "
                      f"{ratio:.2f} (floor {FLOOR}"
                      f"{'' if ratio >= FLOOR else ', MISSED'}), of the best "
                      f"{min(peer_times) / min(our_times):.2f}"
                      f"  [labels that differ: {100 * differ:.5f}%]", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
