"""The evidence of many trials at once, in the shapes the procedures take."""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.core.types import Array
from foldwise.designs import Design, Procedure, find_procedure, procedure_names
from foldwise.designs.resampled import AnySimulated, simulated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Per kind of test an array whose first two axes are trials and repetitions."""

    #: By the name of the kind: (trials, repetitions, …), as `Resampled.measured` gives one trial of it or as
    #: `Simulated.drawn` takes it
    arrays: dict[str, Array] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  #: What is to be said of where it comes from: how much of it a store had

    def __getitem__(self, kind: AnySimulated) -> Array:
        return self.arrays[kind.name]

    def to_bytes(self) -> bytes:
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **self.arrays)  # type: ignore[arg-type]  # NumPy means its own options
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Evidence:
        with np.load(io.BytesIO(content)) as arrays:
            return cls(arrays={name: arrays[name] for name in arrays.files})

    def first(self, trials: int) -> Evidence:
        return replace(self, arrays={name: array[:trials] for name, array in self.arrays.items()})


def join(parts: Sequence[Evidence]) -> Evidence:
    """Evidence of consecutive blocks of trials as one."""
    kinds = parts[0].arrays
    return Evidence(arrays={name: np.concatenate([part.arrays[name] for part in parts]) for name in kinds})


# The tests of the five papers: what "all" means.
PAPERS_TESTS = (
    "mcnemar", "difference_of_proportions", "resampled_t", "kfold_cv_t", "five_by_two_cv_t", "five_by_two_cv_f",
    "corrected_resampled_t", "corrected_repeated_cv_t", "use_all_data:df=10",
)  # fmt: skip


def choose_tests(names: str | Sequence[str]) -> tuple[Procedure, ...]:
    """The procedures of these names; "all" stands for the tests of the papers."""
    wanted = [names] if isinstance(names, str) else list(names)
    if not wanted:
        raise InvalidInput(f"tests must name at least one of: all, {', '.join(procedure_names())}")
    expanded = [name for given in wanted for name in (PAPERS_TESTS if given == "all" else (given,))]
    procedures = tuple(find_procedure(name) for name in dict.fromkeys(expanded))
    for procedure in procedures:
        simulated(procedure)
    return procedures


def kinds_of(procedures: Sequence[Procedure]) -> tuple[AnySimulated, ...]:
    """The kinds of evidence that these tests need, in an order of their own."""
    return tuple(sorted({simulated(procedure) for procedure in procedures}, key=lambda kind: kind.name))


def pvalues(procedure: Procedure, evidence: Evidence, design: Design, alpha: float = 0.05) -> Array:
    """p-values of shape (trials, repetitions); alpha matters to calibrated degrees of freedom only."""
    kind = simulated(procedure)
    with warnings.catch_warnings():
        # among thousands of simulated trials a constant difference is an outcome, not an accident
        warnings.simplefilter("ignore", DegenerateVariance)
        result = procedure.run(kind.drawn(evidence[kind], design, alpha))
    return np.asarray(result.pvalue, dtype=np.float64)
