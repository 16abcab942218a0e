"""One door for results that already exist: find out what was given, say it, and give the verdict of the right kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Never

from foldwise.comparison.from_table import OneTable, judge_table_of_outputs, table_in, understand_table
from foldwise.comparison.from_votes import VotesRead, judge_votes, line_votes_up, understand_votes, votes_in
from foldwise.comparison.judgement import Judgement, Understanding, understand
from foldwise.comparison.options import Options, options_of
from foldwise.comparison.over_items import judge_items, lacking_task
from foldwise.comparison.over_tasks import Known, judge_splits, judge_tasks
from foldwise.comparison.results import package_of
from foldwise.comparison.series_choice import Chosen, choose, settle
from foldwise.core.amounts import Amount
from foldwise.core.digest import digest
from foldwise.core.errors import FoldwiseError, InvalidInput, UnknownName
from foldwise.core.metric import UNNAMED
from foldwise.core.roles import NO_COLUMN, Columns, normalised
from foldwise.core.validation import one_of
from foldwise.evidence.missing import POLICIES, MissingRule, Policy
from foldwise.metrics.catalogue import known_metric
from foldwise.reading.archives import opened_archives
from foldwise.reading.catalogue import read_sources
from foldwise.reading.lineup import Candidate
from foldwise.reading.objects import is_object, read_object
from foldwise.reading.reader import Reading
from foldwise.reading.series import READINGS, ItemRows
from foldwise.reading.source import find_sources

Rows = Literal["tasks", "items", "splits", "last", "models"]

Given = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Mapping[str, Any]


OPTIONS = (
    "control", "adjust", "over", "runs", "n_train", "n_test", "penalty", "unit", "bounds", "filter", "inner",
    "each_task", "positive",
)  # fmt: skip


def judge(
    given: Given,
    *,
    columns: Columns | None = None,
    metric: str | None = None,
    groups: str | None = None,
    models: Sequence[str] = (),
    tasks: Sequence[str] = (),
    rows: Rows | None = None,
    higher_is_better: bool | None = None,
    missing: Policy | None = None,
    test: str = "auto",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    slices: str | None = None,
    options: Options | None = None,
    **misplaced: Never,
) -> Judgement:
    """Compare the models in files of any known format, or in results that Python holds.

    Parameters
    ----------
    given
        Files, folders, zip archives of them, and globs; or what Python holds already: by name of the model vectors of
        `cross_val_score` or dictionaries of `cross_validate`, a fitted search, a long or wide table as a frame.
    columns
        Of tables, by role the column (or columns) that have it, where their names do not tell: ``{"item": "prompt"}``.
        Roles are model, item, task, trial, run, seed, fold, metric, score, group, time, truth, human; ``"none"``: no
        column.
    metric
        What to compare where the files hold several metrics, with its filter after a comma where there are several:
        ``"exact_match"``, ``"exact_match,strict-match"``. Without it the one that most models and tasks have.
    groups
        Which of the offered clusters, or which column of a table, says which items belong together; ``"none"``: they
        are independent, also where a column is called group or cluster.
    models, tasks
        Names of those to compare, models in this order; all without them, in the order of the files.
    rows
        What rows are, where the files leave it open: ``"tasks"`` (data sets), ``"items"``, ``"splits"``, ``"last"``
        for steps of one training, of which the last value counts, or ``"models"`` (data sets are in columns).
    higher_is_better
        The direction, where neither the files nor the metric's name tell.
    missing
        What becomes of values that some model lacks (an absent row, an empty cell, an error, a failed trial):
        ``"drop"`` leaves the item out for all models and says how many values each lacked, ``"refuse"`` ends,
        ``"worst"`` puts the worst possible value of the metric in their place. Of splits and tasks likewise. Without
        it they are dropped, and the answer says so.
    candidate, baseline
        The model in question, or several, and the one that they are compared with: a and b of the comparison. Of three
        and more models all others are candidates if none is named. One of the given files or folders stands for the
        model in it.
    slices
        A column of items or votes (difficulty, language …): besides the verdict on all of them there is one on each of
        its values, adjusted for their number, and a test whether the difference is the same in all.
    test, alpha, rope, margin
        As in `compare_predictions`, `compare_scores` or `compare_table`; a test by name is for items.
    options
        What few people set: control, adjust, over, runs, n_train, n_test, penalty, unit, bounds, filter, inner and
        each_task of `Options`.

    Returns
    -------
    Judgement
        What was understood, and the verdict; ``print`` it.
    """
    options_of("judge", options, *OPTIONS, misplaced=misplaced)
    understood = understand_files(
        given, columns=columns, metric=metric, models=models, tasks=tasks, rows=rows, higher_is_better=higher_is_better,
        candidate=candidate, baseline=baseline, groups=groups, slices=slices, options=options,
    )  # fmt: skip
    return decide(understood, groups=groups, missing=missing, test=test, alpha=alpha, rope=rope, margin=margin)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Understood:
    """What was read and chosen, before anything is judged: votes, or series of values."""

    understanding: Understanding  #: What the files are
    chosen: Chosen | None = None  #: The values to compare
    #: The votes, and what `judge_votes` was asked
    votes: tuple[VotesRead, dict[str, Any]] | None = None
    table: OneTable | None = None  #: A table of one test set that is judged as predictions are
    slices: str | None = None  #: The column of items whose values are judged one by one, too
    options: Options  #: Those of `judge`
    frames: str = ""  #: The package of the frame that was given, if one was

    @property
    def digest(self) -> str:
        """Equal exactly when the values are, whatever the models are called."""
        if self.chosen is None:
            read = self.table
            return digest(self.votes if read is None else [read.sheet.column(name) for name in read.sheet.header])
        return digest([(one.task, one.measure, one.rows, one.values) for one in self.chosen.series])


def decide(
    understood: Understood, *, groups: str | None = None, missing: Policy | None = None, test: str = "auto",
    margin: Amount | None = None, **asked: Any,
) -> Judgement:  # fmt: skip
    """The verdict on what was read; parameters as those of `judge`."""
    one_of("drop" if missing is None else missing, "missing", POLICIES)
    chosen, understanding, o = understood.chosen, understood.understanding, understood.options
    one_of("tasks" if o.over is None else o.over, "over", ("tasks", "items"))
    asked["margin"] = margin
    if chosen is None:
        if understood.table is not None:
            return judge_table_of_outputs(
                understood.table, understanding, groups=groups, missing=missing, test=test, adjust=o.adjust, **asked
            )  # fmt: skip
        assert understood.votes is not None
        said, held = understood.votes
        few: dict[str, Any] = {"adjust": o.adjust, "penalty": o.penalty, "slices": understood.slices}
        return judge_votes(said, groups=groups, **few, **held, **asked)
    if o.penalty:
        raise InvalidInput(f"penalty is for votes, but these files hold {understanding.rows}")
    if o.control is not None and len(understanding.models) < 3:
        raise InvalidInput(f"control is for three and more models, got {' and '.join(understanding.models)}")
    offered = {normalised(name) for name in understanding.clusters}
    if groups is not None and not offered and normalised(groups) != NO_COLUMN:
        raise InvalidInput(f"groups must be a column of the files, or clusters that they name, got {groups!r}")
    if groups is not None and normalised(groups) not in {NO_COLUMN, *offered}:
        raise UnknownName("groups", groups, understanding.clusters)
    if groups is not None:  # somebody chose between series and dates
        left = tuple(one for one in understanding.columns if one.what != "panel")
        understanding = replace(understanding, columns=left)
    if chosen.roles.control is not None:
        asked["control"] = chosen.roles.control
    if o.adjust != "holm":
        if len(understanding.models) == 2 and understanding.rows != "tasks":
            raise InvalidInput(f"adjust is for three and more models, got {' and '.join(understanding.models)}")
        asked["adjust"] = o.adjust
    if understood.slices is not None and understanding.rows != "items":
        raise InvalidInput(f"slices are for items, but these files hold {understanding.rows}")
    if understanding.rows == "items":
        asked["test"] = test
    elif test != "auto":
        raise InvalidInput(f"test must be 'auto' where rows are {understanding.rows}: tests by name are for items")
    if missing == "refuse" and chosen.lacking:
        raise lacking_task(*next(iter(chosen.lacking.items())))
    told = (one for series in chosen.series for one in series.decisions if one.what == "failed")
    if missing is None and (failed := next(told, None)) is not None:
        raise InvalidInput(
            f"{failed.value}: count such items as the worst possible value with missing='worst' (--missing worst), or "
            "leave them out for all models with missing='drop' (--missing drop)"
        )
    rule = MissingRule(
        policy="drop" if missing is None else missing, how="assumed" if missing is None else "declared",
        higher_is_better=understanding.higher_is_better, bounds=o.bounds, unit=understanding.unit,
    )  # fmt: skip
    if understanding.rows == "items":
        found = judge_items(
            chosen, understanding, groups=groups, rule=rule, inner=o.inner, over=o.over, each_task=o.each_task,
            sliced=understood.slices, **asked,
        )  # fmt: skip
    elif understanding.rows == "splits":
        found = judge_splits(
            chosen, understanding, rule=rule, known=Known(runs=o.runs, n_train=o.n_train, n_test=o.n_test), **asked
        )
    else:
        found = judge_tasks(chosen, understanding, rule=rule, **asked)
    found = found.decided(*chosen.roles.decisions(margin))
    return replace(found, series=chosen.series, frames=understood.frames)


def explain(given: Given, **asked: Any) -> Understanding:
    """What `judge` would understand of the files, without a verdict; it takes the parameters that say what is read."""
    return understand_files(given, **asked).understanding


def _paths(given: Any) -> list[str | os.PathLike[str]]:
    listed = [given] if isinstance(given, str | os.PathLike) or not isinstance(given, Iterable) else list(given)
    for one in listed:
        if not isinstance(one, str | os.PathLike):
            raise InvalidInput(
                "given must be files or folders, a data frame, or by name of the model vectors, results of "
                f"cross-validation or studies, got {type(given).__name__} of {type(one).__name__}: rows belong into a "
                "data frame, arrays into a dict {'a': …, 'b': …}"
            )
    return listed


def read_given(given: Given, columns: Columns | None, metric: str | None) -> Reading:
    """The series in files or in what Python holds."""
    if is_object(given):
        return read_object(given, columns=columns)
    with opened_archives() as unpacked:
        return read_sources(find_sources(_paths(given), unpacked=unpacked), columns=columns, metric=metric)


def understand_files(
    given: Given, *, columns: Columns | None = None, metric: str | None = None, models: Sequence[str] = (),
    tasks: Sequence[str] = (), rows: Rows | None = None, higher_is_better: bool | None = None,
    groups: str | None = None, slices: str | None = None, options: Options | None = None, twice: str = "", **roles: Any,
) -> Understood:  # fmt: skip
    """Read what was given, and choose what is compared; parameters as those of `judge`.

    With `twice` a model that is there alone is compared with itself, its name and this.
    """
    o = options_of("judge", options, *OPTIONS)
    roles["control"] = o.control
    if rows is not None:
        one_of(rows, "rows", tuple(READINGS))
    places: dict[str, set[str]] = {}
    own = {**(columns or {}), **({} if slices is None else {"slice": slices})}
    asked = {
        "metric": metric, "models": models, "higher_is_better": higher_is_better, "positive": o.positive, "roles": roles
    }  # fmt: skip
    if is_object(given):
        votes, reading = votes_in(given, own), None
        read = table_in(given, own, twice=twice, **asked)
        if votes is None and read is None:
            reading = _grouped(lambda roles: read_object(given, columns=roles), columns, slices, groups)
    else:
        paths = _paths(given)
        with opened_archives() as unpacked:
            sources = find_sources(paths, unpacked=unpacked)
            votes, reading = votes_in(sources, own), None
            read = table_in(sources, own, twice=twice, **asked)
            if votes is None and read is None:
                reading = _grouped(
                    lambda roles: read_sources(sources, columns=roles, metric=metric), columns, slices, groups
                )
        for source in sources:
            places.setdefault(source.given, set()).add(source.name)
    if votes is not None:
        return Understood(
            understanding=understand_votes(votes, line_votes_up(votes.rows, models, **roles)),
            votes=(votes, {"models": models, **roles}),
            slices=slices,
            options=o,
        )
    if read is not None:
        return Understood(understanding=understand_table(read), table=read, slices=slices, options=o)
    assert reading is not None
    if o.positive is not None:
        raise InvalidInput(
            "positive is for metrics of outputs beside their truth, in one table (f1, roc_auc, log_loss …): name one "
            "with metric (--metric)"
        )
    settled, open_questions = settle(reading.series, rows)
    reading = replace(reading, left_out=(*reading.left_out, *open_questions))
    unnamed = {UNNAMED, "loss", "losses"}
    if metric is not None and known_metric(metric) is None and all(one.metric in unnamed for one in settled):
        settled = [replace(one, metric=metric) for one in settled]  # which the file does not name
    if twice:
        settled = [*settled, *(replace(one, model=one.model + twice) for one in settled)]
    chosen = choose(settled, metric=metric, variant=o.filter, models=models, tasks=tasks, places=places, **roles)
    if higher_is_better is not None:
        chosen = replace(chosen, series=tuple(replace(one, higher_is_better=higher_is_better) for one in chosen.series))
    return Understood(
        understanding=understand(reading, chosen, declared=higher_is_better is not None, unit=o.unit),
        chosen=chosen,
        slices=slices,
        options=o,
        frames=package_of(given),
    )


def _grouped(
    read: Callable[[Columns | None], Reading], columns: Columns | None, slices: str | None, groups: str | None
) -> Reading:
    """What is read, a column of a table that somebody calls its groups among the clusters, whatever its name."""
    reading = _sliced(read, columns, slices)
    known = {normalised(name) for one in reading.series for name in getattr(one.rows, "clusters", ())}
    if groups is None or normalised(groups) in {NO_COLUMN, *known} or "group" in (columns or {}):
        return reading
    try:
        return _sliced(read, {**(columns or {}), "group": groups}, slices)
    except FoldwiseError:
        return reading  # which offers others


def _sliced(read: Callable[[Columns | None], Reading], columns: Columns | None, slices: str | None) -> Reading:
    """What is read; of a table the column of slices is declared, logs know their own."""
    if not slices:
        return read(columns)
    try:
        return read({**(columns or {}), "slice": slices})
    except FoldwiseError:
        reading = read(columns)
        if not any(isinstance(one.rows, ItemRows) and one.rows.clusters for one in reading.series):
            raise
        return reading
