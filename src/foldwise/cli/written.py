"""Options that name a file or folder to be written: checked before the work, and never one of the inputs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import wraps
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import click

from foldwise.core.errors import FoldwiseError

__all__ = ["Decorator", "output_option"]

Decorator = Callable[[Callable[..., object]], Callable[..., object]]

KEPT_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite writes beside a database, under the database's name."""


class _Output(click.Option):
    """An option whose value is written to: a file, or a folder that gets the files `inside`."""

    def __init__(self, *args: Any, inside: tuple[str, ...] = (), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.inside = inside

    def files(self, path: Path) -> list[Path]:
        """What would be written."""
        return [path / name for name in self.inside] or [path]


def output_option(*names: str, text: str, metavar: str = "FILE", inside: tuple[str, ...] = ()) -> Decorator:
    """An option for a file that the command writes; with `inside`, for a folder in which it writes these files.

    It is refused before the command starts where it could not be written in the end, perhaps hours later, and where
    it is one of the files that the command reads, under whatever name.

    Parameters
    ----------
    names
        The option, and the parameter's name if it differs.
    text
        What ``--help`` says of it.
    metavar
        What ``--help`` calls its value.
    inside
        The files that a folder gets.
    """
    option = click.option(
        *names, cls=_Output, inside=inside, type=click.Path(path_type=Path), metavar=metavar, callback=_writable,
        help=text,
    )  # fmt: skip

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        @wraps(function)
        def guarded(*args: object, **options: object) -> object:
            _refuse_inputs(click.get_current_context())
            return function(*args, **options)

        return option(guarded)

    return decorate


def _writable(_context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is None:
        return None
    assert isinstance(option, _Output)
    try:
        _check_place(path, is_folder=bool(option.inside))
    except OSError as error:  # a name that is too long, a loop of links
        short = f"{path.name[:40]}…" if len(path.name) > 40 else path.name
        raise click.BadParameter(f"'{short}' can't be written: {error.strerror}") from error
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


def _refuse_inputs(context: click.Context) -> None:
    """Refuse an output that is the same file as an input, or as another output."""
    taken: list[tuple[str, Path]] = list(_inputs(context))
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if not isinstance(parameter, _Output) or value is None:
            continue
        for file in parameter.files(value):
            clash = next((name for name, other in taken if _same(file, other)), None)
            if clash is not None:
                raise click.UsageError(
                    f"{parameter.opts[0]} must not be a file that {clash} names, got '{file}': it would be lost"
                )
            taken.append((parameter.opts[0], file))


def _inputs(context: click.Context) -> Iterator[tuple[str, Path]]:
    """The files that the other parameters name, each with what the command line calls the parameter."""
    for parameter in context.command.params:
        if isinstance(parameter, _Output):
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
