"""Columns of a file that are no model: scores of each class, human labels, times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from shlex import quote

import numpy as np
from numpy.typing import NDArray

from foldwise.core.categories import MISSING
from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, column
from foldwise.core.metric import is_loss
from foldwise.core.roles import (
    NO_COLUMN,
    SERIES_NAMES,
    Columns,
    Roles,
    assign_roles,
    missing_roles,
    normalised,
    role_of,
)
from foldwise.core.time_order import is_time
from foldwise.core.types import Array
from foldwise.data.sheet import RowCells, Sheet
from foldwise.metrics.survival import CENSORED, HAPPENED

# ---- Columns of a prediction file that together are one model: its score of each class.

ClassColumns = dict[str, str]  # Per class of the truth, the column with its score.

SEPARATORS = (":", "_")  # What stands between the model and the class in a column's name.


def class_columns(classes: Iterable[str], columns: Iterable[str]) -> dict[str, ClassColumns]:
    """The models that have a column ``model:class`` or ``model_class`` for every class of the truth.

    `classes`: the labels of the truth. `columns`: names of the columns that may be a model's.

    >>> class_columns(["no", "yes"], ["nb:no", "nb:yes", "tree", "old_yes"])
    {'nb': {'no': 'nb:no', 'yes': 'nb:yes'}}
    """
    wanted = sorted(classes)
    names = list(columns)
    found: dict[str, ClassColumns] = {}
    for separator in SEPARATORS if len(wanted) > 1 else ():
        endings = {f"{separator}{label}" for label in wanted}
        starts = {name.removesuffix(end) for name in names for end in endings if name.endswith(end) and name != end}
        for start in starts:
            parts = {label: f"{start}{separator}{label}" for label in wanted}
            if start not in found and set(parts.values()) <= set(names):
                found[start] = parts
    first = {model: min(names.index(column) for column in parts.values()) for model, parts in found.items()}
    return {model: found[model] for model in sorted(found, key=first.__getitem__)}


_LEVEL = re.compile(r"(?P<model>.+?)[:_@-](?:q|quantile)?[_-]?(?P<level>0?\.\d+)")
_PERCENTILE = re.compile(r"(?P<model>.+?)[:_@-][pq](?P<level>\d{1,2})")
_SIDE = re.compile(r"(?P<model>.+)-(?P<side>lo|hi)-(?P<level>\d+(?:\.\d+)?)")
_MEDIAN = re.compile(r"(?P<model>.+)-median")


def quantile_columns(columns: Sequence[str]) -> dict[str, dict[float, str]]:
    """By model the column of each quantile: ``ets:0.1``, ``ets_p90``, ``ets-lo-80`` with ``ets`` or ``ets-median``.

    >>> quantile_columns(["ets:0.1", "ets:0.9", "naive", "naive-lo-80", "naive-hi-80"])["naive"]
    {0.5: 'naive', 0.1: 'naive-lo-80', 0.9: 'naive-hi-80'}
    """
    found: dict[str, dict[float, str]] = {}
    for name in columns:
        if (of := _SIDE.fullmatch(name)) is not None:
            share = float(of["level"]) / 100
            level = (1 - share) / 2 if of["side"] == "lo" else (1 + share) / 2
        elif (of := _MEDIAN.fullmatch(name)) is not None:
            level = 0.5
        elif (of := _LEVEL.fullmatch(name)) is not None:
            level = float(of["level"])
        elif (of := _PERCENTILE.fullmatch(name)) is not None:
            level = float(of["level"]) / 100
        else:
            continue
        if 0 < level < 1:
            found.setdefault(of["model"], {})[round(level, 6)] = name
    for model, parts in found.items():
        if model in columns and 0.5 not in parts and any(_SIDE.fullmatch(name) for name in parts.values()):
            found[model] = {0.5: model, **parts}
    return {model: parts for model, parts in found.items() if len(parts) > 1}


def of_equal_levels(found: Mapping[str, Mapping[float, str]], source: str) -> tuple[float, ...]:
    """The levels that all models have forecasts of; refused where they differ."""
    by_model = {model: tuple(sorted(parts)) for model, parts in found.items()}
    if len(set(by_model.values())) > 1:
        told = "; ".join(f"{model} {', '.join(f'{q:g}' for q in levels)}" for model, levels in by_model.items())
        raise InvalidInput(f"{source}: all models must have forecasts of the same quantiles, got {told}")
    return next(iter(by_model.values()))


def class_scores(sheet: Sheet, columns: Mapping[str, str]) -> Array:
    """The scores of one model, a column for each class in the order of the labels."""
    return np.column_stack([sheet.numbers(columns[label]) for label in sorted(columns)])


# ---- Columns in which people judge: a judge checked by people is no comparison of two models.

_GOLD = ("gold", "gold_label", "gold_score")
"""Names of a truth that people gave; where it is sparse it checks other scores."""


def checked_by_people(sheet: Sheet, name: str) -> InvalidInput:
    """The refusal of a table whose column `name` holds what people say of the items."""
    labelled = labelled_share(sheet, name)
    return InvalidInput(
        f"{sheet.source} looks like a judge checked by people: column {name!r} has labels of {labelled:,} of "
        f"{len(sheet):,} rows, and does not say of which model's answers.\n"
        f"Labels by model stand in columns {name}_a and {name}_b for models a and b, or in a long table (model, item, "
        "score, human).\n"
        f"If the question is which of several judges agrees with people, say {column('truth', name)}; leave it out "
        f"with {column('human', NO_COLUMN)}, or, if it is a model, say {column('model', name)}"
    )


_PEOPLE = ("human", "human_label", "human_score", "expert", "people")
"""What stands before or behind a model's name where a column has the labels that people gave its answers."""


def with_people(sheet: Sheet, roles: Roles) -> Roles:
    """The roles with columns such as ``human_new`` and ``new_human`` beside a model ``new`` among the `human` ones."""
    found = people_of(sheet, roles)
    if not found or "human" in roles.declined:
        return roles
    columns = tuple(chain.from_iterable(found.values()))
    told = Decision(
        what="human",
        value=f"columns {', '.join(map(repr, columns))} hold what people say of {', '.join(map(repr, found))}",
        how="declared" if "human" in roles.declared else "by its name",
        change="columns={'human': …} (--column human=…)",
    )
    return roles.giving("human", columns, told)


def people_of(sheet: Sheet, roles: Roles) -> dict[str, tuple[str, ...]]:
    """By model the columns with what people say of its answers, numbered where there are several people; or nothing."""
    declared = roles.all("human") if "human" in roles.declared else ()
    named = {normalised(name): name for name in (declared or sheet.header) if name}
    free = [name for name in sheet.header if name and name not in named.values()] if declared else list(sheet.header)
    said = {word: name for word, name in named.items() if any(people in word for people in _PEOPLE)}
    if len(said) < 2:
        return {}
    forms: dict[str, str] = {}
    for model in free:
        word = normalised(model)
        for people in _PEOPLE:
            forms |= dict.fromkeys((f"{people}_{word}", f"{word}_{people}", f"{people}:{word}"), model)
    found: dict[str, tuple[str, ...]] = {}
    for word, name in said.items():
        of = next((forms[form] for form in (word, *_unnumbered(word)) if form in forms), None)
        if of is not None:
            found[of] = (*found.get(of, ()), name)
    return {model: found[model] for model in free if model in found} if len(found) > 1 else {}


def _unnumbered(word: str) -> Iterator[str]:
    """Without the number of a person: ``human_a_2``, ``human_2_a``, ``human2_a``."""
    yield re.sub(r"_\d+$", "", word)
    yield re.sub(rf"^({'|'.join(_PEOPLE)})_?\d+([_:])", r"\1\2", word)
    yield re.sub(rf"_({'|'.join(_PEOPLE)})_?\d+$", r"_\1", word)


def said_by_people(sheet: Sheet, columns: Sequence[str]) -> Array:
    """What each of these columns holds, (rows, people)."""
    return np.column_stack([sheet.marks(name) for name in columns])


def people_column(sheet: Sheet, roles: Roles) -> str | None:
    """The column in which people judge: one that is called so, or a sparse ``gold`` beside numbers."""
    name = roles.get("human")
    if name is not None:
        return None if people_of(sheet, roles) else name
    gold = roles.get("truth")
    sparse = gold is not None and normalised(gold) in _GOLD and labelled_share(sheet, gold) < len(sheet)
    return gold if sparse and "truth" not in roles.declared else None


def labelled_share(sheet: Sheet, name: str) -> int:
    """How many rows people have labelled."""
    cells = sheet.categories(name)
    empty = [code for code, cell in enumerate(cells.labels) if cell.lower() in MISSING]
    return len(sheet) - int(sum(cells.counts()[code] for code in empty))


# ---- Columns that number the rows, whatever they are called: no model has the scores 1, 2, 3 …

_FEWEST = 3
_ASIDE = frozenset(
    {"n", "instances", "samples", "examples", "support", "features", "attributes", "classes"}
    | {"p_value", "pvalue", "p_val", "significance", "num_examples", "num_samples"}
    | {"n_items", "n_samples", "n_examples", "n_instances", "n_features", "n_classes"}
)
"""Names of columns that say how large a data set is, or what a test found."""
"""Rows from which 0, 1, 2 … or 1, 2, 3 … is a numbering."""


_PARTS = frozenset(("train", "training", "test", "testing", "val", "valid", "validation", "dev", "holdout", "eval"))
"""What a column called ``split`` says of rows that are no folds."""


def _without_parts(sheet: Sheet, roles: Roles) -> Roles:
    """The roles without a fold that says which rows were trained on; that all count is then an assumption."""
    name = roles.get("fold")
    parts = () if name is None or "fold" in roles.declared else sheet.categories(name).labels
    if name is None or not parts or not {part.lower() for part in parts} <= _PARTS:
        return roles
    told = Decision(
        what="partition", value=f"rows of all parts of column {name!r} count ({', '.join(parts)})", how="assumed",
        change="leave out the rows of the others",
    )  # fmt: skip
    return roles.giving("fold", (), *([told] if len(parts) > 1 else []), passed=(*roles.passed, name))


def is_free_text(sheet: Sheet, name: str, truth: str) -> bool:
    """Whether a column is no model's because it says something else on almost every row, and never a true label."""
    cells = sheet.categories(name)
    known = set(sheet.categories(truth).labels)
    many = len(cells.labels) > max(_FEWEST, len(cells) / 2) > len(known)
    return many and known.isdisjoint(cells.labels) and not sheet.is_mostly_numeric(name)


def with_numbering(sheet: Sheet, roles: Roles) -> Roles:
    """The roles with columns that number the rows among the `index`; a column of train and test is no fold."""
    roles = _without_parts(sheet, roles)
    free = [name for name in sheet.header if name not in roles.taken and _numbers_rows(sheet, name)]
    aside = [name for name in sheet.header if name not in {*roles.taken, *free} and normalised(name) in _ASIDE]
    if len(sheet.header) - len({*roles.taken, *free, *aside}) > 1:
        free += aside
    if not free:
        return roles
    told = tuple(
        Decision(
            what="numbering", value=f"column {name!r} {'describes' if name in aside else 'numbers'} the rows",
            how="assumed", change=f"columns={{'model': …}} (--column {quote(f'model={name}')})",
        )
        for name in free
    )  # fmt: skip
    found = {**roles.found, "index": (*roles.all("index"), *free)}
    return replace(roles, found=found, decisions=(*roles.decisions, *told))


def _numbers_rows(sheet: Sheet, name: str) -> bool:
    if len(sheet) < _FEWEST or not sheet.is_numeric(name):
        return False
    values = sheet.numbers(name)
    return values[0] in (0, 1) and bool((np.diff(values) == 1).all())


# ---- Rows and columns that summarise others, as tables in papers and spreadsheets have them.

_SUMMARIES = frozenset((
    "total", "sum", "grand_total", "overall", "average", "avg", "mean", "median", "geometric_mean", "geomean",
    "arithmetic_mean", "macro_average", "macro_avg", "micro_average", "micro_avg", "weighted_average", "weighted_avg",
    "std", "sd", "stdev", "std_dev", "standard_deviation", "min", "max", "minimum", "maximum", "mean_rank",
    "average_rank", "avg_rank", "rank", "count", "wins", "w/t/l", "w/d/l", "win/tie/loss", "wins/ties/losses",
    "diff", "difference", "delta",
))  # fmt: skip
_MANY = 5
_LAST = 4  # Rows at the end among which summaries stand, besides the first row.


def is_summary(name: str) -> bool:
    """Whether a row or a column is called like a summary of others.

    >>> is_summary("Average"), is_summary("Std. dev"), is_summary("mean-teacher")
    (True, True, False)
    """
    return normalised(name).replace(".", "").strip("#:()_") in _SUMMARIES


def refuse_beside_models(names: Sequence[str], source: str) -> None:
    """Refuse columns that say something about two and more others: ``a``, ``b``, ``confidence_a``, ``confidence_b``."""
    plain = {normalised(name).replace(".", "_") for name in names}
    about: dict[str, set[str]] = {}
    for name in plain:
        first, last = name.partition("_"), name.rpartition("_")
        for word, rest in ((first[0], first[2]), (last[2], last[0])):
            if rest in plain:
                about.setdefault(word, set()).add(rest)
    if words := [word for word, models in about.items() if len(models) > 1]:
        raise InvalidInput(
            f"{source}: columns with {words[0]!r} in their names look like something else about the others.\n"
            f"Name the columns that are models ({column('model', 'NAME')})"
        )


def without_summaries(sheet: Sheet, label: str | None) -> tuple[Sheet, tuple[Decision, ...]]:
    """The sheet without rows that summarise the others by the cell of the column `label`, and what is said of them."""
    if label is None or len(sheet) < _FEWEST:
        return sheet, ()
    places = sorted({0, *range(max(0, len(sheet) - _LAST), len(sheet))})
    cells = dict(zip(places, sheet.cells.texts(sheet.positions[label], np.array(places)), strict=True))
    rows = [row for row in places if is_summary(cells[row])]
    if not rows:
        return sheet, ()
    kept = [row for row in range(len(sheet)) if row not in rows]
    everything = sheet.rows
    left = replace(sheet, cells=RowCells([everything[row] for row in kept]), lines=[sheet.lines[row] for row in kept])
    names = ", ".join(repr(cells[row]) for row in sorted(rows))
    told = f"row{'s' * (len(rows) > 1)} {names} of column {label!r}: summaries of the others, left out"
    return left, (Decision(what="summary", value=told, how="assumed", change="another name in this column"),)


_QUANTITIES = frozenset(
    {"mean", "std", "sd", "stdev", "se", "sem", "var", "variance", "ci", "low", "high", "lower", "upper", "min", "max"}
    | {"median", "n", "count", "p", "pvalue"}
)
"""What tables tell of a model besides its scores."""


def is_quantity(word: str) -> bool:
    """Whether a word in a column's name is a metric, or what else is told of a model."""
    return word in _QUANTITIES or role_of(word) == "score" or is_loss(word) is not None


def computed(sheet: Sheet, names: Sequence[str]) -> dict[str, str]:
    """Of columns of numbers, those that are called like a summary and are one of the others, with what they are."""
    values = {name: sheet.marks(name) for name in names}
    found: dict[str, str] = {}
    for name in (*filter(is_summary, names), *(name for name in names[-1:] if not is_summary(name))):
        rest = np.array([values[other] for other in names if other != name and other not in found])
        if len(rest) < 2:
            continue
        if not is_summary(name):  # no third model is what two others differ by, on so many rows
            apart = rest[0] - rest[1]
            told = any(np.allclose(values[name], form, atol=1e-9) for form in (apart, -apart))
            if len(rest) == 2 and len(apart) >= _MANY and told and np.ptp(apart) > 0:
                found[name] = "difference"
            continue
        forms = {"mean": rest.mean(axis=0), "sum": rest.sum(axis=0), "largest": rest.max(axis=0)}
        forms |= {"least": rest.min(axis=0), "median": np.median(rest, axis=0), "spread": rest.std(axis=0)}
        forms |= {
            "spread ": rest.std(axis=0, ddof=1), "difference": rest[0] - rest[1], "difference ": rest[1] - rest[0],
        }  # fmt: skip
        near = 0.006 * max(1.0, float(np.nanmax(np.abs(rest))))  # rounded to two digits
        same = (what for what, form in forms.items() if np.allclose(values[name], form, atol=near, equal_nan=True))
        if (what := next(same, "")) and np.ptp(rest, axis=0).any():
            found[name] = what.strip()
    return found


# ---- Times until an event, and whether it happened.

SURVIVAL_ROLES = ("duration", "event")


def survival_columns(sheet: Sheet, columns: Columns | None, *, asked: bool = False) -> dict[str, str]:
    """The columns of time and event as roles to be declared; none where the table has no such.

    `sheet`, `columns`: the table, and what columns were declared; one declared to be the time is the duration. `asked`:
    whether a metric was asked for that needs them.
    """
    said = dict(columns or {})
    if "time" in said and "duration" not in said:
        said["duration"] = said["time"]
    own = {role: said[role] for role in SURVIVAL_ROLES if role in said}
    roles = assign_roles(sheet.header, own, source=sheet.source, only=SURVIVAL_ROLES)
    told = asked or "event" in roles.declared
    found = {role: name for role in SURVIVAL_ROLES if (name := roles.get(role)) is not None}
    if len(found) == 2 and (told or ("truth" not in said and _may_be_survival(sheet, **found))):
        return found
    if told:
        raise missing_roles(
            sheet.source,
            f"columns {sheet.describe_columns()}",
            {role: "" for role in SURVIVAL_ROLES if role not in found},
        )
    return {}


def _may_be_survival(sheet: Sheet, duration: str, event: str) -> bool:
    """Whether nothing speaks against it: events are yes and no, times are numbers of which none is negative."""
    events = {cell.strip().lower() for cell in sheet.categories(event).labels}
    if len(events) != 2 or not events <= HAPPENED | CENSORED or any(role_of(name) == "truth" for name in sheet.header):
        return False
    try:
        return bool((sheet.numbers(duration) >= 0).all())
    except InvalidInput:
        return False


SURVIVAL = Decision(
    what="metric",
    value="what is compared is Harrell's C-index of the times and events, higher scores being higher risks",
    how="assumed",
    change="metric='c_index_uno' (--metric c_index_uno)",
)


# ---- The column that says when each row was: one that was declared, or one that is called so and can order the
# rows.


def with_time(sheet: Sheet, roles: Roles, rows: NDArray[np.int64] | None = None, *, keep: bool = False) -> Roles:
    """The roles with one column of times at most, which can order the rows; others that are called so have no role.

    `sheet`, `roles`: the table, and what its columns were taken for. `rows`: those of one model, where others repeat
    their times; all without them. `keep`: whether columns that are called like a time and can't order rows stay taken:
    they are no models.
    """
    named = (*roles.all("time"), *roles.ambiguous.get("time", ()))
    if not named or "time" in roles.declared:
        return _by_date(sheet, _items_as_series(sheet, roles))
    column = next((name for name in named if is_time(_cells(sheet, name, rows))), None)
    rest = tuple(name for name in named if name != column)
    found = replace(
        roles,
        found={role: names for role, names in roles.found.items() if role != "time"}
        | ({} if column is None else {"time": (column,)}),
        ambiguous={role: names for role, names in roles.ambiguous.items() if role != "time"},
        passed=(*roles.passed, *rest) if keep else roles.passed,
        decisions=(*_decided(roles.decisions, column), *(() if column else _no_order(sheet, named[0], rows))),
    )
    return _by_date(sheet, _items_as_series(sheet, found))


SERIES = "series"  # What the decision is called that items are series.


def _items_as_series(sheet: Sheet, roles: Roles) -> Roles:
    """The roles with a column of items as series where its rows are the times of each, as AutoGluon's frames have it.

    Rows of one item with different truths are no trials of it.
    """
    item, time, truth = roles.get("item"), roles.get("time"), roles.get("truth")
    taken = roles.declared & {"item", "group"} or roles.get("group") is not None or roles.get("trial") is not None
    if item is None or time is None or truth is None or taken or sheet.repeated(item) is None:
        return roles
    of, dates, true = (sheet.categories(name) for name in (item, time, truth))
    values = len(np.unique(of.codes.astype(np.int64) * len(true.labels) + true.codes))
    if not sheet.is_mostly_numeric(truth) or values < (len(sheet) + len(of.labels)) / 2 or len(dates.labels) < 2:
        return roles
    told = Decision(
        what=SERIES, value=f"column {item!r} names the series that each row is a time of", how="assumed",
        change="columns={'item': …} (--column item=…)",
    )  # fmt: skip
    found = roles.giving("item", (), told)
    single = len(of.labels) == 1
    return replace(found, passed=(*roles.passed, item)) if single else found.giving("group", (item,))


ENOUGH_DATES = 30
"""Dates from which losses of several series are averaged by date: the test by dates keeps its level from there on."""


def _by_date(sheet: Sheet, roles: Roles) -> Roles:
    """Series that share their dates are no clusters: what happens on a date happens to all of them."""
    series, time = roles.get("group"), roles.get("time")
    named = series is not None and normalised(series) in SERIES_NAMES
    if time is None or series is None or "group" in roles.declared:
        return roles
    if not named and all(one.what != SERIES for one in roles.decisions):
        return roles
    dates, of = sheet.categories(time), sheet.categories(series)
    pairs = len(np.unique(of.codes.astype(np.int64) * len(dates.labels) + dates.codes))
    if len(dates.labels) < ENOUGH_DATES or pairs < 1.5 * len(dates.labels) or len(of.labels) < 2:
        return roles
    told = Decision(
        what="panel", value=f"the {len(of.labels)} series share dates, so losses are averaged by date", how="assumed",
        change=f"groups={series!r} (--groups {series})",
    )  # fmt: skip
    return roles.giving("group", (), told, offered=(series, *roles.offered))


FEW_UNREADABLE = 0.1  # Of the cells of a column of times: up to this share they are mistakes.


def _no_order(sheet: Sheet, name: str, rows: NDArray[np.int64] | None) -> tuple[Decision, ...]:
    """That a column called like a time can't be read; numbers that are no order (hours of a day) need no word.

    A few cells without a date among dates are a mistake, and to take the rows as independent would be another.
    """
    cells = _cells(sheet, name, rows)
    known = {cell: bool(cell) and is_time([cell, cell]) for cell in set(cells)}
    readable = [cell for cell in cells if known[cell]]
    if len(readable) == len(cells) and not any("/" in cell for cell in cells):
        return ()
    strange = next((cell for cell in cells if not known[cell]), cells[0])
    if (1 - FEW_UNREADABLE) * len(cells) <= len(readable) < len(cells) and is_time(readable):
        raise InvalidInput(
            f"{sheet.source}: column {name!r} holds {strange!r} among dates such as {readable[0]}: correct it, or say "
            f"that rows have no order of time ({column('time', NO_COLUMN)})"
        )
    what = f"{strange!r} is no date that is written like 2024-01-31"
    value = f"rows are not ordered by time: column {name!r} holds no readable times ({what})"
    return (Decision(what="time", value=value, how="assumed", change=f"columns={{'time': …}} (--time {name})"),)


def _cells(sheet: Sheet, name: str, rows: NDArray[np.int64] | None) -> list[str]:
    column = sheet.column(name)
    return column if rows is None else [column[row] for row in rows.tolist()]


def _decided(decisions: Iterable[Decision], column: str | None) -> Iterable[Decision]:
    for one in decisions:
        if one.what != "time":
            yield one
        elif column is not None:
            yield replace(one, value=f"column {column!r} is the time", how="by its name")
