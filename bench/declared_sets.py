# SPDX-License-Identifier: Apache-2.0
"""The sets of bench/recut.py and bench/synthesize.py: rows with bounds as an owner might declare
them, in files that tacit reads. FOLDER holds s1_x.npy, birch2_x.npy, letter_x.npy, adultnum_x.npy,
mnist_x.npy; embeddings are made here: 10 groups in 40 columns."""
import numpy as np

FILES = {"s1": ("s1_x.npy", 15), "birch2": ("birch2_x.npy", 100), "letter": ("letter_x.npy", 26),
         "adult": ("adultnum_x.npy", 10), "mnist": ("mnist_x.npy", 10)}


def embeddings(rows=30000, columns=40, groups=10):
    """Unit vectors about ten directions, some of them near each other."""
    lots = np.random.default_rng(11)
    middle = lots.normal(0, 1, (groups, columns)) + lots.normal(0, 1, columns)
    x = middle[lots.integers(groups, size=rows)] + lots.normal(0, .8, (rows, columns))
    return x / np.linalg.norm(x, axis=1, keepdims=True)


class Declared:
    """Rows x, k, and bounds low and high: the 0.1 % and 99.9 % quantiles; of pixels 0 and 255."""

    def __init__(self, name, folder):
        if name == "embeddings":
            self.x, self.k = embeddings(), 10
        else:
            file, self.k = FILES[name]
            self.x = np.load(folder / file).astype(float)
        low, high = np.quantile(self.x, .001, axis=0), np.quantile(self.x, .999, axis=0)
        if name == "mnist":
            low, high = np.zeros(self.x.shape[1]), np.full(self.x.shape[1], 255.)
        self.low, self.high = low, np.where(high > low, high, low + 1)

    def sample(self):
        """At most 20,000 rows, moved into the bounds."""
        lots = np.random.default_rng(1).permutation(len(self.x))[:20000]
        return np.clip(self.x[lots], self.low, self.high)

    def write(self, place):
        """Names of a file of rows and one of bounds."""
        rows, bounds = f"{place}/x.npy", f"{place}/bounds.csv"
        np.save(rows, self.x.astype(np.float32))
        with open(bounds, "w") as out:
            out.write("column,lower,upper\n")
            out.writelines(f"c{j + 1},{a!r},{b!r}\n" for j, (a, b) in
                           enumerate(zip(self.low.tolist(), self.high.tolist())))
        return rows, bounds


def sets(names, folder):
    """Each name with its rows; those of files only where there is a folder."""
    for name in names.split(","):
        if name == "embeddings" or folder is not None:
            yield name, Declared(name, folder)
