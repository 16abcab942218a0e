"""``foldwise explain CODE``: what a note or a decision means."""

from __future__ import annotations

import click

from foldwise.cli.output import answer_options, show
from foldwise.cli.parsing import Command
from foldwise.core.decisions import explanations
from foldwise.core.errors import UnknownName
from foldwise.document.data import Listing


@click.command("explain", cls=Command)
@click.argument("code", required=False)
@answer_options
def command(code: str | None) -> None:
    """Say what the note or decision CODE means, when it changes the decision, and what to do; without CODE list all.

    Codes stand in JSON (``note_codes``, and ``code`` in ``reading``) and at the end of ``--details``.
    """
    known = explanations()
    if code is None:
        rows = tuple((one.code, one.means) for one in known.values())
        found = [one.to_dict() for one in known.values()]
        show(Listing(title="Notes and decisions", key="codes", content=found, columns=("code", "means"), rows=rows))
        return
    if code not in known:
        raise UnknownName("code", code, known)
    one = known[code]
    answers = (("means", one.means), ("matters", one.matters), ("what to do", one.do))
    show(Listing(title=code, key="", content=one.to_dict(), columns=("", ""), rows=answers))
