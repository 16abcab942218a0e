"""A procedure owns what it says: estimand, estimate, interval, posterior, means and words hold together.

Every procedure of the catalogue is asked through the public verbs, and one with another estimand, Yuen's trimmed t, is
added for the time of a test: one object, and every sentence and curve about it is right.
"""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import TimeSeriesSplit
from verb_options import with_options

import foldwise as fw
from foldwise.comparison.pairs import judge_evidence
from foldwise.designs import MARKS, Estimand, Procedure, catalogue, find_procedure, procedure_names
from foldwise.designs.data_sets import PAIR_TESTS
from foldwise.designs.guarantee import unmeasured
from foldwise.designs.student import known_power
from foldwise.designs.votes import Votes
from foldwise.evidence.items import Items
from foldwise.inference.student import StudentResult, student_result

RNG = np.random.default_rng(25)
N = 90
GROUPS = np.repeat(np.arange(30), 3)
TRUTH = RNG.integers(0, 2, N)
SCORES = [np.clip(TRUTH * 0.4 + RNG.normal(0.3, spread, N), 0, 1) for spread in (0.25, 0.35)]
LABELS = [np.where(RNG.random(N) < right, TRUTH, 1 - TRUTH) for right in (0.85, 0.7)]
GRADES = [RNG.gamma(2.0, 1.0, N) + shift for shift in (0.4, 0.0)]
SEEDS = [RNG.normal(size=(6, 1)) * 0.1 + RNG.normal(size=(6, 40)) + shift for shift in (0.3, 0.0)]
READ = [TRUTH * gain + RNG.normal(0, 0.5, N) + RNG.normal(0, 0.5, (5, N)) for gain in (1.2, 0.8)]
FOLDS = RNG.normal(0.02, 0.03, (10, 10)), np.zeros((10, 10))
HALVES = np.array([[0.05, 0.01], [0.03, 0.04], [0.02, 0.06], [0.01, 0.02], [0.04, 0.0]]), np.zeros((5, 2))
PREFERRED = np.random.default_rng(26).choice([0.0, 0.5, 1.0], N, p=[0.3, 0.2, 0.5])
X, Y = RNG.normal(size=(80, 4)), RNG.integers(0, 2, 80)
X[:, 0] += Y

# a judge of right and wrong who errs on one answer in eight, and people's labels of two thirds of them
ERRS = np.random.default_rng(27).random((2, N)) < 0.125
JUDGED = [np.where(errs, said != TRUTH, said == TRUTH).astype(float) for errs, said in zip(ERRS, LABELS, strict=True)]
PEOPLE = [np.where(np.arange(N) % 3 > 0, said == TRUTH, np.nan) for said in LABELS]

GIVEN = {
    "table": lambda a, b, **asked: fw.compare_predictions(
        TRUTH, {"a": LABELS[a], "b": LABELS[b]}, **with_options(asked)
    ),
    "clusters": lambda a, b, **asked: fw.compare_predictions(
        TRUTH, {"a": LABELS[a], "b": LABELS[b]}, groups=GROUPS, **asked
    ),
    "marks": lambda a, b, **asked: fw.compare_predictions(
        None, {"a": GRADES[a], "b": GRADES[b]}, metric="grade", **asked
    ),
    "clustered_marks": lambda a, b, **asked: fw.compare_predictions(
        None, {"a": GRADES[a], "b": GRADES[b]}, groups=GROUPS, **asked
    ),
    "task_marks": lambda a, b, **asked: judge_evidence(
        replace(Items.from_marks({"a": GRADES[a], "b": GRADES[b]}, metric="grade"), tasks=np.arange(N) % 3), **asked
    ),
    "time_order": lambda a, b, **asked: fw.compare_predictions(
        None, {"a": GRADES[a], "b": GRADES[b]}, time=np.arange(N), **asked
    ),
    "time_splits": lambda a, b, **asked: fw.compare(
        [LEARNERS[a], LEARNERS[b]], X, Y, cv=TimeSeriesSplit(5), **with_options(asked)
    ),
    "crossed": lambda a, b, **asked: fw.compare_predictions(
        None, {"a": SEEDS[a], "b": SEEDS[b]}, options=fw.Options(seeds="paired"), **asked
    ),
    "unpaired_seeds": lambda a, b, **asked: fw.compare_predictions(
        None, {"a": SEEDS[a], "b": SEEDS[b]}, options=fw.Options(seeds="unpaired"), **asked
    ),
    "ranking": lambda a, b, **asked: fw.compare_predictions(
        TRUTH, {"a": SCORES[a], "b": SCORES[b]}, metric="roc_auc", **asked
    ),
    "metric": lambda a, b, **asked: fw.compare_predictions(
        TRUTH, {"a": LABELS[a], "b": LABELS[b]}, metric="f1", **asked
    ),
    "order": lambda a, b, **asked: fw.compare_predictions(
        TRUTH, {"a": SCORES[a], "b": SCORES[b]}, metric="partial_auc@0.5", **asked
    ),
    "readers": lambda a, b, **asked: fw.compare_predictions(
        np.tile(TRUTH, 5),
        {"a": READ[a].ravel(), "b": READ[b].ravel()},
        items=np.tile(np.arange(N), 5),
        options=fw.Options(readers=np.repeat(np.arange(5), N)),
        **asked,
    ),
    "splits": lambda a, b, **asked: fw.compare_scores(
        {"a": FOLDS[a][0], "b": FOLDS[b][0]}, n_train=90, n_test=10, **asked
    ),
    "kfold": lambda a, b, **asked: fw.compare_scores({"a": FOLDS[a][:1], "b": FOLDS[b][:1]}, **with_options(asked)),
    "five_by_two": lambda a, b, **asked: fw.compare_scores({"a": HALVES[a], "b": HALVES[b]}, **with_options(asked)),
    "repeated_cv": lambda a, b, **asked: fw.compare_scores({"a": FOLDS[a], "b": FOLDS[b]}, **with_options(asked)),
    "human_labels": lambda a, b, **asked: fw.compare_predictions(
        None,
        {"a": JUDGED[a], "b": JUDGED[b]},
        options=fw.Options(human={"a": PEOPLE[a], "b": PEOPLE[b]}),
        **asked,
    ),
    "votes": lambda a, b, **asked: judge_evidence(
        Votes.build([LEARNERS[a]] * N, [LEARNERS[b]] * N, PREFERRED if a == 0 else 1 - PREFERRED), **asked
    ),
}
LEARNERS = ("nb", "c45")


def compared(name, a=0, b=1, **asked):
    """Two models by the test of that name, through the verb that takes its evidence."""
    kind = find_procedure(name).kind.name
    if kind in GIVEN:
        return GIVEN[kind](a, b, test=name, **asked)
    return fw.compare([LEARNERS[a], LEARNERS[b]], X, Y, test=name, **with_options(asked))


def mass(curve, low, high):
    """Share of a posterior between two differences."""
    x, height = curve.difference, curve.height
    fine = np.linspace(x[0], x[-1], 20001)
    drawn = np.interp(fine, x, height)
    return drawn[(fine >= low) & (fine <= high)].sum() / drawn.sum()


@pytest.mark.parametrize("name", [*procedure_names(), "use_all_data:calibrated", "use_all_data:df=10"])
def test_what_a_procedure_says_holds_together(name):
    c, swapped = compared(name), compared(name, 1, 0)
    low, high = c.interval.low, c.interval.high
    width = high - low
    assert low <= c.estimate <= high

    # the posterior is that of the estimate, and of the interval
    curve = c.posterior()
    middle = next(x for x in curve.difference if mass(curve, curve.difference[0], x) >= 0.5)
    assert abs(middle - c.estimate) < width / 8
    assert abs(curve.difference[np.argmax(curve.height)] - c.estimate) < width / 4
    assert mass(curve, low, high) == pytest.approx(0.95, abs=0.04)
    beyond = mass(curve, c.rope, np.inf) if c.higher_is_better else mass(curve, -np.inf, -c.rope)
    assert c.rope_probabilities.a_better == pytest.approx(beyond, abs=0.04)

    # the means are those of the estimate, or are not shown beside it
    values = c.procedure.values(c.evidence)
    text = " ".join(str(c).split())
    if values is None:
        assert c.procedure.estimand.how in text
        assert " vs " not in text.partition(", a difference of")[0].partition(c.design)[2]
    else:
        assert values[0] - values[1] == pytest.approx(c.estimate)
        assert values == c.pairs[0].means

    # the words
    assert c.guarantee == find_procedure(name).guaranteed
    assert "proved" not in text.lower()
    assert c.estimand

    # nobody is first
    assert swapped.estimate == pytest.approx(-c.estimate)
    assert (swapped.interval.low, swapped.interval.high) == pytest.approx((-high, -low))
    assert swapped.pvalue == pytest.approx(c.pvalue)
    mirrored = swapped.rope_probabilities.mirrored().as_tuple()
    assert mirrored == pytest.approx(c.rope_probabilities.as_tuple(), abs=1e-9)
    assert swapped.guarantee == c.guarantee


SEVERAL = {
    "right and wrong": (TRUTH, {"a": LABELS[0], "b": LABELS[1], "c": 1 - TRUTH}, {}),
    "clusters": (TRUTH, {"a": LABELS[0], "b": LABELS[1], "c": TRUTH}, {"groups": GROUPS}),
    "marks": (None, {"a": GRADES[0], "b": GRADES[1], "c": GRADES[0][::-1]}, {"metric": "grade"}),
    "clustered marks": (None, {"a": GRADES[0], "b": GRADES[1], "c": GRADES[0][::-1]}, {"groups": GROUPS}),
    "in time": (None, {"a": GRADES[0], "b": GRADES[1], "c": GRADES[0][::-1]}, {"time": np.arange(N)}),
    "metric": (TRUTH, {"a": LABELS[0], "b": LABELS[1], "c": TRUTH}, {"metric": "f1"}),
    "areas": (TRUTH, {"a": SCORES[0], "b": SCORES[1], "c": SCORES[1][::-1]}, {"metric": "roc_auc"}),
}


ADJUSTED = {"holm": "Holm-adjusted", "max_t": "max-T-adjusted"}


@pytest.mark.parametrize("adjust", ADJUSTED)
@pytest.mark.parametrize("kind", SEVERAL)
def test_what_is_said_of_several_models_holds_together(kind, adjust):
    truth, outputs, asked = SEVERAL[kind]
    c = fw.compare_predictions(truth, outputs, **with_options({"adjust": adjust, **asked}))
    for pair in c.pairs:
        assert pair.estimate == pytest.approx(c.means[pair.a] - c.means[pair.b])
        if pair.interval is not None:
            assert pair.interval.low <= pair.estimate <= pair.interval.high
    assert c.guarantee == f"{c.procedure.guaranteed}; {ADJUSTED[adjust]} for 3 pairs"
    assert "proved" not in str(c).lower()


@pytest.mark.parametrize("posthoc", PAIR_TESTS)
def test_what_is_said_over_data_sets_holds_together(posthoc):
    table = RNG.normal(size=(12, 3)) * 0.02 + [0.8, 0.85, 0.82]
    c = fw.compare_table(table, test=posthoc, options=fw.Options(bayes="none"))
    assert c.guarantee == f"{PAIR_TESTS[posthoc].guaranteed}; {c.adjusted_by.title} for {len(c.pairs)} pairs"
    assert c.guarantee.startswith("exact") == (posthoc == "sign")


# ---- a procedure with another estimand


def trimmed(evidence):
    """The 20 % trimmed mean of each model."""
    return float(stats.trim_mean(evidence.a, 0.2)), float(stats.trim_mean(evidence.b, 0.2))


def yuen(batch) -> StudentResult:
    """Yuen's t for dependent samples (Wilcox 2012, section 5.9.2): the difference of the marginal trimmed means."""
    a, b = batch.given.a, batch.given.b
    n = len(a)
    cut = int(0.2 * n)
    kept = n - 2 * cut
    winsorized = [np.clip(x, np.sort(x)[cut], np.sort(x)[n - cut - 1]) for x in (a, b)]
    (q1, q12), (_, q2) = (n - 1) * np.cov(*winsorized)
    error = np.sqrt((q1 + q2 - 2 * q12) / (kept * (kept - 1)))
    first, second = trimmed(batch.given)
    return student_result(np.asarray(first - second), np.asarray(error), kept - 1)


def median_of_differences(batch) -> StudentResult:
    """As wrong as a test may be, but about the differences alone."""
    x = batch.data
    return student_result(np.asarray(np.median(x)), np.asarray(x.std(ddof=1) / np.sqrt(len(x))), len(x) - 1)


YUEN = Procedure(
    name="yuen",
    title="Yuen's trimmed t test",
    kind=MARKS,
    run=yuen,
    symbol="t",
    signed=True,
    reference="Yuen (1974), Biometrika 61",
    guarantee=unmeasured("measured by nobody here"),
    power=known_power,
    assumes=("the items are independent draws",),
    estimand=Estimand(called="20 % trimmed mean", of_each=trimmed),
)
MEDIAN = Procedure(
    name="median_t",
    title="t test of the median",
    kind=MARKS,
    run=median_of_differences,
    symbol="t",
    signed=True,
    reference="nobody (2026)",
    guarantee=unmeasured("invented"),
    power=known_power,
    estimand=Estimand(called="median difference"),
)
OUTLIERS = RNG.normal(1.0, 0.5, 60), RNG.normal(0.7, 0.5, 60)
OUTLIERS[0][:3] = 20.0


@pytest.fixture
def added(monkeypatch):
    """The two procedures in the catalogue: the one line."""
    monkeypatch.setattr(catalogue, "_CATALOGUE", {**catalogue._CATALOGUE, "yuen": YUEN, "median_t": MEDIAN})


@pytest.mark.usefixtures("added", "without_pictures")
def test_a_trimmed_mean_is_called_one_everywhere():
    c = fw.compare_predictions(None, dict(zip(("new", "old"), OUTLIERS, strict=True)), test="yuen", metric="grade")
    plain = fw.compare_predictions(None, dict(zip(("new", "old"), OUTLIERS, strict=True)), metric="grade")
    wanted = [stats.trim_mean(x, 0.2) for x in OUTLIERS]
    assert c.pairs[0].means == pytest.approx(wanted)
    assert c.estimate == pytest.approx(wanted[0] - wanted[1])
    assert plain.estimate > 2 * c.estimate  # the outliers
    curve = c.posterior()
    assert abs(curve.difference[np.argmax(curve.height)] - c.estimate) < c.interval.width / 20
    assert c.interval.low < c.estimate < c.interval.high
    assert "the 20 % trimmed mean grade of new minus that of old" in c.estimand
    for shown in (" ".join(str(c).split()), c.to_html(), c.to_markdown()):
        assert "20 % trimmed mean grade" in shown
        assert "the mean" not in shown.lower()
        assert "Approximate; measured by nobody here." in " ".join(c.details().split())
    told = json.loads(json.dumps(c.to_dict()))
    assert told["pairs"][0]["means"] == pytest.approx(wanted)
    assert told["estimate"] == pytest.approx(wanted[0] - wanted[1])
    again = c.claims()[0].found
    assert again.startswith("20 % trimmed mean grade differs by")


@pytest.mark.usefixtures("added", "without_pictures")
def test_an_estimand_of_the_differences_alone_shows_no_means_beside_it():
    c = fw.compare_predictions(None, dict(zip(("new", "old"), OUTLIERS, strict=True)), test="median_t", metric="grade")
    assert c.estimate == pytest.approx(np.median(OUTLIERS[0] - OUTLIERS[1]))
    assert "the median difference in grade, new minus old" in c.estimand
    text = " ".join(str(c).split())
    assert "grade, median difference, a difference of 0." in text
    assert " vs " not in text.partition(", a difference of")[0].partition("items")[2]
    assert "median difference new − old was" in " ".join(c.to_html().split())


@pytest.mark.usefixtures("added")
def test_it_is_swapped_and_shifted_as_any_other():
    a, b = OUTLIERS
    c, d = (fw.compare_predictions(None, dict(zip("ab", pair, strict=True)), test="yuen") for pair in ((a, b), (b, a)))
    assert (d.estimate, d.pvalue) == pytest.approx((-c.estimate, c.pvalue))
    assert fw.compare_predictions(None, {"a": a + 5, "b": b + 5}, test="yuen").estimate == pytest.approx(c.estimate)
