# SPDX-License-Identifier: Apache-2.0
"""The attacker: of tacit's own methods, and of any function that claims to be private."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Callable, Optional

import numpy as np

from tacitdp import _html
from tacitdp import _options as options
from tacitdp._call import Call, Progress
from tacitdp._errors import ViolationError, refuse, refuse_type
from tacitdp._library import ffi, lib, started, text_of


@dataclasses.dataclass(frozen=True, repr=False)
class AuditReport:
    """What an attack could prove.

    `violation` False is no proof of privacy: an attack sees a few pairs of data sets and a finite
    number of runs. `measured` is a lower bound of the true epsilon at the claimed delta; an audit
    of a right claim reports a violation with a chance of at most 1 - `confidence`.
    """

    target: str
    violation: bool
    verdict: str
    attack: str
    epsilon: float
    delta: float
    measured: float
    confidence: float
    mu: float
    mu_measured: float
    noise: float
    evidence: float
    runs: int
    pairs: int
    queries: int
    blind: int
    other_queries: int
    too_far: int
    other_release: int
    underpaid: int
    seconds: float

    def check(self) -> None:
        """Raises `ViolationError` if a violation was found, for tests of your own."""
        if self.violation:
            raise ViolationError(f"{self.target}: {self.verdict}")

    def __repr__(self) -> str:
        return (f"<AuditReport {self.target}: {'VIOLATION' if self.violation else 'none found'}, "
                f"epsilon claimed {self.epsilon:g}, measured at least {self.measured:.3g}>")

    def __str__(self) -> str:
        return "\n".join(f"{name:18} {value}" for name, value in self._lines())

    def _lines(self) -> list[tuple[str, str]]:
        lines = [("target", self.target), ("claimed", _claim(self.epsilon, self.delta)),
                 ("measured at least", f"epsilon {self.measured:.4g}"), ("verdict", self.verdict)]
        if self.attack:
            lines.append(("told apart by", self.attack))
        if not math.isnan(self.noise):
            lines.append(("noise", f"{self.noise:.2f} times what the receipts say"))
        lines.append(("runs", f"{self.runs} on each of two data sets"))
        lines.append(("false alarms", f"at most {1 - self.confidence:.2g} of audits of a right "
                      "claim; no violation is no proof"))
        return lines

    def _repr_html_(self) -> str:
        return _html.page(f"Audit of {self.target}", [_html.table([], self._lines())])


def _claim(epsilon: float, delta: float) -> str:
    return f"epsilon {epsilon:g}, " + (f"delta {delta:g}" if delta > 0 else "pure")


def audit(family: Any, method: str = "auto", *, epsilon: Optional[float] = None,
          delta: float = 0.0, neighbors: str = "add-remove", runs: int = 2000,
          confidence: float = 0.999, seed: int = 1, noise_factor: float = 1.0, threads: int = 0,
          progress: Progress = None) -> AuditReport:
    """Attacks a method of tacit on rows that the audit makes itself.

    Parameters
    ----------
    family : {"kmeans", "kmedian", "subspace", "cocluster"}
        What to attack.
    method : str
        Which of its methods.
    epsilon, delta : float
        The claim; epsilon has no default.
    neighbors : {"add-remove", "replace", "entry"}
        What must be hidden.
    runs : int
        On each of two data sets. More runs prove more.
    confidence : float
        Of a violation that is reported.
    seed : int
        Of the rows that are made; the noise is always fresh.
    noise_factor : float
        To test the audit: noise times this, as if it were wrong.

    Examples
    --------
    >>> import tacitdp as td
    >>> td.audit("kmeans", "sulq", epsilon=1, runs=200).violation
    False
    >>> td.audit("kmeans", "sulq", epsilon=1, runs=200, noise_factor=0.25).violation
    True
    """
    name = options.some_text("family", family)
    opts, kept = started("tacit_audit_opts"), ffi.new("char[]", name.encode())
    opts.family = kept
    opts.method = _target(name, options.some_text("method", method))
    _fill(opts, epsilon, delta, runs, confidence)
    opts.neighbors = options.word("neighbors", neighbors, options.NEIGHBORS)
    opts.seed = options.whole("seed", seed, 0, 2**64 - 1)
    opts.noise_factor = options.number("noise_factor", noise_factor)
    report = started("tacit_audit_report")
    with Call(options.whole("threads", threads, 0, 1024), progress) as call:
        call.run(lib.tacit_audit_run, opts, report)
    return _report(f"{name} {method}", report)


def _target(family: str, method: str) -> int:
    """The number of a method, from the library's list of what can be attacked."""
    names: dict[str, int] = {}
    families: dict[str, None] = {}
    for index in range(lib.tacit_audit_target_count()):
        target = started("tacit_audit_target")
        lib.tacit_audit_target_get(index, target)
        families[text_of(target.family)] = None
        if text_of(target.family) == family:
            names[text_of(target.name)] = int(target.method)
    if family not in families:
        refuse(f"family={family!r} is not known; it is one of {', '.join(families)}")
    if method not in names:
        refuse(f"method={method!r} is not known; it is one of {', '.join(names)}")
    return names[method]


def _fill(opts: Any, epsilon: Any, delta: Any, runs: Any, confidence: Any) -> None:
    opts.epsilon = options.number("epsilon", refuse("epsilon, the claim, is missing: there is no "
                                                    "default") if epsilon is None else epsilon)
    opts.delta = options.number("delta", delta)
    opts.runs = options.whole("runs", runs, 20, 10**8)
    opts.confidence = options.number("confidence", confidence)


def _report(target: str, r: Any) -> AuditReport:
    return AuditReport(target, bool(r.violation), text_of(r.verdict), text_of(r.attack), r.epsilon,
                       r.delta, r.measured, r.confidence, r.mu, r.mu_measured, r.noise, r.evidence,
                       r.runs, r.pairs, r.queries, r.blind, r.other_queries, r.too_far,
                       r.other_release, r.underpaid, r.seconds)


def audit_callable(mechanism: Callable[[Any], Any], first: Any, second: Any, *,
                   epsilon: Optional[float] = None, delta: float = 0.0, runs: int = 1000,
                   confidence: float = 0.999, progress: Progress = None) -> AuditReport:
    """Attacks any function, from its outputs on two neighboring data sets.

    The mechanism is called `runs` times on each; the attack learns on the first half what tells
    the outputs apart, and certifies it on the other half. An exception is an output too: its type
    is what an attacker sees.

    Parameters
    ----------
    mechanism : callable
        Takes a data set; gives numbers, texts, bytes, arrays, or lists and dicts of them.
    first, second : object
        Two data sets that differ in one person.
    epsilon, delta : float
        The claim; epsilon has no default.
    runs : int
        Calls on each data set.
    confidence : float
        Of a violation that is reported: a right claim is called wrong in at most 1 - confidence
        of audits.

    Examples
    --------
    A count with half the noise that epsilon 1 needs:

    >>> import numpy as np, tacitdp as td
    >>> rng = np.random.default_rng(1)
    >>> def count(rows):
    ...     return len(rows) + rng.laplace(scale=0.5)
    >>> td.audit_callable(count, [1] * 10, [1] * 9, epsilon=1, runs=20000).violation
    True
    """
    if not callable(mechanism):
        refuse_type("mechanism must be a function of a data set, not " + options.kind_of(mechanism))
    opts = started("tacit_audit_opts")
    _fill(opts, epsilon, delta, runs, confidence)
    outputs = [[], []]  # type: list[list[tuple[bytes, int]]]
    for at in range(opts.runs):
        for side, rows in enumerate((first, second)):  # in turn: drift is no difference
            outputs[side].append(_seen(mechanism, rows))
        if callable(progress) and at % 100 == 0:
            progress("calls", at / opts.runs)
    kept = [_outputs(side) for side in outputs]
    report = started("tacit_audit_report")
    with Call() as call:
        call.run(lib.tacit_audit_compare, opts, kept[0][0], kept[1][0], report)
    name = getattr(mechanism, "__qualname__", type(mechanism).__name__)
    return _report(str(name), report)


def _seen(mechanism: Callable[[Any], Any], rows: Any) -> tuple[bytes, int]:
    """What an attacker sees of one call."""
    try:
        return written(mechanism(rows)), 0
    except Exception as error:
        return type(error).__qualname__.encode(), 1


def written(value: Any) -> bytes:
    """A value as bytes, with every digit: repr shortens arrays."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    if isinstance(value, dict):
        return b"\n".join(written(key) + b" " + written(one) for key, one in value.items())
    if isinstance(value, (list, tuple, set, frozenset)):
        return b" ".join(written(one) for one in value)
    if isinstance(value, (np.ndarray, np.generic)):
        return written(value.tolist()) if value.ndim else repr(value.item()).encode()
    if hasattr(value, "to_numpy"):
        return written(value.to_numpy())
    return repr(value).encode("utf-8", "backslashreplace")


def _outputs(side: list[tuple[bytes, int]]) -> tuple[Any, list[Any]]:
    """Outputs as the library takes them, and what they borrow."""
    array = ffi.new("tacit_audit_output[]", len(side))
    kept = []
    for output, (text, code) in zip(array, side):
        lib.tacit_audit_output_init(ffi.addressof(output), ffi.sizeof("tacit_audit_output"))
        buffer = ffi.new("char[]", text)
        kept.append(buffer)
        output.text, output.length, output.code = buffer, len(text), code
    return array, kept
