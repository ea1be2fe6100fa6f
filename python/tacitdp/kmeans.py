# SPDX-License-Identifier: Apache-2.0
"""Private k-means and k-median."""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from tacitdp import _options as options
from tacitdp._base import Measured
from tacitdp._call import Progress
from tacitdp._contract import reasoned
from tacitdp._data import Described, Table
from tacitdp._library import started
from tacitdp.release import Release

Floats = npt.NDArray[np.float64]


class KMeans(Measured):
    """Differentially private k-means.

    Parameters
    ----------
    n_clusters : int or "auto"
        Number of centers. "auto": chosen from noisy answers that the run asks for anyway.
    epsilon : float
        The privacy budget of this run; no default. About 1 is usual, smaller is safer.
    delta : float
        Allowed slack, far below one over the number of rows; 0: a pure run.
    bounds : dict, pair, str or path
        What values are possible: ``{"age": (0, 110)}`` names the columns to use, ``(0, 1)`` is for
        all, ``(lowers, uppers)`` has one number for each column. ``"private"`` instead of a range
        estimates it from the budget. Never taken from the rows.
    radius, center : float, array
        Instead of bounds: rows further than `radius` from `center` are pulled onto that sphere.
    bounds_share : float, optional
        With private bounds: the part of the budget that they may use.
    columns : list of str, optional
        Columns to use, by name or by number from 1.
    categories, weights, transforms, missing : dict or str, optional
        ``{"sex": ["F", "M"]}``, ``{"age": 2}``, ``{"spend": "log"}``, ``{"age": ("fill", 40)}``.
    unit_column : str, optional
        The column that says whose row it is: protects whole people. Needs `max_rows_per_person`.
    max_rows_per_person : int, optional
        Rows that count of each person.
    neighbors : {"add-remove", "replace"}
        What is hidden: whether somebody is in the data at all, or what their rows say.
    ledger : path or Ledger, optional
        Where the budget is reserved before a row is read.
    schema : path, str or dict, optional
        What the table is, declared by its owner.
    method, rounds, k_max, scale, constants, sparsity, synopsis
        As ``tacit kmeans --help`` has them.
    threads : int
        0: all cores. The result does not depend on it.
    memory, spill_dir : int or str, path
        The most memory that rows may take, in bytes or as "2G", and the folder for what is more,
        which is encrypted (None: $TMPDIR or /var/tmp). The result does not depend on it.
    progress : bool or callable
        Show progress, or call a function with each step's name and how much is done.
    insecure_test_seed : int, optional
        For tests only: repeatable noise. The release is not private and says so.

    Attributes
    ----------
    cluster_centers_, centers_error_ : ndarray of shape (n_clusters, n_columns)
        Centers in the units of the columns, and the standard deviation of the noise in each.
    sizes_ : ndarray of shape (n_clusters,)
        Noisy numbers of rows.
    sizes_error_ : float
        The standard deviation of the noise in each size.
    release_ : Release
        All that may leave. ``km.release_.save("segments.json")``.

    There is no `labels_`: labels are exact. `predict` gives them to the owner of the rows.

    Examples
    --------
    >>> import numpy as np, tacitdp as td
    >>> rows = np.repeat([[0.2, 0.2], [0.8, 0.8]], 5000, axis=0)
    >>> km = td.KMeans(2, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows)
    >>> km.cluster_centers_.shape
    (2, 2)
    """

    _family = "kmeans"

    cluster_centers_: Floats
    centers_error_: Floats
    sizes_: Floats
    sizes_error_: float

    @reasoned
    def __init__(self, n_clusters: Any = 8, *, epsilon: Optional[float] = None,
                 delta: float = 0.0, bounds: options.Bounds = None,
                 radius: Optional[float] = None, center: Any = None,
                 bounds_share: Optional[float] = None, columns: Any = None,
                 categories: options.Said = None, weights: options.Said = None,
                 transforms: options.Said = None, missing: options.Said = None,
                 unit_column: Optional[str] = None, max_rows_per_person: Optional[int] = None,
                 neighbors: str = "add-remove", ledger: Any = None, schema: Any = None,
                 method: str = "auto", rounds: Optional[int] = None, k_max: Optional[int] = None,
                 scale: str = "range", constants: str = "practical",
                 sparsity: Optional[int] = None, synopsis: bool = True, threads: int = 0,
                 memory: Union[int, str, None] = None, spill_dir: Any = None,
                 progress: Progress = None, insecure_test_seed: Optional[int] = None) -> None:
        self.n_clusters = n_clusters
        self.epsilon = epsilon
        self.delta = delta
        self.bounds = bounds
        self.radius = radius
        self.center = center
        self.bounds_share = bounds_share
        self.columns = columns
        self.categories = categories
        self.weights = weights
        self.transforms = transforms
        self.missing = missing
        self.unit_column = unit_column
        self.max_rows_per_person = max_rows_per_person
        self.neighbors = neighbors
        self.ledger = ledger
        self.schema = schema
        self.method = method
        self.rounds = rounds
        self.k_max = k_max
        self.scale = scale
        self.constants = constants
        self.sparsity = sparsity
        self.synopsis = synopsis
        self.threads = threads
        self.memory = memory
        self.spill_dir = spill_dir
        self.progress = progress
        self.insecure_test_seed = insecure_test_seed

    def _described(self) -> Described:
        return Described(self.columns, self.unit_column, self.categories, self.weights,
                         self.transforms, self.missing, bounds=self.bounds,
                         radius=self.radius, center=self.center)

    def _options(self) -> Any:
        options.agree(
            (self.k_max is not None and self.n_clusters != "auto",
             "k_max says how far n_clusters=\"auto\" may go; say \"auto\" or leave k_max out"),
            (self.constants != "practical" and self.method != "balcan",
             "constants are those of method=\"balcan\"; say that or leave constants out"))
        opts = started("tacit_kmeans_opts")
        opts.k = options.whole_or_auto("n_clusters", self.n_clusters, 1, 1000000)
        opts.method = options.method("method", self.method, "kmeans_method")
        opts.scale = options.word("scale", self.scale, options.SCALES)
        opts.constants = options.word("constants", self.constants, options.CONSTANTS)
        opts.no_synopsis = 1 - options.flag("synopsis", self.synopsis)
        if self.rounds is not None:
            opts.rounds = options.whole("rounds", self.rounds, 1, 1000)
        if self.k_max is not None:
            opts.k_max = options.whole("k_max", self.k_max, 1, 1000)
        if self.sparsity is not None:
            opts.sparsity = options.whole("sparsity", self.sparsity, 1, 1000000)
        return opts

    def _keep(self, release: Release, table: Table) -> None:
        super()._keep(release, table)
        centers, error, sizes = release.centers, release.centers_error, release.sizes
        assert centers is not None and error is not None and sizes is not None
        self.cluster_centers_, self.centers_error_ = centers, error
        self.sizes_, self.sizes_error_ = sizes, release.sizes_error


class KMedians(KMeans):
    """Differentially private k-median: centers that keep the sum of distances, not of their
    squares, small, so that a few rows far away pull less. Parameters and attributes are those of
    `KMeans`."""

    _family = "kmedian"
