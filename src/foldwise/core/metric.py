"""What the name of a metric tells: which direction is better, and in which unit scores come. One rule for all doors."""

from __future__ import annotations

import re
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.metric_words import metric_words

__all__ = [
    "UNNAMED",
    "Unit",
    "direction_caveats",
    "direction_words",
    "is_loss",
    "practical_difference",
    "resolve_direction",
    "unit_caveats",
    "unit_of",
]

Unit = Literal["fraction", "percent", "own"]
"""Shares of 1 that people read as percentages; percentages; anything else, the metric's own unit."""

UNNAMED = "score"
"""What scores are called whose metric was not named; by that word higher is better."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LOSSES = _set(
    "error errors err errs loss losses mse rmse mae mape smape wape msle rmsle rmspe mase medae maxerr sse rss brier "
    "deviance logloss nll crossentropy entropy xent perplexity ppl bpb bpc wer cer ter eer ece mce fid kid crps regret "
    "cost risk misclassification misclassified mistakes mistake wrong incorrect distance divergence kl hamming "
    "hinge pinball fpr fnr fdr false aic bic latency runtime time seconds ms drop decrease residual residuals"
)
_GAINS = _set(
    "accuracy acc auc auroc roc auprc aucpr ap map f1 f2 fbeta precision recall sensitivity specificity tpr tnr ppv "
    "npv r2 r² correlation corr corrcoef pearson spearman kendall mcc kappa jaccard iou miou dice dcg ndcg mrr bleu "
    "rouge meteor chrf em match pass hit hits win wins winrate likelihood loglik loglikelihood explained gain lift "
    "skill elo reward return similarity correct psnr ssim purity completeness homogeneity throughput true predictive "
    "improvement reduction increase savings utility profit mark marks grade grades rating"
)
_LOSS_ENDINGS = ("loss", "error", "mse", "rmse", "mae", "entropy", "deviance")
_GAIN_ENDINGS = ("accuracy", "auc", "precision", "recall")
_NEUTRAL = _set("score scores")

_SHOWN_IN_PERCENT = _set("accuracy error balanced_accuracy")
_RATES = _set(
    "accuracy acc error err auc auroc roc auprc aucpr ap map f1 f2 fbeta precision recall sensitivity specificity tpr "
    "tnr fpr fnr fdr ppv npv jaccard iou miou dice ndcg em match pass hit hits win winrate correct wer cer ter eer "
    "misclassification wrong incorrect purity rate percent percentage kappa mcc r2 mape smape wape bleu rouge"
)
_NOT_RATES = _set("squared absolute square quadratic standard std max log")
_BEYOND_SHARES = 1.5


def is_loss(metric: str) -> bool | None:
    """Whether the metric's name says that lower is better; None where it does not tell.

    The last telling word decides, as in any English compound: a dice loss is a loss, an error reduction is none.
    Scikit-learn's ``neg_…`` turns a loss round.

    Examples
    --------
    >>> is_loss("RMSE"), is_loss("neg_log_loss"), is_loss("1 - AUC"), is_loss("balanced_accuracy"), is_loss("zeal")
    (True, False, True, False, None)
    """
    name = metric.strip()
    if "greater_is_better=false" in name.lower().replace(" ", ""):
        return False  # how scikit-learn writes a scorer that negates a loss
    complement = re.match(r"(1|one)\s*([-−–]|minus)\s*", name, flags=re.IGNORECASE)
    if complement:
        rest = is_loss(name[complement.end() :])
        return None if rest is None else not rest
    words = _words(name)
    if words[:1] == ["d2"]:
        return False  # the share of a loss that is explained away
    if words[:1] in (["neg"], ["minus"], ["negative"]):
        return _negated(words[0], words[1:])
    return _told(words)


def resolve_direction(metric: str, higher_is_better: bool | None) -> tuple[bool, bool]:
    """Whether higher is better, and whether that is only assumed because neither the name nor anybody says so.

    Examples
    --------
    >>> resolve_direction("rmse", None), resolve_direction("rmse", True), resolve_direction("zeal", None)
    ((False, False), (True, False), (True, True))
    """
    if higher_is_better is not None:
        return bool(higher_is_better), False
    loss = is_loss(metric)
    return not loss, loss is None or _unnamed(metric)


def direction_words(metric: str, higher_is_better: bool, *, assumed: bool = False) -> str:
    """Which direction is better, to be shown in every answer.

    Examples
    --------
    >>> direction_words("rmse", False)
    'lower RMSE is better'
    """
    side = "higher" if higher_is_better else "lower"
    return f"{side} {metric_words(metric)} is better" + (" (assumed)" if assumed else "")


def direction_caveats(metric: str, higher_is_better: bool, *, assumed: bool) -> list[str]:
    """What must be said of the direction: that it was assumed, or that it contradicts the name.

    Examples
    --------
    >>> direction_caveats("accuracy", True, assumed=False)
    []
    """
    words = direction_words(metric, higher_is_better)
    if assumed and _unnamed(metric):
        return []  # the word "score" is enough, and the direction is shown
    if assumed:
        return [f"the name {metric!r} does not tell its direction: that {words} is assumed; give higher_is_better "
                "(--lower-is-better) if it isn't so"]  # fmt: skip
    loss = is_loss(metric)
    if loss is None or loss != higher_is_better:
        return []
    return [f"{metric} is a {'loss' if loss else 'gain'} by its name, but as asked for, {words}"]


def unit_of(metric: str, values: ArrayLike = ()) -> Unit:
    """The unit of scores: percentages are rates, or scores without a name, that go beyond 1.5 and not beyond 100.

    Examples
    --------
    >>> unit_of("accuracy", [0.8, 0.9]), unit_of("accuracy", [80, 90]), unit_of("rmse", [80, 90]), unit_of("auc", [0.8])
    ('fraction', 'percent', 'own', 'own')
    """
    largest, least = _extent(values)
    if largest > _BEYOND_SHARES:
        rate = _unnamed(metric) or is_rate(metric)
        return "percent" if rate and largest <= 100 and least >= -100 else "own"
    return "fraction" if metric in _SHOWN_IN_PERCENT else "own"


def is_rate(metric: str) -> bool:
    """Whether the name is that of a share, which people write as a fraction or in percent.

    Examples
    --------
    >>> is_rate("error rate"), is_rate("f1_macro"), is_rate("mean_squared_error")
    (True, True, False)
    """
    words = set(_words(metric))
    return bool(words & _RATES) and not words & _NOT_RATES


def practical_difference(rope: float | None, unit: Unit) -> float:
    """The half-width of the region of practical equivalence: the one given, else one point of a rate.

    Examples
    --------
    >>> practical_difference(None, "fraction"), practical_difference(None, "percent"), practical_difference(2, "own")
    (0.01, 1.0, 2.0)
    """
    if rope is None:
        return 1.0 if unit == "percent" else 0.01
    return float(rope)


def unit_caveats(metric: str, unit: Unit, rope: float, values: ArrayLike) -> list[str]:
    """What must be said of the unit: that it was guessed, or that the region of equivalence may not be meant.

    Examples
    --------
    >>> unit_caveats("accuracy", "fraction", 0.01, [0.8])
    []
    """
    if unit == "percent":
        said = "the scores are taken for percentages, and differences of up to "
        said += f"{rope:g} {'point' if rope == 1 else 'points'} for unimportant; give rope (--rope) if that isn't meant"
        return [said] if _unnamed(metric) or 0 < rope < 0.1 else []
    if rope == 0.01 and max(map(abs, _extent(values))) > _BEYOND_SHARES:
        return ["the region of practical equivalence is 0.01 in the scores' own unit; give rope (--rope) if that isn't "
                "meant"]  # fmt: skip
    return []


def _negated(sign: str, words: list[str]) -> bool | None:
    """A negated loss is none, nor is what scikit-learn negates; a negative log-likelihood is a loss again."""
    if words[:1] == ["negative"]:
        return False
    told = _told([word for word in words if word not in _NEUTRAL])
    if sign == "negative" and told is False:
        return "likelihood" in words  # but a negative predictive value is a gain
    return False if told is None else not told


def _unnamed(metric: str) -> bool:
    return metric.strip().lower() == UNNAMED


def _told(words: list[str]) -> bool | None:
    """What the last telling word says; "score" speaks only where no other word does: a Brier score is a loss."""
    for word in reversed(words):
        if word in _NEUTRAL:
            continue
        if word in _LOSSES or word.endswith(_LOSS_ENDINGS):
            return True
        if word in _GAINS or word.endswith(_GAIN_ENDINGS):
            return False
    return None if _NEUTRAL.isdisjoint(words) else False


def _words(name: str) -> list[str]:
    """The words of a name: "Mean_Squared-Error", "meanSquaredError" and "F1 score" fall apart as they are read."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z]{2})", " ", name)
    words = re.findall(r"[^\W_]+", apart.replace("^", "").lower())
    joined = " ".join(words).replace("cross entropy", "crossentropy").replace("log loss", "logloss")
    return joined.split()


def _extent(values: ArrayLike) -> tuple[float, float]:
    """Largest and least of the values that are there."""
    array = np.asarray(values, dtype=np.float64)
    found = array[~np.isnan(array)]
    return (float(found.max()), float(found.min())) if found.size else (0.0, 0.0)
