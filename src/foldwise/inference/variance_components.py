"""Where the variance of a mean difference comes from, and what more items, trials or seeds would buy."""

from __future__ import annotations

import math
from dataclasses import dataclass

from foldwise.core.display import Shown
from foldwise.core.types import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSource(Shown):
    """One source of variance."""

    name: str  #: What varies: "items", "trials" …
    variance: float  #: Between single ones of them
    adds: float  #: What that adds to the squared standard error of the mean difference
    #: Of what more would make it smaller: trials of all items are fewer both by fewer trials and by fewer items
    over: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook(Shown):
    """What so many times as many of something would leave of the standard error."""

    more: str
    factor: float
    standard_error: float

    @property
    def words(self) -> str:
        """With how many more, for people."""
        times = {2: "twice as many", 4: "four times as many", math.inf: "endlessly many"}
        return f"{times.get(self.factor, f'{self.factor:g} times as many')} {self.more}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VarianceSplit(Shown):
    """The squared standard error of a mean difference by its sources.

    Examples
    --------
    >>> items = VarianceSource(name="items", variance=0.04, adds=0.0004, over=("items",))
    >>> trials = VarianceSource(name="trials", variance=0.06, adds=0.0002, over=("items", "trials"))
    >>> split = VarianceSplit(standard_error=0.0006**0.5, sources=(items, trials))
    >>> round(split.share("trials"), 3), round(split.with_more(trials=2), 4), round(split.with_more(items=4), 4)
    (0.333, 0.0224, 0.0122)
    """

    standard_error: float  #: As the test has it
    sources: tuple[VarianceSource, ...]  #: What it consists of

    @property
    def units(self) -> tuple[str, ...]:
        """Of what there could be more."""
        return tuple(dict.fromkeys(unit for source in self.sources for unit in source.over))

    def share(self, name: str) -> float:
        """The part of the variance that comes from this source; equal parts where nothing varies."""
        adds = {source.name: source.adds for source in self.sources}
        total = sum(adds.values())
        return adds[name] / total if total > 0 else 1 / len(adds)

    def with_more(self, **factors: float) -> float:
        """The standard error with so many times as many items, trials …

        It is the test's own, scaled as the sum of the sources would be.
        """
        left = sum(
            self.share(source.name) / math.prod(factors.get(unit, 1.0) for unit in source.over)
            for source in self.sources
        )
        return self.standard_error * math.sqrt(left)

    @property
    def outlooks(self) -> tuple[Outlook, ...]:
        """What twice as many, and what very many of each would buy.

        A source whose variance is estimated as 0 may be small, but need not be: nothing is said to leave no error.
        """
        found = (
            Outlook(more=unit, factor=factor, standard_error=self.with_more(**{unit: factor}))
            for unit in self.units
            for factor in (2.0, 4.0 if all(unit in source.over for source in self.sources) else math.inf)
        )
        return tuple(outlook for outlook in found if outlook.standard_error > 0)

    def to_dict(self) -> dict[str, Json]:
        """All of it, ready for JSON; infinitely many are None."""
        return {
            "standard_error": self.standard_error,
            "sources": [
                {
                    "name": source.name, "variance": source.variance, "adds": source.adds,
                    "share": self.share(source.name), "over": list(source.over),
                }
                for source in self.sources
            ],
            "outlook": [
                {
                    "more": outlook.more,
                    "factor": outlook.factor if math.isfinite(outlook.factor) else None,
                    "standard_error": outlook.standard_error,
                }
                for outlook in self.outlooks
            ],
        }  # fmt: skip
