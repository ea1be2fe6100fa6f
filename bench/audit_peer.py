#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tacit audit against the k-means of diffprivlib (PyPI), its stated epsilon the limit: what is measured over what is stated.

Two files of 300 rows in the unit square that differ in what one row says: all rows at (0.1, 0.1), or one of them at (0.9, 0.9). Two
clusters, bounds given. What is released are the centers; the audit is shown how far the center away from the crowd lies from the middle
of the square, which follows from them.

diffprivlib takes seconds to load, so one process has it loaded and answers the command that is attacked over a socket; every answer is
a fit of its own.

Usage: audit_peer.py TACIT [RUNS [EPSILON]]    with a Python that has diffprivlib"""
import os
import socket
import subprocess
import sys
import tempfile
import threading

ROWS, CROWD, AWAY = 300, 0.1, 0.9


def ask(path, file):
    """The command that is attacked."""
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(path)
        s.sendall(file.encode() + b"\n")
        sys.stdout.write(s.makefile().read())


def fit(file, epsilon):
    import numpy as np
    from diffprivlib.models import KMeans

    rows = np.loadtxt(file, delimiter=",", skiprows=1)
    centers = KMeans(n_clusters=2, epsilon=epsilon, bounds=([0, 0], [1, 1])).fit(rows).cluster_centers_
    away = centers[np.argmax(((centers - CROWD) ** 2).sum(axis=1))]
    return f"{abs(away - 0.5).max():.6f}\n"


def serve(server, epsilon):
    while True:
        with server.accept()[0] as s:
            s.sendall(fit(s.makefile().readline().strip(), epsilon).encode())


def main(tacit, runs="500", epsilon="1"):
    import diffprivlib

    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        files = [os.path.join(folder, name) for name in ("crowd.csv", "one-away.csv")]
        for i, name in enumerate(files):
            with open(name, "w", encoding="utf-8") as out:
                out.write("x,y\n" + f"{AWAY if i else CROWD},{AWAY if i else CROWD}\n" + f"{CROWD},{CROWD}\n" * (ROWS - 1))
        path = os.path.join(folder, "socket")
        server.bind(path)
        server.listen()
        threading.Thread(target=serve, args=(server, float(epsilon)), daemon=True).start()
        print(f"diffprivlib {diffprivlib.__version__} KMeans, rows replaced", flush=True)
        command = f"/usr/bin/python3 -IS '{os.path.abspath(__file__)}' --ask '{path}' {{input}}"
        return subprocess.run([tacit, "audit", "--command", command, "--pair", *files, "--epsilon", epsilon, "--runs", runs],
                              check=False).returncode


if __name__ == "__main__":
    if sys.argv[1] == "--ask":
        ask(*sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))
