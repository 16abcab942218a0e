from __future__ import annotations

import json

import pytest

from foldwise import lab
from foldwise.data import load


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


def test_a_data_set_is_examined_with_the_users_learners(run):
    found = answer(
        run, "type1", "--data", "sklearn:iris", "--learners", "nb", "majority", "--tests", "mcnemar", "--trials", 20
    )
    assert found["recommended"] == "mcnemar"
    assert {"test", "rate", "low", "high", "power", "fits"} <= set(found["rows"][0])
    text = run(
        "lab", "type1", "--data", "sklearn:iris", "--learners", "nb", "majority", "--tests", "mcnemar", "--trials", 20
    )[1]
    assert "Use mcnemar" in text


def test_columns_that_are_no_attributes_are_left_out_and_said(run, tmp_path):
    path = tmp_path / "shop.csv"
    rows = [f"{i},2024-01-{i % 28 + 1:02},{i * 7 % 11},{'pq'[i * 7 % 11 > i % 9]}" for i in range(80)]
    path.write_text("\n".join(["customer_id,day,size,class", *rows]) + "\n")
    args = ["--data", path, "--learners", "nb", "1nn", "--tests", "mcnemar", "--trials", 10, "--n", 40, "--folds", 2]
    for study in ("type1", "power"):
        more = [] if study == "type1" else ["--values", 40]
        said = [one for one in answer(run, study, *args, *more)["caveats"] if "column" in one]
        assert [one.partition(" (")[0] for one in said] == [
            "column 'customer_id' left out: an identifier",
            "column 'day' left out: a date",
        ]
        assert "--keep day" in said[1]
        said = [one for one in answer(run, study, *args, *more, "--keep", "day")["caveats"] if "column" in one]
        assert [one.partition(" (")[0] for one in said] == ["column 'customer_id' left out: an identifier"]


def test_power_on_a_data_set_is_a_curve(run):
    common = ["--data", "sklearn:iris", "--learners", "nb", "majority", "--trials", 10, "--tests"]
    over_n = answer(run, "power", *common, "mcnemar", "--over", "n", "--values", 30, 60)
    assert [row["n"] for row in over_n["rows"]] == [30, 60]
    usual = answer(run, "power", *common, "mcnemar")
    assert usual["values"] == [50]
    named = ["--population", "finite(data='sklearn:iris')", *common[2:]]
    assert answer(run, "power", *named, "mcnemar", "--over", "n")["values"] == [50]
    runs = answer(run, "power", *common, "corrected_repeated_cv_t", "--over", "runs", "--values", 2, 3, "--n", 40)
    assert [row["runs"] for row in runs["rows"]] == [2, 3]


def test_several_nulls_stand_side_by_side(run):
    found = answer(
        run, "type1", "--population", "two-kinds", "two-kinds(error=0.4)", "--tests", "mcnemar", "--trials", 50
    )
    assert len(found["tables"]) == 2
    assert [row["test"] for row in found["rows"]] == ["mcnemar", "mcnemar"]


@pytest.mark.parametrize(("args", "message"), [
    (["type1", "--data", "sklearn:iris", "--population", "two-kinds"], "not both"),
    (["power", "--data", "sklearn:iris", "--population", "two-kinds"], "not both"),
    (["type1", "--data", "sklearn:iris"], "learners must be two, got 0"),
    (["type1", "--data", "nowhere.csv", "--learners", "nb", "nb"], "nowhere.csv"),
    (["power", "--over", "n", "--alpha", "0.01", "0.05"], "--alpha takes one level here, got 2"),
    (["power", "--over", "time"], "time"),
    (["type1", "--keep", "day"], "--keep needs --data"),
    (["power", "--target", "class"], "--target needs --data"),
    (["type1", "--trials", "10000000000000"], "lower trials"),
])  # fmt: skip
def test_bad_calls_on_data_end_with_one_sentence(run, args, message):
    code, out, err = run("lab", *args)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_calibration_answers_for_bouckaerts_experiment_and_for_others(run):
    found = answer(run, "calibrate", "--tests", "use_all_data", "kfold_cv_t", "--runs", 2, 5, "--trials", 50)
    assert found["learners"] == ["nb", "c45"]
    assert [(row["test"], row["runs"]) for row in found["rows"][:2]] == [("use_all_data", 2), ("use_all_data", 5)]
    other = run(
        "lab", "calibrate", "--population", "two-kinds", "--tests", "resampled_t", "--runs", 30, "--trials", 500
    )[1]
    assert "resampled_t" in other
    own = answer(
        run, "calibrate", "--population", "independent-binary", "--learners", "nb", "1nn", "--tests", "use_all_data",
        "--alpha", 0.05, 0.1, "--trials", 25, "--n", 60,
    )  # fmt: skip
    assert [row["alpha"] for row in own["rows"]] == [0.05, 0.1]


def test_symmetric_halves_take_one_learner(run):
    population = ("--population", "symmetric-halves", "--learners", "1nn")
    found = answer(run, "type1", *population, "--tests", "mcnemar", "--trials", 20, "--n", 60)
    assert found["learners"] == ["1nn"]
    assert found["population"].startswith("SymmetricHalves(columns=4")


def test_a_learning_curve_says_what_python_says_and_repeats(run, tmp_path):
    args = ("lab", "curve", "c45", "--data", "iris", "--share", 0.2, "--runs", 2, "--store", tmp_path / "store.db")
    code, out, err = run(*args, "--json")
    assert (code, err) == (0, "")
    found, own = json.loads(out), lab.curve("c45", load("iris"), share=0.2, runs=2)
    assert found["models"] == ["c45", "c45 on 20 %"]
    assert found["notes"][0] == own.notes[0]
    assert found["pairs"][0]["pvalue"] == own.pvalue
    assert json.loads(run(*args, "--json")[1])["pairs"] == found["pairs"]  # from the store
    assert "foldwise lab curve c45 --data iris --share 0.2" in run(*args, "--details")[1].replace("\n  ", " ")


@pytest.mark.parametrize("share", [0, 1, 1.5])
def test_a_learning_curve_needs_a_share_of_the_examples(run, share):
    code, out, err = run("lab", "curve", "nb", "--data", "iris", "--share", share)
    assert (code, out) == (2, "")
    assert "share must be" in err


def test_the_command_in_the_refusal_of_a_level_finds_the_number_to_give(run):
    args = ("compare", "nb", "c45", "--data", "iris", "--runs", 2, "--folds", 5, "--alpha", 0.25)
    code, out, err = run(*args, "--test", "use_all_data:calibrated")
    assert (code, out) == (2, "")
    named = err.partition("foldwise lab ")[2].partition(", and")[0].split()
    assert named == ["calibrate", "--tests", "use_all_data", "--runs", "2", "--folds", "5", "--alpha", "0.25"]
    df = answer(run, *named, "--trials", 100)["rows"][0]["df"]
    code, out, err = run(*args, "--test", f"use_all_data:df={df}", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["alpha"] == 0.25
