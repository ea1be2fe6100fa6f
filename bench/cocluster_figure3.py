#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 3 of Battaglia & Pensa (2025): Goodman and Kruskal's tau of rows given columns that
dp-taucc reaches, over its rounds and epsilon, as a heat map; of the exact table by released column
clusters and the rows' best clusters, so not private. Writes OUT.csv (every run) and OUT.svg.

Usage: bench/cocluster_figure3.py build/bench/cocluster_utility FOLDER [--out cocluster3]
       [--runs 5] [--sets classic3,...] [--quick]
FOLDER holds NAME.csv (row,col,count) and NAME_labels.csv. Runs found in OUT.csv are not repeated.
--quick: 2 runs, fewer cells."""
import argparse

import svg
from cocluster_sets import NAMES, Runs, mean_of


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("driver")
    p.add_argument("folder")
    p.add_argument("--out", default="cocluster3")
    p.add_argument("--runs", type=int)
    p.add_argument("--sets", default=",".join(NAMES[:4]))
    p.add_argument("--quick", action="store_true")
    a = p.parse_args()
    a.runs = a.runs or (2 if a.quick else 5)
    rounds = [1, 2, 4, 8] if a.quick else [1, 2, 3, 4, 5, 6, 8, 10, 15, 20]
    epsilons = [0.1, 0.5, 1, 3] if a.quick else [0.1, 0.2, 0.3, 0.5, 0.8, 1, 2, 3, 5, 10]
    runs, panels = Runs(a.driver, a.folder, a.out + ".csv"), []
    for name in runs.sets(a.sets.split(",")):
        table = []
        for i in rounds:
            found = [mean_of(runs.cell(name, "dp-taucc", "entry", e, 0, a.runs, rounds=i),
                             "tau_rows") for e in epsilons]
            table.append([f[0] if f else None for f in found])
            print(f"{name:9} rounds {i:3}: " +
                  " ".join(f"{t:.3f}" if t is not None else "  -  " for t in table[-1]), flush=True)
        most = max([t for row in table for t in row if t is not None], default=1)
        panels.append(svg.Heat(name, "ε", "rounds", epsilons, rounds, table, 0, max(most, 1e-9)))
    svg.write(a.out + ".svg", panels, "dp-taucc: τ of rows given columns over rounds and ε",
              f"Mean of {a.runs} runs; of the exact table by the released column clusters and the "
              "rows' best clusters. Darkest: a panel's largest. After Battaglia & Pensa 2025.")
    print(f"{a.out}.csv, {a.out}.svg")


main()
