#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows whose second moments fall steeply, as those of pictures do: does method bingham end? The
faces of Figure 3 of Wang, Wang & Singh 2015, 5 people in 50 columns, q 9. Prints its processor time
over that of auto in the same run, the most of three draws of people, or that it took too long.

    python3 bench/bingham_faces.py TACIT --data FOLDER    FOLDER: yaleb32_x.npy and yaleb32_y.npy"""
import argparse
import pathlib
import resource
import tempfile

import numpy as np

from running import Failed
from subspace_sets import Flats, faces

LIMIT = 60


def seconds(flats, rows, path, words):
    """Processor time of one run."""
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    before = spent()
    flats.run(rows, path, words)
    return spent() - before


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tacit")
    parser.add_argument("--data", required=True)
    args = parser.parse_args()
    flats = Flats(args.tacit, LIMIT)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "faces.npy"
        for epsilon, delta in (("10", "0"), ("10", "1e-4"), ("2", "0")):
            words, most = ["--epsilon", epsilon, "--delta", delta], 0
            try:
                for seed in range(3):
                    rows = faces(args.data, seed)
                    np.save(path, rows.x)
                    auto = seconds(flats, rows, path, words)
                    most = max(most, seconds(flats, rows, path,
                                             [*words, "--method", "bingham"]) / auto)
                print(f"epsilon {epsilon}, delta {delta}: bingham {most:.2f} times auto's time")
            except Failed as late:
                print(f"epsilon {epsilon}, delta {delta}: {late}")


if __name__ == "__main__":
    main()
