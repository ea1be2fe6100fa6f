#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Does the z of a column mean what it says? The share of columns, by z, whose cluster is the one
that the exact table of the same rows gives: rows placed by the released rule, columns by the score
of tau, argmax_c sum_a M_aj (T_ac / T_a. - T_.c / T), M the exact masses, T their sums by cluster.

    python3 bench/cocluster_right.py TACIT RUNS NAME=CLUSTERS=TABLE.csv ...

TABLE.csv: row,col,count from 0. Needs numpy and scipy. Prints the share of right columns and how
many there are in each band of z, and the mean over the runs of the share from z = 1 on with its
standard error."""
import json
import subprocess
import sys

import numpy as np
import scipy.sparse as sp

BANDS = [(0, .5), (.5, 1), (1, 1.5), (1.5, 2), (2, 3), (3, np.inf)]


def read(path):
    entries = np.loadtxt(path, delimiter=",", skiprows=1)
    places = entries[:, :2].astype(int).T
    return sp.csr_matrix((np.log2(1 + entries[:, 2]), places))


def unit(rows):
    length = np.sqrt(np.asarray(rows.multiply(rows).sum(1)).ravel())
    return sp.diags(1 / np.maximum(length, 1e-12)) @ rows


def row_clusters(logs, rule):
    """The cluster of every row by the released rule."""
    columns, scores = np.array(rule["columns"]), np.array(rule["scores"])
    weights = sp.csr_matrix((rule["weights"], (np.arange(len(columns)), rule["groups"])),
                            (len(columns), scores.shape[1]))
    seen = unit(logs[:, columns] @ weights)
    return np.array(rule["clusters"])[np.argmax(seen @ scores.T + np.array(rule["offsets"]), 1)]


def right(logs, model):
    """z of every placed column, and whether its cluster is the one of the exact table."""
    label = row_clusters(logs, model["rule"])
    member = sp.csr_matrix((np.ones(len(label)), (label, np.arange(len(label)))),
                           (model["row_clusters"], len(label)))
    z = np.array([np.nan if v is None else v for v in model["column_z"]])
    cluster = np.array(model["column_clusters"])
    placed = np.nonzero((z >= 0) & (cluster < len(model["table"][0]) - 1))[0]
    mass, cluster = (member @ unit(logs)).toarray()[:, placed], cluster[placed]
    table = np.stack([mass[:, cluster == c].sum(1) for c in range(len(model["table"][0]) - 1)])
    score = table / np.maximum(table.sum(0), 1e-300) - (table.sum(1) / table.sum())[:, None]
    return z[placed], (score @ mass).argmax(0) == cluster


def main():
    tacit, runs = sys.argv[1], int(sys.argv[2])
    for name, clusters, path in (text.split("=") for text in sys.argv[3:]):
        logs = read(path)
        for epsilon in ("1", "4"):
            found = []
            for seed in range(1, runs + 1):
                said = subprocess.run(
                    [tacit, "cocluster", path, "--rows", clusters, "--cols", clusters, "--epsilon",
                     epsilon, "--delta", "1e-6", "--least-z", "0", "--insecure-test-seed",
                     str(seed), "--json"], capture_output=True, check=True)
                found.append(right(logs, json.loads(said.stdout)))
            z, good = (np.concatenate(part) for part in zip(*found))
            bands = [(z >= low) & (z < high) for low, high in BANDS]
            from_one = [g[one >= 1].mean() for one, g in found]
            print(name, epsilon, *(f"{low:g}: {good[band].mean():.2f} ({band.sum()})"
                                   for (low, _), band in zip(BANDS, bands)),
                  f"from 1: {np.mean(from_one):.3f} +- "
                  f"{np.std(from_one, ddof=1) / runs ** .5:.3f}", flush=True)


main()
