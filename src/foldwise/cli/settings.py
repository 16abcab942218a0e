"""Settings of a project: ``foldwise.toml`` or ``[tool.foldwise]`` of ``pyproject.toml`` in the working folder.

A table for each command has its options by their long names: ``[gate]`` with ``margin = "1pt"``. What is typed wins.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from foldwise.core.errors import InvalidInput

OWN, PROJECT = "foldwise.toml", "pyproject.toml"
LARGEST = 1 << 20  # Bytes of such a file.

META = "foldwise.settings"


def read_settings(folder: Path, commands: Collection[str]) -> tuple[str, dict[str, dict[str, Any]]]:
    """The file, and by command the options in it; nothing where there is no such file or table."""
    for name in (OWN, PROJECT):
        path = folder / name
        if not path.is_file():
            continue
        tables = _tables(path, name)
        if tables is None:
            continue
        for command, table in tables.items():
            if command not in commands:
                near = difflib.get_close_matches(command, commands, n=1)
                hint = f": did you mean {near[0]!r}?" if near else f": a table is for one of {', '.join(commands)}"
                raise InvalidInput(f"{name} has settings for {command!r}, which is no command{hint}")
            if not isinstance(table, dict):
                raise InvalidInput(f"{name} must have a table [{command}] of options, got {table!r}")
        return name, tables
    return "", {}


def _tables(path: Path, name: str) -> dict[str, Any] | None:
    if path.stat().st_size > LARGEST:
        if name == PROJECT:
            return None
        raise InvalidInput(f"{name} must be smaller than {LARGEST >> 20} MB")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        if name == PROJECT:  # somebody else's business
            return None
        raise InvalidInput(f"{name} can't be read: {error}") from None
    if name == OWN:
        return content
    tables = content.get("tool", {})
    found = tables.get("foldwise") if isinstance(tables, dict) else None
    if found is not None and not isinstance(found, dict):
        raise InvalidInput(f"{name} must have a table [tool.foldwise], got {found!r}")
    return found


def defaults_of(command: click.Command, table: dict[str, Any], file: str) -> dict[str, Any]:
    """A command's settings by the names of its parameters; an option it does not have is refused."""
    options = {
        long.removeprefix("--"): (parameter, long in parameter.secondary_opts)
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for long in (*parameter.opts, *parameter.secondary_opts)
        if long.startswith("--")
    }
    found: dict[str, Any] = {}
    for key, value in table.items():
        written = key.replace("_", "-")
        if written not in options:
            near = difflib.get_close_matches(written, options, n=1)
            hint = f": did you mean {near[0]!r}?" if near else ""
            raise InvalidInput(f"{file} sets {key!r} of {command.name}, which has no option --{written}{hint}")
        parameter, negated = options[written]
        if parameter.is_flag and not isinstance(value, bool):
            raise InvalidInput(f"{file} must set {key!r} of {command.name} to true or false, got {value!r}")
        if isinstance(value, dict) or (isinstance(value, list) and not (parameter.multiple or parameter.nargs != 1)):
            raise InvalidInput(f"{file} must set {key!r} of {command.name} to one value, got {value!r}")
        several = [value] if parameter.multiple and not isinstance(value, list) else value
        found[str(parameter.name)] = not value if negated else several
    return found


def used_settings(context: click.Context) -> str:
    """What came from the file, as one would type it; empty where all was typed or left out."""
    table = context.default_map or {}
    used = {
        name: value
        for name, value in table.items()
        if context.get_parameter_source(name) == click.core.ParameterSource.DEFAULT_MAP
    }
    by_name = {str(one.name): one.opts[0] for one in context.command.params if isinstance(one, click.Option)}
    words = [" ".join([by_name[name], *_typed(value)]) for name, value in used.items()]
    return f"settings from {context.meta[META]}: {', '.join(words)}" if words else ""


def _typed(value: object) -> list[str]:
    return [] if value is True else list(map(str, value)) if isinstance(value, list | tuple) else [str(value)]
