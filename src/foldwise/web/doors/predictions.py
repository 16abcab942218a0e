"""Predictions of two or more classifiers on one test set."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.comparison.from_counts import columns_asked
from foldwise.comparison.from_file import MarkOptions, holds_marks, judge_prediction_file
from foldwise.comparison.metric_evidence import MetricQuestion
from foldwise.comparison.one_model import estimate_prediction_file, holds_one, read_bars
from foldwise.comparison.options import Options
from foldwise.comparison.pairs import Adjust
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.core.metric import UNNAMED_MARK
from foldwise.core.roles import NO_COLUMN, merged, role_of
from foldwise.core.validation import one_of
from foldwise.data.formats import read_sheet
from foldwise.data.predictions import PredictionFile, read_predictions
from foldwise.designs import (
    CLUSTERED_MARKS,
    CLUSTERS,
    CROSSED,
    MARKS,
    METRICS,
    RANKING,
    RIGHT_WRONG,
    TIME_ORDER,
    UNPAIRED_SEEDS,
    Kind,
)
from foldwise.designs.human_labels import HUMAN_LABELS
from foldwise.designs.kind import AnyKind
from foldwise.reading.lineup import line_up
from foldwise.web.doors import base

COLUMNS = ("truth", "a", "b", "groups", "item", "seed_column", "time")  # Fields that name columns.

DEFAULTS = {"test": "auto", "adjust": "holm", "alpha": "0.05"}

ADJUST_WORDS: dict[Adjust, str] = {"holm": "Holm's", "max_t": "by the largest statistic (max-T)"}


def look(entry: base.Submission) -> base.Preview:
    """Which column is the truth, which are the classifiers, how many examples of which class."""
    sheet = read_sheet(entry.table)
    file, problem = _read(entry)
    roles = {} if file is None else file.roles
    parts = base.describe(sheet, roles)
    if file is not None:
        parts["facts"] += _facts(file)
    tests = _several(entry) if _is_several(file) else _tests(file, entry)
    held = () if file is None else base.role_fields(file.names, entry)
    free = [(name, name) for name in sheet.header if name and roles.get(name) in (None, "passed over")]
    hint = "a column such as difficulty: who is better on each of its values"
    sliced = entry.field("slice", "Slices", hint=hint, choices=(("", "all rows alike"), *free))  # fmt: skip
    return base.Preview(
        **parts,
        fields=(*_fields(_names(sheet.header, file), _roles(roles, file), entry), *_other_roles(sheet.header, entry)),
        options=(
            sliced,
            *metric_fields(file, entry),
            *tests,
            *mark_fields(file, entry),
            *held,
            *base.judging(entry),
            *_bar_field(file, entry),
        ),
        problem=problem,
    )


def answer(entry: base.Submission) -> Comparison | ErrorEstimate | EstimateSurvey:
    """The comparison, as the command makes it; of one model its metric."""
    alone = chosen_file(entry)
    if holds_one(alone):
        return estimate_prediction_file(
            alone, confidence_level=1 - entry.number("alpha", 0.05), question=metric_question(alone, entry),
            test=entry.get("test") or DEFAULTS["test"], marks=mark_options(alone, entry), bar=read_bars(_bars(entry)),
        )  # fmt: skip
    file, control = held_file(entry)
    several = _is_several(file)
    return judge_prediction_file(
        file,
        question=metric_question(file, entry),
        test=DEFAULTS["test"] if several else entry.get("test") or DEFAULTS["test"],
        control=control,
        adjust=_adjust(entry) if several else None,
        marks=mark_options(file, entry),
        **base.judged(entry),
    )


def command(entry: base.Submission) -> list[str]:
    """The same on the command line; what the command guesses as the page does is left out."""
    file, _ = _read(entry)
    chosen = entry
    if file is not None and len(file.names) == 2 and (entry.get("a") or entry.get("b")):
        # of several columns the command wants both
        chosen = replace(entry, options={**entry.options, **dict(zip(("a", "b"), file.names, strict=True))})
    words = ["predictions", entry.filename, *base.command_words(chosen, guessed_columns(entry), COLUMNS)]
    words += base.column_words(entry) + base.command_words(entry, {}, ("slice",))
    words += base.role_words(() if file is None else file.names, entry)
    several = file is not None and _is_several(file) and _is_several(_held(file, entry)[0])
    judged_words = base.command_words(entry, DEFAULTS, ("adjust" if several else "test", "alpha", "rope", "margin"))
    words += [f"--bar={bar}" for bar in _bars(entry)] if file is not None and holds_one(file) else []
    return words + metric_words(file, entry) + mark_words(file, entry) + judged_words


def python(entry: base.Submission) -> str:
    """With pandas; empty where rows hold more than answers of models (labels of people, seeds, scores of classes)."""
    frame = base.read_frame(entry)
    file, _ = held_file(entry)
    more = file.human or file.counts or file.levels or file.scores or file.seeds is not None
    if not frame or len(file.names) < 2 or more or file.condition is not None:
        return ""
    named = base.role_columns(file.roles)
    column = {role: base.Code(f"table[{name!r}]") for role, name in named.items()}
    marks, several, metrics = mark_options(file, entry) or {}, _is_several(file), asked_metrics(entry)
    options = Options(
        positive=entry.get("positive"),
        threshold=entry.optional("threshold"),
        adjust=(entry.get("adjust") if several else None) or DEFAULTS["adjust"],
        adjust_metrics="none" if entry.get("unadjusted") and len(metrics) > 1 else "auto",
    )
    sliced = entry.get("slice")
    told: dict[str, object] = {
        "metric": marks.get("metric") or (metrics[0] if len(metrics) == 1 else metrics),
        "test": None if several else entry.get("test"),
        "groups": column.get("group"),
        "time": column.get("time"),
        "items": column.get("item"),
        "slices": base.Code(f"table[{sliced!r}]") if sliced else None,
        "higher_is_better": marks.get("higher_is_better"),
        "missing": marks.get("missing"),
        **base.roles_of(file.names, entry),
        **base.judged(entry),
        "options": options,
    }
    outputs = base.Code(f"{{name: table[name] for name in {list(file.names)!r}}}")
    return base.python_lines(frame, base.python_call("compare_predictions", column.get("truth"), outputs, **told))


def _bars(entry: base.Submission) -> list[str]:
    return (entry.get("bar") or "").split()


def _bar_field(file: PredictionFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    if file is None or not holds_one(file):
        return ()
    hint = "0.9 or 90%: passed, failed or inconclusive; of several metrics f1=0.8 accuracy=90%"
    return (entry.field("bar", "Bar to reach", kind="words", hint=hint),)


def guessed_columns(entry: base.Submission) -> dict[str, str]:
    """The columns that the command takes without being told."""
    try:
        file = read_predictions(
            entry.table, gaps=base.missing_policy(entry) != "refuse", counts=columns_asked(asked_metrics(entry))
        )
    except FoldwiseError:
        return {}
    pair = dict(zip(("a", "b"), file.names, strict=True)) if len(file.names) == 2 else {}
    return base.role_columns(file.roles) | pair


def _read(entry: base.Submission) -> tuple[PredictionFile | None, str]:
    """What the file says, as far as it can be read, and what stands in the way of an answer."""
    try:
        file = chosen_file(entry)
        if len(file.names) > 1:
            _held(file, entry)
        elif not holds_one(file):
            file.pair()
    except FoldwiseError as error:
        return None, error.said("page")
    return file, ""


def chosen_file(entry: base.Submission) -> PredictionFile:
    """The file with the two classifiers that were chosen, one of them maybe left open, or else with all of them.

    A column that was just made the truth or the clusters is no longer a classifier, whatever the form still says.
    """
    roles: dict[str, Any] = {name: entry.get(name) for name in ("truth", "groups", "item", "time")}
    roles |= {
        "seed": entry.get("seed_column"),
        "columns": merged(base.declared_columns(entry), slice=entry.get("slice")),
        "gaps": base.missing_policy(entry) != "refuse",
        "counts": columns_asked(asked_metrics(entry)),
    }
    taken = [column for column in roles.values() if isinstance(column, str) and column != NO_COLUMN]
    a, b = (None if entry.get(name) in taken else entry.get(name) for name in ("a", "b"))
    if a is not None and a == b:
        raise InvalidInput(f"the two classifiers must be different columns, but both are {a!r}")
    if a is None and b is None:
        return read_predictions(entry.table, **roles)
    if a is None or b is None:
        found = read_predictions(entry.table, **roles).names
        a = a or next((name for name in found if name != b), None)
        b = b or next((name for name in found if name != a), None)
    return read_predictions(entry.table, a=a, b=b, **roles)


def held_file(entry: base.Submission) -> tuple[PredictionFile, str | None]:
    """The file with the classifiers to compare, candidates first where they were chosen, and the control."""
    return _held(chosen_file(entry), entry)


def _held(file: PredictionFile, entry: base.Submission) -> tuple[PredictionFile, str | None]:
    ordered = bool(base.command_words(entry, guessed_columns(entry), ("a", "b")))
    roles = line_up(file.names, **base.roles_of(file.names, entry), ordered=ordered)
    return file.only(roles.names, roles.decisions(entry.get("margin"))), roles.control


def _facts(file: PredictionFile) -> tuple[tuple[str, str], ...]:
    facts = [("test examples", f"{file.rows:,}"), *trial_facts(file)]
    if file.timed:
        facts.append(("events", f"{sum(not label.startswith('-') for label in file.truth or ()):,}"))
    elif file.truth is not None:
        facts.append(("classes", f"{len(file.truth.labels):,}"))
    if file.groups is not None:
        facts.append(("clusters", f"{len(file.groups.labels):,}, so that a cluster-robust test is recommended"))
    if file.times is not None:
        facts.append(("periods", f"{len(file.times.labels):,} in order of time, so that neighbours may be correlated"))
    if file.truth is not None and not file.timed:
        right = {name: labels.agreeing(file.truth) for name, labels in file.predictions.items()}
        facts += [(f"{name} is right on", f"{count:,} of {file.rows:,}") for name, count in right.items()]
    return tuple(facts)


def _is_several(file: PredictionFile | None) -> bool:
    return file is not None and len(file.names) > 2


def _adjust(entry: base.Submission) -> Adjust:
    chosen = one_of(entry.get("adjust") or DEFAULTS["adjust"], "adjust", ADJUST_WORDS)
    return next(name for name in ADJUST_WORDS if name == chosen)


def _several(entry: base.Submission) -> tuple[base.Field, ...]:
    """How three and more classifiers are compared."""
    return (base.Field(name="adjust", label="Adjustment", value=_adjust(entry), choices=tuple(ADJUST_WORDS.items())),)


_OTHER_ROLES = ("task", "human", "origin", "horizon", "condition")


def _other_roles(header: tuple[str, ...], entry: base.Submission) -> tuple[base.Field, ...]:
    """Drop-downs for roles that columns here have by their name, and nobody can change by another field."""
    asked = [role for role in _OTHER_ROLES if role in map(role_of, header) or entry.get(f"column_{role}")]
    return base.column_fields(header, asked, entry)


def _tests(file: PredictionFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    return (base.tests_for((*_kinds(file), *metric_kinds(entry)), entry.get("test")),)


def _kinds(file: PredictionFile | None) -> tuple[Kind[Any], ...]:
    if file is not None and file.human:
        return (HUMAN_LABELS,)
    if file is not None and file.times is not None and file.groups is None and file.seeds is None:
        return (TIME_ORDER, MARKS if file.marks or file.items is not None else RIGHT_WRONG)
    if file is not None and file.seeds is not None:
        return (CROSSED, UNPAIRED_SEEDS)
    if file is not None and (file.marks or file.items is not None):
        return (MARKS,) if file.groups is None else (MARKS, CLUSTERED_MARKS)
    return (RIGHT_WRONG,) if file is None or file.groups is None else (RIGHT_WRONG, CLUSTERS)


_LABELS = {
    "truth": "True labels", "a": "First classifier", "b": "Second classifier", "groups": "Clusters", "item": "Items",
    "seed_column": "Seeds", "time": "Time",
}  # fmt: skip
_HINTS = {
    "groups": "examples that belong together",
    "item": "where several rows are trials of one item",
    "seed_column": "where the models were trained several times",
    "time": "when each row was: neighbours may be correlated",
}


_OPEN = {"item": "every row is an item", "seed_column": "one training of each"}
"""What holds where no column has a role."""
_NONE = {
    "truth": "none: the columns are marks", "item": "rows are items, though names repeat", "groups": "none",
    "time": "none",
}  # fmt: skip
"""What it means that no column is to have it."""


def _names(header: tuple[str, ...], file: PredictionFile | None) -> tuple[str, ...]:
    """What columns can be chosen; a model with a column for each class is one of them."""
    return header if file is None else (*(name for name in file.scores if name not in header), *header)


def _roles(roles: dict[str, str], file: PredictionFile | None) -> dict[str, str]:
    """What they were taken for; the columns of such a model go by its name."""
    if file is None or not file.scores:
        return roles
    others = {name: "scores" if role == "classifier" else role for name, role in roles.items()}
    return {name: others.get(name, "") for name in file.names} | others | dict.fromkeys(file.names, "classifier")


def _fields(header: tuple[str, ...], roles: dict[str, str], entry: base.Submission) -> tuple[base.Field, ...]:
    """What each role was given to, to be changed; what nobody chose stays open, so that it counts as found."""
    found = {role: [name for name, its in roles.items() if its == role] for role in set(roles.values())}
    models, of = found.get("classifier", []), {"groups": "group", "seed_column": "seed"}
    free = [name for name in header if name and roles.get(name) in (None, "classifier", "passed over")]
    fields = []
    for name, label in _LABELS.items():
        chosen = entry.get(name) or ""
        if name in ("a", "b"):
            first = "all of them" if len(models) > 2 else ([*models, "any", "any"][name == "b"])
            offered, chosen = free, chosen if chosen in free else ""
        else:
            taken = found.get(of.get(name, name), [])
            first = f"found: {taken[0]}" if taken and taken[0] != chosen else _OPEN.get(name, "found: none")
            offered = [one for one in header if one]
        none = ((NO_COLUMN, _NONE[name]),) if name in _NONE else ()
        choices = (("", first), *none, *((one, base.clip(one)) for one in offered))
        fields.append(base.Field(name=name, label=label, value=chosen, choices=choices, hint=_HINTS.get(name, "")))
    return tuple(fields)


# ---- Metrics of predictions, and marks: their form, their parameters and their words.

MOST_CLASSES = 50  # Classes that are offered for the positive one.

ADJUSTED = (("", "adjusted for their number"), ("yes", "not adjusted"))


def metric_fields(file: PredictionFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    """Which metrics, which class they are about, and from which score on an example is of it."""
    if file is None or not _asks(file):
        return ()
    classes = file.classes[:MOST_CLASSES] if len(file.classes) <= MOST_CLASSES else []
    named = tuple((name, name) for name in classes)
    many = len(asked_metrics(entry)) > 1
    several = (entry.field("unadjusted", "Several metrics are", choices=ADJUSTED),) if many else ()
    return (
        entry.field(
            "metric",
            "Metrics",
            kind="words",
            hint="accuracy, or others as scikit-learn spells them: f1, roc_auc, log_loss; rmse or r2 of numbers; wer, "
            "span_f1, bleu or errors / words of counts or texts; c_index of times and events",
        ),
        entry.field(
            "positive", "Positive class", choices=(("", "the one called yes, true or 1"), *named),
            hint="that F1, ROC curves and the like are about",
        ),
        entry.field("threshold", "Positive from a score of", kind="number", hint="0.5, if left empty"),
        *several,
    )  # fmt: skip


def metric_question(file: PredictionFile, entry: base.Submission) -> MetricQuestion | None:
    """The same for `judge_prediction_file`; None where nothing of it was asked."""
    if not _asks(file) or not (asked_metrics(entry) or entry.get("positive") or entry.get("threshold")):
        return None
    return MetricQuestion(
        metrics=asked_metrics(entry) or ["accuracy"], positive=entry.get("positive"),
        threshold=entry.optional("threshold"), adjust="none" if entry.get("unadjusted") else "holm",
    )  # fmt: skip


def metric_words(file: PredictionFile | None, entry: base.Submission) -> list[str]:
    if file is None or not _asks(file):
        return []
    words = [f"--metric={name}" for name in asked_metrics(entry)]
    unadjusted = ["--unadjusted"] if len(words) > 1 and entry.get("unadjusted") else []
    return words + base.command_words(entry, {}, ("positive", "threshold")) + unadjusted


def metric_kinds(entry: base.Submission) -> tuple[AnyKind, ...]:
    """Kinds of evidence whose tests suit the metrics."""
    return (METRICS, RANKING) if asked_metrics(entry) else ()


def asked_metrics(entry: base.Submission) -> list[str]:
    """The metrics that were written into the field; a formula may hold blanks."""
    written = entry.get("metric") or ""
    if "/" in written:
        return [written.strip()]
    return [name for name in re.split(r"[\s,;]+", written) if name]


def _asks(file: PredictionFile) -> bool:
    return len(file.names) > 0 and (bool(file.counts) or file.truth is not None) and not holds_marks(file)


def mark_fields(file: PredictionFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    """What marks measure, which direction is better, what to do about missing ones, what seeds mean."""
    if not _asks_of_marks(file):
        return (base.missing_field(entry),)
    metric = entry.get("metric") or UNNAMED_MARK
    paired = entry.field(
        "unpaired_seeds",
        "Seeds of the two models",
        choices=(("", "paired: a seed means the same for both"), ("yes", "have nothing in common")),
    )
    return (
        entry.field("metric", "What the marks measure", kind="words"),
        base.direction_field(metric, entry),
        base.missing_field(entry),
        *((paired,) if file is not None and file.seeds is not None else ()),
    )


def mark_options(file: PredictionFile, entry: base.Submission) -> MarkOptions | None:
    """The same for `judge_prediction_file`; None where there are no such marks."""
    if not _asks_of_marks(file):
        return {"missing": base.missing_policy(entry)} if entry.get("missing") else None
    return {
        "metric": entry.get("metric"), "higher_is_better": base.higher_is_better(entry),
        "missing": base.missing_policy(entry), "paired_seeds": entry.get("unpaired_seeds") is None,
    }  # fmt: skip


def mark_words(file: PredictionFile | None, entry: base.Submission) -> list[str]:
    if not _asks_of_marks(file):
        return base.command_words(entry, {"missing": "refuse"}, ("missing",))
    seeds = file is not None and file.seeds is not None and entry.get("unpaired_seeds") is not None
    words = base.command_words(entry, {"missing": "refuse"}, ("metric", "missing"))
    return words + base.direction_word(entry) + (["--unpaired-seeds"] if seeds else [])


def trial_facts(file: PredictionFile) -> list[tuple[str, str]]:
    parts = {"items": file.items, "seeds": file.seeds}
    return [(name, f"{len(column.labels):,}") for name, column in parts.items() if column is not None]


def _asks_of_marks(file: PredictionFile | None) -> bool:
    """Whether models have marks, whose direction may be either, or rows that are trials or seeds."""
    return file is not None and len(file.names) > 1 and holds_marks(file)


DOOR = base.Door(
    name="predictions", title="Classifiers' predictions", short="Predictions",
    question="Two or more classified the same test examples: which is more accurate?",
    takes="One row per test example: a column with the truth and one per model, with its label, score or number "
    "(or no truth, and marks: right and wrong, or numbers); columns model:class are a score of each class; a column "
    "named group or cluster marks examples that belong together.", example="predictions.csv",
    placeholder="truth,model a,model b\nyes,yes,no\nno,no,no\n…", look=look, answer=answer, command=command,
    python=python,
)  # fmt: skip
