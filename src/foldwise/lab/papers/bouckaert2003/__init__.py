"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests."""

from __future__ import annotations

from foldwise.lab.papers.bouckaert2003 import calibrated, tables
from foldwise.lab.papers.study import Study

__all__ = ["STUDIES"]

BOTH = ("nb", "c45")

STUDIES = (
    Study("bouckaert2003/figure1", "Over what the repeated-cv tests average", "Figure 1",
          calibrated.figure1, seconds=(0.1, 0.1)),
    Study("bouckaert2003/figure2", "Calibrated degrees of freedom and Type I error for 5 to 100 runs",
          "Figure 2 and section 4", calibrated.figure2, learners=BOTH, seconds=(4, 20)),
    Study("bouckaert2003/table2", "Type I error by class probability", "Table 2 and section 5.1",
          tables.table2, learners=BOTH, seconds=(3, 8)),
    Study("bouckaert2003/table3", "Accuracies of naive Bayes and C4.5 on the four sets", "Table 3 and section 5.2",
          tables.table3, learners=BOTH, seconds=(2, 8)),
    Study("bouckaert2003/figure4", "Power of the calibrated tests for 5 to 100 runs", "Figure 4 and section 5.2",
          calibrated.figure4, learners=BOTH, seconds=(6, 35)),
    Study("bouckaert2003/table4", "Type I error by significance level", "Table 4 and section 5.3",
          tables.table4, learners=BOTH, seconds=(2, 4)),
    Study("bouckaert2003/table5", "Replicability of the calibrated tests on the four sets", "Table 5 and section 5.4",
          tables.table5, learners=BOTH, seconds=(5, 35)),
    Study("bouckaert2003/table6", "Lowest replicability by significance level", "Table 6 and section 5.4",
          tables.table6, learners=BOTH, seconds=(5, 35)),
    Study("bouckaert2003/table7", "Type I error for other pairs of learners", "Table 7 and section 5.5",
          tables.table7, learners=(*BOTH, "1nn", "tan", "votedperceptron"), seconds=(12, 45)),
)  # fmt: skip
