"""A gate: may the candidate replace the baseline? Passed, shown to fail, or inconclusive with what would decide."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from scipy import special

from foldwise.comparison.claims import CONDITIONS, Claim, Finding, stopped_by
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.judgement import Judgement
from foldwise.comparison.judging import decide, understand_files
from foldwise.comparison.pair import Pair
from foldwise.comparison.predictions import compare_predictions
from foldwise.core.amounts import Amount
from foldwise.core.decisions import Decision
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.files import locked, write_whole
from foldwise.core.metric import UNNAMED
from foldwise.core.result import Result, told
from foldwise.core.types import Json
from foldwise.core.validation import fraction, one_of

Marks: TypeAlias = Sequence[float] | Mapping[Any, float] | str | os.PathLike[str]

EXIT_CODES: dict[Finding, int] = {"passed": 0, "failed": 1, "inconclusive": 3}
POWER = 0.8
READING = ("columns", "metric", "models", "tasks", "rows", "higher_is_better", "slices", "options")
"""Options that say what is compared; the others of `judge` say how."""
ROLES = ("candidate", "baseline")
USUAL = (None, "auto", "holm", ())  # Values of options that change nothing.
MOST_LOOKS = 1_000_000
MOST_TIMES = 1000  # So many times as many items are not worth naming: the difference is as good as at the margin.
MOST_ITEMS = 100_000  # Unless there were so few that it takes no more than these.


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One time that a gate was asked, of all that share a level."""

    number: int  #: 1 for the first
    #: alpha, alpha_all: The level of this look, and of all looks together
    alpha: float
    alpha_all: float
    again: bool = False  #: Whether the same evidence was judged before: then it is the same look
    others: str = ""  #: Of which models the looks before were, where none of them was of one of these: "dog vs cat"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gate(Result):
    """Whether a candidate passes; ``bool(gate)`` is True only where it does."""

    page: ClassVar[str] = "gate"

    finding: Finding  #: "passed", "failed" (the opposite of what was asked is shown) or "inconclusive"
    reason: str  #: Why, in a sentence
    brief: str = ""  #: The same without the numbers of each, where several tasks or metrics are named in it
    #: How many items (votes, data sets, examples) would probably decide, where it is inconclusive; else empty
    needed: str = ""
    conditions: tuple[str, ...]  #: What was asked, as ``--fail-if`` names it
    answer: Comparison | Judgement  #: The comparison behind it
    by_task: Judgement | None = None  #: The comparison with the margin of single tasks, where one was given
    look: Look | None = None  #: Which look it was, where a history is kept

    def __bool__(self) -> bool:
        return self.finding == "passed"

    def __repr__(self) -> str:
        return f"<Gate {self.finding}: {self.reason}>"

    @property
    def exit_code(self) -> int:
        """Of a command that asks: 0 passed, 1 failed, 3 inconclusive."""
        return EXIT_CODES[self.finding]

    @property
    def sentence(self) -> str:
        """Finding and reason, and what would decide."""
        return " ".join(filter(None, (f"Gate {self.finding}: {self.reason}.", self.needed)))

    @property
    def reading(self) -> Any:
        """What was decided on the way to the evidence."""
        return self.answer.reading

    def doubted(self, left_out: Decision) -> Gate:
        """The same, open because it only passes where values are left out of which nobody said that they may be."""
        reason = f"{self.claims()[0].candidate} only passes where something is left out: {left_out.value}"
        needed = (
            "With missing='worst' (--missing worst) it counts as wrong, with 'drop' you say that it may be left out."
        )
        return replace(self, finding="inconclusive", reason=reason, brief=reason, needed=needed)

    def claims(self) -> tuple[Claim, ...]:
        """What is known of each candidate."""
        return _claims(self.answer, self.by_task)

    def _content(self) -> dict[str, Json]:
        return {
            **told(self, "finding", "reason", "needed", "conditions", "exit_code", "look"),
            "answer": self.answer.to_dict(),
            "by_task": None if self.by_task is None else self.by_task.to_dict(),
        }


def gate(
    given: Any = None,
    *,
    candidate: str | os.PathLike[str],
    baseline: str | os.PathLike[str],
    margin: Amount | None = None,
    task_margin: Amount | None = None,
    fail_if: Sequence[str] = (),
    history: str | os.PathLike[str] | None = None,
    alpha: float = 0.05,
    **options: Any,
) -> Gate:
    r"""Ask whether a candidate may replace a baseline.

    Parameters
    ----------
    given
        What `judge` takes; without it candidate and baseline are files or folders themselves.
    candidate, baseline
        Models, or files or folders with one model each.
    margin
        By how much the candidate may be worse: passed where it is shown not to be worse by more.
    task_margin
        By how much it may be worse on any single task.
    fail_if
        Other conditions than ``"not-noninferior"`` (with a margin) and ``"not-better"`` (without, on the mean of tasks;
        no single one may be shown to be worse).
    history
        A file to which every look is added (JSON Lines), so that a gate asked again and again keeps its level: the k-th
        look has level :math:`\alpha/(k(k+1))`, and all looks together have α, however many there will be. The same
        evidence is the same look.
    alpha
        The level; with a history that of all looks together.
    **options
        Others of `judge`.

    Returns
    -------
    Gate
        True where it passed.

    Notes
    -----
    :math:`\sum_k 1/(k(k+1)) = 1`, so that by Boole's inequality the probability that any look shows something false is
    at most α, whatever the looks have in common.
    """
    if given is None:
        for role, place in zip(ROLES, (candidate, baseline), strict=True):
            if not Path(place).exists():
                raise InvalidInput(
                    f"{role} must be a file or a folder where no results are given with it, but there is no "
                    f"{os.fspath(place)}"
                )
        if Path(candidate).samefile(baseline):
            raise InvalidInput(f"candidate and baseline must be different models, but both are {os.fspath(baseline)}")
        given = [candidate, baseline]
    roles: dict[str, Any] = {"candidate": os.fspath(candidate), "baseline": os.fspath(baseline)}

    reading = {name: options.pop(name) for name in READING if name in options}
    understood = understand_files(given, groups=options.get("groups"), **roles, **reading)
    conditions = _conditions(fail_if, margin is not None or task_margin is not None)

    def asked(look: Look | None) -> Gate:
        found = judged(look, options)
        left_out = [one for one in found.reading if one.what == "missing" and one.how == "assumed"]
        if found.finding != "passed" or not left_out:
            return found
        try:  # nobody said that the missing may be left out, which favours who fails where it is hard
            holds = judged(look, {**options, "missing": "worst"}).finding == "passed"
        except InvalidInput:  # what is the worst is not known
            holds = False
        return found if holds else found.doubted(left_out[0])

    def judged(look: Look | None, options: dict[str, Any]) -> Gate:
        level = fraction(alpha, "alpha") if look is None else look.alpha
        answer = decide(understood, margin=margin, alpha=level, **options)
        by_task = None
        if task_margin is not None:
            if answer.overall is None:
                raise InvalidInput("task_margin is for results on several tasks, but there is one: use margin")
            by_task = decide(understood, margin=task_margin, alpha=level, **options)
        return _decided(answer, by_task, conditions, margin is not None, look=look)

    if history is None:
        return asked(None)
    key = digest([understood.digest, *_judged_by(options)])
    with locked(Path(history)):  # from the number of the look until it is written down
        book = _History.read(Path(history), alpha)
        found = book.told(asked(book.look(key)))
        book.add(found, key)
    return found


def _judged_by(options: Mapping[str, object]) -> list[str]:
    """What makes another look of the same evidence: another test of it. Nested margins are one look."""
    same = ("rope", "random_state")
    return sorted(f"{name}={value}" for name, value in options.items() if name not in same and value not in USUAL)


def not_worse(
    new: Marks,
    old: Marks,
    *,
    margin: Amount,
    metric: str = UNNAMED,
    names: tuple[str, str] = ("new", "old"),
    **options: Any,
) -> Gate:
    """Ask whether `new` is not worse than `old` by more than a margin; true where that is shown.

    Parameters
    ----------
    new, old
        A mark for each item (right/wrong, or any number), in the same order or by the item's name; or a file or folder
        with the results of one model each, in any format that `judge` reads.
    margin
        By how much it may be worse: ``"1pt"``, or a number in the metric's own unit.
    metric
        What the marks measure; higher is better unless its name says otherwise or ``higher_is_better=False``.
    names
        What to call the two where marks are given.
    **options
        Others of `compare_predictions` (``groups``, ``alpha``), or of `judge` for files.

    Examples
    --------
    >>> found = not_worse([1] * 90 + [0] * 10, [1] * 88 + [0] * 12, margin="5pt", metric="accuracy")
    >>> bool(found), found.finding
    (True, 'passed')
    """
    files = [isinstance(one, str | os.PathLike) for one in (new, old)]
    if any(files) and not all(files):
        raise InvalidInput("new and old must both be files, or both be marks")
    wanted: dict[str, Any] = {} if metric == UNNAMED else {"metric": metric}
    if all(files):
        return gate(candidate=new, baseline=old, margin=margin, **wanted, **options)  # type: ignore[arg-type]
    marks: dict[str, Any] = dict(zip(names, (new, old), strict=True))
    found = compare_predictions(None, marks, margin=margin, candidate=names[0], baseline=names[1], **wanted, **options)
    return _decided(found, None, _conditions((), with_margin=True), with_margin=True)


# ---- From an answer to a finding.


def _conditions(fail_if: Sequence[str], with_margin: bool) -> tuple[str, ...]:
    """Those that were asked; by themselves only what needs evidence to pass. Without a margin that is `_decided`'s."""
    for condition in fail_if:
        one_of(condition, "fail_if", tuple(CONDITIONS))
        if CONDITIONS[condition].needs_margin and not with_margin:
            raise InvalidInput(f"fail_if {condition!r} (--fail-if {condition}) needs a margin (--margin)")
    return tuple(fail_if) or (("not-noninferior",) if with_margin else ())


def _claims(answer: Comparison | Judgement, by_task: Judgement | None) -> tuple[Claim, ...]:
    """The claims that count: on all tasks together by the margin, on each by its own."""
    if by_task is None:
        return answer.claims()
    main = answer.main.claims() if isinstance(answer, Judgement) else answer.claims()
    return (*main, *(claim for claim in by_task.claims() if claim.task))


def _decided(
    answer: Comparison | Judgement, by_task: Judgement | None, conditions: tuple[str, ...], with_margin: bool, *,
    look: Look | None = None,
) -> Gate:  # fmt: skip
    claims = _claims(answer, by_task)
    if not with_margin and by_task is not None:  # a margin of single tasks says nothing of their mean
        claims = tuple(claim for claim in claims if claim.task)
    hint = ""
    if not conditions:  # nobody said what may be worse: the mean of tasks must be better, and no single task worse
        conditions = ("not-better",)
        claims = tuple(claim for claim in claims if not claim.task or claim.better == claim.baseline) or claims
        hint = "With a margin (--margin 1pt) the gate asks whether it is not worse by more than that."
    stop = stopped_by(claims, conditions)
    if stop is None:
        finding, reason, needed = "passed", _passed(claims, conditions, with_margin or by_task is not None), ""
    else:
        finding, reason = stop.finding, stop.sentence.rpartition(": --fail-if ")[0]
        open_ = finding == "inconclusive"
        more = _needed(_judged(answer, by_task, with_margin), conditions) if open_ else ""
        needed = " ".join(filter(None, (more, hint * open_)))
    bare = stopped_by([replace(claim, found="") for claim in claims], conditions) if len(claims) > 1 else None
    return Gate(
        finding=finding,  # type: ignore[arg-type]
        reason=reason,
        brief=reason if bare is None else bare.sentence.rpartition(": --fail-if ")[0],
        needed=needed,
        conditions=conditions,
        answer=answer,
        by_task=by_task,
        look=look,
    )


def _judged(
    answer: Comparison | Judgement, by_task: Judgement | None, with_margin: bool
) -> list[tuple[str, Comparison]]:
    """The comparisons whose claims count, each with its task."""
    if isinstance(answer, Comparison):
        return [("", answer)]
    tasks = answer if by_task is None else by_task
    single = list(tasks.verdicts.items()) if tasks.overall is not None else []
    return [("", answer.main)] * (with_margin or not single) + single


def _passed(claims: Sequence[Claim], conditions: Sequence[str], with_margin: bool) -> str:
    first, tasks = claims[0], [claim for claim in claims if claim.task]
    where = f" on all {len(tasks)} tasks" if tasks else ""
    if "not-noninferior" in conditions and with_margin:
        if tasks and tasks[0].margin != first.margin:
            where = f", and on each of {len(tasks)} tasks not by more than {tasks[0].margin}"
        held = f"{first.candidate} is shown not to be worse than {first.baseline} by more than {first.margin}{where}"
    elif all(claim.better == claim.candidate for claim in claims):
        held = f"{first.candidate} is better than {first.baseline}{where}"
    elif set(conditions) == {"worse"}:
        held = f"{first.candidate} is not shown to be worse than {first.baseline}"
    else:
        held = "no condition holds"
    return f"{held} ({first.found})" if first.found else held


def would_decide(answer: Comparison | Judgement, conditions: Sequence[str]) -> str:
    """How many items would decide what is inconclusive of these conditions; empty where nobody can say."""
    return _needed(_judged(answer, None, with_margin=True), conditions)


def _needed(judged: Sequence[tuple[str, Comparison]], conditions: Sequence[str]) -> str:
    """How many items would decide with a probability of 80 %, if the differences stay as they are."""
    found = [
        (times, task, comparison)
        for task, comparison in judged
        for pair in comparison.pairs
        if (times := _times(pair, comparison, conditions)) is not None
    ]
    if not found:
        return ""
    most, task, comparison = max(found, key=lambda one: one[0])
    where = f" on {task}" if task else ""
    counted = _COUNTED.search(comparison.parts[0].design)
    things = "examples" if counted is None else {"test example": "item"}.get(counted[2], counted[2]) + "s"
    n = 0 if counted is None else int(counted[1].replace(",", ""))
    if most > MOST_TIMES and not 0 < n * most < MOST_ITEMS:
        edge = "the margin" if comparison.pairs[0].margin is not None else "zero"
        return f"The difference{where} is so near to {edge} that no sensible number of {things} decides."
    size = f" (some {_rounded(n * most):,} instead of {n:,})" if n else ""
    told = f"{max(most, 1.1):.1f}" if most < 10 else f"{most:,.0f}"
    more = "" if n else "; more runs of the same examples hardly help"
    return (
        f"About {told} times as many {things}{where}{size} would decide with a probability of 80 %, if the difference "
        f"stays as it is{more}."
    )


_COUNTED = re.compile(r"([\d,]+) (test example|item|vote|period|data set)s?\b")
"""What grows where there is more evidence; of cross-validation it is the data."""


def _times(pair: Pair, comparison: Comparison, conditions: Sequence[str]) -> float | None:
    r"""How many times as many items the limits need to leave the margin, or zero, on the side where the difference is.

    With the one-sided limit d − z\ :sub:`1−α`\ ·s at −m or above shown, power 80 % asks for |d + m| = (z\ :sub:`1−α` +
    z\ :sub:`.8`)·s/√times; "not-better" asks the same of the two-sided interval and m = 0.
    """
    estimate = pair.estimate if pair.candidate == pair.a else -pair.estimate
    if pair.conclusion == "undecided" and pair.lead is not None and pair.margin is not None:
        limits, tail, distance = pair.lead, comparison.parts[0].limits_alpha, abs(estimate + pair.margin)
    elif "not-better" in conditions and pair.better is None and pair.interval is not None:
        limits, tail, distance = pair.interval, comparison.alpha / 2, abs(estimate)
    else:
        return None
    if not (math.isfinite(limits.low) and math.isfinite(limits.high)):
        return None
    z = float(special.ndtri(1 - tail))
    error = (limits.high - limits.low) / (2 * z)
    return math.inf if distance == 0 else float(((z + float(special.ndtri(POWER))) * error / distance) ** 2)


def _rounded(count: float) -> int:
    step: int = 10 ** max(0, math.floor(math.log10(count)) - 1)
    return math.ceil(count / step) * step


# ---- Looks that share a level.


def level_of_look(number: int, alpha: float) -> float:
    """The level of the k-th look, α/(k(k + 1)); all of them add up to α.

    Examples
    --------
    >>> [round(level_of_look(k, 0.05), 5) for k in (1, 2, 30)]
    [0.025, 0.00833, 5e-05]
    """
    return alpha / (number * (number + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class _History:
    path: Path
    alpha: float
    rows: tuple[dict[str, Any], ...]

    @classmethod
    def read(cls, path: Path, alpha: float) -> _History:
        """Those in a file; none where there is none yet."""
        level = fraction(alpha, "alpha")
        rows: list[dict[str, Any]] = []
        for number, line in enumerate(_lines(path), 1):
            try:
                row = json.loads(line)
                look, total, key = row["look"], float(row["alpha_all"]), row["evidence"]
                wrong = f"look {look!r} of evidence {key!r}"
                whole = type(look) is int and 1 <= look <= MOST_LOOKS and isinstance(key, str)
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                wrong, whole = str(error), False
            if not whole:
                raise InvalidInput(
                    f"history {path} must have a JSON object with look (a whole number from 1), alpha_all and evidence "
                    f"in each line, but line {number} has not: {wrong}. Restore the file from a copy, or begin another "
                    "with a smaller alpha"
                )
            twin = next((one for one in rows if one["look"] == look and one["evidence"] != key), None)
            if twin is not None:
                raise InvalidInput(
                    f"history {path} has look {look} twice, of different evidence (the second in line {number}): two "
                    "histories were joined, and no longer share one level. Begin another with a smaller alpha"
                )
            if total != level:
                raise InvalidInput(
                    f"history {path} was begun with alpha {total:g}, which all its looks share, got {level:g}: keep "
                    "that level, or begin another history"
                )
            rows.append(
                {"look": look, "evidence": key, "line": line, "of": [str(row.get(role) or "") for role in ROLES]}
            )
        return cls(path=path, alpha=level, rows=tuple(rows))

    def look(self, key: str) -> Look:
        """Which look this evidence is, as it is judged."""
        known = next((row["look"] for row in self.rows if row["evidence"] == key), None)
        number = max((row["look"] for row in self.rows), default=0) + 1 if known is None else known
        return Look(
            number=number, alpha=level_of_look(number, self.alpha), alpha_all=self.alpha, again=known is not None
        )

    def told(self, found: Gate) -> Gate:
        """The same, saying whether all looks before were of other models: perhaps it is another gate's history."""
        pair, before = _first_pair(found), [row["of"] for row in self.rows]
        if found.look is None or not before or any({pair.a, pair.b, ""} & {*names} for names in before):
            return found
        return replace(found, look=replace(found.look, others=" vs ".join(before[-1])))

    def add(self, found: Gate, key: str) -> None:
        """Write the look down, as a whole or not at all; the same evidence is not written twice."""
        look = found.look
        if look is None or look.again:
            return
        pair = _first_pair(found)
        row = {
            "look": look.number, "time": datetime.now(UTC).isoformat(timespec="seconds"), "alpha": look.alpha,
            "alpha_all": look.alpha_all, "evidence": key, "candidate": pair.a, "baseline": pair.b,
            "metric": pair.metric, "estimate": pair.estimate, "finding": found.finding, "reason": found.reason,
        }  # fmt: skip
        lines = [*(one["line"] for one in self.rows), json.dumps(row, ensure_ascii=False)]
        write_whole(self.path, "".join(f"{line}\n" for line in lines))


def _first_pair(found: Gate) -> Pair:
    return (found.answer.main if isinstance(found.answer, Judgement) else found.answer).pairs[0]


def _lines(path: Path) -> list[str]:
    if not path.exists():
        return []
    try:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except UnicodeDecodeError:
        raise InvalidInput(f"history {path} must be a text of JSON Lines, but it is not UTF-8") from None
