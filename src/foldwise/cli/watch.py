"""``foldwise watch FILE``: how far are we, and may we stop?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foldwise.cli.fail_if import gate_options, lined_up
from foldwise.cli.options import option, takes
from foldwise.cli.output import answer_options, claim_option, command_line, higher_is_better, show
from foldwise.cli.parsing import Command

if TYPE_CHECKING:
    from foldwise.comparison.from_stream import Watch
    from foldwise.data.text import Content


@click.command("watch", cls=Command)
@click.argument("file")
@takes(
    "truth", "a", "b", "groups", "item", "columns", "metric", "lower_is_better",
    option("missing", "What to do about missing marks."),
    option("bounds", "Lowest and highest possible mark, known beforehand.", default=(0.0, 1.0), show_default=True),
    "alpha", gate_options,
    click.option("--largest-cluster", type=click.IntRange(min=1), metavar="N",
                 help="Most items that a cluster can have, known beforehand."),
    click.option("--follow", is_flag=True, help="Follow the file until you may stop, or until Ctrl-C."),
    click.option("--every", type=click.FloatRange(min=0, min_open=True), default=5.0, show_default=True, metavar="S",
                 help="Seconds between two looks of --follow."),
    click.option("--complete", is_flag=True, help="The file is complete: its last line and last cluster count."),
    answer_options, claim_option, metric="What the marks measure [mark, or accuracy].",
)  # fmt: skip
def command(file: str, follow: bool, every: float, complete: bool, **options: Any) -> Watch:
    """Compare two models while results are still coming in, and say whether you may stop.

    FILE is a table as for `foldwise predictions`; each new item is a new line. The order of the lines must not depend
    on the answers. You may look as often as you like, and stop as soon as a difference is shown or, with --margin, a
    conclusion about the margin is reached.
    """
    if follow and file == "-":
        raise click.UsageError("--follow needs a file that grows, not standard input")
    if follow and complete:
        raise click.UsageError("--follow waits for more, and --complete says that nothing comes: give one of them")
    found = _follow(file, every, options) if follow else _look(_so_far(file, complete), complete, options)
    answer = found.replace(repeat=command_line(leave_out=["follow", "every"]))
    return show(answer)


def _so_far(file: str, complete: bool) -> Content:
    from foldwise.data.packed import read_so_far

    return read_so_far(Path(file) if file != "-" else file, complete=complete)


def _look(content: Content, complete: bool, options: dict[str, Any]) -> Watch:
    from foldwise.comparison.from_stream import watch_prediction_file
    from foldwise.data.predictions import read_predictions

    columns = {name: options[name] for name in ("columns", "truth", "a", "b", "groups", "item")}
    chosen = {name: options[name] for name in ("missing", "bounds", "alpha", "margin", "largest_cluster")}
    named = {} if options["metric"] is None else {"metric": options["metric"]}
    direction = higher_is_better(options["lower_is_better"])
    file = read_predictions(content, **columns)
    ordered = columns["a"] is not None or columns["b"] is not None
    roles = lined_up(file.names, options["candidates"], options["baseline"], ordered=ordered)
    file = file.only(roles.names, roles.decisions(options["margin"]))
    return watch_prediction_file(file, higher_is_better=direction, complete=complete, **chosen, **named)


def _follow(file: str, every: float, options: dict[str, Any]) -> Watch:
    """Look again whenever there is more, and say where it stands, until one may stop."""
    from foldwise.document.watch import watch_line

    seen = ""
    while True:
        content = _so_far(file, False)
        if content.text != seen and content.text.count("\n") > 1:  # a header and an item at least
            seen = content.text
            found = _look(content, False, options)
            click.echo(watch_line(found), err=True)
            if found.may_stop:
                return found
        time.sleep(every)
