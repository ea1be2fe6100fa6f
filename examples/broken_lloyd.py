#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A private k-means with a mistake that is easy to make: a cluster without rows keeps its center as
it is, without noise. Then the release tells, to the last digit, that nobody is near that center.
--correct adds noise to every cluster. For tacit audit:

    tacit audit --command 'python3 -IS examples/broken_lloyd.py {input}' --pair examples/with.csv
    examples/without.csv --epsilon 1 --runs 100

Usage: broken_lloyd.py FILE [--correct]   (two columns in [0, 1], epsilon 1, add or remove one
row)"""
import math
import os
import sys

EPSILON, ROUNDS = 1.0, 3
START = [(0.25, 0.25), (0.75, 0.75)]


def laplace(scale):
    u = int.from_bytes(os.urandom(7), "big") / 2.0**56 - 0.5
    return -scale * math.copysign(math.log1p(-2 * abs(u)), u)


def clip(x):
    return min(1.0, max(0.0, x))


def main(path, correct):
    with open(path, encoding="utf-8") as file:
        rows = [tuple(clip(float(x)) for x in line.split(",")) for line in file.read().split()[1:]]
    centers = list(START)
    scale = 3 * ROUNDS / EPSILON  # one row moves a count by 1 and two sums by 1 at most
    for _ in range(ROUNDS):
        cells = [[] for _ in centers]
        for row in rows:
            cells[min(range(len(centers)), key=lambda c: math.dist(row, centers[c]))].append(row)
        for c, cell in enumerate(cells):
            if not cell and not correct:
                continue  # the mistake
            count = max(1.0, len(cell) + laplace(scale))
            centers[c] = tuple(clip((sum(row[j] for row in cell) + laplace(scale)) / count)
                               for j in range(2))
    for center in centers:
        print(f"{center[0]:.6f},{center[1]:.6f}")


if __name__ == "__main__":
    main(sys.argv[1], "--correct" in sys.argv[2:])
