#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What `tacit kmeans -k auto` chooses, beside the number of clusters the rows were drawn from (1: a
lump without any).

Usage: bench/choose_k.py TACIT [--data FOLDER] [--sets NAME,...] [--epsilon 0.3,1] [--runs 5]
       [--delta 1e-6]"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

from recipes import load

SETS = ("lump:2,lump:5,lump:20,lump:2:1,lump:5:1,lump:10:2,d3,g:20000:2:5,g:20000:5:8:0.05,"
        "g:20000:10:16,g:50000:20:30,g20,"
        "aniso:10:10,unbalsyn:10,s1")


def main():
    p = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                description=__doc__)
    p.add_argument("tacit")
    p.add_argument("--data", type=pathlib.Path)
    p.add_argument("--sets", default=SETS)
    p.add_argument("--epsilon", default="0.3,1")
    p.add_argument("--delta", default="1e-6")
    p.add_argument("--runs", type=int, default=5)
    a = p.parse_args()
    right = near = total = 0
    for name in a.sets.split(","):
        try:
            s = load(name, a.data)
        except FileNotFoundError:
            continue
        with tempfile.TemporaryDirectory() as folder:
            np.save(pathlib.Path(folder) / "x.npy", s.x)
            for epsilon in a.epsilon.split(","):
                found = []
                for _ in range(a.runs):
                    out = subprocess.run([a.tacit, "kmeans", pathlib.Path(folder) / "x.npy", "-k",
                                          "auto", "--k-max", str(max(40, s.k + s.k // 4)),
                                          "--epsilon", epsilon, "--delta", a.delta, "--json",
                                          "--quiet", *s.domain], capture_output=True,
                                         check=True).stdout
                    found.append(len(json.loads(out)["centers"]))
                right += sum(k == s.k for k in found)
                near += sum(abs(k - s.k) <= 0.1 * s.k for k in found)
                total += len(found)
                print(f"{name:20} epsilon {epsilon:4} true k {s.k:3}   chosen "
                      f"{' '.join(map(str, sorted(found)))}", flush=True)
    print(f"exact: {right} of {total}; within a tenth: {near} of {total}")


main()
