"""``--margin``, ``--fail-if`` and ``--markdown``: what a pipeline sees."""

from __future__ import annotations

import json

import numpy as np
import pytest

from foldwise.inference import paired_difference

CONDITIONS = ("worse", "not-better", "inferior", "not-noninferior", "undecided")
# what the two columns say -> the conditions that stop there and their exit code, with a margin of 0.05
ROLES = ("--candidate", "new", "--baseline", "old")
CASES = {
    "better": {"n01": 10, "n10": 60, "stop": {}},
    "worse": {"n01": 60, "n10": 10, "stop": {"worse": 1, "not-better": 1, "inferior": 1, "not-noninferior": 1}},
    "same": {"n01": 5, "n10": 5, "stop": {"not-better": 3}},
    "unclear": {"n01": 30, "n10": 30, "stop": {"not-better": 3, "not-noninferior": 3, "undecided": 3}},
}


@pytest.fixture
def predictions(tmp_path):
    """A file of 200 examples with these counts of disagreements."""

    def write(n01, n10, **_):
        a = ["no"] * n01 + ["yes"] * (200 - n01)
        b = ["yes"] * n01 + ["no"] * n10 + ["yes"] * (200 - n01 - n10)
        path = tmp_path / "predictions.csv"
        path.write_text("truth,new,old\n" + "".join(f"yes,{x},{y}\n" for x, y in zip(a, b, strict=True)))
        return path

    return write


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    values = rng.uniform(0.6, 0.9, (14, 1)) + np.array([0.03, 0.0, 0.0]) + rng.normal(0, 0.003, (14, 3))
    path = tmp_path / "table.csv"
    path.write_text("data,nb,c45,tan\n" + "".join(f"s{i},{','.join(map(str, row))}\n" for i, row in enumerate(values)))
    return path


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("case", CASES)
def test_predictions(run, predictions, case, condition):
    file = predictions(**CASES[case])
    code, out, err = run("predictions", file, *ROLES, "--margin", 0.05, "--fail-if", condition)
    assert out.startswith("new vs old")  # the answer is shown in any case
    if condition in CASES[case]["stop"]:
        assert code == CASES[case]["stop"][condition]
        assert err.startswith("foldwise: ")
        _, wanted, items = err.partition(f": --fail-if {condition}")
        assert wanted
        assert (" items " in items) is (code == 3)  # how many would decide
        assert err.count("\n") == 1
        assert "new" in err
    else:
        assert (code, err) == (0, "")


def test_the_sentence_has_the_numbers(run, predictions):
    code, _, err = run("predictions", predictions(n01=60, n10=10), *ROLES, "--fail-if", "worse")
    tango = -paired_difference(0, 60, 10, 130, method="tango").confidence_interval(0.95)
    low, high = (f"−{-100 * limit:.1f}" for limit in (tango.low, tango.high))
    assert code == 1
    assert err == (
        f"foldwise: new is worse than old (accuracy differs by −25 points, 95 % CI {low} to {high}): --fail-if worse\n"
    )


def test_several_conditions(run, predictions):
    file = predictions(n01=30, n10=30)
    both = ["--fail-if", "worse", "--fail-if", "undecided"]
    assert run("predictions", file, *ROLES, "--margin", 0.05, *both)[0] == 3
    assert run("predictions", file, *ROLES, "--margin", 0.5, *both)[0] == 0


def test_the_other_one_is_the_candidate_when_columns_are_named_so(run, predictions):
    file = predictions(n01=60, n10=10)
    assert run("predictions", file, *ROLES, "--fail-if", "worse")[0] == 1
    assert run("predictions", file, "--a", "old", "--b", "new", "--fail-if", "worse")[0] == 0


def test_scores(run, tmp_path):
    rows = "".join(f"{fold},{0.7 + fold / 1000},{0.8 + (fold % 3) / 100}\n" for fold in range(10))
    path = tmp_path / "scores.csv"
    path.write_text("fold,new,old\n" + rows)
    words = ("scores", path, *ROLES, "--metric", "accuracy", "--margin", 0.02)
    code, _, err = run(*words, "--n-train", 90, "--n-test", 10, "--fail-if", "inferior")
    assert (code, "new is inferior to old by more than 2 points" in err) == (1, True)
    assert run(*words, "--n-train", 90, "--n-test", 10, "--fail-if", "inferior", "--lower-is-better")[0] == 0


def test_learners(run):
    words = ("compare", "majority", "nb", "--data", "iris", "--runs", 1, "--folds", 5)
    code, out, err = run(*words, "--margin", 0.05, "--fail-if", "not-noninferior")
    assert code == 1
    assert "majority is inferior to nb: worse by more than 5 points." in out
    assert "majority is inferior to nb by more than 5 points" in err
    assert run("compare", "nb", "majority", *words[3:], "--margin", 0.05, "--fail-if", "not-noninferior")[0] == 0


def test_tables_are_held_against_the_control(run, table):
    words = ("table", table, "--metric", "accuracy", "--margin", 0.01, "--bayes", "none")
    code, _, err = run(*words, "--control", "c45", "--fail-if", "not-better")
    assert code == 3
    assert err.startswith("foldwise: tan is not shown to be better than c45 (mean accuracy differs by ")
    assert run(*words, "--control", "c45", "--fail-if", "inferior")[0] == 0
    code, _, err = run(*words, "--control", "nb", "--fail-if", "worse")
    assert (code, err.count(" is worse than nb")) == (1, 2)


@pytest.mark.parametrize(("options", "message"), [
    (["--fail-if", "inferior"], "--fail-if inferior needs --margin"),
    (["--fail-if", "undecided"], "--fail-if undecided needs --margin"),
    (["--fail-if", "bad"], "'bad' is not one of"),
    (["--margin", "0"], "margin must be a number above 0, got 0.0"),
    (["--margin", "0.1", "--alpha", "0.7"], "alpha must be below 0.5 where a margin is given, got 0.7"),
    (["--markdown", "--json"], "only one can be printed: name a file for --json or for --markdown"),
])  # fmt: skip
def test_bad_options_end_with_2(run, predictions, options, message):
    code, out, err = run("predictions", predictions(n01=5, n10=5), *options)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_conflicts_are_told_before_the_work(run):
    """The files are not even looked for."""
    for command in ("predictions", "scores", "table"):
        code, _, err = run(command, "nowhere.csv", "--fail-if", "inferior")
        assert (code, err) == (2, "foldwise: --fail-if inferior needs --margin\n")
    code, _, err = run("compare", "nb", "c45", "1nn", "--data", "nowhere", "elsewhere", "--fail-if", "worse")
    assert (code, err) == (2, "foldwise: --fail-if needs --baseline where there are 3 models\n")


def test_several_learners_need_a_baseline(run, table):
    code, out, err = run("table", table, "--fail-if", "worse")
    assert (code, out) == (2, "")
    assert err == "foldwise: --fail-if needs --baseline where there are 3 models\n"


def test_json_has_margin_and_conclusion(run, predictions):
    code, out, _ = run(
        "predictions", predictions(n01=60, n10=10), "--margin", 0.05, *ROLES, "--json", "--fail-if", "worse"
    )
    answer = json.loads(out)
    assert (code, answer["margin"], answer["conclusion"]) == (1, 0.05, "inferior")
    assert answer["repeat"].endswith(
        "predictions.csv --candidate new --baseline old --margin 0.05"
    )  # the gate does not change the answer


def test_markdown_goes_to_standard_output_whatever_the_gate_says(run, predictions):
    code, out, err = run(
        "predictions", predictions(n01=60, n10=10), "--margin", 0.05, *ROLES, "--markdown", "--fail-if", "worse"
    )
    assert (code, err.count("\n")) == (1, 1)
    assert out.startswith("### new vs old")
    assert "| margin 5 points | inferior; limits" in out
    assert out.count("<details>") == out.count("</details>") > 3


def test_help_says_who_is_the_candidate(run):
    out = "".join(run("predictions", "--help")[1].split())  # lines are broken anywhere
    assert "--candidate" in out
    assert "worse,not-better,inferior,not-noninferior,undecided" in out


def test_who_is_first_in_the_file_is_no_declaration(run, predictions):
    """A gate must not depend on the order of columns that nobody chose."""
    code, out, err = run("predictions", predictions(n01=60, n10=10), "--fail-if", "worse")
    assert (code, out) == (2, "")
    assert "--candidate new --baseline old, or the other way round" in err
    assert err.count("\n") == 1


def test_exchanging_candidate_and_baseline_mirrors_the_answer(run, predictions):
    file = predictions(n01=60, n10=10)
    one = json.loads(run("predictions", file, *ROLES, "--margin", "1pt", "--json")[1])
    turned = ("--candidate", "old", "--baseline", "new")
    other = json.loads(run("predictions", file, *turned, "--margin", "1pt", "--json")[1])
    assert (one["models"], other["models"]) == (["new", "old"], ["old", "new"])
    assert (one["conclusion"], other["conclusion"]) == ("inferior", "superior")
    assert one["limits"]["low"] == pytest.approx(-other["limits"]["high"])
    assert one["margin"] == 0.01


@pytest.mark.parametrize("margin", ["1pt", "1 point", "1%", "0.01", "0,01"])
def test_margins_have_units(run, predictions, margin):
    assert json.loads(run("predictions", predictions(n01=5, n10=5), "--margin", margin, "--json")[1])["margin"] == 0.01


@pytest.mark.parametrize("margin", ["1", "100pt", "100%"])
def test_a_margin_that_always_passes_is_refused(run, predictions, margin):
    code, out, err = run("predictions", predictions(n01=5, n10=5), "--margin", margin)
    assert (code, out) == (2, "")
    assert "margin must be below 1, the whole range of accuracy" in err
    assert ("--margin 1pt" in err) == (margin == "1")


@pytest.mark.parametrize(("words", "message"), [
    (["--candidate", "nwe"], "unknown candidate 'nwe': did you mean 'new'?"),
    (["--candidate", "new", "--baseline", "new"], "candidate and baseline must be different models"),
])  # fmt: skip
def test_roles_that_cannot_be(run, predictions, words, message):
    code, _, err = run("predictions", predictions(n01=5, n10=5), *words)
    assert (code, message in err) == (2, True)
