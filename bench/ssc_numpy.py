#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plain subspace solvers beside straightforward numpy, both on one thread, CPU time of the same
process.
Usage: ssc_numpy.py BUILD [--large]   (--large: TSC of 100,000 rows, minutes)"""
import ctypes
import os
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

ours = ctypes.CDLL(os.path.join(sys.argv[1], "bench", "libbench_solvers_ours.so"))
rng = np.random.default_rng(1)


def pointer(a, kind):
    return a.ctypes.data_as(ctypes.POINTER(kind))


def union(n, d, k, q, noise):
    rows = np.empty((n, d))
    for c in range(k):
        basis = np.linalg.qr(rng.normal(size=(d, q)))[0]
        own = np.arange(c, n, k)
        y = rng.normal(size=(len(own), q))
        rows[own] = y / np.linalg.norm(y, axis=1)[:, None] @ basis.T
    rows += noise * rng.normal(size=(n, d))
    return np.ascontiguousarray(rows)


def unit(rows):
    return np.ascontiguousarray(rows / np.linalg.norm(rows, axis=1)[:, None])


def timed(call):
    start = time.process_time()
    out = call()
    return time.process_time() - start, out


def ssc_numpy(x, alpha=20.0, close=2e-4, most=200):
    """ADMM as written down: an n x n inverse, an n x n product a step, until all columns are
    close."""
    gram = x @ x.T
    off = np.abs(gram - np.diag(np.diag(gram)))
    lam, rho = alpha / off.max(axis=1).min(), alpha
    inverse = np.linalg.inv(lam * gram + rho * np.eye(len(x)))
    c, dual = np.zeros_like(gram), np.zeros_like(gram)
    for step in range(most):
        z = inverse @ (lam * gram + rho * c - dual)
        np.fill_diagonal(z, 0)
        v = z + dual / rho
        c = np.sign(v) * np.maximum(np.abs(v) - 1 / rho, 0)
        np.fill_diagonal(c, 0)
        dual += rho * (z - c)
        if np.abs(z - c).max() < close:
            break
    return c, step + 1


x = unit(union(1000, 50, 5, 4, 0.02))
theirs, (c, steps) = timed(lambda: ssc_numpy(x))
dense = np.zeros((1000, 1000))
mine = min(timed(lambda: ours.ours_ssc(pointer(x, ctypes.c_double), ctypes.c_int64(1000), 50,
                                       None))[0] for _ in range(2))
ours.ours_ssc(pointer(x, ctypes.c_double), ctypes.c_int64(1000), 50,
              pointer(dense, ctypes.c_double))
print(f"SSC, 1000 x 50: {theirs / mine:.1f} times as fast as numpy's ADMM ({steps} steps; "
      "wanted: 5); "
      f"largest difference of a coefficient {np.abs(dense - c).max():.1g}, ours are "
      "exact")


def neighbours_numpy(x, s):
    """Brute force in blocks that fit: products in single precision, argpartition."""
    x = x.astype(np.float32)
    out = np.empty((len(x), s), dtype=np.int64)
    for i in range(0, len(x), 1000):
        size = np.abs(x[i:i + 1000] @ x.T)
        size[np.arange(len(size)), np.arange(i, i + len(size))] = -1
        out[i:i + 1000] = np.argpartition(-size, s - 1, axis=1)[:, :s]
    return out


def neighbours_ours(x, s):
    to, product = np.empty((len(x), s), dtype=np.int32), np.empty((len(x), s))
    ours.ours_neighbors(pointer(x, ctypes.c_double), ctypes.c_int64(len(x)), x.shape[1], s,
                         pointer(to, ctypes.c_int32), pointer(product, ctypes.c_double))
    return to


x = unit(union(10000, 50, 5, 4, 0.02))
theirs, a = timed(lambda: neighbours_numpy(x, 64))
mine, b = timed(lambda: neighbours_ours(x, 64))
same = np.mean([len(set(p) & set(q)) / 64 for p, q in zip(a, b)])
print(f"TSC, 64 nearest of 10,000 x 50: {theirs / mine:.1f} times as fast as numpy's products and "
      f"argpartition; {same:.4f} of them the same")

cost = ctypes.c_double()
seconds = {}
for n in (100000, 400000):
    rows = union(n, 20, 4, 3, 0.05)
    seconds[n] = min(timed(lambda: ours.ours_kplane(pointer(rows, ctypes.c_double),
                                                    ctypes.c_int64(n), 20, 4, 3,
                                                    ctypes.byref(cost)))[0] for _ in range(2))
print(f"k-plane, 4 times the rows: {seconds[400000] / seconds[100000]:.2f} times the time (linear, "
      "with the same starts: at most 4)")

if "--large" in sys.argv:
    rows = union(100000, 50, 5, 4, 0.02)
    label = np.empty(len(rows), dtype=np.int32)
    mine, _ = timed(lambda: ours.ours_tsc(pointer(rows, ctypes.c_double), ctypes.c_int64(len(rows)),
                                          50, 5, 4, pointer(label, ctypes.c_int32)))
    part = unit(rows)[:5000]
    x = unit(rows).astype(np.float32)
    theirs, _ = timed(lambda: [np.argpartition(-np.abs(part[i:i + 500].astype(np.float32) @ x.T),
                                               63, axis=1) for i in range(0, 5000, 500)])
    table = np.zeros((5, 5))
    np.add.at(table, (label, np.arange(len(rows)) % 5), 1)
    print(f"TSC, all of it, 100,000 x 50: {mine / (20 * theirs):.2f} of the time of numpy's search "
          "for neighbors alone (from a twentieth of "
          f"it); purity {table.max(axis=1).sum() / len(rows):.4f}")
