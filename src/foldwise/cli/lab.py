"""``foldwise lab``: any test on any population."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from foldwise.cli.options import Decorator, option, takes
from foldwise.cli.output import answer_options, command_line, show
from foldwise.cli.parsing import Command

if TYPE_CHECKING:
    from foldwise.core.result import Result
    from foldwise.lab.populations import Population


KEPT = ("jobs", "store", "cluster", "fit_seconds", "fit_memory")
"""Options that are passed on even if they were not given."""


@click.group("lab")
def command() -> None:
    """Put the tests themselves on trial: Type I error, power, replicability, calibration.

    A learner module:Class or a population module:function imports the module, which runs it: name only code that you
    trust.
    """


_population = click.option(
    "--population", default="two-kinds", show_default=True, help="name or name(param=value), or module:function."
)
_populations = click.option(
    "--population", "populations", multiple=True, help="One or several: name or name(param=value), or module:function."
)
_data: tuple[Decorator | str, ...] = (
    click.option("--data", metavar="NAME_OR_FILE", help="Examine the tests on this data set with these learners."),
    "target", "keep",
)  # fmt: skip


def _options(*extra: Decorator | str) -> Decorator:
    """The options that all studies share, and those of one study."""
    return takes(
        *extra,
        click.option("--learners", multiple=True, help="Two learners, where the population does not simulate them."),
        click.option("--trials", type=int, help="Number of data sets.  [1000; with --data 200]"),
        click.option("--n", type=int, help="Examples in each data set.  [300; with --data at most half of it]"),
        click.option("--folds", default=10, show_default=True, help="Folds of cross-validation."),
        click.option("--splits", default=30, show_default=True, help="Random splits of the resampled tests."),
        click.option("--nestings", default=2, show_default=True, help="Repetitions of nested_cv."),
        click.option("--blocks", default=6, show_default=True, help="Blocks of round_robin."),
        click.option("--dealings", default=6, show_default=True, help="Dealings of round_robin into --blocks blocks."),
        click.option("--parts", default=3, show_default=True, help="A random split tests on one part of this many."),
        "seed", "jobs", "store", "cluster", "fit_seconds", "fit_memory", answer_options,
        seed="Gives the same numbers again.",
    )  # fmt: skip


_tests = click.option("--tests", multiple=True, default=("all",), help="Names of tests, or all.")
_alphas = click.option("--alpha", multiple=True, type=float, default=(0.05,), help="Significance levels.")
_runs = click.option("--runs", default=10, show_default=True, help="Runs of cross-validation.")


@command.command("type1", cls=Command)
@_options(_populations, *_data, _tests, _alphas, _runs)
def type1(**options: Any) -> None:
    """How often do tests find a difference that is not there?

    With --data: which tests keep their level with these learners on this data, and which of those sees most?
    """
    from foldwise.lab.examination import examine
    from foldwise.lab.rejection import several_nulls, type_one_error

    populations, chosen = options.pop("populations") or ("two-kinds",), _chosen(options)
    if options["data"] is not None:
        if click.get_current_context().get_parameter_source("populations") == click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("give --data or --population, not both")
        _study(partial(examine, **chosen), {**options, "alpha": _only(options["alpha"])})
    elif len(populations) == 1:
        _study(type_one_error, {**_without(options, "data"), "population": populations[0]})
    else:
        _study(several_nulls, {**_without(options, "data"), "populations": populations})


@command.command("power", cls=Command)
@_options(
    click.option("--population", help="name or name(param=value), or module:function.  [two-kinds]"),
    *_data,
    _tests,
    _alphas,
    _runs,
    click.option("--over", type=click.Choice(["n", "runs"]), help="Draw a curve over this."),
    click.option("--values", multiple=True, type=int, help="Where on the curve."),
)
def power(**options: Any) -> None:
    """How often do tests find a difference that is there?

    With --data or --over: a curve over the number of examples or of runs.
    """
    from foldwise.lab.rejection import power as study
    from foldwise.lab.rejection import power_curve

    chosen = _chosen(options)
    data, over = options.pop("data"), options.pop("over")
    values = options.pop("values")
    if data is None:
        options["population"] = options["population"] or "two-kinds"
    elif options["population"] is None:
        options |= {"population": _finite(data, **chosen), "trials": options["trials"] or 200}
    else:
        raise click.UsageError("give --data or --population, not both")
    if over is None and data is None:
        _study(study, options)
        return
    options |= {"over": over or "n", "alpha": _only(options["alpha"])}
    options["values"] = values or _usual_values(options["over"], options["population"])
    _study(power_curve, options)


@command.command("replicability", cls=Command)
@_options(
    _population,
    _tests,
    "alpha",
    _runs,
    click.option("--repetitions", default=10, show_default=True, help="Partitionings of each data set."),
)
def replicability(**options: Any) -> None:
    """Would another random partitioning of the same data give the same verdict?"""
    from foldwise.lab.rates import replicability as study

    _study(study, options)


@command.command("calibrate", cls=Command)
@_options(
    click.option("--population", help="name or name(param=value).  [independent-binary, with nb and c45]"),
    click.option("--tests", multiple=True, help="Repeated-cv variants, kfold_cv_t, resampled_t … [the ten variants]."),
    _alphas,
    click.option("--runs", multiple=True, type=int, default=(10,), help="Numbers of runs, or of random splits."),
)
def calibrate(**options: Any) -> None:
    """Which degrees of freedom give a test the Type I error that it claims?"""
    from foldwise.lab.calibration import calibrate as study

    defaults = ["tests", *(["learners"] if options["population"] is None else [])]
    unset = [name for name in defaults if not options[name]]
    _study(study, {name: value for name, value in options.items() if name not in ("splits", *unset)})


@command.command("qq", cls=Command)
@_options(_population, click.option("--test", required=True, help="Name of a test."), _runs)
def qq(**options: Any) -> None:
    """Are a test's p-values uniform when there is no difference?"""
    from foldwise.lab.calibration import qq as study

    _study(study, options)


@command.command("curve", cls=Command)
@click.argument("learner")
@click.option("--data", required=True, metavar="NAME_OR_FILE", help="The data set.")
@takes(
    "target", "keep",
    click.option("--share", default=0.5, show_default=True, help="Share of each training set that it gets besides."),
    option("metric", "accuracy, mse …  [accuracy or r2]"), _runs,
    click.option("--folds", default=10, show_default=True, help="Folds of cross-validation."),
    "seed", "jobs", "store", "alpha", answer_options,
)  # fmt: skip
def curve(
    learner: str, data: str, target: str | None, keep: tuple[str, ...], seed: int, jobs: int | None,
    store: Path | None, **asked: Any,
) -> None:  # fmt: skip
    """Does LEARNER still get better with more examples, at the size that cross-validation trains on?

    It is compared with itself on a share of each training set, on the same splits.
    """
    from foldwise.comparison.options import Options
    from foldwise.data.loading import load
    from foldwise.lab.learning_curve import curve as study

    asked |= {"random_state": seed, "n_jobs": jobs, "options": Options(store=store)}
    found = study(learner, load(data, target=target, keep=keep), **asked)
    show(found.replace(repeat=command_line(always=["seed"])))


@command.command("populations", cls=Command)
@answer_options
def populations() -> None:
    """List the populations."""
    from foldwise.document.data import Listing
    from foldwise.lab.populations import population_class, population_names

    rows = [{"name": name, "summary": _summary(population_class(name))} for name in population_names()]
    listing = Listing(
        title="Populations of the lab", key="populations", content=rows, columns=("name", "what it is"),
        rows=tuple((row["name"], row["summary"]) for row in rows),
    )  # fmt: skip
    show(listing)


def _summary(cls: type) -> str:
    return str(cls.__doc__).strip().splitlines()[0]


def _without(options: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != name}


def _only(levels: tuple[float, ...]) -> float:
    if len(levels) != 1:
        raise click.UsageError(f"--alpha takes one level here, got {len(levels)}")
    return levels[0]


def _chosen(options: dict[str, Any]) -> dict[str, Any]:
    """What is said of the columns of the data set, taken from the options."""
    chosen = {name: options.pop(name) for name in ("target", "keep")}
    for name, value in chosen.items():
        if value and options["data"] is None:
            raise click.UsageError(f"--{name} needs --data")
    return chosen


def _finite(data: str, **chosen: Any) -> Population:
    from foldwise.lab.populations.from_data import Finite

    return Finite(data=data, **chosen)


def _usual_values(over: str, population: str | Population) -> tuple[int, ...]:
    """Where a curve is drawn if nothing is said: at numbers that double, as far as the data reach."""
    if over == "runs":
        return (2, 5, 10, 20)
    from foldwise.lab.populations import find_population

    most = (find_population(population).size or 1600) // 2
    return tuple(size for size in (50, 100, 200, 400, 800) if size <= most) or (most,)


def _study(study: Callable[..., Result], options: dict[str, Any]) -> None:
    from foldwise.lab.gather import Resources

    options = {name: value for name, value in options.items() if value is not None or name in KEPT}
    resources = Resources(
        n_jobs=options.pop("jobs"),
        **{name: options.pop(name) for name in ("store", "cluster", "fit_seconds", "fit_memory")},
    )
    show(study(resources=resources, **options))
