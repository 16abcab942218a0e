"""Published tables and R's answers that several test modules use."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

# Demšar (2006), Journal of Machine Learning Research 7, table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798], [0.599, 0.591, 0.590, 0.569], [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657], [0.882, 0.888, 0.886, 0.898], [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685], [0.583, 0.583, 0.563, 0.625], [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000], [0.940, 0.962, 0.965, 0.962], [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975], [0.957, 0.978, 0.946, 0.970],
]  # fmt: skip
TIED = [
    [7, 6, 6, 5, 9], [8, 8, 7, 6, 9], [5, 5, 5, 4, 6], [9, 7, 8, 8, 8], [6, 6, 7, 5, 7], [4, 3, 4, 2, 6],
    [8, 9, 7, 7, 9], [3, 3, 3, 3, 3], [7, 5, 6, 4, 8], [6, 7, 5, 6, 8], [9, 8, 8, 7, 9], [5, 4, 6, 5, 7],
]  # fmt: skip


@pytest.fixture
def demsar():
    return np.array(DEMSAR)


@pytest.fixture
def demsar_unrounded():
    """The printed AUCs are rounded; the printed ranks need voting / C4.5+cf a little above C4.5+m+cf."""
    table = np.array(DEMSAR)
    table[12, 2] = 0.9752
    return table


@pytest.fixture
def tied():
    return np.array(TIED, dtype=float)


@pytest.fixture(scope="session")
def r_values():
    """Name → value of tests/reference/many.tsv, which tests/reference/generators/many.R wrote."""
    text = (Path(__file__).parents[2] / "reference" / "many.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


@pytest.fixture
def rng():
    return np.random.default_rng(20061)
