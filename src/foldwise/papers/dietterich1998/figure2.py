"""Figure 2: is the 5×2cv statistic distributed as t with 5 degrees of freedom?"""

from __future__ import annotations

import numpy as np

from foldwise.inference import five_by_two_cv_t
from foldwise.kinds import FIVE_BY_TWO, Design
from foldwise.lab.gather import gather, prepare
from foldwise.lab.pvalues import choose_tests
from foldwise.papers.dietterich1998.failure import qq_chart, qq_findings
from foldwise.papers.study import Findings, Study, Task

__all__ = ["FIGURE_2"]


def _figure2(task: Task) -> Findings:
    trials = task.pick(smoke=500, quick=10_000, full=100_000)
    work = prepare(choose_tests("five_by_two_cv_t"), "two-kinds(error=0.1)", (), Design(), task.seed)
    statistic = np.asarray(five_by_two_cv_t(gather(work, trials)[FIVE_BY_TWO][:, 0]).statistic)
    label = "simulated learners, ε = 0.1"
    chart = qq_chart("simulated", "5×2cv statistic on simulated learners", statistic)
    raw = {"trials": trials, "quantiles": np.quantile(statistic, np.linspace(0.005, 0.995, 100)).tolist()}
    note = "The paper draws its 1000 values on the EXP6 task; here the learners are those of its section 4."
    return Findings(rows=tuple(qq_findings(label, statistic)), charts=(chart,), raw=raw, notes=(note,))


FIGURE_2 = Study(
    key="dietterich1998/figure2",
    title="QQ plot of the 5×2cv statistic",
    reference="Figure 2 and section 3.5",
    compute=_figure2,
    seconds=(1, 5),
)
