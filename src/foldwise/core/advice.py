"""How a message names what may be said: a parameter in Python, an option on the command line, a field on the page.

A message is written once, with marks where it names a parameter; whoever shows it chooses the words.
"""

from __future__ import annotations

import re
import shlex
from typing import Literal

__all__ = ["Place", "column", "parameter", "spoken"]

Place = Literal["python", "command", "page"]
"""Where a message is read."""

_MARK = re.compile(r"⟦(?P<name>\w+)(?::(?P<key>\w+))?=(?P<value>[^⟧]*)⟧")


def parameter(name: str, value: object) -> str:
    """The mark of a parameter with a value.

    Examples
    --------
    >>> spoken(parameter("rows", "models"), "python"), spoken(parameter("rows", "models"), "command")
    ("rows='models'", '--rows models')
    """
    return f"⟦{name}={value}⟧"


def column(role: str, name: str) -> str:
    """The mark of a column that is given a role.

    Examples
    --------
    >>> said = column("item", "prompt id")
    >>> spoken(said, "python"), spoken(said, "command"), spoken(said, "page")
    ("columns={'item': 'prompt id'}", "--column 'item=prompt id'", '“Column: item”')
    """
    return f"⟦column:{role}={name}⟧"


def spoken(message: str, place: Place) -> str:
    """A message with its marks in the words of the place where it is read."""
    return _MARK.sub(lambda mark: _words(mark, place), message) if "⟦" in message else message


def _words(mark: re.Match[str], place: Place) -> str:
    name, key, value = mark["name"], mark["key"], mark["value"]
    if place == "page":
        return f"“Column: {key}”" if key else f"“{name.replace('_', ' ').capitalize()}”"
    if place == "command":
        said = f"{key}={value}" if key else value
        return f"--{name.replace('_', '-')} {shlex.quote(said)}"
    return f"columns={{{key!r}: {value!r}}}" if key else f"{name}={value!r}"
