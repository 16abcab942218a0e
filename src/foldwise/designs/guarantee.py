"""Where the procedures come from, and what each guarantees, in a few words, with the figures that were measured of it.

The guarantee belongs to the procedure, not to the kind of evidence: the exact McNemar test and its mid-p sister work on
the same table, and only one of them is exact. A figure is never typed where the measured table has it
(`foldwise.inference.measured`): measured anew, the words change with it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from foldwise.inference.measured import MeasuredLevel, measured_intervals, measured_levels

DIETTERICH = "Dietterich (1998), Neural Computation 10"
ALPAYDIN = "Alpaydın (1999), Neural Computation 11"
BOUCKAERT = "Bouckaert (2003), ICML"
BOUCKAERT_FRANK = "Bouckaert & Frank (2004), PAKDD"
NADEAU_BENGIO = "Nadeau & Bengio (2003), Machine Learning 52"
DEMSAR = "Demšar (2006), Journal of Machine Learning Research 7"
FRIEDMAN = "Friedman (1937), Journal of the American Statistical Association 32"
IMAN_DAVENPORT = "Iman & Davenport (1980), Communications in Statistics A9"
GARCIA = "García, Fernández, Luengo & Herrera (2010), Information Sciences 180"
QUADE = "Quade (1979), Journal of the American Statistical Association 74"
SKILLINGS_MACK = "Skillings & Mack (1981), Technometrics 23"
BENAVOLI = "Benavoli, Corani, Demšar & Zaffalon (2017), Journal of Machine Learning Research 18"
CORANI = "Corani, Benavoli, Demšar, Mangili & Zaffalon (2017), Machine Learning 106"
BATES = "Bates, Hastie & Tibshirani (2024), Journal of the American Statistical Association 119"
BAYLE = "Bayle, Bayle, Janson & Mackey (2020), NeurIPS 33"
LUO_BARBER = "Luo & Barber (2024), arXiv"
YANG = "Yang, Wang, Song & Li (2023), arXiv"
FOLDWISE = "foldwise (2026), the round-robin test"
FOLDWISE_INFLUENCE = "foldwise (2026), the influence-robust test"


Strength = Literal["exact", "approximate", "heuristic"]

STABLE = "valid for stable learners"
"""The condition of tests of algorithms from one data set: no useful test is right for all learners (Luo & Barber)."""

ASSUMING_INDEPENDENCE = "clusters"  # Measured cases that tests of independent items are not meant for.


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What a procedure guarantees."""

    #: "exact": its level holds under the stated sampling, whatever is sampled. "approximate": its level holds nearly,
    #: under its assumptions. "heuristic": nothing but experience speaks for its level
    strength: Strength
    condition: str = ""  #: The sampling under which it is exact, or what else it needs
    #: What the measured cases are counted by, a word that they contain after a number, or "sources", themselves
    counted: str = "items"
    beside: str = ""  #: Cases whose words contain this were measured to show what breaks, and do not count
    known_as: str | None = None  #: The name under which it was measured, where that is not its own
    unmeasured: str = ""  #: What is known instead, where nothing was measured

    def words(self, name: str) -> str:
        """The guarantee of the procedure of that name, for people to read."""
        if self.strength == "exact":
            return f"exact under {self.condition}"
        found = self.unmeasured or self._measured(self.known_as or name)
        return "; ".join(part for part in (self.strength, self.condition, found) if part)

    def _measured(self, name: str) -> str:
        cases = [case for case in measured_levels(name) if not self.beside or self.beside not in case.words]
        if not cases:
            return "Type I error not measured"
        most = "up to" if self.counted == "sources" else "at most"
        highest = rounded_up(max(case.rate for case in cases))
        return f"measured Type I error {most} {highest} (level .05, {self._where(cases)})"

    def _where(self, cases: list[MeasuredLevel]) -> str:
        if self.counted == "sources":
            return f"{len(cases)} named sources"
        every = self.counted in ("items", "examples")
        sizes = [case.n if every and case.n else _count(case.words, self.counted) for case in cases]
        low, high = min(sizes), max(sizes)
        return f"{low if low == high else f'{low} to {high}'} {self.counted}"


def exact(condition: str) -> Guarantee:
    """Its level holds under this sampling, whatever is sampled.

    >>> exact("random sampling of items").words("mcnemar_exact")
    'exact under random sampling of items'
    """
    return Guarantee(strength="exact", condition=condition)


def approximate(
    condition: str = "", *, counted: str = "items", beside: str = "", known_as: str | None = None
) -> Guarantee:
    """Its level holds nearly: how nearly was measured.

    >>> approximate().words("mcnemar")
    'approximate; measured Type I error at most .06 (level .05, 100 to 200 items)'
    """
    return Guarantee(strength="approximate", condition=condition, counted=counted, beside=beside, known_as=known_as)


def heuristic(condition: str = "") -> Guarantee:
    """Nothing but experience speaks for its level: a test of algorithms, measured on sources.

    >>> heuristic().words("resampled_t")
    'heuristic; measured Type I error up to .55 (level .05, 3 named sources)'
    """
    return Guarantee(strength="heuristic", condition=condition, counted="sources")


def unmeasured(condition: str) -> Guarantee:
    """An approximation of which the theory is known, and no figure.

    >>> unmeasured("conservative").words("conservative_z")
    'approximate; conservative'
    """
    return Guarantee(strength="approximate", unmeasured=condition)


def interval_guarantee(method: str) -> str:
    """What an interval of one error rate guarantees.

    >>> interval_guarantee("clopper_pearson"), interval_guarantee("wilson")
    ('exact under random sampling of items', 'approximate; measured coverage at least .92 (level .95, n = 50)')
    """
    if method == "clopper_pearson":
        return exact("random sampling of items").words(method)
    rows = measured_intervals(method)
    low = min(row["coverage"] for row in rows)
    # rounded down: never better than measured
    least = _points(math.floor(100 * low) / 100)
    return f"approximate; measured coverage at least {least} (level .95, n = {rows[0]['n']})"


@cache
def rounded_up(rate: float) -> str:
    """A share with two digits, never better than measured."""
    return _points(math.ceil(round(100 * rate, 6)) / 100)


def _points(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def _count(words: str, counted: str) -> int:
    found = re.search(rf"(\d+) (?:\w+ )?{counted}", words)
    if found is None:
        raise ValueError(f"the measured case {words!r} does not tell its {counted}")
    return int(found[1])
