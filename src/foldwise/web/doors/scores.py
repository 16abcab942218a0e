"""Scores of two learners from cross-validation or random splits."""

from __future__ import annotations

from typing import Any

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_scores import check_sizes_of, compare_scores
from foldwise.comparison.options import Options
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.core.metric import UNNAMED, declared_unit
from foldwise.core.roles import NO_COLUMN
from foldwise.data.formats import read_sheet
from foldwise.data.score_files import ScoreFile, read_scores
from foldwise.designs import FIVE_BY_TWO, ONE_CV, RANDOM_SPLITS, REPEATED_CV
from foldwise.reading.lineup import Lineup, line_up
from foldwise.web.doors import base

COLUMNS = ("learner", "run", "fold", "score")
DEFAULTS = {"missing": "refuse", "test": "auto", "alpha": "0.05"}
SIZES_NEEDED = (
    "random splits need the number of training and test examples in a split, because their overlap decides the variance"
)


def look(entry: base.Submission) -> base.Preview:
    """Long or wide, which learners, how many runs and folds."""
    sheet = read_sheet(entry.table)
    file, problem = _read(entry)
    parts = base.describe(sheet, {} if file is None else file.roles)
    if file is not None:
        parts["facts"] += _facts(file)
    held = () if file is None or len(file.names) < 2 else base.role_fields(_offered(file, entry), entry)
    return base.Preview(
        **parts,
        fields=(*_learners(file, entry), *held, *_columns(sheet.header, {} if file is None else file.roles, entry)),
        options=_options(file, entry),
        needs=SIZES_NEEDED if _lacks_sizes(file, entry) else "",
        problem=problem,
    )


def answer(entry: base.Submission) -> Comparison:
    file = _file(entry)
    roles = _roles(file, entry)
    a, b = roles.names
    if _lacks_sizes(file, entry):
        raise InvalidInput(SIZES_NEEDED)
    check_sizes_of(file, entry.optional("n_train"), entry.optional("n_test"))
    scores, few = {a: file.scores[a], b: file.scores[b]}, Options(unit=declared_unit(file.decisions))
    found = compare_scores(scores, **_asked(file, entry), options=few)
    return found.deciding((*file.decisions, *roles.decisions(entry.get("margin"))))


def _asked(file: ScoreFile, entry: base.Submission) -> dict[str, Any]:
    """What the verb is asked, here and in Python."""
    return {
        "metric": _metric(file, entry),
        "test": entry.get("test") or "auto",
        "higher_is_better": base.higher_is_better(entry),
        "missing": base.missing_policy(entry),
        **{name: entry.optional(name) for name in ("n_train", "n_test")},
        **base.judged(entry),
    }


def command(entry: base.Submission) -> list[str]:
    """The same on the command line; what the command guesses as the page does is left out."""
    file = _file(entry)
    a, b = _pair(file, entry)
    words = ["scores", entry.filename]
    words += [] if (a, b) == file.names else [f"--a={a}", f"--b={b}"]
    wide = entry.get("learner") == NO_COLUMN
    words += base.command_words(entry, _guessed(entry), [name for name in COLUMNS if name != "score" or not wide])
    words += base.command_words(entry, {"metric": file.metric or UNNAMED}, ("metric", "n_train", "n_test"))
    words += base.direction_word(entry) + base.role_words((a, b), entry)
    return words + base.command_words(entry, DEFAULTS, ("missing", "test", "alpha", "rope", "margin"))


def python(entry: base.Submission) -> str:
    """With pandas; empty where the order of the rows says which of them belong together."""
    frame, file = base.read_frame(entry), _file(entry)
    column = {role: name for name, role in file.roles.items()}
    axes = [column[role] for role in ("run", "fold") if role in column]
    if not frame or not axes:
        return ""
    grid = "table"
    if file.metric:
        grid = "grid"
        frame += f"\ngrid = table.pivot(index={axes!r}, columns={column['learner']!r}, values={column['score']!r})"
    elif len(axes) == 2:
        frame += f".sort_values({axes!r})"
    shape = next(iter(file.scores.values())).shape
    scores = f"{grid}[name].to_numpy()" + (f".reshape({shape[0]}, {shape[1]})" if len(shape) == 2 else "")
    given = base.Code(f"{{name: {scores} for name in {list(_roles(file, entry).names)!r}}}")
    return base.python_lines(frame, base.python_call("compare_scores", given, **_asked(file, entry)))


def _guessed(entry: base.Submission) -> dict[str, str]:
    """The columns that the command takes without being told."""
    try:
        return base.role_columns(read_scores(entry.table).roles)
    except FoldwiseError:
        return {}


def _file(entry: base.Submission) -> ScoreFile:
    columns: dict[str, Any] = {name: entry.get(name) for name in COLUMNS}
    if columns["learner"] == NO_COLUMN:
        columns["score"] = None  # a wide file has no such column, whatever the form still says
    return read_scores(entry.table, **columns, gaps=base.missing_policy(entry) != "refuse")


def _read(entry: base.Submission) -> tuple[ScoreFile | None, str]:
    """What the file says, as far as it can be read, and what stands in the way of an answer."""
    try:
        file = _file(entry)
    except FoldwiseError as error:
        return None, error.said("page")
    try:
        _roles(file, entry)
    except FoldwiseError as error:
        return file, error.said("page")
    return file, ""


def _roles(file: ScoreFile, entry: base.Submission) -> Lineup:
    names = _pair(file, entry)
    return line_up(names, **base.roles_of(names, entry), ordered=names != file.names)


def _offered(file: ScoreFile, entry: base.Submission) -> tuple[str, ...]:
    """Whom one can choose for a candidate: the two, or all while it is not clear which two they are."""
    try:
        return _pair(file, entry)
    except FoldwiseError:
        return file.names


def _pair(file: ScoreFile, entry: base.Submission) -> tuple[str, str]:
    """The two learners chosen, or else the first two."""
    a, b = entry.get("a"), entry.get("b")
    return (file.names[0], file.names[1]) if a is None and b is None and len(file.names) > 2 else file.pair(a, b)


def _lacks_sizes(file: ScoreFile | None, entry: base.Submission) -> bool:
    return file is not None and _is_splits(file) and None in (entry.get("n_train"), entry.get("n_test"))


def _is_splits(file: ScoreFile) -> bool:
    return next(iter(file.scores.values())).ndim == 1


def _metric(file: ScoreFile | None, entry: base.Submission) -> str:
    return entry.get("metric") or (None if file is None else file.metric) or UNNAMED


def _facts(file: ScoreFile) -> tuple[tuple[str, str], ...]:
    shape = next(iter(file.scores.values())).shape
    design = f"{shape[0]} runs of {shape[1]}-fold cross-validation" if len(shape) == 2 else f"{shape[0]} random splits"
    facts = [("layout", "one row per learner and split" if file.metric else "one column per learner")]
    facts.append(("resampling", design))
    facts += [(f"mean of {name}", f"{values.mean():.4g}") for name, values in list(file.scores.items())[:8]]
    return tuple(facts)


def _learners(file: ScoreFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    if file is None or len(file.names) < 2:
        return ()
    names = tuple((name, name) for name in file.names)
    a = entry.get("a") if entry.get("a") in file.names else file.names[0]
    others = [name for name in file.names if name != a]
    b = entry.get("b") if entry.get("b") in file.names else others[0]
    return (
        base.Field(name="a", label="First learner", value=a or "", choices=names),
        base.Field(name="b", label="Second learner", value=b or "", choices=names),
    )


def _columns(header: tuple[str, ...], roles: dict[str, str], entry: base.Submission) -> tuple[base.Field, ...]:
    """Where each role may be given to another column; what nobody chose stays open, so that it counts as found."""
    names = tuple((name, base.clip(name)) for name in header if name)
    wide = "learner" not in roles.values()
    fields = []
    for role in COLUMNS:
        found = next((name for name, its in roles.items() if its == role and not (wide and role == "score")), "none")
        none = () if role == "score" else ((NO_COLUMN, "none"),)
        choices = (("", f"found: {base.clip(found)}"), *none, *names)
        fields.append(base.Field(name=role, label=f"Column: {role}", value=entry.get(role) or "", choices=choices))
    return tuple(fields)


def _options(file: ScoreFile | None, entry: base.Submission) -> tuple[base.Field, ...]:
    splits = file is not None and _is_splits(file)
    kinds = (RANDOM_SPLITS, ONE_CV) if splits else (REPEATED_CV, FIVE_BY_TWO, ONE_CV)
    sizes = "needed for random splits" if splits else "the folds tell, if left empty"
    return (
        base.tests_for(kinds, entry.get("test")),
        base.Field(name="metric", label="What the scores measure", kind="words", value=_metric(file, entry)),
        base.direction_field(_metric(file, entry), entry),
        base.missing_field(entry),
        entry.field("n_train", "Training examples in a split", kind="number", hint=sizes),
        entry.field("n_test", "Test examples in a split", kind="number", hint=sizes),
        *base.judging(entry),
    )


DOOR = base.Door(
    name="scores", title="Scores from cross-validation", short="Scores",
    question="Both learned and were tested on the same splits of one data set: does one learn better?",
    takes="Long, with columns learner, run, fold and score; or wide, with one row per split and one column per "
    "learner.", example="scores.csv",
    placeholder="learner,run,fold,accuracy\nnb,0,0,0.93\nnb,0,1,0.91\ntree,0,0,0.90\n…", look=look, answer=answer,
    command=command, python=python,
)  # fmt: skip
