#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost of private k-means over that of plain k-means against epsilon, for three numbers of rows and
two deltas: generated rows, the command itself with the system's randomness. Writes OUT.csv (every
run) and OUT.svg.

Usage: bench/epsilon_cost.py TACIT [--out docs/figures/epsilon-cost] [--runs 10] [--plot-only]
Runs found in OUT.csv are not repeated: remove it to run anew. Every run has rows of its own; plain
k-means is the best of 10 starts on the same rows."""
import argparse
import csv
import json
import os
import statistics
import subprocess
import tempfile

import svg

ROWS, DELTAS = (1000, 10000, 100000), ("1e-6", "0")
EPSILONS = ("0.05", "0.1", "0.2", "0.5", "1", "2", "4")
COLUMNS, CLUSTERS, SPREAD = 5, 8, "0.08"
COLORS = {1000: "#c2410c", 10000: "#0b57d0", 100000: "#15803d"}
FIELDS = ["rows", "run", "delta", "epsilon", "cost", "plain_cost", "one_mean_cost"]


def measure(tacit, rows, run, wanted):
    """A line for every wanted (delta, epsilon) on one generated file."""
    with tempfile.TemporaryDirectory() as folder:
        def call(*words):
            return subprocess.run([os.path.abspath(tacit), *words], cwd=folder, check=True,
                                  capture_output=True).stdout

        def judge(restarts):
            return json.loads(call("evaluate", "model.json", "rows.csv", "--restarts", restarts,
                                   "--json"))
        call("generate", "mixture", "--rows", str(rows), "--columns", str(COLUMNS), "--clusters",
             str(CLUSTERS), "--spread", SPREAD, "--seed", str(run + 1), "-o", "rows.csv")
        plain = None
        for delta, epsilon in wanted:
            call("kmeans", "rows.csv", "-k", str(CLUSTERS), "--epsilon", epsilon, "--delta", delta,
                 "--bounds", "0:1", "-q", "-o", "model.json")
            if plain is None:  # knows no epsilon
                plain = judge("10")
            yield [rows, run, delta, epsilon, judge("1")["cost"], plain["plain_cost"],
                   plain["one_mean_cost"]]


def run_all(tacit, path, runs):
    known = {tuple(line[name] for name in FIELDS[:4]) for line in read(path)}
    with open(path, "a", newline="", encoding="ascii") as file:
        writer = csv.writer(file)
        if not known:
            writer.writerow(FIELDS)
        for run in range(runs):
            for rows in ROWS:
                wanted = [(delta, epsilon) for delta in DELTAS for epsilon in EPSILONS
                          if (str(rows), str(run), delta, epsilon) not in known]
                writer.writerows(measure(tacit, rows, run, wanted))
                file.flush()


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii") as file:
        return list(csv.DictReader(file))


def points(lines, rows, delta):
    """(epsilon, mean, mean less and plus a standard error), by epsilon."""
    out = []
    for epsilon in EPSILONS:
        ratios = [float(line["cost"]) / float(line["plain_cost"]) for line in lines
                  if (line["rows"], line["delta"], line["epsilon"]) == (str(rows), delta, epsilon)]
        mean, error = statistics.mean(ratios), statistics.stdev(ratios) / len(ratios) ** 0.5
        print(f"rows {rows:6} delta {delta:4} epsilon {epsilon:4} {mean:7.3f} ± {error:.3f}")
        out.append((float(epsilon), mean, mean - error, mean + error))
    return out


def draw(lines, path):
    panels = [svg.Panel(name, "epsilon", "cost / cost of plain k-means",
                        [{"name": f"{rows:,} rows", "color": COLORS[rows], "width": 2.4,
                          "points": points(lines, rows, delta)} for rows in ROWS],
                        [float(epsilon) for epsilon in EPSILONS])
              for delta, name in (("1e-6", "delta 1e-6"), ("0", "delta 0: pure"))]
    every = [point for panel in panels for line in panel.lines for point in line["points"]]
    for panel in panels:  # one scale for both
        panel.span = 0.95, 1.12 * max(point[3] for point in every)
    runs = len({line["run"] for line in lines})
    one = statistics.mean(float(line["one_mean_cost"]) / float(line["plain_cost"])
                          for line in lines)
    svg.write(path, panels, "What epsilon costs: the more rows, the smaller an epsilon will do",
              f"{CLUSTERS} groups in {COLUMNS} columns, generated; tacit kmeans, method auto; mean "
              f"of {runs} runs, each on rows of its own; band: one standard error. 1: as good as "
              f"without privacy; one mean of all rows: {one:.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tacit")
    parser.add_argument("--out", default="docs/figures/epsilon-cost")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--plot-only", action="store_true")
    a = parser.parse_args()
    if not a.plot_only:
        run_all(a.tacit, a.out + ".csv", a.runs)
    draw(read(a.out + ".csv"), a.out + ".svg")


if __name__ == "__main__":
    main()
