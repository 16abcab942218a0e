"""``foldwise lab``: any test on any population."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from foldwise.cli.many_values import ManyValues
from foldwise.cli.output import Decorator, html_option, json_option, show

__all__ = ["command"]

DESIGN = ("n", "folds", "splits", "parts")


@click.group("lab")
def command() -> None:
    """Put the tests themselves on trial: Type I error, power, replicability, calibration."""


def _options(*extra: Decorator) -> Decorator:
    """The options that all studies share, and those of one study."""
    shared: list[Decorator] = [
        click.option("--population", default="two-kinds", show_default=True, help="name or name(param=value)."),
        click.option("--learners", multiple=True, help="Two learners, where the population does not simulate them."),
        click.option("--trials", default=1000, show_default=True, help="Number of data sets."),
        click.option("--n", default=300, show_default=True, help="Examples in each data set."),
        click.option("--folds", default=10, show_default=True, help="Folds of cross-validation."),
        click.option("--splits", default=30, show_default=True, help="Random splits of the resampled tests."),
        click.option("--parts", default=3, show_default=True, help="A random split tests on one of so many parts."),
        click.option("--seed", default=0, show_default=True, help="Gives the same numbers again."),
        click.option("--jobs", type=int, metavar="N", help="Processes; -1 for all processors."),
        click.option("--store", type=click.Path(path_type=Path), help="Results file: makes the study resumable."),
        click.option("--cluster", metavar="ADDRESS", help="Address of a running Dask scheduler."),
        json_option,
        html_option,
    ]

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed([*extra, *shared]):
            function = option(function)
        return function

    return decorate


_tests = click.option("--tests", multiple=True, default=("all",), help="Names of tests, or all.")
_alphas = click.option("--alpha", multiple=True, type=float, default=(0.05,), help="Significance levels.")
_runs = click.option("--runs", default=10, show_default=True, help="Runs of cross-validation.")


@command.command("type1", cls=ManyValues)
@_options(_tests, _alphas, _runs)
def type1(**options: Any) -> None:
    """How often do tests find a difference that is not there?"""
    from foldwise.lab import type_one_error

    _study(type_one_error, options)


@command.command("power", cls=ManyValues)
@_options(_tests, _alphas, _runs)
def power(**options: Any) -> None:
    """How often do tests find a difference that is there?"""
    from foldwise.lab import power as study

    _study(study, options)


@command.command("replicability", cls=ManyValues)
@_options(
    _tests,
    click.option("--alpha", default=0.05, show_default=True, help="Significance level."),
    _runs,
    click.option("--repetitions", default=10, show_default=True, help="Partitionings of each data set."),
)
def replicability(**options: Any) -> None:
    """Would another random partitioning of the same data give the same verdict?"""
    from foldwise.lab import replicability as study

    _study(study, options)


@command.command("calibrate", cls=ManyValues)
@_options(
    click.option("--tests", multiple=True, help="Repeated-cv variants, kfold_cv_t, resampled_t … [the ten variants]."),
    _alphas,
    click.option("--runs", multiple=True, type=int, default=(10,), help="Numbers of runs."),
)
def calibrate(**options: Any) -> None:
    """Which degrees of freedom give a test the Type I error that it claims?"""
    from foldwise.lab import calibrate as study

    if not options["tests"]:
        del options["tests"]
    _study(study, options)


@command.command("qq", cls=ManyValues)
@_options(click.option("--test", required=True, help="Name of a test."), _runs)
def qq(**options: Any) -> None:
    """Are a test's p-values uniform when there is no difference?"""
    from foldwise.lab import qq as study

    _study(study, options)


@command.command("populations")
@json_option
def populations(as_json: bool) -> None:
    """List the populations."""
    from foldwise.lab.populations import population_class, population_names

    rows = [{"name": name, "summary": _summary(population_class(name))} for name in population_names()]
    if as_json:
        click.echo(json.dumps({"populations": rows}, indent=2, ensure_ascii=False))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        click.echo(f"  {row['name']:<{width}}  {row['summary']}")


def _summary(cls: Any) -> str:
    return str(cls.__doc__).strip().splitlines()[0]


def _study(study: Callable[..., Any], options: dict[str, Any]) -> None:
    from foldwise.lab import Resources

    as_json, html = options.pop("as_json"), options.pop("html")
    resources = Resources(n_jobs=options.pop("jobs"), store=options.pop("store"), cluster=options.pop("cluster"))
    show(study(resources=resources, **options), as_json=as_json, html=html)
