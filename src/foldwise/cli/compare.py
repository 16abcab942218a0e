"""``foldwise compare A B --data NAME_OR_FILE``: the main job."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foldwise.cli.fail_if import gate_options, lined_up
from foldwise.cli.options import option, takes
from foldwise.cli.output import command_line, judged_answer, show
from foldwise.cli.parsing import Command
from foldwise.comparison.options import PAPERS, Options

if TYPE_CHECKING:
    from foldwise.comparison.comparison import Comparison
    from foldwise.core.types import Estimator
    from foldwise.data.dataset import Dataset
    from foldwise.reading.lineup import Lineup

ONE_DATA_SET = ("train_size", "paper", "replicate", "on_error", "max_runs", "max_seconds")
"""Options that have a meaning for one data set only."""

SEVERAL = ("control", "adjust")  # Options that have a meaning for three and more learners only.


def _run_count(context: click.Context, option: click.Parameter, given: str | None) -> int | str | None:
    if given in (None, "auto"):
        return given
    try:
        return int(given)
    except ValueError:
        raise click.BadParameter(f"runs must be a whole number or 'auto', got {given!r}") from None


@click.command("compare", cls=Command)
@click.argument("learners", metavar="A B [C …]", nargs=-1, required=True)
@takes(
    click.option("--data", required=True, multiple=True, metavar="NAME_OR_FILE …", help="Data set(s): a name, a file, "
                 "openml:ID."),
    option("data_dir", "Folder with data sets [$FOLDWISE_DATA].", type=click.Path(path_type=Path), metavar=None),
    "target", click.option("--drop", multiple=True, metavar="COLUMN …", help="Columns to leave out, such as keys."),
    "keep", "groups", "positive",
    click.option("--names", multiple=True, metavar="NAME …", help="Names of the learners, in their order."),
    "test",
    click.option("--runs", metavar="N|auto", callback=_run_count, help="Runs of cross-validation [10], or dealings of "
                 "round_robin [6]; auto adds runs until the verdict (for every pair) no longer depends on the "
                 "partitions."),
    click.option("--folds", type=int, help="Folds of each run [10], or blocks of round_robin [6]."),
    click.option("--train-size", type=int, metavar="N", help="Training examples in each part, for --test disjoint."),
    click.option("--paper", type=click.Choice(tuple(PAPERS)), help="Compare as this paper does: by its setting of "
                 "--test, or of the test that it recommends."),
    click.option("--metric", multiple=True, metavar="NAME …", help="accuracy, error, auc, log_loss, brier, mse … or "
                 "any scikit-learn scorer; several score the same fits."),
    "unadjusted", "control",
    option("adjust", "How p-values of the pairs of three or more learners on one data set are adjusted [holm].",
           default=None, show_default=False),
    click.option("--replicate", type=int, metavar="N", help="Repeat the whole test on N partitionings."),
    click.option("--max-runs", default=1000, show_default=True, help="Budget of --runs auto."),
    click.option("--max-seconds", type=float, help="Time budget of --runs auto; runs not complete by then do not "
                 "count."),
    "seed", "jobs", "store",
    click.option("--on-error", type=click.Choice(["raise", "continue"]), default="raise", show_default=True,
                 help="Whether a failed fit stops the work at once."),
    "cluster", "fit_seconds", "fit_memory", "alpha", option("rope", default="0.01", show_default=True), gate_options,
    judged_answer,
    groups="Column that says which examples belong together: a group is never both trained on and tested.",
    test="A test by name; the resampling follows from it.",
    control="Of three or more learners, compare the others with this one only.",
)  # fmt: skip
def command(
    learners: tuple[str, ...], data: tuple[str, ...], data_dir: Path | None, target: str | None, drop: tuple[str, ...],
    keep: tuple[str, ...], groups: str | None, names: tuple[str, ...], metric: tuple[str, ...], unadjusted: bool,
    **options: Any,
) -> Comparison:  # fmt: skip
    """Compare two or more learners on one data set or several, by cross-validation on the same splits.

    A, B … are learners: nb, c45, 1nn, 3nn, ib1, tan, votedperceptron, lp, mlp, majority; scikit-learn's logreg, rf,
    et, gb, hgb, svm, linsvm, knn5, tree, gnb, lda, ridge, lasso, elasticnet, linear, dummy, for classification or
    regression, depending on the target; or module:Class(param=value), module:function(), models.py:function(). The
    last three run the module's code: use only code that you trust. Preprocessing goes in front: scale+svm(C=2),
    pca+rf.
    """
    from foldwise.data.loading import load

    if len(learners) < 2:
        one = f" (foldwise estimate {learners[0]} --data … says how good one is)" if learners else ""
        raise click.UsageError(f"two learners are needed, got {len(learners)}{one}")
    called = _called(learners, names, twice=len(data) == 1)
    roles = _roles(called, options)
    datasets = [load(name, target=target, data_dir=data_dir, drop=drop, keep=keep, groups=groups) for name in data]
    called = {name: called[name] for name in roles.names}
    options["control"] = roles.control
    options |= {"random_state": options.pop("seed"), "n_jobs": options.pop("jobs")}
    options["metric"] = metric if len(metric) > 1 else next(iter(metric), None)
    options["adjust_metrics"] = "none" if unadjusted else "auto"
    result = (_on_one if len(data) == 1 else _on_several)(called, datasets, options)
    result = result.deciding(roles.decisions(options["margin"]))
    return show(result)


def _called(learners: tuple[str, ...], names: tuple[str, ...], *, twice: bool) -> dict[str, Estimator | str]:
    """Learners by what they are called; `twice` if one may be there twice, to be compared with itself."""
    from foldwise.engine.learners import name_learners

    if not twice and len(set(learners)) < len(learners):
        raise click.UsageError("learners must be different on several data sets")
    return name_learners(learners, names or None)


def _roles(called: dict[str, Estimator | str], options: dict[str, Any]) -> Lineup:
    """Who is compared with whom, by what they are called."""
    if options["control"] is not None and len(called) == 2:
        raise click.UsageError("--control is for three and more learners")
    candidates = [str(_control(name, called)) for name in options.pop("candidates")]
    baseline, control = (_control(options.pop(role), called) for role in ("baseline", "control"))
    return lined_up(tuple(called), candidates, baseline, control=control, ordered=True)


def _control(control: str | None, called: dict[str, Estimator | str]) -> str | None:
    """The control by what it is called, also where it was given as it was on the command line."""
    if control is None or control in called:
        return control
    return next((name for name, learner in called.items() if learner == control), control)


def _on_one(learners: dict[str, Estimator | str], datasets: list[Dataset], options: dict[str, Any]) -> Comparison:
    from foldwise.comparison.estimators import compare

    taken = _without(SEVERAL, "three and more learners", options) if len(learners) == 2 else options
    result = compare(learners, datasets[0], **_asked({**taken, "adjust": taken.get("adjust") or "holm"}))
    return result.replace(repeat=command_line(always=["seed"]), data_digest=datasets[0].hash)


def _on_several(learners: dict[str, Estimator | str], datasets: list[Dataset], options: dict[str, Any]) -> Comparison:
    from foldwise.comparison.estimators import compare

    taken = _without((*ONE_DATA_SET, "adjust", "positive"), "one data set", options)
    if taken["runs"] == "auto":
        raise click.UsageError("--runs auto is for one data set: over several the data sets are what counts, not runs")
    return compare(learners, datasets, **_asked(taken))


OPTIONS = (
    "adjust_metrics", "positive", "train_size", "paper", "replicate", "max_runs", "max_seconds", "fit_seconds",
    "fit_memory", "on_error", "cluster", "store", "control", "adjust",
)  # fmt: skip


def _asked(given: dict[str, Any], **told: Any) -> dict[str, Any]:
    """What was given on the command line as the verb takes it: what few people set in one object."""
    few = {name: value for name, value in given.items() if name in OPTIONS}
    rest = {name: value for name, value in given.items() if name not in OPTIONS}
    return {**rest, "options": Options(**few, **told)}


def _without(names: Sequence[str], meant_for: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options but for these, which are refused where somebody gave them."""
    context = click.get_current_context()
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise click.UsageError(f"--{name.replace('_', '-')} is for {meant_for}")
    return {name: value for name, value in options.items() if name not in names}
