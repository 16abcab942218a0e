"""Tables of machine-learning experiments: Weka's Experimenter, AMLB, OpenML, aeon, Optuna, scikit-learn's searches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Flags
from foldwise.data.sheet import RowCells, Sheet, parse_number
from foldwise.reading.long_table import Layout, series_of
from foldwise.reading.reader import Collector, Reader, columns_by_fold
from foldwise.reading.series import Series, SplitRows, WholeTask, gaps
from foldwise.reading.source import SourceFile, read_source

_MODEL = "model"


def _with_model(sheet: Sheet, models: Sequence[str]) -> Sheet:
    """The sheet with a column for the model of each row."""
    header = (*(f"{name}_" if name == _MODEL else name for name in sheet.header), _MODEL)
    return replace(
        sheet, header=header, cells=RowCells([(*row, model) for row, model in zip(sheet.rows, models, strict=True)])
    )


# ---- Weka's Experimenter, CSV or ARFF: ``Key_Dataset, Key_Run, Key_Fold, Key_Scheme, …`` and the measures.
#
# Many data sets in one file are the rule; a learner is its scheme with its options; the sizes of the splits are there.

_DATA, _RUN, _FOLD = "Key_Dataset", "Key_Run", "Key_Fold"
_SCHEME, _OPTIONS = "Key_Scheme", "Key_Scheme_options"
_TRAIN, _TEST = "Number_of_training_instances", "Number_of_testing_instances"
_MEASURES = (
    "Percent_correct", "Kappa_statistic", "Area_under_ROC", "Area_under_PRC", "F_measure", "Matthews_correlation",
    "Correlation_coefficient", "Mean_absolute_error", "Root_mean_squared_error", "Relative_absolute_error",
    "Root_relative_squared_error", "Percent_incorrect", "IR_precision", "IR_recall", "Weighted_avg_area_under_ROC",
    "Weighted_avg_F_measure",
)  # fmt: skip
"""What is worth comparing, the usual one first."""


def _weka(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """Every measure of every learner on every data set."""
    sheet = read_source(source)
    # Weka quotes with ' where a cell has blanks
    rows = [
        tuple(cell[1:-1].replace("\\'", "'") if len(cell) > 1 and cell[0] == cell[-1] == "'" else cell for cell in row)
        for row in sheet.rows
    ]
    sheet = replace(sheet, cells=RowCells(rows))
    names = set(sheet.header)
    if not {_DATA, _RUN, _SCHEME} <= names:
        raise InvalidInput(f"{sheet.source} must have the columns {_DATA}, {_RUN} and {_SCHEME} of the Experimenter")
    schemes = sheet.column(_SCHEME)
    options = sheet.column(_OPTIONS) if _OPTIONS in names else [""] * len(sheet)
    short = [scheme.rpartition(".")[2] for scheme in schemes]
    variants: dict[str, set[tuple[str, str]]] = {}
    for word, scheme, option in zip(short, schemes, options, strict=True):
        variants.setdefault(word, set()).add((scheme, option))
    # the scheme's last word, with options where one scheme has several
    models = [f"{word} {option}".strip() if len(variants[word]) > 1 else word
              for word, option in zip(short, options, strict=True)]  # fmt: skip
    layout = Layout(
        model=_MODEL, task=_DATA, run=_RUN, fold=_FOLD if _FOLD in names else None,
        values=tuple(name for name in _MEASURES if name in names), n_train=_TRAIN if _TRAIN in names else None,
        n_test=_TEST if _TEST in names else None,
    )  # fmt: skip
    yield from series_of(_with_model(sheet, models), layout)


WEKA = Reader(
    "Weka Experimenter", "CSV and ARFF files with Key_Dataset, Key_Run, Key_Scheme",
    lambda source: b"Key_Dataset" in source.head and b"Key_Scheme" in source.head, _weka,
)  # fmt: skip


# ---- The AutoML benchmark: ``results.csv``, one row per task, framework, constraint and fold.
#
# A fold without a result has failed, and `info` says why. The seed is another one on every fold, so that it is no run.
# The metric follows from the task; AMLB negates losses (``neg_logloss``), so that higher is better.


def _amlb(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """The result of every framework, with its constraint where there are several, on every task."""
    sheet = read_source(source)
    frameworks, constraints = sheet.column("framework"), sheet.column("constraint")
    several = len(set(constraints)) > 1
    models = [f"{of} ({under})" if several else of for of, under in zip(frameworks, constraints, strict=True)]
    layout = Layout(model=_MODEL, values=("result",), task="task", fold="fold", metric="metric")
    for one in series_of(_with_model(sheet, models), layout):
        yield replace(one, missing=gaps(one.values, "failed"))


AMLB = Reader(
    "AMLB", "results.csv with task, framework, constraint, fold, result, metric",
    lambda source: {"task", "framework", "constraint", "fold", "result", "metric"} <= set(source.columns), _amlb,
)  # fmt: skip


# ---- Predictions of OpenML runs, as ARFF or CSV: ``repeat, fold, row_id, prediction, correct`` (or ``truth``).
#
# Two runs of one task have the same splits, so that any two files of one task are paired by row; repeats are trials.
# Columns are matched by name, because clients order them differently.


def _openml(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """Right or wrong on every row, or its squared error where the target is a number."""
    sheet = read_source(source)
    true = sheet.guess(["correct", "truth"])
    if true is None:
        raise InvalidInput(f"{sheet.source} must have a column correct or truth; it has {sheet.describe_columns()}")
    confidences = any(name.startswith("confidence.") for name in sheet.header)
    columns = [sheet.column(name) for name in ("row_id", "repeat", "prediction", true)]
    found = Collector()
    for row, repeat, said, truth in zip(*columns, strict=True):
        number, wanted = (None, None) if confidences else (parse_number(said), parse_number(truth))
        metric, value = "accuracy", float(said == truth)
        if true == "truth" and number is not None and wanted is not None:
            metric, value = "squared_error", (number - wanted) ** 2
        found.add(metric, row, value, trial=repeat, content=truth)
    yield from found.series(model=source.stem.removesuffix(".arff").removesuffix(".csv"), source=source.name)


OPENML = Reader(
    "OpenML predictions",
    "ARFF or CSV with repeat, fold, row_id, prediction and correct or truth: one file per run of a task",
    lambda source: {"repeat", "fold", "row_id", "prediction"} <= set(source.columns),
    _openml,
)


# ---- aeon and the UCR archive: ``<estimator>_<measure>.csv``, data sets in rows, resamples in columns.

_AEON = re.compile(
    r"(?P<estimator>.+)_(?P<measure>accuracy|balacc|balancedaccuracy|auroc|f1|nll|logloss|mse|rmse|mae)\.csv",
    re.IGNORECASE,
)


def _is_aeon(source: SourceFile) -> bool:
    """The file's name, and columns that are numbered."""
    names = source.columns if _AEON.fullmatch(source.stem) else ()
    return len(names) > 1 and all(name.strip().isdecimal() for name in names[1:])


def _aeon(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """The mean over the resamples, for every data set."""
    named, sheet = _AEON.fullmatch(source.stem), read_source(source)
    assert named is not None
    values = np.array([sheet.numbers(name, allow_missing=True) for name in sheet.header[1:]])
    for task, whole in zip(sheet.column(sheet.header[0]), values.T, strict=True):
        if np.isnan(whole).any():
            left_out.append(f"{source.name}: {task}, which lacks some resample")
            continue
        yield Series(
            model=named["estimator"], task=task, metric=named["measure"], rows=WholeTask(),
            values=np.array([whole.mean()]), source=source.name,
        )  # fmt: skip


AEON = Reader("aeon", "<estimator>_<measure>.csv with a row per data set and a column per resample", _is_aeon, _aeon)


# ---- Candidates of a search on common folds: ``cv_results_`` of scikit-learn's searches, one row per candidate, and
# trials of an Optuna study (``study.trials_dataframe()``), where each trial kept its scores on the folds.

_SPLIT = re.compile(r"split(?P<fold>\d+)_test_(?P<metric>.+)")
_HALVING = "iter"


def is_split(name: str) -> bool:
    """Whether a column holds scores on one split."""
    return _SPLIT.fullmatch(name) is not None


def _search(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """One series per candidate and scorer."""
    sheet = read_source(source)
    told = [name for name in ("params", _HALVING) if name in sheet.positions]
    splits = {name: sheet.numbers(name, allow_missing=True).tolist() for name in sheet.header if is_split(name)}
    yield from candidates({name: sheet.column(name) for name in told} | splits, source.name, left_out)


SEARCH = Reader(
    "scikit-learn search", "cv_results_ of GridSearchCV, RandomizedSearchCV or a halving search, saved as a table",
    lambda source: "params" in source.columns and any(map(is_split, source.columns)), _search,
)  # fmt: skip


def candidates(results: Mapping[str, Sequence[object]], source: str, left_out: list[str]) -> Iterator[Series]:
    """The candidates of a search, from ``cv_results_`` itself or from its table.

    Candidates of a halving search are comparable within one iteration only, so that the last one with several is taken;
    candidates that could not be fitted on some split are left out.
    """
    keep = _last_round(results, source, left_out)
    scorers = columns_by_fold(results, _SPLIT)
    scores = {
        scorer: np.array([[float(str(score)) for score in results[name]] for _, name in columns])
        for scorer, columns in scorers.items()
    }
    scored = ~np.isnan(np.concatenate(list(scores.values()))).any(axis=0)
    if not scored[keep].all():
        left_out.append(f"{source}: {int((~scored & keep).sum())} candidates that could not be fitted on some split")
    keep &= scored
    left_out.extend(_chosen_among(int(keep.sum()), source))
    for scorer, values in scores.items():
        for row in np.flatnonzero(keep).tolist():
            yield Series(
                model=_parameters(results["params"][row]),
                metric=scorer,
                rows=SplitRows(folds=[str(split) for split, _ in scorers[scorer]]),
                values=values[:, row].copy(),
                # scorers of a search are greater for better, also those of losses, which they negate
                higher_is_better=True,
                source=source,
            )


def _last_round(results: Mapping[str, Sequence[object]], source: str, left_out: list[str]) -> Flags:
    """Which candidates were compared last, together with others."""
    count = len(results["params"])
    if _HALVING not in results:
        return np.full(count, True)
    rounds = np.array([int(str(value)) for value in results[_HALVING]])
    several = [number for number in np.unique(rounds) if (rounds == number).sum() > 1]
    keep: Flags = rounds == (several[-1] if several else rounds.max())
    left_out.append(
        f"{source}: of a halving search the candidates of iteration {int(rounds[keep][0])} are taken, the last with "
        f"several; {count - int(keep.sum())} rows of other iterations are not"
    )
    return keep


def _chosen_among(count: int, source: str) -> list[str]:
    """What must be said of the best of several candidates on the folds on which it was chosen."""
    said = (
        f"{source}: the best of {count} candidates was chosen on these folds, so that its mean is too good; all pairs "
        "are judged together"
    )
    return [said] if count > 2 else []


def _parameters(params: object) -> str:
    """The parameters as people write them: ``C=1.0, kernel=rbf``."""
    if isinstance(params, Mapping):
        return ", ".join(f"{key}={value}" for key, value in params.items()) or "default"
    return re.sub(r"'(\w+)': ", r"\1=", str(params).strip("{}")) or "default"


_TRIAL_FOLD = re.compile(
    r"user_attrs_(?:(?P<metric>\w{1,100}?)_)?(?:fold|split|cv)_?(?P<fold>\d++)(?:_(?P<metric_behind>\w{1,100}+))?"
)


def _optuna(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """Every trial that was finished, on its folds.

    Trials adapt to each other, so that values of whole trials can't be compared as if drawn apart. Scores on common
    folds can: they are paired, as the candidates of any other search are.
    """
    sheet = read_source(source)
    if not (folds := columns_by_fold(sheet.header, _TRIAL_FOLD)):
        raise InvalidInput(
            f"{sheet.source} holds trials of one Optuna study, which adapt to each other and can't be compared as if "
            "drawn apart: keep the scores on the folds (trial.set_user_attr('fold0', …)), compare studies with several "
            "seeds, or score the winners on new splits"
        )
    finished = [row for row, state in enumerate(sheet.column("state")) if state == "COMPLETE"]
    if len(finished) < len(sheet):
        left_out.append(f"{sheet.source}: {len(sheet) - len(finished)} trials that were pruned or failed")
    left_out.extend(_chosen_among(len(finished), sheet.source))
    labels = _trial_labels(sheet)
    for metric, columns in folds.items():
        values = np.array([sheet.numbers(name, allow_missing=True) for _, name in columns])
        rows = SplitRows(folds=[str(fold) for fold, _ in columns])
        for row in finished:
            yield Series(model=labels[row], metric=metric, rows=rows, values=values[:, row], source=sheet.source)


OPTUNA = Reader(
    "Optuna", "trials_dataframe() of a study whose trials keep their folds as user attributes (fold0, fold1 …)",
    lambda source: {"number", "state", "datetime_start"} <= set(source.columns), _optuna,
)  # fmt: skip


def _trial_labels(sheet: Sheet) -> list[str]:
    """The parameters of each trial, with its number where another has the same."""
    names = [name for name in sheet.header if name.startswith("params_")]
    told = [
        ", ".join(f"{name.removeprefix('params_')}={cell}" for name, cell in zip(names, row, strict=True) if cell)
        for row in zip(*map(sheet.column, names), strict=True)
    ] or [""] * len(sheet)
    return [
        text if text and told.count(text) == 1 else f"trial {number}" + (f" ({text})" if text else "")
        for text, number in zip(told, sheet.column("number"), strict=True)
    ]
