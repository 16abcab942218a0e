"""What the name of a metric tells: which direction is better, and in which unit scores come. One rule for all doors."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput, column
from foldwise.core.types import Array
from foldwise.core.validation import one_of

# ---- Names of metrics as people write them: ROC AUC for ``roc_auc``, macro F1 for ``f1_macro``.

_WHOLE = {
    "brier": "Brier score", "chrf": "chrF", "chrf++": "chrF++", "miou": "mIoU",
    "matthews_corrcoef": "Matthews correlation", "cohen_kappa": "Cohen's kappa", "c_index": "C-index",
    "c_index_uno": "Uno's C-index",
}  # fmt: skip
_WORDS = {
    "ap": "AP", "auc": "AUC", "auprc": "AUPRC", "auroc": "AUROC", "bleu": "BLEU", "brier": "Brier", "cer": "CER",
    "d2": "D²", "dcg": "DCG", "f1": "F1", "f2": "F2", "iou": "IoU", "mae": "MAE", "mape": "MAPE", "mcc": "MCC",
    "mrr": "MRR", "mse": "MSE", "ndcg": "nDCG", "neg": "negative", "ovo": "one-vs-one", "ovr": "one-vs-rest",
    "r2": "R²", "rmse": "RMSE", "roc": "ROC", "rouge": "ROUGE", "ter": "TER", "wer": "WER", "wql": "WQL",
}  # fmt: skip
_IN_FRONT = frozenset({"macro", "micro", "ovo", "ovr", "samples", "weighted"})
_CODED = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


COSTS = (
    "cost", "price", "usd", "dollars", "tokens", "latency", "seconds", "duration", "runtime", "total_time", "time_s",
)  # fmt: skip
"""Words in the names of metrics that are costs, the more telling first."""


def called_cost(name: str) -> bool:
    """Whether a metric is called like a cost of the answers, which tells nothing of their quality.

    >>> called_cost("user_cost"), called_cost("accuracy")
    (True, False)
    """
    return any(word in re.sub(r"\W+", "_", name.lower()) for word in COSTS)


def metric_words(name: str) -> str:
    """The metric as a person would write it; names that somebody wrote with blanks or capitals stay as they are.

    >>> [metric_words(name) for name in ("roc_auc", "f1_macro", "neg_log_loss", "r2", "accuracy", "Dice (mean)")]
    ['ROC AUC', 'macro F1', 'negative log loss', 'R²', 'accuracy', 'Dice (mean)']
    """
    if name in _WHOLE:
        return _WHOLE[name]
    if not _CODED.fullmatch(name):
        word, at, limit = name.partition("@")
        return f"{metric_words(word)}@{limit}" if at and _CODED.fullmatch(word) else name
    parts = name.split("_")
    front = [part for part in reversed(parts) if part in _IN_FRONT and len(parts) > 1]
    rest = [part for part in parts if part not in front]
    return " ".join(_WORDS.get(part, part) for part in (*front, *rest))


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedRuns:
    """The best or the worst of k runs of each item: what ``pass@3``, ``pass^3``, ``best@3`` and ``worst@3`` ask for."""

    name: str  #: As it was asked for
    #: take, k: Which of how many runs
    take: Literal["best", "worst"]
    k: int
    right_wrong: bool  #: Whether runs must be right or wrong (``pass``)
    of: str  #: The metric of a single run, where it was named: ``best@3 of reward``


_REPEATED = re.compile(r"(pass|best|worst)(@|(?<=pass)\^)(\d{1,9})(?: of (.+))?")


def repeated_runs(metric: object) -> RepeatedRuns | None:
    """What a name asks for that is about several runs of each item; None where it is not.

    >>> repeated_runs("pass^3").take, repeated_runs("best@5 of reward").of, repeated_runs("accuracy")
    ('worst', 'reward', None)
    """
    found = _REPEATED.fullmatch(metric.strip()) if isinstance(metric, str) else None
    if found is None or not isinstance(metric, str):
        return None
    word, sign, k, of = found.groups()
    if int(k) < 1:
        raise InvalidInput(f"{metric} must be of at least 1 run")
    take: Literal["best", "worst"] = "worst" if word == "worst" or sign == "^" else "best"
    return RepeatedRuns(name=metric.strip(), take=take, k=int(k), right_wrong=word == "pass", of=of or "")


Unit = Literal["fraction", "percent", "own"]
"""Shares of 1 that people read as percentages; percentages; anything else, the metric's own unit."""

UNITS: tuple[Unit, ...] = ("fraction", "percent", "own")  # What people may say.

UNNAMED, UNNAMED_MARK = "score", "mark"  # What scores of splits and of items are called whose metric was not named.


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LOSSES = _set(
    "error errors err errs loss losses mse rmse mae mape smape wape msle rmsle rmspe mase medae maxerr sse rss brier "
    "deviance logloss nll crossentropy entropy xent perplexity ppl bpb bpc wer cer ter eer ece mce fid kid crps regret "
    "cost risk misclassification misclassified mistakes mistake wrong incorrect distance divergence kl hamming "
    "hinge pinball fpr fnr fdr false aic bic latency runtime time seconds ms drop decrease residual residuals failure "
    "failures fail fails failed miss misses missed missrate rae rrse rse nmse nrmse rmsse lpips nlpd fvd wis winkler "
    "violation violations hallucination hallucinations toxicity toxic disparity unfairness delay price energy memory "
    "hallucinated unsafe harmful offensive timeouts crashes exceptions defects faults bugs regressions shortfall "
    "wql surprisal bits bitsperbyte bpd emd wasserstein mpjpe chamfer"
)
_GAINS = _set(
    "accuracy acc auc auroc roc auprc aucpr ap map f1 f2 fbeta precision recall sensitivity specificity tpr tnr ppv "
    "npv r2 r² correlation corr corrcoef pearson spearman kendall mcc kappa jaccard iou miou dice dcg ndcg mrr bleu "
    "rouge meteor chrf em match pass hit hits win wins winrate likelihood loglik loglikelihood explained gain lift "
    "skill elo reward return similarity correct psnr ssim purity completeness homogeneity throughput true predictive "
    "improvement reduction increase savings utility profit rating ratings success successes solved resolved passed "
    "rand mutual fowlkes fmeasure vmeasure cindex concordance helpfulness correctness faithfulness relevance quality "
    "mdice"
)
_BESIDE_METRICS = _set(
    "score scores test train val validation cv mean median average avg max log squared absolute root square balanced "
    "macro micro weighted rate relative normalized top neg percentage per token wide long table results result by all "
    "final summary comparison fold folds dataset datasets data item items model models values"
)
"""What stands beside the word that tells, in names of metrics and of files."""
_LOSS_ENDINGS = ("loss", "error", "mse", "rmse", "mae", "entropy", "deviance")
_GAIN_ENDINGS = ("accuracy", "auc", "precision", "recall")
_NEUTRAL = _set("score scores")
_TESTED = _set("test train val validation cv")
"""What scikit-learn puts in front of scores, of which higher ones are better by its convention."""

_SHOWN_IN_PERCENT = _set("accuracy error balanced_accuracy resolved passed solved")
_RATES = _set(
    "accuracy acc error err auc auroc roc auprc aucpr ap map f1 f2 fbeta precision recall sensitivity specificity tpr "
    "tnr fpr fnr fdr ppv npv jaccard iou miou dice ndcg em match pass hit hits win winrate correct wer cer ter eer "
    "misclassification wrong incorrect purity rate percent percentage kappa mcc r2 mape smape wape bleu rouge"
)
_NOT_RATES = _set("squared absolute abs square quadratic standard std max log")
_MAY_BE_SIZES = _set("error err errors wer cer ter mape smape wape")
"""Rates that may be sizes too: an error of 1.7 degrees, two word errors for one word."""
_BEYOND_SHARES = 1.5
_HIGHEST_GRADE = 10
_ROUNDING = 1e-9
_NO_COUNT = 20  # What is as large as this beside 0 and 1 is no count of a few.
_COMPOUNDS = {
    "cross entropy": "crossentropy", "log loss": "logloss", "bits per": "bits", "f measure": "fmeasure",
    "v measure": "vmeasure", "c index": "cindex",
}  # fmt: skip
"""Words that tell something together only."""


_SAID = re.compile(r"(lower|higher|smaller|larger|less|more)[ _]*(?:is|=)[ _]*(?:better|best)|[↓↑]")
"""What people write beside a metric."""


def is_loss(metric: str) -> bool | None:
    """Whether the metric's name says that lower is better; None where it does not tell.

    The last telling word decides, as in any English compound: a dice loss is a loss, an error reduction is none.
    Scikit-learn's ``neg_…`` turns a loss round.

    >>> is_loss("RMSE"), is_loss("neg_log_loss"), is_loss("1 - AUC"), is_loss("balanced_accuracy"), is_loss("zeal")
    (True, False, True, False, None)
    """
    name = metric.strip()
    if "greater_is_better=false" in name.lower().replace(" ", ""):
        return False  # how scikit-learn writes a scorer that negates a loss
    if (said := _SAID.search(name.lower())) is not None:
        return said[0] == "↓" or said[1] in ("lower", "smaller", "less")
    complement = re.match(r"(1|one)\s*([-−–]|minus)\s*", name, flags=re.IGNORECASE)
    if complement:
        rest = is_loss(name[complement.end() :])
        return None if rest is None else not rest
    words = _words(name)
    if words[:1] == ["d2"]:
        return False  # the share of a loss that is explained away
    if words[:1] in (["neg"], ["minus"], ["negative"]):
        return _negated(words[0], words[1:])
    if words[-1:] in (["rank"], ["ranks"], ["ranking"]):
        return "reciprocal" not in words  # rank 1 is the best; "rank 1" is an accuracy
    return _told(words)


def names_metric(name: str) -> bool:
    """Whether a name is that of a metric and nothing else, so that it tells what numbers in a file of that name are.

    >>> [names_metric(name) for name in ("rmse_by_fold", "test_accuracy", "pass_fail_results", "b_TRUE")]
    [True, True, False, False]
    """
    told = {_told([word]) for word in _words(name) if not word.isdigit() and word not in _BESIDE_METRICS}
    return is_loss(name) is not None and len(told) == 1 and None not in told


def common_metric(names: Sequence[str]) -> str | None:
    """The metric that all names begin or end with, ``a_loss`` and ``b_loss``; None where there is none.

    >>> common_metric(["a_loss", "b_loss"]), common_metric(["acc-a", "acc-b"]), common_metric(["a", "b"])
    ('loss', 'acc', None)
    """
    parts = [re.split(r"[\s_.:/-]+", name.strip()) for name in names]
    for place in (-1, 0):
        words = {part[place].lower() for part in parts if len(part) > 1}
        if len(words) == 1 and all(len(part) > 1 for part in parts) and names_metric(word := words.pop()):
            return word
    return None


def check_scales(metric: str, values: Mapping[str, ArrayLike], *, of_items: bool = True) -> None:
    """Refuse models that are not measured alike: one in percent and one in fractions, 0 and 1 beside other numbers.

    An unbounded loss may well be a hundred times as large for one model as for another; so may whole numbers
    without a declared meaning, but for items that are right and wrong (`of_items`: values belong to items).
    """
    extents = {name: _extent(np.asarray(given, dtype=np.float64)) for name, given in values.items()}
    large = {name: least for name, (largest, least) in extents.items() if largest > 1}
    small = {name: largest for name, (largest, least) in extents.items() if least >= 0 and largest <= 1 and largest > 0}
    if not large or not small or (is_loss(metric) and not is_rate(metric)):
        return
    big = max(large, key=lambda name: extents[name][0])
    for name in small:
        known = _known(values[name])
        whole = bool(np.isin(known, (0.0, 1.0)).all())
        answers = of_items and known.size > 1 and whole and extents[big][0] >= _NO_COUNT
        share = float(np.median(known)) * 100
        in_percent = share > 0 and 1 / 3 < float(np.median(_known(values[big]))) / share < 3
        sure = is_rate(metric) and not _may_be_size(metric)
        counts = is_loss(metric) is None and bool((np.mod(_known(values[big]), 1) == 0).all())
        if answers or (large[big] > 1 and (sure or (not whole and (in_percent or counts)))):
            spans = (f"{one!r} from {extents[one][1]:g} to {extents[one][0]:g}" for one in (name, big))
            raise InvalidInput(
                f"models must be measured alike, but {metric_words(metric)} goes for {' and for '.join(spans)}: write "
                f"fractions or percentages for all, or name the models ({column('model', 'NAME')})"
            )


def is_share(values: ArrayLike) -> bool:
    largest, least = _extent(values)
    return least >= 0 and largest <= 1


def measured_by(metric: str, names: Sequence[str]) -> str:
    """The metric that was named; where none was, the one that all names of the models end or begin with."""
    return (common_metric(names) or metric) if metric in (UNNAMED, UNNAMED_MARK) else metric


_SENTINELS = frozenset((-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0))
"""Numbers that programs write where there is none."""
_FEW = 0.25


def sentinel_decisions(names: Sequence[str], values: Sequence[ArrayLike]) -> tuple[Decision, ...]:
    """That a number which may stand for "no value" counts as one: −1 beside shares, −999 beside anything."""
    every = np.concatenate([_known(part).ravel() for part in values])
    for sentinel in {every.min(), every.max()} & _SENTINELS if every.size else ():
        rest = every[every != sentinel]
        count = every.size - rest.size
        if not 0 < count <= _FEW * every.size:
            continue
        low, high = float(rest.min()), float(rest.max())
        below, above = sentinel < 0 <= low and (sentinel < -1 or high <= 1), sentinel > 9 * max(high, -low)
        if below or above:
            of = ", ".join(name for name, part in zip(names, values, strict=True) if (_known(part) == sentinel).any())
            told = f"{sentinel:g} counts as a value ({count} of {of})"
            return (Decision(what="sentinel", value=told, how="assumed", change="leave it empty"),)
    return ()


def resolve_direction(metric: str, higher_is_better: bool | None) -> tuple[bool, How]:
    """Whether higher is better, and how that came about: assumed where neither the name nor anybody says so.

    >>> resolve_direction("rmse", None), resolve_direction("rmse", True), resolve_direction("zeal", None)
    ((False, 'by its name'), (True, 'declared'), (True, 'assumed'))
    """
    if higher_is_better is not None:
        return bool(higher_is_better), "declared"
    loss = is_loss(metric)
    return not loss, "assumed" if loss is None else "by its name"


def direction_words(metric: str, higher_is_better: bool, *, assumed: bool = False) -> str:
    """Which direction is better, to be shown in every answer.

    >>> direction_words("rmse", False)
    'lower RMSE is better'
    """
    side = "higher" if higher_is_better else "lower"
    return f"{side} {metric_words(metric)} is better" + (" (assumed)" if assumed else "")


def direction_caveats(metric: str, higher_is_better: bool) -> list[str]:
    """That the direction contradicts the name, where it does.

    >>> direction_caveats("accuracy", False)
    ['accuracy is a gain by its name, but as asked for, lower accuracy is better']
    """
    loss = is_loss(metric)
    if loss is None or loss != higher_is_better:
        return []
    words = direction_words(metric, higher_is_better)
    return [f"{metric} is a {'loss' if loss else 'gain'} by its name, but as asked for, {words}"]


def measure_decisions(
    metric: str, unit: Unit, *, higher_is_better: bool, direction: How, declared_unit: bool = False, coding: str = ""
) -> tuple[Decision, ...]:
    """How direction and unit came about.

    `coding` is what stands for right and wrong, where that is what is assumed.

    >>> [str(one) for one in measure_decisions("zeal", "own", higher_is_better=True, direction="assumed")]
    ['higher zeal is better (assumed; higher_is_better=False (--lower-is-better) if not)']
    """
    words, change = direction_words(metric, higher_is_better), "higher_is_better=False (--lower-is-better)"
    found = [Decision(what="direction", value=coding or words, how=direction, change=change)]
    if unit == "percent":
        how: How = "declared" if declared_unit else "assumed" if _may_be_size(metric) else "by its name"
        value = f"{metric_words(metric)} is in percent"
        found.append(Decision(what="unit", value=value, how=how, change="unit='own' (--unit own)"))
    return tuple(found)


def unit_of(metric: str, values: ArrayLike = (), declared: Unit | None = None) -> Unit:
    """The unit of scores: percent where it is declared, or where a rate by its name goes beyond 1 and up to 100.

    Values alone never make percentages, and whole numbers from 1 to 10 are grades whatever their name. An error, which
    may be a size as well, is in percent from 10 on only, and shares never go beyond 1.

    >>> unit_of("accuracy", [0.8, 0.9]), unit_of("accuracy", [80, 90]), unit_of("rmse", [80, 90]), unit_of("auc", [0.8])
    ('fraction', 'percent', 'own', 'own')
    >>> unit_of("score", [80, 90]), unit_of("accuracy", [1, 3, 5]), unit_of("score", [80, 90], "percent")
    ('own', 'own', 'percent')
    """
    if declared is not None:
        return declared
    largest, least = _extent(values)
    if largest > (_HIGHEST_GRADE if _may_be_size(metric) else _BEYOND_SHARES):
        within = largest <= 100 and least >= -100
        array = np.asarray(values, dtype=np.float64)
        # whole numbers of a scale up to 10 are grades, as judges and people give them
        grades = largest <= _HIGHEST_GRADE and bool((np.mod(array[~np.isnan(array)], 1) == 0).all())
        return "percent" if is_rate(metric) and within and not grades else "own"
    rate = metric in _SHOWN_IN_PERCENT or ((runs := repeated_runs(metric)) is not None and runs.right_wrong)
    return "fraction" if rate and largest <= 1 + _ROUNDING else "own"


def _may_be_size(metric: str) -> bool:
    """Whether the name may be that of a rate or of a size: what tells "error rate" from "error"."""
    words = set(_words(metric))
    return bool(words & _MAY_BE_SIZES) and words.isdisjoint({"rate", "percent", "percentage", "classification"})


def check_unit(unit: str | None) -> Unit | None:
    """The unit that somebody says, which must be one of `UNITS`."""
    return None if unit is None else cast(Unit, one_of(unit, "unit", UNITS))


def declared_unit(decisions: Iterable[Decision]) -> Unit | None:
    """The unit that a file says: percent signs behind its numbers; None where it says nothing."""
    return "percent" if any(one.what == "unit" and one.how == "from the file" for one in decisions) else None


_FORECAST_LOSSES = _set("mae mse rmse mape smape wape nd mase rmsse msis owa wql sql crps pinball quantile wis")


def is_forecast_loss(metric: str) -> bool:
    """Whether the name is that of a loss of forecasts: ``eval_metrics/MASE[0.5]``.

    >>> is_forecast_loss("eval_metrics/MASE[0.5]"), is_forecast_loss("pinball@0.9"), is_forecast_loss("error rate")
    (True, True, False)
    """
    return not _FORECAST_LOSSES.isdisjoint(_words(metric))


def is_rate(metric: str) -> bool:
    """Whether the name is that of a share, which people write as a fraction or in percent.

    >>> is_rate("error rate"), is_rate("f1_macro"), is_rate("mean_squared_error")
    (True, True, False)
    """
    words = set(_words(metric))
    return (bool(words & _RATES) or "%" in metric) and not words & _NOT_RATES


def unit_caveats(unit: Unit, rope: float, values: ArrayLike) -> list[str]:
    """That the region of practical equivalence may not be what is meant in this unit.

    >>> unit_caveats("fraction", 0.01, [0.8])
    []
    """
    if unit == "percent":
        said = "the scores are taken for percentages, and differences of up to "
        said += f"{rope:g} points for unimportant; give rope (--rope) if that isn't meant"
        return [said] if 0 < rope < 0.1 else []
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


def _told(words: list[str]) -> bool | None:
    """What the last telling word says; "score" tells nothing, but for scikit-learn's ``test_score``."""
    for word in reversed(words):
        if word in _NEUTRAL:
            continue
        if word in _LOSSES or word.endswith(_LOSS_ENDINGS):
            return True
        if word in _GAINS or word.endswith(_GAIN_ENDINGS):
            return False
    return None if _NEUTRAL.isdisjoint(words) or _TESTED.isdisjoint(words) else False


def _words(name: str) -> list[str]:
    """The words of a name: "Mean_Squared-Error", "meanSquaredError" and "F1 score" fall apart as they are read."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z]{2})", " ", name)
    words = re.findall(r"[^\W_]+", apart.replace("pass^", "pass ").replace("^", "").lower())
    joined = " ".join(words)
    for apart, whole in _COMPOUNDS.items():
        joined = joined.replace(apart, whole)
    return joined.split()


def _known(values: ArrayLike) -> Array:
    array = np.asarray(values, dtype=np.float64)
    return array[~np.isnan(array)]


def _extent(values: ArrayLike) -> tuple[float, float]:
    found = _known(values)
    return (float(found.max()), float(found.min())) if found.size else (0.0, 0.0)


# ---- How far a metric can go: the least and the largest value that its name allows, and with them the worst one.

_CORRELATIONS = {"mcc", "kappa", "correlation", "corr", "corrcoef", "pearson", "spearman", "kendall"}
_NO_LEAST = {"r2", "r²", "d2", "explained", "likelihood", "loglik", "loglikelihood"}
_NO_LARGEST = {"wer", "cer", "ter", "mape", "smape", "wape", "log", "absolute", "squared"}
_SHARES = {"hamming", "ece", "fpr", "fnr", "fdr", "eer", "mrr", "ndcg", "rr", "rbp"}
_ERRORS = {"error", "err", "errors"}
_BESIDE_ERROR = {"rate", "test", "train", "val", "validation", "classification", "mean", "cv", "top", "zero", "one"}
_BESIDE_ERROR |= {"exact", "0", "1", "5"}


def metric_range(metric: str) -> tuple[float, float] | None:
    """The least and the largest value of a metric, as a share of 1; None where its name does not tell.

    >>> [metric_range(name) for name in ("accuracy", "mcc", "r2", "log_loss")]
    [(0.0, 1.0), (-1.0, 1.0), (-inf, 1.0), None]
    """
    words = set(re.findall(r"[^\W_]+", metric.lower().replace("^", "")))
    if words & _NO_LEAST:
        return -math.inf, 1.0
    if words & _CORRELATIONS:
        return -1.0, 1.0
    if words & _NO_LARGEST:
        return None
    if words & _ERRORS:  # an error of 3.7 degrees is none that counts mistakes
        return (0.0, 1.0) if words <= _ERRORS | _BESIDE_ERROR else None
    return (0.0, 1.0) if is_rate(metric) or words & _SHARES else None


def worst_value(
    metric: str, values: ArrayLike, *, higher_is_better: bool, bounds: tuple[float, float] | None = None,
    unit: Unit | None = None,
) -> float:  # fmt: skip
    """The worst value that a model can have, in the metric's direction; refused where there is none.

    `values` (NaN among them) and `unit` tell the range of percentages; `bounds` are what somebody declared.

    >>> worst_value("accuracy", [1, 0], higher_is_better=True), worst_value("error", [12, 30], higher_is_better=False)
    (0.0, 100.0)
    """
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    found = _declared(bounds) if bounds is not None else _by_name(metric, known, unit)
    called = metric_words(metric)
    worst = math.inf if found is None else found[0] if higher_is_better else found[1]
    if math.isinf(worst):
        side = "lower" if higher_is_better else "upper"
        raise InvalidInput(
            f"missing='worst' needs a worst possible value, but {called} has no {side} limit that its name tells: give "
            "bounds (--bounds LOW HIGH), or missing='drop' (--missing drop)"
        )
    assert found is not None
    beyond = known[(known < found[0]) | (known > found[1])]
    if beyond.size:
        raise InvalidInput(
            f"missing='worst' needs values within {found[0]:g} and {found[1]:g}, the range of {called}, got "
            f"{beyond[0]:g}: give bounds (--bounds LOW HIGH)"
        )
    return worst


def _declared(bounds: tuple[float, float]) -> tuple[float, float]:
    low, high = map(float, bounds)
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise InvalidInput(f"bounds must be two numbers, the smaller first, got {bounds!r}")
    return low, high


def _by_name(metric: str, known: Array, unit: Unit | None) -> tuple[float, float] | None:
    found = metric_range(metric)
    if found is None:
        # right and wrong under a name that tells nothing: scorers are called anything
        return (0.0, 1.0) if not is_loss(metric) and known.size and np.isin(known, (0.0, 1.0)).all() else None
    times = 100.0 if unit_of(metric, known, unit) == "percent" else 1.0
    return found[0] * times, found[1] * times
