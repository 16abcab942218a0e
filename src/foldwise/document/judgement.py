"""A judgement of files: what was understood, then its main verdict, and the tasks one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foldwise.comparison.comparison import Comparison
from foldwise.document import document_of, plots_of
from foldwise.document.document import Block, Document, Drawing, Facts, Grid, Section, Text, Tone

if TYPE_CHECKING:
    from foldwise.comparison.gates import Gate
    from foldwise.comparison.judgement import Judgement, Understanding


def understanding(found: Understanding) -> Document:
    return Document(title="What was understood", blocks=(Facts(rows=tuple(found.lines())),))


def judgement(j: Judgement) -> Document:
    """What was understood first, then the verdict, then the tasks."""
    main = document_of(j.main, assumed=False)
    headline = f"{j.disagreement} {main.headline}".strip()
    tasks, every = _by_task(j) if j.overall is not None and j.verdicts else ((), ())
    understood = Text(text="What was understood:"), Facts(rows=tuple(j.understanding.lines()))
    blocks = (*main.blocks, *tasks, *understood)
    return main.replace(headline=headline, blocks=blocks, details=(*every, *main.details))


def judgement_plots(j: Judgement) -> dict[str, Drawing]:
    return plots_of(j.main)


MOST_TASKS = 8  # Tasks that the answer lists one by one; of more it has those that differ, and the details have all.


def _by_task(j: Judgement) -> tuple[tuple[Block, ...], tuple[Section, ...]]:
    told = {task: document_of(verdict, assumed=False) for task, verdict in j.verdicts.items()}
    rows = [(task, one.headline, one.detail) for task, one in told.items()]

    def grid(rows: Sequence[tuple[str, str, str]], caption: str) -> Grid:
        words = ("verdict", "numbers")
        return Grid(columns=("task", *words), rows=tuple(rows), words=words, caption=caption)

    if len(rows) <= MOST_TASKS:
        return (grid(rows, "By task"),), ()
    differ = {task for task, one in j.verdicts.items() if any(pair.better for part in one.parts for pair in part.pairs)}
    told_of = f"{len(differ) or 'None'} of {len(rows)} tasks alone show{'s' * (len(differ) == 1)} a difference"
    some = [row for row in rows if row[0] in differ]
    shown = f", the first {MOST_TASKS}" if len(some) > MOST_TASKS else ""
    brief: Block = grid(some[:MOST_TASKS], told_of + shown) if some else Text(text=f"{told_of}.")
    return (brief,), (Section(heading="By task", blocks=(grid(rows, "By task"),)),)


# ---- A gate: what was found and why, then the answer behind it.


def _tone(g: Gate) -> Tone:
    """Of a gate that passed green only where something is shown for the candidate, not where nothing is against it."""
    if g.finding != "passed":
        return "failed" if g.finding == "failed" else "open"
    shown = ("superior", "non-inferior", "equivalent")
    return "decided" if any(one.better == one.candidate or one.conclusion in shown for one in g.claims()) else "same"


def gate(g: Gate) -> Document:
    """The finding is the headline; of several looks that share a level, which one it was is a note."""
    behind = document_of(g.answer, assumed=False)
    look: tuple[str, ...] = ()
    if g.look is not None:
        again = ", which was judged before" if g.look.again else ""
        others = f"; those before are of other models ({g.look.others}): is it this gate's history?" * bool(
            g.look.others
        )
        look = (
            f"This is look {g.look.number}{again}: it has level {g.look.alpha:.2g}, so that all looks together have "
            f"{g.look.alpha_all:g}{others}.",
        )
    main = g.answer if isinstance(g.answer, Comparison) else g.answer.main
    sliced = "" if main.slices is None else main.slices.sentence(main, main.alpha)
    told = (f"By {main.slices.column}: {sliced}.",) if main.slices is not None and sliced else ()
    headline = f"Gate {g.finding}: {g.brief or g.reason}."
    return behind.replace(
        headline=headline, numbers=g.needed.rstrip("."), tone=_tone(g), notes=(*told, *look, *behind.notes)
    )


def gate_plots(g: Gate) -> dict[str, Drawing]:
    return plots_of(g.answer)
