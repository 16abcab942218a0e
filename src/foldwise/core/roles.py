"""Roles of columns: the one table of what a column may be, the names by which it is recognised, and who decided it.

Every door (judge, predictions, scores, table, watch, the page) gives its columns their roles here: those that were
declared first, then by name, and each with its `Decision`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput, UnknownName, column
from foldwise.core.time_order import TIME_NAMES

NO_COLUMN = "none"  # What people say instead of a column's name where there is to be none.

Columns = Mapping[str, str | Sequence[str]]
"""Columns that somebody declared, by role; several columns may be models or groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a column may be."""

    name: str  #: As ``--column ROLE=NAME`` and ``columns={ROLE: NAME}`` take it
    meaning: str  #: What such a column holds, for people
    names: tuple[str, ...]  #: Names that tell it, normalised; those that tell more come first
    weak: tuple[str, ...] = ()  #: Names that tell it only where no column has one of `names`
    several: bool = False  #: Whether several columns may have it


FOLD_NAMES = ("fold", "folds")
"""What a column that numbers the folds of a cross-validation is called, and random splits are not."""

SERIES_NAMES = ("series", "unique_id", "series_id", "ts_id")
"""Names of clusters that are series of forecasts, of which there may be one only."""

_TABLE = (
    Role(
        name="truth",
        meaning="the true label or value of each row",
        names=(
            "truth", "y_true", "true_label", "true_labels", "ground_truth", "label", "labels", "target", "targets",
            "actual", "y", "y_test", "gold", "gold_label", "class", "true_class", "true", "reference", "expected",
        ),
    ),
    Role(
        name="model",
        meaning="the model of each row, or a column with the values of one model",
        names=(
            "model", "learner", "algorithm", "classifier", "estimator", "method", "framework", "system", "model_name",
            "model_id",
        ),
        weak=("name", "agent", "submission"),
        several=True,
    ),
    Role(
        name="item",
        meaning="the test item of each row",
        names=(
            "item", "item_id", "example", "example_id", "question_id", "doc_id", "sample_id", "instance_id", "row_id",
            "prompt_id", "problem_id", "query_id", "qid", "case_id", "test_case", "prompt", "question", "query",
            "instruction", "input",
        ),
        weak=(
            "task_id", "id", "uid", "uuid", "utterance", "utterance_id", "utt", "utt_id", "segment", "segment_id",
            "sentence", "sentence_id", "sent_id", "image", "image_id", "case", "doc", "request", "request_id",
            "instance", "test_id", "testcase", "idx",
        ),
    ),
    Role(
        name="task",
        meaning="the data set or benchmark of each row",
        names=(
            "dataset", "data_set", "task", "problem", "benchmark", "task_name", "dataset_name", "dataset_config",
            "dataset_path",
        ),
        weak=("task_id",),
    ),
    Role(
        name="trial",
        meaning="which trial of its item a row is",
        names=("trial", "trial_id", "epoch", "sample", "sample_idx", "sample_index", "attempt"),
    ),
    Role(
        name="run",
        meaning="the run of a resampling",
        names=("run", "repeat", "repetition", "rep", "replication", "replicate", "iteration"),
    ),
    Role(name="seed", meaning="the seed of a training", names=("seed", "random_state", "random_seed")),
    Role(
        name="fold",
        meaning="the fold or split of a resampling",
        names=("fold", "split", "cv_fold", "partition", "resample"),
    ),
    Role(
        name="metric",
        meaning="the metric that a row's score belongs to",
        names=("metric", "measure", "metric_name", "scorer", "eval_metric"),
    ),
    Role(
        name="score",
        meaning="the numbers to compare",
        names=(
            "score", "value", "result", "metric_error", "test_error", "test_score", "metric_value", "accuracy", "acc",
            "correct", "is_correct", "mark", "auc", "f1", "error", "error_rate", "loss",
        ),
    ),
    Role(
        name="group",
        meaning="what items belong together",
        names=("group", "groups", "cluster", "clusters", "group_id", "cluster_id", *SERIES_NAMES),
    ),
    Role(name="time", meaning="when each row was", names=TIME_NAMES),
    Role(
        name="rater",
        meaning="the judge or annotator who gave a row's score",
        names=(
            "judge", "annotator", "rater", "grader", "reviewer", "evaluator", "assessor", "judge_id", "judge_model",
            "judge_name", "annotator_id", "rater_id", "worker_id",
        ),
    ),
    Role(
        name="reader",
        meaning="the reader who scored the case of each row",
        names=("reader", "reader_id", "radiologist", "pathologist", "observer"),
    ),
    Role(
        name="human",
        meaning="what people say of the items, by which a judge's scores are checked",
        names=(
            "human", "human_label", "human_score", "human_rating", "human_grade", "human_mark", "human_judgment",
            "human_judgement", "human_annotation", "expert", "expert_label", "expert_score", "expert_rating",
            "annotation", "annotator_score", "annotator_label", "annotator_rating", "manual_label", "manual_score",
        ),
        several=True,
    ),
    Role(
        name="origin",
        meaning="when a forecast was made",
        names=("cutoff", "origin", "forecast_origin", "forecast_date", "fcst_date", "cutoff_date"),
    ),
    Role(
        name="horizon",
        meaning="how many periods ahead a forecast is",
        names=("horizon", "lead_time", "lead", "steps_ahead", "step_ahead", "h"),
    ),
    Role(
        name="event",
        meaning="whether the event happened (1), or the item was censored (0)",
        names=(
            "event", "event_observed", "observed", "status", "vital_status", "died", "death", "dead", "os_status",
            "fustat",
        ),
    ),
    Role(
        name="duration",
        meaning="how long until the event, or until the item was censored",
        names=(
            "duration", "survival_time", "time_to_event", "tte", "event_time", "follow_up", "followup",
            "follow_up_time", "futime", "os_time", "os_months", "survival",
        ),
        weak=("time", "days", "months", "years"),
    ),
    Role(name="condition", meaning="what was known when a forecast was made, and may tell which is better", names=()),
    Role(name="limit", meaning="a limit of a model's prediction interval", names=()),
    Role(name="slice", meaning="what items are sliced by (difficulty, language …)", names=()),
    Role(name="n_train", meaning="training examples of a split", names=("n_train",)),
    Role(name="n_test", meaning="test examples of a split", names=("n_test",)),
    Role(
        name="index", meaning="the number or name of a row", names=("index", "row", "row_number", "level_0"),
        weak=("name",),
    ),
)  # fmt: skip

ROLES: dict[str, Role] = {role.name: role for role in _TABLE}  # Every role, by name.

_OFFERED = frozenset((
    "passage", "passage_id", "subject", "subject_id", "patient", "patient_id", "document", "document_id", "doc",
    "speaker", "speaker_id", "recording", "recording_id", "conversation_id", "session_id", "category",
))  # fmt: skip
"""Columns that may say which items belong together; nobody knows whether they do."""

_PARTS = ("item", "run", "seed", "fold")
"""Roles by which rows are parts of something, so that a name beside them is a model's."""

_LIMIT = re.compile(r"(?P<model>.+)-(lo|hi)-\d+(\.\d+)?")
"""How Nixtla's packages call the limits of a model's prediction intervals: ``AutoETS-lo-90``."""

_UNNAMED = re.compile(r"unnamed:_\d+(_level_\d+)?|index_level_\d+")  # What pandas calls what has no name.


@lru_cache(maxsize=4096)  # of every file, each name is compared with all names of roles
def normalised(name: str) -> str:
    """A column's name as roles are recognised by it: case, blanks, ``_`` and ``-`` make no difference.

    >>> normalised("True Label"), normalised("prompt-ID"), normalised("Unnamed: 0")
    ('true_label', 'prompt_id', 'unnamed:_0')
    """
    return re.sub(r"[\s_-]+", "_", name.strip().lower()).strip("_")


def is_index(name: str) -> bool:
    """Whether a column numbers or names rows, and can be neither truth nor model: ``""``, ``Unnamed: 0``, ``index``."""
    word = normalised(name)
    return not name.strip() or word in ROLES["index"].names or _UNNAMED.fullmatch(word) is not None


def role_of(name: str) -> str | None:
    """The role that the name of a column tells, where it tells one.

    >>> role_of("Prompt ID"), role_of("alpha-7b")
    ('item', None)
    """
    word = normalised(name)
    if is_index(name):
        return "index"
    told = (role.name for names in ("names", "weak") for role in _TABLE if word in getattr(role, names))
    return next(told, "group" if word in _OFFERED else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    #: The columns of each role that has one, the first for roles of a single column
    found: Mapping[str, tuple[str, ...]]
    #: Further columns whose name would tell the role
    ambiguous: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: Columns that may say which items belong together, and are taken for it only if somebody says so
    offered: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()  #: Columns whose name tells a role of which somebody said that no column has it
    declared: frozenset[str] = frozenset()  #: Roles that somebody named columns for
    declined: frozenset[str] = frozenset()  #: Roles of which somebody said that no column has them
    decisions: tuple[Decision, ...] = ()  #: How each came about

    def get(self, role: str) -> str | None:
        columns = self.found.get(role, ())
        return columns[0] if columns else None

    def all(self, role: str) -> tuple[str, ...]:
        return self.found.get(role, ())

    @property
    def taken(self) -> set[str]:
        held = (*self.found.values(), *self.ambiguous.values(), self.offered, self.passed)
        return {name for columns in held for name in columns}

    def giving(self, role: str, columns: tuple[str, ...], *told: Decision, **other: tuple[str, ...]) -> Roles:
        """The same with these columns of a role, if any, and what is decided of it now; `other` fields are replaced."""
        found = {name: held for name, held in self.found.items() if name != role}
        decisions = (*(one for one in self.decisions if one.what != role), *told)
        return replace(self, found=found | ({role: columns} if columns else {}), decisions=decisions, **other)  # type: ignore[arg-type]

    def of(self, name: str) -> str | None:
        return next((role for role, columns in self.found.items() if name in columns), None)


def assign_roles(
    header: Sequence[str], columns: Columns | None = None, *, source: str, only: Collection[str] = tuple(ROLES),
    by_name: Collection[str] | None = None,
) -> Roles:  # fmt: skip
    """Give the columns of a table their roles: those declared, then those that their names tell.

    `columns` names by role the column (or columns) that somebody declared, ``"none"`` for no column. `only` are the
    roles that the table may have; a name tells those in `by_name`, or any of them. `source` is what messages call the
    table.

    >>> roles = assign_roles(["Prompt ID", "model", "score"], source="a.csv")
    >>> roles.get("item"), str(roles.decisions[1])
    ('Prompt ID', "column 'Prompt ID' is the item (by its name; columns={'item': …} (--column item=…) if not)")
    """
    declared = {role: names for role, given in (columns or {}).items() if (names := _as_written(header, given))}
    _check(header, declared, source, only)
    declined = frozenset(role for role, names in declared.items() if names == (NO_COLUMN,))
    found = {role: names for role, names in declared.items() if role not in declined}
    said, ambiguous = frozenset(found), dict[str, tuple[str, ...]]()
    taken = {name for names in found.values() for name in names}
    told = only if by_name is None else by_name
    for names_of in (_strong, _weak):
        for role in (one for one in _TABLE if one.name in told and one.name not in {*found, *declined}):
            if names_of is _weak and role.name == "model" and found.keys().isdisjoint(_PARTS):
                continue  # names of data sets, for all that is known
            names = tuple(name for name in names_of(role, header) if name not in taken)
            if names:
                several = role.name in ("index", "limit", "human")
                found[role.name] = names if several else names[:1]
                ambiguous |= {role.name: names[1:]} if names[1:] and not several else {}
                taken.update(names)
    offered = [name for name in header if name not in taken and normalised(name) in _OFFERED and "group" in only]
    return Roles(
        found=found, ambiguous=ambiguous, offered=tuple(offered),
        passed=tuple(name for role in declined for name in _named(ROLES[role], header) if name not in taken),
        declared=said, declined=declined,
        decisions=tuple(_decision(role, found[role], role in said, ambiguous) for role in ROLES if role in found),
    )  # fmt: skip


def _as_written(header: Sequence[str], given: str | Sequence[str]) -> tuple[str, ...]:
    """The names that somebody gave, as the table writes them: ``passage`` for ``Passage``, if there is one only."""
    names = (given,) if isinstance(given, str) else tuple(given)
    alike = {name: [one for one in header if normalised(one) == normalised(name)] for name in names}
    return tuple(name if name in header or len(alike[name]) != 1 else alike[name][0] for name in names)


def _strong(role: Role, header: Sequence[str]) -> list[str]:
    if role.name == "limit":
        return [name for name in header if (of := _LIMIT.fullmatch(name)) is not None and of["model"] in header]
    if role.name == "index":
        return [name for name in header if is_index(name)]
    if role.name == "human":  # of several people: human, human_2, human_3
        return [name for name in header if re.sub(r"_?\d+$", "", normalised(name)) in role.names]
    return _in_order(role.names, header)


def _named(role: Role, header: Sequence[str]) -> list[str]:
    return [*_strong(role, header), *_weak(role, header)]


def _weak(role: Role, header: Sequence[str]) -> list[str]:
    long = bool(_in_order(ROLES["model"].names, header))  # where a document may be the item of several models' rows
    return [name for name in _in_order(role.weak, header) if long or normalised(name) not in _OFFERED]


def _in_order(words: Iterable[str], header: Sequence[str]) -> list[str]:
    """The columns with these names, those that tell more first."""
    return [name for word in words for name in header if normalised(name) == word]


def _decision(role: str, names: tuple[str, ...], declared: bool, ambiguous: Mapping[str, tuple[str, ...]]) -> Decision:
    told = f"column {names[0]!r} is" if len(names) == 1 else f"columns {', '.join(map(repr, names))} are"
    others = ambiguous.get(role, ())
    also = f", not {' or '.join(map(repr, others))}" if others and not declared else ""
    return Decision(
        what=role,
        value=f"{told} the {role}{also}",
        how="declared" if declared else "assumed" if others else "by its name",
        change=f"columns={{{role!r}: …}} (--column {role}=…)",
    )


def _check(header: Sequence[str], declared: Mapping[str, tuple[str, ...]], source: str, only: Collection[str]) -> None:
    owner: dict[str, str] = {}
    for role, names in declared.items():
        if role not in ROLES:
            raise UnknownName("role of a column", role, only)
        if role not in only:
            raise InvalidInput(f"no column of {source} can be the {role} here: {', '.join(only)} can")
        if len(names) > 1 and not ROLES[role].several:
            raise InvalidInput(f"one column can be the {role}, got {', '.join(names)}")
        for name in names:
            if names == (NO_COLUMN,):
                _refuse_column_none(header, source)
                continue
            if name not in header:
                raise InvalidInput(f"{source} has no column {name!r}; it has {_some(header)}")
            if name in owner and owner[name] != role:
                raise InvalidInput(f"{source}: column {name!r} can't be the {owner[name]} and the {role} at once")
            owner[name] = role


def _refuse_column_none(header: Sequence[str], source: str) -> None:
    if NO_COLUMN in header:
        raise InvalidInput(
            f"{source} has a column {NO_COLUMN!r}, so that {NO_COLUMN!r} could mean this column or no column: rename "
            "the column"
        )


def _some(names: Sequence[str], most: int = 12) -> str:
    rest = f" … and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(name or "(unnamed)" for name in names[:most]) + rest


def merged(columns: Columns | None, **named: str | None) -> dict[str, str | Sequence[str]]:
    """Columns that were declared together and by a parameter of their own, which must not differ.

    >>> merged({"item": "qid"}, truth="gold", group=None)
    {'item': 'qid', 'truth': 'gold'}
    """
    found = dict(columns or {})
    for role, name in named.items():
        if name is not None and found.setdefault(role, name) != name:
            raise InvalidInput(f"the {role} can't be column {found[role]!r} and column {name!r} at once")
    return found


def missing_roles(source: str, seen: str, roles: Mapping[str, str]) -> InvalidInput:
    """The refusal of a table some of whose roles no column has: what was seen, what is missing, how to name it.

    `roles` maps each missing role, any of which would do, to the column that may be it, or to nothing.
    """
    wanted = " or ".join(f"{role} ({ROLES[role].meaning})" for role in roles)
    how = " or ".join(column(role, guess or "NAME") for role, guess in roles.items())
    return InvalidInput(f"{source}: {seen}.\nNot found: {wanted}.\nName the column with {how}")
