"""Forecasts at every door: panels, quantiles, nested models, skill, the model confidence set, the cumulative plot."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import mean_pinball_loss
from verb_options import with_options

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.designs.guarantee import rounded_up
from foldwise.inference.measured import measured_levels


def panel(seed=0, series=6, n=48, models=(("ets", 0.2), ("naive", 1.0))):
    """A Nixtla frame in long form: shocks of a date are common to all series."""
    rng = np.random.default_rng(seed)
    dates = np.datetime64("2023-01-01") + np.arange(n)
    shock = rng.normal(size=n)
    rows = []
    for s in range(series):
        y = 10 + s + shock + 0.3 * rng.normal(size=n)
        made = [10 + s + weight * rng.normal(size=n) for _, weight in models]
        for t in range(n):
            numbers = [round(float(x[t]), 4) for x in (y, *made)]
            rows.append([f"s{s}", str(dates[t]), str(dates[t - t % 6] - 1), *numbers, numbers[1] - 2, numbers[1] + 2])
    names = [name for name, _ in models]
    header = ["unique_id", "ds", "cutoff", "y", *names, f"{names[0]}-lo-90", f"{names[0]}-hi-90"]
    return header, rows


def table(header, rows):
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


def by_date(header, rows, loss):
    """Losses of the two models averaged by date, done anew."""
    dates = sorted({row[1] for row in rows})
    return np.array(
        [[np.mean([loss(row[3], row[place]) for row in rows if row[1] == day]) for day in dates] for place in (4, 5)]
    )


def test_a_nixtla_frame_gives_the_same_at_all_doors_averaged_by_date(run, on_page, tmp_path):
    header, rows = panel()
    (tmp_path / "nixtla.csv").write_text(table(header, rows))
    losses = by_date(header, rows, lambda y, f: abs(y - f))
    expected = inf.diebold_mariano(losses[0] - losses[1])
    found = [
        json.loads(run("predictions", tmp_path / "nixtla.csv", "--metric", "mae", "--json")[1]),
        json.loads(run("judge", tmp_path / "nixtla.csv", "--metric", "mae", "--json")[1])["verdicts"][""],
    ]
    y, dates = [row[3] for row in rows], [row[1] for row in rows]
    models = {name: [row[place] for row in rows] for place, name in ((4, "ets"), (5, "naive"))}
    found.append(fw.compare_predictions(y, models, metric="mae", time=dates).to_dict())
    for one in found:
        assert (one["test"], one["models"]) == ("diebold_mariano", ["ets", "naive"])
        assert one["pairs"][0]["pvalue"] == pytest.approx(float(expected.pvalue), abs=1e-12)
        assert one["pairs"][0]["means"] == pytest.approx(losses.mean(axis=1))
    page = on_page("judge", tmp_path / "nixtla.csv", metric="mae")
    assert "averaged by date" in page.text
    out = run("predictions", tmp_path / "nixtla.csv", "--metric", "mae")[1]
    assert "Assumed: the 6 series share dates, so losses are averaged by date" in out


def test_series_are_clusters_where_somebody_says_so_or_dates_are_few(run, tmp_path):
    (tmp_path / "a.csv").write_text(table(*panel()))
    out = run("judge", tmp_path / "a.csv", "--metric", "mae", "--groups", "unique_id")[1]
    assert "288 items in 6 clusters" in out
    assert "averaged by date" not in out
    (tmp_path / "b.csv").write_text(table(*panel(n=24)))
    assert "144 items in 6 clusters" in run("judge", tmp_path / "b.csv", "--metric", "mae")[1]


def test_limits_of_intervals_and_cutoffs_are_no_models(tmp_path):
    (tmp_path / "a.csv").write_text(table(*panel(models=(("ets", 0.2), ("naive", 1.0), ("theta", 0.5)))))
    assert fw.judge(tmp_path / "a.csv", metric="mae").main.models == ("ets", "naive", "theta")


def test_a_long_table_of_losses_by_series_date_and_model(tmp_path):
    header, rows = panel()
    long = [[r[0], r[1], header[p], abs(r[3] - r[p])] for r in rows for p in (4, 5)]
    (tmp_path / "long.csv").write_text(table(["unique_id", "ds", "model", "mae"], long))
    losses = by_date(header, rows, lambda y, f: abs(y - f))
    c = fw.judge(tmp_path / "long.csv").main
    assert c.pvalue == pytest.approx(float(inf.diebold_mariano(losses[0] - losses[1]).pvalue), abs=1e-12)


def test_horizons_are_tasks_where_that_is_asked_for(tmp_path):
    header, rows = panel(n=60)
    rows = [[*row, 1 + i % 3] for i, row in enumerate(rows)]
    (tmp_path / "a.csv").write_text(table([*header, "horizon"], rows))
    assert fw.judge(tmp_path / "a.csv", metric="mae").main.models == ("ets", "naive")
    found = fw.judge(tmp_path / "a.csv", metric="mae", columns={"task": "horizon"})
    assert set(found.verdicts) == {"1", "2", "3"}


def test_the_loss_of_quantiles_is_scikit_learns():
    rng = np.random.default_rng(1)
    y, a, b = rng.normal(size=(3, 50))
    for share in (0.1, 0.9):
        c = fw.compare_predictions(y, {"a": a, "b": b}, metric=f"pinball@{share}")
        assert c.means["a"] == pytest.approx(mean_pinball_loss(y, a, alpha=share))
        assert not c.higher_is_better


def test_clark_west_is_the_procedure_of_that_name():
    rng = np.random.default_rng(2)
    n = 90
    y, small, large = rng.normal(size=n), np.zeros(n), 0.4 * rng.normal(size=n)
    options = {"metric": "mse", "time": np.arange(n), "test": "clark_west"}
    c = fw.compare_predictions(y, {"large": large, "small": small}, **with_options(options))
    expected = inf.clark_west(y, small, large)
    one_sided = c.pvalue / 2 if c.estimate < 0 else 1 - c.pvalue / 2
    assert one_sided == pytest.approx(float(expected.pvalue))
    assert c.estimate == pytest.approx(-float(expected.estimate))
    assert "large is taken for the larger of two nested models" in c.notes[0]
    assert "Note: large is taken" in str(c)  # a model's name is as it was given
    with pytest.raises(InvalidInput, match="test 'clark_west' is for metric 'mse' of two nested models"):
        fw.compare_predictions(y, {"large": large, "small": small}, **{**options, "metric": "mae"})
    with pytest.raises(InvalidInput, match="test 'clark_west' needs the marks of both models in order of time"):
        fw.compare_predictions(y, {"large": large, "small": small}, metric="mse", test="clark_west")


def nested(n=90, seed=2):
    rng = np.random.default_rng(seed)
    y, small, large = rng.normal(size=n), np.zeros(n), 0.4 * rng.normal(size=n)
    return y, {"large": large, "small": small}, np.datetime64("2024-01-01") + np.arange(n)


def test_clark_west_and_giacomini_white_at_every_door(run, on_page, tmp_path):
    """What the verb says of arrays, files say to `judge`, `predictions` and the page, wide and by horizon."""
    y, models, days = nested()
    heat = np.random.default_rng(9).normal(size=len(y))
    options = {"metric": "mse", "time": days, "test": "clark_west", "options": fw.Options(condition=heat)}
    expected = fw.compare_predictions(y, models, **with_options(options))
    rows = zip(days, heat.tolist(), y.tolist(), *(f.tolist() for f in models.values()), strict=True)
    (tmp_path / "a.csv").write_text(table(["ds", "heat", "y", *models], rows))
    asked = ("--metric", "mse", "--test", "clark_west", "--column", "condition=heat", "--json")
    found = [json.loads(run(door, tmp_path / "a.csv", *asked)[1]) for door in ("predictions", "judge")]
    told = next(note for note in expected.notes if "Giacomini" in note)
    for one in (found[0], found[1]["verdicts"][""]):
        assert (one["test"], one["metric"]) == ("clark_west", "adjusted MSE")
        assert one["pairs"][0]["pvalue"] == pytest.approx(expected.pvalue, abs=1e-12)
        assert one["pairs"][0]["estimate"] == pytest.approx(expected.estimate, abs=1e-12)
        assert told in one["notes"]
        assert any("large is taken for the larger of two nested models" in note for note in one["notes"])
    page = on_page("judge", tmp_path / "a.csv", metric="mse", test="clark_west", column_condition="heat")
    assert "adjusted MSE" in page.text
    assert "Giacomini" in page.text
    assert "--test=clark_west" in page.command
    both = {"model": ["large", "small"]}
    assert fw.judge(tmp_path / "a.csv", metric="mse", test="clark_west", columns=both).main.pvalue == expected.pvalue
    for metric, columns, message in (
        ("mae", both, "test 'clark_west' is for metric 'mse' of two nested models, the larger one first, got 'mae'"),
        ("mse", {**both, "time": "none"}, "test 'clark_west' needs the marks of both models in order of time"),
        ("mse", {**both, "time": "none", "condition": "heat"}, "needs the marks of both models in order of time"),
    ):
        with pytest.raises(InvalidInput, match=message):
            fw.judge(tmp_path / "a.csv", metric=metric, test="clark_west", columns=columns)
    with pytest.raises(InvalidInput, match="condition is for items in order of time"):
        fw.judge(tmp_path / "a.csv", metric="mae", columns={**both, "time": "none", "condition": "heat"})
    losses = [[m, str(days[t]), heat[t], (y[t] - f[t]) ** 2] for m, f in models.items() for t in range(len(y))]
    (tmp_path / "long.csv").write_text(table(["model", "ds", "heat", "mse"], losses))
    long = fw.judge(tmp_path / "long.csv", columns={"condition": "heat"}).main
    plain = fw.compare_predictions(y, models, **{**options, "test": "auto"})
    assert [n for n in long.notes if "Giacomini" in n] == [n for n in plain.notes if "Giacomini" in n]
    with pytest.raises(InvalidInput, match="got 'mse' of 2 without forecasts and truth"):
        fw.judge(tmp_path / "long.csv", test="clark_west", columns={"condition": "heat"})


LEVELS = (0.1, 0.5, 0.9)


def quantiles(n=60, seed=11):
    rng = np.random.default_rng(seed)
    y = rng.normal(10, 2, n)
    shift = np.array([-1.28, 0.0, 1.28])
    said = {m: (y + s * rng.normal(size=n))[:, None] + s * shift for m, s in (("ets", 0.5), ("naive", 1.0))}
    return y, said, np.datetime64("2024-01-01") + np.arange(n)


def test_weighted_quantile_loss_is_gluonts_and_the_same_at_every_door(run, on_page, tmp_path):
    y, said, days = quantiles()
    options = {"time": days, "options": fw.Options(classes=LEVELS)}
    c = fw.compare_predictions(y, said, metric="wql", **with_options(options))
    mean = fw.compare_predictions(y, said, metric="pinball", **with_options(options))
    for name, f in said.items():  # as GluonTS writes it: 2 Σ pinball / Σ |y|, averaged over levels
        each = [2 * len(y) * mean_pinball_loss(y, f[:, k], alpha=q) / np.abs(y).sum() for k, q in enumerate(LEVELS)]
        assert c.means[name] == pytest.approx(np.mean(each), abs=1e-12)
        pinballs = [mean_pinball_loss(y, f[:, k], alpha=q) for k, q in enumerate(LEVELS)]
        assert mean.means[name] == pytest.approx(np.mean(pinballs), abs=1e-12)
    assert (c.better, c.higher_is_better) == ("ets", False)
    assert fw.compare_predictions(y, said, metric=["wql", "mae"], **with_options(options)).metrics == ("wql", "mae")
    shapes = {
        "colon": [[f"{m}:{q}" for q in LEVELS] for m in said],
        "percent": [[f"{m}_p{round(100 * q)}" for q in LEVELS] for m in said],
        "nixtla": [[f"{m}-lo-80", m, f"{m}-hi-80"] for m in said],
        "neuralforecast": [[f"{m}-lo-80.0", f"{m}-median", f"{m}-hi-80.0"] for m in said],
    }
    for shape, names in shapes.items():
        rows = [[str(days[t]), y[t], *(f[t, k] for f in said.values() for k in range(3))] for t in range(len(y))]
        (tmp_path / f"{shape}.csv").write_text(table(["ds", "y", *(n for of in names for n in of)], rows))
        for door in ("predictions", "judge"):
            code, out, err = run(door, tmp_path / f"{shape}.csv", "--metric", "wql", "--json")
            assert code == 0, err
            one = json.loads(out)
            one = one["verdicts"][""] if door == "judge" else one
            assert one["models"] == ["ets", "naive"]
            assert one["pairs"][0]["pvalue"] == pytest.approx(c.pvalue, abs=1e-12)
            assert one["pairs"][0]["estimate"] == pytest.approx(c.estimate, abs=1e-12)
    assert "WQL" in on_page("predictions", tmp_path / "colon.csv", metric="wql").text


def test_bad_quantiles_end_in_one_sentence(run, tmp_path):
    y, said, _ = quantiles(20)
    for levels, message in (
        ((0.1, 0.5, 1.5), "classes must be the levels of the quantiles, different ones between 0 and 1"),
        ((0.1, 0.9), r"must be one number per item, or 2, one for each level of classes"),
    ):
        with pytest.raises(InvalidInput, match=message):
            fw.compare_predictions(y, said, metric="wql", options=fw.Options(classes=levels))
    with pytest.raises(InvalidInput, match=r"must be forecasts of quantiles for metric 'wql': columns model:0\.1"):
        fw.compare_predictions(y, {m: f[:, 1] for m, f in said.items()}, metric="wql")
    two = {m: f[:, ::2] for m, f in said.items()}
    with pytest.raises(InvalidInput, match=r"the median among its quantiles for metric 'mae', got levels 0\.1"):
        fw.compare_predictions(y, two, metric=["wql", "mae"], options=fw.Options(classes=(0.1, 0.9)))
    with pytest.raises(InvalidInput, match="truth must not be 0 everywhere for metric 'wql'"):
        fw.compare_predictions(0 * y, said, metric="wql", options=fw.Options(classes=LEVELS))
    rows = [[y[t], *said["ets"][t], *said["naive"][t]] for t in range(len(y))]
    (tmp_path / "a.csv").write_text(table(["y", "a:0.1", "a:0.5", "a:0.9", "b:0.2", "b:0.5", "b:0.9"], rows))
    for door in ("predictions", "judge"):
        code, _, err = run(door, tmp_path / "a.csv", "--metric", "wql")
        assert (code, "all models must have forecasts of the same quantiles, got a 0.1, 0.5, 0.9; b 0.2" in err) == (
            2,
            True,
        )


def test_against_a_control_superior_predictive_ability_is_told():
    rng = np.random.default_rng(12)
    losses = rng.gamma(2, 1, (4, 150)) * np.array([[1.0], [1.0], [0.6], [1.1]])
    models = dict(zip(("naive", "a", "b", "c"), losses, strict=True))
    options = {"metric": "mae", "time": np.arange(150), "control": "naive"}
    found = inf.superior_predictive_ability(losses[0], losses[1:])
    text = " ".join(str(fw.compare_predictions(None, models, **with_options(options))).split())
    assert "better than naive b is the best of the others, and that none is better has p" in text
    assert found.pvalue < 0.05
    worse = {name: values + (name != "naive") for name, values in models.items()}
    text = " ".join(str(fw.compare_predictions(None, worse, **with_options(options))).split())
    assert "better than naive none of the others has a lower loss: that none is better has p = 1" in text


# ---- functions of sums over items: RMSE, R², F1, ratios of counts


def made(n=120, seed=31):
    rng = np.random.default_rng(seed)
    noise = np.array([0.7 * np.roll(row, 1) + row for row in rng.normal(size=(2, n))])
    y = 20 + rng.normal(0, 3, n).round(2)
    return y, {"ets": (y + noise[0]).round(3), "naive": (y + 1.4 * noise[1]).round(3)}


def test_rmse_in_order_of_time_is_the_delta_method_at_every_door(run, on_page, tmp_path):
    y, models = made()
    squares = np.array([(said - y) ** 2 for said in models.values()])
    roots = np.sqrt(squares.mean(axis=1, keepdims=True))
    parts = roots + (squares - roots**2) / (2 * roots)  # d√x = dx/2√x, whose mean is the root
    expected = inf.diebold_mariano(parts[0] - parts[1])
    days = np.datetime64("2024-01-01") + np.arange(len(y))
    path = tmp_path / "a.csv"
    path.write_text(table(["ds", "y", *models], zip(days, y, *models.values(), strict=True)))
    asked = (path, "--metric", "rmse", "--json")
    found = [
        json.loads(run("predictions", *asked)[1]),
        json.loads(run("judge", *asked)[1])["verdicts"][""],
        fw.compare_predictions(y, models, metric="rmse", time=days).to_dict(),
    ]
    for one in found:
        pair = one["pairs"][0]
        assert (one["test"], one["models"]) == ("diebold_mariano", ["ets", "naive"])
        assert pair["means"] == pytest.approx(roots[:, 0], abs=1e-12)
        assert pair["pvalue"] == pytest.approx(float(expected.pvalue), abs=1e-12)
        assert pair["interval"]["high"] == pytest.approx(float(expected.confidence_interval().high), abs=1e-12)
    page = on_page("judge", path, metric="rmse")
    assert (page.verdict, page.command) == (
        on_page("predictions", path, metric="rmse").verdict, "foldwise judge a.csv --metric=rmse",
    )  # fmt: skip
    c = fw.compare_predictions(y, models, metric="rmse", time=days)
    assert str(fw.Comparison.from_dict(json.loads(json.dumps(c.to_dict())))) == str(c)
    skill = next(line for line in str(c).splitlines() if line.strip().startswith("skill of ets"))
    assert f"{100 * (1 - roots[0, 0] / roots[1, 0]):.3g} % lower loss than naive (95 % CI" in skill
    assert "win rate" not in str(c)  # a period has no RMSE of its own


@pytest.mark.parametrize(
    "metric", ["rmse", "r2", "explained_variance", "f1", "recall", "balanced_accuracy", "mcc", "wer"]
)
def test_one_item_each_or_several_a_period_have_the_metric_as_their_mean(metric):
    rng = np.random.default_rng(5)
    n = 90
    if metric == "wer":
        words = rng.integers(3, 20, n)
        truth, models = (
            None,
            {m: {"errors": rng.binomial(words, p), "words": words} for m, p in (("a", 0.1), ("b", 0.2))},
        )
    elif metric in ("rmse", "r2", "explained_variance"):
        truth, models = made(n)
    else:
        truth = rng.integers(0, 2, n)
        models = {m: np.where(rng.random(n) < p, truth, 1 - truth) for m, p in (("a", 0.9), ("b", 0.7))}
    options = {} if truth is None or metric in ("rmse", "r2", "explained_variance") else {"positive": 1}
    whole = fw.compare_predictions(truth, models, metric=metric, options=fw.Options(**options)).means
    for time in (np.arange(n), np.arange(n) // 4):
        c = fw.compare_predictions(truth, models, metric=metric, time=time, options=fw.Options(**options))
        assert c.test == "diebold_mariano"
        assert c.means == pytest.approx(whole, abs=1e-12)
        assert any("counts of single periods are noisy" in note for note in c.notes) == (metric == "wer")
        if metric == "wer":
            assert c.df == 1  # as few cosines as a correlation of .95 would leave
        # its guarantee says of what it was measured
        claimed = "of word error rates" if metric == "wer" else "of RMSE, R², F1, MCC and Youden's index"
        name = "diebold_mariano_counts" if metric == "wer" else "diebold_mariano_metrics"
        highest = rounded_up(max(case.rate for case in measured_levels(name)))
        assert f"{claimed}; measured Type I error at most {highest} (level .05, 30 to 1000 periods)" in c.guarantee
        assert (
            c.parts[0].unit
            == fw.compare_predictions(truth, models, metric=metric, options=fw.Options(**options)).parts[0].unit
        )


def test_rmse_keeps_its_level_where_errors_are_correlated():
    """Swapping items tells equal forecasts apart in a third of such series."""
    found, trials, n = 0, 150, 100
    for seed in range(trials):
        rng = np.random.default_rng(seed)
        a, b = wandering(rng, n, 0.8, 2)
        found += fw.compare_predictions(np.zeros(n), {"a": a, "b": b}, metric="rmse", time=np.arange(n)).pvalue < 0.05
    assert found / trials <= 0.05 + 3 * (0.05 * 0.95 / trials) ** 0.5


def wandering(rng, n, phi, count):
    noise = rng.normal(size=(count, n)) * (1 - phi**2) ** 0.5
    for t in range(1, n):
        noise[:, t] += phi * noise[:, t - 1]
    return noise


def test_items_with_several_times_and_truths_are_series(run, tmp_path):
    """AutoGluon's frames call a series item_id; trials of an item have one truth, and must be declared."""
    header, rows = panel()
    days = [[row[0], *row[1:2], *row[3:6]] for row in rows]
    series, autogluon = tmp_path / "series.csv", tmp_path / "autogluon.csv"
    series.write_text(table(["unique_id", "ds", *header[3:6]], days))
    autogluon.write_text(table(["item_id", "timestamp", "target", *header[4:6]], days))
    for door in ("predictions", "judge"):
        one, other = (run(door, path, "--metric", "mae", "--json")[1] for path in (series, autogluon))
        numbers = re.compile(r'"pvalue": [-.e0-9]+')
        assert numbers.findall(one) == numbers.findall(other) != []
        told = run(door, autogluon, "--metric", "mae")[1]
        assert "column 'item_id' names the series that each row is a time of" in " ".join(told.split())
    alone = tmp_path / "alone.csv"
    alone.write_text(table(["item_id", "timestamp", "target", *header[4:6]], [row for row in days if row[0] == "s1"]))
    assert "48 periods in order of time" in run("predictions", alone, "--metric", "mae")[1]
    trials = tmp_path / "trials.csv"
    trials.write_text(
        table(
            ["item_id", "date", "target", "a", "b"], [[i // 3, f"2024-01-{i + 1:02}", i // 3, 1, 2] for i in range(9)]
        )
    )
    assert "column 'item_id' names '0' twice" in run("predictions", trials, "--metric", "mae")[2]


def test_mape_is_a_share_however_large(run, tmp_path):
    """Beyond 1 it was taken for a percentage: 271.8 % were 2.7 %."""
    y, said = np.array([0.5, -0.2, 1.0, 0.1, 2.0, 0.3]), np.array([1.5, 1.0, 2.0, 1.0, 1.0, -1.0])
    found = fw.estimate_predictions(y, said, metric="mape")
    assert (found.unit, found.estimate) == ("fraction", pytest.approx(np.mean(np.abs(said - y) / np.abs(y))))
    (tmp_path / "a.csv").write_text(table(["y", "a"], zip(y, said, strict=True)))
    assert f"MAPE {100 * found.estimate:.1f} %" in run("predictions", tmp_path / "a.csv", "--metric", "mape")[1]


def test_losses_that_a_file_does_not_name_are_called_as_somebody_says(run, tmp_path):
    rng = np.random.default_rng(3)
    days = np.datetime64("2024-01-01") + np.arange(60)
    for name in ("results", "losses"):
        path = tmp_path / f"{name}.csv"
        path.write_text(table(["date", "a", "b"], zip(days, rng.gamma(2, 1, 60), rng.gamma(2, 1, 60), strict=True)))
        said = run("judge", path, "--metric", "crps", "--json")[1]
        assert json.loads(said)["verdicts"][""]["metric"] == "crps"
        assert "lower crps is better" in run("judge", path, "--metric", "crps")[1]
        assert "unknown metric 'f1'" in run("judge", path, "--metric", "f1")[2]


def test_a_higher_loss_is_said_so():
    rng = np.random.default_rng(3)
    losses = rng.gamma(2, 1, (2, 200)) * np.array([[1.3], [1.0]])
    out = str(fw.compare_predictions(None, {"a": losses[0], "b": losses[1]}, metric="mae", time=np.arange(200)))
    assert f"{100 * (losses[0].mean() / losses[1].mean() - 1):.3g} % higher loss than b (95 % CI" in out


def test_skill_and_win_rate_have_intervals():
    rng = np.random.default_rng(3)
    losses = rng.gamma(2, 1, (2, 400)) * np.array([[0.8], [1.0]])
    out = str(fw.compare_predictions(None, {"a": losses[0], "b": losses[1]}, metric="mae", time=np.arange(400)))
    share = 100 * (1 - losses[0].mean() / losses[1].mean())
    assert f"skill of a    {share:.3g} % lower loss than b (95 % CI" in out
    assert f"a is better on {(losses[0] < losses[1]).mean():.0%}".replace("%", " %") in out


def test_the_interval_of_skill_covers_it():
    rng, covered, trials = np.random.default_rng(4), 0, 200
    for _ in range(trials):
        a, b = rng.gamma(2, 1, (2, 120))
        c = fw.compare_predictions(None, {"a": 0.8 * a, "b": b}, metric="mae", time=np.arange(120))
        text = dict(c.parts[0].kind.facts(c.parts[0].evidence, c.parts[0].procedure))["skill of a"]
        low, high = text.split("CI ")[1].removesuffix(" %)").split(" to ")
        covered += float(low.replace("−", "-")) <= 20 <= float(high.replace("−", "-"))
    assert covered / trials > 0.95 - 3.3 * (0.05 * 0.95 / trials) ** 0.5


def test_skill_and_win_rate_of_several_models_and_of_series():
    rng = np.random.default_rng(13)
    losses = rng.gamma(2, 1, (3, 300)) * np.array([[0.7], [0.9], [1.0]])
    models, series = dict(zip(("ets", "theta", "snaive"), losses, strict=True)), np.repeat(np.arange(30), 10)
    for options in ({"time": np.arange(300)}, {"groups": series}):
        out = " ".join(str(fw.compare_predictions(None, models, metric="mae", **options)).split())
        for name, own in zip(("ets", "theta"), losses, strict=False):
            share = 100 * (1 - own.mean() / losses[2].mean())
            assert f"skill of {name} {share:.3g} % lower loss than snaive (95 % CI" in out
            assert f"{name} is better than snaive on {100 * (own < losses[2]).mean():.0f} % of" in out
    assert "skill of" not in str(fw.compare_predictions(None, models, metric="error", groups=series))


def test_leaderboards_of_forecasts_have_skill_and_win_rate_with_intervals(tmp_path):
    """As fev has them: 1 less the geometric mean of the relative loss, and wins over tasks and other models."""
    rng = np.random.default_rng(14)
    size = np.exp(rng.normal(size=(25, 1)))
    losses = (size * np.array([0.8, 0.95, 1.0]) * np.exp(rng.normal(0, 0.15, (25, 3)))).round(4)
    names = ("chronos", "ets", "seasonal_naive")
    rows = [[f"t{t}", name, losses[t, m]] for t in range(25) for m, name in enumerate(names)]
    (tmp_path / "fev.csv").write_text(table(["task_name", "model_name", "MASE"], rows))
    out = " ".join(str(fw.judge(tmp_path / "fev.csv")).split())
    shares = np.log(losses[:, 0] / losses[:, 2])
    half = stats.t.ppf(0.975, 24) * shares.std(ddof=1) / 5
    low, high = (100 * (1 - np.exp(shares.mean() + side * half)) for side in (1, -1))
    told = f"skill of chronos {100 * (1 - stats.gmean(losses[:, 0] / losses[:, 2])):.3g} % lower loss than "
    assert f"{told}seasonal_naive (95 % CI {low:.3g} to {high:.3g} %)" in out
    wins = (losses[:, [0]] < losses[:, 1:]).mean(axis=1)
    half = stats.t.ppf(0.975, 24) * wins.std(ddof=1) / 5
    limits = f"(95 % CI {100 * (wins.mean() - half):.0f} % to {100 * min(wins.mean() + half, 1):.0f} %)"
    assert f"win rate chronos is better than another on {100 * wins.mean():.0f} % of tasks {limits}" in out


@pytest.mark.parametrize(("test", "asked"), [("diebold_mariano_hln", "hln"), ("diebold_mariano_fixed_b", "fixed_b")])
def test_other_forms_of_the_test_are_asked_for_by_name(run, tmp_path, test, asked):
    header, rows = panel(series=1)
    (tmp_path / "a.csv").write_text(table(header, rows))
    losses = by_date(header, rows, lambda y, f: abs(y - f))
    for ahead in (1, 4):
        name = test if ahead == 1 else f"{test}:horizon={ahead}"
        expected = inf.diebold_mariano(losses[0] - losses[1], method=asked, horizon=ahead)
        for door in ("predictions", "judge"):
            found = json.loads(run(door, tmp_path / "a.csv", "--metric", "mae", "--test", name, "--json")[1])
            found = found if door == "predictions" else found["verdicts"][""]
            assert found["test"] == name
            assert found["pairs"][0]["pvalue"] == pytest.approx(float(expected.pvalue), rel=1e-9)
    said = run("predictions", tmp_path / "a.csv", "--metric", "mae", "--test", f"{test}:4")[2]
    assert f"after '{test}:' must stand 'horizon=H' with H from 1, got '4'" in said


def test_of_several_forecasts_the_model_confidence_set_is_told():
    rng = np.random.default_rng(5)
    losses = rng.normal([[1.0], [1.05], [2.0]], 0.5, (3, 200))
    models = dict(zip("abc", losses, strict=True))
    c = fw.compare_predictions(None, models, metric="mae", time=np.arange(200))
    members = [name for name, member in zip("abc", inf.model_confidence_set(losses).members(), strict=True) if member]
    assert re.search(rf"model confidence set\s+{', '.join(members)} \(95 %", str(c))


@pytest.mark.parametrize(("unit", "shown"), [("D", ["2024-01-01", "2024-01-14", "2024-01-27", "2024-02-09"]), ("h", 2)])
def test_the_times_below_the_cumulative_plot_are_short(unit, shown):
    losses = np.random.default_rng(1).random((2, 40))
    times = np.datetime64("2024-01-01T00", unit) + np.arange(40)
    ax = fw.compare_predictions(None, dict(zip("ab", losses, strict=True)), metric="mae", time=times).plot("cumulative")
    words = [tick.get_text() for tick in ax.axes[0].get_xticklabels()]
    assert words == shown if unit == "D" else len(words) == shown


def test_the_cumulative_plot_ends_at_the_sum():
    rng = np.random.default_rng(6)
    losses = rng.normal(size=(2, 60)) ** 2
    c = fw.compare_predictions(None, {"a": losses[0], "b": losses[1]}, metric="mse", time=np.arange(60))
    line = c.plot("cumulative").axes[0].lines[-1]
    assert line.get_ydata()[-1] == pytest.approx((losses[0] - losses[1]).sum())
    plain = fw.compare_predictions(None, {"a": losses[0], "b": losses[1]}, metric="mse")
    with pytest.raises(InvalidInput):
        plain.plot("cumulative")


def test_tables_of_leaderboards_of_forecasts(tmp_path):
    gift = [["dataset", "model", "eval_metrics/MASE[0.5]", "domain"]]
    fev = [["model_name", "dataset_config", "horizon", "eval_metric", "test_error", "training_time_s"]]
    rng = np.random.default_rng(7)
    for place in range(8):
        for model, shift in (("chronos", 0.0), ("moirai", 0.3)):
            error = 1 + shift + 0.1 * rng.random()
            gift.append([f"set{place}", model, error, "Energy"])
            fev.append([model, f"set{place}", 24, "MASE", error, 0.0])
    for name, rows in (("gift", gift), ("fev", fev)):
        (tmp_path / f"{name}.csv").write_text(table(rows[0], rows[1:]))
        c = fw.judge(tmp_path / f"{name}.csv").main
        assert (c.models, c.better) == (("chronos", "moirai"), "chronos")


def test_conditional_ability_is_told_by_a_column_at_the_doors(run, tmp_path):
    rng = np.random.default_rng(8)
    n = 200
    heat = rng.normal(size=n)
    y = rng.normal(size=n)
    a, b = y + rng.normal(size=n) * (1 + 0.8 * (heat > 0)), y + rng.normal(size=n) * 1.4
    days = np.datetime64("2024-01-01") + np.arange(n)
    c = fw.compare_predictions(y, {"a": a, "b": b}, metric="mae", time=days, options=fw.Options(condition=heat))
    losses = np.abs(np.array([a, b]) - y)
    expected = inf.giacomini_white(losses[0] - losses[1], (heat - heat.mean()) / heat.std())
    note = next(note for note in c.notes if "Giacomini" in note)
    assert f"p = {expected.pvalue:.2g}" in note
    assert "b gains where it is high" in note
    rows = zip(days, heat.tolist(), y.tolist(), a.tolist(), b.tolist(), strict=True)
    (tmp_path / "a.csv").write_text(table(["ds", "heat", "y", "a", "b"], rows))
    out = run("predictions", tmp_path / "a.csv", "--metric", "mae", "--column", "condition=heat")[1]
    assert f"p = {expected.pvalue:.2g}, for" in out.replace("\n        ", " ")
    with pytest.raises(InvalidInput, match="condition is for items in order of time"):
        fw.compare_predictions(y, {"a": a, "b": b}, metric="mae", options=fw.Options(condition=heat))
    bad = fw.Options(condition=np.where(heat > 2, np.nan, heat))
    with pytest.raises(InvalidInput, match="condition must be one finite number for each row"):
        fw.compare_predictions(y, {"a": a, "b": b}, metric="mae", time=days, options=bad)


# ---- sktime 1.2: columns as ForecastingBenchmark.run and evaluate(return_data=True) write them


def folds(seed=21, n=14):
    rng = np.random.default_rng(seed)
    losses = {"naive": rng.gamma(4, 10, n), "trend": rng.gamma(4, 14, n)}
    cutoffs = [f"{1953 + (12 + 6 * k) // 12}-{(12 + 6 * k) % 12 + 1:02d}" for k in range(n)]
    return losses, cutoffs


@pytest.mark.parametrize("shape", ["folds.{k}.scores.{m}", "{m}_fold_{k}_test"])
def test_a_benchmark_of_sktime(run, on_page, tmp_path, shape):
    losses, _ = folds()
    columns = [shape.format(k=k, m=m) for k in range(14) for m in ("MeanAbsoluteError", "fit_time")]
    rows = []
    for task, factor in (("[dataset=load_airline]_[cv_splitter=Expanding]", 1.0), ("[dataset=load_lynx]", 0.5)):
        rows += [[task, m, *(x for loss in losses[m] for x in (factor * loss, 0.1)), 0.2] for m in losses]
    (tmp_path / "bench.csv").write_text(table(["validation_id", "model_id", *columns, "runtime_secs"], rows))
    found = fw.judge(tmp_path / "bench.csv")
    assert (found.main.models, len(found.verdicts)) == (("naive", "trend"), 2)
    expected = inf.diebold_mariano(losses["naive"] - losses["trend"])
    for verdict in found.verdicts.values():
        assert verdict.test == "diebold_mariano_splits"
        assert verdict.pvalue == pytest.approx(float(expected.pvalue))
        assert verdict.design == "14 time-ordered splits"
    out = run("judge", tmp_path / "bench.csv", "--task", "[dataset=load_lynx]")[1]
    assert "14 time-ordered splits" in out
    assert "fit_time" not in out
    assert "time-ordered splits" in on_page("judge", tmp_path / "bench.csv", task="[dataset=load_lynx]").text


def test_frames_and_files_of_sktimes_evaluate(tmp_path):
    import pandas as pd

    losses, cutoffs = folds()
    frames = {}
    for m, values in losses.items():
        frames[m] = pd.DataFrame(
            {"test_MeanAbsoluteError": values, "fit_time": 0.1, "pred_time": 0.1, "len_train_window": range(60, 144, 6),
             "cutoff": pd.PeriodIndex(cutoffs, freq="M")}
        )  # fmt: skip
        frames[m].sample(frac=1, random_state=1).to_csv(tmp_path / f"{m}.csv")
        frames[m]["y_pred"] = [pd.Series([1.0, 2.0])] * 14
    expected = float(inf.diebold_mariano(losses["naive"] - losses["trend"]).pvalue)
    assert fw.judge(frames).main.pvalue == pytest.approx(expected)
    assert fw.judge([tmp_path / "naive.csv", tmp_path / "trend.csv"]).main.pvalue == pytest.approx(expected)
    twice = frames | {"trend": pd.concat([frames["trend"], frames["trend"]])}
    with pytest.raises(InvalidInput, match="must have a cutoff of its own, but some of 'trend' are there twice"):
        fw.judge(twice)


@pytest.mark.parametrize("kind", ["periods", "dates"])
def test_a_series_with_dates_in_its_index_is_in_their_order(kind):
    import pandas as pd

    y, models, _ = nested(80)
    index = pd.period_range("2000-01", periods=80, freq="M") if kind == "periods" else pd.date_range("2000", periods=80)
    told = {m: pd.Series(f, index=index) for m, f in models.items()}
    c = fw.compare_predictions(pd.Series(y, index=index), told, metric="mse")
    assert c.pvalue == fw.compare_predictions(y, models, metric="mse", time=np.arange(80)).pvalue
    assert any("in order of the dates in the truth's index" in str(one) for one in c.reading)
    # what takes no order of time, clusters and other indices stay as they were
    assert fw.compare_predictions(pd.Series(y, index=index), told, metric="spearman").test == "swap_permutation"
    groups = np.repeat(np.arange(20), 4)
    assert fw.compare_predictions(pd.Series(y, index=index), told, metric="mse", groups=groups).test == "clustered_t"
    assert fw.compare_predictions(pd.Series(y), models, metric="mse").test == "paired_t"


def test_loss_by_horizon_is_a_verdict_for_each_in_order_of_time_and_a_picture(run, tmp_path):
    rng = np.random.default_rng(3)
    rows = [(str(np.datetime64("2024-01-01") + day), h) for day in range(40) for h in (1, 2, 10)]
    y, noise = rng.normal(size=len(rows)), rng.normal(size=(2, len(rows)))
    made = [y + scale * np.sqrt([h for _, h in rows]) * part for scale, part in zip((0.3, 1.2), noise, strict=True)]
    path = tmp_path / "horizons.csv"
    path.write_text(table(["date", "horizon", "y", "ets", "naive"], [
        [*row, *map(float, values)] for row, values in zip(rows, np.transpose([y, *made]), strict=True)
    ]))  # fmt: skip
    found = [fw.judge(path, metric="mae", slices="horizon").main]
    found.append(
        fw.compare_predictions(
            y, {"ets": made[0], "naive": made[1]}, metric="mae", time=[day for day, _ in rows],
            slices=[str(h) for _, h in rows],
        )
    )  # fmt: skip
    for c in found:
        verdict = c.slices.verdicts["10"]
        place = [at for at, (_, h) in enumerate(rows) if h == 10]
        alone = fw.compare_predictions(
            y[place], {"ets": made[0][place], "naive": made[1][place]}, metric="mae", time=[rows[at][0] for at in place]
        )
        assert (verdict.test, verdict.pvalue) == ("diebold_mariano", pytest.approx(alone.pvalue))
        ax = c.plot("slices").axes[0]
        assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "2", "10"]
        lines = {line.get_label(): line.get_ydata() for line in ax.get_lines() if not line.get_label().startswith("_")}
        assert lines["naive"] == pytest.approx([c.slices.verdicts[h].means["naive"] for h in ("1", "2", "10")])
    html = tmp_path / "out.html"
    assert run("predictions", path, "--metric", "mae", "--slice", "horizon", "--html", html)[0] == 0
    assert "in the order of the slices" in html.read_text()


def test_quantiles_that_count_up_number_no_rows(run, tmp_path):
    rows = [[i, *(i + shift + (i % 3) * (shift > 0) for shift in (-1, 0, 1, -2, 0.5, 2))] for i in range(30)]
    header = ["y", *(f"{name}:{level}" for name in "ab" for level in (0.1, 0.5, 0.9))]
    (tmp_path / "q.csv").write_text(table(header, rows))
    assert json.loads(run("predictions", tmp_path / "q.csv", "--metric", "wql", "--json")[1])["models"] == ["a", "b"]


def test_periods_of_very_different_length_are_told():
    rng = np.random.default_rng(0)
    losses = {"a": rng.random(40), "b": rng.random(40)}
    days = np.datetime64("2024-01-01") + np.arange(40)
    even = fw.compare_predictions(None, losses, metric="mae", time=days)
    uneven = fw.compare_predictions(None, losses, metric="mae", time=np.where(np.arange(40) < 20, days, days + 30))
    assert not any("equally long" in note for note in even.notes)
    assert any("the longest gap is 31 times the median" in note for note in uneven.notes)
    assert uneven.pvalue == even.pvalue


def test_quantiles_that_cross_are_noted(run, tmp_path):
    """Columns of a low and a high level may be exchanged, which costs a model the comparison."""
    rng = np.random.default_rng(3)
    y, width = (
        rng.normal(10, 1, 60),
        rng.uniform(0.5, 1.5, 60),
    )  # of one width the difference would be the same everywhere
    cells = np.column_stack([y, y + width, y - width, y - width, y + width]).round(3)
    rows = [",".join(map(str, row)) + "\n" for row in cells]
    (tmp_path / "q.csv").write_text("y,a:0.1,a:0.9,b:0.1,b:0.9\n" + "".join(rows))
    for command in ("predictions", "judge"):
        out = " ".join(run(command, tmp_path / "q.csv", "--metric", "wql")[1].split())
        assert "b is better" in out
        assert "uantiles of a cross in 60 of 60 rows: a higher level has the lower forecast" in out
        assert "uantiles of b" not in out
