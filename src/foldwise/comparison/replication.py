"""Would another partitioning agree? The whole test repeated on other partitionings of the same data."""

from __future__ import annotations

from dataclasses import dataclass

from foldwise.core.display import Shown
from foldwise.core.types import Json
from foldwise.inference._replicability import replicability

__all__ = ["Replication"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Replication(Shown):
    """Verdicts of the same test on different random partitionings.

    Attributes
    ----------
    verdicts
        Per partitioning "a", "b" or None, the first being the one reported.
    """

    verdicts: tuple[str | None, ...]

    @property
    def repetitions(self) -> int:
        """Number of partitionings."""
        return len(self.verdicts)

    @property
    def agreeing(self) -> int:
        """How many give the reported verdict, the reported one included."""
        return sum(verdict == self.verdicts[0] for verdict in self.verdicts)

    @property
    def consistent(self) -> bool:
        """Whether all agree."""
        return self.agreeing == self.repetitions

    @property
    def R(self) -> float:  # noqa: N802 (the paper's symbol)
        """Chance that two partitionings agree on whether there is a difference (bouckaertfrank2004, section 2)."""
        rejections = sum(verdict is not None for verdict in self.verdicts)
        return float(replicability(rejections, self.repetitions).R)

    def to_dict(self) -> dict[str, Json]:
        """Ready for JSON."""
        return {
            "repetitions": self.repetitions,
            "agreeing": self.agreeing,
            "consistent": self.consistent,
            "R": self.R,
            "verdicts": list(self.verdicts),
        }

    def __str__(self) -> str:
        word = "yes" if self.consistent else "mostly" if self.agreeing > 0.8 * self.repetitions else "not always"
        return f"{word} ({self.agreeing} of {self.repetitions})"
