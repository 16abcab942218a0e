"""``foldwise table FILE.csv``: several learners on several data sets."""

from __future__ import annotations

import click

from foldwise.cli.columns import column_option
from foldwise.cli.fail_if import gate_options, lined_up
from foldwise.cli.output import (
    alpha_option,
    answer_options,
    bounds_option,
    claim_option,
    direction_option,
    higher_is_better,
    missing_option,
    paper_option,
    score_rope_option,
    show,
    unit_option,
)
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.options import Options
from foldwise.comparison.over_data_sets import least_adjusted
from foldwise.comparison.results import with_decisions
from foldwise.comparison.table_pairs import BAYES
from foldwise.comparison.tables import compare_table
from foldwise.core.metric import Unit, declared_unit
from foldwise.core.roles import Columns
from foldwise.data.score_files import Rows, read_table
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.designs.data_sets import OMNIBUS, PAIR_TESTS
from foldwise.evidence.missing import Policy
from foldwise.evidence.score_table import ScoreTable


@click.command("table", cls=Command)
@click.argument("file")
@column_option
@click.option(
    "--rows",
    type=click.Choice(["tasks", "models"]),
    help="What rows are: data sets [tasks], or models, with data sets in columns.",
)
@click.option("--control", metavar="LEARNER", help="Compare the others with this learner only.")
@click.option("--test", default="wilcoxon", show_default=True, help=f"Test of a pair: {', '.join(PAIR_TESTS)}.")
@click.option("--adjust", default="holm", show_default=True, help=f"Adjustment: {', '.join(ADJUSTMENTS)}.")
@click.option("--omnibus", default="iman_davenport", show_default=True, help=f"Are all the same: {', '.join(OMNIBUS)}.")
@click.option("--bayes", default="auto", show_default=True, help=f"Probabilities: {', '.join(BAYES)}.")
@click.option("--metric", default="score", show_default=True, help="What the scores measure.")
@direction_option
@unit_option
@missing_option
@bounds_option
@click.option("--seed", default=0, show_default=True, help="Seed of the posterior draws.")
@alpha_option
@score_rope_option
@gate_options
@answer_options
@claim_option
@paper_option
def command(
    file: str,
    columns: Columns,
    rows: Rows | None,
    control: str | None,
    test: str,
    adjust: str,
    omnibus: str,
    bayes: str,
    metric: str,
    lower_is_better: bool | None,
    unit: Unit | None,
    missing: Policy,
    bounds: tuple[float, float] | None,
    seed: int,
    alpha: float,
    rope: str | None,
    candidates: tuple[str, ...],
    baseline: str | None,
    margin: str | None,
) -> Comparison:
    """Compare several learners on several data sets.

    FILE is a table, CSV for instance (or - for standard input): the first column names the data sets, each other
    column holds one learner's scores. Empty cells are refused, settled with --missing, or taken with
    --omnibus skillings_mack.
    """
    read = read_table(file, columns=columns, rows=rows)
    roles = lined_up(read.names, candidates, baseline, control=control)
    table = ScoreTable.of(
        read.values[:, [read.names.index(name) for name in roles.names]],
        learners=roles.names,
        datasets=read.datasets,
        higher_is_better=higher_is_better(lower_is_better),
        metric=metric,
        unit=unit or declared_unit(read.decisions),
    )
    _warn_if_hopeless(table, alpha=alpha, test=test, adjust=adjust, control=roles.control)
    result = compare_table(
        table,
        missing=missing,
        alpha=alpha,
        rope=rope,
        margin=margin,
        test=test,
        random_state=seed,
        options=Options(control=roles.control, adjust=adjust, omnibus=omnibus, bayes=bayes, bounds=bounds),
    )
    result = with_decisions(result, (*read.decisions, *roles.decisions(margin)))
    return show(result)


def _warn_if_hopeless(table: ScoreTable, *, alpha: float, test: str, adjust: str, control: str | None) -> None:
    """Say at once, before anything is computed, when no scores of this many data sets could be significant."""
    if test in PAIR_TESTS and adjust in ADJUSTMENTS:
        against, pair_test = None if control is None else 0, PAIR_TESTS[test]
        least = least_adjusted(table, pair_test, pair_test.adjustment or ADJUSTMENTS[adjust], control=against)
        if least >= alpha:
            click.echo(
                f"note: with {table.n_datasets} data sets no adjusted p-value can be below {least:.2g}, "
                f"so nothing can be significant at {alpha:g}",
                err=True,
            )
