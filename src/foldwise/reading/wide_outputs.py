"""Outputs of several models beside the truth, a column each: labels, probabilities of one class, or numbers.

What has a value per item is compared by it. Metrics of the whole set (ROC AUC, F1, RMSE …) have none: the door for
predictions has them, and is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array
from foldwise.data.sheet import Sheet
from foldwise.metrics.catalogue import find_metric
from foldwise.metrics.item_means import ItemMean
from foldwise.metrics.truth import POSITIVE, Truth

__all__ = ["measured_outputs"]

_OTHERS = {"log_loss": "ROC AUC and others of the whole set", "mse": "RMSE, R² and others of the whole set"}


def measured_outputs(
    sheet: Sheet, truth: str, models: Sequence[str], left_out: list[str]
) -> Iterator[tuple[str, str, Array]]:
    """Metric, model and the values of the items, for every metric that outputs of this kind have per item.

    Parameters
    ----------
    sheet, truth, models
        A table, the column with the truth, and the columns with the models' outputs.
    left_out
        Gets a sentence on metrics that have no value per item.
    """
    strange = {model: _no_label(sheet, truth, model) for model in models}
    if not any(strange.values()):
        for model in models:
            yield "accuracy", model, _right(sheet, truth, model)
        return
    outputs = {model: sheet.numbers(model, allow_missing=True) for model, number in strange.items() if number}
    if len(outputs) < len(models):
        labels = next(model for model in models if model not in outputs)
        number, other = next((number, model) for model, number in strange.items() if number)
        raise InvalidInput(
            f"{sheet.source}: all models must have outputs of one kind, but {labels!r} has labels and {other!r} "
            f"numbers such as {number}"
        )
    found, names = _truth(sheet, truth, outputs, strange)
    left_out.append(f"{sheet.source}: {_OTHERS[names[0]]} (foldwise predictions FILE --metric)")
    for name in names:
        metric = find_metric(name, found)
        assert isinstance(metric, ItemMean)
        for model, output in outputs.items():
            # probabilities of both classes, from those of the positive one
            given = output if found.positive is None else np.stack([1 - output, output], axis=1)
            yield name, model, metric.items(found, given)


def _truth(
    sheet: Sheet, column: str, outputs: dict[str, Array], strange: dict[str, str]
) -> tuple[Truth, tuple[str, ...]]:
    """The truth that such outputs are about, and the metrics they are compared by."""
    classes = sheet.labels(column)
    shares = all(np.nanmin(values) >= 0 and np.nanmax(values) <= 1 for values in outputs.values())
    if len(classes.labels) == 2 and shares:
        words = {label.strip().lower().removesuffix(".0"): label for label in classes.labels}
        told = next((words[yes] for no, yes in POSITIVE if {no, yes} == set(words)), None)
        if told is None:
            raise InvalidInput(
                f"{sheet.source}: {' and '.join(outputs)} hold probabilities, but of {' and '.join(classes.labels)} "
                f"nobody knows which they are of: name it with foldwise predictions FILE --metric log_loss --positive "
                f"{classes.labels[0]}"
            )
        values = np.array([int(label == told) for label in classes.labels])[classes.codes]
        return Truth(values=values, classes=("", told), positive=1), ("log_loss", "brier")
    fractions = any((values % 1 != 0).any() for values in outputs.values())
    if len(classes.labels) > 2 and fractions:
        return Truth(values=sheet.numbers(column)), ("mse", "mae")
    model, number = next(iter(strange.items()))
    raise InvalidInput(
        f"{sheet.source}: column {model!r} must hold the predicted labels, probabilities of one of two classes, or "
        f"numbers like those of the truth, got {number!r}; other scores are for foldwise predictions FILE --metric"
    )


def _no_label(sheet: Sheet, truth: str, model: str) -> str:
    """A number that the model gives and the truth never is, or nothing; text that it never is is a wrong label."""
    known = set(sheet.labels(truth).labels)
    strange = next((label for label in sheet.categories(model).labels if label and label not in known), "")
    try:
        return strange if strange and not np.isnan(sheet.numbers(model, allow_missing=True)).all() else ""
    except InvalidInput:
        return ""


def _right(sheet: Sheet, truth: str, model: str) -> Array:
    """1 where the prediction is the truth, missing where there is none."""
    pairs = zip(sheet.labels(truth), sheet.categories(model), strict=True)
    return np.array([float(a == b) if b else np.nan for a, b in pairs])
