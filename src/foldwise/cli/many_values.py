"""Options that take several values: ``--tests mcnemar resampled_t``."""

from __future__ import annotations

from collections.abc import Iterator

import click

__all__ = ["ManyValues"]


class ManyValues(click.Command):
    """A command whose options marked ``multiple`` take all the words up to the next option, commas included.

    click alone knows only ``--tests a --tests b``; people write ``--tests a b`` and ``--tests a,b``. Where the command
    has arguments of its own and none came yet, the option takes one word: ``compare --data iris nb c45``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, then let click parse."""
        options = [p for p in self.params if isinstance(p, click.Option)]
        words = _Words(
            several={name for p in options if p.multiple for name in p.opts},
            single={name for p in options if not p.multiple and not p.is_flag for name in p.opts},
            arguments=any(isinstance(p, click.Argument) for p in self.params),
        )
        return super().parse_args(ctx, list(words.repeat(args)))


class _Words:
    """Knows which words of a command line are values of an option that takes several."""

    def __init__(self, *, several: set[str], single: set[str], arguments: bool) -> None:
        self._several, self._single = several, single
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
