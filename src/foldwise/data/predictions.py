"""Prediction files: the truth, and what each classifier said, example by example."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.categories import RIGHT, WRONG, Categories, no_number
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, column
from foldwise.core.roles import (
    NO_COLUMN,
    SERIES_NAMES,
    Columns,
    Roles,
    assign_roles,
    merged,
    missing_roles,
    normalised,
)
from foldwise.core.types import Array
from foldwise.data import column_meaning as meaning
from foldwise.data.formats import read_sheet
from foldwise.data.long_rows import spread_models
from foldwise.data.reader_studies import ReadingRows, has_readers, read_readings
from foldwise.data.sheet import Sheet, parse_number, plain_numbers, some_names
from foldwise.data.text import Readable
from foldwise.metrics.counts import (
    asks_for_counts,
    assumed_counts,
    count_metric,
    count_metric_in,
    counts_by_model,
    only_counts,
)
from foldwise.metrics.item_means import QUANTILE_METRICS
from foldwise.metrics.survival import asks_for_survival, signed_times
from foldwise.metrics.texts import FROM_TEXTS

_MAY_BE = (
    "truth", "model", "item", "task", "trial", "run", "seed", "fold", "group", "human", "time", "index", "origin",
    "horizon", "limit", "condition", "slice", *meaning.SURVIVAL_ROLES,
)  # fmt: skip
"""Roles that a column of such a file can have."""

_NAMED = tuple(role for role in _MAY_BE if role not in ("model", *meaning.SURVIVAL_ROLES))
"""Those that its name tells: a column of labels may be called "model"."""

_KEYS = ("group", "item", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionFile:
    """The labels or marks in a prediction file."""

    truth: Categories | None  #: The true label of each example; None where the columns hold marks instead
    #: Per classifier its label, or its mark for right or wrong, on each example, in the order of the columns
    predictions: dict[str, Categories]
    groups: Categories | None  #: The cluster each example belongs to, or None
    source: str  #: What messages call the file
    #: What each column was taken for: "truth", "classifier", "group", "item", "seed", "time" or "passed over"
    roles: dict[str, str]
    #: items, seeds: The item that each row is a trial of, and the seed that the models of the row were trained with;
    #: None where nobody said that rows are such
    items: Categories | None = None
    seeds: Categories | None = None
    #: Instead of `predictions`, where there is no truth and marks are numbers or missing (NaN)
    marks: dict[str, Array] = field(default_factory=dict)
    #: Of classifiers that have a column for each class, examples × classes, the classes in the order of their labels
    scores: dict[str, Array] = field(default_factory=dict)
    order: tuple[str, ...] = ()  #: Names of the classifiers in the order of their columns, where some have several
    decisions: tuple[Decision, ...] = ()  #: How that came about
    times: Categories | None = None  #: When each row was, where rows are in order of time; None where they are not
    #: By model what people say of its marks, NaN where they said nothing; empty where no columns tell
    human: dict[str, Array] = field(default_factory=dict)
    #: By classifier its columns of counts, where a metric of counts was asked for and the file has them
    counts: dict[str, dict[str, Array]] = field(default_factory=dict)
    counted: str = ""  #: The metric that all columns are counts of, where nobody asked for another
    levels: tuple[float, ...] = ()  #: Of forecasts of quantiles the level of each column of `scores`
    condition: Array | None = None  #: What was known of each row beforehand, where somebody named a column
    slices: tuple[str, Categories] | None = None  #: The column by which rows are sliced, and the slice of each
    readers: Categories | None = None  #: The reader of each row, where several scored the same cases
    timed: bool = False  #: Whether the truth is times with the sign of censoring (`foldwise.metrics.survival`)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return self.order or tuple(self.counts or self.marks or self.predictions)

    @property
    def classes(self) -> list[str]:
        """The classes of the truth, or the levels of quantiles, in the order of the columns of `scores`."""
        if self.levels or self.timed:
            return list(map(str, self.levels))
        return sorted(self.truth.labels) if self.truth is not None else []

    def column(self, name: str) -> Categories | Array:
        """What one classifier said, its marks, or its scores by class."""
        numeric = {**self.marks, **self.scores}
        return numeric[name] if name in numeric else self.predictions[name]

    def without_order(self) -> PredictionFile:
        """The same file, its rows in no order of time."""
        return replace(self, times=None, decisions=tuple(one for one in self.decisions if one.what != "order"))

    def taking(self, rows: NDArray[np.int64]) -> PredictionFile:
        """The same file with these rows alone."""

        def taken(value: Any) -> Any:
            if isinstance(value, Categories):
                return Categories.of(value.labels[code] for code in value.codes[rows].tolist())
            if isinstance(value, dict):
                return {name: taken(one) for name, one in value.items()}
            return None if value is None else value[rows]

        columns = (
            "predictions", "groups", "items", "seeds", "readers", "marks", "scores", "times", "human", "counts",
            "condition",
        )  # fmt: skip
        return replace(self, **{name: taken(getattr(self, name)) for name in ("truth", *columns)}, slices=None)

    def only(self, names: Sequence[str], told: Iterable[Decision] = ()) -> PredictionFile:
        """The same file with these classifiers alone, in this order, and what was `told` of it."""
        return replace(self, order=tuple(names), decisions=(*self.decisions, *told))

    def doubled(self, again: str) -> PredictionFile:
        """The same file with its only classifier and a copy of it, called by its name and `again`."""
        (name,) = self.names
        columns: dict[str, Any] = {
            part: {**held, name + again: held[name]} if name in (held := getattr(self, part)) else held
            for part in ("predictions", "marks", "scores", "counts")
        }
        return replace(self, order=(name, name + again), **columns)

    def pair(self) -> tuple[str, str]:
        """The two classifiers to compare; an error when there are not exactly two."""
        return _two_classifiers(self.names, self.source)

    @property
    def rows(self) -> int:
        """Number of examples."""
        columns: list[Sized] = [
            *(one for parts in self.counts.values() for one in parts.values()), *self.marks.values(),
            *self.predictions.values(), *self.scores.values(),
        ]  # fmt: skip
        return len(columns[0])


def read_predictions(
    path_or_text: Readable, *, columns: Columns | None = None, truth: str | None = None, a: str | None = None,
    b: str | None = None, groups: str | None = None, item: str | None = None, seed: str | None = None,
    time: str | None = None, gaps: bool = False, counts: str | None = None,
) -> PredictionFile:  # fmt: skip
    r"""Read a file with one row per test example: the truth, then one column per classifier.

    Parameters
    ----------
    path_or_text
        A file, ``"-"`` for standard input, or the text itself.
    columns
        By role (`foldwise.core.roles`), the column or columns that have it: ``{"truth": "gold", "model": ["a", "b"]}``.
        ``"none"``: no column has the role. Other roles are told by the names of columns.
    truth, groups, item, seed, time
        The same for one role each. Without a truth: a column named truth, y_true, label, target, actual, y, gold …;
        else the first one. Truth ``"none"``: the other columns are marks: numbers, or words for right and wrong. An
        item is the one that each row is a trial of; a column named so whose names repeat is refused without it.
        Time is a column named date, time, ds … whose dates or numbers can order the rows.
    a, b
        The columns of the two classifiers. Without them every column that is left is a classifier.
    counts
        A metric of counts, of quantiles or of survival, whose columns are looked for: ``a_errors``, ``words``;
        ``a:0.1``, ``a:0.9``; ``time``, ``event``. Empty: another metric. Without it times with events are recognised.
    gaps
        Whether labels that a classifier did not give, an empty cell or NaN, are kept, as empty ones, or refused.

    Returns
    -------
    PredictionFile
        Columns named ``model:class`` or ``model_class`` for every class of the truth are the scores of one classifier.
        Labels are text. Where all are numbers and some are written with a decimal point, 1 and 1.0 are one label.
        Columns without a name, or named as an item, a fold or the like, are passed over unless they are asked for.

    Examples
    --------
    >>> file = read_predictions("truth,nb,tree\nyes,yes,no\nno,no,no\n")
    >>> file.pair(), list(file.predictions["tree"])
    (('nb', 'tree'), ['no', 'no'])
    """
    return predictions_of(
        read_sheet(path_or_text), merged(columns, truth=truth, group=groups, item=item, seed=seed, time=time), a=a, b=b,
        gaps=gaps, counts=counts,
    )  # fmt: skip


def predictions_of(
    sheet: Sheet, declared: dict[str, str | Sequence[str]], *, a: str | None = None, b: str | None = None,
    gaps: bool = False, counts: str | None = None,
) -> PredictionFile:  # fmt: skip
    """What a table says; parameters as those of `read_predictions`."""
    if not has_readers(sheet.header, declared):
        sheet, declared, by_rows = spread_models(sheet, declared, counts)
        if by_rows:
            wide = predictions_of(sheet, declared, a=a, b=b, gaps=gaps, counts=counts)
            return replace(wide, decisions=(*by_rows, *wide.decisions))
    if not counts and (by_readers := read_readings(sheet, declared)) is not None:
        return _of_readings(sheet, by_readers, [name for name in (a, b) if name is not None])
    named = [name for name in (a, b) if name in sheet.positions]
    if named:
        declared["model"] = list(dict.fromkeys([*_as_list(declared.get("model", ())), *map(str, named)]))
    timed = meaning.survival_columns(sheet, declared, asked=asks_for_survival(counts)) if _may_be_timed(counts) else {}
    if timed and declared.get("time") == timed["duration"]:
        del declared["time"]
    declared |= timed
    roles = assign_roles(sheet.header, declared, source=sheet.source, only=_MAY_BE, by_name=_NAMED)
    roles = meaning.with_time(sheet, meaning.with_people(sheet, roles), keep=True)
    roles = roles if counts in QUANTILE_METRICS else meaning.with_numbering(sheet, roles)
    free = [name for name in sheet.header if name not in roles.taken]
    counted = None if counts is not None or timed or roles.get("truth") else only_counts(free)
    if counted is not None:
        only = _counted(sheet, roles, _counts(sheet, counted), [name for name in (a, b) if name is not None])
        known = assumed_counts(count_metric(counted, list(only.counts[only.names[0]])))
        return replace(only, counted=counted, decisions=(*only.decisions, known))
    if counts and not timed and "truth" not in roles.declared and (found := _counts(sheet, counts)):
        return _counted(sheet, roles, found, [name for name in (a, b) if name is not None])
    truth_column, assumed = (None, ()) if timed else _truth_column(sheet, roles)
    _refuse_people(sheet, roles)
    _refuse_tasks(sheet, roles)
    item_column, seed_column = _item_column(sheet, roles), roles.get("seed") if "seed" in roles.declared else None
    taken = {*roles.taken, truth_column} - set(roles.all("model"))
    levels: tuple[float, ...] = ()
    if counts in QUANTILE_METRICS and truth_column is not None:
        taken -= {*roles.all("limit")}
        by_level = meaning.quantile_columns([name for name in sheet.header if name not in taken])
        levels = meaning.of_equal_levels(by_level, sheet.source) if by_level else ()
        by_class: dict[str, meaning.ClassColumns] = {
            model: {f"{level:.6f}": column for level, column in parts.items()} for model, parts in by_level.items()
        }
    else:
        by_class = _by_class(sheet, truth_column, taken)
    models = _classifier_columns(sheet, a, b, roles, taken, by_class)
    models = [name for name in models if name in by_class or name in named or not levels]
    if not named and not roles.all("model"):
        models = _without_others(sheet, models, truth_column, by_class)
        if counts in FROM_TEXTS and truth_column is not None:
            models = _texts_alike(sheet, models, truth_column)
    chosen, scored = [name for name in models if name not in by_class], [name for name in models if name in by_class]
    if item_column is None and "item" not in roles.declined:
        _refuse_repeated(sheet, roles)
    if timed:
        models = [name for name in models if sheet.is_mostly_numeric(name) or name in (*named, *roles.all("model"))]
        chosen = models
    elif truth_column is None and item_column is None and roles.get("item") is None:
        _refuse_folds(sheet, roles)
    wanted = chosen if truth_column is None else [*chosen, truth_column]
    parts = [column for name in scored for column in by_class[name].values()]
    graded = truth_column is None and not timed and not all(_is_right_wrong(sheet, name) for name in chosen)
    texts = counts in FROM_TEXTS and truth_column is not None  # of which empty ones are texts, too
    read = sheet.labels_or_gaps if gaps and (timed or truth_column is not None) else partial(_predicted, sheet)
    read_true = sheet.labels if truth_column is not None else read
    if texts:
        read = read_true = sheet.categories
    cells = [] if graded else [read_true(name) if name == truth_column else read(name) for name in wanted]
    spread = [one for one in sheet.written(chosen if graded else ()) if one.what == "spread"]
    labels = {} if graded else dict(zip(wanted, cells if texts else one_spelling(cells), strict=True))
    time_column = roles.get("time")
    kept = {"truth": truth_column, "group": _group_column(sheet, roles), "item": item_column, "seed": seed_column}
    kept["time"] = time_column
    told = dict.fromkeys(sheet.header, "passed over") | dict.fromkeys([*chosen, *parts], "classifier")
    people = meaning.people_of(sheet, roles) if truth_column is None and not timed else {}
    true = None if truth_column is None else labels[truth_column]
    if timed:
        signed = signed_times(sheet.numbers(timed["duration"]), sheet.column(timed["event"]))
        true, assumed = Categories.of(map(repr, signed.tolist())), () if counts is not None else (meaning.SURVIVAL,)
        told |= {name: role for role, name in timed.items()}
    together, items, seeds = (None if kept[role] is None else sheet.labels(str(kept[role])) for role in _KEYS)
    condition = roles.get("condition")
    return PredictionFile(
        slices=_slices(sheet, roles), timed=bool(timed), truth=true,
        condition=None if condition is None else sheet.numbers(condition),
        predictions={} if graded else {name: labels[name] for name in chosen},
        marks={name: sheet.marks(name) for name in chosen} if graded else {},
        scores={name: meaning.class_scores(sheet, by_class[name]) for name in scored}, levels=levels,
        order=tuple(models) if scored else (), groups=together, items=items, seeds=seeds,
        times=None if time_column is None else sheet.labels(time_column),
        human={name: meaning.said_by_people(sheet, columns) for name, columns in people.items() if name in chosen},
        source=sheet.source,
        roles=told | {name: role for role, name in kept.items() if name is not None},
        decisions=(*assumed, *spread, *_decisions(roles, kept)),
    )  # fmt: skip


def _counts(sheet: Sheet, metric: str) -> dict[str, dict[str, str]]:
    """By model its columns of counts; of one model they need no name before them."""
    found = counts_by_model(metric, sheet.header)
    if found or not asks_for_counts(metric):
        return found
    known = count_metric_in(metric, sheet.header)
    if known is None:
        return {}
    return {"model": {column: column for column in known.columns}}


def _counted(
    sheet: Sheet, roles: Roles, by_model: Mapping[str, Mapping[str, str]], named: Sequence[str]
) -> PredictionFile:
    """A file whose columns are counts of its models."""
    unknown = next((name for name in named if name not in by_model), None)
    if unknown is not None:
        raise InvalidInput(f"{sheet.source} has counts of {some_names(list(by_model))}, and none of {unknown!r}")
    kept = {"group": _group_column(sheet, roles), "item": _item_column(sheet, roles), "time": roles.get("time")}
    models = list(dict.fromkeys(named)) or list(by_model)
    parts = {column: "classifier" for name in models for column in by_model[name].values()}
    if kept["item"] is None and "item" not in roles.declined:
        _refuse_repeated(sheet, roles)
    groups, items, times = (None if column is None else sheet.labels(column) for column in kept.values())
    return PredictionFile(
        slices=_slices(sheet, roles), truth=None, predictions={}, groups=groups, items=items, times=times,
        source=sheet.source,
        roles=dict.fromkeys(sheet.header, "passed over") | parts | {c: role for role, c in kept.items() if c},
        decisions=tuple(_decisions(roles, kept)),
        counts={name: {count: sheet.marks(column) for count, column in by_model[name].items()} for name in models},
    )  # fmt: skip


def _of_readings(sheet: Sheet, read: ReadingRows, named: Sequence[str]) -> PredictionFile:
    """Scores of several readers as marks, beside the truth where there is one."""
    strange = next((name for name in named if name not in read.scores), None)
    if strange is not None:
        raise InvalidInput(f"{sheet.source} has scores with {some_names(list(read.scores))}, and none with {strange!r}")
    return PredictionFile(
        truth=read.truth, predictions={}, groups=read.groups, source=sheet.source, roles=dict(read.roles),
        items=read.cases, readers=read.readers, marks={name: read.scores[name] for name in named or read.scores},
        slices=read.slices, decisions=read.decisions,
    )  # fmt: skip


def _predicted(sheet: Sheet, name: str) -> Categories:
    """The labels of one model, none of which is missing."""
    try:
        return sheet.labels(name)
    except InvalidInput as error:
        raise InvalidInput(
            f"{error}: leave such rows out for all models with missing='drop' (--missing drop), or count labels as "
            "wrong with missing='worst' (--missing worst)"
        ) from None


def _may_be_timed(metric: str | None) -> bool:
    return metric is None or asks_for_survival(metric)


def _slices(sheet: Sheet, roles: Roles) -> tuple[str, Categories] | None:
    name = roles.get("slice")
    return None if name is None else (name, sheet.labels(name))


def _as_list(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def exactly_two(names: Sequence[str], kind: str, source: str) -> tuple[str, str]:
    """`names` as a pair, or an error that says what to do."""
    if len(names) != 2:
        rule = "say which two to compare" if len(names) > 2 else "two are needed"
        raise InvalidInput(f"{source} has {len(names)} {kind} column(s) ({some_names(names)}): {rule}")
    return names[0], names[1]


def _two_classifiers(names: Sequence[str], source: str) -> tuple[str, str]:
    if len(names) == 1:
        raise InvalidInput(
            f"{source} has 1 classifier column ({names[0]}): two are needed (if no column is the truth, and all "
            f"are marks: {column('truth', NO_COLUMN)})"
        )
    return exactly_two(names, "classifier", source)


def _decisions(roles: Roles, kept: Mapping[str, str | None]) -> Iterator[Decision]:
    """How the roles came about that count."""
    for one in roles.decisions:
        column = kept.get(one.what)
        always = one.what in ("numbering", "human", "partition", "panel", meaning.SERIES)
        if always or (column is None) == (one.what == "time"):
            yield one
        elif column is not None:
            yield Decision(
                what="order", value=f"items are in order of column {column!r}",
                how="declared" if "time" in roles.declared else "by its name", change="time='none' (--time none)",
            )  # fmt: skip


def _group_column(sheet: Sheet, roles: Roles) -> str | None:
    """A single series is no cluster among others."""
    name = roles.get("group")
    if name is None or normalised(name) not in SERIES_NAMES or "group" in roles.declared:
        return name
    return None if len(sheet.categories(name).labels) == 1 else name


def _item_column(sheet: Sheet, roles: Roles) -> str | None:
    """The column that was named; where rows have seeds, one that is called so."""
    if "seed" not in roles.declared:
        return roles.get("item") if "item" in roles.declared else None
    if roles.get("item") is None:
        seen = f"rows have seeds (column {roles.get('seed')!r})"
        raise missing_roles(sheet.source, seen, {"item": ""})
    return roles.get("item")


def _refuse_repeated(sheet: Sheet, roles: Roles) -> None:
    """Items that occur again are trials of the same item, or a mistake: somebody must say which."""
    name = roles.get("item")
    rows = None if name is None else sheet.repeated(name)
    if name is None or rows is None:
        return
    item = sheet.cells.texts(sheet.positions[name], np.array(rows))[0]
    lines = " and ".join(str(sheet.lines[row]) for row in rows)
    seed = roles.get("seed")
    trained = "" if seed is None else f", if the models were trained with several seeds {column('seed', seed)} too"
    raise InvalidInput(
        f"{sheet.source}, lines {lines}: column {name!r} names {item!r} twice.\n"
        f"If rows are trials of an item, say {column('item', name)}{trained};\n"
        f"if they are items of their own, {column('item', NO_COLUMN)}"
    )


def _without_others(
    sheet: Sheet, models: list[str], truth: str | None, by_class: Mapping[str, meaning.ClassColumns]
) -> list[str]:
    """The columns without free text beside the truth; refused where some tell something else about the others."""
    meaning.refuse_beside_models(models, sheet.source)
    left = [
        name for name in models if truth is None or name in by_class or not meaning.is_free_text(sheet, name, truth)
    ]
    return left if len(left) > 1 else models


def _texts_alike(sheet: Sheet, models: list[str], truth: str) -> list[str]:
    """The columns whose texts have a word in common with their references: others are languages, documents, sources."""
    true = [set(text.lower().split()) for text in sheet.column(truth)]

    def alike(name: str) -> bool:
        return any(words & set(text.lower().split()) for words, text in zip(true, sheet.column(name), strict=True))

    return [name for name in models if normalised(name) not in SOURCES and alike(name)] or models


SOURCES = frozenset(("source", "src", "source_text", "lang", "language", "domain"))
"""What columns beside texts are called that no model wrote."""


def _refuse_folds(sheet: Sheet, roles: Roles) -> None:
    """A score of each fold or seed is no mark of an item."""
    keys = [
        name for role in ("run", "seed", "fold") if (name := roles.get(role)) is not None and role not in roles.declared
    ]
    if keys and len(set(zip(*map(sheet.column, keys), strict=True))) == len(sheet):
        raise InvalidInput(
            f"{sheet.source}: every row is a fold or seed of its own (column {keys[-1]!r}), not a test item.\n"
            f"Scores of folds: foldwise scores FILE; if rows are items, say {column('fold', NO_COLUMN)}"
        )


def _refuse_people(sheet: Sheet, roles: Roles) -> None:
    """What people say of items is no model, nor the truth of other models: it is for checking a judge."""
    name = meaning.people_column(sheet, roles)
    if name is not None:
        raise meaning.checked_by_people(sheet, name)


def _refuse_tasks(sheet: Sheet, roles: Roles) -> None:
    name = roles.get("task")
    if name is not None and len(tasks := sheet.categories(name).labels) > 1:
        raise InvalidInput(
            f"{sheet.source} has {len(tasks)} tasks (column {name!r}), and one test set is compared here.\n"
            f"All tasks, and each by itself: foldwise judge FILE; as one test set: {column('task', NO_COLUMN)}"
        )


def _is_right_wrong(sheet: Sheet, name: str) -> bool:
    """Whether the column says right or wrong on every row."""
    words = all(cell.lower() in RIGHT | WRONG for cell in sheet.categories(name).labels)
    return words and sheet.says_right_or_wrong(name)


def _truth_column(sheet: Sheet, roles: Roles) -> tuple[str | None, tuple[Decision, ...]]:
    """The truth: as declared or by its name, else the first column that can be it, which is then an assumption."""
    if "truth" in roles.declined or roles.get("truth") is not None:
        return roles.get("truth"), ()
    if meaning.people_of(sheet, roles):
        return None, ()
    left = [name for name in sheet.header if name not in roles.taken - set(roles.offered)]
    change = "columns={'truth': …} (--column truth=…)"
    said = list(dict.fromkeys([*roles.all("model"), *left]))
    if said and all(_is_right_wrong(sheet, name) for name in said):  # as `judge` reads such a table
        if len(said) == 1:
            return None, ()  # beside which there is nothing that it could be the truth of
        value = "no column is the truth, and 1 and 0 (or words) say which answers are right"
        return None, (Decision(what="truth", value=value, how="assumed", change=change),)
    if not left:
        raise missing_roles(sheet.source, f"columns {sheet.describe_columns()}", {"truth": ""})
    value = f"column {left[0]!r} is the truth, the first that can be"
    return left[0], (Decision(what="truth", value=value, how="assumed", change=change),)


def _by_class(sheet: Sheet, truth: str | None, taken: set[str | None]) -> dict[str, meaning.ClassColumns]:
    """The models with a column for each class."""
    left = [name for name in sheet.header if name not in taken]
    apart = any(separator in name for name in left for separator in meaning.SEPARATORS)
    return meaning.class_columns(sheet.labels(truth).labels, left) if truth is not None and apart else {}


def _classifier_columns(
    sheet: Sheet, a: str | None, b: str | None, roles: Roles, taken: set[str | None],
    by_class: Mapping[str, meaning.ClassColumns],
) -> list[str]:  # fmt: skip
    model_of = {part: model for model, parts in by_class.items() for part in parts.values()}
    free = [name for name in sheet.header if name not in taken]
    left = list(dict.fromkeys(model_of.get(name, name) for name in free))
    named = [name for name in (a, b) if name is not None]
    if len(named) > len(set(named)):
        raise InvalidInput(f"a and b must be different columns, but both are {a!r}")
    for name in named:
        if name not in sheet.positions and name not in by_class:
            raise InvalidInput(f"{sheet.source} has no column {name!r}; it has {sheet.describe_columns()}")
    if len(named) == 1:
        others = [name for name in left if name not in named]
        only = _two_classifiers([*named, *others], sheet.source)[1]
        return [*named, only] if a is not None else [only, *named]
    declared = list(roles.all("model"))
    if not named and len(declared) > 1:
        return declared
    if not named and not left:
        raise InvalidInput(f"{sheet.source} has no classifier column; it has {sheet.describe_columns()}")
    return named or left


def one_spelling(columns: list[Categories]) -> list[Categories]:
    """Whole numbers without their decimal point, because a table program writes a column of 1 with a gap as 1.0."""
    distinct = [label for label in set[str]().union(*(column.labels for column in columns)) if not no_number(label)]
    if not any("." in label for label in distinct):
        return columns
    plain = plain_numbers(distinct)
    values = [parse_number(label) for label in distinct] if plain is None else plain.tolist()
    spelling = {}  # of what is written otherwise: of a million scores hardly one
    for label, value in zip(distinct, values, strict=True):
        if value is None:
            return columns
        if (word := str(int(value)) if value.is_integer() else repr(value)) != label:
            spelling[label] = word
    return [
        column.renamed([spelling.get(label, label) for label in column.labels])
        if not spelling.keys().isdisjoint(column.labels)
        else column
        for column in columns
    ]
