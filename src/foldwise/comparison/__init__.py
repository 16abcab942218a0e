"""The verbs: evidence is made, the recommended procedure is run, and the answer is a `Comparison`."""

from __future__ import annotations

from foldwise.core.lazy import public_names

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "advice": ("Advice", "advise"),
        "board": ("Leaderboard", "leaderboard"),
        "comparison": ("Comparison",),
        "costs": ("Frontier", "frontier"),
        "error_estimate": ("ErrorEstimate", "EstimateSurvey"),
        "error_estimators": ("METHODS",),
        "estimate": ("estimate_error",),
        "estimators": ("compare",),
        "gates": ("Gate", "gate", "not_worse"),
        "from_file": ("judge_prediction_file",),
        "from_scores": ("compare_scores",),
        "from_stream": ("Watch", "watch", "watch_prediction_file"),
        "from_votes": ("compare_votes",),
        "judgement": ("Judgement", "Understanding"),
        "judging": ("explain", "judge"),
        "tables": ("compare_table",),
        "one_model": ("estimate_prediction_file", "estimate_files", "estimate_predictions"),
        "options": ("Options",),
        "pair": ("Pair",),
        "power_plan": ("PowerPlan", "plan"),
        "predictions": ("compare_predictions",),
        "rates": ("RateComparison", "compare_rate_samples", "compare_rates"),
    },
)
