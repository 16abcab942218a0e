"""``foldwise estimate LEARNER --data NAME``: how often will this learner be wrong?"""

from __future__ import annotations

from typing import Any

import click

from foldwise.cli.fail_if import end_by_bar
from foldwise.cli.options import takes, those_of
from foldwise.cli.output import answer_options, claim_option, command_line, show
from foldwise.cli.parsing import Command
from foldwise.comparison.error_estimate import ErrorEstimate, EstimateSurvey
from foldwise.comparison.error_estimators import METHODS
from foldwise.comparison.estimate import estimate_error
from foldwise.comparison.options import Options
from foldwise.data.dataset import Dataset
from foldwise.data.loading import load


@click.command("estimate", cls=Command)
@click.argument("learner")
@takes(
    click.option("--data", "name", required=True, metavar="NAME_OR_FILE", help="A data set by name or file."),
    click.option("--method", default="kfold", show_default=True, help=f"One of {', '.join(METHODS)}; or all."),
    click.option("--folds", default=10, show_default=True, help="Folds of kfold and iterated_kfold."),
    click.option("--repeats", type=int, help="Bootstrap samples, or iterations [100]; training sets of delve."),
    click.option("--train-size", type=int, help="Examples in each training set of delve."),
    click.option("--test-fraction", default=1 / 3, show_default="1/3", help="Share that holdout tests."),
    click.option("--level", default=0.95, show_default=True, help="Confidence level of the interval."),
    click.option("--bar", metavar="X", help="What the error should not exceed, 0.1 or 10%: exit code 1 if "
                 "it is shown to, 3 if that is inconclusive."),
    "target", "keep", "data_dir", "seed", "jobs", "store", "cluster", "fit_seconds", "fit_memory", answer_options,
    claim_option,
)  # fmt: skip
def command(learner: str, name: str, method: str, **given: Any) -> ErrorEstimate | EstimateSurvey:
    """Estimate the error of LEARNER on one data set.

    LEARNER is nb, c45, 1nn, … or module:Class(param=value), which runs the module's code: use only code that you trust.
    """
    if given["bar"] and method == "all":
        raise click.UsageError("--bar is for one --method: kfold, which is recommended, or another")
    data = load(name, **those_of(("target", "data_dir", "keep"), given))
    few = those_of(("store", "train_size", "test_fraction", "cluster", "fit_seconds", "fit_memory"), given)
    folds, repeats, level, seed, jobs, bar = (
        given[name] for name in ("folds", "repeats", "level", "seed", "jobs", "bar")
    )
    results = [
        estimate_error(
            learner, data, method=each, folds=folds, confidence_level=level, bar=bar, random_state=seed, n_jobs=jobs,
            repeats=None if method == "all" and each == "kfold" else repeats, options=Options(**few, progress=None),
        )
        for each in ([name for name, m in METHODS.items() if m.of_all_data] if method == "all" else [method])
    ]  # fmt: skip
    named = [
        result.replace(subject=_subject(data), repeat=command_line(always=("method", "seed"), method=result.method))
        for result in results
    ]
    answer = named[0] if method != "all" else EstimateSurvey(rows=tuple(named))
    show(answer)
    return end_by_bar(answer)


def _subject(data: Dataset) -> str:
    classes = f", {len(set(data.y.tolist()))} classes" if data.classes is not None else ""
    return f"{data.name} ({len(data)} examples, {len(data.feature_names)} attributes{classes})"
