"""Results read again from JSON: comparisons and judgements from the evidence kept with them, boards as kept."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foldwise.comparison.adding_runs import growth_of
from foldwise.comparison.board import Leaderboard
from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.costs import Frontier
from foldwise.comparison.evidence_json import read_evidence
from foldwise.comparison.judgement import Judgement, Understanding
from foldwise.comparison.pair import Replication
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.tables import judge_table
from foldwise.core.decisions import decisions_from
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result
from foldwise.core.validation import fraction
from foldwise.designs import Procedure, find_procedure
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.evidence.score_table import ScoreTable

Kept = Mapping[str, Any]
NEAR = 1e-6  # Up to which numbers are the same that other versions or processors computed.


def restore(kind: str, content: Kept) -> Result | None:
    """The result that was kept, judged again from its evidence by the procedure and with the settings kept with it.

    None where it has no evidence with it, or where this version or processor comes to other numbers: then what was kept
    counts, and nothing is drawn that might contradict it.
    """
    if kind == "leaderboard":
        return Leaderboard.restored(content)
    if kind == "frontier":
        return Frontier.restored(content)
    if kind == "judgement":
        return _judgement(content)
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
        parts=tuple(_part(kept, kept["settings"], read_evidence(given)) for kept, given in parts),
        alpha=fraction(content["alpha"], "alpha"),
        adjust_metrics=content["adjust_metrics"],
        subject=content["subject"],
        repeat=content["repeat"],
    )
    found = [(pair.a, pair.b, pair.estimate, pair.pvalue) for pair in c.pairs]
    told = [(pair["a"], pair["b"], pair["estimate"], pair["pvalue"]) for pair in content["pairs"]]
    return c if len(found) == len(told) and all(map(_near, found, told)) else None


def _part(kept: Kept, settings: Kept, evidence: Any) -> MetricComparison:
    """By one metric: the procedure run again, and what stood around it."""
    asked = {name: settings[name] for name in ("control", "alpha", "rope", "margin", "seed", "adjust")}
    if isinstance(evidence, ScoreTable):
        own = {name: settings[name] for name in ("omnibus", "bayes", "zeros")}
        asked["adjust"] = settings["adjust"] if settings["adjust"] in ADJUSTMENTS else "holm"  # brought by the test
        c = judge_table(evidence, test=settings["test"], **own, **asked)
    else:
        c = judge_evidence(evidence, test=_procedure(settings), limits_alpha=settings["limits_alpha"], **asked)
    verdicts = iter(settings["replicability"])
    c = c.with_pairs(lambda pair: replace(pair, replicability=_replication(next(verdicts))))
    made = kept["found_made"]
    words = {name: kept[name] for name in WORDS}
    return c.replace(
        **words, caveats=tuple(kept["notes"]), decisions=decisions_from(kept.get("reading", ())),
        found_made=None if made is None else tuple(made), settled=settings["settled"],
    )  # fmt: skip


WORDS = ("subject", "repeat", "fits", "found", "seed", "data_digest", "baseline", "estimand", "reason")
"""What stands around a verdict, as it is kept."""


def _procedure(settings: Kept) -> Procedure:
    """The test, with its scale fixed where runs were added until the verdict was settled."""
    procedure = find_procedure(settings["test"])
    if settings["settled"] is None:
        return procedure
    return growth_of(procedure, alpha=settings["alpha"], **settings["settled"]).procedure


def _replication(kept: Kept | None) -> Replication | None:
    return None if kept is None else Replication(verdicts=tuple(kept["verdicts"]))


def _near(found: Sequence[Any], kept: Sequence[Any]) -> bool:
    """Whether two rows say the same, numbers up to what another processor may round otherwise."""
    return all(
        math.isclose(a, b, rel_tol=NEAR, abs_tol=NEAR) if isinstance(b, float) else a == b
        for a, b in zip(found, kept, strict=True)
    )


# ---- Judgements.


def _judgement(content: Kept) -> Judgement | None:
    """The judgement that was kept; None where a verdict has no evidence with it or does not come out the same."""
    evidence = content.get("evidence")
    if evidence is None:
        return None
    said = {**content["verdicts"], **({} if content["overall"] is None else {None: content["overall"]})}
    kept = {**evidence["verdicts"], None: evidence["overall"]}
    found = {task: _verdict(verdict, kept[task]) for task, verdict in said.items()}
    if None in found.values():
        return None
    overall = found.pop(None, None)
    return Judgement(understanding=_understanding(content["understood"]), verdicts=found, overall=overall)


def _verdict(said: Kept, evidence: Kept) -> Any:
    return restore(said["result"], {**said, "evidence": evidence})


def _understanding(said: Kept) -> Understanding:
    values: dict[str, Any] = {
        name: value for name, value in said.items() if name not in ("schema", "result", "reading")
    }
    values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    values["columns"] = decisions_from(values.get("columns", ()))
    kept = values.pop("candidate", None)
    return Understanding(**values, candidate=None if kept is None else decisions_from([kept])[0])
