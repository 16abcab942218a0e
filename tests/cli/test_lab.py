from __future__ import annotations

import json

import pytest


def answer(run, *args):
    code, out, err = run("lab", *args, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


@pytest.mark.parametrize(
    "tests", [["mcnemar", "resampled_t"], ["mcnemar,resampled_t"], ["mcnemar", "--tests=resampled_t"]]
)
def test_several_tests_are_written_as_people_write_them(run, tests):
    found = answer(run, "type1", "--tests", *tests, "--population", "two-kinds(error=0.2)", "--trials", 200)
    assert [row["test"] for row in found["rows"]] == ["mcnemar", "resampled_t"]
    assert all(row["low"] <= row["rate"] <= row["high"] for row in found["rows"])


def test_levels_and_designs_pass_through(run):
    found = answer(
        run, "type1", "--tests", "kfold_cv_t", "--alpha", 0.01, 0.1, "--folds", 5, "--trials", 100, "--n", 200
    )
    assert [row["alpha"] for row in found["rows"]] == [0.01, 0.1]
    assert (found["design"]["folds"], found["design"]["n"]) == (5, 200)


def test_power_replicability_and_qq_answer(run):
    power = answer(run, "power", "--tests", "mcnemar", "--population", "two-kinds(difference=0.15)", "--trials", 500)
    assert power["rows"][0]["rate"] > 0.3
    steady = answer(run, "replicability", "--tests", "mcnemar", "--trials", 50, "--repetitions", 3)
    assert 0 <= steady["rows"][0]["rate"] <= 1
    quantiles = answer(run, "qq", "--test", "resampled_t", "--trials", 500)
    assert quantiles["uniform"] is False


def test_populations_are_listed(run):
    names = [row["name"] for row in json.loads(run("lab", "populations", "--json")[1])["populations"]]
    assert "two-kinds" in names
    assert "two-kinds" in run("lab", "populations")[1]


@pytest.mark.parametrize(("args", "message"), [
    (["type1", "--population", "three-kinds"], "did you mean 'two-kinds'"),
    (["type1", "--tests", "mcnemr"], "did you mean 'mcnemar'"),
    (["type1", "--trials", "5"], "trials must be a whole number of at least 10"),
    (["type1", "--alpha", "2"], "alpha must be strictly between 0 and 1"),
    (["type1", "--population", "independent-binary"], "needs two learners"),
    (["calibrate", "--tests", "mcnemar"], "degrees of freedom to calibrate"),
    (["qq"], "--test"),
    (["typeone"], "type1"),
])  # fmt: skip
def test_bad_calls_end_with_one_sentence(run, args, message):
    code, out, err = run("lab", *args)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1
