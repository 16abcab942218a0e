"""What was measured of every metric: the stored rows, the data sets behind them, and what is said of it."""

from __future__ import annotations

import numpy as np
import pytest
from measuring import metrics as measuring
from measuring.metrics import CASES, draw
from scipy import stats

import foldwise as fw
from foldwise.comparison import advise
from foldwise.comparison.measured_caveat import metric_caveats
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.designs import find_procedure
from foldwise.inference.measured import measured_table, metric_behaviour, metric_in_words, nearest_behaviour
from foldwise.metrics.catalogue import known_metric, metric_names

ROWS = measured_table()["metrics"]["rows"]


def test_every_metric_has_a_row_for_independent_items_clusters_and_few_clusters():
    expected = [(name, case.title, case.clusters) for name in metric_names() for case in CASES]
    assert [(row["metric"], row["case"], row["clusters"]) for row in ROWS] == expected
    assert [case.clusters for case in CASES] == [0, 30, 6]
    for row in ROWS:
        find_procedure(row["test"])
        assert row["type1"]["trials"] >= 300
        assert {"type1", "power", "coverage_share", "margin_share"} <= set(row)


def test_tests_are_those_that_the_front_door_takes():
    given = {"f1": [0, 1] * 20, "roc_auc": list(np.linspace(0, 1, 40)), "accuracy": [0, 1] * 20}
    for name, said in given.items():
        c = fw.compare_predictions(
            [0, 1, 1, 0] * 10, {"a": said, "b": said[::-1]}, metric=name, options=fw.Options(positive=1)
        )
        assert c.test == metric_behaviour(name)[0].test


@pytest.mark.parametrize("cell", [("accuracy", 0), ("mae", 2), ("f1", 0), ("roc_auc", 2), ("rmse", 1)])
def test_a_small_new_measurement_agrees(cell, monkeypatch):
    name, place = cell
    monkeypatch.setattr(measuring, "LARGE", 50_000)
    sets = 30
    found = measuring._start(((name, CASES[place]),), sets, 71)(0)
    row = measuring._row(name, CASES[place], found)
    (stored,) = [r for r in ROWS if (r["metric"], r["case"]) == (name, CASES[place].title)]
    assert (row["test"], row["difference"]) == (stored["test"], pytest.approx(stored["difference"], abs=0.02))
    for key in ("type1", "coverage_share", "margin_share"):
        hits = [round(r[key]["rate"] * r[key]["trials"]) for r in (row, stored)]
        table = [[hit, r[key]["trials"] - hit] for hit, r in zip(hits, (row, stored), strict=True)]
        assert stats.fisher_exact(table).pvalue > 1e-4, key


def test_nothing_distinguishes_the_models_of_the_null_and_one_is_worse_otherwise():
    for name in ("f1_macro", "roc_auc", "log_loss", "rmse"):
        metric, sign = known_metric(name), 1 if known_metric(name).higher_is_better else -1
        gains = {}
        for worse in (False, True):
            sets = [draw(metric, CASES[0], np.random.default_rng(seed), worse=worse) for seed in range(60)]
            gains[worse] = [sign * (metric.value(s.truth, s.a) - metric.value(s.truth, s.b)) for s in sets]
        assert abs(np.mean(gains[False])) < 4 * np.std(gains[False]) / np.sqrt(60)
        assert np.mean(gains[True]) > 3 * np.std(gains[True]) / np.sqrt(60)


def test_items_of_a_cluster_are_alike():
    one = draw(known_metric("mae"), CASES[2], np.random.default_rng(1), worse=False)
    groups = CASES[2].groups
    means = [one.truth.values[groups == g].mean() for g in range(6)]
    assert np.std(means) > 2 * one.truth.values.std() / np.sqrt(30)
    assert np.bincount(groups).tolist() == [30] * 6


def test_the_nearest_case_is_by_the_ratio_of_clusters():
    assert nearest_behaviour("f1", None).clusters == 0
    assert [nearest_behaviour("f1", count).clusters for count in (2, 6, 13, 14, 30, 5000)] == [6, 6, 6, 30, 30, 30]
    assert nearest_behaviour("median_absolute_error", None) is None
    assert advise(metric="mcc").figures == advise(metric="matthews_corrcoef").figures


def test_what_misses_its_level_is_said_in_the_answer_and_by_advise():
    missing = [(row.metric, row) for name in metric_names() for row in metric_behaviour(name) if row.misses]
    for name, row in missing:
        groups = None if not row.clusters else np.arange(row.clusters)
        (said,) = metric_caveats(name, groups)
        assert all(text in said for text in row.misses)
        assert any(row.misses[0] in caveat for caveat in advise(metric=name).caveats)
    kept = next(name for name in metric_names() if not any(row.misses for row in metric_behaviour(name)))
    assert metric_caveats(kept, None) == ()


@pytest.mark.usefixtures("without_pictures")
def test_advise_speaks_of_a_metric():
    found = advise(metric="f1")
    assert (found.question, found.test, found.command) == (
        3,
        "swap_permutation",
        "foldwise predictions FILE.csv --metric f1",
    )
    assert found.measured == metric_in_words("f1")
    assert "200 independent items" in str(found)
    assert len(found.figures) == len(CASES)
    assert "180 items in 6 clusters" in found.to_html()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metric": "f1", "question": 8}, InvalidInput, "metric must go with question 3, .*, got question 8"),
        ({"metric": "no such"}, UnknownName, "metric"),
    ],
)
def test_advise_refuses_a_metric_in_a_sentence(arguments, error, message):
    with pytest.raises(error, match=message):
        advise(**arguments)


def test_tests_keep_their_level_and_the_page_names_the_rows_that_miss_it():
    missing = {(row.metric, row.clusters) for name in metric_names() for row in metric_behaviour(name) if row.misses}
    assert missing == {("explained_variance", 6), ("explained_variance", 30)}  # docs/explanation/metrics.md says which
    assert not any(
        "rejected" in text for name in metric_names() for row in metric_behaviour(name) for text in row.misses
    )
