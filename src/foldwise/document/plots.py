"""What is to be seen on each plot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from foldwise.core.metric import metric_words
from foldwise.core.units import capital
from foldwise.document.document import Drawing

_INTERVAL = "with the error of the simulation (95 %)"

CAPTIONS = {
    "effect": "The difference (dot) and its interval (line). An interval that includes zero shows no difference; grey "
    "is the region of differences that do not matter.",
    "posterior": "Posterior density of the difference; grey is the region that does not matter.",
    "power": "Power of this design: the probability of finding a true difference of each size.",
    "replicability": "The verdict of the same test on other partitions of the same data.",
    "margin": "The difference (dot), its interval (thin line) and its one-sided limits (thick line), which decide the "
    "conclusion; grey is the margin on either side of no difference.",
    "differences": "Difference on each split, or of each reader, with the mean (line) and its interval (band).",
    "item_differences": "Distribution of the differences on single items; the line is the mean, the band its interval.",
    "cumulative": "Sum of the differences up to each period; grey: where it stays without a difference. A bend shows "
    "when one model began to be better.",
    "outcomes": "All test examples; areas are proportional to the counts. Only the examples on which the models "
    "disagree make a difference.",
    "seeds": "Every training's mean over the items (dots), and the mean over seeds (lines); paired seeds are joined.",
    "heat_map": "Difference on each fold of each run: a row or column of one colour would be suspicious.",
    "block_map": "Difference on each block (column) with another left out too (row), a square for each partition: "
    "columns of one colour are hard or easy blocks, rows of one colour blocks on which the learners depend strongly.",
    "deletions": "Mean difference without each block (filled) and on each block (open), with the mean (line) and its "
    "interval (band): the more the filled dots spread, the less stable the learners are.",
    "sequence": "The difference so far (line) and its limits (band), which hold at all times together: once the band "
    "excludes 0, a difference is shown. Grey is the margin, where one was given.",
    "metrics": "Each metric's difference with its interval, all drawn equally wide; to the right the first model is "
    "better, also where lower is better. Coloured where a difference is shown.",
    "models": "Models from the best mean to the worst. Left: the difference from the best one, or from the control, "
    "with its simultaneous interval; models in blue may be the best. Right: the ranks that the pairs allow.",
    "slices": "Each model's mean on each slice with its interval, in the order of the slices where they are numbers.",
    "leaderboard": "Models from the best mean to the worst. Left: each mean with its interval; models in blue may be "
    "the best. Right: the ranks that the data leave, for all models together.",
    "frontier": "Mean cost and mean quality of each model. Blue: shown to be on the "
    "frontier; grey: dominated by a model that is better and cheaper; open: undecided. The line joins the means that "
    "no other mean dominates.",
    "strengths": "Strengths (logarithms; 0 is the mean of all models) with their intervals, the strongest first: a "
    "model that is stronger by 1 wins 2.7 times as often as it loses.",
    "win_matrix": "Share of the votes that the row's model wins against the column's, a tie counting half; empty "
    "where no vote is between the two.",
    "model_pairs": "Every pair, the better mean first, with its simultaneous interval, smallest p-value first; "
    "coloured where a difference is shown.",
    "margins": "One-sided limits of the difference, candidate − baseline, for all pairs together; grey is the margin "
    "on either side of no difference.",
    "critical_difference": "Mean ranks, the best on the left. A bar joins learners that are not distinguishable: those "
    "with a tick on it.",
    "pair_matrix": "Row vs column, numbered as the rows: coloured where a difference is shown (blue where the row is "
    "better), the darker the larger it is; of up to four wins, ties and losses, mean difference and adjusted p-value.",
    "rank_table": "Rank of each learner on each data set.",
    "front": "Each point is a posterior draw; near a corner that answer is almost certain. For the two learners with "
    "the best mean ranks, or the control and the best other.",
    "type1": f"How often each test finds a difference that is not there, {_INTERVAL}; dashed: its level; orange: it "
    "exceeds its level.",
    "rate_of_power": f"How often each test finds a difference that is there, {_INTERVAL}.",
    "replicability_rates": f"Share of data sets on which all partitions give the same verdict, {_INTERVAL}.",
    "calibration": "Type I error by degrees of freedom; dashed: the level; dots: the calibrated degrees of freedom.",
    "qq": "Observed p-values over expected ones; below the diagonal the test rejects too often; grey: compatible with "
    "chance.",
    "power_curve": f"How often each test finds the difference, {_INTERVAL}.",
    "plan": "Power by size at this difference; the dot is the plan.",
    "intervals": "Every interval side by side: the one to use in blue, those that do not apply dotted; the dashed line "
    "is the observed rate.",
    "estimates": "Every estimate, with its interval where there is one; the recommended one in blue.",
    "classes": "Number of examples of each class.",
}
"""By the name of the plot, or of what it shows."""


def by_each_metric(name: str, plots: Mapping[str, Drawing]) -> dict[str, Drawing]:
    """Plots of one kind by metric, numbered and named by it; the first is the main one."""
    return {
        f"{name}_{place}": replace(
            drawing, caption=f"{capital(metric_words(metric))}. {drawing.caption}", main=place == 1, also=(metric,)
        )
        for place, (metric, drawing) in enumerate(plots.items(), start=1)
    }
