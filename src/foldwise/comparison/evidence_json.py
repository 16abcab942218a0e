"""Evidence as a part of JSON, and back again to the bit: so that a result that was kept can be drawn again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.types import Json
from foldwise.designs.human_labels import JudgedItems
from foldwise.designs.readers import Readings
from foldwise.designs.votes import Votes
from foldwise.evidence.items import Items
from foldwise.evidence.missing import MissingValues
from foldwise.evidence.outputs import Outputs
from foldwise.evidence.score_table import ScoreTable
from foldwise.evidence.scores import BlockScores, ExampleScores, HalvedScores, InfluenceScores, Scores
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.evidence.trials import Trials
from foldwise.metrics.catalogue import find_metric
from foldwise.metrics.counts import CountMetric, count_metric
from foldwise.metrics.metric import Metric, Truth

MOST_NUMBERS = 20_000
"""Numbers that evidence may have to be kept: some hundred kilobytes. The rest of a result is a few."""

CLASSES: dict[str, type] = {
    cls.__name__: cls
    for cls in (
        BlockScores, Decision, ExampleScores, HalvedScores, InfluenceScores, Items, JudgedItems, MissingValues,
        Readings, ScoreTable, Scores, SeedMarks, Trials, Truth, Votes,
    )
}  # fmt: skip
"""What is read again: no other class, whatever the JSON says."""

MEASURED = ("names", "truth", "outputs", "groups", "direction", "declared_unit", "unseen")
"""What is kept of outputs, whose metric is one of the catalogue: what it measures is computed again."""


class _Unkeepable(Exception):
    """Something that JSON has no words for, or too much of it."""


def kept_evidence(evidence: Any) -> dict[str, Json] | None:
    """Evidence ready for JSON; None where there is too much of it, or a metric or label of one's own.

    Examples
    --------
    >>> kept = kept_evidence(Items.from_predictions([1, 0, 1], {"a": [1, 1, 1], "b": [1, 0, 1]}))
    >>> kept["of"], kept["values"]
    ('Items', {'shape': [2, 3], 'numbers': '1.0 0.0 1.0 1.0 1.0 1.0'})
    """
    try:
        if isinstance(evidence, Outputs):
            return _measured(evidence)
        return _fields(evidence) if type(evidence).__name__ in CLASSES else None
    except (_Unkeepable, UnknownName):  # the metric may be a function of one's own
        return None


def amount(kept: Json) -> int:
    """How many numbers and labels kept evidence has.

    Examples
    --------
    >>> amount(kept_evidence(Items.from_predictions([1, 0, 1], {"a": [1, 1, 1], "b": [1, 0, 1]})))
    6
    """
    if not isinstance(kept, Mapping):
        return sum(map(amount, kept)) if isinstance(kept, list) else 0
    shape = kept.get("shape")
    if isinstance(shape, list):
        return math.prod(map(int, shape))
    return sum(map(amount, kept.values()))


def read_evidence(kept: Mapping[str, Any]) -> Any:
    try:
        if kept.get("of") == "Outputs":
            return _measured_again(kept)
        return _read(kept)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"evidence must be as to_dict writes it, but can't be read: {error!r}") from error


def _fields(record: Any) -> dict[str, Json]:
    values = {field.name: getattr(record, field.name) for field in fields(record) if field.init}
    if sum(value.size for value in values.values() if isinstance(value, np.ndarray)) > MOST_NUMBERS:
        raise _Unkeepable
    return {"of": type(record).__name__, **{name: _value(value) for name, value in values.items()}}


def _value(value: Any) -> Json:
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, np.generic):
        return _value(value.item())
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return {"number": repr(value)}  # JSON has no word for what is not finite
    if isinstance(value, tuple):
        return {"tuple": [_value(item) for item in value]}
    if is_dataclass(value) and type(value).__name__ in CLASSES:
        return _fields(value)
    raise _Unkeepable


def _array(values: NDArray[Any]) -> dict[str, Json]:
    """All numbers in one text, so that indented JSON has one line of them."""
    shape, flat = list(values.shape), values.ravel().tolist()
    if values.size > MOST_NUMBERS:
        raise _Unkeepable
    if values.dtype.kind == "b":
        return {"shape": shape, "flags": "".join("1" if flag else "0" for flag in flat)}
    if values.dtype.kind in "iu":
        return {"shape": shape, "whole": " ".join(map(str, flat))}
    if values.dtype == np.float64:
        return {"shape": shape, "numbers": " ".join(map(repr, flat))}
    if values.ndim != 1 or not all(isinstance(label, (str, int, bool)) for label in flat):
        raise _Unkeepable
    return {"shape": shape, "labels": flat, "type": "object" if values.dtype.kind == "O" else "text"}


def _read(kept: Any) -> Any:
    if not isinstance(kept, Mapping):
        return kept
    if "of" in kept:
        return CLASSES[kept["of"]](**{name: _read(value) for name, value in kept.items() if name != "of"})
    if "tuple" in kept:
        return tuple(map(_read, kept["tuple"]))
    return float(kept["number"]) if "number" in kept else _read_array(kept)


def _read_array(kept: Mapping[str, Any]) -> NDArray[Any]:
    shape = tuple(kept["shape"])
    if "flags" in kept:
        return np.array([flag == "1" for flag in kept["flags"]], dtype=np.bool_).reshape(shape)
    if "whole" in kept:
        return np.array(kept["whole"].split(), dtype=np.int64).reshape(shape)
    if "numbers" in kept:
        return np.array(list(map(float, kept["numbers"].split())), dtype=np.float64).reshape(shape)
    return np.array(kept["labels"], dtype=object if kept["type"] == "object" else None).reshape(shape)


def _measured(evidence: Outputs) -> dict[str, Json]:
    measure = evidence.measure
    of_counts = isinstance(measure, CountMetric)
    if not of_counts and find_metric(evidence.metric, evidence.truth) != measure:
        raise _Unkeepable
    if sum(np.size(output) for output in evidence.outputs) > MOST_NUMBERS:
        raise _Unkeepable
    kept: dict[str, Json] = {"of": "Outputs", "measure": evidence.metric}
    if isinstance(measure, CountMetric):
        kept |= {"counts": list(measure.columns), "higher_is_better": measure.higher_is_better}
    return kept | {part: _value(getattr(evidence, part)) for part in MEASURED}


def _measured_again(kept: Mapping[str, Any]) -> Outputs:
    read = {name: _read(kept[name]) for name in MEASURED}
    if "counts" in kept:
        metric: Metric = count_metric(kept["measure"], kept["counts"], higher_is_better=kept["higher_is_better"])
    else:
        metric = find_metric(kept["measure"], read["truth"])
    rest = {name: read[name] for name in ("groups", "direction", "declared_unit", "unseen")}
    return Outputs.build(read["names"], metric, read["truth"], read["outputs"], **rest)
