"""What a careful reader of a comparison of several models should know."""

from __future__ import annotations

from collections.abc import Sequence

from foldwise.comparison.models.comparison import ModelsComparison
from foldwise.comparison.omnibus import omnibus_caveats
from foldwise.comparison.pair import Pair
from foldwise.core.units import score_text

__all__ = ["gather_caveats", "with_baseline"]


def gather_caveats(c: ModelsComparison) -> ModelsComparison:
    """The comparison with its caveats: what the numbers themselves tell, then what no such answer says."""
    evidence = c.evidence
    caveats = [
        *c.kind.caveats(evidence, c.procedure, alpha=c.alpha / len(c.pairs), rope=c.rope),
        *_unknown(c),
        *_disagreeing(c),
        *_torn(c),
        c.kind.limit,
    ]
    c = c.replace(caveats=tuple(caveats))
    return c if evidence.majority is None else with_baseline(c, evidence.majority)


def with_baseline(c: ModelsComparison, accuracy: float) -> ModelsComparison:
    """The comparison with the baseline beside its means, and a caveat where no model beats it."""
    baseline = accuracy if c.higher_is_better else 1 - accuracy
    best = c.means[c.ranking[0]]
    if (best > baseline) if c.higher_is_better else (best < baseline):
        return c.replace(baseline=baseline)
    caveat = (
        f"none does better than always answering the most frequent class ({c.metric} "
        f"{score_text(baseline, c.unit)}), so that the comparison says nothing of what they have learned"
    )
    return c.replace(baseline=baseline, caveats=(caveat, *c.caveats))


def _unknown(c: ModelsComparison) -> list[str]:
    """Pairs whose difference does not vary, or too slowly over time."""
    constant = [pair for pair in c.pairs if pair.interval is None and pair.estimate != 0]
    if not constant:
        return []
    return [f"the spread of the difference of {_named(constant)} can't be told, and with it whether it is chance"]


def _disagreeing(c: ModelsComparison) -> list[str]:
    """Pairs where the adjusted p-value and the simultaneous interval say different things."""
    within = [pair for pair in c.pairs if pair.better is not None and pair.low <= 0 <= pair.high]
    beyond = [pair for pair in c.pairs if pair.better is None and (pair.low > 0 or pair.high < 0)]
    caveats = []
    if within and c.adjustment == "holm":
        caveats.append(
            f"by Holm's adjusted p-values {_named(within)} differ although 0 lies within the simultaneous interval, "
            "which takes Bonferroni's wider adjustment; with adjust='max_t' (--adjust max_t) the two agree"
        )
    elif within or beyond:
        caveats.append(
            "the test and the interval of a pair rest on different approximations and disagree here "
            f"({_named([*within, *beyond])}): a close call"
        )
    return caveats


def _torn(c: ModelsComparison) -> list[str]:
    """Where Cochran's Q and the pairs say different things."""
    if c.omnibus is None:
        return []
    return omnibus_caveats(float(c.omnibus.pvalue), c.alpha, sum(pair.better is not None for pair in c.pairs))


def _named(pairs: Sequence[Pair]) -> str:
    return ", ".join(f"{pair.a} and {pair.b}" for pair in pairs[:3]) + " …" * (len(pairs) > 3)
