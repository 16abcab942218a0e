from __future__ import annotations

import json
import shlex
from functools import partial

import pytest
from report.markup import Markup

from foldwise.comparison import METHODS
from foldwise.engine import Store


@pytest.fixture
def run(run, monkeypatch):
    monkeypatch.delenv("FOLDWISE_DATA", raising=False)
    return partial(run, "estimate")


def test_text(run):
    code, out, _ = run("majority", "--data", "iris")
    assert code == 0
    assert out.startswith("majority on iris (150 examples, 4 attributes, 3 classes)")
    assert "Error rate 66.7 % (100 of 150), 95 % CI 55.2 to 76.8 %." in out
    assert out.rstrip().endswith("--seed 0 repeats this")
    _, details, _ = run("majority", "--data", "iris", "--details")
    assert "repeat: foldwise estimate majority --data iris --method kfold --seed 0" in details


@pytest.mark.parametrize(("bar", "code", "words"), [
    ("80%", 0, "at most 80.0 % shown: one-sided 95 % upper limit 75"),
    ("0.6", 3, "at most 60.0 % not shown"),
    ("30 %", 1, "at most 30.0 % shown to be missed: one-sided 95 % lower limit 57"),
])  # fmt: skip
def test_a_bar_ends_the_command_by_its_exit_code(run, bar, code, words):
    found, out, err = run("majority", "--data", "iris", "--bar", bar)
    assert found == code
    assert words in " ".join(out.split())
    assert bool(err) == (code > 0)
    limits = json.loads(run("majority", "--data", "iris", "--bar", bar, "--json")[1])["bar"]
    # 90 % two-sided is what one side of 95 % asks
    wide = json.loads(run("majority", "--data", "iris", "--level", "0.9", "--json")[1])["interval"]
    assert (limits["low"], limits["high"]) == pytest.approx((wide["low"], wide["high"]))


def test_a_bar_where_nothing_is_known_of_the_spread_is_never_passed(run):
    assert run("majority", "--data", "iris", "--method", "bootstrap632", "--repeats", "2", "--bar", "99%")[0] == 3
    code, out, err = run("majority", "--data", "iris", "--method", "all", "--bar", "99%")
    assert (code, out) == (2, "")
    assert "--bar is for one --method" in err


def test_json_and_the_command_that_repeats_it(run):
    learner = "sklearn.neighbors:KNeighborsClassifier(n_neighbors=1)"
    code, out, _ = run(learner, "--data", "iris", "--method", "bootstrap632", "--repeats", "5", "--seed", "3", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["components"]["apparent"] == 0
    assert answer["interval"] is None
    words = shlex.split(answer["repeat"])
    assert words[:2] == ["foldwise", "estimate"]
    assert json.loads(run(*words[2:], "--json")[1]) == answer


def test_all_methods_side_by_side(run):
    code, out, _ = run("majority", "--data", "iris", "--method", "all", "--repeats", "3", "--json")
    assert code == 0
    rows = json.loads(out)["rows"]
    assert [row["method"] for row in rows] == [name for name, method in METHODS.items() if method.of_all_data]
    _, out, _ = run("majority", "--data", "iris", "--method", "all", "--repeats", "3")
    assert all(f"  {row['title']} " in out or f"→ {row['title']} " in out for row in rows)


def test_all_methods_as_a_page_with_a_plot(run, tmp_path):
    path = tmp_path / "out.html"
    code, _, _ = run("majority", "--data", "iris", "--method", "all", "--repeats", "3", "--html", path)
    page = path.read_text(encoding="utf-8")
    assert code == 0
    assert "K-fold cross-validation: Error rate 66.7 %" in Markup(page).text
    assert "<svg" in page
    assert "The apparent error is too low" in page


def test_a_store_keeps_what_was_computed(run, tmp_path):
    store = tmp_path / "results.sqlite"
    args = ("majority", "--data", "iris", "--folds", "5", "--store", store, "--json")
    first = json.loads(run(*args)[1])
    with Store(store) as kept:
        (series,) = kept.listing()
        assert (series.data, series.learner, series.splits) == ("iris", "majority", 5)
    again = json.loads(run(*args)[1])
    assert (first["found"], first["found_made"], again["found"], len(again["found_made"])) == (0, None, 5, 2)
    told = {"found", "found_made"}
    assert {name: again[name] for name in again.keys() - told} == {name: first[name] for name in first.keys() - told}
    with Store(store) as kept:
        assert [(s.id, s.splits) for s in kept.listing()] == [(series.id, 5)]


def test_regression(run):
    code, out, _ = run("sklearn.linear_model:LinearRegression", "--data", "diabetes-regression", "--folds", "5")
    assert code == 0
    assert "diabetes-regression (442 examples, 10 attributes)" in out
    assert "Mean squared error" in out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["majority"], "Missing option '--data'"),
        (["majority", "--data", "irs"], "unknown data set 'irs': did you mean 'iris'"),
        (["majorty", "--data", "iris"], "unknown learner 'majorty': did you mean 'majority'"),
        (["majority", "--data", "iris", "--method", "cv"], "unknown method 'cv'"),
        (["majority", "--data", "iris", "--folds", "1"], "folds must be a whole number of at least 2, got 1"),
        (["majority", "--data", "iris", "--folds", "x"], "Invalid value for '--folds'"),
        (["majority", "--data", "iris", "--level", "2"], "confidence_level must be strictly between 0 and 1"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(run, args, message):
    code, out, err = run(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
