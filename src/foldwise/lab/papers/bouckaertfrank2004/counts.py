"""The summaries of Table 1, from the counts that the table prints itself."""

from __future__ import annotations

import numpy as np

from foldwise.inference._replicability import replicability
from foldwise.lab.papers.bouckaertfrank2004.printed import DRAWS, PAIRS, TABLE_1
from foldwise.lab.papers.rows import Printed, Row, of_value
from foldwise.lab.papers.study import Findings, Study, Task

__all__ = ["TABLE_1_SUMMARIES"]

NAMES = {"nb": "NB", "c45": "C4.5", "1nn": "NN"}


def pair_name(pair: tuple[str, str]) -> str:
    """A comparison as the paper calls it."""
    return f"{NAMES[pair[0]]} vs {NAMES[pair[1]]}"


def _summaries(task: Task) -> Findings:
    draws = np.array(list(DRAWS.values()))
    rows: list[Row] = []
    for column, pair in enumerate(PAIRS):
        found = replicability(10 - draws[:, column], 10).summary()
        ours = (found.consistent, found.almost_consistent, found.R)
        for what, printed, value in zip(("consistent", "almost consistent", "R"), TABLE_1[pair], ours, strict=True):
            rows.append(of_value(f"{pair_name(pair)}: {what}", Printed(text=printed[0]), float(value)))
    return Findings(rows=tuple(rows), raw={"draws": DRAWS})


TABLE_1_SUMMARIES = Study(
    key="bouckaertfrank2004/table1-summaries",
    title="Replicability of the 5×2cv test, from the printed counts",
    reference="Table 1, last three lines",
    compute=_summaries,
    seconds=(0.1, 0.1),
)
