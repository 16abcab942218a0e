from __future__ import annotations

import json

import pytest

TREE = "sklearn.tree:DecisionTreeClassifier(max_depth=2,random_state=0)"
NB = "sklearn.naive_bayes:GaussianNB"


def test_the_main_job_answers_and_can_be_repeated(run):
    code, out, err = run("compare", NB, "majority", "--data", "sklearn:iris", "--runs", 2, "--folds", 5, "--details")
    assert (code, err) == (0, "")
    assert "is better: accuracy" in out
    assert "on iris (150 examples, 4 attributes, 3 classes)" in out.splitlines()[0]
    repeat = out.split("repeat: ")[1].split("\n")[0]
    assert repeat == f"foldwise compare {NB} majority --data sklearn:iris --runs 2 --folds 5 --seed 0"


def test_a_paper_sets_the_test_and_its_splits(run):
    asked = ("compare", "nb", "majority", "--data", "sklearn:iris", "--paper")
    answer = json.loads(run(*asked, "dietterich1998", "--test", "resampled_t", "--json")[1])
    assert (answer["test"], answer["design"]) == ("resampled_t", "30 random splits")
    assert "--paper bouckaert2003" in run(*asked, "bouckaert2003", "--details")[1].split("repeat: ")[1]
    code, out, err = run(*asked, "bouckaert2003", "--runs", 3)
    assert (code, out) == (2, "")
    assert err == "foldwise: runs is set by paper 'bouckaert2003': leave out runs or paper, got runs=3\n"


def test_json_and_automatic_runs(run):
    args = ("compare", NB, "majority", "--data", "sklearn:iris", "--folds", 5, "--runs", "auto", "--json")
    answer = json.loads(run(*args)[1])
    assert answer["better"] == "GaussianNB"
    assert answer["subject"].startswith("iris")


def test_automatic_runs_of_three_learners_and_what_they_settle(run, tmp_path):
    args = ("compare", "nb", "1nn", "majority", "--data", "iris", "--folds", 5, "--runs", "auto")
    store = ("--store", tmp_path / "fits.sqlite")
    answer = json.loads(run(*args, "--max-runs", 15, *store, "--json")[1])
    assert [pair["better"] for pair in answer["pairs"]] == [None, "nb", "1nn"]
    assert any("runs" in caveat and "pairs" in caveat for caveat in answer["notes"])
    again = json.loads(run(*args, "--max-runs", 15, *store, "--json")[1])
    assert (again["pairs"], again["found"]) == (answer["pairs"], answer["fits"])
    code, out, err = run(*args, "--control", "majority", "--max-seconds", 60, *store, "--details")
    assert (code, err) == (0, "")
    assert "settled the verdicts on all 2 pairs" in " ".join(out.split())
    assert "--runs auto" in out.split("repeat: ")[1]


def test_learners_may_carry_parameters(run):
    answer = json.loads(run("compare", TREE, NB, "--data", "sklearn:iris", "--test", "mcnemar", "--json")[1])
    assert answer["test"] == "mcnemar"
    assert answer["models"][0] == TREE.partition(":")[2]


def test_names_columns_and_the_positive_class(run, tmp_path):
    rows = [f"{i},{i % 7},p{i // 3},{'bad' if i % 7 > 3 else 'good'}" for i in range(42)]
    (tmp_path / "t.csv").write_text("\n".join(["key,x,who,class", *rows]))
    args = (
        "compare",
        "scale+gnb",
        "dummy",
        "--data",
        tmp_path / "t.csv",
        "--drop",
        "key",
        "--groups",
        "who",
        "--runs",
        1,
    )
    named = ("--names", "first", "second", "--metric", "f1", "--positive", "bad", "--folds", 3)
    answer = json.loads(run(*args, *named, "--json")[1])
    assert answer["models"] == ["first", "second"]
    assert "t (42 examples, 1 attributes, 2 classes)" in answer["subject"]
    assert "the positive class is bad" in answer["notes"]
    code, _, err = run(*args, "--names", "first")
    assert (code, "names must be one for each of the 2 learners" in err) == (2, True)
    assert run(*args, "--metric", "f1")[2].startswith("foldwise: --positive must name the class")


def test_several_learners_on_several_data_sets(run, tmp_path):
    learners = (NB, TREE, "majority")
    data = ("sklearn:iris", "sklearn:wine", "sklearn:breast_cancer")
    args = (
        "compare",
        *learners,
        "--data",
        *data,
        "--runs",
        1,
        "--folds",
        3,
        "--store",
        tmp_path / "s.sqlite",
        "--json",
    )
    code, out, _ = run(*args)
    answer = json.loads(out)
    assert code == 0
    assert answer["models"] == ["GaussianNB", TREE.partition(":")[2], "majority"]
    assert answer["tasks"] == ["iris", "wine", "breast_cancer"]


def test_several_learners_on_one_data_set(run, tmp_path):
    args = ("compare", NB, "majority", "1nn", "--data", "sklearn:iris", "--runs", 1, "--folds", 5, "--store",
            tmp_path / "s.sqlite")  # fmt: skip
    code, out, err = run(*args, "--details")
    assert (code, err) == (0, "")
    assert "3 learners on iris (150 examples, 4 attributes, 3 classes)" in out.splitlines()[0]
    assert "repeat: foldwise compare" in out
    answer = json.loads(run(*args, "--control", "majority", "--margin", "0.1", "--json")[1])
    assert (answer["fits"], answer["found"]) == (15, 15)
    assert {pair["conclusion"] for pair in answer["pairs"]} == {"superior"}
    assert answer["ranks"]["majority"] == [3, 3]
    code, _, err = run(*args, "--control", "1nn", "--fail-if", "worse")
    assert code == 1
    assert "majority is worse than 1nn" in err


@pytest.mark.parametrize(("args", "message"), [
    (["majority", "--data", "sklearn:iris"], "two learners are needed"),
    (["majority", "1nn", "3nn", "--data", "sklearn:iris", "--control", "nb"], "unknown control 'nb'"),
    (["majority", "1nn", "--data", "sklearn:iris", "wine", "--runs", "auto"], "--runs auto is for one data set"),
    (["majority", "1nn", "--data", "sklearn:iris", "wine", "--max-runs", "20"], "--max-runs is for one data set"),
    (["majority", "1nn", "3nn", "--data", "sklearn:iris", "--fail-if", "worse"], "--fail-if needs --baseline"),
    (["majority", "1nn", "--data", "sklearn:iris", "--control", "1nn"], "--control is for three and more learners"),
    (["majority", "1nn", "--data", "sklearn:iris", "sklearn:wine", "--adjust", "max_t"], "--adjust is for one data"),
    (["majority", "1nn", "--data", "sklearn:iris", "sklearn:wine", "--replicate", "2"], "--replicate is for one data"),
    (["majority", "1nn", "--data", "sklearn:iris", "sklearn:wine", "--test", "mcnemar"], "unknown test 'mcnemar'"),
    (["majority", "majority", "--data", "sklearn:iris", "sklearn:wine"], "learners must be different"),
    (["majority", "majorty", "--data", "sklearn:iris"], "did you mean 'majority'"),
    (["majority", "majority", "--data", "no-such-set"], "no-such-set"),
    (["majority", "majority", "--data", "sklearn:iris", "--runs", "several"], "whole number or 'auto'"),
    (["majority", "majority"], "--data"),
    (["majority", "majority", "--data", "sklearn:iris", "--folds", "500"], "folds"),
    (["majority", "majority", "--data", "sklearn:iris", "--test", "mcnemr"], "did you mean 'mcnemar'"),
])  # fmt: skip
def test_bad_calls_end_with_one_sentence(run, args, message):
    code, out, err = run("compare", *args)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_the_round_robin(run):
    words = ["compare", "nb", "1nn", "--data", "iris", "--test", "round_robin"]
    code, out, err = run(*words, "--folds", 4, "--runs", 2, "--json")
    told = json.loads(out)
    assert (code, told["test"], told["fits"]) == (0, "round_robin", 24)
    assert 3 <= told["df"] <= 6  # of four blocks and two dealings
    code, out, err = run(*words, "--json")
    assert json.loads(out)["fits"] == 2 * 90  # six blocks, dealt six times
    code, out, err = run(*words, "--folds", 7)
    assert (code, out) == (2, "")
    assert "folds must be an even number, because each round pairs all of them, got 7" in err


def test_a_score_that_folds_leave_undefined_is_refused_with_the_number_of_folds(run, tmp_path):
    rows = [f"{i % 7},{(i * i) % 11},{int(i < 5)}" for i in range(100)]
    path = tmp_path / "rare.csv"
    path.write_text("\n".join(["u,v,y", *rows]))
    ask = ("compare", "gnb", "dummy", "--data", str(path), "--metric", "recall", "--runs", "2")
    code, _, err = run(*ask)
    assert code != 0
    assert "undefined on 10 of the 20 test sets" in err
    assert "--folds 5" in err
    assert run(*ask, "--folds", 5)[0] == 0
