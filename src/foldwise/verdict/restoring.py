"""Results judged again from the evidence that was kept with them in JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from foldwise.core.decisions import Decision, decisions_from
from foldwise.core.errors import FoldwiseError
from foldwise.core.result import Result
from foldwise.evidence.scores import Scores
from foldwise.kinds import Procedure, find_procedure
from foldwise.kinds.data_sets import PAIR_TESTS
from foldwise.verdict.comparison import Comparison
from foldwise.verdict.growth import growth_of
from foldwise.verdict.judge import judge
from foldwise.verdict.kept import read_evidence
from foldwise.verdict.many.by_metrics import ManyByMetrics
from foldwise.verdict.many.comparison import ManyComparison
from foldwise.verdict.many.from_table import compare_many
from foldwise.verdict.metrics_comparison import together
from foldwise.verdict.models.by_metrics import by_metrics
from foldwise.verdict.models.comparison import ModelsComparison
from foldwise.verdict.models.judge import judge_models
from foldwise.verdict.replication import Replication

__all__ = ["restore"]

Kept = Mapping[str, Any]
NEAR = 1e-6
"""Up to which numbers are the same that other versions or processors computed."""


def restore(kind: str, content: Kept) -> Result | None:
    """The result that was kept, judged again from its evidence.

    None where it has no evidence with it, or where judging it again does not come to the numbers that were kept: then
    what was kept counts, and nothing is drawn that might contradict it.

    Parameters
    ----------
    kind
        Which kind of result it is, as `result` in JSON.
    content
        All its keys.
    """
    evidence = content.get("evidence")
    if kind not in KINDS or evidence is None:
        return None
    try:
        return KINDS[kind](content, evidence)
    except FoldwiseError:
        return None


def _comparison(content: Kept, evidence: Kept) -> Comparison | None:
    given = read_evidence(evidence)
    asked = {name: content[name] for name in ("alpha", "rope", "margin", "limits_alpha")}
    for procedure in _procedures(content, given):
        c = judge(given, test=procedure, names=tuple(content["names"]), **asked)
        if _same(c.to_dict(), content, ("estimate", "pvalue", "interval", "limits", "rope_probabilities")):
            replicated = content["replicability"]
            return c.replace(
                **_words(content),
                baseline=content["baseline"],
                instability=content["instability"],
                estimand=content["estimand"],
                reason=content["reason"],
                replicability=replicated and Replication(verdicts=tuple(replicated["verdicts"])),
            )
    return None


def _procedures(content: Kept, given: Any) -> list[Procedure]:
    """The test as it is, and with its scale fixed, as it is where runs were added until the verdict was settled."""
    plain = find_procedure(content["test"])
    folds = given.shape[1] if isinstance(given, Scores) and len(given.shape) > 1 else 0
    try:
        limit = getattr(given, "pieces", None)
        return [plain, growth_of(plain, folds=folds, alpha=content["alpha"], limit=limit).procedure]
    except (FoldwiseError, ZeroDivisionError):
        return [plain]


def _models(content: Kept, evidence: Kept) -> ModelsComparison | None:
    given = read_evidence(evidence)
    options = {name: content[name] for name in ("control", "alpha", "rope", "margin", "seed")}
    judged = (
        judge_models(given, adjust=content["adjustment"], test=test, **options) for test in _procedures(content, given)
    )
    keys = ("means", "mean_intervals", "best_pvalues", "ranks")
    c = next((c for c in judged if _same(c.to_dict(), content, keys)), None)
    if c is None:
        return None
    pairs = tuple(
        replace(pair, replicability=seen and Replication(verdicts=tuple(seen["verdicts"])))
        for pair, seen in zip(c.pairs, (kept["replicability"] for kept in content["pairs"]), strict=True)
    )
    return c.replace(**_words(content), baseline=content["baseline"], pairs=pairs)


def _many(content: Kept, evidence: Kept) -> ManyComparison | None:
    names = ("alpha", "rope", "margin", "control", "posthoc", "seed")
    brought = PAIR_TESTS[content["posthoc"]].adjustment  # which is not one to choose
    c = compare_many(
        read_evidence(evidence),
        adjust=content["adjustment"] if brought is None else "holm",
        omnibus=content["omnibus"]["test"],
        bayes=content["bayes"] or "none",
        **{name: content[name] for name in names},
    )
    same = _same(c.to_dict(), content, ("means", "ranks", "omnibus", "pairs"))
    return replace(c, caveats=tuple(content["caveats"]), decisions=_decisions(content)) if same else None


def _words(content: Kept) -> dict[str, Any]:
    """What stands around a verdict."""
    made = content["found_made"]
    return {
        "caveats": tuple(content["caveats"]),
        "decisions": _decisions(content),
        "found_made": None if made is None else tuple(made),
        **{name: content[name] for name in ("subject", "repeat", "fits", "found")},
    }


def _decisions(content: Kept) -> tuple[Decision, ...]:
    return decisions_from(content.get("reading", ()))


def _each(restored: Callable[[Kept, Kept], Any], content: Kept, evidence: Kept) -> list[Any] | None:
    """The comparisons by all metrics; None where one is missing."""
    found = [part and restored(kept, part) for kept, part in zip(content["metrics"], evidence["metrics"], strict=True)]
    return None if None in found else found


def _metrics(content: Kept, evidence: Kept) -> Result | None:
    found = _each(_comparison, content, evidence)
    if found is None:
        return None
    return together(found, adjust=content["adjust"]).replace(subject=content["subject"], repeat=content["repeat"])


def _models_by_metrics(content: Kept, evidence: Kept) -> Result | None:
    found = _each(_models, content, evidence)
    if found is None:
        return None
    m = by_metrics(found, across=content["across"], alpha=content["alpha"])
    return m.replace(subject=content["subject"], repeat=content["repeat"])


def _many_by_metrics(content: Kept, evidence: Kept) -> Result | None:
    found = _each(_many, content, evidence)
    if found is None:
        return None
    return ManyByMetrics(comparisons=tuple(found), across=content["across"], alpha=content["alpha"])


def _same(found: Kept, kept: Kept, keys: Sequence[str]) -> bool:
    return all(_near(found[key], kept[key]) for key in keys)


def _near(found: Any, kept: Any) -> bool:
    """Whether two parts of JSON say the same, numbers up to what another processor may round otherwise."""
    if isinstance(found, Mapping) and isinstance(kept, Mapping):
        return found.keys() == kept.keys() and all(_near(found[key], kept[key]) for key in found)
    if isinstance(found, list) and isinstance(kept, list):
        return len(found) == len(kept) and all(map(_near, found, kept))
    if isinstance(found, float) and isinstance(kept, (int, float)):
        return math.isclose(found, kept, rel_tol=NEAR, abs_tol=NEAR)
    return bool(found == kept)


KINDS: dict[str, Callable[[Kept, Kept], Result | None]] = {
    "comparison": _comparison,
    "metrics": _metrics,
    "models": _models,
    "models_by_metrics": _models_by_metrics,
    "many": _many,
    "many_by_metrics": _many_by_metrics,
}
"""The results that are judged again, by their kind."""
