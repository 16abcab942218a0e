"""What the lab says of a store, of the learners' real difference, and of partitions that repeat."""

from __future__ import annotations

import re

import pytest

from foldwise import lab
from foldwise.core.errors import InvalidInput
from foldwise.lab import Resources
from foldwise.learners.base import Majority

SMALL = {"n": 20, "trials": 500}


@pytest.mark.parametrize("study", [
    lambda **use: lab.type_one_error(["mcnemar"], "two-kinds", **use),
    lambda **use: lab.power(["mcnemar"], "two-kinds(difference=0.1)", **use),
    lambda **use: lab.qq("mcnemar", "two-kinds", **use),
    lambda **use: lab.calibrate(["kfold_cv_t"], "two-kinds", learners=(), **use),
    lambda **use: lab.replicability(["mcnemar"], "two-kinds", **use),
    lambda **use: lab.power_curve(["mcnemar"], "two-kinds", values=[20], trials=500, resources=use["resources"]),
    lambda **use: lab.several_nulls(["mcnemar"], ["two-kinds"], **use),
])  # fmt: skip
@pytest.mark.usefixtures("without_pictures")
def test_every_study_says_what_came_from_the_store_and_from_when(study, tmp_path):
    use = Resources(store=tmp_path / "lab.sqlite")
    assert "found in the store" not in str(study(resources=use, **SMALL))
    again = study(resources=use, **SMALL)
    said = re.compile(r"500 of 500 trials were found in the store, made (from )?20\d\d-\d\d-\d\dT")
    assert said.search(str(again))
    assert said.search(str(again.to_dict()))
    if not isinstance(again, lab.SideBySide):
        assert said.search(again.to_html())


class Handle:
    """Something that can be copied, but neither looked into nor written: a connection, a device."""

    __slots__ = ()

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, protocol):
        raise TypeError("no content")


class Own(Majority):
    def __init__(self, handle=None):
        super().__init__()
        self.handle = handle


def test_the_lab_names_what_a_store_can_not_look_into(tmp_path):
    learners = (Own(Handle()), Majority())
    study = {"tests": ["mcnemar"], "population": "independent-binary", "learners": learners, "n": 20, "trials": 25}
    table = lab.type_one_error(**study, resources=Resources(store=tmp_path / "lab.sqlite"))
    said = "The store can't look into tests.lab.test_stored_answers.Handle: if it changes, old results are served"
    assert any(said in caveat for caveat in table.caveats)
    assert not any("look into" in c for c in lab.type_one_error(**study).caveats)


@pytest.mark.usefixtures("without_pictures")
def test_the_bias_stands_beside_every_number_of_the_lab():
    study = {"population": "independent-binary", "learners": ("majority", "1nn"), "n": 40, "trials": 100}
    qq = lab.qq("kfold_cv_t", **study)
    calibration = lab.calibrate(["kfold_cv_t"], **study)
    replicability = lab.replicability(["kfold_cv_t"], repetitions=2, **study)
    rates = lab.type_one_error(["kfold_cv_t"], **study)
    bias = rates.rows[0].bias
    assert bias.beyond_error
    # the same data sets and folds, so that all studies see the same difference
    assert qq.bias == calibration.rows[0].bias == replicability.rows[0].bias == bias
    for result in (qq, calibration, replicability):
        assert str(bias) in str(result)
        assert str(bias) in result.to_html()
    for result in (qq, calibration):
        assert rates.caveats == result.caveats
        assert any("The learners differ by" in caveat for caveat in result.caveats)


@pytest.mark.parametrize("test", ["corrected_repeated_cv_t", "use_all_data"])
def test_leave_one_out_is_one_partition_however_often_it_is_dealt(test):
    message = "runs must be 1 where folds = n = 12: leave-one-out has one partition, got 10 runs"
    with pytest.raises(InvalidInput, match=message):
        lab.type_one_error([test], "independent-binary", learners=("nb", "1nn"), n=12, folds=12, trials=25)


def test_leave_one_out_runs_once_and_five_by_two_needs_five_halvings():
    study = {"population": "independent-binary", "learners": ("nb", "1nn"), "trials": 25, "parts": 2}
    assert lab.type_one_error(["kfold_cv_t"], n=12, folds=12, **study).rows[0].trials == 25
    with pytest.raises(InvalidInput, match="n must be at least 5 for five different halvings, got 4"):
        lab.type_one_error(["five_by_two_cv_t"], n=4, folds=2, **study)
