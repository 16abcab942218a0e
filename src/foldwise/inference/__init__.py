"""Tests, intervals and Bayesian procedures: arrays in, result objects out.

Every procedure accepts leading batch axes, so that a million experiments are one call, and prints nothing. A file is
loaded when one of its names is first used; a new procedure is its file and its line in `_FILES`.
"""

from __future__ import annotations

from foldwise.core.lazy import public_names

# no file may be called as one of its names: importing it would hide the name behind the module
_FILES = {
    "_anytime_mcnemar": (
        "AnytimeMcNemarResult",
        "anytime_mcnemar",
    ),
    "_balanced_5x2_mcnemar": (
        "BalancedMcNemarResult",
        "balanced_5x2_mcnemar",
    ),
    "binomial_power": (
        "connor_sample_size",
        "mcnemar_detectable_difference",
        "mcnemar_power",
    ),
    "calibrated": ("calibrated_df",),
    "_clustered_outcomes": (
        "ClusteredOutcomes",
        "clustered_outcomes",
    ),
    "clusters": (
        "clustered_difference",
        "clustered_t",
    ),
    "_cochran_q": (
        "CochranQResult",
        "cochran_q",
    ),
    "_confidence_sequence": (
        "BettingEvidence",
        "ConfidenceSequence",
        "betting_evidence",
        "confidence_sequence",
    ),
    "_correlated_bayesian_t": (
        "BayesianTResult",
        "correlated_bayesian_t",
        "student_posterior",
    ),
    "_crossed": (
        "CrossedResult",
        "MeanSquares",
        "crossed",
    ),
    "cv_z_tests": (
        "conservative_z",
        "cv_clt",
        "nested_cv",
    ),
    "_delong": ("delong",),
    "_detectable_difference": (
        "detectable_difference",
        "student_power",
    ),
    "_diebold_mariano": ("diebold_mariano",),
    "_difference_of_proportions": (
        "DifferenceOfProportionsResult",
        "difference_of_proportions",
    ),
    "_disjoint": (
        "DisjointResult",
        "disjoint",
    ),
    "_error_interval": (
        "ErrorInterval",
        "INTERVAL_METHODS",
        "error_interval",
    ),
    "_explicit_df": (
        "ExplicitDf",
        "explicit_df",
        "explicit_df_corrected",
    ),
    "five_by_two_cv": (
        "FiveByTwoFResult",
        "FiveByTwoTResult",
        "five_by_two_cv_f",
        "five_by_two_cv_t",
        "five_by_two_f_detectable_difference",
        "five_by_two_f_power",
    ),
    "independent_samples": (
        "CommonMistake",
        "SingleSampleHeuristic",
        "outside_interval",
        "single_sample_se",
        "single_sample_ss",
        "standard_error_rule",
        "unpaired_t",
    ),
    "_instability": ("instability",),
    "_interval_survey": (
        "IntervalSurvey",
        "SurveyRow",
        "interval_survey",
    ),
    "_jackknife_t": ("jackknife_t",),
    "many._adjust": (
        "adjust",
        "bergmann_hommel",
        "shaffer",
    ),
    "many.bayesian_sign": (
        "RegionPosterior",
        "bayesian_sign_test",
        "bayesian_signed_rank",
    ),
    "many._bradley_terry": (
        "BradleyTerryResult",
        "bradley_terry",
        "bradley_terry_from_wins",
    ),
    "many._friedman": (
        "OmnibusResult",
        "friedman",
        "friedman_aligned",
        "iman_davenport",
        "quade",
        "skillings_mack",
    ),
    "many.hierarchical": (
        "HierarchicalResult",
        "hierarchical_correlated_t",
        "hierarchical_from_summaries",
    ),
    "many.mean_ranks": (
        "BonferroniDunnResult",
        "NemenyiResult",
        "bonferroni_dunn",
        "critical_difference",
        "nemenyi",
    ),
    "many.meta": (
        "MetaAnalysisResult",
        "combine_data_sets",
        "random_effects",
    ),
    "many._pairwise": (
        "PairwiseResult",
        "least_pvalue",
        "pairwise",
    ),
    "many._sign_test": (
        "SignTestResult",
        "sign_test",
    ),
    "many.wilcoxon": (
        "WilcoxonResult",
        "wilcoxon_signed_rank",
    ),
    "margins": (
        "EquivalenceResult",
        "conclusion",
        "tost",
    ),
    "_max_t": (
        "MaxTResult",
        "max_t",
    ),
    "_mcnemar": (
        "McNemarResult",
        "mcnemar",
    ),
    "_mean_of_tasks": ("mean_of_tasks",),
    "model_ranks": (
        "BestSetResult",
        "RankIntervals",
        "best_set",
        "rank_intervals",
    ),
    "_paired_difference": (
        "PairedDifferenceResult",
        "paired_difference",
    ),
    "_paired_posterior": (
        "PairedPosterior",
        "paired_posterior",
    ),
    "probabilities": ("Probabilities",),
    "rate_intervals": (
        "Applicability",
        "EMPIRICAL_PRIOR",
        "applicability",
    ),
    "repeated_cv": (
        "VARIANTS",
        "repeated_cv_parts",
        "repeated_cv_test",
    ),
    "_replicability": (
        "ReplicabilityResult",
        "ReplicabilitySummary",
        "replicability",
    ),
    "_round_robin": (
        "RoundRobinResult",
        "round_robin",
    ),
    "_serial_correlation": ("serial_correlation",),
    "stability": (
        "PartitionStability",
        "dealing_stability",
        "partition_stability",
    ),
    "repeated_runs": ("of_k_runs", "pass_all_k", "pass_at_k"),
    "human_labels": (
        "LabelSample",
        "PredictionPoweredResult",
        "RoganGladenResult",
        "label_sample",
        "ppi",
        "rogan_gladen",
    ),
    "_votes": (
        "DecisiveVotes",
        "StrengthsResult",
        "WinRateResult",
        "decisive_votes",
        "strengths",
        "win_rate",
    ),
    "forecast_tests": (
        "ConditionalAbilityResult",
        "ModelConfidenceSet",
        "clark_west",
        "giacomini_white",
        "model_confidence_set",
    ),
    "student": ("StudentResult",),
    "_swap_permutation": ("swap_permutation",),
    "t_over_splits": (
        "corrected_repeated_cv_t",
        "corrected_resampled_t",
        "kfold_cv_t",
        "paired_t",
        "resampled_t",
    ),
    "_two_rates": (
        "TwoRatesResult",
        "two_rates",
    ),
    "_unpaired_seeds": (
        "UnpairedSeedsResult",
        "unpaired_seeds",
    ),
    "variance_split": (
        "Outlook",
        "VarianceSource",
        "VarianceSplit",
    ),
}
"""The public names of each file."""

__getattr__, __dir__, __all__ = public_names(__name__, _FILES)
