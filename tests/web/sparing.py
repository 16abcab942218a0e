"""Workers whose answers are words alone: to draw the pictures takes most of the time of an answer."""

from __future__ import annotations

from foldwise.web import workers


class WordsWork(workers.PageWork):
    """What a worker process does, without pictures."""

    def worker(self):
        from foldwise.render import html

        html._plots = lambda result: ()
        return super().worker()


class InWords(workers.Workers):
    def _work(self, seconds):
        return WordsWork(seconds)
