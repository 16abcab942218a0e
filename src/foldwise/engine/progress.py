"""Progress: a small protocol, a bar on terminals, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from foldwise.core.errors import InvalidInput

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress


@runtime_checkable
class Progress(Protocol):
    """What the engine tells about its progress; the unit is one learner on one split."""

    def start(self, *, total: int, found: int) -> None:
        """The study needs `total` fits, of which the store had `found`."""

    def advance(self, fits: int) -> None:
        """`fits` more were done."""

    def stop(self) -> None:
        """No more will come, for whatever reason."""


class Bar:
    """A bar with the time left on stderr."""

    def __init__(self, title: str = "fits") -> None:
        self._title = title
        self._bar: RichProgress | None = None

    def start(self, *, total: int, found: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
        self._bar = RichProgress(*columns, console=Console(file=sys.stderr), transient=True)
        title = f"{self._title} ({found} from the store)" if found else self._title
        self._bar.add_task(title, total=total, completed=found)
        self._bar.start()

    def note(self, text: str) -> None:
        """Say something in front of the bar."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=f"{self._title}, {text}")

    def advance(self, fits: int) -> None:
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0], fits)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


class Silent(Bar):
    """No bar: what never starts is not moved or taken away."""

    def start(self, *, total: int, found: int) -> None: ...


def resolve_progress(progress: Progress | bool | None) -> Progress:
    """The progress behind None (a bar if stderr is a terminal), a truth value, or an object of one's own.

    >>> type(resolve_progress(False)).__name__
    'Silent'
    """
    if progress is None:
        progress = sys.stderr is not None and sys.stderr.isatty()
    if isinstance(progress, bool):
        return Bar() if progress else Silent()
    if not isinstance(progress, Progress):
        raise InvalidInput(f"progress must be None, True, False or have start, advance and stop, got {progress!r}")
    return progress


@contextmanager
def shown(progress: Progress, *, total: int, found: int) -> Iterator[Progress]:
    """Begin to show progress, and make sure that it stops however the study ends."""
    progress.start(total=total, found=found)
    try:
        yield progress
    finally:
        progress.stop()
