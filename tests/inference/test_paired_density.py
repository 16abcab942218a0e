from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference.equivalence import correlated_bayesian_t
from foldwise.inference.paired_tables import paired_density, paired_posterior

TABLES = [(5, 10, 25, 60), (3, 0, 4, 20), (0, 1, 0, 1), (0, 0, 9, 0), (100, 300, 310, 5000)]
cells = st.integers(0, 50)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("rope", [0.01, 0.1])
def test_the_area_beyond_a_limit_is_the_probability_of_the_posterior(table, rope):
    points = np.linspace(rope, 1, 40).tolist()
    above, _ = integrate.quad(lambda x: paired_density(x, *table), rope, 1, points=points[1:-1], limit=400)
    assert above == pytest.approx(paired_posterior(*table, rope=rope).above, abs=1e-7)


def test_the_density_is_that_of_simulated_tables():
    draws = np.random.default_rng(5).dirichlet(np.array([5, 10, 25, 60]) + 0.5, size=400_000)
    delta = draws[:, 1] - draws[:, 2]
    counts, edges = np.histogram(delta, bins=40, range=(-0.35, 0.05))
    expected = paired_density((edges[:-1] + edges[1:]) / 2, 5, 10, 25, 60)
    observed = counts / (len(delta) * np.diff(edges))
    # 5 standard errors of a histogram bar, and the curvature within a bar
    assert np.all(np.abs(observed - expected) < 5 * np.sqrt(expected / (len(delta) * np.diff(edges))) + 0.02)


@given(st.floats(-1, 1), cells, cells, cells, cells.filter(bool))
def test_swapping_the_classifiers_mirrors(delta, n00, n01, n10, n11):
    one, other = paired_density(delta, n00, n01, n10, n11), paired_density(-delta, n00, n10, n01, n11)
    assert one == pytest.approx(other, rel=1e-9)
    assert one >= 0


def test_without_disagreement_it_is_infinite_at_zero_only():
    assert paired_density(0.0, 3, 0, 0, 7) == np.inf
    assert np.isfinite(paired_density([[-0.1, 1e-9]], 3, 0, 0, 7)).all()


def test_bad_input_is_one_sentence():
    with pytest.raises(InvalidInput, match=r"difference must be between -1 and 1, got 1\.5"):
        paired_density([0.1, 1.5], 1, 2, 3, 4)


def test_the_density_of_the_correlated_t_posterior_is_students():
    x = [0.02, 0.05, -0.01, 0.04]
    posterior = correlated_bayesian_t(x, correlation=0.1, rope=0.01)
    grid = np.linspace(-0.2, 0.2, 9)
    expected = stats.t(posterior.df, posterior.estimate, posterior.scale).pdf(grid)
    assert posterior.pdf(grid) == pytest.approx(expected, rel=1e-12)


def test_without_variance_there_is_no_density():
    with pytest.warns(DegenerateVariance, match="there is no posterior"):
        same = correlated_bayesian_t([0.0, 0.0], correlation=0.1, rope=0.01)
    assert np.isnan(same.pdf([0.0, 0.1])).all()
