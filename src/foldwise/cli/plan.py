"""``foldwise plan``: how many examples, runs, data sets or human labels are needed, and which items to label."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.options import takes
from foldwise.cli.output import answer_options, show
from foldwise.cli.parsing import Command
from foldwise.core.roles import Columns


@click.command("plan", cls=Command)
@click.option("--test", help="mcnemar, two_rates, corrected_repeated_cv_t, wilcoxon, ppi (human labels) or paired_t "
              "(items tried several times) [mcnemar; with --labels ppi].")  # fmt: skip
@click.option("--size", type=int, help="Test examples, runs, data sets, or labels.")
@click.option("--difference", type=float, help="True difference to be found.")
@click.option("--power", type=float, help="Probability of finding it [0.8].")
@click.option("--discordance", type=float, help="mcnemar: share of examples that exactly one gets wrong.")
@click.option("--rate", type=float, help="two_rates: error rate of the worse classifier.")
@click.option("--sigma", type=float, help="Standard deviation of the difference between folds or data sets.")
@click.option("--folds", default=10, show_default=True, help="corrected_repeated_cv_t: folds of each run.")
@click.option("--pilot", metavar="FILE", help="A pilot study, as foldwise judge takes it: for ppi a judge's scores and "
              "human labels, for paired_t runs; or scores instead of --sigma.")  # fmt: skip
@takes(
    "metric", "columns", "models", metric="ppi, paired_t: which metric of the pilot.",
    models="ppi, paired_t: the two models of the pilot, if it has more.",
)  # fmt: skip
@click.option("--runs", type=int, help="paired_t: runs of each item [as in the pilot].")
@click.option("--items", type=int, help="paired_t: items of each cluster [as in the pilot].")
@click.option("--cost-item", type=float, default=0.0, help="paired_t: what a new item costs [0].")
@click.option("--cost-run", type=float, default=1.0, help="paired_t: what a run by both models costs [1].")
@click.option("--cost-cluster", type=float, default=0.0, help="paired_t: what a new cluster costs [0].")
@click.option("--labels", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Draw as many of the pilot's items to label as are needed, and write them here.")  # fmt: skip
@takes("seed", "alpha", answer_options, seed="Seed of that draw.")
def command(
    test: str | None, pilot: str | None, metric: str | None, columns: Columns, models: tuple[str, ...],
    cost_item: float, cost_run: float, cost_cluster: float, labels: Path | None, seed: int, **options: Any,
) -> None:  # fmt: skip
    """Find how many examples, runs, data sets or labels are needed to find a difference, or what a given number finds.

    Give two of --size, --difference and --power (0.8 unless given); the third is computed. With --labels FILE the
    items that people should label are drawn at random from the pilot and written there.
    """
    from foldwise.comparison.power_plan import plan

    test = test or ("mcnemar" if labels is None else "ppi")
    if labels is not None and (test != "ppi" or pilot is None):
        raise click.UsageError("--labels draws from the items that a judge scored: name their file with --pilot")
    if test not in ("ppi", "paired_t"):
        show(plan(test, pilot=None if pilot is None else _differences(pilot), **options))
        return
    from foldwise.comparison.judging import judge

    study = None if pilot is None else judge(pilot, metric=metric, columns=columns, models=models)
    found = plan(test, pilot=study, cost=(cost_item, cost_run, cost_cluster), **options)
    if labels is not None and study is not None:
        from foldwise.comparison.power_plan import draw_labels

        show(draw_labels(study, found, labels, seed=seed))
        return
    show(found)


def _differences(file: str) -> Any:
    from foldwise.data.score_files import read_scores

    scores = read_scores(file)
    a, b = scores.pair()
    return scores.scores[a] - scores.scores[b]
