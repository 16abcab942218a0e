"""One model at every door: its metric with an interval, clusters included."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, f1_score, max_error, median_absolute_error, roc_auc_score

import foldwise as fw
from foldwise import inference as inf

TRUTH = np.array(["yes", "no"] * 60)
GROUPS = np.repeat(np.arange(20), 6)


def said(seed=0, right=0.8):
    rng = np.random.default_rng(seed)
    return np.where(rng.random(120) < right, TRUTH, np.where(TRUTH == "yes", "no", "yes"))


def limits(found):
    return pytest.approx([float(found.interval.low), float(found.interval.high)])


def test_right_and_wrong_have_jeffreys_interval():
    found = fw.estimate_predictions(TRUTH, said())
    named = fw.estimate_predictions(TRUTH, {"new": said()})
    assert (named.learner, named.estimate, named.interval) == ("new", found.estimate, found.interval)
    right = int((said() == TRUTH).sum())
    expected = inf.error_interval(right, 120)
    assert found.estimate == right / 120
    assert [float(expected.low), float(expected.high)] == limits(found)


def test_means_have_students_interval_and_clusters_their_own():
    marks = np.random.default_rng(1).normal(size=60)
    found = fw.estimate_predictions(None, marks, metric="loss", confidence_level=0.9)
    assert list(stats.t.interval(0.9, 59, marks.mean(), stats.sem(marks))) == limits(found)
    groups = np.repeat(np.arange(15), 4)
    clustered = fw.estimate_predictions(None, marks, metric="loss", groups=groups)
    interval = inf.clustered_t(marks, groups).confidence_interval(0.95)
    assert [float(interval.low), float(interval.high)] == limits(clustered)


@pytest.mark.parametrize("metric", ["f1", "roc_auc"])
def test_metrics_of_the_whole_set_have_the_jackknifes(metric):
    rng = np.random.default_rng(2)
    scores = np.clip((TRUTH == "yes") * 0.3 + rng.random(120) * 0.7, 0, 1)
    output = said() if metric == "f1" else scores
    found = fw.estimate_predictions(TRUTH, output, metric=metric, options=fw.Options(positive="yes"))
    of = (lambda i: f1_score(TRUTH[i], output[i], pos_label="yes")) if metric == "f1" else (
        lambda i: roc_auc_score(TRUTH[i] == "yes", output[i])
    )  # fmt: skip
    assert found.estimate == pytest.approx(of(np.arange(120)))
    left = np.array([of(np.delete(np.arange(120), i)) for i in range(120)])
    error = np.sqrt(119 / 120 * ((left - left.mean()) ** 2).sum())
    width = float(found.interval.high) - float(found.interval.low)
    assert width == pytest.approx(2 * stats.t.ppf(0.975, 119) * error, rel=0.05)


@pytest.mark.parametrize("clusters", [False, True])
def test_any_function_has_the_interval_of_resamples(clusters):
    rng = np.random.default_rng(3)
    y, groups = rng.normal(size=60), np.repeat(np.arange(20), 3) if clusters else np.arange(60)
    forecast = y + rng.normal(size=60)
    by_name, by_function = (
        fw.estimate_predictions(y, forecast, metric=metric, groups=groups if clusters else None)
        for metric in ("median_absolute_error", median_absolute_error)
    )
    drawn = []
    for _ in range(2000):
        rows = np.concatenate(
            [np.flatnonzero(groups == g) for g in rng.integers(0, groups.max() + 1, groups.max() + 1)]
        )
        drawn.append(median_absolute_error(y[rows], forecast[rows]))
    units = groups.max() + 1
    half = stats.t.ppf(0.975, units - 1) * np.std(drawn) * np.sqrt(units / (units - 1))
    assert by_name.estimate == median_absolute_error(y, forecast)
    assert by_name.interval == by_function.interval
    assert float(by_name.interval.high) - by_name.estimate == pytest.approx(half, rel=0.1)
    assert not by_name.caveats


def test_a_maximum_has_no_interval_and_says_why(run, tmp_path):
    y = np.random.default_rng(4).normal(size=50)
    for metric in ("max_error", "neg_max_error", max_error):
        found = fw.estimate_predictions(y, np.zeros(50), metric=metric)
        assert (found.estimate, found.interval) == (np.abs(y).max(), None)
        assert any("as those of a maximum are" in one for one in found.caveats)
    (tmp_path / "one.csv").write_text("truth,arima\n" + "".join(f"{v},0.1\n" for v in y))
    code, out, _ = run("predictions", tmp_path / "one.csv", "--metric", "max_error")
    assert (code, "as those of a maximum are" in " ".join(out.split())) == (0, True)


@pytest.mark.slow
def test_the_interval_of_a_median_covers():
    rng, trials, covered = np.random.default_rng(5), 200, 0
    known = stats.norm.ppf(0.75)  # the median of |N(0, 1)|
    for _ in range(trials):
        errors = rng.normal(size=50)
        found = fw.estimate_predictions(errors, np.zeros(50), metric=lambda y, p: np.median(np.abs(y - p)),
                                        higher_is_better=False)  # fmt: skip
        covered += float(found.interval.low) <= known <= float(found.interval.high)
    assert covered / trials > 0.95 - 3 * (0.05 * 0.95 / trials) ** 0.5


def test_smape_and_youden_of_one_model():
    rng = np.random.default_rng(6)
    y, forecast = rng.uniform(1, 5, 40), rng.uniform(1, 5, 40)
    each = 2 * np.abs(y - forecast) / (y + forecast)
    found = fw.estimate_predictions(y, forecast, metric="smape")
    assert [found.estimate, *stats.t.interval(0.95, 39, each.mean(), stats.sem(each))] == pytest.approx(
        [each.mean(), float(found.interval.low), float(found.interval.high)]
    )
    youden = fw.estimate_predictions(TRUTH, said(), metric="youden", options=fw.Options(positive="yes"))
    balanced = fw.estimate_predictions(TRUTH, said(), metric="balanced_accuracy")
    assert youden.estimate == pytest.approx(2 * balanced_accuracy_score(TRUTH, said()) - 1)
    assert float(youden.interval.low) == pytest.approx(2 * float(balanced.interval.low) - 1)


def test_all_doors_give_the_same(run, on_page, tmp_path):
    rows = zip(GROUPS, TRUTH, said(), strict=True)
    (tmp_path / "one.csv").write_text("group,truth,tree\n" + "".join(f"g{g},{t},{s}\n" for g, t, s in rows))
    expected = fw.estimate_predictions(TRUTH, said(), metric="f1", options=fw.Options(positive="yes"), groups=GROUPS)
    code, out, _ = run("predictions", tmp_path / "one.csv", "--metric", "f1", "--positive", "yes", "--json")
    found = json.loads(out)
    assert (code, found["learner"], found["metric"]) == (0, "tree", "f1")
    assert found["estimate"] == pytest.approx(expected.estimate)
    assert [found["interval"]["low"], found["interval"]["high"]] == limits(expected)
    page = on_page("predictions", tmp_path / "one.csv", metric="f1", positive="yes")
    assert f"{expected.estimate:.4g}" in page.text
    assert page.command == "foldwise predictions one.csv --metric=f1 --positive=yes"
    dropped = on_page("judge", tmp_path / "one.csv")  # the first door knows where labels of one model are answered
    assert (dropped.command, "in 20 clusters" in dropped.text) == ("foldwise predictions one.csv", True)
    text = run("predictions", tmp_path / "one.csv")[1]
    assert "120 test examples in 20 clusters" in text
    assert "(again)" not in text


def test_counts_and_texts_of_one_model():
    words = np.arange(40) % 7 + 5
    errors = np.arange(40) % 3
    found = fw.estimate_predictions(None, {"errors": errors, "words": words}, metric="wer")
    assert found.estimate == pytest.approx(errors.sum() / words.sum())
    assert float(found.interval.low) < found.estimate < float(found.interval.high)


def test_what_is_missing_is_said_of_the_one_model(run, tmp_path):
    labels = ["" if i == 3 else label for i, label in enumerate(said())]
    (tmp_path / "one.csv").write_text(
        "truth,tree\n" + "".join(f"{t},{s}\n" for t, s in zip(TRUTH, labels, strict=True))
    )
    out = run("predictions", tmp_path / "one.csv", "--missing", "drop")[1]
    assert "tree 1" in out
    assert "(again)" not in out
    assert "119 test examples" in out


def test_no_spread_is_no_certainty_and_no_interval():
    found = fw.estimate_predictions(None, np.full(10, 0.4), metric="loss")
    assert found.interval is None
    assert "No interval: nothing is known" in str(found)
    perfect = fw.estimate_predictions(["x", "y"] * 10, ["x", "y"] * 10)
    assert float(perfect.interval.low) < 0.95


def test_what_is_not_of_one_model_is_refused(run, tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n" + "0.1,0.2\n0.3,0.5\n" * 5)
    code, _, err = run("predictions", tmp_path / "a.csv")
    assert (code, "has 1 classifier column (b): two are needed" in err) == (2, True)
    (tmp_path / "one.csv").write_text("truth,tree\n" + "x,x\ny,y\nx,y\n" * 9)
    code, _, err = run("predictions", tmp_path / "one.csv", "--fail-if", "worse")
    assert code == 2


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_the_interval_covers_with_clusters(metric):
    rng, covered, trials = np.random.default_rng(6), 0, 300
    # of clusters whose hardness varies, as many as the population has on average
    share = 0.8
    known = share if metric == "accuracy" else None
    for _ in range(trials):
        hard = rng.beta(8 * share, 8 * (1 - share), 30)[np.repeat(np.arange(30), 6)]
        truth = rng.integers(0, 2, 180)
        output = np.where(rng.random(180) < hard, truth, 1 - truth)
        options = {} if metric == "accuracy" else {"options": fw.Options(positive=1)}
        found = fw.estimate_predictions(truth, output, metric=metric, groups=np.repeat(np.arange(30), 6), **options)
        covered += float(found.interval.low) <= (known or share) <= float(found.interval.high)
    # with balanced classes and errors alike in both, F1 is the accuracy
    assert covered / trials > 0.95 - 3 * (0.05 * 0.95 / trials) ** 0.5


# ---- several metrics, and a bar


def written(path, outputs=None):
    rows = zip(GROUPS, TRUTH, said() if outputs is None else outputs, strict=True)
    path.write_text("group,truth,tree\n" + "".join(f"g{g},{t},{s}\n" for g, t, s in rows))
    return path


def test_several_metrics_are_each_as_if_asked_alone(run, on_page, tmp_path):
    options = {"groups": GROUPS, "options": fw.Options(positive="yes")}
    survey = fw.estimate_predictions(TRUTH, said(), metric=["accuracy", "f1"], **options)
    for row in survey.rows:
        alone = fw.estimate_predictions(TRUTH, said(), metric=row.metric, **options)
        assert row.estimate == alone.estimate
        assert [float(alone.interval.low), float(alone.interval.high)] == limits(row)
    path = written(tmp_path / "one.csv")
    asked = ("--metric", "accuracy", "--metric", "f1", "--positive", "yes")
    found = json.loads(run("predictions", path, *asked, "--json")[1])
    assert [row["estimate"] for row in found["rows"]] == pytest.approx([row.estimate for row in survey.rows])
    out = run("predictions", path, *asked, "--details")[1]
    assert "repeat: foldwise predictions" in out
    assert "--metric accuracy f1 --positive yes" in out
    assert "each interval holds by itself" in out
    page = on_page("predictions", path, metric="accuracy f1", positive="yes", bar="f1=0.1")
    assert f"{survey.rows[1].estimate:.4g}" in page.text
    assert "Gate passed" in page.text
    assert "--bar=f1=0.1" in page.command


@pytest.mark.parametrize("door", ["predictions", "gate"])
def test_a_bar_is_judged_by_the_one_sided_limit(run, tmp_path, door):
    path = written(tmp_path / "one.csv")
    found = fw.estimate_predictions(TRUTH, said(), groups=GROUPS, confidence_level=0.9)
    low, high = float(found.interval.low), float(found.interval.high)
    for bar, code, finding in (
        (low - 0.001, 0, "passed"),
        (low + 0.001, 3, "inconclusive"),
        (high + 0.001, 1, "failed"),
    ):
        exit_code, out, err = run(door, path, "--bar", f"{bar}")
        assert exit_code == code
        assert f"Gate {finding}: Accuracy" in out
        assert ("bar of accuracy" in err) == (code != 0)
        told = fw.estimate_predictions(TRUTH, said(), groups=GROUPS, bar=bar)
        assert told.finding == finding
        assert json.loads(run(door, path, "--bar", f"{100 * bar}%", "--json")[1])["bar"]["finding"] == finding


def test_of_several_bars_all_must_be_reached_and_a_loss_must_stay_below(run, tmp_path):
    path = written(tmp_path / "one.csv")
    asked = ("--metric", "accuracy", "--metric", "f1", "--positive", "yes")
    assert run("predictions", path, *asked, "--bar", "accuracy=60%", "--bar", "f1=0.6")[0] == 0
    assert run("predictions", path, *asked, "--bar", "accuracy=60%", "--bar", "f1=0.99")[0] == 1
    assert run("gate", path, "--metric", "accuracy,f1_macro", "--bar", "f1_macro=0.99")[0] == 1
    losses = np.random.default_rng(3).gamma(2, 1, 200)
    assert fw.estimate_predictions(None, losses, metric="loss", bar=2 * losses.mean()).finding == "passed"
    assert fw.estimate_predictions(None, losses, metric="loss", bar=losses.mean() / 2).finding == "failed"
    assert fw.estimate_predictions(None, losses, metric="loss", bar=losses.mean()).finding == "inconclusive"


def test_bars_that_make_no_sense_end_in_one_sentence(run, tmp_path):
    path = written(tmp_path / "one.csv")
    (tmp_path / "two.csv").write_text("truth,a,b\n" + "yes,yes,no\nno,no,no\n" * 9)
    two = ("--metric", "accuracy", "--metric", "f1", "--positive", "yes")
    for words, message in (
        (("predictions", path, "--bar", "much"), "bar must be a number, or a share such as '90%', got 'much'"),
        (("predictions", path, "--bar", "nan"), "bar must be finite, got nan"),
        (("predictions", path, "--bar", "0%"), "bar must lie between 0 and 1, the ends of accuracy, got '0%'"),
        (("gate", path, "--bar", "90"), "bar must lie between 0 and 1, the ends of accuracy, got '90': write '90%'"),
        (("interval", 3, 50, "--bar", "100%"), "bar must lie between 0 and 1, the ends of error, got '100%'"),
        (("predictions", path, *two, "--bar", "0.9"), "bar must say of which metric it is (--bar accuracy=0.9)"),
        (("predictions", path, "--bar", "f1=0.9"), "bar must be of a metric that is asked for (accuracy), got 'f1'"),
        (
            ("predictions", path, *two, "--bar", "f1=0.9", "--bar", "0.8"),
            "say of which metric it is (--bar f1=0.8)",
        ),
        (("predictions", tmp_path / "two.csv", "--bar", "0.9"), "--bar is for one model, but the file has 2"),
        (("gate", tmp_path / "two.csv", "--bar", "0.9"), "--bar is for one model, but"),
        (("gate", path, "--bar", "0.9", "--margin", "1pt"), "--bar is for one table with one model"),
        (("gate", path), "--candidate and --baseline must say who is compared with whom"),
        (("predictions", path, "--fail-if", "worse"), "--bar says what its metric should reach"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert message in err


def test_a_bar_is_passed_by_chance_no_more_often_than_it_may():
    """A model exactly at the bar: 12 clusters of six, right with probability .8 given its cluster's luck."""
    rng, trials, passed, failed = np.random.default_rng(7), 400, 0, 0
    groups = np.repeat(np.arange(12), 6)
    for _ in range(trials):
        right = rng.random(72) < rng.beta(16, 4, 12)[groups]
        finding = fw.estimate_predictions(None, right.astype(float), metric="accuracy", groups=groups, bar=0.8).finding
        passed, failed = passed + (finding == "passed"), failed + (finding == "failed")
    most = trials * 0.05 + 3.3 * (trials * 0.05 * 0.95) ** 0.5
    assert passed < most
    assert failed < most
