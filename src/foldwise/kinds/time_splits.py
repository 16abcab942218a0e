"""Two learners trained and tested again and again in order of time, each test set behind its training set."""

from __future__ import annotations

from foldwise.evidence.evidence import Evidence
from foldwise.evidence.marks import Marks
from foldwise.inference._diebold_mariano import diebold_mariano
from foldwise.kinds.guarantee import unmeasured
from foldwise.kinds.marks import power_of
from foldwise.kinds.procedure import Procedure
from foldwise.kinds.time_order import TimeOrder

__all__ = ["KIND", "PROCEDURES"]


class TimeSplits(TimeOrder):
    """Values of tested examples, or of whole splits, in order of time; the models changed from split to split."""

    name = "time_splits"
    words = "scores of time-ordered splits, each test set behind its training set"
    assumes = (
        TimeOrder.assumes[0],
        "training sets overlap, and what they have in common affects all splits alike",
        TimeOrder.assumes[2],
    )
    recommended = "diebold_mariano_splits"
    because = (
        "the splits follow each other in time, so that tested examples are in order of time and neighbours may be "
        "correlated; the standard error accounts for that (Diebold & Mariano 1995), by few cosines (Lazarus, Lewis, "
        "Stock & Watson 2018)."
    )
    limit = "one stretch of time: the answer is about learners trained anew as here, as long as nothing changes"

    def natural(self, evidence: Evidence) -> bool:
        """Values in order of time that come from splits."""
        return isinstance(evidence, Marks) and evidence.times is not None and evidence.splits > 0

    def estimand(self, evidence: Marks, procedure: Procedure, names: tuple[str, str]) -> str:
        """About the learners, over periods."""
        over = "splits" if evidence.n == evidence.splits else "periods"
        return (
            f"over {over} like these, {procedure.difference_words(evidence.metric, names, 'mean')}, trained anew on "
            "what came before each split."
        )


KIND = TimeSplits()

PROCEDURES = (
    Procedure(
        name="diebold_mariano_splits",
        title="Diebold-Mariano test over time-ordered splits",
        kind=KIND,
        run=lambda batch: diebold_mariano(batch.data),
        symbol="t",
        signed=True,
        reference="Diebold & Mariano (1995), Journal of Business & Economic Statistics 13",
        power=power_of,
        guarantee=unmeasured("overlapping training sets in order of time are not accounted for"),
    ),
)
