"""The order of many numbers."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise.metrics import weighable
from foldwise.metrics.statistic import lexical_order
from foldwise.metrics.weighable import ascending

rng = np.random.default_rng(0)
NUMBERS = {
    "normal": rng.normal(size=3000),
    "ties": rng.integers(-3, 3, 3000).astype(float),
    "zeros of both signs": np.where(rng.random(3000) < 0.5, 0.0, -0.0),
    "all alike in the highest bits": 1 + rng.permutation(3000) * 2.0**-52,
    "from small to large": rng.choice([-1, 1], 3000) * 10.0 ** rng.uniform(-300, 300, 3000),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_order_is_ascending_and_holds_every_place_once(name, monkeypatch):
    monkeypatch.setattr(weighable, "MANY", 10)
    numbers = NUMBERS[name]
    order, greater = ascending(numbers)
    ordered = np.sort(numbers)
    assert (numbers[order] == ordered).all()
    assert (np.sort(order) == np.arange(3000)).all()
    assert (greater == np.append(True, ordered[1:] > ordered[:-1])).all()


@pytest.mark.parametrize("seed", range(30))
def test_a_lexical_order_is_that_of_numpy_but_for_rows_that_are_alike(seed):
    rng = np.random.default_rng(seed)
    n, kinds = int(rng.integers(1, 200)), int(rng.integers(1, 5))
    keys = [rng.integers(0, int(rng.integers(1, 8)), n).astype(rng.choice([float, int])) for _ in range(kinds)]
    found, expected = lexical_order(keys), np.lexsort(keys)
    assert sorted(found.tolist()) == list(range(n))
    for key in keys:
        assert key[found].tolist() == key[expected].tolist()
