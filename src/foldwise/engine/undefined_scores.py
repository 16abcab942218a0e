"""Whether a score is defined on the test sets of a plan: one that is not gets no number in its place.

A test set without a positive has no recall, one with a single class no ROC AUC, one whose values are all the same no
R². Scikit-learn puts 0, 1 or NaN there, and the mean over folds is then about nothing. One rule for all scores: where
one is undefined there is no verdict, and the message says what the test sets lack and how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from foldwise.core.errors import DegenerateData
from foldwise.core.types import Labels
from foldwise.engine.examples import Examples
from foldwise.engine.scoring import ABOUT_ONE_CLASS, Scoring
from foldwise.resampling.plan import Plan, Split

# Scores with a part for each class: with one class less they are about something else.
EVERY_CLASS = re.compile(r"auc$|roc_auc|balanced_accuracy|.*_macro$|average_precision$|.*likelihood_ratio$")

# Scores that compare with chance, or with a constant, on the same examples.
TWO_CLASSES = re.compile(r"matthews_corrcoef$|d2_(log_loss|brier)_score$")

# Scores of numbers that divide by how much the tested values vary.
RELATIVE = re.compile(r"r2$|explained_variance$|d2_absolute_error_score$")

# Tested values from which a relative score has a variance: of normal values the square sum is σ² times a χ² variable
# with n − 1 degrees of freedom, whose inverse has a mean from n = 4 on and a variance from n = 6 on.
FEWEST_VALUES = 6


def check_defined(
    scorings: Iterable[Scoring], examples: Examples, plan: Plan, splits: Iterable[Split], data_name: str
) -> None:
    """Refuse scorings that are undefined on some test set, whatever the learners predict there."""
    needs = [need for need in (_need(how, examples) for how in scorings) if need is not None]
    if not needs:
        return
    lacking = np.zeros(len(needs), dtype=np.int64)
    total = 0
    for split in splits:
        total += 1
        lacking += [need.lacking(split.test) for need in needs]
    for need, count in zip(needs, lacking.tolist(), strict=True):
        if count:
            where = "" if data_name in ("", "data") else f" of {data_name}"
            raise DegenerateData(
                f"metric {need.scoring!r} is undefined on {count} of the {total} test sets{where}, which "
                f"{need.words}: {_advice(need, plan, examples)}"
            )


@dataclass(frozen=True, slots=True)
class _Classes:
    scoring: str
    codes: Labels
    needed: tuple[int, ...]
    names: Labels
    fewest: int = 0

    def lacking(self, test: Labels) -> bool:
        found = np.bincount(self.codes[test], minlength=len(self.names))
        return bool((found[list(self.needed)] == 0).any() or np.count_nonzero(found) < self.fewest)

    @property
    def rarest(self) -> tuple[str, int]:
        """The needed class with the fewest examples, and their number."""
        counts = np.bincount(self.codes, minlength=len(self.names))
        least = min(self.needed, key=lambda code: int(counts[code])) if self.needed else int(np.argsort(counts)[-2])
        return str(self.names[least]), int(counts[least])

    @property
    def words(self) -> str:
        name, count = self.rarest
        examples = f"{count} {'example' if count == 1 else 'examples'}"
        if len(self.needed) == 1:
            return f"have no example of class {name!r} (there {'is' if count == 1 else 'are'} {count})"
        lack = "lack a class" if self.needed else "have one class only"
        return f"{lack} (class {name!r} has {examples})"

    @property
    def most_folds(self) -> int:
        return self.rarest[1]

    other = "a score that every test set has, such as accuracy, log_loss or brier"


@dataclass(frozen=True, slots=True)
class _Values:
    """Values that must vary in each test set, and be enough."""

    scoring: str
    y: Labels

    def lacking(self, test: Labels) -> bool:
        return len(test) < FEWEST_VALUES or bool(np.ptp(self.y[test]) == 0)

    @property
    def words(self) -> str:
        return f"have fewer than {FEWEST_VALUES} examples, or values that are all the same"

    @property
    def most_folds(self) -> int:
        return len(self.y) // FEWEST_VALUES

    other = "a loss, such as mse or mae"


def _need(how: Scoring, examples: Examples) -> _Classes | _Values | None:
    """What each test set must have for a scoring that is known by its name."""
    if examples.classes is None or examples.codes is None:
        return _Values(how.name, examples.y) if RELATIVE.match(how.name) else None
    present = tuple(np.unique(examples.codes).tolist())
    if how.name in ABOUT_ONE_CLASS and len(present) == 2:
        positive = getattr(how.scorer, "positive", examples.classes.dtype.type(1))
        asked = tuple(code for code in present if examples.classes[code] == positive)
        return _Classes(how.name, examples.codes, asked, examples.classes) if asked else None
    if EVERY_CLASS.match(how.name):
        return _Classes(how.name, examples.codes, present, examples.classes)
    if TWO_CLASSES.match(how.name):
        return _Classes(how.name, examples.codes, (), examples.classes, fewest=2)
    return None


def _advice(need: _Classes | _Values, plan: Plan, examples: Examples) -> str:
    folds, most = plan.identity.get("folds"), need.most_folds
    if examples.groups is not None or not isinstance(folds, int):
        larger = "use larger test sets (fewer folds)"
    elif most < 2:
        return f"no split has it in every test set; use {need.other}"
    elif folds > most:
        larger = f"use at most {most} folds (folds={most}, --folds {most})"
    else:
        larger = "use fewer folds (folds, --folds)"
    return f"{larger}, or {need.other}"
