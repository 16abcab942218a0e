from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.random import stream
from foldwise.lab.populations import find_population, population_names
from foldwise.lab.populations.artificial import ContactLenses, Exp6, Gaussian, possible_boundaries
from foldwise.lab.populations.bayes_net import IndependentBinary
from foldwise.lab.populations.from_data import Finite

SOURCES = [IndependentBinary(), Gaussian(), ContactLenses(), Exp6(), Finite(data="sklearn:iris")]


def nearest(x_train, y_train, k):
    """A k-nearest-neighbour rule on one attribute, written independently of the package's learner."""

    def predict(x):
        near = np.argsort(np.abs(np.asarray(x)[:, None] - x_train), axis=1, kind="stable")[:, :k]
        return (y_train[near].mean(axis=1) > 0.5).astype(int)

    return predict


@pytest.mark.parametrize("source", SOURCES, ids=lambda s: s.name)
def test_a_seed_determines_the_sample(source):
    one, same, other = (source.draw(40, stream(seed, "x")) for seed in (1, 1, 2))
    assert (one.X.values == same.X.values).all()
    assert (one.y == same.y).all()
    assert not np.array_equal(one.X.values, other.X.values)
    assert one.X.shape[0] == len(one.y) == 40


@pytest.mark.parametrize("error", [0.001, 0.1, 0.4, 0.5])
def test_the_best_rule_has_the_inherent_error(error):
    population = Gaussian(inherent_error=error)
    assert population.true_error(lambda x: (x > 0).astype(int), [0.0]) == pytest.approx(error, rel=1e-9)
    assert population.true_error(lambda x: np.zeros(len(x)), []) == pytest.approx(0.5)


@pytest.mark.parametrize("k", [1, 3])
def test_the_exact_true_error_is_that_of_a_million_examples(k):
    population = Gaussian(inherent_error=0.1)
    sample = population.draw(30, stream(4, "train"))
    x = sample.X.values[:, 0]
    rule = nearest(x, sample.y, k)
    exact = population.true_error(rule, possible_boundaries(x))
    drawn = population.draw(1_000_000, stream(5, "test"))
    values = np.concatenate([rule(part) for part in np.array_split(drawn.X.values[:, 0], 100)])
    errors = int((values != drawn.y).sum())
    low, high = stats.binom.interval(0.999, 1_000_000, exact)
    assert low <= errors <= high


def test_gaussian_classes_have_the_means_that_the_error_demands():
    sample = Gaussian(inherent_error=0.1).draw(100_000, stream(6, "means"))
    for label, sign in ((0, -1), (1, 1)):
        values = sample.X.values[sample.y == label, 0]
        assert values.mean() == pytest.approx(sign * stats.norm.isf(0.1), abs=4 / np.sqrt(len(values)))
        assert values.std() == pytest.approx(1, abs=0.02)


def test_contact_lenses_have_the_published_classes():
    cases = ContactLenses.cases()
    classes = ContactLenses.rule(cases.values)
    assert len(cases) == 24
    assert np.bincount(classes).tolist() == [5, 4, 15]


def test_contact_lens_noise_is_the_inherent_error():
    population = ContactLenses(inherent_error=0.25)
    sample = population.draw(100_000, stream(7, "noise"))
    wrong = int((sample.y != population.rule(sample.X.values)).sum())
    low, high = stats.binom.interval(0.999, 100_000, 0.25)
    assert low <= wrong <= high
    never = (population.rule(population.cases().values) + 1) % 3
    assert population.true_error(never) == pytest.approx(1 - 0.25 / 2)


def test_exp6_has_six_classes_on_its_grid_and_says_that_it_is_a_surrogate():
    grid = Exp6().calibration()
    assert len(grid.y) == 151**2 == 22_801
    shares = np.bincount(grid.y) / len(grid.y)
    assert len(shares) == 6
    assert shares.min() > 0.05
    assert "surrogate" in Exp6.__doc__


def test_independent_attributes_say_nothing_about_the_class():
    rng = stream(8, "independent")
    agreement = []
    for _ in range(200):
        sample = IndependentBinary(attributes=3).draw(200, rng)
        agreement.append((sample.X.values[:, 0] == sample.y).mean())
    assert np.mean(agreement) == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(200 * 200))


def test_finite_draws_without_replacement_and_keeps_the_rest():
    population = Finite(data="sklearn:iris")
    drawn, rest = population.split(100, stream(9, "iris"))
    assert (len(drawn.y), len(rest.y)) == (100, 50)
    whole = np.sort(np.concatenate([drawn.X.values, rest.X.values]), axis=0)
    assert (whole == np.sort(population.whole.X.values, axis=0)).all()


@pytest.mark.parametrize(("spec", "message"), [
    ("two-kinds(error=2)", "error must be strictly between 0 and 1"),
    ("two-kinds(error=0.7)", "leave probabilities from 0 to 1"),
    ("two-kinds(wrong=1)", "does not take these parameters"),
    ("gaussian(inherent_error=0)", "above 0 and at most 0.5"),
    ("contact-lenses(inherent_error=0.9)", "below 2/3"),
    ("two-kinds(", "must be written name"),
    ("two-kinds(0.1)", "name=value"),
    ("independent-binary(attributes=0)", "attributes must be a whole number of at least 1"),
])  # fmt: skip
def test_bad_populations_are_one_sentence(spec, message):
    with pytest.raises(InvalidInput, match=message):
        find_population(spec)


def test_unknown_populations_suggest_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'gaussian'"):
        find_population("gausian")
    assert "two-kinds" in population_names()


def test_finite_refuses_more_than_it_has():
    with pytest.raises(InvalidInput, match="n must be below the 150 examples"):
        Finite(data="sklearn:iris").draw(150, stream(0, "x"))
