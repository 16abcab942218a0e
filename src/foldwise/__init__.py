"""foldwise: is one learning algorithm really better than another, and how far can the answer be trusted?

The public names are loaded when first used, so that ``import foldwise`` stays quick.
"""

from __future__ import annotations

from foldwise.core.lazy import provide, public_names

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = public_names(
    __name__,
    {
        "foldwise.inference": ("inference",),
        "foldwise.lab": ("lab",),
        "foldwise.comparison": (
            "Comparison",
            "Options",
            "compare",
            "compare_predictions",
            "compare_scores",
            "compare_votes",
            "compare_table",
            "judge",
            "gate",
            "not_worse",
            "Judgement",
            "frontier",
            "Frontier",
            "leaderboard",
            "Leaderboard",
            "estimate_error",
            "estimate_files",
            "estimate_predictions",
            "ErrorEstimate",
            "watch",
            "Watch",
            "plan",
            "advise",
        ),
        "foldwise.evidence.score_table": ("ScoreTable",),
        "foldwise.data": ("load", "Dataset"),
        "foldwise.core.errors": ("FoldwiseError", "InvalidInput"),
    },
)
__all__ += ["__version__"]

# results live in every room: how they are shown, and judged again from what was kept, is looked up when it is asked for
provide(
    present="foldwise.render.present",
    restore="foldwise.comparison.restoring",
)
