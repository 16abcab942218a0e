"""What models did not say of items: left out with the item for all models, or taken as a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from foldwise.core.categories import Categories
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Flags
from foldwise.evidence.labels import number_of
from foldwise.evidence.missing import MissingRule, MissingValues, settle_missing

__all__ = ["SettledOutputs", "settle_outputs"]

NO_ANSWER = "(no answer)"
"""The label that no truth has: what a missing answer is where there are more than two classes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SettledOutputs:
    """What counts after the policy.

    Attributes
    ----------
    truth, outputs
        Of the items that count.
    beside
        What else there is of each item: clusters, times; None where there is nothing.
    missing
        What was missing; None where nothing was.
    """

    truth: Any
    outputs: dict[str, Any]
    beside: dict[str, Any]
    missing: MissingValues | None


def settle_outputs(
    truth: Any, outputs: Mapping[str, Any], rule: MissingRule, *, no_labels: str = "", **beside: Any
) -> SettledOutputs:
    """Do about missing predictions what the rule says.

    Parameters
    ----------
    truth, outputs
        What is true of each item, and by name what models said of it: NaN, None and, in a file, an empty cell is
        missing.
    rule
        The policy; "refuse" leaves all as it is, for those who read labels and numbers and refuse what is none.
    no_labels
        A metric that takes no labels, for which there is no worst prediction; empty where all take labels.
    beside
        What else there is of each item.

    Examples
    --------
    >>> found = settle_outputs(["x", "y"], {"a": ["x", None], "b": ["x", "y"]}, MissingRule(policy="worst"))
    >>> found.outputs["a"].tolist(), found.missing.counts
    (['x', 'x'], (1, 0))
    """
    gone = {} if rule.policy == "refuse" else {name: _gone(values) for name, values in outputs.items()}
    as_given = SettledOutputs(truth=truth, outputs=dict(outputs), beside=beside, missing=None)
    if not any(flags.any() for flags in gone.values()) or len({len(truth), *map(len, gone.values())}) > 1:
        return as_given  # unequal lengths are refused where outputs are read
    settled = settle_missing(
        {name: np.where(flags, np.nan, 1.0)[:, None] for name, flags in gone.items()},
        {name: flags[:, None] for name, flags in gone.items()},
        replace(rule, metric="accuracy", higher_is_better=True),
        unit_of_row=np.arange(len(truth)),
        units=len(truth),
        place=lambda name, where: f"{name}[{int(where[0])}]",
    )
    if rule.policy == "worst":
        if no_labels:
            raise InvalidInput(
                f"missing='worst' needs metrics of labels, for which it is a wrong one, got {no_labels!r}: leave items "
                "out with missing='drop' (--missing drop)"
            )
        wrong = {name: _wrong(truth, values, gone[name], name) for name, values in outputs.items()}
        return replace(as_given, outputs=wrong, missing=settled.missing)
    if not settled.kept.any():
        raise InvalidInput("no item has a prediction of every model: missing='drop' leaves nothing to compare")
    return SettledOutputs(
        truth=_taken(truth, settled.kept),
        outputs={name: _taken(values, settled.kept) for name, values in outputs.items()},
        beside={name: None if values is None else _taken(values, settled.kept) for name, values in beside.items()},
        missing=settled.missing,
    )


def _gone(values: Any) -> Flags:
    """Where nothing was said."""
    if isinstance(values, Categories):
        return np.array([not label for label in values.labels])[values.codes]
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        return np.asarray(mask.any(axis=1) if mask.ndim == 2 else mask) | _gone(values.filled())
    array = np.asarray(values)
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array).reshape(len(array), -1).any(axis=1))
    return np.array([value is None or type(value).__name__ in ("NAType", "NaTType") or _is_nan(value)
                     for value in array.tolist()], dtype=np.bool_)  # fmt: skip


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value


def _taken(values: Any, kept: Flags) -> Any:
    """The rows that are kept, as numbers where all that is left are."""
    if isinstance(values, Categories):
        return Categories.of([label for label, there in zip(values, kept.tolist(), strict=True) if there])
    array = np.asarray(values)[kept]
    left = array.tolist()
    return np.array(left) if array.ndim == 1 and all(isinstance(one, (int, float)) for one in left) else array


def _wrong(truth: Any, values: Any, gone: Flags, name: str) -> Any:
    """The labels, and a wrong one in each gap: the other class of two, else one that no truth has."""
    if not gone.any():
        return values
    true = list(truth) if isinstance(truth, Categories) else np.asarray(truth).tolist()
    said = list(values) if isinstance(values, Categories) else np.asarray(values).tolist()
    known = [one for one, lost in zip(said, gone, strict=True) if not lost]
    broken = next((one for one in known if one not in true and _broken(one)), None)
    if broken is not None:
        raise InvalidInput(
            f"missing='worst' needs labels, for which it is a wrong one, but {name} holds numbers such as {broken}: "
            "leave items out with missing='drop' (--missing drop)"
        )
    classes = list(dict.fromkeys(true))
    other = {classes[0]: classes[1], classes[1]: classes[0]} if len(classes) == 2 else {}
    filled = [other.get(right, NO_ANSWER) if lost else one for one, lost, right in zip(said, gone, true, strict=True)]
    if isinstance(values, Categories):
        return Categories.of(filled)
    found = np.empty(len(filled), dtype=object)
    found[:] = filled
    return found


def _broken(label: object) -> bool:
    value = number_of(label)
    return isinstance(label, (list, tuple)) or (value is not None and value != int(value))
