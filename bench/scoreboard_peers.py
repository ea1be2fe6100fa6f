# SPDX-License-Identifier: Apache-2.0
"""Other people's private k-means, each behind one function: rows in the unit box, k, epsilon,
delta, then centers. Nothing of theirs is here: they are imported from where the user has them. One
process has a peer loaded and answers over a socket, so that loading is not measured.

Usage: scoreboard_peers.py PEER PATH SOCKET K DELTA [EPSILON]    with a Python that has what the
peer needs. A line of JSON asks for a fit of a file at an epsilon; with EPSILON the line is a file,
and the answer is what tacit audit is shown."""
import contextlib
import io
import json
import os
import resource
import socket
import sys
import time

import numpy as np

from scoreboard_feddp import feddp


def diffprivlib(path):
    from diffprivlib.models import KMeans

    def fit(x, k, epsilon, delta):
        d = x.shape[1]
        return KMeans(k, epsilon=epsilon, bounds=(np.zeros(d), np.ones(d))).fit(x).cluster_centers_
    return fit


def google(path):
    """The box is moved to the origin, as its README advises. Noise is calibrated once for each
    epsilon: that depends on no row. Its time is added to every fit, which would do it anew."""
    sys.path.insert(0, os.path.join(path, "learning"))
    from clustering import clustering_algorithm as algorithm
    from clustering import clustering_params as params

    made = algorithm.privacy_calculator.PrivacyCalculator
    calibrated = {}

    def calibrate(privacy, radius, depth, multipliers):
        key = privacy.epsilon, privacy.delta, radius, depth
        if key not in calibrated:
            start = time.process_time()
            one = made(privacy, radius, depth, multipliers)
            one.validate_accounting(privacy, depth)
            calibrated[key] = one, time.process_time() - start
            fit.more = 0.0
        else:
            fit.more = calibrated[key][1]
        one = calibrated[key][0]
        one.validate_accounting = lambda *_: None
        return one

    def fit(x, k, epsilon, delta):
        data = params.Data(x - 0.5, np.sqrt(x.shape[1]) / 2)
        privacy = params.DifferentialPrivacyParam(epsilon, delta)
        return algorithm.private_lsh_clustering(k, data, privacy).centers + 0.5

    algorithm.privacy_calculator.PrivacyCalculator = calibrate
    return fit


def dpm(path):
    """It finds its own number of centers. More than k are brought down to k by k-means of its
    centers with its noisy counts as weights. The box is that of its demo."""
    sys.path.insert(0, path)
    from dpm import DPM
    from sklearn.cluster import KMeans

    def fit(x, k, epsilon, delta):
        run = DPM(200 * x - 100, (-100, 100), epsilon, delta)
        centers, _ = run.perform_clustering()
        weights = np.maximum(np.array(run.cluster_noisy_count, float), 1e-9)
        if len(centers) > k:
            centers = KMeans(k, n_init=10).fit(np.clip(centers, -100, 100),
                                               sample_weight=weights).cluster_centers_
        return np.clip(centers, -100, 100) / 200 + 0.5
    return fit


def emmc(path):
    sys.path.insert(0, path)
    from emmc import EMMC

    def fit(x, k, epsilon, delta):
        return 0.5 + EMMC().cluster(x - 0.5, np.sqrt(x.shape[1]), k, epsilon, delta)
    return fit


def fastlloyd(path):
    """Gaussian noise, the radius and folding that its paper recommends, one client. Its delta
    follows from a number of rows: it is given the one of our delta. Every run has a fresh seed:
    all of its noise follows from that. Its server tells all clients noisy sums and counts in every
    round; the audit hears the first."""
    sys.path.insert(0, path)
    os.chdir(path)
    from configs import Params
    from data_io import to_fixed, unscale
    from utils import protocols

    class Heard(protocols.Server):
        def step(self, *told):
            total, count = super().step(*told)
            fit.heard.append([*unscale(total).ravel(), *count.ravel()])
            return total, count

    def fit(x, k, epsilon, delta):
        n = 2.0
        while 1 / (n * np.log(n)) > delta:
            n *= 1.0001
        p = Params(seed=int.from_bytes(os.urandom(3), "big"), data_size=len(x), dim=x.shape[1], k=k,
                   eps=epsilon, dp="gaussiananalytic", method="diagonal_then_frac", post="fold",
                   alpha=0.8, num_clients=1)
        p.calculate_iters()
        p.data_size = n
        found = protocols.local_proto([to_fixed(2 * x - 1)], p, "unmasked")[0]
        return unscale(found) / 2 + 0.5

    protocols.Server = Heard
    return fit


PEERS = {f.__name__: f for f in (diffprivlib, google, dpm, emmc, fastlloyd)}
PEERS["feddp"] = lambda path: feddp(path, public=False)
PEERS["feddp-public"] = lambda path: feddp(path, public=True)


def shown(centers, d, heard):
    """For the audit, from the centers: how many there are, how many lie in the very middle of the
    box, how many if none does, the largest and the smallest number of each column, the mean, how
    far the center furthest from the crowd at 0.1 is from the middle; then what was heard."""
    c = np.asarray(centers, float).reshape(-1, d)
    if not len(c):
        return "0\n"
    middle = int((np.abs(c - 0.5).max(1) < 1e-12).sum())
    away = c[np.argmax(((c - 0.1) ** 2).sum(1))]
    told = [len(c), middle, len(c) if not middle else 0, *c.max(0), *c.min(0), c.mean(),
            np.abs(away - 0.5).max(), *heard]
    return " ".join(f"{v:.9g}" for v in told) + "\n"


def main(peer, path, where, k, delta, epsilon=None):
    fit, rows = PEERS[peer](path), {}
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(where + ".new")
        server.listen()
        os.rename(where + ".new", where)  # who waits for the file may connect
        while True:
            with server.accept()[0] as s:
                line = s.makefile().readline().strip()
                ask = {"file": line, "epsilon": float(epsilon)} if epsilon else json.loads(line)
                if ask["file"] not in rows:
                    rows[ask["file"]] = np.load(ask["file"])
                x = rows[ask["file"]]
                fit.more, fit.heard, start = 0.0, [], time.process_time()
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        centers = fit(x.copy(), int(k), ask["epsilon"], float(delta))
                    answer = {"centers": np.asarray(centers).tolist(),
                              "seconds": time.process_time() - start + fit.more,
                              "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
                except Exception as why:  # whatever a peer does, the board says it
                    answer = {"failed": f"{type(why).__name__}: {why}"[:120]}
                heard = fit.heard[0] if fit.heard else []
                s.sendall((shown(answer.get("centers", []), x.shape[1], heard) if epsilon else
                           json.dumps(answer) + "\n").encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
