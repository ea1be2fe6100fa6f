# SPDX-License-Identifier: Apache-2.0
"""The attacker finds what is wrong, and says nothing of what is right."""

from __future__ import annotations

import numpy as np
import pytest

import tacitdp as td
from tacitdp.auditing import written

RUNS = 4000


def count_with(scale: float, seed: int):
    rng = np.random.default_rng(seed)
    return lambda rows: len(rows) + rng.laplace(scale=scale)


def test_half_the_noise_is_found_and_the_right_noise_is_not():
    # confidence 1 - 1e-9: a false alarm once in a billion runs of this test. A count with half of
    # the noise is 2-private; 4000 runs prove about 1.7 (20000: 1.82), so 1 is far exceeded.
    wrong = td.audit_callable(count_with(0.5, 1), [1] * 10, [1] * 9, epsilon=1, runs=RUNS,
                              confidence=1 - 1e-9)
    right = td.audit_callable(count_with(1.0, 2), [1] * 10, [1] * 9, epsilon=1, runs=RUNS,
                              confidence=1 - 1e-9)
    assert wrong.violation and 1 < wrong.measured < 2
    assert not right.violation and right.measured < 1
    with pytest.raises(td.ViolationError, match="lower bound"):
        wrong.check()
    right.check()
    assert "VIOLATION" in repr(wrong) and "no proof" in str(right)


def test_a_method_of_tacit_with_half_the_noise():
    # evidence is an e-value: at confidence 0.999 a right method is called wrong in at most 0.1 % of
    # audits; with a quarter of the noise 200 runs give evidence of hundreds of digits
    assert not td.audit("kmeans", "sulq", epsilon=1, runs=200).violation
    broken = td.audit("kmeans", "sulq", epsilon=1, runs=200, noise_factor=0.25)
    assert broken.violation and broken.noise < 0.5


def test_an_exception_is_an_output():
    def raises(rows):
        if len(rows) > 9:
            raise KeyError("somebody")
        return 0

    report = td.audit_callable(raises, [1] * 10, [1] * 9, epsilon=1, runs=200)
    assert report.violation


def test_an_interrupt_is_none():
    def stops(rows):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        td.audit_callable(stops, 1, 2, epsilon=1, runs=20)


def test_every_digit_of_an_output_counts():
    many = np.arange(5000) / 3
    assert len(written(many).split()) == 5000
    assert written([1, (2.5, "a")]) == b"1 2.5 a"
    assert written({"n": np.float32(0.1)}) == b"n 0.10000000149011612"
    assert written(b"\0x") == b"\0x"


@pytest.mark.parametrize("arguments, says", [
    (dict(family="kmeans"), "epsilon"),
    (dict(family="trees", epsilon=1), "family='trees'"),
    (dict(family="kmeans", method="best", epsilon=1), "method='best'"),
    (dict(family="kmeans", epsilon=1, runs=3), "runs=3"),
    (dict(family="kmeans", epsilon=1, confidence=2), "confidence"),
    (dict(family="kmeans", epsilon="1"), "epsilon must be a number"),
])
def test_wrong_arguments(arguments, says):
    with pytest.raises(td.ArgumentError, match=says):
        td.audit(**arguments)


def test_wrong_arguments_of_a_callable():
    with pytest.raises(td.ArgumentError, match="mechanism must be a function"):
        td.audit_callable(3, 1, 2, epsilon=1)
    with pytest.raises(td.ArgumentError, match="epsilon"):
        td.audit_callable(len, [1], [], runs=20)
