#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Starved runs of k-means: does a release say that one mean would tell as much, and is it so?
  wrong    the note comes though the centers cost at most half of what one exact mean costs
  missing  it does not though they cost at least 0.95 of it
Prints both for generated sets of 5,000 rows (mixtures whose groups lie 10 and 3 standard deviations
apart, one Gaussian, an even box; bounds that fit and ten times too wide; 2, 5, 10, 50 columns; k 8)
and, with FOLDER, for samples of s1, letter, adult, gas and lifesci; delta 1e-6 and 0.

Usage: bench/trivial_note.py TACIT... [--data FOLDER] [--runs 3] [--epsilon .02,.05,.1,.25]
Several builds are compared on the same rows. Needs Debian's python3-numpy."""
import argparse
import pathlib
import sys
import tempfile

import numpy as np

import recut

FILES = {"s1": ("s1_x.npy", 15, 5000), "letter": ("letter_x.npy", 26, 20000),
         "adult": ("adultnum_x.npy", 10, 20000), "gas": ("gasemission_x.npy", 8, 20000),
         "lifesci": ("lifesci_x.npy", 10, 20000)}
GOOD, NO_BETTER = .5, .95
lots = np.random.default_rng(77)


def mixture(columns, groups, apart, loose):
    middle = lots.standard_normal((groups, columns)) * apart / np.sqrt(2 * columns)
    x = middle[lots.integers(groups, size=5000)] + lots.standard_normal((5000, columns))
    x = (x - x.min(0)) / (x.max() - x.min())
    return x, 8, (-.7 * (loose - 1), 1 + .3 * (loose - 1))


def sets(folder):
    for columns in (2, 5, 10, 50):
        for loose in (1, 10):
            yield "generated", mixture(columns, 8, 10, loose)
            yield "generated", mixture(columns, 1, 0, loose)
        yield "generated", mixture(columns, 8, 3, 1)
        yield "generated", (lots.random((5000, columns)), 8, (0, 1))
    for name in FILES if folder else []:
        file, k, rows = FILES[name]
        x = np.load(folder / file).astype(float)
        x = x[lots.permutation(len(x))[:rows]]
        low, high = x.min(0), x.max(0)
        yield name, ((x - low) / np.where(high > low, high - low, 1), k, (0, 1))


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("tacit", nargs="+")
    ask.add_argument("--data", type=pathlib.Path)
    ask.add_argument("--runs", type=int, default=3)
    ask.add_argument("--epsilon", default=".02,.05,.1,.25")
    o = ask.parse_args()
    seen = {}  # build, set: good, wrong, no better, missing
    with tempfile.TemporaryDirectory() as place:
        file = f"{place}/x.npy"
        for name, (x, k, bounds) in sets(o.data):
            np.save(file, x.astype(np.float32))
            one = recut.cost(x, [x.mean(0)], 1, 2)
            argv = ["kmeans", file, "-k", k, "--bounds", f"{bounds[0]}:{bounds[1]}", "-q", "--json"]
            for epsilon, delta, tacit in ((e, d, t) for e in o.epsilon.split(",")
                                          for d in ("1e-6", "0") for t in o.tacit * o.runs):
                model = recut.run([tacit, *argv, "--epsilon", epsilon, "--delta", delta])
                if isinstance(model, str):
                    sys.exit(model)
                said = any("would tell as much" in note for note in model["notes"])
                part = recut.cost(x, model["centers"], 1, 2) / one
                count = seen.setdefault((tacit, name), [0] * 4)
                count[0] += part <= GOOD
                count[1] += part <= GOOD and said
                count[2] += part >= NO_BETTER
                count[3] += part >= NO_BETTER and not said
    for (tacit, name), (good, wrong, no_better, missing) in sorted(seen.items()):
        print(f"{tacit} {name:10s} wrong {wrong} of {good}, missing {missing} of {no_better}")


if __name__ == "__main__":
    sys.exit(main())
