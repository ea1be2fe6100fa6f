# SPDX-License-Identifier: Apache-2.0
"""tacit audit against every peer of the scoreboard and against ours. Each peer has its pair: a
crowd of rows at (0.1, 0.1) in the unit square, and the same with one row more, far away. That is
the add-remove relation, to which the noise of every peer is fitted. How many rows and clusters
there are was chosen for what reading the peer showed to be its weakest place."""
import json
import pathlib
import subprocess

CROWD, AWAY = 0.1, 0.9
PAIRS = {  # rows, clusters, runs over --audit-runs
    "diffprivlib": (300, 2, 1),  # a cluster without rows keeps its center
    "google": (300, 2, 1),
    "dpm": (200, 1000, 3),       # a cluster without rows has the middle of the box as its center
    "emmc": (1000, 1, 0.4),      # noise of the means
    "fastlloyd": (300, 1, 1),    # noise of the first round
    "feddp": (300, 2, 1),        # sums and counts take their noise from one seed
}
DELTAS = {"diffprivlib": 0.0}
EPSILONS = [.1, .5, 1.0, 2.0]


def spent(d):
    """What diffprivlib 0.6.6 spends over what it is told to, in d columns with bounds 0:1: its two
    shares are exchanged, so every column gets that of the count."""
    c = (4 * d * 0.225 ** 2) ** (1 / 3)
    return (1 + d * c) / (d + c)


def files(rows, where):
    import numpy as np

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


def tell(name, epsilon, found):
    if found["measured"] is None:
        print(f"{name}: claimed {epsilon:g}, nothing measured: {found['refused']}", flush=True)
    else:
        print(f"{name}: claimed {epsilon:g}, measured {found['measured']:.2f}"
              f"{', above the claim' if found['violation'] else ''}", flush=True)


def audits(a, board, peer, where):
    """The peers first, each bound told as soon as it is known; then ours."""
    client = pathlib.Path(__file__).with_name("audit_peer.py").resolve()
    setup = {name: (files(rows, where), k, rows, DELTAS.get(name, 1e-6), int(share * a.audit_runs))
             for name, (rows, k, share) in PAIRS.items()}
    for name, (pair, k, _, delta, runs) in setup.items():
        for e in EPSILONS:
            cell = board.cell("audit", name, e, delta)
            if name in a.peers and not cell:
                with peer(name, a.peers[name], k, delta, where, e) as p:
                    command = f"/usr/bin/python3 -IS '{client}' --ask '{p.socket}' {{input}}"
                    cell.append(kept(attack(a.tacit, command, pair, e, delta, runs)))
                board.save()
            if cell:
                tell(name, e, cell[0])
    for name, (pair, k, rows, delta, runs) in setup.items():
        cell = board.cell("audit", f"auto on {name}", 1.0, delta)
        if not cell:  # ours, with the same pair, from outputs alone
            command = (f"'{a.tacit}' kmeans {{input}} -k {min(k, rows)} --epsilon 1.0 "
                       f"{'--delta 1e-6 ' if delta else ''}--bounds 0:1 --threads 1 --json "
                       "--quiet 2>/dev/null")
            cell.append(kept(attack(a.tacit, command, pair, 1.0, delta, runs)))
            board.save()
        tell(f"auto on the files of {name}", 1.0, cell[0])
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
