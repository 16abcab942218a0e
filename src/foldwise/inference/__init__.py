"""Tests, intervals and Bayesian procedures: arrays in, result objects out.

Every procedure accepts leading batch axes, so that a million experiments are one call, and prints nothing. What all
have in common is not said again in each: leading axes are separate experiments; `alternative` is ``"two-sided"``,
``"less"`` (a − b is below 0) or ``"greater"``; differences that are all 0 give statistic 0 and p = 1; in t-type tests
those that are all the same but not 0 give statistic ±inf and p = 0 with a `DegenerateVariance` warning, in z tests
p = 1 and an unbounded interval.

A file is loaded when one of its names is first used; a new procedure is its file and its line in `_FILES`.
"""

from __future__ import annotations

from foldwise.core.lazy import public_names

# no file may be called as one of its names: importing it would hide the name behind the module
_FILES = {
    "anytime_valid": (
        "anytime_mcnemar AnytimeMcNemarResult betting_evidence BettingEvidence confidence_sequence ConfidenceSequence"
    ),
    "clusters": "clustered_difference clustered_outcomes clustered_t ClusteredOutcomes",
    "crossed_designs": (
        "crossed CrossedResult MeanSquares Outlook unpaired_seeds UnpairedSeedsResult VarianceSource VarianceSplit"
    ),
    "equivalence": (
        "BayesianTResult conclusion correlated_bayesian_t EquivalenceResult Probabilities student_posterior tost"
    ),
    "error_rates": (
        "Applicability applicability EMPIRICAL_PRIOR error_interval ErrorInterval INTERVAL_METHODS interval_survey "
        "IntervalSurvey SurveyRow"
    ),
    "five_by_two_cv": (
        "five_by_two_cv_f five_by_two_cv_t five_by_two_f_detectable_difference five_by_two_f_power "
        "FiveByTwoFResult FiveByTwoTResult"
    ),
    "forecast_tests": (
        "clark_west ConditionalAbilityResult giacomini_white model_confidence_set ModelConfidenceSet "
        "superior_predictive_ability SuperiorAbilityResult"
    ),
    "human_labels": "label_sample LabelSample ppi PredictionPoweredResult rogan_gladen RoganGladenResult",
    "independent_samples": (
        "CommonMistake outside_interval single_sample_se single_sample_ss SingleSampleHeuristic "
        "standard_error_rule two_rates TwoRatesResult unpaired_t"
    ),
    "_influence": "influence InfluenceResult",
    "joint_tests": "frontier FrontierResult max_t MaxTResult",
    "metric_tests": "jackknife_t paired_bootstrap swap_permutation",
    "other_cv_tests": (
        "balanced_5x2_mcnemar BalancedMcNemarResult conservative_z cv_clt disjoint DisjointResult nested_cv"
    ),
    "paired_tables": (
        "difference_of_proportions DifferenceOfProportionsResult mcnemar McNemarResult paired_difference "
        "paired_posterior PairedDifferenceResult PairedPosterior"
    ),
    "power": "connor_sample_size detectable_difference mcnemar_detectable_difference mcnemar_power student_power",
    "repeated_cv": (
        "calibrated_df explicit_df explicit_df_corrected ExplicitDf repeated_cv_parts repeated_cv_test VARIANTS"
    ),
    "_round_robin": "round_robin RoundRobinResult",
    "roc_areas": "delong obuchowski_rockette",
    "several_means": "equal_means EqualMeansResult mean_of_tasks",
    "several_models": "best_set BestSetResult cochran_q CochranQResult rank_intervals RankIntervals",
    "stability": (
        "dealing_stability partition_stability PartitionStability replicability ReplicabilityResult "
        "ReplicabilitySummary"
    ),
    "student": "corrected_repeated_cv_t corrected_resampled_t kfold_cv_t paired_t resampled_t StudentResult",
    "time_series": "diebold_mariano serial_correlation",
    "_votes": "decisive_votes DecisiveVotes strengths StrengthsResult win_rate WinRateResult",
    "many._adjust": "adjust bergmann_hommel shaffer",
    "many._pairwise": "least_pvalue pairwise PairwiseResult sign_test SignTestResult",
    "many.bayesian": (
        "bayesian_sign_test bayesian_signed_rank bradley_terry bradley_terry_from_wins BradleyTerryResult "
        "RegionPosterior"
    ),
    "many.hierarchical": "hierarchical_correlated_t hierarchical_from_summaries HierarchicalResult",
    "many.mean_ranks": (
        "bonferroni_dunn BonferroniDunnResult critical_difference friedman friedman_aligned iman_davenport nemenyi "
        "NemenyiResult OmnibusResult quade skillings_mack"
    ),
    "many.meta": "combine_data_sets MetaAnalysisResult random_effects",
    "many.wilcoxon": "wilcoxon_signed_rank WilcoxonResult",
    "foldwise.metrics.repeated_runs": "of_k_runs pass_all_k pass_at_k",
}
"""The public names of each file."""

__getattr__, __dir__, __all__ = public_names(__name__, {file: names.split() for file, names in _FILES.items()})
