"""``foldwise judge PATH…``: results that already exist, whatever wrote them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from foldwise.cli.fail_if import gate_options, require_declared
from foldwise.cli.options import option, takes, those_of
from foldwise.cli.output import command_line, higher_is_better, judged_answer, output_option, show
from foldwise.cli.parsing import Command
from foldwise.comparison.judging import decide, understand_files
from foldwise.comparison.one_model import estimate_files
from foldwise.comparison.options import Options
from foldwise.comparison.series_choice import OneModel
from foldwise.core.result import Result
from foldwise.core.roles import merged

_OPTIONS = takes(
    "columns", "metric", "positive",
    click.option("--filter", help="Which filter, scorer or reducer of the metric."), "groups", "time", "models",
    "tasks",
    click.option("--rows", type=click.Choice(["tasks", "items", "splits", "last", "models"]),
                 help="What the rows are, if the files leave it open: data sets, test items, splits, steps (the last "
                 "counts), or models, with data sets in columns."),
    "lower_is_better", "unit",
    option("missing", "Values that some model lacks (absent rows, empty cells, errors, failed trials): refuse the "
           "files, drop the items for all models, or count them as the worst [drop].", default=None,
           show_default=False),
    "bounds",
    click.option("--over", type=click.Choice(["tasks", "items"]),
                 help="Over several tasks: the mean of tasks, each counting once, or of all items [tasks]."),
    click.option("--inner", is_flag=True, help="Compare even if a model lacks more than a tenth of its values."),
    "runs", "n_train", "n_test", "penalty", "slices", "test", "alpha", "rope",
    metric="What to compare, with its filter after a comma if it has several [the most common].",
    groups="Which of the fields found says how items are clustered.",
    runs="Runs of the cross-validation that the splits come from, if the file does not tell.",
    n_train="Training examples of a random split, if the file does not tell.",
    n_test="Test examples of a random split.",
    test="A test of models on items, by name.",
)  # fmt: skip
"""What `judge`, `gate` and `leaderboard` have in common."""

_FEW = (
    "control",
    "adjust",
    "over",
    "runs",
    "n_train",
    "n_test",
    "penalty",
    "unit",
    "filter",
    "bounds",
    "inner",
    "positive",
)
_HOW = ("groups", "missing", "test", "alpha", "rope")
_WHAT = ("columns", "metric", "models", "tasks", "rows", "higher_is_better", "slices")


def judged_options(function: Callable[..., object]) -> Callable[..., object]:
    """The options of a command that reads results of any kind: it gets them as `asked` (what is compared) and `how`."""

    @wraps(function)
    def sorted_out(**options: Any) -> object:
        options["columns"] = merged(options["columns"], time=options.pop("time"))
        options["higher_is_better"] = higher_is_better(options.pop("lower_is_better"))
        asked = those_of(_WHAT, options) | {"options": Options(**those_of(_FEW, options))}
        return function(asked=asked, how=those_of(_HOW, options), **options)

    return _OPTIONS(sorted_out)


@click.command("judge", cls=Command)
@click.argument("paths", nargs=-1, required=True)
@takes(
    option("control", "The model that the others are compared with, if there are three or more."), judged_options,
    click.option("--explain", "only_explain", is_flag=True, help="Say what was understood, and stop before the "
                 "verdict."),
    gate_options, judged_answer,
    output_option("--export", text="Write the items that were compared as instances of Every Eval Ever (JSON Lines)."),
)  # fmt: skip
def command(
    paths: tuple[str, ...], asked: dict[str, Any], how: dict[str, Any], only_explain: bool, candidates: tuple[str, ...],
    baseline: str | None, margin: str | None, export: Path | None,
) -> Result:  # fmt: skip
    """Compare the models in files you have: recognise them, say what was understood, and choose the
    right comparison.

    PATH is a file, folder, zip archive or glob: logs of evaluation harnesses, exports of trackers, tables. Items of
    different models are matched by their keys, never by the order of lines. Errors and unscored items are missing,
    not wrong. With one model its metric is reported with an interval.
    """
    gated = click.get_current_context().params.get("fail_if")
    if only_explain and gated:
        raise click.UsageError("--explain stops before the verdict, so that --fail-if has nothing to judge")
    if only_explain and export is not None:
        raise click.UsageError("--explain stops before anything is compared, so that --export has nothing to write")
    try:
        understood = understand_files(
            paths, candidate=candidates or None, baseline=baseline, groups=how["groups"], **asked
        )
    except OneModel:
        if gated or only_explain or export is not None or baseline or margin:
            raise
        alone = estimate_files(
            paths, groups=how["groups"], missing=how["missing"], confidence_level=1 - how["alpha"], **asked
        )
        return show(alone.replace(repeat=command_line()))
    found = understood.understanding
    if only_explain:
        return show(found)
    if gated:
        require_declared(found.models, found.candidate)
    result = decide(understood, margin=margin, **how)
    if export is not None:
        result.export(export)
    return show(result)
