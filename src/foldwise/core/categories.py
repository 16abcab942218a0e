"""Labels of many examples, each kept once; and the words that stand for right, wrong and nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from foldwise.core.types import Labels

# ---- Words that stand for right, for wrong and for nothing, in lower case: the same at every door.

RIGHT = frozenset(
    ["1", "1.0", "true", "right", "correct", "pass", "passed", "solved", "resolved", "success", "✓", "✔", "✅", "wahr"]
)
WRONG = frozenset(
    [
        "0", "0.0", "false", "wrong", "incorrect", "fail", "failed", "failure", "unsolved", "unresolved", "✗", "✘",
        "❌", "falsch",
    ]
)  # fmt: skip
"""What stands for a right and a wrong answer."""

JUDGING = (RIGHT | WRONG) - {"1", "1.0", "0", "0.0", "true", "false", "wahr", "falsch"}
"""Those that say it of themselves; "true" may also be said of an error."""

YES, NO = frozenset(["yes", "y", "t", "ja", "oui"]), frozenset(["no", "n", "f", "nein", "non"])
"""What stands for right and wrong where the column says so: ``correct``, ``passed``."""

MISSING = frozenset({"", "?", "na", "n/a", "n.a.", "nan", "nat", "none", "null", "<na>", "#n/a"})
"""What stands for "no value"."""

NO_NUMBER = MISSING | {"-", "--", "–", "—"}  # What stands for "no value" among numbers; among labels a dash may be one.

_FAILED = re.compile(
    r"[\[(<]?(?:time[ _-]?out|timed[ _-]?out|error|err|exception|[a-z.]*(?:error|exception)|traceback|crash(?:ed)?|oom|"
    r"out[ _-]of[ _-]memory|aborted|killed|cancell?ed|no[ _-](?:answer|response|output|prediction|result)|missing|"
    r"invalid|unpars(?:ed|e?able)|parse[ _-](?:error|failure)|refused|refusal|skipped|http[ _-]?[45]\d\d)"
    r"(?:[\])>]|\s*[:(].*)?",
    re.DOTALL,
)


def says_failed(cell: str) -> bool:
    """Whether the cell says that a model or its run failed: ``timeout``, ``ERROR: rate limit``, ``[no answer]``.

    >>> [says_failed(cell) for cell in ("Timeout (30 s)", "ValueError: x", "cat", "invalid date")]
    [True, True, False, False]
    """
    return _FAILED.fullmatch(cell.strip().lower()) is not None


def no_number(cell: str) -> bool:
    """Whether the cell says that there is no number."""
    return cell.lower() in NO_NUMBER or says_failed(cell)


FEW = 1 << 16  # Numbers that are as good as none beside those of a column.

# ---- Labels of many examples, each different label kept once: millions of them take a few bytes each.


@dataclass(frozen=True, slots=True, eq=False)
class Categories:
    """One label per example, as a number of the different labels; NumPy takes it as an array of text.

    >>> answers = Categories.of(["yes", "no", "yes"])
    >>> answers.labels, answers.codes.tolist(), list(answers)
    (('yes', 'no'), [0, 1, 0], ['yes', 'no', 'yes'])
    """

    codes: NDArray[np.int32]  #: For each example the number of its label
    labels: tuple[str, ...]  #: The different labels; each occurs

    @classmethod
    def of(cls, cells: Iterable[str]) -> Categories:
        """From the labels one by one, numbered in the order in which they first occur."""
        number = _Numbers()
        codes = np.fromiter(map(number.__getitem__, cells), np.int32)
        return cls(codes, tuple(number))

    @classmethod
    def of_whole(cls, numbers: NDArray[np.int64]) -> Categories | None:
        """From whole numbers, which are not far apart; None where they are.

        >>> Categories.of_whole(np.array([7, 5, 7])).labels
        ('7', '5')
        """
        least = int(numbers.min(initial=0))
        size = int(numbers.max(initial=0)) - least + 1
        if size > 4 * len(numbers) + FEW:
            return None
        places = numbers - least
        known, number = in_order(places, size), np.empty(size, np.int32)
        number[known] = np.arange(len(known), dtype=np.int32)
        return cls(number[places], tuple(map(str, (known + least).tolist())))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, example: int) -> str:
        return self.labels[int(self.codes[example])]

    def __iter__(self) -> Iterator[str]:
        return map(self.labels.__getitem__, self.codes.tolist())

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Labels:
        """Text, one object for all examples of a label."""
        array = np.array(self.labels, dtype=object)[self.codes]
        return array if dtype is None else array.astype(dtype)

    def at(self, rows: Sequence[int] | NDArray[np.int64]) -> Categories:
        """Those of some examples; labels that none of them has stay, so that parts of one column are compared quickly.

        >>> list(Categories.of(["yes", "no", "yes"]).at([2, 0]))
        ['yes', 'yes']
        """
        return Categories(self.codes[rows], self.labels)

    def counts(self) -> NDArray[np.int64]:
        return np.bincount(self.codes, minlength=len(self.labels))

    def agreeing(self, other: Categories) -> int:
        """How many examples have the same label in another column.

        >>> Categories.of(["yes", "no"]).agreeing(Categories.of(["no", "no"]))
        1
        """
        number = {label: code for code, label in enumerate(other.labels)}
        theirs = np.array([number.get(label, -1) for label in self.labels], dtype=np.int32)
        return int(np.count_nonzero(theirs[self.codes] == other.codes))

    def renamed(self, names: Sequence[str]) -> Categories:
        """With another text for each label; labels that get the same text become one.

        >>> Categories.of(["1", "1.0", "2"]).renamed(["1", "1", "2"]).codes.tolist()
        [0, 0, 1]
        """
        merged = Categories.of(names)
        if len(merged.labels) == len(self.labels):
            return Categories(self.codes, merged.labels)
        return Categories(merged.codes[self.codes], merged.labels)

    def index(self) -> NDArray[np.int64]:
        """The place of each example's label among all in order, as ``np.unique`` counts."""
        order = sorted(range(len(self.labels)), key=self.labels.__getitem__)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return place[self.codes]


def in_order(codes: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The different numbers, all below `size`, in the order in which they first occur.

    >>> in_order(np.array([2, 0, 2, 1, 0]), 3).tolist()
    [2, 0, 1]
    """
    first = np.empty(size, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return np.asarray(codes[first[codes] == np.arange(len(codes))])


class _Numbers(dict[str, int]):
    """The number of each label, given when it is first asked for."""

    def __missing__(self, label: str) -> int:
        number = self[label] = len(self)
        return number


def failure_words(truth: object, outputs: Iterable[Any], *, empty: bool = True) -> frozenset[str]:
    """What models said that is no class of the truth but says that they failed, or gave nothing: "timeout", "N/A"."""
    said = frozenset[str]().union(*map(_texts, outputs))
    words = {word for word in said if says_failed(word) or (empty and word and word.strip().lower() in MISSING)}
    return frozenset(words - _texts(truth)) if words else frozenset()


def _texts(values: object) -> frozenset[str]:
    if isinstance(values, Categories):
        return frozenset(values.labels)
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OUS":
        return frozenset()
    listed = values if isinstance(values, list) else np.asarray(values, dtype=object).ravel().tolist()
    return frozenset(value for value in listed if isinstance(value, str))
