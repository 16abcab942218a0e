"""What every command does with its answer: text, JSON, Markdown, a page; files are checked before the work."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterator
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, TypeVar

import click

from foldwise.cli.options import Decorator, takes
from foldwise.cli.parsing import FileOrNone
from foldwise.cli.settings import used_settings
from foldwise.cli.terminal import harmless
from foldwise.core.errors import FoldwiseError
from foldwise.core.result import Result

PRESENTATION = ("json", "html", "markdown", "fail_if", "export", "kit", "details", "claim", "csv")
"""Options that do not change the answer."""

GIVEN = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.DEFAULT_MAP)
"""Typed, or set in the project's settings."""


KEPT_BESIDE = ("-wal", "-shm", "-journal")  # What SQLite writes beside a database, under the database's name.


OUTPUTS = "foldwise.outputs"
"""Where the context has what is to be written: by option the file, and the files that would be lost."""


class _Output(click.Option):
    """An option whose value is written to: a file, or a folder that gets the files `inside`."""

    def __init__(self, *args: Any, inside: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.inside = inside


def output_option(
    *names: str, text: str, metavar: str = "FILE", inside: tuple[str, ...] = (), **more: Any
) -> Decorator:
    """An option for a file that the command writes; with `inside`, for a folder in which it writes these files.

    It is refused before the command starts where it could not be written in the end, perhaps hours later, and where
    it is one of the files that the command reads, under whatever name.
    """
    return click.option(
        *names, cls=_Output, inside=inside, type=click.Path(path_type=Path), metavar=metavar, callback=_writable,
        help=text, **more,
    )  # fmt: skip


def _writable(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is None:
        return None
    inside = getattr(option, "inside", ())
    if str(path) != "-" or inside or not isinstance(option, FileOrNone):
        try:
            _check_place(path, is_folder=bool(inside))
        except OSError as error:  # a name that is too long, a loop of links
            short = f"{path.name[:40]}…" if len(path.name) > 40 else path.name
            raise click.BadParameter(f"'{short}' can't be written: {error.strerror}") from error
    context.meta.setdefault(OUTPUTS, {})[option.opts[0]] = (path, [path / name for name in inside] or [path])
    return path


def _check_place(path: Path, *, is_folder: bool) -> None:
    if is_folder:
        if path.exists() and not path.is_dir():
            raise click.BadParameter(f"'{path}' must be a folder, but it is a file")
        folder = next(each for each in (path, *path.absolute().parents) if each.exists())
    else:
        if path.is_dir():
            raise click.BadParameter(f"'{path}' is a folder; give the name of a file")
        folder = path.parent
    if not folder.is_dir():
        raise click.BadParameter(f"the folder '{folder}' of '{path.name}' does not exist")
    if not os.access(folder, os.W_OK):
        raise click.BadParameter(f"the folder '{folder}' of '{path.name}' can't be written to")


def refuse_inputs(context: click.Context) -> None:
    """Refuse an output that is the same file as an input, or as another output."""
    taken: list[tuple[str, Path]] = list(_inputs(context))
    for option, (_, files) in context.meta.get(OUTPUTS, {}).items():
        for file in files:
            if str(file) == "-":
                continue
            clash = next((name for name, other in taken if _same(file, other)), None)
            if clash is not None:
                raise click.UsageError(
                    f"{option} must not be a file that {clash} names, got '{file}': it would be lost"
                )
            taken.append((option, file))


def _inputs(context: click.Context) -> Iterator[tuple[str, Path]]:
    """The files that the other parameters name, each with what the command line calls the parameter."""
    for parameter in context.command.params:
        if isinstance(parameter, _Output | FileOrNone):
            continue
        value = context.params.get(str(parameter.name))
        shown = parameter.opts[0] if isinstance(parameter, click.Option) else parameter.make_metavar(context)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, (str, Path)) and str(each):
                yield from ((shown, file) for file in _files_of(str(each), context.params.get("data_dir")))


def _files_of(value: str, data_dir: str | Path | None) -> Iterator[Path]:
    """The files that a value may mean: itself, what is kept beside it, a data set by name, a module of learners."""
    from foldwise.data.loading import file_of

    yield Path(value)
    yield from (Path(value + ending) for ending in KEPT_BESIDE)
    try:
        found = file_of(value, data_dir=data_dir)
    except FoldwiseError:  # the command itself says what is wrong
        found = None
    if found is not None:
        yield found
    module, colon, _ = value.partition(":")
    spec = PathFinder.find_spec(module.partition(".")[0]) if colon and module.isidentifier() else None
    if spec is not None and spec.origin is not None:
        yield Path(spec.origin)


def _same(one: Path, other: Path) -> bool:
    """Whether two names mean one file, through links too, or would once it is written."""
    try:
        return one.samefile(other) if one.exists() and other.exists() else one.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):  # a name that no file can have is nobody's input
        return False


def answer_options(function: Callable[..., object]) -> Callable[..., object]:
    """``--json``, ``--markdown``, ``--html``, which may be given together, and ``--details``: see `show`."""
    file = {"type": click.Path(path_type=Path), "metavar": "[FILE]", "callback": _writable, "expose_value": False}
    for option in (
        output_option("--html", text="Write the report to this file.", expose_value=False),
        click.option("--markdown", cls=FileOrNone, endings=(".md", ".markdown", ".txt"), **file,
                     help="Print a summary for a comment on a pull request, or write it to FILE."),
        click.option("--json", cls=FileOrNone, endings=(".json",), **file,
                     help="Print JSON with stable keys, or write it to FILE."),
        click.option("--details", is_flag=True, expose_value=False, callback=_remember,
                     help="Also show method, assumptions, guarantee and all tables."),
    ):  # fmt: skip
        function = option(function)
    return function


def _remember(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """Keep it for `show`, so that commands need not hand it on."""
    context.meta[f"foldwise.{option.name}"] = wanted


claim_option: Decorator = click.option(
    "--claim", is_flag=True, expose_value=False, callback=_remember,
    help="Also show what you may write about the answer, and what not.",
)  # fmt: skip


kit_option: Decorator = output_option(
    "--kit", text="Write methods, references, tables and figures for a paper into this folder.", metavar="FOLDER",
    inside=("methods.tex", "references.bib", "table.tex", "scores.tex", "ranks.tex"), expose_value=False,
)  # fmt: skip
judged_answer: Decorator = takes(answer_options, claim_option, kit_option)
"""What can be done with the answer of a comparison."""


Answer = TypeVar("Answer", bound=Result)


def show(result: Answer) -> Answer:
    """Print a result as text, or what was asked for instead, and write the files that were asked for; returns it."""
    if settings := used_settings(click.get_current_context()):
        click.echo(f"foldwise: {settings}", err=True)
    page = partial(_page, result)
    deliver(text=lambda: _text(result), json=result.to_dict, markdown=result.to_markdown, html=page)
    kit = click.get_current_context().meta.get(OUTPUTS, {}).get("--kit")
    if kit is not None:
        result.paper(kit[0])
    return result


def _page(result: Result) -> str:
    from foldwise.render.html import to_html

    return to_html(result, command=command_line(always=["seed"]))


def deliver(
    *, text: Callable[[], str] | None, json: Callable[[], object], markdown: Callable[[], str], html: Callable[[], str]
) -> None:
    """Make all forms of an answer that are asked for, then write the files and print one form."""
    made = {"--json": lambda: _json(json()), "--markdown": markdown, "--html": html}
    asked = {option: path for option, (path, _) in click.get_current_context().meta.get(OUTPUTS, {}).items()}
    printed = [option for option in ("--json", "--markdown") if str(asked.get(option)) == "-"]
    if len(printed) > 1:
        raise click.UsageError("only one can be printed: name a file for --json or for --markdown, or for both")
    forms = {option: make() for option, make in made.items() if option in asked}
    shown = forms[printed[0]] if printed else text() if text is not None else None
    for option, form in forms.items():
        if option not in printed:
            from foldwise.core.files import write_whole

            write_whole(asked[option], form if option == "--html" else f"{form}\n")
    if shown is not None:
        click.echo(harmless(shown), color=None if printed else True)


def prints_text() -> bool:
    asked = click.get_current_context().meta.get(OUTPUTS, {})
    return not any(str(asked[option][0]) == "-" for option in ("--json", "--markdown") if option in asked)


def _json(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=not _shows_all(), allow_nan=False)


def _text(result: Result) -> str:
    """The answer for a terminal, in colour unless NO_COLOR is set, or for a pipe: the same words."""
    from foldwise.document import claim_of, document_of
    from foldwise.document.may_claim import section
    from foldwise.render.text import coloured, plain

    asked = click.get_current_context().meta
    document, details = document_of(result), bool(asked.get("foldwise.details"))
    if asked.get("foldwise.claim") and not details and (claim := claim_of(result)) is not None:
        document = document.replace(blocks=(*document.blocks, *section(claim).blocks))  # details have it anyway
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


def command_line(*, always: Collection[str] = (), leave_out: Collection[str] = (), **other: object) -> str:
    """The command as it was given, without what only concerns its presentation.

    Parameters
    ----------
    always
        Options to write out although they were not given: the seed.
    other
        Values to write in place of what was given.
    """
    context = click.get_current_context()
    words = context.command_path.split()
    for parameter in context.command.params:
        name = str(parameter.name)
        given = context.get_parameter_source(name) in GIVEN
        if name in PRESENTATION or name in leave_out or not (given or name in always):
            continue
        words += _as_words(parameter, other.get(name, context.params[name]))
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
