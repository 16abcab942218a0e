"""Who is compared with whom: the candidate, or several of them, and the baseline, in one place for every door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, UnknownName

Candidate: TypeAlias = str | Sequence[str]  # One candidate, or several.


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineup:
    """The models to compare, in the order of the comparison."""

    #: The candidates, then the baseline where both were named; else all models in the order in which they came
    names: tuple[str, ...]
    #: Of three and more models the baseline, with which each other one is compared; None where all pairs are
    control: str | None
    #: Who is candidate and who baseline, and whether somebody said so; None where three and more are compared with each
    #: other
    decision: Decision | None

    def decisions(self, margin: object) -> tuple[Decision, ...]:
        """What an answer keeps: who is candidate where somebody said it, or where a margin makes it count."""
        if self.decision is None or (margin is None and self.decision.how != "declared"):
            return ()
        return (self.decision,)


def line_up(
    names: Sequence[str], *, candidate: Candidate | None = None, baseline: str | None = None,
    control: str | None = None, ordered: bool = False,
) -> Lineup:  # fmt: skip
    """Choose and order the models to compare, of all `names` there are in the order in which they came.

    The candidates are the models in question, without them each one that is not the baseline; the baseline is the model
    that they are compared with, of two models without it the one that is no candidate. To compare three and more with a
    `control` is to hold each of them against a baseline: these are two words for one thing. `ordered`: the user gave
    the names in this order, so that of two the first is the candidate.

    >>> line_up(["old", "new"], candidate="new").names
    ('new', 'old')
    >>> print(line_up(["old", "new"]).decision)
    old is the candidate, new the baseline (assumed; candidate, baseline (--candidate, --baseline) if not)
    """
    asked = () if candidate is None else (candidate,) if isinstance(candidate, str) else tuple(candidate)
    for role, given in (("baseline", (baseline,)), ("control", (control,)), ("candidate", asked)):
        unknown = next((name for name in given if name is not None and name not in names), None)
        if unknown is not None:
            raise UnknownName(role, unknown, names)
    if control is not None and baseline not in (None, control):
        raise InvalidInput(f"control and baseline must name one model, got {control!r} and {baseline!r}")
    against = baseline if baseline is not None else control
    if against is not None and against in asked:
        raise InvalidInput(f"candidate and baseline must be different models, but both are {against!r}")
    if asked and against is None:
        others = [name for name in names if name not in asked]
        if len(others) != 1:
            raise InvalidInput(f"baseline must name the model that {asked[0]!r} is compared with: {', '.join(others)}")
        against = others[0]
    if asked and against is not None:
        names = (*dict.fromkeys(asked), against)
    elif against is not None and len(names) == 2:
        names = (*(name for name in names if name != against), against)
    told = bool(asked) or against is not None or (ordered and len(names) == 2)
    other = names[1] if against is None and len(names) > 1 else against
    candidates = [name for name in names if name != other]
    who = f"{candidates[0]} is the candidate" if len(candidates) == 1 else f"{', '.join(candidates)} are candidates"
    decision = Decision(
        what="candidate", value=f"{who}, {other} the baseline", how="declared" if told else "assumed",
        change="candidate, baseline (--candidate, --baseline)",
    )  # fmt: skip
    return Lineup(
        names=tuple(names),
        control=against if len(names) > 2 else None,
        decision=decision if told or len(names) == 2 else None,
    )
