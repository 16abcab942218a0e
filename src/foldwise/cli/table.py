"""``foldwise table FILE.csv``: several learners on several data sets."""

from __future__ import annotations

from typing import Any

import click

from foldwise.cli.fail_if import gate_options, lined_up
from foldwise.cli.options import option, takes, those_of
from foldwise.cli.output import higher_is_better, judged_answer, show
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.options import Options
from foldwise.comparison.over_data_sets import least_adjusted
from foldwise.comparison.table_pairs import BAYES
from foldwise.comparison.tables import compare_table
from foldwise.core.metric import declared_unit
from foldwise.data.score_files import read_table
from foldwise.designs.adjustments import ADJUSTMENTS
from foldwise.designs.data_sets import OMNIBUS, PAIR_TESTS
from foldwise.evidence.score_table import ScoreTable


@click.command("table", cls=Command)
@click.argument("file")
@takes(
    "columns",
    click.option("--rows", type=click.Choice(["tasks", "models"]),
                 help="What the rows are: data sets (tasks), or models, with data sets in columns [tasks]."),
    "control", option("test", f"Test of a pair: {', '.join(PAIR_TESTS)}.", default="wilcoxon"),
    option("adjust", f"Adjustment: {', '.join(ADJUSTMENTS)}.", type=str),
    click.option("--omnibus", default="iman_davenport", show_default=True,
                 help=f"Omnibus test, whether all are the same: {', '.join(OMNIBUS)}."),
    click.option("--bayes", default="auto", show_default=True, help=f"Probabilities: {', '.join(BAYES)}."),
    option("metric", default="score", show_default=True), "lower_is_better", "unit", "missing", "bounds", "seed",
    "alpha", "rope", gate_options, judged_answer,
    control="Compare the others with this learner only.", seed="Seed of the posterior draws.",
)  # fmt: skip
def command(file: str, **options: Any) -> Comparison:
    """Compare several learners over several data sets, from a table of scores.

    FILE is a table such as CSV (or - for standard input): the first column names the data sets, each other column has
    one learner's scores. Empty cells are refused unless --missing or --omnibus skillings_mack is given.
    """
    read = read_table(file, **those_of(("columns", "rows"), options))
    roles = lined_up(read.names, **those_of(("candidates", "baseline", "control"), options))
    table = ScoreTable.of(
        read.values[:, [read.names.index(name) for name in roles.names]],
        learners=roles.names,
        datasets=read.datasets,
        higher_is_better=higher_is_better(options.pop("lower_is_better")),
        metric=options.pop("metric"),
        unit=options.pop("unit") or declared_unit(read.decisions),
    )
    few = Options(control=roles.control, **those_of(("adjust", "omnibus", "bayes", "bounds"), options))
    _warn_if_hopeless(table, options["alpha"], options["test"], few)
    result = compare_table(table, random_state=options.pop("seed"), **options, options=few)
    return show(result.deciding((*read.decisions, *roles.decisions(options["margin"]))))


def _warn_if_hopeless(table: ScoreTable, alpha: float, test: str, few: Options) -> None:
    """Say at once, before anything is computed, when no scores of this many data sets could be significant."""
    if test in PAIR_TESTS and few.adjust in ADJUSTMENTS:
        against, pair_test = None if few.control is None else 0, PAIR_TESTS[test]
        least = least_adjusted(table, pair_test, pair_test.adjustment or ADJUSTMENTS[few.adjust], control=against)
        if least >= alpha:
            click.echo(
                f"note: with {table.n_datasets} data sets no adjusted p-value can be below {least:.2g}, "
                f"so nothing can be significant at {alpha:g}",
                err=True,
            )
