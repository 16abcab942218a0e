"""Parts that several pages share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import foldwise
from foldwise.core.units import sentence
from foldwise.report.page import Bullets, Section

if TYPE_CHECKING:
    from foldwise.kinds import Design

__all__ = ["Studied", "caveat_sections", "study_facts", "study_methods"]


class Studied(Protocol):
    """What all studies of the lab say about themselves."""

    @property
    def population(self) -> str:
        """What was drawn."""

    @property
    def learners(self) -> Sequence[str]:
        """What was trained on it; nothing where the population simulates its learners."""

    @property
    def design(self) -> Design:
        """Sizes of the resampling."""

    @property
    def seed(self) -> int:
        """Repeats the study."""


def caveat_sections(caveats: tuple[str, ...]) -> tuple[Section, ...]:
    """A section with the caveats, where there are any."""
    return (
        (Section(heading="Caveats", blocks=(Bullets(items=tuple(map(sentence, caveats))),), brief=True),)
        if caveats
        else ()
    )


def study_facts(result: Studied) -> tuple[tuple[str, str], ...]:
    """What was simulated: the facts that all studies of the lab share."""
    design = result.design
    learners = " vs ".join(result.learners) or "simulated by the population"
    sizes = f"{design.n} examples, {design.runs} runs, {design.folds} folds, {design.splits} random splits"
    return (("population", result.population), ("learners", learners), ("design", sizes), ("seed", str(result.seed)))


def study_methods(what: str, result: Studied, trials: int) -> str:
    """How a study of the lab was made, in a sentence."""
    learned = f", comparing {' and '.join(result.learners)}," if result.learners else ""
    return (
        f"We measured {what} on {trials} data sets of {result.design.n} examples drawn from {result.population}"
        f"{learned} using foldwise {foldwise.__version__} (seed {result.seed}); intervals are the Monte-Carlo error "
        "at 95 %."
    )
