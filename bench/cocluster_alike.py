#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two blocks of the same size without a common column: noise turns the eigenvectors of such a table
at will. Prints in which share of the runs all columns came out right, which is 1 where nothing is
lost, with test seeds 0, 1, ...

    python3 bench/cocluster_alike.py TACIT [RUNS]"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROWS, COLUMNS, COUNT = 4000, 20, 5


def main():
    tacit, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    half = COLUMNS // 2
    blocks = [",".join(str(COUNT if (j < half) == left else 0) for j in range(COLUMNS))
              for left in (True, False)]
    wanted = ([0] * half + [1] * half, [1] * half + [0] * half)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "alike.csv"
        path.write_text("\n".join([",".join(f"item{j}" for j in range(COLUMNS)),
                                   *(blocks[2 * i // ROWS] for i in range(ROWS))]) + "\n")
        for epsilon, delta in (("8", "1e-6"), ("2", "1e-6"), ("8", "0")):
            right = 0
            for seed in range(runs):
                done = subprocess.run(
                    [tacit, "cocluster", path, "--rows", "2", "--cols", "2", "--epsilon", epsilon,
                     "--delta", delta, "--insecure-test-seed", str(seed), "--json", "--quiet"],
                    capture_output=True, check=True)
                right += json.loads(done.stdout)["column_clusters"] in wanted
            print(f"epsilon {epsilon}, delta {delta}: {right / runs:.4f} of {runs} runs, "
                  "1 where nothing is lost")


if __name__ == "__main__":
    main()
