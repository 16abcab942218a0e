"""Where the ``foldwise`` command begins: stopped at any moment, it leaves without a traceback.

Until everything is loaded a signal ends the process at once. Then the first one (Ctrl-C, or SIGTERM, which batch
systems send) unwinds the work, so that the store is closed and workers are ended; a second one ends at once.
"""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Any

STOPPING = (signal.SIGINT, signal.SIGTERM)


def main() -> None:
    """Run the command line; no process that is started, by whatever library, takes modules from the working folder."""
    os.environ["PYTHONSAFEPATH"] = "1"
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # nohup and the like: let it be
        from foldwise.cli.main import main as command

        command()
        return
    _end_at_once()
    from foldwise.cli.main import main as command

    stop = _Stop()
    try:
        stop.begin()
        command()
    except KeyboardInterrupt:  # so early or late that the command did not see it
        sys.exit(stop.code)
    except SystemExit as leaving:
        sys.exit(stop.code if stop.code else leaving.code)
    except RuntimeError as error:  # into which Python up to 3.11 turns what comes up in __set_name__, inside an import
        if stop.code and isinstance(error.__cause__, KeyboardInterrupt):
            sys.exit(stop.code)
        raise
    finally:
        _end_at_once()


class _Stop:
    """Turns the first signal into a KeyboardInterrupt, and remembers it."""

    def __init__(self) -> None:
        self.code = 0

    def begin(self) -> None:
        sys.unraisablehook = self._unraisable
        for number in STOPPING:
            signal.signal(number, self)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        _end_at_once()
        self.code = 128 + number
        raise KeyboardInterrupt

    def _unraisable(self, what: Any) -> None:
        """A KeyboardInterrupt that came up where Python can't raise it would be lost: end at once."""
        if self.code and isinstance(what.exc_value, KeyboardInterrupt):
            os.kill(os.getpid(), self.code - 128)
        sys.__unraisablehook__(what)


def _end_at_once() -> None:
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)
