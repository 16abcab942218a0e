"""Many models: a board with the ranks that the data leave, and the frontier of cost and quality."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foldwise.comparison.board import Leaderboard, leaderboard
from foldwise.comparison.costs import Frontier, costs_in, frontier
from foldwise.comparison.judging import explain
from foldwise.core.errors import FoldwiseError
from foldwise.web.doors import base, judge

ADJUST = (("holm", "Holm's"), ("max_t", "by the largest statistic (max-T)"))
MISSING = (("refuse", "not allowed"), ("drop", "left out for all models"))

OF_TWO = ("a", "b", "candidate", "baseline", "rope", "margin", "test")
"""What `judge` asks about two models, and a board does not."""


def _models(entry: base.Submission) -> tuple[str, ...]:
    try:
        return explain(entry.folder, **judge.asked(entry)).models
    except FoldwiseError:
        return ()


def look_at_board(entry: base.Submission) -> base.Preview:
    """As the first door, with the new submission and without what is asked of two models."""
    found = judge.look(entry)
    fields, options = (tuple(one for one in part if one.name not in OF_TWO) for part in (found.fields, found.options))
    if found.problem:
        return replace(found, fields=fields, options=options)
    choices = (("", "none"), *((name, name) for name in _models(entry)))
    new = entry.field("new", "A new submission", choices=choices, hint="where it enters")
    adjust = entry.field("adjust", "Adjustment", default="holm", choices=ADJUST)
    return replace(found, fields=(*fields, new), options=(*options, adjust))


def _board(entry: base.Submission) -> dict[str, Any]:
    how = {name: value for name, value in judge.how(entry).items() if name not in OF_TWO}
    how["options"] = judge.few_options(entry, adjust=entry.get("adjust") or "holm")
    return {"new": entry.get("new"), **judge.asked(entry), **how}


def board(entry: base.Submission) -> Leaderboard:
    return leaderboard(entry.folder, **_board(entry))


def board_python(entry: base.Submission) -> str:
    asked = _board(entry)
    usual = {"alpha": 0.05, "test": "auto"}
    told = {name: value for name, value in asked.items() if usual.get(name) != value}
    return base.python_lines(base.python_call("leaderboard", judge.given(entry), **told))


def board_command(entry: base.Submission) -> list[str]:
    words = judge.command(replace(entry, options={k: v for k, v in entry.options.items() if k not in OF_TWO}))
    return ["leaderboard", *words[1:], *base.command_words(entry, {"adjust": "holm"}, ("new", "adjust"))]


def look_at_frontier(entry: base.Submission) -> base.Preview:
    """What was read, and which of its metrics is the cost."""
    found = judge.look(entry)
    fields = tuple(one for one in found.fields if one.name in ("task", "groups") or one.name.startswith("column_"))
    if found.problem:
        return replace(found, fields=fields, options=())
    try:
        price, there = costs_in(entry.folder, columns=judge.asked(entry)["columns"], cost=entry.get("cost"))
    except FoldwiseError as error:
        return replace(found, fields=fields, options=(), problem=error.said("page"))
    named = tuple((name, name) for name in there)
    rest = tuple(one for one in named if one[0] != price)
    fields = (
        entry.field("cost", "Cost", default=price, choices=named, hint="lower is better"),
        entry.field("metric", "Quality", choices=(("", "the most common"), *rest)),
        *fields,
    )
    alpha, _, margin = base.judging(entry)
    margin = replace(margin, hint="the cheapest model that is worse than no other by more than this, as 1pt or 0.01")
    missing = entry.field("missing", "Missing values", default="refuse", choices=MISSING)
    return replace(found, fields=fields, options=(margin, missing, alpha))


def _frontier(entry: base.Submission) -> dict[str, Any]:
    asked: dict[str, Any] = {name: entry.get(name) for name in ("cost", "metric", "groups")}
    task = entry.get("task")
    return {
        "columns": judge.asked(entry)["columns"], "tasks": (task,) if task else (),
        "missing": entry.get("missing") or "refuse", "margin": entry.amount("margin"),
        "alpha": entry.number("alpha", 0.05), **asked,
    }  # fmt: skip


def frontier_of(entry: base.Submission) -> Frontier:
    """The frontier, as the command makes it."""
    return frontier(entry.folder, **_frontier(entry))


def frontier_python(entry: base.Submission) -> str:
    return base.python_lines(base.python_call("frontier", judge.given(entry), **_frontier(entry)))


def frontier_command(entry: base.Submission) -> list[str]:
    defaults = {"alpha": "0.05", "missing": "refuse"}
    chosen = base.command_words(entry, defaults, ("cost", "metric", "groups", "task", "missing", "margin", "alpha"))
    return ["frontier", *judge.paths(entry), *base.column_words(entry), *chosen]


LEADERBOARD = base.Door(
    name="leaderboard", title="Leaderboards", short="Leaderboard",
    question="Many models on the same items: which share the first place, and where does a new one enter?",
    takes="Logs of evaluation harnesses, folders of submissions, votes, or a table with many models.",
    example="board.csv", placeholder="model,item,score\na,q1,1\nb,q1,0\n…", several=True, look=look_at_board,
    answer=board, command=board_command, python=board_python,
)  # fmt: skip

FRONTIER = base.Door(
    name="frontier", title="Cost and quality", short="Cost and quality",
    question="Which models are on the frontier of cost and quality, and which is the cheapest that is nearly the best?",
    takes="A quality and a cost of every item: a table with columns such as score and cost, or logs that have both.",
    example="board.csv", placeholder="model,item,score,cost\na,q1,1,0.02\nb,q1,0,0.01\n…", several=True,
    look=look_at_frontier, answer=frontier_of, command=frontier_command, python=frontier_python,
)  # fmt: skip
