"""A judge checked by people, at every door: judge, predictions, Python and the page."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput

RATES = {"new": (0.7, 0.1), "old": (0.6, 0.3), "base": (0.5, 0.1)}


def drawn(seed, models=("new", "old"), n=200, share=0.25):
    """Truth by people, a judge that errs differently by model, and labels of a random share of the items."""
    rng = np.random.default_rng(seed)
    labelled = rng.random(n) < share
    judge, human = {}, {}
    for name in models:
        rate, lenient = RATES[name]
        truth = rng.random(n) < rate
        judge[name] = np.where(truth, rng.random(n) < 0.92, rng.random(n) < lenient).astype(float)
        human[name] = np.where(labelled, truth, np.nan)
    return judge, human


def cell(value):
    return "" if np.isnan(value) else f"{value:g}"


def written(judge, human, folder, cluster=None):
    """The same as a wide and as a long table."""
    n = len(next(iter(judge.values())))
    extra = [] if cluster is None else ["cluster"]
    with (folder / "wide.csv").open("w", newline="") as wide, (folder / "long.csv").open("w", newline="") as long:
        rows, cells = csv.writer(wide), csv.writer(long)
        rows.writerow([*judge, *(f"human_{name}" for name in judge), *extra])
        cells.writerow(["model", "item", "score", "human", *extra])
        for i in range(n):
            of = [] if cluster is None else [cluster[i]]
            rows.writerow([*(f"{judge[m][i]:g}" for m in judge), *(cell(human[m][i]) for m in judge), *of])
            for m in judge:
                cells.writerow([m, f"q{i}", f"{judge[m][i]:g}", cell(human[m][i]), *of])
    return folder / "wide.csv", folder / "long.csv"


def test_all_doors_give_the_authors_estimate(run, on_page, tmp_path):
    judge, human = drawn(1)
    wide, long = written(judge, human, tmp_path)
    difference, labels = judge["new"] - judge["old"], human["new"] - human["old"]
    own = np.isfinite(labels)
    expected = inf.ppi(difference, labels)
    c = fw.compare_predictions(None, judge, options=fw.Options(human=human))
    assert c.test == "ppi"
    assert c.estimate == pytest.approx(float(expected.estimate), abs=1e-12)
    assert c.pvalue == pytest.approx(float(expected.pvalue), abs=1e-12)
    assert [c.means[name] for name in judge] == pytest.approx(
        [float(inf.ppi(judge[name], human[name]).estimate) for name in judge]
    )
    import ppi_py

    theirs = ppi_py.ppi_mean_pointestimate(labels[own], difference[own], difference[~own])
    assert c.estimate == pytest.approx(theirs.item(), abs=1e-10)
    for command, path, where in (("judge", wide, ("verdicts", "")), ("judge", long, ("verdicts", "")),
                                 ("predictions", wide, ())):  # fmt: skip
        rows = ("--rows", "items") if (command, path) == ("judge", wide) else ()
        code, out, err = run(command, path, *rows, "--json")
        assert code == 0, err
        found = json.loads(out)
        for key in where:
            found = found[key]
        assert found["test"] == "ppi"
        assert found["pairs"][0]["estimate"] == pytest.approx(c.estimate, abs=1e-12)
        assert found["pairs"][0]["pvalue"] == pytest.approx(c.pvalue, abs=1e-12)
    page = on_page("judge", long)
    assert "corrected by people" in page.text
    assert "judge − people" in page.text
    other = on_page("predictions", wide)
    assert "judge − people" in other.text


def test_the_answer_says_what_the_labels_and_the_judge_are_worth(run, tmp_path):
    judge, human = drawn(2, n=800)
    _, long = written(judge, human, tmp_path)
    _, out, _ = run("judge", long)
    assert "judge alone" in out
    assert "the judge favours old, p " in " ".join(out.split())
    worth = inf.ppi(judge["new"] - judge["old"], human["new"] - human["old"]).worth
    assert f"with the judge worth {worth:,.0f} labels alone" in out


def test_three_models_and_json_round_trip(tmp_path):
    judge, human = drawn(3, models=tuple(RATES))
    c = fw.compare_predictions(None, judge, options=fw.Options(human=human))
    for pair in c.pairs:
        one = inf.ppi(judge[pair.a] - judge[pair.b], human[pair.a] - human[pair.b])
        assert pair.estimate == pytest.approx(float(one.estimate), abs=1e-12)
        assert pair.pvalue == pytest.approx(float(one.pvalue), abs=1e-12)
    again = fw.Comparison.from_dict(json.loads(json.dumps(c.to_dict())))
    assert str(again) == str(c)
    tested = fw.compare_predictions(None, judge, options=fw.Options(human=human, adjust="max_t"))
    assert all(0 <= pair.pvalue <= pair.adjusted <= 1 for pair in tested.pairs)


def test_clusters_and_tasks_count(tmp_path):
    judge, human = drawn(4)
    cluster = [f"c{i // 4}" for i in range(200)]
    _, long = written(judge, human, tmp_path, cluster)
    found = fw.judge(long).main
    expected = inf.ppi(judge["new"] - judge["old"], human["new"] - human["old"], groups=cluster)
    assert found.pvalue == pytest.approx(float(expected.pvalue), abs=1e-12)
    lines = long.read_text().splitlines()
    tasked = [lines[0] + ",task"] + [f"{line},{'easy' if n % 4 < 2 else 'hard'}" for n, line in enumerate(lines[1:])]
    (tmp_path / "tasks.csv").write_text("\n".join(tasked))
    over = fw.judge(tmp_path / "tasks.csv", groups="none")
    tasks = np.array(["easy" if i % 2 == 0 else "hard" for i in range(200)])
    d, y = judge["new"] - judge["old"], human["new"] - human["old"]
    each = [inf.ppi(d[tasks == t], y[tasks == t]) for t in ("easy", "hard")]
    assert over.main.estimate == pytest.approx(np.mean([float(one.estimate) for one in each]))
    error = np.sqrt(sum(float(one.standard_error) ** 2 for one in each)) / 2
    pair = over.main.pairs[0]
    assert pair.standard_error == pytest.approx(error)


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_swap_and_self(seed):
    judge, human = drawn(seed, n=80, share=0.4)
    c = fw.compare_predictions(None, judge, options=fw.Options(human=human))
    turned = fw.compare_predictions(None, dict(reversed(judge.items())), options=fw.Options(human=human))
    assert turned.estimate == pytest.approx(-c.estimate)
    assert turned.pvalue == pytest.approx(c.pvalue)
    same = fw.compare_predictions(
        None, {"a": judge["new"], "b": judge["new"]}, options=fw.Options(human={"a": human["new"], "b": human["new"]})
    )
    assert (same.better, same.estimate, same.pvalue) == (None, 0, 1)


def test_rogan_and_gladen_of_two_models_by_name():
    judge, human = drawn(5, n=600, share=0.4)
    c = fw.compare_predictions(None, judge, options=fw.Options(human=human), test="rogan_gladen")
    each = [float(inf.rogan_gladen(judge[name], human[name]).estimate) for name in judge]
    assert c.estimate == pytest.approx(each[0] - each[1])
    graded = {name: row + 0.25 for name, row in judge.items()}
    with pytest.raises(InvalidInput, match="needs scores and labels of right"):
        fw.compare_predictions(None, graded, options=fw.Options(human=human), test="rogan_gladen")


def test_chosen_labels_are_seen(run, tmp_path):
    rng = np.random.default_rng(6)
    judge = {name: rng.random(400) for name in ("new", "old")}
    chosen = judge["new"] > 0.7
    human = {name: np.where(chosen, np.clip(row + 0.1, 0, 1), np.nan) for name, row in judge.items()}
    _, long = written(judge, human, tmp_path)
    assert "Labelled answers of new are no random sample" in " ".join(run("judge", long)[1].split())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda judge, human: {"new": human["new"]}, "has none of old"),
        (lambda judge, human: human | {"new": human["new"] * 5}, "human labels must be on the judge's scale"),
        (lambda judge, human: human | {"old": np.full(200, np.nan)}, "human must label at least 2 answers of every"),
        (lambda judge, human: human | {"old": human["old"][:50]}, "must have a label, or None, for each of the 200"),
        (lambda judge, human: [1, 0], "human must map models to labels"),
    ],
)
def test_bad_labels_get_a_sentence(change, said):
    judge, human = drawn(7)
    with pytest.raises(InvalidInput, match=said):
        fw.compare_predictions(None, judge, options=fw.Options(human=change(judge, human)))


def test_labels_of_different_items_are_refused_by_name():
    judge, human = drawn(8)
    half = np.arange(200) < 100
    apart = {"new": np.where(half, human["new"], np.nan), "old": np.where(half, np.nan, human["old"])}
    with pytest.raises(InvalidInput, match="at least 2 items of both new and old, but labels of both are on 0"):
        fw.compare_predictions(None, judge, options=fw.Options(human=apart))


def test_type_one_error_with_a_judge_that_favours_one_model():
    """600 studies of 150 items, 40 labelled; people find both equal, the judge favours one by 12 points."""
    rng = np.random.default_rng(9)
    wrong, by_judge = 0, 0
    for _ in range(600):
        truth = rng.random((2, 150)) < 0.6
        judge = np.where(truth, rng.random((2, 150)) < 0.9, rng.random((2, 150)) < np.array([[0.4], [0.1]]))
        labelled = np.arange(150) < 40
        human = {name: np.where(labelled, row, np.nan) for name, row in zip("ab", truth, strict=True)}
        marks = dict(zip("ab", judge.astype(float), strict=True))
        wrong += fw.compare_predictions(None, marks, options=fw.Options(human=human)).pvalue < 0.05
        by_judge += fw.compare_predictions(None, marks).pvalue < 0.05
    assert wrong / 600 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)
    assert by_judge / 600 > 0.3  # what the judge alone would have claimed


def test_the_draw_is_random_repeatable_and_has_no_scores(run, tmp_path):
    rng = np.random.default_rng(3)
    people = rng.normal(0, 1, (2, 120))
    judge = dict(zip("ab", people + rng.normal(0.2, 0.6, (2, 120)), strict=True))
    human = dict(zip("ab", np.where(np.arange(120) < 30, people, np.nan), strict=True))
    with (tmp_path / "judged.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "item", "score", "human"])
        for name in "ab":
            rows.writerows(
                [name, f"q{i}", f"{judge[name][i]:.4f}", "" if np.isnan(human[name][i]) else f"{human[name][i]:.4f}"]
                for i in range(120)
            )
    words = ("plan", "--pilot", tmp_path / "judged.csv", "--size", "50", "--labels")
    code, out, _ = run(*words, tmp_path / "one.csv")
    assert code == 0
    assert "20 items were drawn at random (seed 0) from the 90 without a label" in " ".join(out.split())
    run(*words, tmp_path / "two.csv")
    assert (tmp_path / "one.csv").read_text() == (tmp_path / "two.csv").read_text()
    run(*words, tmp_path / "three.csv", "--seed", "1")
    assert (tmp_path / "one.csv").read_text() != (tmp_path / "three.csv").read_text()
    drawn = list(csv.DictReader((tmp_path / "one.csv").read_text().splitlines()))
    assert list(drawn[0]) == ["model", "item", "human"]
    items = {row["item"] for row in drawn}
    assert len(items) == 20
    assert not items & {f"q{i}" for i in range(30)}
    code, _, err = run("plan", "--pilot", tmp_path / "judged.csv", "--size", "20", "--labels", tmp_path / "no.csv")
    assert (code, "nothing to draw" in err) == (2, True)
    assert not (tmp_path / "no.csv").exists()


def several_judges(seed, folder, n=300, lengths=None):
    """Three judges with a bias of their own for each model: fair, harsh on `new`, and one that guesses."""
    rng = np.random.default_rng(seed)
    truth = {name: rng.random(n) < rate for name, rate in (("new", 0.7), ("old", 0.55))}
    seen = rng.random(n) < 0.4
    wrong = {
        "fair": {"new": 0.08, "old": 0.08},
        "harsh": {"new": 0.35, "old": 0.1},
        "guesses": {"new": 0.5, "old": 0.5},
    }
    said, lines = {}, ["model,item,judge,score,human"]
    for judge, of in wrong.items():
        for (model, right), share in zip(truth.items(), of.values(), strict=True):
            marks = right ^ (rng.random(n) < share)
            said[judge, model] = marks.astype(float)
            lines += [f"{model},q{i},{judge},{int(marks[i])},{int(right[i]) if seen[i] else ''}" for i in range(n)]
    (folder / "judges.csv").write_text("\n".join(lines))
    human = {name: np.where(seen, right.astype(float), np.nan) for name, right in truth.items()}
    return folder / "judges.csv", said, human


def test_of_several_judges_each_has_its_bias_and_its_worth_by_model(run, on_page, tmp_path):
    file, said, human = several_judges(1, tmp_path)
    code, out, err = run("judge", file, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)["verdicts"][""]
    by_judge = {(one["judge"], one["model"]): one for one in found["judges"]}
    mean = {model: np.mean([said[j, model] for j in ("fair", "harsh", "guesses")], axis=0) for model in human}
    assert len(by_judge) == 8  # three judges and their mean, for each of two models
    for (judge, model), one in by_judge.items():
        values = (
            np.mean([said[j, model] for j in ("fair", "harsh", "guesses")], axis=0)
            if judge == "mean of all"
            else (said[judge, model])
        )
        expected = inf.ppi(values, human[model])
        for name in ("bias", "bias_error", "worth", "weight"):
            assert one[name] == pytest.approx(getattr(expected, name)), (judge, model, name)
        assert one["corrected"] == pytest.approx(float(expected.estimate))
    assert by_judge["harsh", "new"]["bias"] < -0.1 < by_judge["fair", "new"]["bias"]
    assert by_judge["fair", "new"]["worth"] > by_judge["guesses", "new"]["worth"]
    difference = inf.ppi(mean["new"] - mean["old"], human["new"] - human["old"])
    assert found["pairs"][0]["estimate"] == pytest.approx(float(difference.estimate))
    text = " ".join(run("judge", file)[1].split())
    assert "harsh − people new −" in text
    assert f"labels worth {by_judge['fair', 'new']['worth']:,.0f}" in text
    assert "harsh − people" in " ".join(on_page("judge", file).text.split())
    declared = json.loads(run("judge", file, "--column", "trial=judge", "--json")[1])["verdicts"][""]
    assert declared["judges"] == found["judges"]


def test_a_judge_that_scored_some_items_is_told_on_these(tmp_path):
    file, said, human = several_judges(2, tmp_path)
    lines = file.read_text().splitlines()
    kept = [line for line in lines if ",harsh," not in line or int(line.split(",")[1][1:]) < 150]
    file.write_text("\n".join(kept))
    c = fw.judge(file, missing="drop", options=fw.Options(inner=True)).main
    one = next(o for o in c.to_dict()["judges"] if (o["judge"], o["model"]) == ("harsh", "new"))
    assert one["bias"] == pytest.approx(inf.ppi(said["harsh", "new"][:150], human["new"][:150]).bias)


def test_several_people_of_one_answer_count_as_their_mean(run, tmp_path):
    """As columns or as rows by annotator, wide or in Python: one estimate, the people who differ counted."""
    judge, human = drawn(4)
    rng = np.random.default_rng(5)
    people = {m: np.array([np.where(rng.random(200) < 0.15, 1 - h, h) for _ in range(3)]) for m, h in human.items()}
    long, rows = ["model,item,score,human,human_2,human_3"], ["model,item,score,annotator,human"]
    for m, said in people.items():
        for i in range(200):
            cells = [cell(one) for one in said[:, i]]
            long.append(f"{m},{i},{judge[m][i]:g},{','.join(cells)}")
            labelled = [f"{m},{i},{judge[m][i]:g},p{k},{one}" for k, one in enumerate(cells) if one]
            rows += labelled or [f"{m},{i},{judge[m][i]:g},,"]
    wide = [
        ",".join([str(i), *(f"{judge[m][i]:g}" for m in judge), *(cell(v) for m in judge for v in people[m][:, i])])
        for i in range(200)
    ]
    header = ",".join(["item", *judge, *(f"human_{m}{n}" for m in judge for n in ("", "_2", "_3"))])
    mean = {m: said.mean(axis=0) for m, said in people.items()}
    expected = inf.ppi(judge["new"] - judge["old"], mean["new"] - mean["old"])
    differ = sum(int((np.ptp(said, axis=0) > 0).sum()) for said in people.values())
    labelled = sum(int(np.isfinite(one).sum()) for one in mean.values())
    for command, text in (
        ("judge", long),
        ("judge", rows),
        ("judge", [header, *wide]),
        ("predictions", [header, *wide]),
    ):
        (tmp_path / "v.csv").write_text("\n".join(text))
        code, out, err = run(command, str(tmp_path / "v.csv"), "--json")
        assert (code, err) == (0, "")
        found = json.loads(out)
        pair = found["verdicts"][""]["pairs"][0] if command == "judge" else found["pairs"][0]
        assert (pair["estimate"], pair["pvalue"]) == pytest.approx((float(expected.estimate), float(expected.pvalue)))
        told = run(command, str(tmp_path / "v.csv"))[1]
        assert f"they differ on {differ} of {labelled}" in " ".join(told.split())
        assert "scored by a judge" in told
        assert " points" in told
    c = fw.compare_predictions(None, judge, options=fw.Options(human={m: said.T for m, said in people.items()}))
    assert c.estimate == pytest.approx(float(expected.estimate))
    assert type(c).from_dict(c.to_dict()).to_dict() == c.to_dict()
    with pytest.raises(InvalidInput, match="not means of several people's"):
        fw.judge([tmp_path / "v.csv"], test="rogan_gladen")


def test_labels_of_another_scale_are_refused():
    rng = np.random.default_rng(2)
    score = {name: rng.integers(1, 11, 60).astype(float) for name in "ab"}
    human = {name: np.where(np.arange(60) < 20, rng.integers(0, 2, 60), np.nan) for name in "ab"}
    with pytest.raises(
        InvalidInput, match="its scores go from 1 to 10, but all labels lie between 0 and 1; bring both"
    ):
        fw.compare_predictions(None, score, options=fw.Options(human=human))
