"""Comparisons judged again from the evidence that was kept with them in JSON, by the procedure that is named there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foldwise.comparison.comparison import Comparison, Part
from foldwise.comparison.growth import growth_of
from foldwise.comparison.kept import read_evidence
from foldwise.comparison.many.comparison import ManyComparison
from foldwise.comparison.many.from_table import compare_table
from foldwise.comparison.models.comparison import ModelsComparison
from foldwise.comparison.models.judge import judge_models
from foldwise.comparison.pair_verdict import judge_pair
from foldwise.comparison.replication import Replication
from foldwise.comparison.two_models import TwoModels
from foldwise.core.decisions import Decision, decisions_from
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.validation import fraction
from foldwise.designs import Procedure, find_procedure

__all__ = ["restore"]

Kept = Mapping[str, Any]
NEAR = 1e-6
"""Up to which numbers are the same that other versions or processors computed."""


def restore(kind: str, content: Kept) -> Result | None:
    """The result that was kept, judged again from its evidence by the procedure and with the settings kept with it.

    None where it has no evidence with it, or where this version or processor comes to other numbers: then what was kept
    counts, and nothing is drawn that might contradict it.

    Parameters
    ----------
    kind
        Which kind of result it is, as `result` in JSON.
    content
        All its keys.
    """
    evidence = content.get("evidence")
    if kind != "comparison" or evidence is None:
        return None
    try:
        return _comparison(content, evidence)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"a comparison must be as to_dict writes it, but can't be read: {error!r}") from error


def _comparison(content: Kept, evidence: Kept) -> Comparison | None:
    parts = [(content, evidence)]
    if "by_metric" in content:
        parts = list(zip(content["by_metric"], evidence["metrics"], strict=True))
        if any(given is None for _, given in parts):
            return None
    c = Comparison(
        parts=tuple(PARTS[kept["settings"]["of"]](kept, kept["settings"], given) for kept, given in parts),
        alpha=fraction(content["alpha"], "alpha"),
        adjust_metrics=content["adjust_metrics"],
        subject=content["subject"],
        repeat=content["repeat"],
    )
    found = [(pair.a, pair.b, pair.estimate, pair.pvalue) for pair in c.pairs]
    told = [(pair["a"], pair["b"], pair["estimate"], pair["pvalue"]) for pair in content["pairs"]]
    return c if len(found) == len(told) and all(map(_near, found, told)) else None


def _two(kept: Kept, settings: Kept, evidence: Kept) -> Part:
    a, b = settings["models"]
    asked = {name: settings[name] for name in ("alpha", "rope", "margin", "limits_alpha")}
    c: TwoModels = judge_pair(read_evidence(evidence), test=_procedure(settings), names=(a, b), **asked)
    return c.replace(
        **_words(kept),
        **{name: kept[name] for name in ("baseline", "robust_pvalue", "estimand", "reason")},
        settled=settings["settled"],
        replicability=_replication(kept["replicability"]),
    )


def _procedure(settings: Kept) -> Procedure:
    """The test, with its scale fixed where runs were added until the verdict was settled."""
    procedure = find_procedure(settings["test"])
    if settings["settled"] is None:
        return procedure
    return growth_of(procedure, alpha=settings["alpha"], **settings["settled"]).procedure


def _several(kept: Kept, settings: Kept, evidence: Kept) -> Part:
    asked = {name: settings[name] for name in ("control", "adjust", "alpha", "rope", "margin", "seed")}
    c: ModelsComparison = judge_models(read_evidence(evidence), test=_procedure(settings), **asked)
    verdicts = settings["replicability"]
    pairs = tuple(replace(pair, replicability=_replication(seen)) for pair, seen in zip(c.pairs, verdicts, strict=True))
    return c.replace(**_words(kept), baseline=kept["baseline"], pairs=pairs, settled=settings["settled"])


def _data_sets(kept: Kept, settings: Kept, evidence: Kept) -> Part:
    asked = {"random_state" if name == "seed" else name: value for name, value in settings.items() if name != "of"}
    c: ManyComparison = compare_table(read_evidence(evidence), **asked).parts[0]
    return replace(c, caveats=_notes(kept), decisions=_decisions(kept), subject=kept["subject"], repeat=kept["repeat"])


PARTS = {"two models": _two, "several models": _several, "data sets": _data_sets}
"""What was compared, by its name in JSON."""


def _words(kept: Kept) -> dict[str, Any]:
    """What stands around a verdict."""
    made = kept["found_made"]
    return {
        "caveats": _notes(kept),
        "decisions": _decisions(kept),
        "found_made": None if made is None else tuple(made),
        **{name: kept[name] for name in ("subject", "repeat", "fits", "found")},
    }


def _notes(kept: Kept) -> tuple[str, ...]:
    return tuple(kept["notes"])


def _decisions(kept: Kept) -> tuple[Decision, ...]:
    return decisions_from(kept.get("reading", ()))


def _replication(kept: Kept | None) -> Replication | None:
    return None if kept is None else Replication(verdicts=tuple(kept["verdicts"]))


def _near(found: Sequence[Any], kept: Sequence[Any]) -> bool:
    """Whether two rows say the same, numbers up to what another processor may round otherwise."""
    return all(
        math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) if isinstance(b, float) else a == b
        for a, b in zip(found, kept, strict=True)
    )
