"""How a command line is read: options with several values (``--tests a b``), files that may be left out."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import click

HEADINGS = {
    "Running": ("jobs", "store", "on_error", "cluster", "fit_seconds", "fit_memory", "max_runs", "max_seconds"),
    "Margins and gates": ("bars", "candidate", "candidates", "baseline", "margin", "task_margin", "fail_if", "history"),
    "Answer": ("details", "json", "markdown", "html", "claim", "kit", "_click_default_help"),
}
"""The options that help lists apart, under these headings; those of what is read and how it is judged come first."""


class Command(click.Command):
    """A command whose options marked ``multiple`` take all the words up to the next option, commas included.

    click alone knows only ``--tests a --tests b``; people write ``--tests a b`` and ``--tests a,b``. Where the command
    has arguments of its own and none came yet, the option takes one word: ``compare --data iris nb c45``.

    An option marked ``file_or_none`` (``--json``) takes the word behind it as a file where it can be no input: with
    ``=``, or after the command's own arguments; where these have no fixed number, a word that ends as such a file does.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, and join a file to its option; then let click parse."""
        options = [p for p in self.params if isinstance(p, click.Option)]
        arguments = [p for p in self.params if isinstance(p, click.Argument)]
        single = {name for p in options if not p.multiple and not p.is_flag for name in p.opts}
        several = {name for p in options if p.multiple for name in p.opts}
        words = _Words(several=several, single=single, arguments=bool(arguments))
        many = any(p.nargs != 1 for p in arguments)
        files = {name: p.endings for p in options if isinstance(p, FileOrNone) for name in p.opts}
        _refuse_second(args, single - set(files))
        return super().parse_args(ctx, list(words.repeat(list(_with_files(args, files, words, len(arguments), many)))))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the options under headings, which long lists need."""
        of = {name: heading for heading, names in HEADINGS.items() for name in names}
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], **{heading: [] for heading in HEADINGS}}
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (record := param.get_help_record(ctx)) is not None:
                sections[of.get(param.name or "", "Options")].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, unless what it is to write is one of its inputs."""
        from foldwise.cli.output import refuse_inputs

        refuse_inputs(ctx)
        return super().invoke(ctx)


def _refuse_second(args: list[str], single: Collection[str]) -> None:
    """Refuse another value of an option that takes one: click would take the last and say nothing."""
    given: dict[str, str] = {}
    for place, arg in enumerate(args[: args.index("--")] if "--" in args else args):
        name, told, value = arg.partition("=")
        if name not in single or not name.startswith("--"):
            continue
        value = value if told else next(iter(args[place + 1 : place + 2]), "")
        if given.setdefault(name, value) != value:
            raise click.UsageError(f"{name} takes one value, got {given[name]!r} and {value!r}")


class FileOrNone(click.Option):
    """An option for a file, ``-`` (standard output) where no file is named."""

    def __init__(self, *args: Any, endings: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*args, **{"is_flag": False, "flag_value": "-", **attributes})
        self.endings = endings


def _with_files(
    args: list[str], files: dict[str, tuple[str, ...]], words: _Words, arguments: int, many: bool
) -> Iterator[str]:
    """The command line with ``--json FILE`` as ``--json=FILE``, and ``--json`` alone as ``--json=-``."""
    left, owed, place = arguments, False, 0
    while place < len(args):
        arg = args[place]
        place += 1
        if arg in files:
            word = args[place] if place < len(args) else "-"
            named = (many and left < arguments and word.lower().endswith(files[arg])) or (not many and left <= 0)
            taken = place < len(args) and (word == "-" or (named and not word.startswith("-")))
            if taken and many and word != "-" and Path(word).exists():  # perhaps it was meant as one more input
                raise click.UsageError(f"{arg} would overwrite '{word}': write {arg}={word} if it is to do so")
            place += taken
            yield f"{arg}={word if taken else '-'}"
            owed = False
            continue
        if arg.startswith("-") and arg != "-" and not _is_number(arg):
            owed = arg in words.takes
        elif owed:
            owed = False
        else:
            left -= 1
        yield arg


class _Words:
    """Knows which words of a command line are values of an option that takes several."""

    def __init__(self, *, several: set[str], single: set[str], arguments: bool) -> None:
        self._several, self._single = several, single
        self.takes = several | single
        self._greedy = not arguments

    def repeat(self, args: list[str]) -> Iterator[str]:
        """The command line with the option repeated before each of its values."""
        current, room, owed = "", 0.0, False
        for arg in args:
            option, has_value, value = arg.partition("=")
            if owed or (arg.startswith("-") and not _is_number(arg) and option not in self._several):
                owed = not owed and arg in self._single
                current = ""
                yield arg
            elif option in self._several:
                current, room = option, float("inf") if self._greedy else 1
                if has_value:
                    yield from _pairs(option, value)
                    room -= 1
            elif current and room > 0:
                room -= 1
                yield from _pairs(current, arg)
            else:
                self._greedy = True
                yield arg


def _pairs(option: str, values: str) -> Iterator[str]:
    for part in filter(None, _split(values)):
        yield from (option, part)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets: ``sklearn.svm:SVC(C=1,gamma=2)`` stays whole."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
