"""A margin, through every way to a comparison: what is concluded, and that nothing else says the contrary."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.samples import from_counts, from_scores
from sklearn.dummy import DummyClassifier
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.designs import find_procedure, procedure_names
from foldwise.inference import corrected_repeated_cv_t, paired_difference, tost

SHAPES = {"splits": (12,), "kfold": (1, 10), "five_by_two": (5, 2), "repeated_cv": (4, 5)}
ON_SCORES = [name for name in procedure_names() if find_procedure(name).kind.name in SHAPES]
MIRRORED = {"superior": "inferior", "inferior": "superior", "equivalent": "equivalent", "non-inferior": "undecided"}
GOOD = ("superior", "equivalent", "non-inferior")

pytestmark = pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")


def scores(test, seed, **options):
    rng = np.random.default_rng(seed)
    shape = SHAPES[find_procedure(test).kind.name]
    base = rng.uniform(0.6, 0.8, shape)
    a, b = (base + rng.normal(rng.normal(0, 0.03), 0.02, shape) for _ in range(2))
    sizes = {"n_train": 90, "n_test": 10} if len(shape) == 1 else {}
    return fw.compare_scores({"a": a, "b": b}, test=test, metric="accuracy", **sizes, **with_options(options))


def coherent(c):
    """What must hold of any comparison with a margin."""
    lead = None if c.limits is None else c.limits if c.higher_is_better else -c.limits
    assert (c.conclusion == "superior") == (lead is not None and lead.low > c.margin)
    assert (c.conclusion == "inferior") == (lead is not None and lead.high < -c.margin)
    assert (c.conclusion, c.better) not in {("superior", "b"), ("inferior", "a")}
    assert (c.conclusion in GOOD) == (lead is not None and lead.low > -c.margin)
    if lead is not None and c.interval is not None:
        assert c.interval.low - 1e-9 <= c.limits.low <= c.limits.high <= c.interval.high + 1e-9


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("test", ON_SCORES)
def test_every_test_on_scores(test, seed):
    c = scores(test, seed, margin=0.02)
    coherent(c)
    swapped = fw.compare_scores(
        {"a": c.evidence.b, "b": c.evidence.a},
        test=test,
        metric="accuracy",
        margin=0.02,
        **{"n_train": 90, "n_test": 10} if c.evidence.a.ndim == 1 else {},
    )
    assert c.conclusion == "undecided" or swapped.conclusion == MIRRORED[c.conclusion]
    itself = fw.compare_scores(
        {"a": c.evidence.a, "b": c.evidence.a},
        test=test,
        metric="accuracy",
        margin=0.02,
        **{"n_train": 90, "n_test": 10} if c.evidence.a.ndim == 1 else {},
    )
    assert itself.conclusion == "undecided"  # a few equal splits are no certainty


counts = st.tuples(*[st.integers(0, 60)] * 4).filter(lambda cells: sum(cells) > 3)


@settings(max_examples=25)
@given(counts, st.sampled_from([0.01, 0.05, 0.3]), st.sampled_from([0.01, 0.05, 0.4]))
def test_right_and_wrong(cells, margin, alpha):
    n00, n01, n10, n11 = cells
    c = from_counts(*cells, margin=margin, alpha=alpha)
    coherent(c)
    tango = -paired_difference(*cells, method="tango").confidence_interval(1 - 2 * alpha)
    assert (c.limits.low, c.limits.high) == pytest.approx((float(tango.low), float(tango.high)))
    back = from_counts(n00, n10, n01, n11, margin=margin, alpha=alpha)
    assert c.conclusion == "undecided" or back.conclusion == MIRRORED[c.conclusion]


def test_clusters_have_limits_of_their_own():
    marks = np.random.default_rng(0).random((2, 300)) < [[0.8], [0.78]]
    groups = np.repeat(np.arange(30), 10)
    c = fw.compare_predictions(None, dict(zip("ab", marks, strict=True)), groups=groups, margin=0.08)
    coherent(c)
    assert c.test == "clustered_difference"
    assert (
        c.limits == fw.compare_predictions(None, dict(zip("ab", marks, strict=True)), groups=groups, alpha=0.1).interval
    )


def test_equivalence_is_tost():
    for gain in (0.0, 0.01, 0.03):
        c = from_scores(gain=gain, margin=0.03)
        found = tost(corrected_repeated_cv_t(c.evidence.differences), margin=0.03)
        assert (c.conclusion == "equivalent") == (found.pvalue < 0.05)


def test_losses_turn_the_direction():
    c = from_scores(gain=0.1, margin=0.01)
    turned = from_scores(gain=0.1, margin=0.01, metric="error")
    assert (c.conclusion, turned.conclusion) == ("superior", "inferior")


def test_percentages_have_margins_in_points():
    c = from_scores(margin=0.01)
    percent = fw.compare_scores({"a": 100 * c.evidence.a, "b": 100 * c.evidence.b}, metric="accuracy", margin=1.0)
    assert percent.conclusion == c.conclusion == "non-inferior"
    assert "margin 1 point" in str(c)
    assert "margin 1 point" in str(percent)


def test_scores_without_a_common_difference_leave_it_undecided():
    x = np.array([[0.2, 0.2], [-0.2, -0.2], [0.2, 0.2], [-0.2, -0.2], [0.2, 0.2001]])
    c = fw.compare_scores({"a": 0.5 + x, "b": np.full((5, 2), 0.5)}, margin=0.5)
    assert c.limits is None
    assert c.conclusion == "undecided"
    assert "Undecided: a may be worse than b by 0.5 or more" in str(c)


def test_text_json_page_methods_and_picture_say_the_same():
    c = from_scores(margin=0.01)
    assert "first is non-inferior to second: worse by less than 1 point, if at all." in str(c)
    assert "−0.3 to 5.5 (one-sided, each of level 95 %)" in str(c)
    answer = c.to_dict()
    assert (answer["margin"], answer["conclusion"]) == (0.01, "non-inferior")
    assert answer["limits"] == {"low": c.limits.low, "high": c.limits.high, "level": 0.95}
    assert "the conclusion about first vs second was: non-inferior." in c.methods()
    assert "first is non-inferior to second" in c.to_html()
    ax = c.plot("margin").axes[0]
    lines = {line.get_label(): line.get_xdata() for line in ax.lines}
    assert lines["limits"] == pytest.approx([100 * c.limits.low, 100 * c.limits.high])
    assert lines["interval"] == pytest.approx([100 * c.interval.low, 100 * c.interval.high])
    assert [patch.get_x() for patch in ax.patches] == pytest.approx([-1])


def test_nothing_is_concluded_where_no_margin_is_given():
    c = from_scores()
    assert (c.margin, c.limits, c.conclusion) == (None, None, None)
    assert c.to_dict()["conclusion"] is None
    assert "margin" not in str(c)
    with pytest.raises(InvalidInput, match="unknown plot 'margin'"):
        c.plot("margin")


@pytest.mark.parametrize(("options", "message"), [
    ({"margin": 0}, "margin must be a number above 0, got 0"),
    ({"margin": -0.01}, "margin must be a number above 0, got -0.01"),
    ({"margin": "wide"}, "margin must be a number, or points such as '1pt', got 'wide'"),
    ({"margin": 0.01, "alpha": 0.5}, "alpha must be below 0.5 where a margin is given, got 0.5"),
])  # fmt: skip
def test_bad_margins_are_refused_before_the_work(options, message):
    with pytest.raises(InvalidInput, match=message):
        from_scores(**options)
    with pytest.raises(InvalidInput, match=message):
        fw.compare_table([[0.5, 0.6], [0.6, 0.7]], **with_options(options))
    with pytest.raises(InvalidInput, match=message):  # the learner would fail
        fw.compare(
            [DummyClassifier(strategy="wrong"), DummyClassifier()],
            np.zeros((20, 1)),
            [0, 1] * 10,
            **with_options(options),
        )


def test_learners_that_are_right_on_the_same_examples():
    """Their scores do not vary, but n examples bound the difference; so they do the conclusion."""
    x, y = np.arange(400)[:, None] / 400, np.arange(400) % 4 == 0
    c = fw.compare([DummyClassifier(), DummyClassifier(strategy="prior")], x, y, runs=2, folds=5, margin=0.02)
    assert c.limits == from_counts(100, 0, 0, 300, alpha=0.1).interval
    assert c.conclusion == "equivalent"
    fewer = fw.compare(
        [DummyClassifier(), DummyClassifier(strategy="prior")], x[:40], y[:40], runs=2, folds=5, margin=0.02
    )
    assert fewer.conclusion == "undecided"


def test_runs_are_added_until_the_conclusion_is_settled():
    from foldwise.comparison.adding_runs import Budget, RunsRule, add_runs, growth_of
    from foldwise.designs import find_procedure
    from foldwise.designs.resampled import fixed_procedure

    rng = np.random.default_rng(0)
    a = rng.normal(0.9, 0.02, (200, 10))

    def score(wanted):
        return [(a[wanted], a[wanted] - 0.1 + rng.normal(0, 0.01, (200, 10))[wanted])]

    budget, corrected = Budget(max_runs=200), find_procedure("corrected_repeated_cv_t")
    growth = growth_of(corrected, folds=10, alpha=0.05)
    _, multiplier, _ = fixed_procedure(corrected, corrected.settled, 10, 1 / 9)
    (plain,) = add_runs(score, growth, budget=budget)
    x = plain.scores[0] - plain.scores[1]
    edge = float(x.mean()) - 1.66 * float(x.std()) / multiplier  # where the limit ends
    (asked,) = add_runs(score, growth, budget=budget, rule=RunsRule(margin=edge))
    assert len(plain.scores[0]) == 10
    assert len(asked.scores[0]) > 10


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "brier"])
@pytest.mark.parametrize("clustered", [False, True])
def test_metrics_of_predictions(metric, clustered):
    rng = np.random.default_rng(2)
    y = (rng.random(160) < 0.4).astype(int)
    a, b = (np.clip(0.3 * y + 0.7 * rng.random(160), 0, 1) for _ in range(2))
    outputs = [(p > 0.5).astype(int) for p in (a, b)] if metric == "f1" else [a, b]
    options = {"metric": metric, "positive": 1, "margin": 0.05}
    options |= {"groups": np.arange(160) // 4} if clustered else {}
    c, back = (
        fw.compare_predictions(y, dict(zip("ab", outputs, strict=True)), **with_options(options)),
        fw.compare_predictions(y, dict(zip("ab", outputs[::-1], strict=True)), **with_options(options)),
    )
    coherent(c)
    assert c.conclusion == "undecided" or back.conclusion == MIRRORED[c.conclusion]


@pytest.mark.parametrize("groups", [None, np.arange(90) // 3])
def test_graded_marks_with_trials(groups):
    marks = np.random.default_rng(0).beta(4, 2, (2, 90, 2))
    c = fw.compare_predictions(None, dict(zip("ab", marks, strict=True)), groups=groups, margin=0.1)
    coherent(c)
    assert (
        c.limits == fw.compare_predictions(None, dict(zip("ab", marks, strict=True)), groups=groups, alpha=0.1).interval
    )
    assert c.conclusion == "equivalent"


# ---- several learners


def table(**options):
    rng = np.random.default_rng(0)
    base = rng.uniform(0.6, 0.9, (14, 1))
    values = base + np.array([0.03, 0.0, 0.0]) + rng.normal(0, [0.01, 0.003, 0.003], (14, 3))
    return fw.compare_table(
        values, models=["nb", "c45", "tan"], metric="accuracy", **with_options({"bayes": "none", **options})
    )


def test_every_pair_of_a_table_has_its_conclusion():
    c = table(margin=0.01)
    found = {(pair.candidate, pair.baseline): pair.conclusion for pair in c.pairs}
    assert found == {("nb", "c45"): "superior", ("nb", "tan"): "superior", ("c45", "tan"): "equivalent"}
    assert "nb vs c45               superior" in str(c)
    assert c.to_dict()["pairs"][2]["conclusion"] == "equivalent"
    assert [len(line.get_xdata()) for line in c.plot("margins").axes[0].lines][1:] == [2, 2, 2]


def test_the_control_is_the_baseline():
    c = table(margin=0.01, control="nb")
    assert [(pair.a, pair.candidate, pair.conclusion) for pair in c.pairs] == [
        ("nb", "c45", "inferior"), ("nb", "tan", "inferior"),
    ]  # fmt: skip
    assert [claim.baseline for claim in c.claims()] == ["nb", "nb"]


def test_a_table_of_losses_and_one_in_another_order():
    c = table(margin=0.01)
    loss = fw.compare_table(
        1 - c.table.means, models=c.learners, metric="error", margin=0.01, options=fw.Options(bayes="none")
    )
    assert [pair.conclusion for pair in loss.pairs] == [pair.conclusion for pair in c.pairs]
    turned = fw.compare_table(
        c.table.means[:, ::-1],
        models=c.learners[::-1],
        metric="accuracy",
        margin=0.01,
        options=fw.Options(bayes="none"),
    )
    assert turned.pair("nb", "c45").conclusion == "inferior"  # about c45, which comes first now


def test_limits_hold_for_all_pairs_together():
    together, alone = table(margin=0.01), table(margin=0.01, adjust="none")
    for pair, one in zip(together.pairs, alone.pairs, strict=True):
        assert pair.limits.low < one.limits.low
        assert pair.limits.high > one.limits.high
    assert "for all pairs together" in str(together)
    assert "for all pairs together" not in str(alone)


def test_few_data_sets_decide_nothing():
    c = fw.compare_table([[0.9, 0.5]] * 3, margin=0.01, options=fw.Options(bayes="none"))
    assert c.pairs[0].conclusion == "undecided"
    assert c.to_dict()["pairs"][0]["limits"] == {"low": None, "high": None}
    assert "−∞ to ∞" in str(c)


@pytest.mark.parametrize("posthoc", ["ranks", "nemenyi"])
def test_mean_ranks_have_no_margin(posthoc):
    with pytest.raises(InvalidInput, match="test must be wilcoxon or sign where a margin is given"):
        table(margin=0.01, test=posthoc)


def test_claims_of_several_learners_need_a_baseline():
    with pytest.raises(InvalidInput, match="control must name the baseline that the other 2 learners"):
        table().claims()
    assert [claim.better for claim in table(control="c45").claims()] == ["nb", None]


def test_a_comparison_keeps_its_margin_under_other_words():
    c = from_scores(margin=0.01)
    assert c.replace(subject="spam").conclusion == c.conclusion


# ---- several metrics


def by_metrics(**options):
    rng = np.random.default_rng(1)
    y = (rng.random(200) < 0.4).astype(int)
    a, b = (np.clip(share * y + 0.6 * rng.random(200), 0, 1) for share in (0.45, 0.4))
    return fw.compare_predictions(
        y, {"a": a, "b": b}, metric=["roc_auc", "brier"], margin=0.02, **with_options({"positive": 1, **options})
    )


def test_limits_hold_for_all_metrics_together_where_p_values_are_adjusted():
    together, alone = by_metrics(), by_metrics(adjust_metrics="none")
    for one, other in zip(together.parts, alone.parts, strict=True):
        assert one.limits_level == 0.975
        assert other.limits_level == 0.95
        assert one.limits.low < other.limits.low < other.limits.high < one.limits.high
    halved = by_metrics(adjust_metrics="none", alpha=0.025)
    assert [c.limits for c in halved.parts] == [c.limits for c in together.parts]
    assert "one-sided and of level 95 % for all 2 metrics together (Bonferroni)." in " ".join(str(together).split())
    assert "one-sided and each of level 95 %, not adjusted for the number of metrics." in " ".join(str(alone).split())
    for m in (together, alone):
        assert m.methods().count("a vs b, margin 0.02") == 2
        assert "not adjusted for the number of metrics" in m.to_html() or m is together
        assert [claim.metric for claim in m.claims()] == ["ROC AUC", "Brier score"]


def test_conclusions_by_each_metric_are_printed_for_several_models_too():
    rng = np.random.default_rng(1)
    y = (rng.random(200) < 0.4).astype(int)
    models = {
        name: (rng.random(200) < 0.2 + share * y).astype(int) for name, share in zip("xyz", (0.5, 0.5, 0), strict=True)
    }
    m = fw.compare_predictions(
        y, models, metric=["accuracy", "f1"], margin=0.02, options=fw.Options(positive=1, control="y")
    )
    text = " ".join(str(m).split())
    assert "accuracy z vs y 2 points inferior" in text
    assert "for all pairs by all 2 metrics together (Bonferroni)." in text
    assert {(claim.metric, claim.candidate) for claim in m.claims()} == {
        (metric, name) for metric in ("accuracy", "F1") for name in ("x", "z")
    }


def test_the_limits_decide_also_where_the_two_sided_test_shows_nothing():
    """McNemar's p is .0504 here, yet the one-sided limit excludes a margin near 0."""
    c = from_counts(100, 30, 17, 100, margin=0.001)
    assert c.better is None
    assert c.conclusion == "inferior"
    assert "No difference is shown" not in str(c)
    assert "is inferior to" in str(c)
    assert "The two-sided test of level 0.05 does not show a difference; the limits decide." in " ".join(str(c).split())
    assert from_counts(100, 17, 30, 100, margin=0.001).conclusion == "superior"
