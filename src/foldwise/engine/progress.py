"""Progress: a small protocol, a bar on terminals and in notebooks, silence elsewhere."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

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


class NotebookBar(Bar):
    """One line in the cell's output that moves along, and is gone when the work is done."""

    def start(self, *, total: int, found: int) -> None:
        front_end: Any = importlib.import_module("IPython.display")
        self._total, self._done, self._note, self._shown = total, found, "", 0.0
        self._from, self._began = found, time.monotonic()
        self._line = front_end.display(self._data(), raw=True, display_id=True)

    def note(self, text: str) -> None:
        self._note = f", {text}"
        self._show()

    def advance(self, fits: int) -> None:
        self._done += fits
        if time.monotonic() - self._shown >= SECONDS_BETWEEN:
            self._show()

    def stop(self) -> None:
        # not clear_output, which would also take what the cell had printed before
        self._line.update({"text/plain": "", "text/html": ""}, raw=True)

    def _show(self) -> None:
        self._shown = time.monotonic()
        self._line.update(self._data(), raw=True)

    def _data(self) -> dict[str, str]:
        fresh = self._done - self._from
        left = (time.monotonic() - self._began) * (self._total - self._done) / fresh if fresh else None
        ahead = "" if left is None else f", about {left:.0f} s left"
        told = f"{self._title}{self._note}: {self._done:,} of {self._total:,}{ahead}"
        bar = f'<progress value="{self._done}" max="{self._total}"></progress> {escape(told)}'
        return {"text/plain": told, "text/html": bar}


SECONDS_BETWEEN = 0.2  # Pause between two lines: a notebook keeps up with a few per second.


def in_notebook() -> bool:
    """Whether IPython runs with a kernel, whose front end (Jupyter, VS Code, Colab) shows HTML and lets it change."""
    shell: Any = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def resolve_progress(progress: Progress | bool | None) -> Progress:
    """The progress behind None (a bar if somebody sees it), a truth value, or an object of one's own.

    >>> type(resolve_progress(False)).__name__
    'Silent'
    """
    if progress is None:
        progress = in_notebook() or (sys.stderr is not None and sys.stderr.isatty())
    if isinstance(progress, bool):
        return (NotebookBar() if in_notebook() else Bar()) if progress else Silent()
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
