"""Two classifiers compared from their predictions on one test set."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Interval
from foldwise.core.validation import fraction, not_negative, two_names
from foldwise.data.predictions import PredictionFile
from foldwise.evidence.outcomes import Outcomes
from foldwise.inference.catalogue import PLANS, Procedure, find_procedure
from foldwise.inference.mcnemar_power import mcnemar_detectable_difference
from foldwise.inference.paired_difference import paired_difference
from foldwise.inference.paired_posterior import paired_posterior
from foldwise.inference.probabilities import Probabilities
from foldwise.verdict.baseline import with_baseline
from foldwise.verdict.clustered_numbers import OutcomeNumbers, clustered_numbers
from foldwise.verdict.comparison import Comparison

__all__ = ["compare_marks", "compare_predictions", "judge_outcomes", "judge_prediction_file"]


def compare_predictions(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike,
    *,
    test: str = "auto",
    groups: ArrayLike | None = None,
    alpha: float = 0.05,
    rope: float = 0.01,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two classifiers from their predictions on the same test examples.

    Parameters
    ----------
    y_true, pred_a, pred_b
        True labels, and those that a and b predict; a label that never occurs in the truth is an error. Probabilities
        and other numbers that are no labels are refused; right/wrong marks go to `compare_marks`.
    test
        A name of the catalogue, or "auto": McNemar's mid-p test, or with `groups` the cluster-robust t test.
    groups
        The cluster of each example, where examples come in clusters (several questions about one document …).
    alpha
        Significance level.
    rope
        Half-width of the region of practical equivalence, as a difference of accuracies.
    names
        What to call the classifiers.

    Returns
    -------
    Comparison
        `estimate` is accuracy(a) − accuracy(b), with Tango's score interval beside McNemar's test.

    Examples
    --------
    >>> c = compare_predictions(["x", "y"] * 20, ["x", "y"] * 19 + ["y", "x"], ["x"] * 40)
    >>> c.test, c.better, round(c.estimate, 3)
    ('mcnemar', 'a', 0.45)
    """
    outcomes = Outcomes.from_predictions(y_true, pred_a, pred_b, groups=groups)
    return judge_outcomes(outcomes, test=test, alpha=alpha, rope=rope, names=names)


def compare_marks(
    marks_a: ArrayLike,
    marks_b: ArrayLike,
    *,
    test: str = "auto",
    groups: ArrayLike | None = None,
    alpha: float = 0.05,
    rope: float = 0.01,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two models whose answers to the same items were marked right or wrong.

    Parameters
    ----------
    marks_a, marks_b
        One mark per item: 1 and 0, true and false, or the words right and wrong, correct and incorrect, pass and fail.
    test, groups, alpha, rope, names
        As in `compare_predictions`.

    Returns
    -------
    Comparison
        `estimate` is the share of right answers of a minus that of b.

    Examples
    --------
    >>> c = compare_marks([1] * 38 + [0] * 2, [1] * 20 + [0] * 20)
    >>> c.test, c.better, round(c.estimate, 3)
    ('mcnemar', 'a', 0.45)
    """
    outcomes = Outcomes.from_correct(marks_a, marks_b, groups=groups)
    return judge_outcomes(outcomes, test=test, alpha=alpha, rope=rope, names=names)


def judge_prediction_file(file: PredictionFile, **options: Any) -> Comparison:
    """Compare the two classifiers of a file, by labels or, where it has no truth, by marks."""
    a, b = file.pair()
    columns = file.predictions[a], file.predictions[b]
    if file.truth is None:
        return compare_marks(*columns, groups=file.groups, names=(a, b), **options)
    return compare_predictions(file.truth, *columns, groups=file.groups, names=(a, b), **options)


def judge_outcomes(
    outcomes: Outcomes,
    *,
    test: str = "auto",
    alpha: float = 0.05,
    rope: float = 0.01,
    names: tuple[str, str] = ("a", "b"),
) -> Comparison:
    """Compare two classifiers from per-example outcomes; see `compare_predictions`."""
    alpha, rope = fraction(alpha, "alpha"), not_negative(rope, "rope")
    procedure, reason = _choose(outcomes, test)
    judge = clustered_numbers if procedure.needs == "clusters" else _paired
    numbers = judge(outcomes, procedure, alpha=alpha, rope=rope)
    c = Comparison(
        names=two_names(names),
        test=procedure.name,
        title=procedure.title,
        symbol=procedure.symbol,
        reference=procedure.reference,
        estimate=(outcomes.n10 - outcomes.n01) / outcomes.n,
        interval=numbers.interval,
        statistic=numbers.statistic,
        df=numbers.df,
        pvalue=numbers.pvalue,
        alpha=alpha,
        means=(float(outcomes.correct_a.mean()), float(outcomes.correct_b.mean())),
        rope=rope,
        rope_probabilities=numbers.probabilities,
        detectable_difference=numbers.detectable,
        metric="accuracy",
        higher_is_better=True,
        design=_design(outcomes),
        estimand="over test examples like these, the accuracy of these two fitted models; another training set may "
        "give other models.",
        reason=reason,
        evidence=outcomes,
        caveats=tuple(_caveats(outcomes, procedure, names, numbers, alpha)),
    )
    return c if outcomes.majority is None else with_baseline(c, outcomes.majority)


def _choose(outcomes: Outcomes, test: str) -> tuple[Procedure, str]:
    if test != "auto":
        procedure = find_procedure(test)
        if procedure.needs not in ("table", "clusters") or (procedure.needs == "clusters" and outcomes.groups is None):
            raise InvalidInput(f"test '{procedure.name}' needs {PLANS[procedure.needs]}, got predictions without them")
        return procedure, f"it was asked for by name ({procedure.reference})."
    if outcomes.groups is not None:
        return find_procedure("clustered_difference"), (
            "examples of one cluster resemble each other, and its standard error lets them; it is never more certain "
            "than a test that takes them as independent."
        )
    return find_procedure("mcnemar"), (
        "both classifiers saw the same test examples, so only those on which they disagree carry information; mid-p "
        "keeps its level without the exact test's caution (Fagerland, Lydersen & Laake 2013). The interval is "
        "Tango's score interval."
    )


def _paired(outcomes: Outcomes, procedure: Procedure, *, alpha: float, rope: float) -> OutcomeNumbers:
    cells = outcomes.n00, outcomes.n01, outcomes.n10, outcomes.n11
    result = procedure.run(*cells)
    # the procedures speak of error rates, a comparison of accuracies: the sign turns
    interval = -paired_difference(*cells, method="tango").confidence_interval(1 - alpha)
    unsigned = procedure.symbol != "z"
    return OutcomeNumbers(
        statistic=float(result.statistic) if unsigned else -float(result.statistic),
        df=getattr(result, "df", None),
        pvalue=float(result.pvalue),
        interval=Interval(low=float(interval.low), high=float(interval.high)),
        probabilities=_rope_probabilities(outcomes, rope),
        detectable=_mcnemar_detectable(outcomes, procedure, alpha),
    )


def _mcnemar_detectable(outcomes: Outcomes, procedure: Procedure, alpha: float) -> float | None:
    if not procedure.name.startswith("mcnemar"):
        return None
    # half a disagreement each way, as the posterior of the reported probabilities assumes: never a rate of 0
    rate = (outcomes.n01 + outcomes.n10 + 1) / (outcomes.n + 2)
    method: Any = procedure.name.partition("_")[2] or "midp"
    return mcnemar_detectable_difference(outcomes.n, rate, alpha=alpha, method=method)


def _rope_probabilities(outcomes: Outcomes, rope: float) -> Probabilities:
    posterior = paired_posterior(outcomes.n00, outcomes.n01, outcomes.n10, outcomes.n11, rope=rope)
    return Probabilities(
        a_better=float(posterior.below), equivalent=float(posterior.within), b_better=float(posterior.above)
    )


def _design(outcomes: Outcomes) -> str:
    clusters = "" if outcomes.groups is None else f" in {int(outcomes.groups.max()) + 1} clusters"
    return f"{outcomes.n} test example{'' if outcomes.n == 1 else 's'}{clusters}"


def _caveats(
    outcomes: Outcomes, procedure: Procedure, names: tuple[str, str], numbers: OutcomeNumbers, alpha: float
) -> list[str]:
    caveats = []
    if procedure.warning:
        caveats.append(f"{procedure.title}: {procedure.warning}")
    if outcomes.groups is not None and procedure.needs == "table":
        caveats.append(
            f"{procedure.title}, its interval and the probabilities take the examples as independent although they "
            "come in clusters"
        )
    caveats += numbers.caveats
    if outcomes.n01 + outcomes.n10 == 0:
        caveats.append(
            "the two classifiers are right and wrong on the same examples, so there is no evidence of a difference"
        )
    for name, unseen in zip(names, outcomes.unseen, strict=True):
        if unseen:
            some = f"1 prediction of {name} is a label" if unseen == 1 else f"{unseen} predictions of {name} are labels"
            caveats.append(f"{some} that never occur{'s' * (unseen == 1)} in the truth; counted as wrong")
    if (numbers.pvalue < alpha) == (0 in numbers.interval):
        caveats.append("the test and the interval rest on different approximations and disagree here: a close call")
    caveats.append("one test set: the answer is about these fitted models, not about the algorithms that trained them")
    return caveats
