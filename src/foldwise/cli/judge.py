"""``foldwise judge PATH…``: results that already exist, whatever wrote them."""

from __future__ import annotations

from pathlib import Path

import click

from foldwise.cli.gate import gate_options
from foldwise.cli.many_values import ManyValues
from foldwise.cli.output import alpha_option, html_option, json_option, markdown_option, score_rope_option, show
from foldwise.core.result import Result
from foldwise.judging import explain, judge
from foldwise.judging.pairing import Missing

__all__ = ["command"]


@click.command("judge", cls=ManyValues)
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--metric", help="What to compare, with its filter after a comma where there are several [the commonest]."
)
@click.option("--filter", "variant", help="Which filter, scorer or reducer of the metric.")
@click.option("--group", metavar="COLUMN", help="What says which items belong together, of those that are offered.")
@click.option("--model", "models", multiple=True, help="A model to compare; repeat it [all].")
@click.option("--task", "tasks", multiple=True, help="A task to compare on; repeat it [all].")
@click.option(
    "--missing",
    type=click.Choice(["drop", "refuse", "wrong"]),
    default="drop",
    show_default=True,
    help="What becomes of items that some model has no value for.",
)
@click.option("--inner", is_flag=True, help="Compare the common items even where they are less than nine in ten.")
@click.option("--explain", "only_explain", is_flag=True, help="Say what was understood, and stop before the verdict.")
@click.option("--control", metavar="MODEL", help="The model that the others are compared with, of three and more.")
@alpha_option
@score_rope_option
@gate_options
@json_option
@markdown_option
@html_option
def command(
    paths: tuple[str, ...],
    metric: str | None,
    variant: str | None,
    group: str | None,
    models: tuple[str, ...],
    tasks: tuple[str, ...],
    missing: Missing,
    inner: bool,
    only_explain: bool,
    control: str | None,
    alpha: float,
    rope: float | None,
    margin: float | None,
    as_json: bool,
    as_markdown: bool,
    html: Path | None,
) -> Result:
    """Find out what the files are, say it, and compare the models in them.

    PATH is a file, a folder or a glob: logs of evaluation harnesses, exports of trackers, files of experimenters,
    tables. Items of different models are joined by their keys, never by the order of lines; errors and unscored items
    are missing, not wrong.
    """
    if only_explain:
        if click.get_current_context().params.get("fail_if"):
            raise click.UsageError("--explain stops before the verdict, so that --fail-if has nothing to judge")
        found = explain(paths, metric=metric, filter=variant, models=models, tasks=tasks)
        return show(found, as_json=as_json, html=html, as_markdown=as_markdown)
    options = {} if control is None else {"control": control}
    result = judge(
        paths,
        metric=metric,
        filter=variant,
        group=group,
        models=models,
        tasks=tasks,
        missing=missing,
        inner=inner,
        alpha=alpha,
        rope=rope,
        margin=margin,
        **options,
    )
    return show(result, as_json=as_json, html=html, as_markdown=as_markdown)
