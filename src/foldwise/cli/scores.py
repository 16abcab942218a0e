"""``foldwise scores FILE.csv``: two learners, from scores on the same splits."""

from __future__ import annotations

import click

from foldwise.cli.columns import column_option
from foldwise.cli.fail_if import gate_options, lined_up
from foldwise.cli.output import (
    alpha_option,
    answer_options,
    bounds_option,
    claim_option,
    command_line,
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
from foldwise.comparison.from_scores import check_sizes_of, compare_scores
from foldwise.comparison.options import Options
from foldwise.comparison.results import with_decisions
from foldwise.core.metric import UNNAMED, Unit, declared_unit
from foldwise.core.roles import Columns
from foldwise.data.score_files import read_scores
from foldwise.evidence.missing import Policy


@click.command("scores", cls=Command)
@click.argument("file")
@column_option
@click.option("--a", metavar="LEARNER", help="The first learner, where the file has more than two.")
@click.option("--b", metavar="LEARNER", help="The second learner, where the file has more than two.")
@click.option(
    "--learner", metavar="COLUMN", help="Column with the learner, in a long file; none for a wide one [guessed]."
)
@click.option("--run", metavar="COLUMN", help="Column with the run, or none [guessed].")
@click.option("--fold", metavar="COLUMN", help="Column with the fold or split, or none [guessed].")
@click.option("--score", metavar="COLUMN", help="Column with the score, in a long file [guessed].")
@click.option("--metric", help="What the scores measure [the score column's name].")
@click.option("--runs", type=int, help="How often the cross-validation was repeated, where no column tells.")
@click.option("--n-train", type=float, help="Training examples in one split (needed for random splits).")
@click.option("--n-test", type=float, help="Test examples in one split (needed for random splits).")
@direction_option
@unit_option
@missing_option
@bounds_option
@click.option("--test", default="auto", show_default=True, help="A test for scores, by name.")
@alpha_option
@score_rope_option
@gate_options
@answer_options
@claim_option
@paper_option
def command(
    file: str,
    columns: Columns,
    a: str | None,
    b: str | None,
    learner: str | None,
    run: str | None,
    fold: str | None,
    score: str | None,
    metric: str | None,
    runs: int | None,
    n_train: float | None,
    n_test: float | None,
    lower_is_better: bool | None,
    unit: Unit | None,
    missing: Policy,
    bounds: tuple[float, float] | None,
    test: str,
    alpha: float,
    rope: str | None,
    candidates: tuple[str, ...],
    baseline: str | None,
    margin: str | None,
) -> Comparison:
    """Compare two learners from their scores on the same splits of one data set.

    FILE is a table, CSV for instance (or - for standard input): long, with columns learner, run, fold, score; or
    wide, with one row per split, one column per learner, and columns run and fold for cross-validation.
    """
    table = read_scores(
        file, columns=columns, learner=learner, run=run, fold=fold, score=score, gaps=missing != "refuse"
    )
    check_sizes_of(table, n_train, n_test)
    chosen = table.names if a is b is None else table.pair(a, b)
    roles = lined_up(chosen, candidates, baseline, ordered=a is not None or b is not None)
    names = roles.names if len(roles.names) > 1 else table.pair()
    result = compare_scores(
        {name: table.scores[name] for name in names},
        n_train=n_train,
        n_test=n_test,
        runs=runs,
        test=test,
        higher_is_better=higher_is_better(lower_is_better),
        missing=missing,
        alpha=alpha,
        rope=rope,
        margin=margin,
        metric=metric or table.metric or UNNAMED,
        options=Options(unit=unit or declared_unit(table.decisions), bounds=bounds),
    )
    result = with_decisions(result, (*table.decisions, *roles.decisions(margin))).replace(repeat=command_line())
    return show(result)
