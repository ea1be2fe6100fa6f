# SPDX-License-Identifier: Apache-2.0
"""tacit: differentially private clustering.

>>> import numpy as np, tacitdp as td
>>> rows = np.repeat([[0.2, 0.2], [0.8, 0.8]], 5000, axis=0)
>>> km = td.KMeans(2, epsilon=1, delta=1e-6, bounds=(0, 1)).fit(rows)
>>> bool(abs(sorted(km.cluster_centers_[:, 0])[0] - 0.2) < 0.05)
True

A release may leave the house; rows, labels and scores may not.
"""

from tacitdp._errors import (
    ArgumentError,
    BudgetError,
    BudgetUnsetError,
    CancelledError,
    DeclaredError,
    DomainError,
    FormatError,
    InternalError,
    LedgerError,
    OpenError,
    OptionTypeError,
    OutOfMemoryError,
    ReadError,
    SystemCallError,
    TacitError,
    ViolationError,
    WriteError,
)
from tacitdp._library import __version__
from tacitdp.auditing import AuditReport, audit, audit_callable
from tacitdp.cocluster import CoClustering
from tacitdp.declaring import declare
from tacitdp.derived import Comparison, compare, recut, synthesize
from tacitdp.evaluation import Evaluation, evaluate
from tacitdp.files import File
from tacitdp.kmeans import KMeans, KMedians
from tacitdp.ledger import Ledger
from tacitdp.planning import Plan, plan
from tacitdp.release import Release, load
from tacitdp.subspace import SubspaceClustering
from tacitdp.synthetic import make_counts, make_mixture, make_subspaces

__all__ = [
    "ArgumentError", "AuditReport", "BudgetError", "BudgetUnsetError", "CancelledError",
    "CoClustering", "Comparison", "DeclaredError", "DomainError", "Evaluation", "File",
    "FormatError", "InternalError", "KMeans", "KMedians", "Ledger", "LedgerError", "OpenError",
    "OptionTypeError", "OutOfMemoryError", "Plan", "ReadError", "Release", "SubspaceClustering",
    "SystemCallError", "TacitError", "ViolationError", "WriteError", "__version__", "audit",
    "audit_callable", "compare", "declare", "evaluate", "load", "make_counts", "make_mixture",
    "make_subspaces", "plan", "recut", "synthesize",
]


def __getattr__(name: str) -> object:
    """A name that is not here: which may be meant."""
    import difflib

    by_letters = {known.lower(): known for known in __all__}
    near = difflib.get_close_matches(name.lower(), by_letters, 1)
    hint = f"; did you mean {by_letters[near[0]]!r}?" if near else ""
    raise AttributeError(f"module 'tacitdp' has no attribute {name!r}{hint}")
