"""Martin & Hirschberg (1996), Small sample statistics for classification error rates II."""

from __future__ import annotations

from typing import Any

from foldwise.lab.papers.martinhirschberg1996 import intervals, paired, trees
from foldwise.lab.papers.study import Study

__all__ = ["STUDIES"]

QUICK: dict[str, Any] = {"seconds": (0.1, 0.1)}
# All of these are made of one simulation.
NEIGHBOURS: dict[str, Any] = {"learners": ("1nn", "3nn"), "seconds": (35, 220)}

STUDIES = (
    Study("martinhirschberg1996/section2", "Are cross-validation errors binomial? The χ² of section 2",
          "section 2, last paragraph", intervals.section2, seconds=(1, 10)),
    Study("martinhirschberg1996/figure1", "When the normal approximation is allowed", "Figure 1 and section 2",
          intervals.figure1, **QUICK),
    Study("martinhirschberg1996/figure2", "Textbook and alternative limits", "Figure 2 and section 2",
          intervals.figure2, **QUICK),
    Study("martinhirschberg1996/figure3", "The Jeffreys Beta distribution", "Figure 3 and section 2",
          intervals.figure3, **QUICK),
    Study("martinhirschberg1996/figure4", "Alternative and approximate Beta limits; how good the approximations are",
          "Figure 4 and section 2", intervals.figure4, **QUICK),
    Study("martinhirschberg1996/section3.1", "Two rates with their limits: the example of a common mistake",
          "section 3.1", intervals.section31, **QUICK),
    Study("martinhirschberg1996/figure9", "Empirical priors of error rates", "Figures 8 and 9, appendix A.4",
          intervals.figure9, **QUICK),
    Study("martinhirschberg1996/table5", "Exact vs approximate significance levels for two rates",
          "Table 5 and section 3.2", intervals.table5, seconds=(0.2, 0.2)),
    Study("martinhirschberg1996/figure6", "Single-sample estimates of the variance", "Figure 6 and section 3.4",
          paired.figure6, **NEIGHBOURS),
    Study("martinhirschberg1996/figure7", "Single-sample differences vs true differences",
          "Figure 7 and section 3.4", paired.figure7, **NEIGHBOURS),
    Study("martinhirschberg1996/table10", "Paired t of the true errors of 3-NN and 1-NN", "Table 10 and appendix B",
          paired.table10, **NEIGHBOURS),
    Study("martinhirschberg1996/table11", "The unpaired formula mis-applied to paired samples",
          "Table 11 and appendix B", paired.table11, **NEIGHBOURS),
    Study("martinhirschberg1996/table12", "The same test with estimated errors", "Table 12 and appendix B",
          paired.table12, **NEIGHBOURS),
    Study("martinhirschberg1996/table13", "Stopped vs unpruned trees", "Table 13 and appendix B.2",
          trees.table13, learners=("c45",), seconds=(36, 230)),
    Study("martinhirschberg1996/figure14", "Iterated paired 2-fold cross-validation", "Figure 14 and appendix B.3",
          paired.figure14, **NEIGHBOURS),
    Study("martinhirschberg1996/table15", "Bias of the iterated 2-fold cross-validation", "Table 15 and appendix B",
          paired.table15, **NEIGHBOURS),
    Study("martinhirschberg1996/figure16", "Iterated paired 10-fold cross-validation", "Figure 16 and appendix B.3",
          paired.figure16, **NEIGHBOURS),
)  # fmt: skip
