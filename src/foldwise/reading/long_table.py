"""Long tables: one row per model and item, split or task, with the names that people give columns.

AMLB's ``results.csv``, TabArena's and bencheval's frames, skore's summaries and most tables that people keep are such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote

import numpy as np

from foldwise.core import errors
from foldwise.core.categories import FEW, Categories, in_order, no_number
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED
from foldwise.core.roles import FOLD_NAMES, ROLES, SERIES_NAMES, Roles, missing_roles, normalised
from foldwise.core.types import Array, Integers
from foldwise.data.attributes import number_like
from foldwise.data.column_meaning import said_by_people, with_numbering, with_time
from foldwise.data.sheet import Sheet
from foldwise.reading.series import ItemRows, LabelledRows, Rows, Series, SplitRows, WholeTask, gaps

_ERROR = "metric_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which column is what in a long table."""

    model: str  #: The models' column
    values: tuple[str, ...]  #: Columns with numbers: one metric each, or with `metric` one column for all metrics
    #: task … time: What else is known of a row
    task: str | None = None
    item: str | None = None
    trial: str | None = None
    run: str | None = None
    fold: str | None = None
    metric: str | None = None
    time: str | None = None
    #: human, condition: What people say of the row, and what was known of it beforehand
    human: tuple[str, ...] = ()
    condition: str | None = None
    clusters: tuple[str, ...] = ()  #: Columns that say which items belong together
    group: str | None = None  #: The one of them that is taken
    #: n_train, n_test: Columns with the sizes of a split
    n_train: str | None = None
    n_test: str | None = None
    #: Whether an item is another one in every cluster: rows of one item by several raters, who are the clusters
    crossed: bool = False
    rated: bool = False  #: Whether trials are several judges' scores
    decisions: tuple[Decision, ...] = ()  #: How the roles came about
    spare: str = ""  #: A column that has no role and could be the key of rows


def models_in_rows(sheet: Sheet, layout: Layout) -> bool:
    """Whether the table has one row per model, and columns of numbers that may be data sets or metrics."""
    keys = (layout.task, layout.item, layout.run, layout.fold, layout.metric)
    return len(layout.values) > 1 and not any(keys) and sheet.repeated(layout.model) is None


def transposed_series(sheet: Sheet, layout: Layout) -> Iterator[Series]:
    """One series per row, whose labels are the columns; a person says whether these are data sets."""
    numbers = np.column_stack([sheet.marks(name) for name in layout.values])
    rows = LabelledRows(labels=layout.values, readings=("models", "metrics"))
    for model, values in zip(sheet.column(layout.model), numbers, strict=True):
        yield Series(
            model=model, metric=UNNAMED, rows=rows, values=values, missing=gaps(values), source=sheet.source,
            decisions=layout.decisions,
        )  # fmt: skip


def series_of(sheet: Sheet, layout: Layout) -> Iterator[Series]:
    """The series in a long table: rows of one model, task and metric belong together."""
    parts = list(_groups(sheet, [layout.model, layout.task, layout.metric]))
    labels = {name: sheet.categories(name) for name in (layout.model, layout.task, layout.metric) if name is not None}
    numbers = {name: sheet.marks(name) for name in layout.values}
    sizes = split_sizes(sheet, layout)
    judging = {name for name in layout.values if sheet.judges(name)}  # pass and fail say which direction is better
    people = said_by_people(sheet, layout.human) if layout.human else None
    known = None if layout.condition is None else sheet.numbers(layout.condition, allow_missing=True)
    for rows in parts:
        first = int(rows[0])
        for column, values in numbers.items():
            chosen = values[rows]
            # TabArena and bencheval keep the error that belongs to the metric that they name
            ending = "_error" if column == _ERROR else ""
            yield Series(
                model=labels[layout.model][first], task="" if layout.task is None else labels[layout.task][first],
                metric=column if layout.metric is None else f"{labels[layout.metric][first]}{ending}",
                rows=_rows(sheet, layout, sizes, rows), values=chosen,
                higher_is_better=False if column == _ERROR else (column in judging) or None, missing=gaps(chosen),
                source=sheet.source,
                decisions=layout.decisions, human=None if people is None else people[rows],
                condition=None if known is None else known[rows],
            )  # fmt: skip


def keyed_rows(sheet: Sheet, layout: Layout, sizes: Mapping[str, Array], rows: Integers) -> ItemRows | SplitRows | None:
    """What some rows are by the columns that key them: items or splits; None where no such column is."""

    def cells(name: str | None) -> list[str] | None:
        return None if name is None else list(sheet.categories(name).at(rows))

    def size(name: str | None) -> float | None:
        return None if name is None else float(sizes[name][rows].mean())

    clusters = {name: sheet.categories(name).at(rows) for name in layout.clusters}
    if layout.item is not None:
        keys: list[str] | Categories = sheet.categories(layout.item).at(rows)
        if layout.crossed and layout.group is not None:
            keys = [f"{key} ({rater})" for key, rater in zip(keys, clusters[layout.group], strict=True)]
        return ItemRows(
            keys=keys, trials=cells(layout.trial), raters=layout.rated, clusters=clusters, group=layout.group or "",
            times=cells(layout.time),
        )  # fmt: skip
    if (fold := layout.fold or layout.run) is None:
        return None
    return SplitRows(
        folds=cells(fold) or [], runs=cells(layout.run) if layout.fold is not None else None,
        n_train=size(layout.n_train), n_test=size(layout.n_test), seeds=normalised(fold) in ROLES["seed"].names,
        numbered=normalised(fold) in FOLD_NAMES,
    )  # fmt: skip


def split_sizes(sheet: Sheet, layout: Layout) -> dict[str, Array]:
    return {name: sheet.numbers(name) for name in (layout.n_train, layout.n_test) if name is not None}


def _rows(sheet: Sheet, layout: Layout, sizes: Mapping[str, Array], rows: Integers) -> Rows:
    if (found := keyed_rows(sheet, layout, sizes, rows)) is not None:
        return found
    if len(rows) > 1 and layout.time is not None:  # one row of each time, or of each series and time
        times = list(sheet.categories(layout.time).at(rows))
        clusters = {name: sheet.categories(name).at(rows) for name in layout.clusters}
        series = layout.group or next((one for one in layout.clusters if normalised(one) in SERIES_NAMES), None)
        keys = times if series is None else [f"{k} ({g})" for k, g in zip(times, clusters[series], strict=True)]
        return ItemRows(keys=keys, clusters=clusters, group=layout.group or "", times=times)
    if len(rows) > 1:
        first = sheet.categories(layout.model)[int(rows[0])]
        seen = f"column {layout.model!r} names the models, with {len(rows)} rows for {first!r} on one task"
        raise missing_roles(sheet.source, seen, {"item": layout.spare, "fold": layout.spare})
    return WholeTask()


def _groups(sheet: Sheet, keys: Sequence[str | None]) -> Iterator[Integers]:
    """The rows that agree in the cells of all these columns, in the order in which they first occur."""
    joint, size = np.zeros(len(sheet), dtype=np.int64), 1
    for name in (one for one in keys if one is not None):
        column = sheet.categories(name)
        joint, size = joint * len(column.labels) + column.codes, size * max(len(column.labels), 1)
        if size > 4 * len(sheet) + FEW:
            known, joint = np.unique(joint, return_inverse=True)
            size = len(known)
    different, rank = in_order(joint, size), np.empty(size, dtype=np.int64)
    rank[different] = np.arange(len(different))
    rank = rank[joint]
    order = np.argsort(rank.astype(np.uint16) if len(different) < FEW else rank, kind="stable")  # by digits, or not
    ends = np.cumsum(np.bincount(rank))
    start = 0
    for end in ends.tolist():
        yield order[start:end]
        start = end


def _refuse_commas(sheet: Sheet, names: Sequence[str]) -> None:
    """Say of a column of numbers with commas, between thousands or before decimals, how to write them."""
    for name in names:
        labels = [label for label in sheet.categories(name).labels if not no_number(label)]
        cell = next((label for label in labels if "," in label), None)
        if cell is not None and number_like(labels, decimal_comma=False) is not None:
            raise InvalidInput(
                f"{sheet.source}: column {name!r} has {cell!r}: write decimals with a point, and thousands without a "
                "comma"
            )


def layout_of(sheet: Sheet, roles: Roles) -> Layout:
    """Which column is what, by their roles; seeds are trials of items, and runs of splits."""
    model, metric = roles.get("model"), roles.get("metric")
    assert model is not None
    # times are in order within the rows of one model, task and metric
    one = next(_groups(sheet, [model, roles.get("task"), metric, roles.get("group")]), np.arange(0))
    roles = with_numbering(sheet, with_time(sheet, roles, one))
    item, values = item_column(sheet, roles), _value_columns(sheet, roles, single=metric is not None)
    if item is None and values and (of_items := _with_tasks_as_items(sheet, roles, values[0])) is not roles:
        roles, item = of_items, of_items.get("item")
    if not values:
        _refuse_commas(sheet, [name for name in sheet.header if name and name not in roles.taken])
        seen = f"column {model!r} names the models, and no other column holds numbers"
        raise missing_roles(sheet.source, seen, {"score": ""})
    keys = [name for name in (model, roles.get("task"), metric, item) if name is not None]
    trial, crossed = (None, False) if item is None else trials_of(sheet, roles, keys)
    spare = [name for name in sheet.header if name and name not in {*roles.taken, *values}]
    return Layout(
        model=model, values=values, task=roles.get("task"), item=item, trial=trial,
        run=roles.get("run") or roles.get("seed"), fold=roles.get("fold"), metric=metric, time=roles.get("time"),
        human=roles.all("human"), condition=roles.get("condition"),
        clusters=(*roles.all("group"), *roles.offered, *roles.all("slice")), group=roles.get("group"),
        n_train=roles.get("n_train"), n_test=roles.get("n_test"), crossed=crossed,
        rated=trial is not None and (is_rater(trial) or trial == roles.get("rater"))
        and not (roles.all("human") and _same_scores(sheet, values[0], keys)),
        decisions=(*roles.decisions, *sheet.written(values)), spare=next(iter(spare), ""),
    )  # fmt: skip


def _with_tasks_as_items(sheet: Sheet, roles: Roles, score: str) -> Roles:
    """The roles of an agent's runs of many tasks: no test set has a score of just 0 or 1 in each of so many splits."""
    task, run = roles.get("task"), roles.get("run") or roles.get("seed")
    if task is None or run is None or roles.get("fold") is not None or {"task", "run", "seed"} & roles.declared:
        return roles
    marks = np.unique(sheet.marks(score))
    if len(sheet.categories(task).labels) < MOST_BENCHMARKS or not np.isin(marks[~np.isnan(marks)], (0, 1)).all():
        return roles
    told = Decision(
        what="item", value=f"column {task!r} names the items and {run!r} their runs, as every {score} is 0 or 1",
        how="assumed", change=f"columns={{'task': …}} (--column {quote(f'task={task}')})",
    )  # fmt: skip
    return roles.giving("task", ()).giving("item", (task,), told)


MOST_BENCHMARKS = 10  # Tasks from which on they are rather items than benchmarks that have items.


def _same_scores(sheet: Sheet, score: str, keys: Sequence[str]) -> bool:
    """Whether the rows of one item and model have one score, so that who they are by are people, not judges."""
    values = sheet.marks(score)
    return all(np.ptp(values[rows]) == 0 for rows in _groups(sheet, keys) if len(rows) > 1)


def item_column(sheet: Sheet, roles: Roles) -> str | None:
    """The items' column; an ``id`` that is another one in every row numbers rows, and is no item."""
    name = roles.get("item")
    if name is None or "item" in roles.declared or normalised(name) not in ROLES["item"].weak:
        return name
    return None if sheet.repeated(name) is None else name


def is_rater(name: str | None) -> bool:
    """Whether a column is called like that of judges."""
    return name is not None and normalised(name) in ROLES["rater"].names


def trials_of(sheet: Sheet, roles: Roles, keys: Sequence[str]) -> tuple[str | None, bool]:
    """The column that tells trials of an item apart, and whether raters are clusters instead.

    Several raters of one item are trials, or clusters: the two answer different questions, and a person must choose,
    except where people's labels stand beside the scores of several judges.
    """
    trial = roles.get("trial") or roles.get("run") or roles.get("seed")
    rater = roles.get("rater") or next((name for name in sheet.header if is_rater(name)), None)
    if rater is None or rater in keys or rater == trial or sum(1 for _ in _groups(sheet, (*keys, trial))) == len(sheet):
        return trial, False
    if rater == roles.get("group"):
        return trial, True
    raters = len(sheet.categories(rater).labels)
    if trial is None and roles.all("human"):  # whose are the raters: those who score, or those who check?
        return rater, False
    raise InvalidInput(
        f"{sheet.source}: column {rater!r} names {raters} raters, and several of them scored one item.\n"
        f"For a verdict about items, averaged over these raters: {errors.column('trial', rater)}\n"
        f"For a verdict about raters, on these items, with raters as clusters: {errors.column('group', rater)}"
    )


def _value_columns(sheet: Sheet, roles: Roles, *, single: bool) -> tuple[str, ...]:
    """The columns that may be metrics: the one that is called like a score first."""
    named = [*roles.all("score"), *roles.ambiguous.get("score", ())]
    if named and (single or "score" in roles.declared):
        return (named[0],)
    other = roles.taken - set(named)
    left = [name for name in sheet.header if name not in {*other, *named}]
    found = [name for name in left if has_numbers(sheet, name)]
    damaged = [] if found else [name for name in left if sheet.is_mostly_numeric(name)]
    scores = [name for name in named if has_numbers(sheet, name) or sheet.is_mostly_numeric(name)]
    scores += [name for name in named if name not in scores and sheet.says_right_or_wrong(name)]
    if not (scores or found or damaged):
        return tuple(name for name in left if sheet.says_right_or_wrong(name))
    return (*scores, *found, *damaged)  # cells that are no numbers are refused where they are read


def has_numbers(sheet: Sheet, name: str) -> bool:
    """Whether the column has numbers, and gaps at most."""
    try:
        values = sheet.numbers(name, allow_missing=True)
    except InvalidInput:
        return False
    return not bool(np.isnan(values).all())
