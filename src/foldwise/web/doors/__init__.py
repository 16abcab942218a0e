"""The doors, in the order of the home page; adding one takes a file and a line here."""

from __future__ import annotations

from foldwise.web.doors import boards, interval, judge, predictions, scores, table, watch
from foldwise.web.doors.base import Door

__all__ = ["DOORS", "FIRST"]

FIRST: Door = judge.DOOR  # The one behind the first screen, which takes anything.

_BOARDS = (boards.LEADERBOARD, boards.FRONTIER)

DOORS: dict[str, Door] = {
    door.name: door for door in (FIRST, predictions.DOOR, *_BOARDS, watch.DOOR, scores.DOOR, table.DOOR, interval.DOOR)
}
