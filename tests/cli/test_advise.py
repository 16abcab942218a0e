from __future__ import annotations

import json
from pathlib import Path

SCORES = Path(__file__).parents[2] / "examples" / "scores.csv"


def test_flags_find_the_question(run):
    code, out, _ = run("advise", "--about", "classifiers", "--data", "much", "--json")
    assert code == 0
    assert json.loads(out)["test"] == "mcnemar"


def test_the_text_names_the_procedure_and_the_command(run):
    _, out, _ = run("advise", "--question", 8, "--n", 300, "--runs-affordable", 10)
    assert out.startswith("Question 8:")
    assert "foldwise compare A B --data FILE\n" in out


def test_planning_answers_on_the_command_line(run):
    code, out, _ = run("plan", "--test", "wilcoxon", "--sigma", 0.05, "--difference", 0.03, "--json")
    assert code == 0
    assert json.loads(out)["unit"] == "data sets"
    assert "power" in run("plan", "--size", 200, "--difference", 0.05, "--discordance", 0.2)[1]


def test_a_pilot_file_stands_for_sigma(run):
    args = ("plan", "--test", "corrected_repeated_cv_t", "--pilot", SCORES, "--size", 10, "--json")
    code, out, _ = run(*args)
    assert code == 0
    assert json.loads(out)["difference"] > 0


def test_bad_calls_end_with_one_sentence(run):
    for args, message in ((("advise", "--question", 11), "from 1 to 9"), (("plan", "--size", 10), "needs discordance")):
        code, out, err = run(*args)
        assert (code, out) == (2, "")
        assert message in err


def test_metrics_of_other_fields_have_their_own_data(run):
    for metric, test, command in (
        ("wer", "swap_permutation", "foldwise judge FILE.csv --metric wer"),
        ("errors / words", "swap_permutation", "--metric 'errors / words'"),
        ("nDCG@10", "paired_t", "foldwise judge QRELS A.run B.run --metric nDCG@10"),
        ("c_index", "rank_jackknife_t", "foldwise predictions FILE.csv --metric c_index"),
        ("partial_auc@0.1", "rank_jackknife_t", "--metric partial_auc@0.1"),
        ("pinball@0.9", "diebold_mariano", "--metric pinball@0.9 --time DATE"),
    ):
        code, out, _ = run("advise", "--metric", metric, "--json")
        found = json.loads(out)
        assert (code, found["test"]) == (0, test)
        assert command in found["command"]
        assert found["test"] in run("advise", "--metric", metric)[1]
    assert "recall" in run("advise", "--metric", "recall")[1]


def test_what_somebody_has_is_answered_by_its_command(run):
    for have, test, command in (
        ("votes", "bradley_terry", "foldwise votes"), ("labels", "ppi", "foldwise judge"),
        ("runs", "paired_t", "foldwise judge"), ("board", "paired_t", "foldwise leaderboard"),
        ("costs", "paired_t", "foldwise frontier"), ("readers", "obuchowski_rockette", "foldwise judge"),
        ("slices", "paired_t", "--slice"),
    ):  # fmt: skip
        found = json.loads(run("advise", "--have", have, "--json")[1])
        assert (found["question"], found["test"], command in found["command"]) == (3, test, True)
        assert bool(found["figures"]) == (test != "paired_t")
    assert "pass^3" in run("advise", "--metric", "pass^3")[1]
    assert "foldwise advise --have votes" in " ".join(run("advise", "--question", 3)[1].split())
    code, _, err = run("advise", "--have", "vote")
    assert (code, "'votes', 'labels'" in err) == (2, True)
