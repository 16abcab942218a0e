"""The whole table data sets × learners for LaTeX: the best in bold, and who is shown to be worse than the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from foldwise.core.metric import metric_words
from foldwise.core.units import capital, fixed, shared_decimals
from foldwise.report.latex import floating, heads_that_fit, latex

if TYPE_CHECKING:
    from foldwise.core.types import Array
    from foldwise.verdict.many.comparison import ManyComparison

__all__ = ["score_table_latex"]

WORSE, BETTER = r"$^\bullet$", r"$^\circ$"
"""Marks of learners that are shown to be worse, or better, than the one they are held against."""


def score_table_latex(c: ManyComparison) -> str:
    """Mean scores by data set, with as many decimals everywhere; below them the means, mean ranks and marks.

    Marks are those of the comparison over all data sets, at its level and adjusted for the number of comparisons:
    against the control, or against the learner with the best mean rank.
    """
    table, against = c.table, c.control if c.control is not None else c.ranking[0]
    decimals = min(shared_decimals(table.means.ravel().tolist(), 4), 4)
    rows = [
        [latex(name), *_cells(scores, decimals, higher_is_better=table.higher_is_better)]
        for name, scores in zip(table.datasets, table.means, strict=True)
    ]
    means = ["mean", *_cells(np.nanmean(table.means, axis=0), decimals, higher_is_better=table.higher_is_better)]
    ranks = ["mean rank", *(cell + _mark(c, name, against) for name, cell in
             zip(c.learners, _cells(np.asarray(c.mean_ranks), 2, higher_is_better=False), strict=True))]  # fmt: skip
    plain = [
        [name, *(f"{score:.{decimals}f}" for score in scores)]
        for name, scores in zip(table.datasets, table.means, strict=True)
    ]
    head = heads_that_fit(["data set", *c.learners], plain)
    lines = [_line(head), r"\midrule", *map(_line, rows), r"\midrule", _line(means), _line(ranks)]
    caption = (
        f"{capital(metric_words(table.metric))} on each data set, the best in bold. {WORSE} worse and {BETTER} better "
        f"than {latex(against)} over all data sets at level {c.alpha:g} ({latex(c.pair_test.title)}, "
        f"{latex(c.adjusted_by.title)})."
    )
    return floating(lines, columns="l" + "r" * len(c.learners), caption=caption, label="tab:scores")


def _cells(values: Array, decimals: int, *, higher_is_better: bool) -> list[str]:
    """Numbers with the best in bold: all that are equal as shown."""
    shown = ["--" if np.isnan(value) else fixed(float(value), decimals).replace("−", "$-$") for value in values]
    known = [float(value) for value in values if not np.isnan(value)]
    best = fixed((max if higher_is_better else min)(known), decimals).replace("−", "$-$") if known else None
    return [rf"\textbf{{{cell}}}" if cell == best else cell for cell in shown]


def _mark(c: ManyComparison, name: str, against: str) -> str:
    better = next((pair.better for pair in c.pairs if {pair.a, pair.b} == {name, against}), None)
    return "" if better is None else BETTER if better == name else WORSE


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
