"""QQ: is a test's statistic distributed as the test claims?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from foldwise.core.result import Result
from foldwise.core.types import Array, Estimator, Json
from foldwise.kinds import Design, find_procedure
from foldwise.kinds.resampled import simulated
from foldwise.lab.evidence import pvalues
from foldwise.lab.gather import Resources, gather, prepare
from foldwise.lab.populations.population import PopulationSpec
from foldwise.lab.rates import Bias, bias_sentence, measure_bias

__all__ = ["QQ", "qq"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QQ(Result):
    """p-values of one test under a true null hypothesis, sorted: uniform if the test is what it claims.

    Attributes
    ----------
    test, population, learners, design, seed
        What was simulated.
    expected, observed
        Uniform quantiles (i − ½)/trials and the sorted p-values.
    distance, bound
        Largest distance of the two distribution functions (Kolmogorov–Smirnov), and the 5 % bound for a uniform sample.
    bias
        How far the learners really are apart on the folds of the test.
    caveats
        What to know besides.
    """

    page: ClassVar[str] = "qq"

    test: str
    population: str
    learners: tuple[str, ...]
    design: Design
    seed: int
    expected: tuple[float, ...]
    observed: tuple[float, ...]
    distance: float
    bound: float
    bias: Bias
    caveats: tuple[str, ...] = ()

    @property
    def uniform(self) -> bool:
        """Whether the p-values could be uniform, as far as this many trials let one tell."""
        return self.distance <= self.bound

    def _content(self) -> Mapping[str, Json]:
        """All of it, ready for JSON; `rows` has the distribution at the usual levels."""
        return asdict(self) | {"uniform": self.uniform, "rows": self.rows()}

    def rows(self) -> list[dict[str, Json]]:
        """Per usual level the share of p-values below it."""
        p = np.array(self.observed)
        return [{"test": self.test, "level": level, "rate": float((p < level).mean())} for level in LEVELS]

    def __str__(self) -> str:
        learned = f", {' vs '.join(self.learners)}" if self.learners else ""
        word = "could be" if self.uniform else "are not"
        lines = [
            f"p-values of {self.test} on {self.population}{learned} ({len(self.observed)} trials)",
            "",
            f"  They {word} uniform: largest distance {self.distance:.3f}, 5 % bound {self.bound:.3f}.",
            f"  Bias {self.bias} points.",
            "",
            *(f"  below {row['level']:<5g}  {row['rate']:.3f}" for row in self.rows()),
        ]
        return "\n".join([*lines, *(f"\n  {caveat}" for caveat in self.caveats)])


USUAL = 0.05
"""Level of the bound, and of the test that the bias is judged by."""

LEVELS = (0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9)
"""Where the distribution of p-values is printed."""


def qq(
    test: str,
    population: PopulationSpec,
    *,
    learners: Sequence[Estimator | str] = (),
    trials: int = 1000,
    seed: int = 0,
    resources: Resources | None = None,
    **design: int,
) -> QQ:
    """Compare the distribution of a test's p-values under the null hypothesis with the uniform one.

    Parameters
    ----------
    test, population, learners, trials, seed, resources, **design
        As in `type_one_error`, for one test.

    Examples
    --------
    >>> qq("resampled_t", "two-kinds").uniform
    False
    """
    procedure = find_procedure(test)
    sizes = Design(**design)
    work = prepare([procedure], population, learners, sizes, seed)
    evidence = gather(work, trials, resources)
    p = np.sort(pvalues(procedure, evidence, sizes)[:, 0])
    kind = simulated(procedure)
    bias, null = measure_bias(evidence[kind], kind), work.population.null
    said = bias_sentence([(procedure.name, USUAL, bias)], null)
    return QQ(
        test=procedure.name,
        population=repr(work.population),
        learners=tuple(map(str, learners)),
        design=sizes,
        seed=seed,
        expected=tuple(((np.arange(len(p)) + 0.5) / len(p)).tolist()),
        observed=tuple(p.tolist()),
        distance=_kolmogorov_distance(p),
        bound=float(special.kolmogi(USUAL) / np.sqrt(len(p))),
        bias=bias,
        caveats=(null.words, *([said] if said else []), *evidence.notes),
    )


def _kolmogorov_distance(ordered: Array) -> float:
    n = len(ordered)
    above = np.arange(1, n + 1) / n - ordered
    below = ordered - np.arange(n) / n
    return float(max(above.max(), below.max()))
