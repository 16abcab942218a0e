"""What a file format must know, so that every door reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foldwise.data.sheet import Sheet
from foldwise.data.text import Content

__all__ = ["Format"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way to write a table as text.

    Attributes
    ----------
    name
        What people call it.
    suffixes
        How names of such files end, in lower case.
    media_types
        What browsers call such files.
    begins
        Whether a text can be nothing else, from how it begins.
    first_names
        The names of the columns as far as the first row tells, without reading the rest; bad text gives any names.
    read
        The table; bad text is refused in a sentence that says on which line. It must take time and memory in
        proportion to the text's length, whatever the text.
    """

    name: str
    suffixes: tuple[str, ...]
    media_types: tuple[str, ...]
    begins: Callable[[str], bool]
    first_names: Callable[[str], list[str]]
    read: Callable[[Content], Sheet]
