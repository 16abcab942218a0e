"""What is concluded about a margin, in words and tables."""

from __future__ import annotations

from typing import Any

from foldwise.core.formatting import level_text
from foldwise.core.metric import metric_words
from foldwise.core.units import asked_text, limits_text, name_list
from foldwise.document.document import MOST, Block, Grid, Text
from foldwise.inference.equivalence import Conclusion

REST = "All of them are in the JSON: --json on the command line, or the button on the web page."


def conclusion_sentence(
    found: Conclusion, candidate: str, baseline: str, margin: str, *, better: str | None = None
) -> str:
    """A conclusion as a sentence; `better` is which of the two is shown to be better, if one is.

    Examples
    --------
    >>> conclusion_sentence("non-inferior", "nb", "c45", "1 point")
    'nb is non-inferior to c45: worse by less than 1 point, if at all.'
    """
    worse = f"worse by less than {margin}, if at all"
    if better == candidate:
        worse = f"better, though not shown to be so by more than {margin}"
    elif better == baseline:
        worse = f"worse, but by less than {margin}"
    words = {
        "superior": f"{candidate} is superior to {baseline}: better by more than {margin}.",
        "non-inferior": f"{candidate} is non-inferior to {baseline}: {worse}.",
        "equivalent": f"{candidate} is equivalent to {baseline}: they differ by less than {margin}.",
        "inferior": f"{candidate} is inferior to {baseline}: worse by more than {margin}.",
        "undecided": f"Undecided: {candidate} may be worse than {baseline} by {margin} or more.",
    }
    return words[found]


def with_conclusion(answer: str, c: Any) -> str:
    """What the test says and what is concluded about the margin; the conclusion alone where it shows more."""
    if c.margin is None or c.conclusion is None:
        return answer
    a, b = c.models
    asked = conclusion_sentence(c.conclusion, a, b, asked_text(c.margin, c.unit), better=c.better)
    if c.better is None and c.conclusion in ("superior", "inferior"):
        return f"{asked} (The two-sided test of level {c.alpha:g} does not show a difference; the limits decide.)"
    return f"{answer} {asked}"


# ---- The pairs of several models.


def pair_conclusions(c: Any, *, estimate: str, together: bool) -> tuple[Block, ...]:
    """A table with the conclusion about every pair, and what it is based on; nothing where no margin was given.

    `estimate` is what the limits are of ("mean difference"); `together` whether they hold for all pairs together.
    """
    if c.margin is None:
        return ()
    more = any(pair.better is None and pair.conclusion in ("superior", "inferior") for pair in c.ordered_pairs)
    decide = " They decide, also where the two-sided tests of pairs show no difference." if more else ""
    note = (
        f"The margin is {asked_text(c.margin, c.shown_unit)}; the limits are those of the {estimate}, candidate − "
        f"baseline, one-sided and each of level {level_text(1 - c.alpha)}"
        f"{', for all pairs together' if together and len(c.pairs) > 1 else ''}.{decide}"
    )
    grid = Grid(
        columns=("candidate vs baseline", "conclusion", "limits"), rows=tuple(_pair_rows(c)[:MOST]),
        more=max(0, len(c.pairs) - MOST), words=("conclusion",), caption="Conclusions about the margin", rest=REST,
    )  # fmt: skip
    return grid, Text(text=note)


def _pair_rows(c: Any) -> list[tuple[str, str, str]]:
    return [
        (
            f"{pair.candidate} vs {pair.baseline}",
            str(pair.conclusion),
            "unknown" if pair.lead is None else limits_text(pair.lead, c.shown_unit, c.margin),
        )
        for pair in c.ordered_pairs
    ]


# ---- Several metrics.


def conclusions_by_metric(m: Any) -> tuple[Block, ...]:
    """The conclusions by every metric, and the level; nothing where no margin was given."""
    rows = _metric_rows(m)
    if not rows:
        return ()
    columns = ("metric", "candidate vs baseline", "margin", "conclusion", "limits")
    grid = Grid(columns=columns, rows=tuple(rows), words=("conclusion",), caption="Conclusions about the margin",
                unfolded=True)  # fmt: skip
    return grid, Text(text=_level(m))


def conclusions_sentence(m: Any) -> str:
    """The same for a paper, with a space before it; empty where no margin was given."""
    rows = _metric_rows(m)
    if not rows:
        return ""
    found = name_list([f"{said} by {metric} ({who}, margin {margin})" for metric, who, margin, said, _ in rows])
    return f" {_level(m)} The conclusions were: {found}."


def _metric_rows(m: Any) -> list[tuple[str, str, str, str, str]]:
    return [
        (metric_words(c.metric), who, asked_text(c.margin, c.unit if two else c.shown_unit), found, limits)
        for c in m.parts
        if c.margin is not None
        for two in [c.is_pair]
        for who, found, limits in (_two(c) if two else _pair_rows(c))
    ]


def _two(c: Any) -> list[tuple[str, str, str]]:
    limits = "unknown" if c.limits is None else limits_text(c.limits, c.unit, c.margin)
    return [(f"{c.names[0]} vs {c.names[1]}", str(c.conclusion), limits)]


def _level(m: Any) -> str:
    """The level of the limits, and whether it is that of all metrics together."""
    pairs = len(m.models) > 2
    together = f"{'all pairs by ' if pairs else ''}all {len(m)} metrics" if m.shared else "all pairs by each metric"
    level = level_text(1 - m.alpha)
    words = f"of level {level} for {together} together (Bonferroni)" if m.shared or pairs else f"each of level {level}"
    return (
        f"The limits are those of the difference, candidate − baseline, one-sided and {words}"
        f"{'' if m.shared else ', not adjusted for the number of metrics'}."
    )
