"""Marks of known law: the same whatever is asked for besides, alike within clusters, of the mean that was asked for."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise import lab
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.random import stream
from foldwise.designs import CLUSTERED_MARKS, CROSSED, MARKS, UNPAIRED_SEEDS, Design
from foldwise.lab.populations import Null, find_population
from foldwise.lab.populations.marks import LAWS, MarksOfItems, MarksOfSeeds


def drawn(population, kinds, seed=0, **design):
    return population.simulate(kinds, Design(**design), stream(seed, population.name, 0))


@pytest.mark.parametrize("law", LAWS)
def test_differences_have_the_mean_and_the_likeness_asked_for(law):
    population = MarksOfItems(law=law, difference=0.5, clusters=20, alike=0.5)
    x = drawn(population, (MARKS,), n=200)[MARKS][:, 0]
    # clusters of ten: the variance of a trial's mean is that of 20 clusters
    assert x.mean() == pytest.approx(0.5 * population.spread, abs=4 * x.mean(axis=1).std() / np.sqrt(len(x)))
    groups = population.groups(200)
    same = np.corrcoef(x[:, groups == 0][:, :2].T)[0, 1]
    other = np.corrcoef(x[:, 0], x[:, -1])[0, 1]
    assert same > 0.25
    assert abs(other) < 0.2


def test_clusters_see_the_same_marks_as_independent_items():
    population = MarksOfItems(clusters=5)
    both = drawn(population, (CLUSTERED_MARKS, MARKS), n=30)
    assert (both[CLUSTERED_MARKS][:, :, 0] == drawn(population, (MARKS,), n=30)[MARKS]).all()
    assert len(set(both[CLUSTERED_MARKS][0, 0, 1])) == 5


@pytest.mark.parametrize(("unequal", "sizes"), [(False, [10, 10, 10]), (True, [14, 10, 6])])
def test_clusters_have_the_sizes_they_should(unequal, sizes):
    groups = MarksOfItems(clusters=3, unequal=unequal).groups(30)
    assert np.bincount(groups) == pytest.approx(sizes, abs=1)
    assert sorted(groups) == groups.tolist()


def test_seeds_items_and_cells_vary_as_asked_for():
    population = MarksOfSeeds(seeds=0.7, items=0.0, rest=0.1, difference=2.0)
    found = drawn(population, (CROSSED, UNPAIRED_SEEDS), n=50, runs=4)
    x = found[CROSSED][:, 0]
    assert x.shape == (population.block, 4, 50)
    assert x.mean(axis=2).std(axis=1, ddof=1).mean() == pytest.approx(0.7 * np.sqrt(2), rel=0.2)
    assert (found[UNPAIRED_SEEDS][:, 0, :4] - found[UNPAIRED_SEEDS][:, 0, 4:]) == pytest.approx(x)
    assert CROSSED.mean_difference(found[CROSSED][:, 0]) == pytest.approx(x.mean(axis=(1, 2)))
    assert UNPAIRED_SEEDS.mean_difference(found[UNPAIRED_SEEDS][:, 0]) == pytest.approx(x.mean(axis=(1, 2)))


def test_the_lab_shows_what_ignoring_clusters_does():
    table = lab.type_one_error(["paired_t", "clustered_t"], "marks(clusters=12)", trials=1000, n=120)
    ignored, robust = table.rows
    assert table.null == Null.EXACT
    assert ignored.low > 0.2
    assert robust.low <= 0.05
    power = lab.power("clustered_t", "marks(clusters=12, difference=0.8)", trials=500, n=120)
    assert power.rows[0].rate > 0.5


@pytest.mark.parametrize("test", ["crossed", "unpaired_seeds"])
def test_the_lab_draws_seeds(test):
    table = lab.type_one_error(test, "seed-marks(seeds=0.3)", trials=500, n=40, runs=4)
    assert table.rows[0].low <= 0.05
    assert table.rows[0].fits == 8


@pytest.mark.parametrize(("tests", "population", "message"), [
    ("clustered_t", "marks", "test 'clustered_t' needs .*, which population 'marks' does not draw"),
    ("mcnemar", "seed-marks", "which population 'seed-marks' does not draw"),
    ("paired_t", "two-kinds", "which population 'two-kinds' does not draw"),
])  # fmt: skip
def test_tests_that_a_population_can_not_serve_are_refused(tests, population, message):
    with pytest.raises(InvalidInput, match=message):
        lab.type_one_error(tests, population, trials=10)


def test_marks_have_no_other_partitioning():
    with pytest.raises(InvalidInput, match="no resampling of one data set gives"):
        lab.replicability("paired_t", "marks", trials=10)


@pytest.mark.parametrize(("spec", "error", "message"), [
    ("marks(law='odd')", UnknownName, "law"),
    ("marks(clusters=1)", InvalidInput, "clusters must be a whole number of at least 2"),
    ("marks(alike=2)", InvalidInput, "alike must be from 0 to 1"),
    ("marks(spread=0)", InvalidInput, "spread must be a number above 0"),
    ("seed-marks(rest=0)", InvalidInput, "rest must be a number above 0"),
    ("seed-marks(seeds=-1)", InvalidInput, "seeds must be a number of at least 0"),
])  # fmt: skip
def test_bad_parameters_are_named(spec, error, message):
    with pytest.raises(error, match=message):
        find_population(spec)


def test_more_clusters_than_items_are_refused():
    with pytest.raises(InvalidInput, match="clusters must be at most n = 10, got 20"):
        lab.type_one_error("clustered_t", "marks(clusters=20)", trials=10, n=10)
