"""Figure 1: the example that shows over what the repeated-cv tests average."""

from __future__ import annotations

import numpy as np

from foldwise.papers.rows import Printed, Row, of_value
from foldwise.papers.study import Findings, Study, Task

__all__ = ["FIGURE_1"]

# Figure 1, in per cent: runs × folds
X = ((3.33, 10, -6.66), (6.66, 3.33, 0), (6.66, -10, -3.33))

# our copy prints the last run mean without its sign: (6.66 − 10 − 3.33)/3 = −2.22
RUN_MEANS = ("2.22", "3.33", "2.22")
FOLD_MEANS = ("5.55", "1.11", "-3.33")
SORTED_MEANS = ("-5.55", "1.11", "7.77")
SIGN = "the printed mean lost its sign: (6.66 − 10 − 3.33)/3 = −2.22"


def _figure1(task: Task) -> Findings:
    x = np.array(X)
    rows = [
        *_rows("mean of run", RUN_MEANS, x.mean(axis=1), why=SIGN),
        *_rows("mean of fold", FOLD_MEANS, x.mean(axis=0)),
        *_rows("mean of rank", SORTED_MEANS, np.sort(x, axis=1).mean(axis=0)),
    ]
    return Findings(rows=tuple(rows), raw={"x": X})


def _rows(label: str, printed: tuple[str, ...], ours: np.ndarray, why: str = "") -> list[Row]:
    # the cells are thirds cut off after two digits, so that their means are good to 0.01
    return [
        of_value(f"{label} {i + 1}", Printed(text=text), float(value), low=value - 0.005, high=value + 0.005, why=why)
        for i, (text, value) in enumerate(zip(printed, ours.tolist(), strict=True))
    ]


FIGURE_1 = Study(
    key="bouckaert2003/figure1",
    title="Over what the repeated-cv tests average",
    reference="Figure 1",
    compute=_figure1,
    seconds=(0.1, 0.1),
)
