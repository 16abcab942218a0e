"""Several runs of one item at every door: pass@k, pass^k, best and worst of k."""

from __future__ import annotations

import json
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.papers_data import data_folder

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result

TAU = data_folder().parent / "truth" / "tau_bench" / "gpt-4o-airline.json"


def runs_of(seed=0, items=40, runs=5, chance=0.5):
    rng = np.random.default_rng(seed)
    return (rng.random((items, runs)) < rng.beta(1, 1, (items, 1)) * 2 * chance).astype(float)


def by_subsets(table, k, of):
    return np.array([np.mean([of(part) for part in combinations(row, k)]) for row in table])


@pytest.mark.skipif(not TAU.is_file(), reason="tau-bench's published runs are not on this machine")
def test_tau_bench_has_its_published_pass_hat_k_at_the_command_line(run, tmp_path):
    other = [record | {"reward": 1 - record["reward"]} for record in json.loads(TAU.read_text())]
    (tmp_path / "other.json").write_text(json.dumps(other))
    for k, published in zip((1, 2, 3, 4), (0.420, 0.273, 0.220, 0.200), strict=True):
        code, out, _ = run("judge", TAU, tmp_path / "other.json", "--metric", f"pass^{k}", "--json")
        pair = json.loads(out)["verdicts"][""]["pairs"][0]
        assert code == 0
        assert pair["a"] == "gpt-4o-airline"
        assert round(pair["means"][0], 3) == published


@pytest.mark.skipif(not TAU.is_file(), reason="tau-bench's published runs are not on this machine")
def test_one_agent_alone_has_its_published_pass_hat_k_with_an_interval(run):
    for k, published in zip((1, 2, 3, 4), (0.420, 0.273, 0.220, 0.200), strict=True):
        code, out, err = run("judge", TAU, "--metric", f"pass^{k}", "--json")
        found = json.loads(out)
        assert (code, err, round(found["estimate"], 3)) == (0, "", published)
        assert found["interval"]["low"] < published < found["interval"]["high"]
        assert fw.estimate_files(TAU, metric=f"pass^{k}").estimate == found["estimate"]


def test_one_model_alone_is_estimated_and_not_compared(run, tmp_path):
    rows = [f"solo,q{i},{t},{int((i + t) % 3 > 0)}" for i in range(30) for t in range(4)]
    (tmp_path / "one.csv").write_text("\n".join(["model,item,trial,success", *rows]))
    code, out, _ = run("judge", tmp_path / "one.csv", "--metric", "pass@2")
    assert (code, "solo" in out, "pass@2" in out, "(again)" in out) == (0, True, True, False)
    code, _, err = run("leaderboard", tmp_path / "one.csv")
    assert (code, "only 'solo'; foldwise judge (fw.estimate_files) tells of one alone" in err) == (2, True)
    with pytest.raises(InvalidInput, match="given must hold one model's values of items, got a, b on items"):
        fw.estimate_files(
            pd.DataFrame({"model": ["a", "b"] * 9, "item": [i // 2 for i in range(18)], "score": [0, 1, 1] * 6})
        )
    with pytest.raises(InvalidInput, match="scores of model must"):
        fw.judge({"model": ["a", "b"], "score": [0, 1]})


def test_all_doors_give_the_same(run, on_page, tmp_path):
    a, b = runs_of(0), runs_of(1, chance=0.7)
    wide = [(f"q{i}", *pair) for i, rows in enumerate(zip(a, b, strict=True)) for pair in zip(*rows, strict=True)]
    text = "item,new,old\n" + "\n".join(f"{item},{x:g},{y:g}" for item, x, y in wide)
    (tmp_path / "wide.csv").write_text(text)
    long = [
        (n, f"q{i}", t, v) for n, m in (("new", a), ("old", b)) for i, row in enumerate(m) for t, v in enumerate(row)
    ]
    (tmp_path / "long.csv").write_text(
        "model,item,trial,correct\n" + "\n".join(f"{n},{i},{t},{v:g}" for n, i, t, v in long)
    )
    expected = fw.compare_predictions(None, {"new": a, "old": b}, metric="pass@3")
    assert expected.means["new"] == pytest.approx(by_subsets(a, 3, max).mean())
    assert expected.interval is not None
    found = [
        json.loads(run("judge", tmp_path / "long.csv", "--metric", "pass@3", "--json")[1])["verdicts"][""],
        json.loads(run("predictions", tmp_path / "wide.csv", "--truth", "none", "--item", "item", "--metric", "pass@3",
                       "--json")[1]),
    ]  # fmt: skip
    for one in found:
        assert one["metric"] == "pass@3"
        assert one["pairs"][0]["estimate"] == pytest.approx(expected.estimate, abs=1e-12)
        assert one["pairs"][0]["pvalue"] == pytest.approx(expected.pvalue, abs=1e-12)
    page = on_page("judge", tmp_path / "long.csv", of_runs="pass@3")
    assert page.command == "foldwise judge long.csv --metric=pass@3"
    assert "pass@3" in page.text
    of_marks = {"truth": "none", "item": "item", "metric": "pass@3"}
    other = on_page("predictions", tmp_path / "wide.csv", **of_marks)
    assert (other.verdict, "pass@3" in other.text) == (page.verdict, True)
    judged = fw.judge(tmp_path / "long.csv", metric="pass@3 of correct")
    assert judged.main.pvalue == pytest.approx(expected.pvalue, abs=1e-12)


@pytest.mark.parametrize("column", ["trial", "judge"])
def test_averages_of_right_and_wrong_are_shares_at_every_door(run, on_page, tmp_path, column):
    a, b = runs_of(2, runs=3, chance=0.8), runs_of(3, runs=3)
    points = f"a difference of {100 * (a.mean() - b.mean()):.1f}".removesuffix(".0") + " points"
    rates = f"{100 * a.mean():.1f} % vs {100 * b.mean():.1f} %"
    long = [(n, f"q{i}", t, v) for n, m in (("new", a), ("old", b)) for (i, t), v in np.ndenumerate(m)]
    for file, grade in (("right", 1), ("graded", 0.9)):  # graded values keep their own unit
        rows = [f"{n},{i},{t},{grade * v:g}" for n, i, t, v in long]
        (tmp_path / f"{file}.csv").write_text("\n".join([f"model,item,{column},score", *rows]))
    asked = ["--column", f"trial={column}"]
    told = run("judge", tmp_path / "right.csv", *asked)[1]
    assert (rates in " ".join(told.split()), points in " ".join(told.split())) == (True, True)
    assert "points" not in run("judge", tmp_path / "graded.csv", *asked)[1]
    _, out, _ = run("judge", tmp_path / "right.csv", *asked, "--json")
    assert json.loads(out)["verdicts"][""]["unit"] == "fraction"
    wide = [(f"q{i}", *pair) for i, rows in enumerate(zip(a, b, strict=True)) for pair in zip(*rows, strict=True)]
    (tmp_path / "wide.csv").write_text("item,new,old\n" + "\n".join(f"{i},{x:g},{y:g}" for i, x, y in wide))
    assert points in " ".join(run("predictions", tmp_path / "wide.csv", "--truth", "none", "--item", "item")[1].split())
    assert points in on_page("predictions", tmp_path / "wide.csv", truth="none", item="item").text
    c = fw.compare_predictions(None, {"new": a, "old": b})
    again = Result.from_dict(json.loads(json.dumps(c.to_dict())))
    assert isinstance(again, fw.Comparison)
    assert (c.unit, again.unit, again.verdict) == ("fraction", "fraction", c.verdict)
    assert points in c.verdict
    percent = fw.compare_predictions(None, {"new": 100 * a, "old": 100 * b})
    assert (percent.unit, points in percent.verdict) == ("percent", True)
    assert fw.compare_predictions(None, {"new": a, "old": b}, options=fw.Options(unit="own")).unit == "own"
    board = run("leaderboard", tmp_path / "right.csv", *asked)[1]
    assert f"{100 * a.mean():.1f} %" in board


def test_three_models_clusters_and_graded_marks():
    rng = np.random.default_rng(5)
    marks = {name: rng.normal(shift, 1, (30, 4)) for name, shift in (("a", 1.0), ("b", 0.0), ("c", 0.2))}
    c = fw.compare_predictions(None, marks, metric="best@2", groups=[f"g{i // 3}" for i in range(30)])
    for name, table in marks.items():
        assert c.means[name] == pytest.approx(by_subsets(table, 2, max).mean())
    assert len(c.pairs) == 3
    loss = fw.compare_predictions(None, {n: marks[n] for n in "ab"}, metric="best@2 of loss")
    assert loss.means["a"] == pytest.approx(by_subsets(marks["a"], 2, min).mean())  # the best loss is the least


@settings(max_examples=20)
@given(st.integers(0, 1000), st.integers(1, 5))
def test_pass_and_fail_are_each_others_complement(seed, k):
    a, b = runs_of(seed, items=12), runs_of(seed + 1, items=12)
    some = fw.compare_predictions(None, {"a": a, "b": b}, metric=f"pass@{k}")
    none = fw.compare_predictions(None, {"a": 1 - a, "b": 1 - b}, metric=f"pass^{k}")
    assert some.means["a"] == pytest.approx(1 - none.means["a"])
    assert some.pvalue == pytest.approx(none.pvalue, abs=1e-9)


def test_runs_need_not_be_equally_many_and_all_of_k_are_right_or_wrong():
    a = {"p": [1, 0, 1], "q": [0, 0], "r": [1, 1, 1, 0]}
    c = fw.compare_predictions(None, {"a": a, "b": {"p": [0, 0], "q": [1, 0], "r": [0, 1]}}, metric="pass^2")
    assert c.means["a"] == pytest.approx((1 / 3 + 0 + 0.5) / 3)
    whole = fw.compare_predictions(None, {"a": runs_of(0, runs=2), "b": runs_of(1, runs=2)}, metric="pass^2")
    assert whole.test == "mcnemar"


def test_the_variance_is_split_into_items_and_runs():
    a, b = runs_of(0, items=200, runs=6), runs_of(1, items=200, runs=6)
    one = fw.compare_predictions(None, {"a": a, "b": b}, metric="pass@1")
    mean = fw.compare_predictions(None, {"a": a, "b": b})
    assert one.pairs[0].estimate == pytest.approx(mean.pairs[0].estimate)
    three = fw.compare_predictions(None, {"a": a, "b": b}, metric="pass@3")
    told = three.details()
    assert "items" in told
    assert "trials" in told


SHORT = {"model": ["a"] * 7 + ["b"] * 7, "item": list("pppqqrs") * 2, "trial": list("0120100") * 2}
SHORT |= {"correct": [1, 0, 1, 0, 1, 1, 0] * 2}


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        ("pass@3", {}, r"pass@3 needs at least 3 runs of every item, but a has fewer on 3 of 4: q \(2\), r \(1\), s"),
        ("pass@0", {}, "pass@0 must be of at least 1 run"),
    ],
)
def test_too_few_runs_are_refused_by_name(tmp_path, metric, options, message):
    rows = zip(*SHORT.values(), strict=True)
    (tmp_path / "short.csv").write_text("\n".join([",".join(SHORT), *(",".join(map(str, row)) for row in rows)]))
    with pytest.raises(InvalidInput, match=message):
        fw.judge(tmp_path / "short.csv", metric=metric, **options)


def test_items_with_too_few_runs_are_left_out_where_that_is_asked_for():
    a = {"p": [1, 0, 1], "q": [0, 1], "r": [1, 1, 1]}
    c = fw.compare_predictions(None, {"a": a, "b": {"p": [0] * 3, "q": [1] * 3, "r": [0, 1, 0]}}, metric="pass@3",
                               missing="drop")  # fmt: skip
    assert c.means == {"a": 1.0, "b": 0.5}
    assert "1 item left out" in str(c)


def test_what_is_not_about_runs_is_refused():
    with pytest.raises(InvalidInput, match=r"runs that are right .1. or wrong .0., got 0.5: best@2"):
        fw.compare_predictions(None, {"a": [[0.5, 1]] * 9, "b": [[0, 1]] * 9}, metric="pass@2")
    with pytest.raises(InvalidInput, match=r"pass@2 needs several runs of each item.*--item"):
        fw.compare_predictions(["x", "y"] * 9, {"a": ["x"] * 18, "b": ["y"] * 18}, metric="pass@2")
    with pytest.raises(InvalidInput, match="pass@2 is about runs of one model, but rows have seeds"):
        fw.compare_predictions(
            None, {"a": [[0, 1, 1]] * 4, "b": [[0, 1, 0]] * 4}, metric="pass@2", options=fw.Options(seeds="paired")
        )


@pytest.mark.slow
def test_the_level_holds_for_pass_at_k():
    rng, rejected, trials = np.random.default_rng(11), 0, 600
    for _ in range(trials):
        chance = rng.beta(0.6, 0.6, (60, 1))
        a, b = ((rng.random((60, 5)) < chance).astype(float) for _ in range(2))
        rejected += fw.compare_predictions(None, {"a": a, "b": b}, metric="pass@3").better is not None
    assert rejected / trials < 0.05 + 2.6 * (0.05 * 0.95 / trials) ** 0.5


def test_runs_of_many_tasks_right_or_wrong_are_runs_of_items(run, tmp_path):
    """They were taken for cross-validation on 50 data sets, so that pass^k had no items."""
    rng = np.random.default_rng(8)
    rows = [
        (model, f"t{task}", k, int(rng.random() < rate))
        for model, rate in (("gpt", 0.5), ("claude", 0.8))
        for task in range(30)
        for k in range(4)
    ]
    file = tmp_path / "agents.csv"
    file.write_text("agent,task,run,reward\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows))
    text = " ".join(run("judge", file)[1].split())
    assert "Assumed: column 'task' names the items and 'run' their runs, as every reward is 0 or 1" in text
    assert "(30 items, 4 trials each)" in text
    told = run("judge", file, "--metric", "pass^3")
    assert told[0] == 0
    right = pd.DataFrame(rows, columns=["m", "t", "k", "right"]).groupby(["m", "t"]).right.sum()
    all_three = right.map(lambda count: comb(count, 3) / 4).groupby("m").mean()
    assert fw.judge(file, metric="pass^3").main.estimate == pytest.approx(all_three["gpt"] - all_three["claude"])
    code, _, err = run("judge", file, "--metric", "pass^3", "--column", "task=task")
    assert (code, "--column item=NAME, --column trial=NAME" in err) == (2, True)
    few = tmp_path / "few.csv"
    few.write_text(
        "model,task,run,score\n"
        + "".join(f"{m},{t},{k},{(k + t) % 2}\n" for m in "ab" for t in range(3) for k in range(9))
    )
    assert "names the items" not in run("judge", few)[1], "three tasks with nine splits each"
