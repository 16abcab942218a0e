"""Many learners on many data sets: omnibus tests, pairwise tests, adjustments and Bayesian models."""

from __future__ import annotations

from foldwise.inference.many.adjust import adjust
from foldwise.inference.many.bergmann_hommel import bergmann_hommel
from foldwise.inference.many.bonferroni_dunn import BonferroniDunnResult, bonferroni_dunn
from foldwise.inference.many.friedman import friedman
from foldwise.inference.many.friedman_aligned import friedman_aligned
from foldwise.inference.many.iman_davenport import iman_davenport
from foldwise.inference.many.meta import MetaAnalysisResult, combine_data_sets, random_effects
from foldwise.inference.many.nemenyi import NemenyiResult, critical_difference, nemenyi
from foldwise.inference.many.omnibus import OmnibusResult
from foldwise.inference.many.quade import quade
from foldwise.inference.many.shaffer import shaffer
from foldwise.inference.many.sign_test import SignTestResult, sign_test
from foldwise.inference.many.skillings_mack import skillings_mack
from foldwise.inference.many.wilcoxon import WilcoxonResult, wilcoxon_signed_rank

__all__ = [
    "BonferroniDunnResult",
    "MetaAnalysisResult",
    "NemenyiResult",
    "OmnibusResult",
    "SignTestResult",
    "WilcoxonResult",
    "adjust",
    "bergmann_hommel",
    "bonferroni_dunn",
    "combine_data_sets",
    "critical_difference",
    "friedman",
    "friedman_aligned",
    "iman_davenport",
    "nemenyi",
    "quade",
    "random_effects",
    "shaffer",
    "sign_test",
    "skillings_mack",
    "wilcoxon_signed_rank",
]
