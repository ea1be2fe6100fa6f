# SPDX-License-Identifier: Apache-2.0
"""tacit audit against every peer of the scoreboard and against ours. Each peer has its pair: a
crowd of rows at (0.1, 0.1) in the unit square, and the same with one row more, far away. That is
the add-remove relation, to which the noise of every peer is fitted. How many rows and clusters
there are was chosen for what reading the peer showed to be its weakest place."""
import json
import pathlib
import subprocess

import numpy as np

CROWD, AWAY = 0.1, 0.9
PAIRS = {  # rows, clusters
    "diffprivlib": (300, 2),  # a cluster without rows keeps its center
    "google": (300, 2),
    "dpm": (200, 1000),       # a cluster without rows has the middle of the box as its center
    "emmc": (1000, 1),        # noise of the means
    "fastlloyd": (300, 1),    # noise of the first round
}
DELTAS = {"diffprivlib": 0.0}
EPSILONS = [.1, .5, 1.0, 2.0]


def files(rows, where):
    x = np.full((rows, 2), CROWD)
    paths = [where / f"crowd{rows}.npy", where / f"away{rows}.npy"]
    np.save(paths[0], x)
    np.save(paths[1], np.vstack([[AWAY, AWAY], x]))
    return paths


def attack(tacit, command, pair, epsilon, delta, runs):
    run = subprocess.run([tacit, "audit", "--command", command, "--pair", *pair, "--epsilon",
                          repr(epsilon), *(["--delta", repr(delta)] if delta else []), "--runs",
                          str(runs), "--threads", "2", "--json", "--quiet"],
                         stdout=subprocess.PIPE, check=False)
    return json.loads(run.stdout)[0]


def kept(one):
    return {k: one.get(k) for k in ("measured", "violation", "attack", "runs", "refused")}


def audits(a, board, peer, where):
    client = pathlib.Path(__file__).with_name("audit_peer.py").resolve()
    for name, (rows, k) in PAIRS.items():
        pair, delta = files(rows, where), DELTAS.get(name, 1e-6)
        for e in EPSILONS:
            cell = board.cell("audit", name, e, delta)
            if name in a.peers and not cell:
                with peer(name, a.peers[name], k, delta, where, e) as p:
                    command = f"/usr/bin/python3 -IS '{client}' --ask '{p.socket}' {{input}}"
                    cell.append(kept(attack(a.tacit, command, pair, e, delta, a.audit_runs)))
            cell = board.cell("audit", f"auto on {name}", e, delta)
            if e == 1.0 and not cell:  # ours, with the same pair, from outputs alone
                command = (f"'{a.tacit}' kmeans {{input}} -k {min(k, rows)} --epsilon {e!r} "
                           f"{'--delta 1e-6 ' if delta else ''}--bounds 0:1 --threads 1 --json "
                           "--quiet 2>/dev/null")
                cell.append(kept(attack(a.tacit, command, pair, e, delta, a.audit_runs)))
            board.save()
        print(f"audit of {name}", flush=True)
    for delta in (1e-6, 0.0):  # ours by its answers: the stronger attack
        for e in EPSILONS:
            cell = board.cell("audit", "ours", e, delta)
            if not cell:
                run = subprocess.run([a.tacit, "audit", "kmeans", "--method", "all", "--epsilon",
                                      repr(e), *(["--delta", "1e-6"] if delta else []), "--runs",
                                      "1000", "--threads", "1", "--json", "--quiet"],
                                     stdout=subprocess.PIPE, check=False)
                cell.extend({"target": v["target"], **kept(v)} for v in json.loads(run.stdout))
                board.save()
