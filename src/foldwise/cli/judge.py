"""``foldwise judge PATH…``: results that already exist, whatever wrote them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from foldwise.cli.columns import column_option, slice_option, time_option
from foldwise.cli.fail_if import gate_options, require_declared
from foldwise.cli.output import (
    alpha_option,
    answer_options,
    bounds_option,
    claim_option,
    direction_option,
    higher_is_better,
    output_option,
    paper_option,
    score_rope_option,
    show,
    unit_option,
)
from foldwise.cli.parsing import Command
from foldwise.comparison.judging import decide, understand_files
from foldwise.comparison.options import Options
from foldwise.core.result import Result
from foldwise.core.roles import merged
from foldwise.evidence.missing import POLICIES

_OPTIONS = (
    column_option,
    click.option(
        "--metric", help="What to compare, with its filter after a comma where there are several [the commonest]."
    ),
    click.option("--filter", help="Which filter, scorer or reducer of the metric."),
    click.option(
        "--groups", metavar="COLUMN", help="What says which items belong together, of those that are offered."
    ),
    time_option,
    click.option("--model", "models", multiple=True, help="A model to compare; repeat it [all]."),
    click.option("--task", "tasks", multiple=True, help="A task to compare on; repeat it [all]."),
    click.option(
        "--rows",
        type=click.Choice(["tasks", "items", "splits", "last", "models"]),
        help="What rows are, where the files leave it open: data sets, test items, splits, steps whose last one "
        "counts, or models, with data sets in columns.",
    ),
    direction_option,
    unit_option,
    click.option(
        "--missing",
        type=click.Choice(POLICIES),
        help="What becomes of values that some model lacks: absent rows, empty cells, errors, failed trials [drop].",
    ),
    bounds_option,
    click.option("--over", type=click.Choice(["tasks", "items"]),
                 help="Over several tasks: the mean of tasks, each counting once, or of all items [tasks]."),
    click.option("--inner", is_flag=True, help="Compare also where a model lacks more than a tenth of its values."),
    click.option(
        "--runs", type=int, help="How many runs of cross-validation the splits are, where the file does not tell."
    ),
    click.option("--n-train", type=float, help="Training examples of a random split, where the file does not tell."),
    click.option("--n-test", type=float, help="Test examples of a random split."),
    slice_option,
    click.option("--test", default="auto", show_default=True, help="A test of models on items, by name."),
    alpha_option,
    score_rope_option,
)  # fmt: skip
"""What is compared and how, wherever results of any kind are read."""

_FEW = ("control", "adjust", "over", "runs", "n_train", "n_test", "unit", "filter", "bounds", "inner")
_WHAT = ("columns", "metric", "models", "tasks", "rows", "higher_is_better", "slices")


def judged_options(function: Callable[..., object]) -> Callable[..., object]:
    """The options of a command that reads results of any kind: it gets them as `asked` (what is compared) and `how`."""

    @wraps(function)
    def sorted_out(**options: Any) -> object:
        options["columns"] = merged(options["columns"], time=options.pop("time"))
        options["higher_is_better"] = higher_is_better(options.pop("lower_is_better"))
        asked = {name: options.pop(name) for name in _WHAT}
        few = {name: options.pop(name) for name in _FEW if name in options}
        asked["options"] = Options(**few)
        how = {name: options.pop(name) for name in ("groups", "missing", "test", "alpha", "rope")}
        return function(asked=asked, how=how, **options)

    found: Callable[..., object] = sorted_out
    for option in reversed(_OPTIONS):
        found = option(found)
    return found


@click.command("judge", cls=Command)
@click.argument("paths", nargs=-1, required=True)
@click.option("--control", metavar="MODEL", help="The model that the others are compared with, of three and more.")
@judged_options
@click.option("--explain", "only_explain", is_flag=True, help="Say what was understood, and stop before the verdict.")
@gate_options
@answer_options
@claim_option
@output_option("--export", text="Write the items that were compared as instances of Every Eval Ever (JSON Lines).")
@paper_option
def command(
    paths: tuple[str, ...],
    asked: dict[str, Any],
    how: dict[str, Any],
    only_explain: bool,
    candidates: tuple[str, ...],
    baseline: str | None,
    margin: str | None,
    export: Path | None,
) -> Result:
    """Find out what the files are, say it, and compare the models in them.

    PATH is a file, a folder, a zip archive of one or a glob: logs of evaluation harnesses, exports of trackers, files
    of experimenters, tables. Items of different models are joined by their keys, never by the order of lines; errors
    and unscored items are missing, not wrong.
    """
    gated = click.get_current_context().params.get("fail_if")
    if only_explain and gated:
        raise click.UsageError("--explain stops before the verdict, so that --fail-if has nothing to judge")
    if only_explain and export is not None:
        raise click.UsageError("--explain stops before anything is compared, so that --export has nothing to write")
    understood = understand_files(paths, candidate=candidates or None, baseline=baseline, **asked)
    found = understood.understanding
    if only_explain:
        return show(found)
    if gated:
        require_declared(found.models, found.candidate)
    result = decide(understood, margin=margin, **how)
    if export is not None:
        result.export(export)
    return show(result)
