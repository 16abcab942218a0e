"""Dietterich (1998), Approximate statistical tests for comparing supervised classification learning algorithms."""

from __future__ import annotations

from functools import partial

from foldwise.lab.papers.dietterich1998 import realistic, simulated
from foldwise.lab.papers.study import Study

__all__ = ["STUDIES"]

TREES = ("c45", "1nn")

STUDIES = (
    Study("dietterich1998/section3.4", "Correlation between folds on Letter", "section 3.4",
          realistic.section34, data=("letter",), learners=TREES, seconds=(15, 120)),
    Study("dietterich1998/figure2", "QQ plot of the 5×2cv statistic", "Figure 2 and section 3.5",
          simulated.figure2, seconds=(1, 5)),
    Study("dietterich1998/figure2-exp6", "QQ plot of the 5×2cv statistic on trained learners", "Figure 2",
          realistic.figure2, learners=TREES, seconds=(15, 120)),
    Study("dietterich1998/section3.5", "Fewer or more than five replications of 2-fold cross-validation", "section 3.5",
          simulated.replications, learners=("nb", "c45", "1nn"), seconds=(60, 600)),
    Study("dietterich1998/figure3", "How often C4.5 misses each point of a population", "Figure 3 and section 4.1",
          realistic.figure3, data=("letter",), learners=("c45",), seconds=(1, 3)),
    Study("dietterich1998/figure5", "Type I error of five tests on simulated learners", "Figure 5 and section 5",
          simulated.figure5, seconds=(1, 4)),
    Study("dietterich1998/section5", "Two tables that McNemar's test tells apart", "section 5",
          simulated.section5, seconds=(0.1, 0.1)),
    Study("dietterich1998/figure6", "Type I error by number of resampled splits or folds", "Figure 6 and section 5",
          simulated.figure6, seconds=(1, 4)),
    Study("dietterich1998/figure7", "Type I error of four tests on trained learners", "Figure 7 and section 6.2",
          realistic.figure7, data=("letter", "diabetes"), learners=TREES, seconds=(15, 120)),
    Study("dietterich1998/figure8", "Learning curves interpolated between C4.5 and NN", "Figure 8 and section 6.3",
          realistic.figure8, data=("letter",), learners=TREES, seconds=(15, 250)),
    *(
        Study(f"dietterich1998/figure{number}", f"Power of four tests on {realistic.TITLES[name]}",
              f"Figure {number} and section 6.3", partial(realistic.power, name=name), data=realistic.DATA[name],
              learners=TREES, seconds=(15, 250))
        for number, name in ((9, "exp6"), (10, "letter"), (11, "pima"))
    ),
    Study("dietterich1998/section7", "Where the 5×2cv test fails: error rates that swing between 0.1 and 0.9",
          "section 7", simulated.section7, seconds=(0.5, 2)),
)  # fmt: skip
