"""Evidence of any kind judged: the right test is chosen and run, and everything that led to the answer is kept."""

from __future__ import annotations

from foldwise.comparison.baseline import with_baseline
from foldwise.comparison.margins import margin_of, one_sided_limits
from foldwise.comparison.two_models import TwoModels
from foldwise.core.amounts import Amount, rope_in
from foldwise.core.errors import InvalidInput
from foldwise.core.validation import fraction, two_names
from foldwise.designs import Procedure, find_procedure, kind_of
from foldwise.evidence.evidence import Evidence

__all__ = ["judge_pair"]


def judge_pair(
    evidence: Evidence,
    *,
    test: str | Procedure = "auto",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    limits_alpha: float | None = None,
    names: tuple[str, str] | None = None,
) -> TwoModels:
    """Compare two learners from evidence.

    Parameters
    ----------
    evidence
        Items, scores … as `foldwise.evidence` has them.
    test
        A test, or its name; "auto" takes the one that is recommended for such evidence.
    alpha, rope
        Significance level, and the difference up to which learners are practically the same; by default one
        percentage point for rates, and 0.01 in the metric's own unit.
    margin
        A number in the metric's own unit, or points of a rate (``"1pt"``, ``"1%"``):
        asks whether a, the candidate, is superior, non-inferior, equivalent or
        inferior to b, the baseline (`TwoModels.conclusion`).
    limits_alpha
        Level of the conclusion about the margin: the part of `alpha` that it has where several metrics or tasks share
        it; all of it without.
    names
        What to call the learners, where not as the evidence does.
    """
    fraction(alpha, "alpha")
    half_width = rope_in(rope, metric=evidence.metric, unit=evidence.unit)
    asked = margin_of(margin, evidence, alpha)
    names = two_names(evidence.names if names is None else names)
    evidence = evidence.called(names)
    one_sided = alpha if limits_alpha is None else limits_alpha
    procedure, reason = _choose(evidence, test)
    kind = procedure.kind
    if not kind.fits(evidence):
        raise InvalidInput(f"test '{procedure.name}' needs {kind.words}, got {evidence.design}")
    findings = kind.findings(evidence, procedure, alpha=alpha, rope=half_width)
    caveats = kind.caveats(evidence, procedure, alpha=alpha, rope=half_width)
    warning = (f"{procedure.title}: {procedure.warning}",) if procedure.warning else ()
    note = (procedure.note,) if procedure.note else ()
    c = TwoModels(
        names=names,
        procedure=procedure,
        findings=findings,
        alpha=alpha,
        rope=half_width,
        margin=asked,
        limits_alpha=one_sided,
        limits=one_sided_limits(evidence, procedure, alpha=one_sided, rope=half_width, margin=asked),
        estimand=kind.estimand(evidence, procedure),
        reason=reason,
        evidence=evidence,
        caveats=(
            *warning, *note, *findings.caveats, *caveats, kind.limit
        ),
    )  # fmt: skip
    return c if evidence.majority is None else with_baseline(c, evidence.majority)


def _choose(evidence: Evidence, test: str | Procedure) -> tuple[Procedure, str]:
    natural = kind_of(evidence)
    name = natural.recommended if test == "auto" else test
    procedure = name if isinstance(name, Procedure) else find_procedure(name)
    if test == "auto" or procedure.name == natural.recommended:
        return procedure, _sentence(natural.because, procedure.reference)
    return procedure, f"it was asked for by name ({procedure.reference})."


def _sentence(because: str, reference: str) -> str:
    """Why, with the reference where the words do not bring their own."""
    return because if because.endswith(".") else f"{because} ({reference})."
