"""``foldwise predictions FILE.csv``: two or more classifiers on one test set."""

from __future__ import annotations

import click

from foldwise.cli.columns import column_options, slice_option, time_option
from foldwise.cli.fail_if import bar_option, end_by_bar, gate_options, lined_up
from foldwise.cli.output import (
    alpha_option,
    answer_options,
    bounds_option,
    claim_option,
    command_line,
    direction_option,
    higher_is_better,
    paper_option,
    score_rope_option,
    show,
)
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.comparison.from_counts import columns_asked
from foldwise.comparison.from_file import MarkOptions, holds_marks, judge_prediction_file
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.comparison.one_model import estimate_prediction_file, holds_one, read_bars
from foldwise.comparison.pairs import ADJUST, Adjust
from foldwise.core.roles import Columns, merged
from foldwise.data.predictions import read_predictions
from foldwise.evidence.missing import POLICIES, Policy


@click.command("predictions", cls=Command)
@click.argument("file")
@column_options
@time_option
@click.option("--seed-column", metavar="COLUMN", help="Column with the seed that the row's models were trained with.")
@click.option("--unpaired-seeds", is_flag=True, help="A seed means nothing in common for the two models.")
@click.option("--metric", "metrics", multiple=True, help="One metric or several: f1, roc_auc, log_loss, rmse, others "
              "as scikit-learn spells them [accuracy]; wer, span_f1, bleu or a formula 'errors / words' of counts or "
              "texts; with --truth none what the marks measure [mark].")  # fmt: skip
@click.option(
    "--positive", metavar="CLASS", help="The class that F1, ROC curves and the like are about [yes, 1, true]."
)
@click.option("--threshold", type=float, help="Score from which on an example counts as positive [0.5].")
@click.option("--unadjusted", is_flag=True, help="Do not adjust for the number of metrics [Holm; Bonferroni of three "
              "and more classifiers].")  # fmt: skip
@direction_option
@click.option("--missing", type=click.Choice(POLICIES), help="What to do about missing predictions or marks [refuse].")
@bounds_option
@slice_option
@click.option("--test", default="auto", show_default=True, help="A test for two classifiers, by name.")
@click.option(
    "--control", metavar="COLUMN", help="Of three and more classifiers, compare the others with this one only."
)
@click.option("--adjust", type=click.Choice(ADJUST), help="How the pairs of three and more classifiers are judged "
              "together [holm].")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the draws behind max_t and the set of the best.")
@alpha_option
@score_rope_option
@bar_option
@gate_options
@answer_options
@claim_option
@paper_option
def command(
    file: str,
    columns: Columns,
    truth: str | None,
    a: str | None,
    b: str | None,
    groups: str | None,
    item: str | None,
    time: str | None,
    seed_column: str | None,
    unpaired_seeds: bool,
    metrics: tuple[str, ...],
    positive: str | None,
    threshold: float | None,
    unadjusted: bool,
    lower_is_better: bool | None,
    missing: Policy | None,
    bounds: tuple[float, float] | None,
    slices: str | None,
    test: str,
    control: str | None,
    adjust: Adjust | None,
    seed: int,
    alpha: float,
    rope: str | None,
    candidates: tuple[str, ...],
    baseline: str | None,
    margin: str | None,
    bars: tuple[str, ...],
) -> Comparison | ErrorEstimate | EstimateSurvey:
    """Compare two or more classifiers from their predictions on one test set.

    FILE is a table, CSV for instance (or - for standard input), with one row per test example: a column with the
    truth and one per classifier; a column named group or cluster marks examples that belong together, unless
    --groups none says that they do not. With --truth none the columns of the classifiers are marks: 1 for right, 0
    for wrong, or any numbers (graded answers, losses); with --item several rows are trials of one item, and with
    --seed-column they are trainings of the models with several seeds. With --time, or a column named date or time, rows
    are in that order, and neighbours may be correlated. Three and more classifiers are compared pair by
    pair, adjusted for the number of pairs; --a and --b choose two of them.

    With --metric the columns of two models may be scores or probabilities of the positive class, or numbers for
    metrics of regression; a model with columns model:class (or model_class) for every class has a score of each.
    Metrics of sums (wer, span_f1, miou, bleu, 'errors / words') take columns of counts, model_errors and model_words,
    or reference texts as the truth and texts of each model.

    Of one model alone its metrics are told with intervals; with --bar a pipeline passes, fails or learns that it can't
    tell.
    """
    columns = merged(columns, slice=slices)
    named = {"truth": truth, "groups": groups, "item": item, "seed": seed_column, "time": time}
    gaps = missing not in (None, "refuse")
    counts = columns_asked(metrics)
    table = read_predictions(file, columns=columns, a=a, b=b, gaps=gaps, counts=counts, **named)
    alone = holds_one(table) and not (candidates or baseline or control or margin)
    if not alone:
        roles = lined_up(table.names, candidates, baseline, control=control, ordered=a is not None or b is not None)
        table, control = table.only(roles.names, roles.decisions(margin)), roles.control
    of_marks = metrics[0] if holds_marks(table) and len(metrics) == 1 else None
    marks = _mark_options(of_marks, higher_is_better(lower_is_better), missing, bounds, unpaired_seeds)
    asked = None if of_marks or not (metrics or positive or threshold is not None) else MetricQuestion(
        metrics=metrics or ("accuracy",), positive=positive, threshold=threshold,
        adjust="none" if unadjusted else "holm",
    )  # fmt: skip
    if alone:
        if click.get_current_context().params.get("fail_if"):
            raise click.UsageError(
                f"--fail-if compares two models, but the file has one: {table.names[0]}; --bar says what its "
                "metric should reach"
            )
        one = estimate_prediction_file(
            table, confidence_level=1 - alpha, bar=read_bars(bars), question=asked, test=test, marks=marks
        )
        return end_by_bar(show(one.replace(repeat=command_line())))
    if bars:
        raise click.UsageError(f"--bar is for one model, but the file has {len(table.names)}: use --margin")
    result = judge_prediction_file(
        table, question=asked, test=test, control=control, adjust=adjust, seed=seed, marks=marks, alpha=alpha,
        rope=rope, margin=margin,
    )  # fmt: skip
    return show(result.replace(repeat=command_line()))


def _mark_options(
    metric: str | None,
    higher: bool | None,
    missing: Policy | None,
    bounds: tuple[float, float] | None,
    unpaired_seeds: bool,
) -> MarkOptions:
    """What was said of marks; nothing where nothing was."""
    said: MarkOptions = {}
    if metric is not None:
        said["metric"] = metric
    if higher is not None:
        said["higher_is_better"] = higher
    if missing is not None:
        said["missing"] = missing
    if bounds is not None:
        said["bounds"] = bounds
    if unpaired_seeds:
        said["paired_seeds"] = False
    return said
