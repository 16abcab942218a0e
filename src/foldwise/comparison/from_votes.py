"""Models compared by votes: who was preferred on each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.pairs import Adjust, judge_evidence
from foldwise.core.amounts import Amount
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.random import RandomState, seed_of
from foldwise.core.validation import one_of
from foldwise.designs.votes import Votes
from foldwise.reading.lineup import Candidate, line_up
from foldwise.reading.votes import VoteRows, read_votes

__all__ = ["CLUSTERS", "compare_votes"]

CLUSTERS = ("auto", "item", "annotator", "none")
Clusters = Literal["auto", "item", "annotator", "none"]
"""What votes are correlated by."""


def compare_votes(
    votes: Any,
    *,
    columns: Mapping[str, str] | None = None,
    models: Sequence[str] | None = None,
    groups: Clusters = "auto",
    candidate: Candidate | None = None,
    baseline: str | None = None,
    control: str | None = None,
    adjust: Adjust = "holm",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    random_state: RandomState = 0,
) -> Comparison:
    """Compare two or more models by votes: which of two answers was preferred.

    Parameters
    ----------
    votes
        A file (AlpacaEval's ``annotations.json``, Arena battles, MT-Bench's pairwise judgements, or a table), a data
        frame, a mapping of columns, or a list of rows, with columns such as model_a, model_b and winner.
    columns
        Columns by role: model_a, model_b, winner, preference (1 to 2), item, annotator, order.
    models
        Only votes between these; by default all models of the file.
    groups
        What votes are correlated by: "item" (several votes of one item), "annotator", "none", or by what is there: of
        two models items and annotators together, of more annotators first.
    candidate, baseline, control, adjust, alpha, rope, margin
        As in `compare_predictions`; differences are of win rates, ties half.
    random_state
        Determines the draws behind max-T and the set of the best.

    Returns
    -------
    Comparison
        Of two models: the share of votes that each wins. Of more: each model's expected win rate against each of the
        others, from Bradley-Terry strengths with Davidson's ties and an effect of the order shown, where it is known.

    Examples
    --------
    >>> votes = {"model_a": ["x"] * 52, "model_b": ["y"] * 52, "winner": ["x"] * 40 + ["y"] * 12}
    >>> compare_votes(votes).better
    'x'
    """
    rows = votes if isinstance(votes, VoteRows) else read_votes(votes, columns=columns)
    one_of(groups, "groups", CLUSTERS)
    lacking = {"item": rows.item, "annotator": rows.annotator}
    if groups in lacking and lacking[groups] is None:
        raise InvalidInput(f"groups must be something that the votes have, but no column is the {groups}")
    found = tuple(dict.fromkeys(name for pair in zip(rows.model_a, rows.model_b, strict=True) for name in pair))
    chosen = found if models is None else tuple(models)
    unknown = sorted(set(chosen) - set(found))
    if unknown:
        raise InvalidInput(f"models must be among those of the votes, {', '.join(found[:12])}, got {unknown[0]!r}")
    if len(chosen) < 2:
        raise InvalidInput(f"votes must be between at least two models, got {', '.join(chosen)}")
    roles = line_up(chosen, candidate=candidate, baseline=baseline, control=control, ordered=models is not None)
    evidence = Votes.build(
        rows.model_a,
        rows.model_b,
        rows.won,
        names=roles.names,
        item=rows.item if groups in ("auto", "item") else None,
        annotator=rows.annotator if groups in ("auto", "annotator") else None,
        order=rows.order,
        both_bad=rows.both_bad,
        said=rows.decisions,
    )
    told: tuple[Decision, ...] = roles.decisions(margin)
    part = judge_evidence(
        evidence,
        control=roles.control,
        adjust=adjust,
        alpha=alpha,
        rope=rope,
        margin=margin,
        seed=seed_of(random_state),
    )
    return Comparison.of(part.replace(decisions=told))
