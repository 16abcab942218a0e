"""Workers whose answers are words alone: to draw the pictures takes most of the time of an answer."""

from __future__ import annotations

from foldwise.render import html
from foldwise.web import workers


def work(pipe, seconds, megabytes):
    """What a worker process does, without pictures."""
    html._plots = lambda result: ()
    workers.work(pipe, seconds, megabytes)


class InWords(workers.Workers):
    def _start(self):
        return workers._Worker(work, self._seconds, self._megabytes)
