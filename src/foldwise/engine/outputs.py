"""What fitted learners gave besides predictions: kept in a store, so that another metric of it needs no new fit."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.types import Integers, Labels
from foldwise.engine.fitting import Nonsense, class_codes

__all__ = ["METHODS", "Outputs", "Recalled", "outputs_of"]

METHODS = ("predict_proba", "decision_function")
"""What metrics ask of a classifier besides predictions."""

HEAD = struct.Struct("<I")
NUMBERS = ("<f8", "<f4")

Numbers = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Outputs:
    """Probabilities and decision values of one fit for its test examples.

    Attributes
    ----------
    classes
        The classes of the columns, as class codes: those that training showed.
    given
        Per method what it returned, bit for bit.
    """

    classes: Integers
    given: Mapping[str, Numbers]

    def to_bytes(self) -> bytes:
        """As few bytes."""
        shapes = {method: [values.dtype.str, *values.shape] for method, values in self.given.items()}
        head = json.dumps({"classes": self.classes.tolist(), "given": shapes}).encode()
        parts = [
            HEAD.pack(len(head)),
            head,
            *(np.ascontiguousarray(values).tobytes() for values in self.given.values()),
        ]
        return zlib.compress(b"".join(parts), level=1)

    @classmethod
    def from_bytes(cls, content: bytes) -> Outputs:
        """What `to_bytes` turned into bytes."""
        raw = zlib.decompress(content)
        (size,) = HEAD.unpack_from(raw)
        place = HEAD.size + size
        head, given = json.loads(raw[HEAD.size : place]), {}
        for method, (kind, *shape) in head["given"].items():
            count = int(np.prod(shape))
            given[method] = np.frombuffer(raw, kind, count, place).reshape(shape).copy()
            place += given[method].nbytes
        return cls(np.asarray(head["classes"], np.int64), given)


def outputs_of(estimator: Any, rows: Callable[[], object], n_test: int, classes: Labels) -> Outputs | None:
    """What a fitted classifier gives for its test examples; None where that is not understood.

    Parameters
    ----------
    estimator
        Fitted.
    rows
        Makes the attributes of the test examples, anew for each method, which may work in place.
    n_test, classes
        How many there are, and all classes.
    """
    methods = [method for method in METHODS if hasattr(estimator, method)]
    try:
        given = {method: np.asarray(getattr(estimator, method)(rows())) for method in methods}
        columns = class_codes(np.asarray(estimator.classes_), classes)
    except (Nonsense, ValueError, AttributeError, NotImplementedError):  # whoever needs it meets it and reports it
        return None
    right = all(len(v) == n_test and v.ndim in (1, 2) and v.dtype.str in NUMBERS for v in given.values())
    return Outputs(columns, given) if given and right else None


class Recalled:
    """A learner that was fitted once: it answers for its test examples as it did then."""

    def __init__(self, estimator: Any, outputs: Outputs, classes: Labels) -> None:
        self._estimator, self._given = estimator, outputs.given
        self.classes_ = classes[outputs.classes]
        for method, values in outputs.given.items():
            setattr(self, method, _answering(method, values))

    @property
    def complete(self) -> bool:
        """Whether it has all that the learner has."""
        return all(method in self._given for method in METHODS if hasattr(self._estimator, method))

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            raise AttributeError(name)
        return getattr(self._estimator, name)


def _answering(method: str, values: Numbers) -> Callable[[object], Numbers]:
    def answer(_: object) -> Numbers:
        return values.copy()

    answer.__name__ = method  # scikit-learn looks at the name of the function
    return answer
