"""Long tables of outputs, a row for each model and item, as the wide ones that one test set is read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, column
from foldwise.core.roles import ROLES, SERIES_NAMES, Roles, assign_roles, missing_roles, normalised
from foldwise.core.types import Integers
from foldwise.core.validation import few_enough
from foldwise.data.column_meaning import SURVIVAL_ROLES
from foldwise.data.sheet import RowCells, Sheet, some_names
from foldwise.metrics.counts import asks_for_counts, count_metric_in, only_counts
from foldwise.metrics.item_means import QUANTILE_METRICS

OUTPUTS = (
    "prediction", "predictions", "predicted", "pred", "preds", "y_pred", "predicted_label", "output", "outputs",
    "model_output", "response", "answer", "completion", "hypothesis", "forecast", "yhat", "y_hat", "risk",
)  # fmt: skip
"""What columns with outputs of models are called: without the truth they say nothing of how good a model is."""

MOST_GAPS = 20  # Cells of the wide table for each row, beyond which models have hardly an item in common.

_KEYS = ("item", "task", "trial", "run", "seed", "fold", "origin", "horizon", "time")
"""What tells rows of a model apart."""
_SAME = ("truth", "group", "slice", "condition", "human", *SURVIVAL_ROLES)  # What all models have in common.
_MAY_BE = ("model", "score", "reader", *_KEYS, *_SAME)


def spread_models(
    sheet: Sheet, declared: Mapping[str, str | Sequence[str]], metric: str | None
) -> tuple[Sheet, dict[str, str | Sequence[str]], tuple[Decision, ...]]:
    """The table with a column for each model, what is declared of it, and how that came about.

    A table that has such columns already is returned as it is.
    """
    roles = assign_roles(sheet.header, dict(declared), source=sheet.source, only=ROLES, by_name=_MAY_BE)
    models = _models(sheet, roles)
    if models is None:
        return sheet, dict(declared), ()
    names = sheet.categories(models).labels
    keys, place, first = _items(sheet, roles, models)
    if len(first) == len(sheet) > 1 < len(names):  # words that a model of this name said
        return sheet, dict(declared), ()
    few_enough(names)
    if len(names) * len(first) > MOST_GAPS * len(sheet):
        raise InvalidInput(
            f"{sheet.source}: models must share items, but {len(names):,} models on {len(first):,} items have only "
            f"{len(sheet):,} rows; which columns are model and item? ({column('model', 'NAME')}, "
            f"{column('item', 'NAME')})"
        )
    spread = _outputs(sheet, roles, models, keys, metric, (place, first))
    if not spread:
        return sheet, dict(declared), ()
    others = [name for name in sheet.header if name in roles.taken and name not in (models, *spread)]
    same = [name for name in others if _is_same(sheet, name, place, first)]
    _refuse_different(sheet, roles, same, keys, (place, first))
    header = list(same)
    cells = [list(sheet.categories(name).at(first)) for name in same]
    of = sheet.categories(models).codes
    rows = np.full((len(names), len(first)), -1)
    rows[of, place] = np.arange(len(sheet))
    for code, name in enumerate(names):
        for value in spread:
            texts = sheet.column(value)
            header.append(name if len(spread) == 1 else f"{name}:{value}")
            cells.append([texts[row] if row >= 0 else "" for row in rows[code].tolist()])
    wide = replace(
        sheet, header=tuple(header), lines=[sheet.lines[row] for row in first.tolist()],
        cells=RowCells(list(zip(*cells, strict=True))),
    )  # fmt: skip
    told = Decision(
        what="model", value=f"column {models!r} names the model of each row, and {some_names(spread)} what it said",
        how="declared" if "model" in roles.declared else "by its name", change=column("score", "NAME"),
    )  # fmt: skip
    # an item occurs once now: it is no item of several trials, and a column of the models is gone
    gone = {"model", "score"} | (
        {"item"} if declared.get("item") and wide.repeated(str(declared["item"])) is None else set()
    )
    return wide, {role: name for role, name in declared.items() if role not in gone}, (told,)


def holds_outputs(sheet: Sheet, roles: Roles) -> bool:
    """Whether a long table has the truth and what models said of it, labels or scores of classes, and no score."""
    truth = roles.get("truth")
    if truth is None or roles.get("score") is not None:
        return False
    classes = sheet.categories(truth).labels
    said = any(normalised(name) in OUTPUTS for name in sheet.header)
    return said or (1 < len(classes) <= len(sheet.header) and {*classes} <= {*sheet.header})


def _models(sheet: Sheet, roles: Roles) -> str | None:
    """The column that names the model of each row; None where the columns are of one model each."""
    name = roles.get("model")
    if name is None or len(roles.all("model")) > 1 or roles.get("reader") is not None or not len(sheet):
        return None
    names = sheet.categories(name).labels
    truth = roles.get("truth")
    said = truth is not None and not {*names}.isdisjoint(sheet.categories(truth).labels)  # labels of a model called so
    return None if said or sheet.is_mostly_numeric(name) else name


def _items(sheet: Sheet, roles: Roles, models: str) -> tuple[list[str], Integers, Integers]:
    """The columns that tell rows of one model apart, the item of each row, and the first row of each item."""
    if len(sheet.categories(models).labels) == 1:
        return [], np.arange(len(sheet)), np.arange(len(sheet))
    keys = [name for role in _KEYS if (name := roles.get(role)) is not None]
    if roles.get("item") is not None:  # dates and seeds beside items may be those of a model's run
        keys = [name for name in keys if roles.of(name) != "time"]
    group = roles.get("group")
    if group is not None and (roles.get("item") is None or normalised(group) in SERIES_NAMES):
        keys.append(group)
    if not {roles.get("item"), roles.get("time")} & set(keys):
        raise missing_roles(sheet.source, f"column {models!r} names the model of each row", {"item": ""})
    joint = np.zeros(len(sheet), dtype=np.int64)
    for name in keys:
        joint = np.unique(
            joint * len(sheet.categories(name).labels) + sheet.categories(name).codes, return_inverse=True
        )[1]
    _, begins, place = np.unique(joint, return_index=True, return_inverse=True)
    order = np.argsort(begins)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    place = rank[place]
    one = place * len(sheet.categories(models).labels) + sheet.categories(models).codes
    _, counts = np.unique(one, return_counts=True)
    if counts.max() > 1:
        row = int(np.flatnonzero(np.bincount(one)[one] > 1)[0])
        told = ", ".join(f"{name} {sheet.categories(name)[row]}" for name in keys)
        raise InvalidInput(
            f"{sheet.source}: {sheet.categories(models)[row]!r} has {told} {counts.max()} times; if rows are trials, "
            f"name the column that counts them with {column('trial', 'NAME')}"
        )
    return keys, place, begins[order]


def _is_same(sheet: Sheet, name: str, place: Integers, first: Integers) -> bool:
    """Whether all models have the same in this column on every item."""
    codes = sheet.categories(name).codes
    return bool((codes == codes[first][place]).all())


def _outputs(
    sheet: Sheet, roles: Roles, models: str, keys: Sequence[str], metric: str | None, items: tuple[Integers, Integers]
) -> list[str]:  # fmt: skip
    """The columns with what the models said, or were given for it."""
    known = count_metric_in(metric, sheet.header) if metric and asks_for_counts(metric) else None
    if known is not None:
        return list(known.columns)
    common = {name for role in _SAME for name in roles.all(role)}
    left = [
        name
        for name in sheet.header
        if name and name not in {models, *keys, *common} and roles.of(name) in (None, "score")
    ]
    if metric is None and only_counts(left) is not None:
        return left
    if "score" in roles.declared:
        return list(roles.all("score"))
    own = [name for name in left if not _is_same(sheet, name, *items)]
    truth = roles.get("truth")
    classes = set() if truth is None else {*sheet.categories(truth).labels}
    if len(own) > 1 and ({*own} == classes or metric in QUANTILE_METRICS):
        return own
    said = [name for name in left if normalised(name) in OUTPUTS]
    if truth is None:
        said = [*roles.all("score")] or said
    if said or len(own) <= 1:
        return said[:1] or own or left[:1]
    seen = f"column {models!r} names the model of each row, and {some_names(own)} differ between models"
    raise missing_roles(sheet.source, seen, {"score": ""})


def _refuse_different(
    sheet: Sheet, roles: Roles, same: Sequence[str], keys: Sequence[str], items: tuple[Integers, Integers]
) -> None:
    """What is the item's own must not differ between models."""
    place, first = items
    for role in _SAME:
        for name in (one for one in roles.all(role) if one not in (*same, *keys)):
            found = sheet.categories(name)
            row = int(np.flatnonzero(found.codes != found.codes[first][place])[0])
            other = int(first[place[row]])
            raise InvalidInput(
                f"{sheet.source}: the {role} (column {name!r}) of an item must be the same for all models, but is "
                f"{found[other]!r} in line {sheet.lines[other]} and {found[row]!r} in line {sheet.lines[row]}"
            )
