# SPDX-License-Identifier: Apache-2.0
"""A person's first minutes with an installed wheel: import, a fit, a release, the command, a ledger
that runs out. Called by tools/wheel with the Python of a fresh environment, outside the tree."""
import importlib.metadata
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import tacitdp as td

COMMAND = Path(td.__file__).with_name("tacit")


def tacit(*words, expect=0):
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True)
    assert done.returncode == expect, (words, done)
    return done.stdout + done.stderr


assert td.__file__.startswith(sys.prefix), td.__file__
version = importlib.metadata.version("tacit-dp")
# The libraries below it are those of the wheel: its BLAS picks kernels at run time.
said = tacit("--version")
assert td.__version__ == version and said.startswith(f"tacit {version}\n"), said
assert "DYNAMIC_ARCH" in said, said

rows = np.random.default_rng(1).normal([[[0.2, 0.2]], [[0.8, 0.8]]], 0.02, (2, 5000, 2))
km = td.KMeans(2, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows.reshape(-1, 2))
assert np.allclose(np.sort(km.cluster_centers_, axis=0), [[0.2] * 2, [0.8] * 2], atol=0.02)

with tempfile.TemporaryDirectory() as folder:
    data, release = f"{folder}/people.csv", f"{folder}/release.json"
    tacit("generate", "mixture", "--rows", "2000", "-o", data)
    tacit("ledger", "init", data, "--epsilon", "1.2", "--delta", "1e-5", "--bounds", "0:1")
    kmeans = ["kmeans", data, "-k", "3", "--epsilon", "1", "--delta", "1e-6", "-o", release]
    tacit(*kmeans)
    assert "1.2" in tacit("ledger", "show", data)
    assert "budget" in tacit(*kmeans, expect=75)
    # BLAS of the wheel
    tacit("generate", "subspaces", "--rows", "2000", "-o", f"{folder}/union.csv")
    tacit("subspace", f"{folder}/union.csv", "-k", "3", "-q", "3", "--epsilon", "4", "--delta",
          "1e-6", "--radius", "1")
    assert td.load(release).card

print(f"Python {platform.python_version()}, numpy {np.__version__}: tacit-dp {version} works")
