"""``foldwise predictions FILE.csv``: two or more classifiers on one test set."""

from __future__ import annotations

from typing import Any, cast

import click

from foldwise.cli.fail_if import bar_option, end_by_bar, gate_options, lined_up
from foldwise.cli.options import option, takes, those_of
from foldwise.cli.output import command_line, higher_is_better, judged_answer, show
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.comparison.from_counts import columns_asked
from foldwise.comparison.from_file import MarkOptions, holds_marks, judge_prediction_file
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.comparison.one_model import estimate_prediction_file, holds_one, read_bars
from foldwise.core.roles import merged
from foldwise.data.predictions import read_predictions
from foldwise.evidence.missing import Policy


@click.command("predictions", cls=Command)
@click.argument("file")
@takes(
    "truth", "a", "b", "groups", "item", "columns", "time",
    click.option("--seed-column", metavar="COLUMN", help="Column with the seed that the row's models were trained "
                 "with."),
    click.option("--unpaired-seeds", is_flag=True, help="Seeds of the two models are unrelated: do not pair them."),
    click.option("--metric", "metrics", multiple=True, help="One metric or several: f1, roc_auc, log_loss, rmse, "
                 "others as scikit-learn spells them [accuracy]; wer, span_f1, bleu or a formula 'errors / words' of "
                 "counts or texts; with --truth none what the marks measure [mark]."),
    "positive",
    click.option("--threshold", type=float, help="Scores of at least this are positive [0.5]."),
    "unadjusted", "lower_is_better",
    option("missing", "What to do about missing predictions or marks [refuse].", default=None, show_default=False),
    "bounds", "slices", "test", "control",
    option("adjust", "How p-values of the pairs of three or more classifiers are adjusted [holm].", default=None,
           show_default=False),
    "seed", "alpha", "rope", bar_option, gate_options, judged_answer,
    test="A test for two classifiers, by name.",
    control="Of three or more classifiers, compare the others with this one only.",
    seed="Seed of the draws behind max_t and the set of the best.",
)  # fmt: skip
def command(
    file: str, a: str | None, b: str | None, metrics: tuple[str, ...], missing: Policy | None, bars: tuple[str, ...],
    candidates: tuple[str, ...], baseline: str | None, **options: Any,
) -> Comparison | ErrorEstimate | EstimateSurvey:  # fmt: skip
    """Compare two or more models by their predictions on one test set; with one model, report its metrics.

    FILE is a table such as CSV (or - for standard input) with one row per test example: a column with the truth and
    one per model. With --truth none the models' columns are marks: 1 right, 0 wrong, or any numbers (grades, losses).
    A column named group or cluster says which examples belong together. With --item, rows are trials of one item; with
    --seed-column, runs with several training seeds; with --time (or a column named date or time), rows are in that
    order and neighbours may be correlated. Three and more models are compared in pairs, adjusted for their number.

    With --metric the columns may be scores or probabilities of the positive class, or numbers for regression metrics;
    columns model:class (or model_class) hold one score per class. Metrics of sums (wer, span_f1, miou, bleu,
    'errors / words') take columns of counts such as model_errors and model_words, or texts with the reference text as
    truth.
    """
    columns = merged(options.pop("columns"), slice=options.pop("slices"))
    named = those_of(("truth", "groups", "item", "time"), options) | {"seed": options.pop("seed_column")}
    control, margin = options.pop("control"), options["margin"]
    table = read_predictions(
        file, columns=columns, a=a, b=b, gaps=missing not in (None, "refuse"), counts=columns_asked(metrics), **named
    )
    alone = holds_one(table) and not (candidates or baseline or control or margin)
    if not alone:
        roles = lined_up(table.names, candidates, baseline, control=control, ordered=a is not None or b is not None)
        table, control = table.only(roles.names, roles.decisions(margin)), roles.control
    of_marks = metrics[0] if holds_marks(table) and len(metrics) == 1 else None
    marks = _mark_options(of_marks, missing, options)
    positive, threshold, unadjusted = (options.pop(name) for name in ("positive", "threshold", "unadjusted"))
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
            table, confidence_level=1 - options["alpha"], bar=read_bars(bars), question=asked, test=options["test"],
            marks=marks,
        )  # fmt: skip
        return end_by_bar(show(one.replace(repeat=command_line())))
    if bars:
        raise click.UsageError(f"--bar is for one model, but the file has {len(table.names)}: use --margin")
    result = judge_prediction_file(table, question=asked, control=control, marks=marks, **options)
    return show(result.replace(repeat=command_line()))


def _mark_options(metric: str | None, missing: Policy | None, options: dict[str, Any]) -> MarkOptions:
    """What was said of how marks are read; what was not keeps its default, and is refused beside labels."""
    higher, unpaired = higher_is_better(options.pop("lower_is_better")), options.pop("unpaired_seeds")
    said = {"metric": metric, "higher_is_better": higher, "missing": missing, "bounds": options.pop("bounds"),
            "paired_seeds": False if unpaired else None}  # fmt: skip
    return cast(MarkOptions, {name: value for name, value in said.items() if value is not None})
