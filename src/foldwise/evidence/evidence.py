"""What all evidence has in common: two or more models, measured on the same units, whatever these are.

Units are items, outputs on items, splits or blocks of a data set, its examples, or seeds; a table of data sets stands
in `score_table.py`. Two models are the case k = 2: everything is computed for k models, and what only two have (a
difference, a 2×2 table) is of the first minus the second.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_lowercase
from typing import Any, TypeVar

import numpy as np

from foldwise.core.decisions import Decision, How
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit, measure_decisions, sentinel_decisions, unit_of
from foldwise.core.table import is_frame
from foldwise.core.types import Array, Labels
from foldwise.core.validation import few_enough
from foldwise.evidence.missing import MissingValues

E = TypeVar("E", bound="Evidence")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceTable:
    """Evidence for people to read; `caption` says what the numbers are, where that is not plain."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence(ABC):
    """What a comparison of two or more models rests on."""

    names: tuple[str, ...]  #: What the models are called
    metric: str  #: What was measured, for people to read
    higher_is_better: bool  #: False for losses
    #: Whether that is only assumed, because neither the metric's name nor anybody said so
    direction: How = "by its name"
    declared_unit: Unit | None = None  #: The unit, where somebody or the file says it
    missing: MissingValues | None = None  #: What was missing, and what was done about it; None where nothing was
    majority: float | None = None  #: Accuracy of always answering the most frequent class; None where it is not known
    #: What was computed from the numbers, which never change
    _known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_names(self.names)
        if len(self.numbers) != len(self.names) or len(self.names) < 2:
            found = f"{len(self.numbers)} for {len(self.names)} names"
            raise InvalidInput(f"evidence must have values of each of at least two models, got {found}")

    @property
    @abstractmethod
    def numbers(self) -> Any:
        """All of it, one part for each model."""

    @property
    @abstractmethod
    def means(self) -> Array:
        """Mean of each model."""

    @property
    @abstractmethod
    def differences(self) -> Array:
        """Of two models, a − b on every unit."""

    @property
    @abstractmethod
    def design(self) -> str:
        """How it came about, in words."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Equal exactly when the evidence is."""

    @abstractmethod
    def columns(self) -> Mapping[str, Labels]:
        """All of it as columns of a table."""

    @abstractmethod
    def table(self) -> EvidenceTable:
        """What a person wants to see of it."""

    @abstractmethod
    def pair(self: E, i: int, j: int) -> E:
        """The evidence about two of the models, as they are compared alone."""

    @property
    def a(self) -> Array:
        return np.asarray(self.numbers[0])

    @property
    def b(self) -> Array:
        return np.asarray(self.numbers[1])

    @property
    def unit(self) -> Unit:
        """Fractions, percentages, or the metric's own unit."""
        return self.once("unit", lambda: unit_of(self.metric, self.numbers, self.declared_unit))

    def once(self, name: str, compute: Callable[[], T]) -> T:
        """What is asked for each of very many pairs is computed once."""
        if name not in self._known:
            self._known[name] = compute()
        found: T = self._known[name]
        return found

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What was decided about the numbers: their direction and, where it is shown, their unit."""
        told = measure_decisions(
            self.metric, self.unit, higher_is_better=self.higher_is_better, direction=self.direction,
            coding=self.coding, declared_unit=self.declared_unit is not None,
        )  # fmt: skip
        return (*told, *sentinel_decisions(self.names, [np.asarray(part) for part in self.numbers]))

    @property
    def coding(self) -> str:
        """What stands for right and wrong, where that is only assumed."""
        return ""

    def called(self: E, names: Sequence[str]) -> E:
        return self if tuple(names) == self.names else replace(self, names=tuple(names))

    def missing_of(self, i: int, j: int) -> MissingValues | None:
        return self.missing and replace(self.missing, counts=tuple(self.missing.counts[place] for place in (i, j)))


def item_differences(a: Array, b: Array) -> Array:
    """A − b along the last axis; what is 0, or the same on every item, but for rounding is exactly so.

    Notes
    -----
    0.9 − 0.8 and 0.8 − 0.7 differ in the last bit, and a variance of 10⁻³⁴ would make any difference significant.

    >>> x = item_differences(np.array([0.9, 0.8]), np.array([0.8, 0.7]))
    >>> bool(x[0] == x[1])
    True
    """
    x = a - b
    largest = np.maximum(np.abs(a).max(axis=-1, keepdims=True), np.abs(b).max(axis=-1, keepdims=True))
    noise = 8 * np.finfo(np.float64).eps * largest
    x[np.abs(x) <= noise] = 0.0
    constant = np.ptp(x, axis=-1, keepdims=True) <= noise
    return np.where(constant, x[..., :1], x) if constant.any() else x


def rounded_differences(a: Array, b: Array) -> Array:
    """A − b of scores on splits; values that rounding alone distinguishes become equal, for tests that count ties.

    >>> x = rounded_differences(np.array([0.9, 0.8]), np.array([0.8, 0.7]))
    >>> bool(x[0] == x[1]), 0.9 - 0.8 == 0.8 - 0.7
    (True, False)
    """
    x = np.asarray(a - b)
    noise = 8 * np.finfo(np.float64).eps * max(np.abs(a).max(), np.abs(b).max())
    x = np.where(np.abs(x) <= noise, 0.0, x)
    values, place = np.unique(x, return_inverse=True)
    # each value becomes the first of its neighbours within the noise, so that equal decimals are equal
    starts = np.flatnonzero(np.diff(values, prepend=-np.inf) > noise)
    first = values[starts][np.searchsorted(starts, np.arange(len(values)), side="right") - 1]
    return np.asarray(first[place].reshape(x.shape))


def models_by_name(given: Any, call: str) -> Mapping[str, Any]:
    """What was given of two or more models by name: a dict, a frame, or a list, whose models are called a, b, c …

    `call` is the sentence that shows the right call.
    """
    if is_frame(given):
        import narwhals.stable.v1 as nw

        frame = nw.from_native(given, eager_only=True)
        given = {str(name): frame[name].to_native() for name in frame.columns}
    elif isinstance(given, (list, tuple)) and len(given) > 1 and all(np.ndim(one) > 0 for one in given):
        few = len(given) <= len(ascii_lowercase)
        given = {ascii_lowercase[at] if few else f"model {at + 1}": one for at, one in enumerate(given)}
    if not isinstance(given, Mapping):
        raise InvalidInput(call)
    return given


def named_models(models: object, kind: str = "models") -> tuple[str, ...]:
    """The names of a mapping of models, at least two and all different.

    >>> named_models({"a": [1], "b": [0]})
    ('a', 'b')
    """
    if not isinstance(models, Mapping):
        given = type(models).__name__
        raise InvalidInput(f"{kind} must map names to what each of them is, as in {{'a': …, 'b': …}}, got {given}")
    names = tuple(str(name) for name in models)
    if len(names) < 2:
        raise InvalidInput(f"{kind} must have at least two entries, got {len(names)}")
    check_names(names, kind)
    return names


def check_names(names: Sequence[str], kind: str = "models") -> None:
    """Refuse names that are empty or occur twice, and more of them than can be compared, pair by pair."""
    few_enough(names, kind)
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise InvalidInput(f"{kind} must have different names, but {twice[0]!r} occurs more than once")
    if "" in names:
        raise InvalidInput(f"{kind} must all have a name, but number {names.index('') + 1} has none")


def as_argument(name: str) -> str:
    """What messages call what was given of a model, where all models are one argument."""
    return f"outputs[{name!r}]"
