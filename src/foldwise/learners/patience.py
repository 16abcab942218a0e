"""How long learners do without compiled kernels: until that has taken as long as getting them would.

Whoever rents until the rent paid equals the price, and buys then, never pays more than twice what was necessary.
Here NumPy, or the interpreter for trees, is the rent, and the price are numba and its compiled code: a second when it
lies on the disk, many when it does not. The answers are the same to the bit either way, so that nobody need know
which it was.
"""

from __future__ import annotations

__all__ = ["PATIENCE", "Patience"]


class Patience:
    """What is left of the seconds that a process may spend on doing without kernels."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def lasts(self, seconds: float) -> bool:
        """Whether so many seconds more may be spent without kernels; if so, they are taken off."""
        if seconds > self.seconds:
            self.seconds = 0.0  # work that is worth the kernels makes them worth having for all that follows
            return False
        self.seconds -= seconds
        return True


PATIENCE = Patience(1.0)
"""Of this process."""
