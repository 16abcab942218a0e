"""What every command does with its answer: text for people, JSON for programs, a page to keep."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Collection
from functools import wraps
from pathlib import Path
from typing import TypeVar

import click

from foldwise.cli.written import Decorator, output_option
from foldwise.core.metric import UNITS
from foldwise.core.result import Result
from foldwise.evidence.missing import POLICIES

__all__ = [
    "alpha_option",
    "bounds_option",
    "command_line",
    "direction_option",
    "higher_is_better",
    "html_option",
    "json_option",
    "limit_options",
    "markdown_option",
    "missing_option",
    "paper_option",
    "rope_option",
    "score_rope_option",
    "show",
    "unit_option",
]

PRESENTATION = ("as_json", "html", "as_markdown", "fail_if", "export", "paper", "details")
"""Options that do not change the answer."""


def json_option(function: Callable[..., object]) -> Callable[..., object]:
    """``--json``, and ``--details`` for those who read the text."""
    details = click.option("--details", is_flag=True, expose_value=False, callback=_remember,
                           help="Show method, assumptions, guarantee and all tables, too.")  # fmt: skip
    return click.option("--json", "as_json", is_flag=True, help="Print JSON with stable keys.")(details(function))


def _remember(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    """Keep it for `show`, so that commands need not hand it on."""
    context.meta["foldwise.details"] = wanted


html_option: Decorator = output_option("--html", text="Write the report to this file.")
paper_option: Decorator = output_option(
    "--paper", text="Write methods, references, tables and figures for a paper into this folder.", metavar="FOLDER",
    inside=("methods.tex", "references.bib", "table.tex", "scores.tex", "ranks.tex"),
)  # fmt: skip
alpha_option: Decorator = click.option("--alpha", default=0.05, show_default=True, help="Significance level.")
rope_option: Decorator = click.option(
    "--rope",
    default="0.01",
    show_default=True,
    metavar="AMOUNT",
    help="Differences up to this do not matter in practice: 1pt, or 0.01 in the score's own unit.",
)
score_rope_option: Decorator = click.option(
    "--rope",
    metavar="AMOUNT",
    help="Differences up to this do not matter in practice: 1pt (of a rate), or a number in the score's own "
    "unit [0.01, or 1 where scores are percentages].",
)
bounds_option: Decorator = click.option(
    "--bounds", nargs=2, type=float, metavar="LOW HIGH",
    help="What no value can be below or above, for --missing worst where the metric's name does not tell.",
)  # fmt: skip
missing_option: Decorator = click.option(
    "--missing", type=click.Choice(POLICIES), default="refuse", show_default=True,
    help="What becomes of scores that are missing: refused, left out for all learners, or the worst possible value.",
)  # fmt: skip
direction_option: Decorator = click.option(
    "--lower-is-better/--higher-is-better", default=None, help="Direction [by the metric's name]."
)


unit_option: Decorator = click.option(
    "--unit", type=click.Choice(UNITS), help="Unit of the scores [percent where a rate by its name goes beyond 1]."
)


def markdown_option(function: Callable[..., object]) -> Callable[..., object]:
    """For commands with ``--json``, of which only one can be printed."""

    @wraps(function)
    def either(**options: object) -> object:
        if options["as_markdown"] and options["as_json"]:
            raise click.UsageError("--markdown and --json can't be given together: only one of them can be printed")
        return function(**options)

    text = "Print a summary for a comment on a pull request."
    return click.option("--markdown", "as_markdown", is_flag=True, help=text)(either)


def limit_options(function: Callable[..., object]) -> Callable[..., object]:
    """What one fit may take."""
    memory = click.option("--fit-memory", type=float, metavar="MB", help="Megabytes that one fit may take (Linux).")
    seconds = click.option("--fit-seconds", type=float, metavar="S", help="Seconds that one fit may take; one that "
                           "takes more is ended and has failed.")  # fmt: skip
    return seconds(memory(function))


Answer = TypeVar("Answer", bound=Result)


def show(
    result: Answer, *, as_json: bool, html: Path | None = None, as_markdown: bool = False, paper: Path | None = None
) -> Answer:
    """Print a result object as text, JSON or Markdown, and write its page if that is asked for; returns the result.

    Parameters
    ----------
    result
        The answer.
    as_json, as_markdown
        Whether to print JSON or Markdown instead of text.
    html
        Where to write the page.
    paper
        The folder for a paper kit.
    """
    if html is not None:
        from foldwise.core.files import write_whole
        from foldwise.render.html import to_html

        write_whole(html, to_html(result, command=command_line(always=["seed"])))
    if paper is not None:
        result.paper(paper)
    if as_markdown:
        click.echo(result.to_markdown())
    elif as_json:
        click.echo(json.dumps(result.to_dict(), indent=2, ensure_ascii=not _shows_all(), allow_nan=False))
    else:
        click.echo(_text(result), color=True)
    return result


def _text(result: Result) -> str:
    """The answer for a terminal, in colour unless NO_COLOR is set, or for a pipe: the same words."""
    from foldwise.document import document_of
    from foldwise.render.text import coloured, plain

    document, details = document_of(result), bool(click.get_current_context().meta.get("foldwise.details"))
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        if not os.environ.get("NO_COLOR"):
            return coloured(document, details=details, width=width)
        return plain(document, details=details, door="command line", width=width)
    return plain(document, details=details, door="command line")


def higher_is_better(lower_is_better: bool | None) -> bool | None:
    """The direction that was given, None where the metric's name is to tell."""
    return None if lower_is_better is None else not lower_is_better


def _shows_all() -> bool:
    """Whether standard output takes every sign; where it does not, JSON has escapes, so that no name is lost."""
    return str(getattr(sys.stdout, "encoding", "utf-8")).lower().replace("-", "") == "utf8"


def command_line(*, always: Collection[str] = (), leave_out: Collection[str] = ()) -> str:
    """The command as it was given, without what only concerns its presentation.

    Parameters
    ----------
    always
        Options to write out although they were not given: the seed.
    leave_out
        Further parameters not to mention.
    """
    context = click.get_current_context()
    words = context.command_path.split()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE
        if name in PRESENTATION or name in leave_out or not (given or name in always):
            continue
        words += _as_words(parameter, context.params[name])
    return shlex.join(words)


def _as_words(parameter: click.Parameter, value: object) -> list[str]:
    if isinstance(value, dict):  # columns by role
        return [
            word for role, names in value.items() for name in names for word in (parameter.opts[0], f"{role}={name}")
        ]
    values = [str(v) for v in value] if isinstance(value, (tuple, list)) else [str(value)]
    if isinstance(parameter, click.Argument):
        return [f"./{word}" if word.startswith("-") and word != "-" else word for word in values]  # no option
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return [parameter.opts[0] if value else parameter.secondary_opts[0]]
    return [parameter.opts[0], *values]
