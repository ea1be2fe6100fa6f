#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The floors of co-clustering: NMI with the known classes by the released rule, mean of the runs
with its standard error, the floor, and their ratio. K = L = number of classes. Private labels,
which cost half of the budget, beside it, for what they are worth.

Usage: bench/cocluster_floors.py build/bench/cocluster_utility FOLDER
       [--out cocluster-floors.csv] [--runs 20] [--only WORD]
FOLDER holds NAME.csv (row,col,count) and NAME_labels.csv for classic3, cstr, tr11, tr41 and hitech;
for ml100k (ratings of films, K = L = 6) and ml100kx6000 (its rows drawn with replacement to 6,000)
with labels that are all 0: what counts there is the part of the ratings in films that have a
cluster, and tau.
Runs found in the CSV are not repeated."""
import argparse
import sys

from cocluster_sets import NAMES, RATINGS, Runs, mean_of

# data, method, unit, epsilon, delta, runs (None: all), floor, what is measured
FLOORS = [(n, "fast-taucc", "entry", 1, 0, 10, f, "nmi")
          for n, f in zip(NAMES, (.80, .55, .35, .38))]
FLOORS += [(n, "dp-taucc", "entry", e, 0, None, f, "nmi")
           for n, fs in zip(NAMES, ((.46, .66), (.23, .42), (.29, .33), (.25, .38)))
           for e, f in zip((.5, 1), fs)]
FLOORS += [(n, "auto", "entry", e, 0, None, f, "nmi")
           for n, fs in zip(NAMES, ((.03, .63, .70, .77), (.04, .32, .43, .55),
                                    (.22, .37, .40, .46), (.13, .37, .41, .45)))
           for e, f in zip((.1, .5, 1, 3), fs)]
FLOORS += [("cstr", "auto", "entry", 1, 1e-6, None, .55, "nmi"),
           ("tr41", "auto", "entry", 1, 1e-6, None, .44, "nmi")]
FLOORS += [(n, "auto", "row", e, 1e-6, 10, f, "nmi")
           for n, fs in (("classic3", (.58, .82, .90)), ("hitech", (.25, .26, .27)))
           for e, f in zip((1, 2, 4), fs)]
FLOORS += [("classic3", "auto", "row", e, 1e-6, 10, .5, "columns_ari") for e in (1, 2, 4)]
FLOORS += [(n, "auto", "row", e, 1e-6, None, f, "nmi")
           for n, fs in (("cstr", (.09, .35)), ("tr11", (.04, .35)), ("tr41", (.22, .34)))
           for e, f in zip((1, 4), fs)]
FLOORS += [(n, "auto", "row", 1, 1e-6, None, f, what)
           for n, fs in (("ml100k", (.15, .03)), ("ml100kx6000", (.75, .14)))
           for what, f in zip(("placed", "tau_rows"), fs)]


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("driver")
    p.add_argument("folder")
    p.add_argument("--out", default="cocluster-floors.csv")
    p.add_argument("--runs", type=int, default=20)
    p.add_argument("--only", default="", help="lines that hold this word")
    a = p.parse_args()
    runs = Runs(a.driver, a.folder, a.out)
    have, missed, kept = runs.sets(NAMES + list(RATINGS)), [], 0
    print(f"{'data':9} {'method':11} {'unit':6} {'epsilon':>7} {'delta':>6} {'what':12} "
          f"{'mean':>6} {'+-':>6} {'floor':>6} {'ratio':>6}   private labels")
    for name, method, unit, epsilon, delta, most, floor, what in FLOORS:
        line = f"{name:9} {method:11} {unit:6} {epsilon:7g} {delta:6g} {what:12}"
        if name not in have or a.only not in line:
            continue
        many = a.runs if most is None else min(most, a.runs)
        found = mean_of(runs.cell(name, method, unit, epsilon, delta, many), what)
        labels = mean_of(runs.cell(name, method, unit, epsilon, delta, many, share=0.5),
                         "labels_nmi") if unit == "entry" and method != "fast-taucc" else None
        told = f"   {labels[0]:.3f} +- {labels[1]:.3f}" if labels else ""
        if found is None:
            print(f"{line} {'-':>6} {'':6} {floor:6.2f}", flush=True)
            missed.append(line)
            continue
        good = found[0] >= floor
        kept += good
        if not good:
            missed.append(f"{line} {found[0]:.3f} of {floor:.2f}")
        print(f"{line} {found[0]:6.3f} {found[1]:6.3f} {floor:6.2f} "
              f"{found[0] / floor:6.2f}{told}{'' if good else '   MISSED'}", flush=True)
    print(f"\nfloors kept: {kept} of {kept + len(missed)}")
    for line in missed:
        print("  missed:", " ".join(line.split()))
    sys.exit(1 if missed else 0)


main()
