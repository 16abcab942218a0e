"""Files that are still being written: what is there so far, up to the last line that is complete."""

from __future__ import annotations

from foldwise.data.text import Content, Readable
from foldwise.data.wrapped import read_text

__all__ = ["read_so_far"]


def read_so_far(given: Readable, *, complete: bool = False) -> Content:
    r"""The text of a file as far as its lines are complete.

    Parameters
    ----------
    given
        As `read_text` takes it.
    complete
        Whether nothing more comes, so that the last line counts although it has no end.

    Examples
    --------
    >>> read_so_far("a,b\n1,0\n0,").text
    'a,b\n1,0\n'
    """
    content = read_text(given)
    if complete or content.text.endswith(("\n", "\r")):
        return content
    end = max(content.text.rfind("\n"), content.text.rfind("\r")) + 1
    return Content(text=content.text[:end], source=content.source, name=content.name)
