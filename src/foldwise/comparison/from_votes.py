"""Models compared by votes: who was preferred on each item."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, Never

import numpy as np

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.judgement import Judgement, Understanding
from foldwise.comparison.options import Options, options_of
from foldwise.comparison.pairs import judge_evidence
from foldwise.comparison.slices import judge_slices
from foldwise.core.amounts import Amount
from foldwise.core.decisions import Decision
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.core.random import RandomState, seed_of
from foldwise.core.roles import Columns, merged
from foldwise.core.table import is_frame
from foldwise.core.validation import one_of
from foldwise.designs.votes import Votes
from foldwise.reading.lineup import Candidate, Lineup, line_up
from foldwise.reading.source import SourceFile, read_beginning
from foldwise.reading.votes import VOTE_ROLES, VoteRows, are_named_votes, are_votes, read_votes

CLUSTERS = ("auto", "item", "annotator", "none")
Clusters = Literal["auto", "item", "annotator", "none"]  # What votes are correlated by.


def compare_votes(
    votes: Any,
    *,
    columns: Mapping[str, str] | None = None,
    models: Sequence[str] | None = None,
    groups: Clusters = "auto",
    candidate: Candidate | None = None,
    baseline: str | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    slices: str | None = None,
    random_state: RandomState = 0,
    options: Options | None = None,
    **misplaced: Never,
) -> Comparison:
    """Compare two or more models by votes: which of two answers was preferred.

    Parameters
    ----------
    votes
        A file or several (AlpacaEval's ``annotations.json``, Arena battles, MT-Bench's pairwise judgements, tables), a
        data frame, a mapping of columns, or a list of rows, with columns such as model_a, model_b and winner.
    columns
        Columns by role: model_a, model_b, winner, preference (1 to 2), item, annotator, order.
    models
        Only votes between these; by default all models of the file.
    groups
        What votes are correlated by: "item" (several votes of one item), "annotator", "none", or by what is there: of
        two models items and annotators together, of more annotators first.
    candidate, baseline, alpha, rope, margin
        As in `compare_predictions`; differences are of win rates, ties half.
    slices
        A column (category, language …): besides the verdict on all votes there is one on each of its values, adjusted
        for their number, and a test whether the difference is the same in all.
    random_state
        Determines the draws behind max-T and the set of the best.
    options
        What few people set: control, adjust and penalty of `Options`.

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
    o = options_of("compare_votes", options, "control", "adjust", "penalty", misplaced=misplaced)
    rows = votes if isinstance(votes, VoteRows) else read_votes(votes, columns=of_votes(columns, slices))
    one_of(groups, "groups", CLUSTERS)
    lacking = {"item": rows.item, "annotator": rows.annotator}
    if groups in lacking and lacking[groups] is None:
        raise InvalidInput(f"groups must be something that the votes have, but no column is the {groups}")
    found = tuple(dict.fromkeys(chain.from_iterable(zip(rows.model_a, rows.model_b, strict=True))))
    chosen = found if models is None else tuple(models)
    unknown = sorted(set(chosen) - set(found))
    if unknown:
        raise InvalidInput(f"models must be among those of the votes, {', '.join(found[:12])}, got {unknown[0]!r}")
    if len(chosen) < 2:
        raise InvalidInput(f"votes must be between at least two models, got {', '.join(chosen)}")
    roles = line_up(chosen, candidate=candidate, baseline=baseline, control=o.control, ordered=models is not None)
    told: tuple[Decision, ...] = roles.decisions(margin)

    def evidence(rows: VoteRows) -> Votes:
        return Votes.build(
            rows.model_a, rows.model_b, rows.won, names=roles.names,
            item=rows.item if groups in ("auto", "item") else None,
            annotator=rows.annotator if groups in ("auto", "annotator") else None, order=rows.order,
            weights=rows.weights, penalty=o.penalty, both_bad=rows.both_bad, said=rows.decisions,
        )  # fmt: skip

    def verdict(rows: VoteRows, level: float) -> Comparison:
        part = judge_evidence(
            evidence(rows), control=roles.control, adjust=o.adjust,  # type: ignore[arg-type]  # checked there
            alpha=level, rope=rope, margin=margin, seed=seed_of(random_state),
        )  # fmt: skip
        return Comparison.of(part.replace(decisions=told))

    whole = verdict(rows, alpha)
    if slices is None or rows.slices is None:
        return whole
    counted = np.flatnonzero(np.isin(rows.model_a, chosen) & np.isin(rows.model_b, chosen) & np.isfinite(rows.won))
    here, of_all = rows.part(counted), whole.parts[0].evidence
    assert isinstance(of_all, Votes)
    clusters = [codes for codes in (of_all.groups, of_all.also) if codes is not None]
    parts = judge_slices(
        slices, [rows.slices[place] for place in counted],
        lambda kept: min([len(np.unique(codes[kept])) for codes in clusters] or [len(kept)]),
        lambda kept, level: verdict(here.part(kept), level), alpha,
    )  # fmt: skip
    return replace(whole, slices=parts).noting(*parts.left_out)


def of_votes(columns: Columns | None, slices: str | None = None) -> dict[str, str]:
    """Columns by role, one each."""
    told = merged(columns, slice=slices)
    return {role: name if isinstance(name, str) else name[0] for role, name in told.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class VotesRead:
    """Votes, and the files they come from."""

    rows: VoteRows
    source: str = ""  #: What to call it
    files: int = 1
    passed_over: tuple[str, ...] = ()  #: Other files of a folder


def votes_in(given: Any, columns: Columns | None = None) -> VotesRead | None:
    """The votes in a frame, a mapping of columns or some sources, if there are any."""
    declared = of_votes(columns)
    named_so = {"model_a", "model_b"} <= set(declared)
    if is_frame(given) or isinstance(given, Mapping):
        names = given if isinstance(given, Mapping) else given.columns
        found = named_so or are_votes(map(str, names)) or are_named_votes(names, given.__getitem__)
        return VotesRead(rows=read_votes(given, columns=declared)) if found else None
    if not isinstance(given, Sequence) or not all(isinstance(one, SourceFile) for one in given):
        return None
    sources = [one for one in given if _holds_votes(one, named_so)]
    if not sources:
        return None
    others = [one for one in given if one not in sources]
    if (named := next((one for one in others if one.given.endswith(one.path.name)), None)) is not None:
        raise InvalidInput(f"{sources[0].name} holds votes, but {named.name} holds none: compare one kind at a time")
    return VotesRead(
        rows=read_votes([str(one.path) for one in sources], columns=declared),
        source=sources[0].path.name if len(sources) == 1 else "",
        files=len(sources),
        passed_over=tuple(one.name for one in others),
    )


def _holds_votes(source: SourceFile, named_so: bool) -> bool:
    if source.is_text and not (named_so or _MAY_BE_VOTES.search(source.head)):
        return False  # most files say at once that they are something else
    header: Sequence[str] = source.columns or [name.decode() for name in _KEY.findall(source.head[:MOST_OF_KEYS])]
    if named_so or are_votes(header):
        return True
    try:
        beginning = read_beginning(source) if source.columns else None
    except FoldwiseError:
        return False
    return beginning is not None and are_named_votes(beginning.header, beginning.column)


_MAY_BE_VOTES = re.compile("|".join((*VOTE_ROLES["model_b"][:-1], "winner", "loser")).encode(), re.IGNORECASE)
_KEY = re.compile(rb'"(\w{1,40})"\s{0,3}:')
MOST_OF_KEYS = 65_536  # Beginning of a file in which names of fields are looked for.


def understand_votes(votes: VotesRead, roles: Lineup) -> Understanding:
    rows = votes.rows
    there = {"item": rows.item, "annotator": rows.annotator}
    return Understanding(
        formats={"votes": votes.files}, models=roles.names, tasks=("",), rows="votes", size={"": len(rows.won)},
        measures={"": "win rate"}, higher_is_better=True, direction_from="from the file", unit="fraction",
        other_metrics=(), clusters=tuple(name for name, column in there.items() if column is not None), trials=1,
        differing={}, left_out=(), passed_over=votes.passed_over, candidate=roles.decision,
    )  # fmt: skip


def judge_votes(
    votes: VotesRead, *, models: Sequence[str] = (), groups: str | None = None, **options: Any
) -> Judgement:
    rows = votes.rows
    held = {name: options.get(name) for name in ("candidate", "baseline", "control")}
    few = Options(**{name: options.pop(name) for name in ("control", "adjust", "penalty") if name in options})
    c = compare_votes(rows, models=models or None, groups=groups or "auto", **options, options=few)  # type: ignore[arg-type]
    understanding = understand_votes(votes, line_votes_up(rows, models, **held))
    return Judgement(understanding=understanding, verdicts={"": c.replace(subject=votes.source)})


def line_votes_up(rows: VoteRows, models: Sequence[str] = (), **held: Any) -> Lineup:
    names = tuple(models) or tuple(dict.fromkeys(chain.from_iterable(zip(rows.model_a, rows.model_b, strict=True))))
    return line_up(names, **held, ordered=bool(models))
