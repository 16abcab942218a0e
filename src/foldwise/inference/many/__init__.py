"""Many learners on many data sets: omnibus tests, pairwise tests, adjustments and Bayesian models."""

from __future__ import annotations

from foldwise.inference.many.adjust import adjust
from foldwise.inference.many.bayesian_sign import bayesian_sign_test
from foldwise.inference.many.bayesian_signed_rank import bayesian_signed_rank
from foldwise.inference.many.bergmann_hommel import bergmann_hommel
from foldwise.inference.many.bonferroni_dunn import BonferroniDunnResult, bonferroni_dunn
from foldwise.inference.many.bradley_terry import BradleyTerryResult, bradley_terry, bradley_terry_from_wins
from foldwise.inference.many.friedman import friedman
from foldwise.inference.many.friedman_aligned import friedman_aligned
from foldwise.inference.many.hierarchical import (
    HierarchicalResult,
    hierarchical_correlated_t,
    hierarchical_from_summaries,
)
from foldwise.inference.many.iman_davenport import iman_davenport
from foldwise.inference.many.meta import MetaAnalysisResult, combine_data_sets, random_effects
from foldwise.inference.many.nemenyi import NemenyiResult, critical_difference, nemenyi
from foldwise.inference.many.omnibus import OmnibusResult
from foldwise.inference.many.pairwise import PairwiseResult, least_pvalue, pairwise
from foldwise.inference.many.quade import quade
from foldwise.inference.many.regions import RegionPosterior
from foldwise.inference.many.shaffer import shaffer
from foldwise.inference.many.sign_test import SignTestResult, sign_test
from foldwise.inference.many.skillings_mack import skillings_mack
from foldwise.inference.many.wilcoxon import WilcoxonResult, wilcoxon_signed_rank

__all__ = [
    "BonferroniDunnResult",
    "BradleyTerryResult",
    "HierarchicalResult",
    "MetaAnalysisResult",
    "NemenyiResult",
    "OmnibusResult",
    "PairwiseResult",
    "RegionPosterior",
    "SignTestResult",
    "WilcoxonResult",
    "adjust",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bergmann_hommel",
    "bonferroni_dunn",
    "bradley_terry",
    "bradley_terry_from_wins",
    "combine_data_sets",
    "critical_difference",
    "friedman",
    "friedman_aligned",
    "hierarchical_correlated_t",
    "hierarchical_from_summaries",
    "iman_davenport",
    "least_pvalue",
    "nemenyi",
    "pairwise",
    "quade",
    "random_effects",
    "shaffer",
    "sign_test",
    "skillings_mack",
    "wilcoxon_signed_rank",
]
