"""Wide tables: a column per model, and a row per data set, item or split.

Such a table is taken for one only where nothing else is known of a file, because any table of numbers looks like it.
The name of the column with the labels tells what rows are; where it does not, the person must, for data sets that are
items, or folds that are data sets, would be answered wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.categories import Categories, failure_words, no_number
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, column
from foldwise.core.labels import exchanged, refuse_other_coding
from foldwise.core.metric import UNNAMED, common_metric, is_loss, names_metric
from foldwise.core.roles import ROLES, SERIES_NAMES, Columns, Roles, assign_roles, normalised, role_of
from foldwise.core.types import Array, Integers
from foldwise.core.validation import few_enough
from foldwise.data import column_meaning
from foldwise.data.column_meaning import SURVIVAL_ROLES, people_of, with_numbering, with_people, with_time
from foldwise.data.predictions import one_spelling
from foldwise.data.sheet import RowCells, Sheet
from foldwise.metrics.catalogue import find_metric
from foldwise.metrics.counts import counted_metrics, counts_by_model
from foldwise.metrics.item_means import ItemMean, crossing
from foldwise.metrics.metric import POSITIVE, Truth
from foldwise.metrics.survival import events_of, signed_times
from foldwise.reading.long_table import Layout, has_numbers, is_rater, keyed_rows, split_sizes, trials_of
from foldwise.reading.series import ItemRows, LabelledRows, Rows, Series, gaps

# ---- Outputs of several models beside the truth, a column each: labels, probabilities of one class, or numbers.
#
# What has a value per item is compared by it. Metrics of the whole set (ROC AUC, F1, RMSE …) have none: the door for
# predictions has them, and is named.

_OTHERS = {"log_loss": "ROC AUC and others of the whole set", "mse": "RMSE, R² and others of the whole set"}


def measured_outputs(
    sheet: Sheet, truth: str, models: Sequence[str], left_out: list[str]
) -> Iterator[tuple[str, str, Array]]:
    """Metric, model and the values of the items, for every metric that outputs of this kind have per item.

    `left_out` gets a sentence on metrics that have no value per item, and on models whose labels look exchanged.
    """
    true, *said = one_spelling([sheet.labels(truth), *map(sheet.categories, models)])
    strange = {model: _no_label(sheet, model, true, own) for model, own in zip(models, said, strict=True)}
    if not any(strange.values()):
        left_out += exchanged(true, dict(zip(models, said, strict=True)))
        for model, own in zip(models, said, strict=True):
            yield "accuracy", model, _right(model, true, own)
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
                f"the positive class is unknown: name it with foldwise predictions FILE --metric log_loss --positive "
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


def _no_label(sheet: Sheet, model: str, true: Categories, said: Categories) -> str:
    """A number that the model gives and the truth never is, or nothing; text that it never is is a wrong label."""
    known = set(true.labels)
    strange = next((label for label in said.labels if label and label not in known and not no_number(label)), "")
    return strange if strange and has_numbers(sheet, model) else ""


def _right(model: str, true: Categories, said: Categories) -> Array:
    """1 where the prediction is the truth, missing where there is none, and where it says that the model failed."""
    none = {"", *failure_words(true, [said])}
    refuse_other_coding(len(true), f"column {model!r}", {*said.labels} - none, {*true.labels})
    class_of = {label: code for code, label in enumerate(true.labels)}
    classes = np.array([-2 if label in none else class_of.get(label, -1) for label in said.labels])[said.codes]
    return np.where(classes == -2, np.nan, (classes == true.codes).astype(np.float64))


_MAY_BE = (
    "truth", "model", "item", "task", "trial", "run", "seed", "fold", "group", "human", "slice", "time", "n_train",
    "n_test", "index", "score", "metric", "origin", "horizon", "limit", "condition", *SURVIVAL_ROLES,
)  # fmt: skip
"""Roles that a column of such a table can have."""

_NAMED = tuple(role for role in _MAY_BE if role not in ("model", "score", *SURVIVAL_ROLES))
_LABELS = ("task", "item", "run", "seed", "fold", "truth", "index")  # Roles that say what rows are.


def wide_roles(sheet: Sheet, columns: Columns | None = None) -> Roles:
    """The roles of the columns that are no models, and of those that were declared to be."""
    timed = column_meaning.survival_columns(sheet, columns)
    if timed:
        columns = {**{role: name for role, name in (columns or {}).items() if role != "time"}, **timed}
    roles = assign_roles(sheet.header, columns, source=sheet.source, only=_MAY_BE, by_name=_NAMED)
    if (measure := roles.get("metric")) is not None and has_numbers(sheet, measure):  # no names
        roles = replace(roles, found={role: names for role, names in roles.found.items() if role != "metric"})
    if "truth" not in roles.declared and len(counts_by_model("span_f1", sheet.header)) > 1:
        roles = replace(roles, found={role: names for role, names in roles.found.items() if role != "truth"})  # gold
    named = with_time(sheet, with_people(sheet, roles), keep=True)
    roles = with_numbering(sheet, named)
    if any(named.get(role) is not None for role in _LABELS):
        return roles
    first = next((name for name in sheet.header if name not in roles.all("index")), "")
    if not first or first in roles.taken or has_numbers(sheet, first):
        return roles
    labels = (first, *roles.all("index"))  # text that nobody knows: labels of something
    return replace(roles, found={**roles.found, "index": labels})


MODEL = "model"  # The column that names the model of a row, once there is a row for each.


def as_long(sheet: Sheet, roles: Roles) -> Sheet | None:
    """The same table with a row for each model, where a column says that rows are of different metrics."""
    measure = roles.get("metric")
    if measure is None or roles.get("truth") is not None or len(sheet.categories(measure).labels) < 2:
        return None
    models = wide_models(sheet, roles)
    few_enough(models)
    kept = [name for name in sheet.header if name not in models]
    beside = list(zip(*map(sheet.column, kept), strict=True))
    rows = [(*row, model, cell) for model in models for row, cell in zip(beside, sheet.column(model), strict=True)]
    header = (*kept, MODEL, "score")
    return replace(sheet, header=header, cells=RowCells(rows), lines=[*sheet.lines] * len(models))


def wide_models(sheet: Sheet, roles: Roles) -> list[str]:
    """The columns that are models: those declared, else all that have no role."""
    declared = roles.all("model")
    if len(declared) > 1:
        return list(declared)
    if by_level := _quantiles(sheet, roles):
        return list(by_level)
    free = [name for name in sheet.header if name and name not in roles.taken - {*declared}]
    free = [name for name in free if not rated(sheet, roles, name)]
    truth = roles.get("truth")
    if truth is not None:
        said = [name for name in free if not column_meaning.is_free_text(sheet, name, truth)]
        return said if len(said) > 1 else free
    # a model that failed on some items is one too, and its cells are refused where they are read
    found = [name for name in free if has_numbers(sheet, name) or sheet.is_mostly_numeric(name)]
    if len(found) > 1:
        return found  # a column of words beside them is a remark
    return [name for name in free if name in found or sheet.says_right_or_wrong(name)]


def _quantiles(sheet: Sheet, roles: Roles) -> dict[str, dict[float, str]]:
    """By model its columns of forecasts of quantiles, where two models or more have them beside the truth."""
    if roles.get("truth") is None:
        return {}
    taken = roles.taken - {*roles.all("limit")}
    found = column_meaning.quantile_columns([name for name in sheet.header if name not in taken])
    return found if len(found) > 1 else {}


def _of_quantiles(
    sheet: Sheet, truth: str, by_level: Mapping[str, Mapping[float, str]], left_out: list[str]
) -> Iterator[tuple[str, str, Array]]:
    levels = column_meaning.of_equal_levels(by_level, sheet.source)
    true = Truth(values=sheet.numbers(truth), levels=levels)
    for name in ("wql", "pinball"):
        metric = find_metric(name, true)
        assert isinstance(metric, ItemMean)
        for model, parts in by_level.items():
            said = np.column_stack([sheet.numbers(parts[level], allow_missing=True) for level in levels])
            left_out += crossing(model, said, levels) if name == "wql" else []
            yield name, model, metric.items(true, said)


def rated(sheet: Sheet, roles: Roles, name: str) -> bool:
    """Whether a column names the raters of items: it is called so, and items repeat."""
    item = roles.get("item")
    return normalised(name) in ROLES["rater"].names and item is not None and sheet.repeated(item) is not None


def one_model(sheet: Sheet, roles: Roles) -> list[str]:
    """The columns of a table that holds one model, its output beside the truth or its metrics; none if it does not."""
    found = list(roles.all("score")) or wide_models(sheet, roles)
    told = [role_of(name) == "score" or is_loss(name) is not None for name in found]
    metrics = all(told) or bool(counted_metrics(found))
    single = len(found) == 1 or (bool(found) and roles.get("truth") is None and metrics)
    return found if single and roles.get("human") is None else []


def one_model_series(sheet: Sheet, roles: Roles, left_out: list[str], *, label: str) -> Iterator[Series]:
    """The series of a table that holds one model, which is called after its file."""
    found, truth = one_model(sheet, roles), roles.get("truth")
    tasks = _by_task(sheet, roles)
    if roles.get("event") is not None:
        yield from (replace(one, model=label) for one in _of_survival(sheet, roles, found, roles.decisions))
        return
    measured = (
        measured_outputs(sheet, truth, found, left_out)
        if truth is not None
        else ((name, name, sheet.marks(name)) for name in found)
    )
    decisions = (*roles.decisions, *_written(sheet, truth, found))
    for metric, _, values in measured:
        for task, part, places in tasks:
            yield _one(sheet, label, task, metric, part, values[places], decisions)


def _of_survival(
    sheet: Sheet, roles: Roles, models: Sequence[str], decisions: tuple[Decision, ...]
) -> Iterator[Series]:
    """Times, events and risks of the items, which both C-indices are made of."""
    duration, event = roles.get("duration"), roles.get("event")
    assert duration is not None
    assert event is not None
    signed = signed_times(sheet.numbers(duration), sheet.column(event))
    for metric in ("c_index", "c_index_uno"):
        for model in models:
            risk = sheet.numbers(model, allow_missing=True)
            parts = tuple(
                np.where(np.isnan(risk), np.nan, one) for one in (events_of(signed), np.abs(signed), risk)
            )  # fmt: skip
            for task, rows, places in _by_task(sheet, roles):
                made = _one(sheet, model, task, metric, rows, parts[0][places], (*decisions, column_meaning.SURVIVAL))
                yield replace(made, parts=tuple(part[places] for part in parts))


def wide_series(sheet: Sheet, roles: Roles, left_out: list[str], *, name: str = "") -> Iterator[Series]:
    """The series in a wide table; a file that is called like a metric holds it."""
    if (column := column_meaning.people_column(sheet, roles)) is not None:
        raise column_meaning.checked_by_people(sheet, column)
    people = people_of(sheet, roles) if roles.get("truth") is None else {}
    labels = [*map(roles.get, ("task", "item", "fold", "run", "index")), None]
    sheet, summaries = column_meaning.without_summaries(sheet, next(filter(None, labels), None))
    models = wide_models(sheet, roles)
    few_enough(models)
    if len(models) < 2 or (roles.get("truth") is None and all(role_of(name) == "score" for name in models)):
        raise _one_model_only(sheet, roles, models)
    known = models
    models, computed_ones = _no_models(sheet, roles, models)
    summaries = (*summaries, *computed_ones)
    passed = [column for column in sheet.header if column not in {*known, *roles.taken}]
    if passed:
        left_out.append(f"{sheet.source}: {', '.join(passed[:8])} (nothing of a model)")
    tasks = _by_task(sheet, roles)
    written = _written(sheet, roles.get("truth"), [one for one in models if one in sheet.positions])
    decisions = (*roles.decisions, *summaries, *written)
    if roles.get("event") is not None:
        yield from _of_survival(sheet, roles, models, decisions)
        return
    condition = roles.get("condition")
    beforehand = None if condition is None else sheet.numbers(condition, allow_missing=True)
    for metric, model, values in _measured(sheet, roles, models, left_out, name):
        marks = column_meaning.said_by_people(sheet, people[model]) if model in people else None
        squared = metric == "mse" and roles.get("truth") is not None
        forecasts = sheet.numbers(model, allow_missing=True) if squared else None
        for task, part, places in tasks:
            yield replace(
                _one(sheet, model, task, metric, part, values[places], decisions),
                human=None if marks is None else marks[places],
                forecasts=None if forecasts is None else forecasts[places],
                condition=None if beforehand is None else beforehand[places],
            )


def _written(sheet: Sheet, truth: str | None, models: Sequence[str]) -> tuple[Decision, ...]:
    """What the cells say besides their values."""
    return sheet.written(models) if truth is None else sheet.failures(models, truth)


def _no_models(sheet: Sheet, roles: Roles, models: list[str]) -> tuple[list[str], tuple[Decision, ...]]:
    """The columns without those that summarise others; refused where they are of two metrics, or of two kinds."""
    if any(roles.get(role) is not None for role in ("truth", "event")) or "model" in roles.declared:
        return models, ()
    found = column_meaning.computed(sheet, models)
    told = tuple(
        Decision(
            what="summary", value=f"column {name!r} is the {what} of the others, no model", how="assumed",
            change=f"columns={{'model': …}} (--column model={name})",
        )
        for name, what in found.items()
    )  # fmt: skip
    left = [name for name in models if name not in found]
    by_metric = _by_metric(left)
    if len(by_metric) > 1:
        first, second = list(by_metric.items())[:2]
        raise InvalidInput(
            f"{sheet.source}: its columns look like {len(first[1])} models by {len(by_metric)} metrics "
            f"({', '.join(map(repr, first[1]))} and {', '.join(map(repr, second[1]))}).\nName the "
            f"columns of one of them ({column('model', 'NAME')})"
        )
    column_meaning.refuse_beside_models(left, sheet.source)
    values = {name: sheet.marks(name) for name in left}
    binary = [name for name, given in values.items() if np.isin(given[~np.isnan(given)], (0.0, 1.0)).all()]
    beyond = next((name for name, given in values.items() if np.nanmin(given) < 0 or np.nanmax(given) > 1), None)
    if len(binary) > 1 and beyond is not None:
        low, high = np.nanmin(values[beyond]), np.nanmax(values[beyond])
        raise InvalidInput(
            f"{sheet.source}: columns {' and '.join(map(repr, binary[:2]))} hold 0 and 1, and {beyond!r} numbers from "
            f"{low:g} to {high:g}: models of one table must be measured alike.\nName the columns that are models "
            f"({column('model', 'NAME')})"
        )
    return left, told


def _by_metric(names: Sequence[str]) -> dict[str, list[str]]:
    """Columns by the metric in their names where each model has each: ``new_score``, ``new_cost``, ``old_score`` …"""
    for place in (-1, 0):
        parts = [normalised(name).replace(".", "_").split("_") for name in names]
        words = dict.fromkeys(part[place] for part in parts)
        if not all(len(part) > 1 for part in parts) or not all(map(column_meaning.is_quantity, words)):
            continue
        rest = {word: {tuple(p[:-1] if place else p[1:]) for p in parts if p[place] == word} for word in words}
        alike = len({frozenset(models) for models in rest.values()}) == 1
        if len(words) > 1 and alike and len(rest[next(iter(words))]) > 1:
            return {word: [n for n, p in zip(names, parts, strict=True) if p[place] == word] for word in words}
    return {}


def _one(
    sheet: Sheet, model: str, task: str, metric: str, rows: Rows, values: Array, decisions: tuple[Decision, ...]
) -> Series:
    return Series(
        model=model, task=task, metric=metric, rows=rows, values=values, missing=gaps(values), source=sheet.source,
        decisions=decisions,
    )  # fmt: skip


def _by_task(sheet: Sheet, roles: Roles) -> list[tuple[str, Rows, Integers]]:
    """What the rows of each task are, and where they stand; one task without a name where items are of none."""
    rows, task = _rows(sheet, roles), roles.get("task")
    if task is None or not isinstance(rows, ItemRows):
        return [("", rows, np.arange(len(sheet)))]
    found = sheet.categories(task)
    order = np.argsort(found.codes, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(found.codes, minlength=len(found.labels)))[:-1])
    named = sorted((int(part[0]), label, part) for label, part in zip(found.labels, parts, strict=True) if len(part))
    return [(label, rows.taking(part), part) for _, label, part in named]


def _one_model_only(sheet: Sheet, roles: Roles, models: Sequence[str]) -> InvalidInput:
    """What was seen of a table with one model at most, and what is missing."""
    told = [f"{role} {', '.join(map(repr, roles.all(role)))}" for role in ROLES if roles.all(role) and role != "index"]
    seen = f"{', '.join(told) or 'no column with a known name'}; {' and '.join(map(repr, models)) or 'no column'} "
    seen += "with numbers" if len(models) < 2 else "named as metrics"
    spare = next((name for name in sheet.header if name and name not in {*roles.taken, *models}), "NAME")
    return InvalidInput(
        f"{sheet.source}: {seen}, so that one model is there at most.\n"
        "Not found: a second model (in a second file, in a column of its own, or in rows).\n"
        f"Name the column of models with {column('model', spare)}; how good one model is alone says "
        f"estimate_predictions (foldwise predictions {sheet.source})"
    )


def _measured(
    sheet: Sheet, roles: Roles, models: Sequence[str], left_out: list[str], name: str
) -> Iterator[tuple[str, str, Array]]:
    truth = roles.get("truth")
    if truth is not None and (by_level := _quantiles(sheet, roles)):
        yield from _of_quantiles(sheet, truth, by_level, left_out)
        models = [one for one in models if one in sheet.positions]
    if truth is not None and len(models) > 1:
        yield from measured_outputs(sheet, truth, models, left_out)
        return
    if truth is not None:
        return
    words = [sheet.says_right_or_wrong(model) and not has_numbers(sheet, model) for model in models]
    named = name if names_metric(name) and not any(words) else UNNAMED
    if (measure := roles.get("metric")) is not None and len(sheet.categories(measure).labels) == 1:
        named = metric = sheet.categories(measure).labels[0] or named
    else:
        metric = common_metric(models) or ("accuracy" if all(map(sheet.judges, models)) else named)
    for model in models:
        yield metric, model, sheet.marks(model)


def _by_time(sheet: Sheet, roles: Roles, times: list[str], tasks: list[str]) -> list[str] | None:
    """Keys that are the same in several tasks (horizons): the time and the series; None where they are not enough."""
    series = roles.get("group") or next((one for one in roles.offered if normalised(one) in SERIES_NAMES), None)
    keys = times if series is None else [f"{at} ({of})" for at, of in zip(times, sheet.column(series), strict=True)]
    return keys if len(set(zip(keys, tasks, strict=True))) == len(keys) else None


def _numbered(sheet: Sheet) -> Categories:
    return Categories(np.arange(len(sheet), dtype=np.int32), tuple(map(str, range(1, len(sheet) + 1))))


def _rows(sheet: Sheet, roles: Roles) -> Rows:
    clusters = {name: sheet.categories(name) for name in (*roles.all("group"), *roles.offered, *roles.all("slice"))}
    group, item, task, truth, time = (roles.get(role) for role in ("group", "item", "task", "truth", "time"))
    times = None if time is None else sheet.column(time)
    run, fold = roles.get("run") or roles.get("seed"), roles.get("fold")
    trial, crossed = (None, False)
    if item is not None:
        trial, crossed = trials_of(sheet, roles, [name for name in (task, item) if name is not None])
    layout = Layout(
        model="", values=(), item=item, trial=trial, run=run, fold=fold, time=time, clusters=tuple(clusters),
        group=group, crossed=crossed, rated=is_rater(trial), n_train=roles.get("n_train"), n_test=roles.get("n_test"),
    )  # fmt: skip
    everything = np.arange(len(sheet))
    if item is not None and (found := keyed_rows(sheet, layout, {}, everything)) is not None:
        return found
    if truth is not None or roles.get("event") is not None:
        if times is not None and task is not None:
            named = _by_time(sheet, roles, times, sheet.column(task)) or _numbered(sheet)
            return ItemRows(keys=named, clusters=clusters, group=group or "", times=times)
        return ItemRows(keys=_numbered(sheet), clusters=clusters, group=group or "", times=times)
    if task is not None and run is None and fold is None:
        return LabelledRows(labels=sheet.column(task), readings=("tasks",))
    if task is not None:
        raise InvalidInput(
            f"{sheet.source} has splits of several data sets in rows and models in columns: make it long, with one "
            "column of models"
        )
    if (found := keyed_rows(sheet, layout, split_sizes(sheet, layout), everything)) is not None:
        return found
    if times is not None:
        keys = times if len(set(times)) == len(times) else _numbered(sheet)
        return ItemRows(keys=keys, clusters=clusters, group=group or "", times=times)
    label = roles.get("index")
    readings = ("tasks", "items", "splits") if label is not None else ("items", "splits")
    labels = list(_numbered(sheet) if label is None else sheet.categories(label))
    return LabelledRows(labels=labels, readings=readings, clusters=clusters, group=group or "")
