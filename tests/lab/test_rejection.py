from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import special, stats

from foldwise import lab
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.designs import FIVE_BY_TWO, ONE_CV, RANDOM_SPLITS, REPEATED_CV, RIGHT_WRONG, Design
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import Work, gather
from foldwise.lab.populations import SimulatedLearners, Source
from foldwise.lab.populations.two_kinds import TwoKinds


class NormalDifferences(SimulatedLearners):
    """Independent normal differences: every t test on them keeps its level exactly."""

    name = "normal"
    block = 500

    def simulate(self, kinds, design, rng):
        shape = (self.block, design.repetitions)
        return Evidence(arrays={"kfold": rng.standard_normal((*shape, design.folds))} if ONE_CV in kinds else {})


def rates(table):
    return {row.test: row for row in table.rows}


def within(count, trials, probability, confidence=0.999):
    low, high = stats.binom.interval(confidence, trials, probability)
    return low <= count <= high


def test_a_t_test_on_independent_normal_data_has_type_one_error_alpha():
    table = lab.type_one_error("kfold_cv_t", NormalDifferences(), alpha=[0.01, 0.05, 0.2], trials=20_000, seed=3)
    for row in table.rows:
        assert within(row.rejections, row.trials, row.alpha)


def test_two_kinds_give_dietterichs_picture():
    tests = ["mcnemar_corrected", "difference_of_proportions", "resampled_t", "kfold_cv_t", "five_by_two_cv_t"]
    low, high = (rates(lab.type_one_error(tests, TwoKinds(error=e), trials=4000, seed=1)) for e in (0.1, 0.4))
    for found in (low, high):
        assert found["resampled_t"].low > 0.08
        for sound in ("mcnemar_corrected", "five_by_two_cv_t"):
            assert found[sound].high < 0.05
        assert found["kfold_cv_t"].low < 0.07
    assert high["difference_of_proportions"].low > 0.05
    assert high["difference_of_proportions"].rate > low["difference_of_proportions"].rate


def test_the_resampled_t_test_gets_worse_with_more_splits():
    few, many = (lab.type_one_error("resampled_t", TwoKinds(), splits=s, trials=2000).rows[0] for s in (10, 100))
    assert many.low > few.high


def test_power_grows_with_the_difference():
    table = [lab.power("mcnemar", TwoKinds(difference=d), trials=1000).rows[0].rate for d in (0.0, 0.05, 0.15)]
    assert table[0] < table[1] < table[2]


def test_the_first_trials_do_not_depend_on_how_many_follow():
    work = Work(population=TwoKinds(), learners=(), kinds=(RANDOM_SPLITS, RIGHT_WRONG), design=Design(), seed=0)
    short, long = gather(work, 700), gather(work, 1500)
    for kind in work.kinds:
        assert (short[kind] == long[kind][:700]).all()


def test_a_block_has_the_shapes_that_the_tests_take():
    design = Design(n=100, runs=3, folds=4, splits=7, repetitions=2)
    needs = (FIVE_BY_TWO, ONE_CV, REPEATED_CV, RANDOM_SPLITS, RIGHT_WRONG)
    evidence = Work(population=TwoKinds(), learners=(), kinds=needs, design=design, seed=0).work(0)
    shapes = {kind.name: evidence[kind].shape[1:] for kind in needs}
    assert shapes == {
        "table": (2, 4), "splits": (2, 7), "kfold": (2, 4), "five_by_two": (2, 5, 2), "repeated_cv": (2, 3, 4)
    }  # fmt: skip
    assert (evidence[RIGHT_WRONG].sum(axis=-1) == design.n_test).all()


def test_two_kinds_have_the_error_rates_they_are_asked_for():
    work = Work(
        population=TwoKinds(error=0.2, difference=0.05),
        learners=(),
        kinds=(RIGHT_WRONG,),
        design=Design(),
        seed=2,
    )
    cells = gather(work, 5000)[RIGHT_WRONG].sum(axis=(0, 1))
    n = cells.sum()
    assert within(cells[0] + cells[1], n, 0.2, 0.9999)
    assert within(cells[0] + cells[2], n, 0.25, 0.9999)


def test_tables_are_json_and_read_well():
    table = lab.type_one_error("all", "two-kinds", trials=500)
    answer = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert {"test", "rate", "low", "high"} <= set(answer["rows"][0])
    assert "exceeds its level" in str(table)
    assert all(row.low <= row.rate <= row.high for row in table.rows)


def test_costs_are_counted_in_fits():
    table = rates(lab.type_one_error(["mcnemar", "corrected_repeated_cv_t", "five_by_two_cv_f"], trials=500, runs=4))
    assert {name: row.fits for name, row in table.items()} == {
        "mcnemar": 2, "corrected_repeated_cv_t": 80, "five_by_two_cv_f": 20
    }  # fmt: skip


@pytest.mark.parametrize(("arguments", "options", "error", "message"), [
    (("mcnemr", "two-kinds"), {}, UnknownName, "did you mean 'mcnemar'"),
    (("mcnemar", "two-kind"), {}, UnknownName, "did you mean 'two-kinds'"),
    (("mcnemar", "independent-binary"), {"learners": ("majority", "c4.5")}, UnknownName, "c45"),
    (("mcnemar", "two-kinds"), {"trials": 5}, InvalidInput, "trials must be a whole number of at least 10, got 5"),
    (("mcnemar", "two-kinds"), {"alpha": 1.0}, InvalidInput, "alpha must be strictly between 0 and 1"),
    (("mcnemar", "two-kinds"), {"folds": 1}, InvalidInput, "folds must be a whole number of at least 2"),
    (("mcnemar", "two-kinds"), {"n": 8, "folds": 10}, InvalidInput, "at most n = 8"),
    (("clustered_difference", "two-kinds"), {}, InvalidInput, "no population draws"),
    (("mcnemar", "two-kinds"), {"learners": ("majority", "majority")}, InvalidInput, "simulates its learners itself"),
    (("mcnemar", "independent-binary"), {}, InvalidInput, "needs two learners, got 0"),
    (("mcnemar", 3), {}, InvalidInput, "population must be a name"),
    (([], "two-kinds"), {}, InvalidInput, "at least one of"),
])  # fmt: skip
def test_bad_input_is_one_sentence(arguments, options, error, message):
    with pytest.raises(error, match=message):
        lab.type_one_error(*arguments, **options)


def test_a_source_that_draws_the_wrong_number_is_refused():
    class Short(Source):
        name = "short"

        def draw(self, n, rng):
            from foldwise.lab.populations.bayes_net import IndependentBinary

            return IndependentBinary().draw(n - 1, rng)

    with pytest.raises(InvalidInput, match="must draw 300 examples, got 299"):
        lab.type_one_error("mcnemar", Short(), learners=("majority", "majority"), trials=10)


def test_qq_tells_uniform_pvalues_from_others():
    good = lab.qq("kfold_cv_t", NormalDifferences(), trials=3000)
    assert good.distance < special.kolmogi(0.001) / 3000**0.5  # the 99.9 % bound; `bound` itself is the 95 % one
    assert good.uniform == (good.distance <= good.bound)
    bad = lab.qq("resampled_t", "two-kinds", trials=1000)
    assert not bad.uniform
    assert (np.diff(bad.observed) >= 0).all()
    assert json.loads(json.dumps(bad.to_dict(), allow_nan=False))["rows"][1]["rate"] > 0.08


def test_replicability_counts_agreeing_verdicts():
    table = lab.replicability(["resampled_t", "mcnemar"], "two-kinds", trials=300, splits=100)
    many, one = table.rows
    # thirty times the test data, the same data set: the averaged test is the steadier one
    assert 0 < one.rate < 1
    assert one.low <= one.rate <= one.high
    assert one.almost_consistent >= one.rate
    assert 0.5 <= many.R <= 1
    assert "all agree" in str(table)
