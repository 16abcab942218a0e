"""Plans from a pilot: how many human labels, or how many items with how many runs; checked by simulation."""

from __future__ import annotations

import numpy as np
import pytest

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput


def judged(rng, n, labelled, gap=0.0):
    people = rng.normal([[gap], [0.0]], 1, (2, n))
    judge = people + rng.normal(0.2, 0.6, (2, n))
    human = np.where(np.arange(n) < labelled, people, np.nan)
    by_model = (dict(zip("ab", part, strict=True)) for part in (judge, human))
    return tuple(by_model)


def test_so_many_labels_have_the_power_that_was_planned():
    rng = np.random.default_rng(1)
    judge, human = judged(rng, 400, 100)
    pilot = fw.compare_predictions(None, judge, options=fw.Options(human=human))
    plan = fw.plan("ppi", pilot=pilot, difference=0.3)
    assert plan.unit == "labelled items"
    found = []
    for _ in range(400):
        judge, human = judged(rng, 400, plan.size, gap=0.3)
        found.append(fw.compare_predictions(None, judge, options=fw.Options(human=human)).pvalue < 0.05)
    assert np.mean(found) == pytest.approx(plan.power, abs=0.08)  # a pilot of 100 labels, and 400 studies
    without = fw.plan("ppi", pilot=fw.compare_predictions(None, judge), difference=0.3)
    assert without.size > plan.size


def runs_of(rng, items, runs, gap=0.0):
    hard = rng.normal(0, 0.3, (2, items, 1))
    marks = hard + rng.normal(0, 0.5, (2, items, runs)) + np.array([gap, 0.0])[:, None, None]
    return dict(zip("ab", marks, strict=True))


def test_so_many_items_and_runs_have_the_power_that_was_planned():
    rng = np.random.default_rng(2)
    pilot = fw.compare_predictions(None, runs_of(rng, 300, 4))
    plan = fw.plan("paired_t", pilot=pilot, difference=0.15, cost=(2.0, 0.5))
    sizes = {runs: size for runs, _, size, _ in plan.designs}
    assert sizes[4] == plan.size
    assert sizes[1] > sizes[4] > sizes[16]
    for runs, _, size, price in plan.designs:
        assert price == pytest.approx(size * (2 + 0.5 * runs))
    for runs in (1, 8):
        draws = (fw.compare_predictions(None, runs_of(rng, sizes[runs], runs, 0.15)).pvalue for _ in range(400))
        assert np.mean([p < 0.05 for p in draws]) == pytest.approx(0.8, abs=0.1)


def clustered_runs(rng, clusters, per, runs, gap=0.0):
    law = rng.normal(0, 0.3, (2, clusters, 1, 1)) + rng.normal(0, 0.3, (2, clusters, per, 1))
    marks = law + rng.normal(0, 0.5, (2, clusters, per, runs)) + np.array([gap, 0.0])[:, None, None, None]
    return dict(zip("ab", marks.reshape(2, clusters * per, runs), strict=True)), np.repeat(np.arange(clusters), per)


def test_so_many_clusters_items_and_runs_have_the_power_that_was_planned():
    rng = np.random.default_rng(6)
    marks, groups = clustered_runs(rng, 1500, 4, 3)
    pilot = fw.compare_predictions(None, marks, groups=groups)
    plan = fw.plan("paired_t", pilot=pilot, difference=0.15, cost=(2.0, 0.5, 20.0))
    sizes = {(runs, per): size for runs, per, size, _ in plan.designs}
    assert sizes[3, 4] == plan.size
    assert sizes[1, 1] > sizes[1, 4] > sizes[8, 4] > sizes[8, 20]
    for runs, per, size, price in plan.designs:
        assert price == pytest.approx(size * (20 + per * (2 + 0.5 * runs)))
    assert fw.plan("paired_t", pilot=pilot, difference=0.15, items=10, runs=1).size == sizes[1, 10]
    for runs, per in ((1, 1), (2, 10)):
        found = []
        for _ in range(300):
            marks, groups = clustered_runs(rng, sizes[runs, per], per, runs, 0.15)
            found.append(fw.compare_predictions(None, marks, groups=groups).pvalue < 0.05)
        assert np.mean(found) == pytest.approx(0.8, abs=0.1)
    assert "runs of each" in str(plan)
    with pytest.raises(InvalidInput, match="items is for a pilot whose items come in clusters"):
        fw.plan("paired_t", pilot=fw.compare_predictions(None, runs_of(rng, 9, 2)), difference=0.1, items=3)


def test_bad_pilots_get_a_sentence():
    rng = np.random.default_rng(4)
    once = fw.compare_predictions(None, {name: rows[:, 0] for name, rows in runs_of(rng, 20, 1).items()})
    with pytest.raises(InvalidInput, match="several runs of some items by both models"):
        fw.plan("paired_t", pilot=once, difference=0.1)
    with pytest.raises(InvalidInput, match="needs pilot"):
        fw.plan("ppi", difference=0.1)
    with pytest.raises(InvalidInput, match="pilot must be an earlier comparison of two models"):
        fw.plan("ppi", pilot=[1, 2, 3], difference=0.1)
    judge, human = judged(rng, 40, 4)
    with pytest.raises(InvalidInput, match="labels of both models on at least 5 items, got 4"):
        fw.plan("ppi", pilot=fw.compare_predictions(None, judge, options=fw.Options(human=human)), difference=0.1)


def judged_clusters(rng, labelled):
    """60 clusters of 10 items: people's marks, a judge's, and labels of so many items drawn at random."""
    people = rng.normal(0, 0.5, (2, 60, 1)) + rng.normal(0, 0.5, (2, 60, 10)) + np.array([0.35, 0])[:, None, None]
    judge = people + rng.normal(0, 0.4, (2, 60, 10)) + rng.normal(0, 0.3, (2, 60, 1))
    known = np.zeros(600, dtype=bool)
    known[rng.choice(600, labelled, replace=False)] = True
    people, judge = people.reshape(2, -1), judge.reshape(2, -1)
    return dict(zip("ab", judge, strict=True)), {
        m: np.where(known, p, np.nan) for m, p in zip("ab", people, strict=True)
    }


def test_labels_of_clustered_items_have_the_power_that_was_planned():
    """Without their clusters a fifth of the labels was promised to do it; labels drawn at random promise too little."""
    rng, groups = np.random.default_rng(2), np.repeat(np.arange(60), 10)
    judge, people = judged_clusters(rng, 240)
    pilot = fw.compare_predictions(None, judge, groups=groups, options=fw.Options(human=people))
    alone = fw.compare_predictions(None, judge, options=fw.Options(human=people))
    planned = [fw.plan("ppi", pilot=one, difference=0.35, power=0.8).size for one in (pilot, alone)]
    assert planned[0] > 3 * planned[1]
    plan = fw.plan("ppi", pilot=pilot, difference=0.35, size=150)
    assert "items of a cluster are alike as in the pilot, whose 60 clusters make" in plan.assumptions[-1]
    found = 0
    for _ in range(150):
        judge, people = judged_clusters(rng, 150)
        found += inf.ppi(judge["a"] - judge["b"], people["a"] - people["b"], groups=groups).pvalue < 0.05
    assert found / 150 > plan.power - 0.06
