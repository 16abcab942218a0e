"""``foldwise compare A B --data NAME_OR_FILE``: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.output import alpha_option, command_line, html_option, json_option, rope_option, show

__all__ = ["command"]


class RunCount(click.ParamType):  # type: ignore[type-arg] # generic since click 8.3 only
    """A number of runs, or "auto"."""

    name = "N|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """A whole number, or "auto"."""
        if value == "auto" or isinstance(value, int):
            return value  # type: ignore[no-any-return]
        try:
            return int(value)
        except ValueError:
            self.fail(f"runs must be a whole number or 'auto', got {value!r}", param, ctx)


@click.command("compare")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--data", required=True, metavar="NAME_OR_FILE", help="Data set: a name, a file, openml:ID.")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Folder with data sets [$FOLDWISE_DATA].")
@click.option("--target", metavar="COLUMN", help="Column to predict [guessed]; also 'first' or 'last'.")
@click.option("--test", default="auto", show_default=True, help="A test by name; the resampling follows from it.")
@click.option("--runs", type=RunCount(), default=10, show_default=True, help="Runs of cross-validation; auto adds "
              "runs until the verdict would be the same whoever runs it.")  # fmt: skip
@click.option("--folds", default=10, show_default=True, help="Folds of each run.")
@click.option("--scoring", help="accuracy, error, auc, log_loss, brier, mse … or any scikit-learn scorer.")
@click.option("--replicate", type=int, metavar="N", help="Repeat the whole test on N partitionings.")
@click.option("--max-runs", default=200, show_default=True, help="Budget of --runs auto.")
@click.option("--max-seconds", type=float, help="Budget of --runs auto.")
@click.option("--seed", default=0, show_default=True, help="Determines every split.")
@click.option("--jobs", type=int, metavar="N", help="Processes; -1 for all processors.")
@click.option("--store", type=click.Path(path_type=Path), help="Results file: makes the work resumable.")
@click.option("--on-error", type=click.Choice(["raise", "continue"]), default="raise", show_default=True,
              help="Whether a failed fit stops the work at once.")  # fmt: skip
@click.option("--cluster", metavar="ADDRESS", help="Address of a running Dask scheduler.")
@alpha_option
@rope_option
@json_option
@html_option
def command(
    a: str,
    b: str,
    data: str,
    data_dir: Path | None,
    target: str | None,
    as_json: bool,
    html: Path | None,
    **options: Any,
) -> None:
    """Compare two learners on a data set.

    A and B are learners: nb, c45, 1nn, 3nn, tan, votedperceptron, lp, mlp, majority, or module:Class(param=value).
    """
    from foldwise.data import load
    from foldwise.verdict import compare

    dataset = load(data, target=target, data_dir=data_dir)
    seed, jobs = options.pop("seed"), options.pop("jobs")
    result = compare(a, b, dataset.X, dataset.y, random_state=seed, n_jobs=jobs, data_name=dataset.name, **options)
    show(result.renamed(repeat=command_line(always=["seed"]), data_digest=dataset.hash), as_json=as_json, html=html)
