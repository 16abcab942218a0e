"""What a learner does on the splits of a plan, as losses per example."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypedDict

import numpy as np

from foldwise.core.moment import moment
from foldwise.core.types import Array, Labels
from foldwise.engine import Prepared, RunResult, run_prepared
from foldwise.engine.ledger import StoreLike
from foldwise.engine.progress import Progress
from foldwise.resampling import Plan

__all__ = ["Trials"]


class Engine(TypedDict, total=False):
    """What the engine takes besides learners, data, plan, seed and scoring."""

    n_jobs: int | None
    store: StoreLike | None
    cluster: object
    progress: Progress | bool | None
    fit_seconds: float | None
    fit_memory: float | None
    data_name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """A learner and examples to try it on.

    Attributes
    ----------
    prepared
        The learner, as it can take the examples, and the examples.
    seed
        Determines every split.
    engine
        What else the engine takes.
    done
        What was run so far.
    """

    prepared: Prepared
    seed: int
    engine: Engine = field(default_factory=Engine)
    done: list[RunResult] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.prepared.examples)

    @property
    def name(self) -> str:
        """What the learner is called."""
        return self.prepared.names[0]

    @property
    def y(self) -> Labels:
        """The target."""
        return self.prepared.y

    @property
    def groups(self) -> Labels | None:
        """Per example its group, or None."""
        return self.prepared.groups

    @property
    def regression(self) -> bool:
        """Whether the loss is the squared difference instead of 0 or 1."""
        return not self.prepared.classifies

    def losses(self, plan: Plan) -> Array:
        """Runs × examples: the mean loss of each example in each run; NaN where it was not tested."""
        result = self._run(plan, self.prepared)
        runs, folds = result.shape
        table = np.full((runs, len(self)), np.nan)
        for i, predicted in enumerate(result.outcomes[0]):
            assert predicted is not None  # the engine raises on failure
            test = result.splits[i].test
            table[i // folds, test] = self._loss(result.y[test], predicted)
        return table

    def resubstitution(self) -> tuple[Array, Labels, Labels]:
        """Losses, targets and predictions of the model trained on all examples, on those same examples."""
        everything = np.arange(len(self))
        everyone = replace(self.prepared, examples=replace(self.prepared.examples, groups=None))
        result = self._run([(everything, everything)], everyone)
        predicted = result.outcomes[0][0]
        assert predicted is not None
        return self._loss(result.y, predicted), result.y, predicted

    def _run(self, plan: object, prepared: Prepared) -> RunResult:
        # R², the engine's default for regressors, is not defined on the single test example of leave-one-out
        scoring = "neg_mean_squared_error" if self.regression else None
        result = run_prepared(prepared, plan, seed=self.seed, scoring=scoring, **self.engine)
        self.done.append(result)
        return result

    @property
    def fits(self) -> int:
        """Number of trainings so far, those that a store had included."""
        return sum(result.found + result.computed for result in self.done)

    @property
    def found(self) -> int:
        """How many of them a store had."""
        return sum(result.found for result in self.done)

    @property
    def found_made(self) -> tuple[str, str] | None:
        """When the oldest and the newest of these were made."""
        spans = [result.found_made for result in self.done if result.found_made is not None]
        return (moment(min(a for a, _ in spans)), moment(max(b for _, b in spans))) if spans else None

    def _loss(self, y: Labels, predicted: Labels) -> Array:
        return np.asarray((y - predicted) ** 2 if self.regression else y != predicted, dtype=np.float64)
