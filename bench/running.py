# SPDX-License-Identifier: Apache-2.0
"""Running the command and judging what it returns: centers, cost relative to plain k-means, seconds, peak memory."""
import json
import os
import resource
import subprocess
import sys
import time

import numpy as np
from sklearn.cluster import KMeans


class Failed(Exception):
    """The command refused or was too slow; the sentence says which."""


class Tacit:
    def __init__(self, command, limit=300):
        self.command, self.limit = command, limit

    def methods(self):
        out = subprocess.run([self.command, "kmeans", "--list-methods", "--json"], capture_output=True, check=True).stdout
        return [m["name"] for m in json.loads(out) if m["kmeans"]]

    def kmeans(self, path, k, domain, epsilon, delta=1e-6, method="auto"):
        """Centers of one private run with the system's randomness, and its wall seconds."""
        argv = [self.command, "kmeans", str(path), "-k", str(k), "--epsilon", repr(epsilon), "--method", method, "--json",
                "--quiet", *domain] + (["--delta", repr(delta)] if delta > 0 else [])
        start = time.perf_counter()
        try:
            run = subprocess.run(argv, capture_output=True, timeout=self.limit)
        except subprocess.TimeoutExpired:
            raise Failed(f"over {self.limit} s") from None
        if run.returncode:
            raise Failed(run.stderr.decode().strip().splitlines()[-1] if run.stderr else f"exit {run.returncode}")
        return np.array(json.loads(run.stdout)["centers"]), time.perf_counter() - start


def cost(x, c):
    """Mean squared distance to the nearest center. Both are moved first: the short formula is wrong far from 0."""
    middle = c.mean(0)
    c = c - middle
    c2, total = (c * c).sum(1), 0.0
    for i in range(0, len(x), 20000):
        b = x[i:i + 20000] - middle
        total += float(((b * b).sum(1) + np.min(c2 - 2 * b @ c.T, axis=1)).sum())
    return max(total, 0.0) / len(x)


def plain(s, k=None, starts=None):
    """The best of some k-means++ runs and, for its own k, of Lloyd from the centers the rows were drawn around. Clusters
    much smaller than the domain need an exact tolerance, and data near 0: the rows are centered and scaled first."""
    k = min(k or s.k, len(s.x))
    middle, scale = s.x.mean(0), s.x.std() or 1.0
    x = (s.x - middle) / scale
    starts = starts or (10 if x.size < 1e6 else 5 if x.size < 5e6 else 2)
    best = min(KMeans(k, n_init=1, tol=1e-9, random_state=i).fit(x).inertia_ for i in range(starts))
    if s.truth is not None and k == len(s.truth):
        best = min(best, KMeans(k, init=(s.truth - middle) / scale, n_init=1, tol=1e-9).fit(x).inertia_)
    return best * scale ** 2 / len(x)


def child(argv):
    """Wall seconds, CPU seconds and peak resident bytes of a process. The peak is read from /proc while it runs: what wait4 tells still
    holds the size of this Python, from before the exec."""
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    start, before = time.perf_counter(), used()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
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
        sys.exit(f"{' '.join(map(str, argv))}: exit {process.returncode}")
    return time.perf_counter() - start, used() - before, peak
