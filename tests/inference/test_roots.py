"""Roots are those of SciPy's brentq."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from foldwise.core.errors import InvalidInput
from foldwise.inference.roots import find_root

FUNCTIONS = {
    "line": (lambda x: 3 * x - 1, 0, 1),
    "falling": (lambda x: 1 - x**3, 0, 5),
    "flat": (lambda x: (x - 0.3) ** 5, -1, 2),
    "steep": (lambda x: math.tanh(1e4 * (x - 0.123)), 0, 1),
    "step": (lambda x: -1.0 if x < 0.7 else 1.0, 0, 1),
    "at the edge": (lambda x: x, 0, 1),
    "exponential": (lambda x: math.exp(x) - 1e-6, -30, 5),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_roots_are_those_of_brent(name):
    function, low, high = FUNCTIONS[name]
    within = 1e-3 if name == "flat" else 1e-9
    steps = []
    found = find_root(lambda x: steps.append(x) or function(x), low, high, within=within)
    expected = 0.3 if name == "flat" else brentq(function, low, high, xtol=1e-14)  # where brentq does not end
    assert found == pytest.approx(expected, abs=2 * within)
    assert len(steps) <= 3 * math.log2((high - low) / within)


def test_random_polynomials():
    rng = np.random.default_rng(0)
    for _ in range(200):
        roots = np.sort(rng.uniform(-1, 1, 3))
        low, high = (roots[0] + roots[1]) / 2, (roots[1] + roots[2]) / 2
        polynomial = np.poly1d(roots, r=True)
        assert find_root(polynomial, low, high, within=1e-11) == pytest.approx(roots[1], abs=1e-10)


def test_a_bracket_without_a_change_of_sign_is_refused():
    with pytest.raises(InvalidInput, match="different signs at 1 and 2"):
        find_root(lambda x: x, 1, 2, within=1e-9)
