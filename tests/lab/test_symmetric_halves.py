"""One learner on two halves of the columns: a null hypothesis that holds exactly for any learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

from foldwise import lab
from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.core.table import Table
from foldwise.designs import FIVE_BY_TWO, ONE_CV, RANDOM_SPLITS, REPEATED_CV, RIGHT_WRONG, Design
from foldwise.lab import training as lab_training
from foldwise.lab.populations import Null, Sample, Source, find_population
from foldwise.lab.populations.symmetric_halves import SymmetricHalves
from foldwise.lab.training import evidence_from_learners
from foldwise.learners import C45, Majority, NaiveBayes, NearestNeighbours

ALL = (FIVE_BY_TWO, ONE_CV, REPEATED_CV, RANDOM_SPLITS, RIGHT_WRONG)
DESIGN = Design(n=40, runs=2, folds=4, splits=3)


@dataclass(frozen=True, kw_only=True)
class BinaryHalves(Source):
    """Both learners see two binary columns of four: the batch kernels take them."""

    name: ClassVar[str] = "binary halves"

    def draw(self, n, rng):
        y = rng.integers(0, 2, n)
        values = (rng.random((n, 4)) < 0.3 + 0.4 * y[:, None]).astype(float)
        return Sample(X=Table.build(values, [("0", "1")] * 4), y=y)

    def seen(self, sample, by):
        return Sample(X=sample.X.columns(slice(2 * by, 2 * by + 2)), y=sample.y)


def views_of(source, count=3):
    return [source.views(source.draw(DESIGN.n, stream(trial, "x"))) for trial in range(count)]


def test_each_learner_sees_its_own_half():
    population = SymmetricHalves(columns=3, distance=2.0, difference=2.0)
    sample = population.draw(20_000, stream(0, "x"))
    a, b = population.views(sample)
    assert (np.hstack([a.X.values, b.X.values]) == sample.X.values).all()
    assert (a.y == b.y).all()
    for label, sign in ((0, -1), (1, 1)):
        of_class = sample.y == label
        assert a.X.values[of_class].mean(axis=0) == pytest.approx([2 * sign] * 3, abs=0.05)
        assert b.X.values[of_class].mean(axis=0) == pytest.approx([0] * 3, abs=0.05)


def test_in_an_exclusive_or_no_column_says_anything_alone():
    population = SymmetricHalves(columns=3, distance=1.0, difference=1.0, pattern="xor")
    sample = population.draw(20_000, stream(0, "x"))
    a, b = (view.X.values for view in population.views(sample))
    for values, agreeing in ((a, stats.norm.cdf(1)), (b, 0.5)):
        agree = values[:, 0] * values[:, 1] > 0
        assert np.mean(agree == (sample.y == 1)) == pytest.approx(agreeing, abs=0.015)
        assert abs(np.corrcoef(values.T, sample.y)[-1, :-1]).max() < 0.03
    with pytest.raises(InvalidInput, match="columns must be a whole number of at least 2"):
        SymmetricHalves(columns=1, pattern="xor")


def test_numbers_are_judged_by_their_squared_errors():
    population, design = find_population("regression-halves(columns=2)"), Design(n=30, runs=2, folds=3)
    sample = population.draw(30, stream(1, "x"))
    a, b = population.views(sample)
    pair = (LinearRegression(), LinearRegression())
    found = evidence_from_learners([(a, b)], pair, (REPEATED_CV,), design, [5])[REPEATED_CV][0, 0]
    ids = REPEATED_CV.fold_ids(np.zeros(30, dtype=np.int64), REPEATED_CV.shape(design), _seed(5))
    for run, row in enumerate(ids):
        for fold in range(3):
            test = row == fold
            losses = [
                (
                    LinearRegression().fit(view.X.values[~test], view.y[~test]).predict(view.X.values[test])
                    - view.y[test]
                )
                ** 2
                for view in (a, b)
            ]
            assert found[run, fold] == pytest.approx((losses[1] - losses[0]).mean())
    back = evidence_from_learners([(b, a)], pair, (REPEATED_CV,), design, [5])[REPEATED_CV][0, 0]
    assert back == pytest.approx(-found)
    assert not population.draws(RIGHT_WRONG)
    table = lab.type_one_error(["round_robin"], "regression-halves", learners=[pair[0]], trials=20, n=60, blocks=4)
    assert (table.rows[0].trials, table.rows[0].low < 0.05) == (20, True)
    with pytest.raises(InvalidInput, match="test 'mcnemar' needs"):
        lab.type_one_error(["mcnemar"], "regression-halves", learners=[pair[0]], trials=20)


def _seed(seed):
    """That of the first repetition."""
    return int(stream(seed, "repetition", 0).integers(2**63))


@pytest.mark.parametrize("learner", [NearestNeighbours(k=1), NaiveBayes(), C45(), Majority()], ids=str)
@pytest.mark.parametrize("source", [SymmetricHalves(columns=2), BinaryHalves()], ids=lambda s: s.name)
def test_exchanging_the_halves_changes_the_sign_and_nothing_else(learner, source):
    views = views_of(source)
    seeds = [1, 2, 3]
    ahead = evidence_from_learners(views, (learner, learner), ALL, DESIGN, seeds)
    back = evidence_from_learners([(b, a) for a, b in views], (learner, learner), ALL, DESIGN, seeds)
    for kind in (kind for kind in ALL if kind != RIGHT_WRONG):
        assert (ahead[kind] == -back[kind]).all()
    assert (ahead[RIGHT_WRONG] == back[RIGHT_WRONG][..., [0, 2, 1, 3]]).all()


def test_batch_kernels_show_each_learner_its_own_columns(monkeypatch):
    views = views_of(BinaryHalves())
    pair = (NaiveBayes(), C45())
    fast = evidence_from_learners(views, pair, ALL, DESIGN, [1, 2, 3])
    monkeypatch.setattr(lab_training, "_kernel_name", lambda learner: None)
    plain = evidence_from_learners(views, pair, ALL, DESIGN, [1, 2, 3])
    for kind in ALL:
        assert (fast[kind] == plain[kind]).all()
    whole = evidence_from_learners([(a, a) for a, _ in views], pair, ALL, DESIGN, [1, 2, 3])
    assert any((fast[kind] != whole[kind]).any() for kind in ALL)


def test_nearest_neighbours_break_the_five_by_two_f_test_on_a_null_that_is_exact():
    # METHODS, section 11: .135 to .142 for one neighbour
    found = lab.type_one_error("five_by_two_cv_f", "symmetric-halves", learners=("1nn",), trials=300, n=200, seed=1)
    low, high = stats.binom.interval(0.999, 300, 0.138)
    assert low <= found.rows[0].rejections <= high
    assert found.learners == ("1nn",)


def test_a_difference_is_found():
    weaker = lab.power("five_by_two_cv_f", "symmetric-halves(difference=0.4)", learners=("nb",), trials=100, n=100)
    assert weaker.rows[0].low > 0.3


def test_only_the_null_without_a_difference_is_exact():
    assert find_population("symmetric-halves").null is Null.EXACT
    assert find_population("symmetric-halves(difference=0.1)").null is Null.FALSE


@pytest.mark.parametrize(("spec", "learners", "message"), [
    ("symmetric-halves", ("nb", "1nn"), "population 'symmetric-halves' compares one learner with itself, got 2"),
    ("symmetric-halves", (), "compares one learner with itself, got 0"),
    ("symmetric-halves(columns=0)", ("nb",), "columns must be a whole number of at least 1, got 0"),
    ("symmetric-halves(positives=1)", ("nb",), "positives must be strictly between 0 and 1"),
    ("symmetric-halves(distance=-1)", ("nb",), "distance must be a number of at least 0, got -1"),
])  # fmt: skip
def test_bad_input_is_one_sentence(spec, learners, message):
    with pytest.raises(InvalidInput, match=message):
        lab.type_one_error("mcnemar", spec, learners=learners, trials=10)


def test_learners_of_one_population_can_not_be_damaged():
    with pytest.raises(InvalidInput, match="compares one learner with itself: there is nothing to damage"):
        lab.equalise("nb", "1nn", "symmetric-halves")


def test_beside_other_nulls_each_learner_gets_its_own_table():
    found = lab.several_nulls("mcnemar", ["symmetric-halves", "two-kinds"], learners=("nb", "1nn"), trials=10, n=40)
    assert [table.learners for table in found.tables] == [("nb",), ("1nn",), ()]
