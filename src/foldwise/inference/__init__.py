"""Tests, intervals and Bayesian procedures: arrays in, result objects out.

Every procedure accepts leading batch axes, so that a million experiments are one call, and prints nothing. A file
that defines what it is called needs no line here: ``inf.name`` is the `name` of ``name.py``. The lines below are for
the names that differ, and for type checkers.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from foldwise.inference.anytime_mcnemar import AnytimeMcNemarResult, anytime_mcnemar
from foldwise.inference.balanced_5x2_mcnemar import BalancedMcNemarResult, balanced_5x2_mcnemar
from foldwise.inference.best_set import BestSetResult, best_set
from foldwise.inference.calibrated import calibrated_df
from foldwise.inference.clustered_difference import clustered_difference
from foldwise.inference.clustered_outcomes import ClusteredOutcomes, clustered_outcomes
from foldwise.inference.clustered_t import clustered_t
from foldwise.inference.cochran_q import CochranQResult, cochran_q
from foldwise.inference.common_mistakes import CommonMistake, outside_interval, standard_error_rule
from foldwise.inference.confidence_sequence import (
    BettingEvidence,
    ConfidenceSequence,
    betting_evidence,
    confidence_sequence,
)
from foldwise.inference.corrected_repeated_cv_t import corrected_repeated_cv_t
from foldwise.inference.corrected_resampled_t import corrected_resampled_t
from foldwise.inference.correlated_bayesian_t import BayesianTResult, correlated_bayesian_t, student_posterior
from foldwise.inference.crossed import CrossedResult, MeanSquares, crossed
from foldwise.inference.detectable_difference import detectable_difference, student_power
from foldwise.inference.difference_of_proportions import DifferenceOfProportionsResult, difference_of_proportions
from foldwise.inference.disjoint import DisjointResult, disjoint
from foldwise.inference.error_interval import EMPIRICAL_PRIOR, INTERVAL_METHODS, ErrorInterval, error_interval
from foldwise.inference.explicit_df import ExplicitDf, explicit_df, explicit_df_corrected
from foldwise.inference.five_by_two_cv_f import FiveByTwoFResult, five_by_two_cv_f
from foldwise.inference.five_by_two_cv_t import FiveByTwoTResult, five_by_two_cv_t
from foldwise.inference.five_by_two_power import five_by_two_f_detectable_difference, five_by_two_f_power
from foldwise.inference.interval_survey import IntervalSurvey, SurveyRow, interval_survey
from foldwise.inference.intervals.applicability import Applicability, applicability
from foldwise.inference.kfold_cv_t import kfold_cv_t
from foldwise.inference.many import (
    BonferroniDunnResult,
    BradleyTerryResult,
    HierarchicalResult,
    MetaAnalysisResult,
    NemenyiResult,
    OmnibusResult,
    PairwiseResult,
    RegionPosterior,
    SignTestResult,
    WilcoxonResult,
    adjust,
    bayesian_sign_test,
    bayesian_signed_rank,
    bergmann_hommel,
    bonferroni_dunn,
    bradley_terry,
    bradley_terry_from_wins,
    combine_data_sets,
    critical_difference,
    friedman,
    friedman_aligned,
    hierarchical_correlated_t,
    hierarchical_from_summaries,
    iman_davenport,
    least_pvalue,
    nemenyi,
    pairwise,
    quade,
    random_effects,
    shaffer,
    sign_test,
    skillings_mack,
    wilcoxon_signed_rank,
)
from foldwise.inference.max_t import MaxTResult, max_t
from foldwise.inference.mcnemar import McNemarResult, mcnemar
from foldwise.inference.mcnemar_power import connor_sample_size, mcnemar_detectable_difference, mcnemar_power
from foldwise.inference.paired_difference import PairedDifferenceResult, paired_difference
from foldwise.inference.paired_posterior import PairedPosterior, paired_posterior
from foldwise.inference.paired_t import paired_t
from foldwise.inference.partition_stability import PartitionStability, partition_stability
from foldwise.inference.probabilities import Probabilities
from foldwise.inference.rank_intervals import RankIntervals, rank_intervals
from foldwise.inference.repeated_cv import VARIANTS, repeated_cv_parts, repeated_cv_test
from foldwise.inference.replicability import ReplicabilityResult, ReplicabilitySummary, replicability
from foldwise.inference.resampled_t import resampled_t
from foldwise.inference.round_robin import RoundRobinResult, round_robin
from foldwise.inference.several_samples import unpaired_t
from foldwise.inference.single_sample import SingleSampleHeuristic, single_sample_se, single_sample_ss
from foldwise.inference.student import StudentResult
from foldwise.inference.tost import EquivalenceResult, tost
from foldwise.inference.two_rates import TwoRatesResult, two_rates
from foldwise.inference.unpaired_seeds import UnpairedSeedsResult, unpaired_seeds
from foldwise.inference.variance_split import Outlook, VarianceSource, VarianceSplit

__all__ = [
    "EMPIRICAL_PRIOR",
    "INTERVAL_METHODS",
    "VARIANTS",
    "AnytimeMcNemarResult",
    "Applicability",
    "BalancedMcNemarResult",
    "BayesianTResult",
    "BestSetResult",
    "BettingEvidence",
    "BonferroniDunnResult",
    "BradleyTerryResult",
    "ClusteredOutcomes",
    "CochranQResult",
    "CommonMistake",
    "ConfidenceSequence",
    "CrossedResult",
    "DifferenceOfProportionsResult",
    "DisjointResult",
    "EquivalenceResult",
    "ErrorInterval",
    "ExplicitDf",
    "FiveByTwoFResult",
    "FiveByTwoTResult",
    "HierarchicalResult",
    "IntervalSurvey",
    "MaxTResult",
    "McNemarResult",
    "MeanSquares",
    "MetaAnalysisResult",
    "NemenyiResult",
    "OmnibusResult",
    "Outlook",
    "PairedDifferenceResult",
    "PairedPosterior",
    "PairwiseResult",
    "PartitionStability",
    "Probabilities",
    "RankIntervals",
    "RegionPosterior",
    "ReplicabilityResult",
    "ReplicabilitySummary",
    "RoundRobinResult",
    "SignTestResult",
    "SingleSampleHeuristic",
    "StudentResult",
    "SurveyRow",
    "TwoRatesResult",
    "UnpairedSeedsResult",
    "VarianceSource",
    "VarianceSplit",
    "WilcoxonResult",
    "adjust",
    "anytime_mcnemar",
    "applicability",
    "balanced_5x2_mcnemar",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bergmann_hommel",
    "best_set",
    "betting_evidence",
    "bonferroni_dunn",
    "bradley_terry",
    "bradley_terry_from_wins",
    "calibrated_df",
    "clustered_difference",
    "clustered_outcomes",
    "clustered_t",
    "cochran_q",
    "combine_data_sets",
    "confidence_sequence",
    "connor_sample_size",
    "corrected_repeated_cv_t",
    "corrected_resampled_t",
    "correlated_bayesian_t",
    "critical_difference",
    "crossed",
    "detectable_difference",
    "difference_of_proportions",
    "disjoint",
    "error_interval",
    "explicit_df",
    "explicit_df_corrected",
    "five_by_two_cv_f",
    "five_by_two_cv_t",
    "five_by_two_f_detectable_difference",
    "five_by_two_f_power",
    "friedman",
    "friedman_aligned",
    "hierarchical_correlated_t",
    "hierarchical_from_summaries",
    "iman_davenport",
    "interval_survey",
    "kfold_cv_t",
    "least_pvalue",
    "max_t",
    "mcnemar",
    "mcnemar_detectable_difference",
    "mcnemar_power",
    "nemenyi",
    "outside_interval",
    "paired_difference",
    "paired_posterior",
    "paired_t",
    "pairwise",
    "partition_stability",
    "quade",
    "random_effects",
    "rank_intervals",
    "repeated_cv_parts",
    "repeated_cv_test",
    "replicability",
    "resampled_t",
    "round_robin",
    "shaffer",
    "sign_test",
    "single_sample_se",
    "single_sample_ss",
    "skillings_mack",
    "standard_error_rule",
    "student_posterior",
    "student_power",
    "tost",
    "two_rates",
    "unpaired_seeds",
    "unpaired_t",
    "wilcoxon_signed_rank",
]

_HELPERS = frozenset(
    {
        "joint_differences",
        "likely_counts",
        "model_means",
        "moments",
        "paired_density",
        "paired_table",
        "two_rates_power",
    }
)
"""Files that define what they are called, but for other files only."""


def _by_their_files() -> dict[str, object]:
    """The procedures that have no line above.

    They are bound when the room is imported, not when they are first used: importing ``name.py`` leaves the module
    under its name here, which the procedure must replace.
    """
    known = {*__all__, *_HELPERS}
    names = [found.name for found in iter_modules(__path__) if found.name not in known and not found.ispkg]
    found = {name: getattr(import_module(f"{__name__}.{name}"), name, None) for name in names}
    return {name: procedure for name, procedure in found.items() if procedure is not None}


_FOUND = _by_their_files()
globals().update(_FOUND)
__all__ += list(_FOUND)


def __dir__() -> list[str]:
    return sorted(__all__)
