from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from foldwise import lab
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.core.random import stream
from foldwise.lab.damage import Exams, bad_attribute, examine_learners, find_weights
from foldwise.lab.populations import Source
from foldwise.lab.populations.artificial import ContactLenses, Exp6, Gaussian
from foldwise.lab.populations.bayes_net import BayesNet
from foldwise.lab.populations.from_data import Finite
from foldwise.lab.training import RandomErrors
from foldwise.learners import Majority, NaiveBayes, NearestNeighbours

IRIS = Finite(data="sklearn:iris")
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
SIZES = {"n": 60, "folds": 5, "parts": 3}


class Sampled(Source):
    """Another source without what it knows about true errors."""

    name = "sampled"

    def __init__(self, source):
        self.source = source

    def draw(self, n, rng):
        return self.source.draw(n, rng)


def exams(source, *learners, seed=1, n_train=40, n_test=200):
    return Exams(source=source, learners=learners, n=60, n_train=n_train, n_test=n_test, seed=seed)


def test_random_errors_turn_accuracy_into_what_the_formula_says():
    sample = IRIS.whole
    perfect = NearestNeighbours(k=1).fit(sample.X, sample.y)
    clean = perfect.predict(sample.X)
    rng = stream(0, "errors")
    wrong = np.array([RandomErrors(perfect, rate=0.3).disturb(clean, np.arange(3), rng) for _ in range(400)])
    changed = int((wrong != clean).sum())
    low, high = stats.binom.interval(0.999, wrong.size, 0.3)
    assert low <= changed <= high
    others = (wrong - clean)[wrong != clean] % 3
    assert stats.chisquare(np.bincount(others, minlength=3)[1:]).pvalue > 0.001
    accuracy, chance = (clean == sample.y).mean(), (clean != sample.y).mean() / 2
    low, high = stats.binom.interval(0.999, wrong.size, accuracy - 0.3 * (accuracy - chance))
    assert low <= int((wrong == sample.y).sum()) <= high


def test_random_errors_have_scikit_learns_interface():
    sample = IRIS.draw(100, stream(0, "x"))
    learner = RandomErrors(Majority(), rate=0.5, random_state=3)
    assert clone(learner).get_params()["estimator"].__class__ is Majority
    fitted = learner.fit(sample.X, sample.y)
    assert (fitted.predict(sample.X) == fitted.predict(sample.X)).all()
    other = clone(learner).set_params(random_state=4).fit(sample.X, sample.y)
    assert (fitted.predict(sample.X) != other.predict(sample.X)).any()
    silent = RandomErrors(Majority()).fit(sample.X, sample.y).predict(sample.X)
    assert (silent == Majority().fit(sample.X, sample.y).predict(sample.X)).all()
    with pytest.raises(InvalidInput, match="rate must be from 0 to 1, got 2"):
        RandomErrors(Majority(), rate=2).fit(sample.X, sample.y)


@pytest.mark.parametrize("source", [BayesNet(set=3), ContactLenses()], ids=lambda s: s.name)
def test_exact_accuracies_agree_with_sampled_ones(source):
    exact = examine_learners(exams(source, NaiveBayes()), 100).accuracy
    sampled = examine_learners(exams(Sampled(source), NaiveBayes(), n_test=400), 100).accuracy
    error = np.sqrt(exact.var() / 100 + sampled.var() / 100)
    assert exact.mean() == pytest.approx(sampled.mean(), abs=3.3 * error)


def test_grades_do_not_depend_on_who_else_is_examined():
    alone = examine_learners(exams(IRIS, NaiveBayes()), 20)
    both = examine_learners(exams(IRIS, NaiveBayes(), NearestNeighbours()), 20)
    assert (alone.accuracy[:, 0] == both.accuracy[:, 0]).all()


# undamaged they differ by 0.4, 0.3 and 0.055: at least seven standard errors of what so many trials find
@pytest.mark.parametrize(("source", "a", "b", "method", "trials"), [
    (Exp6(), NearestNeighbours(), STUMP, "weights", 25),
    (IRIS, NearestNeighbours(), STUMP, "errors", 50),
    (Gaussian(inherent_error=0.2), NearestNeighbours(k=5), NearestNeighbours(k=1), "errors", 100),
], ids=["weights", "errors", "one attribute"])  # fmt: skip
def test_equalised_learners_are_equal_on_new_trials(source, a, b, method, trials):
    found = lab.equalise(
        a, b, source, trials=trials, n_test=200, method="auto" if method == "weights" else method, **SIZES
    )
    assert [match.method for match in found.matches] == [method] * 3
    assert [match.n_train for match in found.matches] == [30, 40, 48]
    for match in found.matches:
        assert abs(match.reached - match.target) <= 0.001
        assert match.target == min(match.accuracy_a, match.accuracy_b)
        pair = [learner.at(match.n_train) for learner in found.learners]
        grades = examine_learners(exams(source, *pair, seed=2, n_train=match.n_train), trials).accuracy
        difference = grades[:, 0] - grades[:, 1]
        error = np.hypot(difference.std() / np.sqrt(trials), match.standard_error)
        assert abs(difference.mean()) <= 0.001 + 3.3 * error


def test_a_fraction_lies_between_equal_and_original():
    third = lab.equalise(NearestNeighbours(), STUMP, IRIS, trials=50, fraction=1 / 3, method="errors", **SIZES)
    for match in third.matches:
        assert match.damaged == "a"
        assert match.reached == pytest.approx(match.accuracy_b + (match.accuracy_a - match.accuracy_b) / 3)
    original = lab.equalise(NearestNeighbours(), STUMP, IRIS, trials=50, fraction=1.0, **SIZES)
    assert all(isinstance(estimator, NearestNeighbours) for estimator in original.learners[0].estimators)
    assert str(original.learners[0]) == str(NearestNeighbours())


@pytest.mark.usefixtures("small_blocks")
def test_the_same_seed_gives_the_same_damage_and_swapping_mirrors_it():
    one = lab.equalise(NearestNeighbours(), Majority(), IRIS, trials=30, method="errors", **SIZES)
    again = lab.equalise(NearestNeighbours(), Majority(), IRIS, trials=30, method="errors", **SIZES)
    swapped = lab.equalise(Majority(), NearestNeighbours(), IRIS, trials=30, method="errors", **SIZES)
    assert one.matches == again.matches
    assert [m.amount for m in swapped.matches] == [m.amount for m in one.matches]
    assert {m.damaged for m in swapped.matches} == {"b"}
    assert json.loads(json.dumps(one.to_dict(), allow_nan=False))["matches"][0]["n_train"] == 30


def test_grades_are_kept_in_a_store(tmp_path):
    from foldwise.lab.damage import _GRADED
    from foldwise.lab.gather import Resources

    class Counted(Majority):
        fits = 0

        def _fit(self, *args):
            Counted.fits += 1
            super()._fit(*args)

    use = Resources(store=tmp_path / "grades.db")
    first = examine_learners(exams(IRIS, Counted()), 25, use)
    _GRADED.clear()
    second = examine_learners(exams(IRIS, Counted()), 25, use)
    assert Counted.fits == 25
    assert (first.accuracy == second.accuracy).all()


def test_equalised_learners_keep_the_level_where_the_originals_do_not():
    found = lab.equalise(NearestNeighbours(), STUMP, IRIS, trials=100, method="errors", **SIZES)
    equal = lab.type_one_error("mcnemar", IRIS, learners=found.learners, trials=100, **SIZES)
    original = lab.power("mcnemar", IRIS, learners=(NearestNeighbours(), STUMP), trials=60, **SIZES)
    assert original.rows[0].rate > 0.5
    assert equal.rows[0].rate < 0.2
    assert "damaged" in equal.learners[0]


def smooth(weights):
    """A made-up accuracy that falls from 0.9 to 0.5 as the second attribute loses its weight."""
    return [0.5 + 0.4 * w[1] ** 0.25 if w[0] else 0.85 for w in weights]


def test_the_search_finds_the_weights_of_an_accuracy():
    assert bad_attribute(smooth, 2) == 0
    for target in (0.89, 0.7, 0.51):
        found = find_weights(smooth, [0, 1], start=0.9, target=target)
        assert found.accuracy == pytest.approx(target, abs=0.0005)
        assert found.weights == (1.0, 10**-found.exponent)


def test_a_target_that_weights_can_not_reach_is_refused():
    with pytest.raises(DegenerateData, match="use method='errors'"):
        find_weights(smooth, [0, 1], start=0.9, target=0.4)


@pytest.mark.parametrize(("options", "error", "message"), [
    ({"population": "two-kinds"}, InvalidInput, "there is nothing to damage"),
    ({"fraction": 2}, InvalidInput, "fraction must be from 0 to 1"),
    ({"lose": [1.0]}, InvalidInput, "lose must be 4 numbers from 0 to 1, one per attribute"),
    ({"method": "hammer"}, InvalidInput, "unknown method 'hammer'"),
    ({"method": "weights"}, InvalidInput, "needs nearest neighbours to be the better"),
    ({"trials": 1}, InvalidInput, "trials must be a whole number of at least 10"),
])  # fmt: skip
def test_bad_input_is_one_sentence(options, error, message):
    arguments = {"population": IRIS, "trials": 10, **options}
    with pytest.raises(error, match=message):
        lab.equalise(STUMP, Majority(), **arguments, **SIZES)


@pytest.mark.usefixtures("small_blocks")
def test_damage_is_asked_for_at_the_sizes_it_was_made_for():
    found = lab.equalise(STUMP, Majority(), IRIS, trials=10, **SIZES)
    assert found.learners[0].at(41) is found.learners[0].at(40)
    with pytest.raises(InvalidInput, match="was made equal at training sizes 30, 40, 48, got 54"):
        found.learners[0].at(54)


@pytest.mark.usefixtures("small_blocks")
def test_damage_is_made_for_the_sizes_of_other_tests_too():
    sizes = {"n": 60, "folds": 6}
    found = lab.equalise(STUMP, Majority(), IRIS, trials=10, tests="round_robin", **sizes)
    assert [match.n_train for match in found.matches] == [30, 40, 50]  # four of six blocks, 40, train
    rates = lab.type_one_error("round_robin", IRIS, learners=found.learners, trials=10, **sizes)
    assert 0 <= rates.rows[0].rate <= 1
    with pytest.raises(InvalidInput, match="training sizes 30, 54, got 48: give equalise the tests"):
        lab.equalise(STUMP, Majority(), IRIS, trials=10, n=60, parts=2).learners[0].at(48)
