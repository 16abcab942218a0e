"""Options that take several values: ``--tests mcnemar resampled_t``."""

from __future__ import annotations

from collections.abc import Iterator

import click

__all__ = ["ManyValues"]


class ManyValues(click.Command):
    """A command whose options marked ``multiple`` take all the words up to the next option, commas included.

    click alone knows only ``--tests a --tests b``; people write ``--tests a b`` and ``--tests a,b``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, then let click parse."""
        several = {name for p in self.params if isinstance(p, click.Option) and p.multiple for name in p.opts}
        return super().parse_args(ctx, list(_repeat(args, several)))


def _repeat(args: list[str], several: set[str]) -> Iterator[str]:
    current: str | None = None
    for arg in args:
        option, _, value = arg.partition("=")
        if option in several:
            current = option
            yield from (word for part in filter(None, value.split(",")) for word in (option, part))
        elif arg.startswith("-") and not _is_number(arg):
            current = None
            yield arg
        elif current is not None:
            yield from (word for part in filter(None, _split(arg)) for word in (current, part))
        else:
            yield arg


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
