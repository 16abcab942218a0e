"""``foldwise scores FILE.csv``: two learners, from scores on the same splits."""

from __future__ import annotations

from typing import Any

import click

from foldwise.cli.fail_if import gate_options, lined_up
from foldwise.cli.options import takes, those_of
from foldwise.cli.output import command_line, higher_is_better, judged_answer, show
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_scores import check_sizes_of, compare_scores
from foldwise.comparison.options import Options
from foldwise.core.metric import UNNAMED, declared_unit
from foldwise.data.score_files import read_scores


@click.command("scores", cls=Command)
@click.argument("file")
@takes(
    "columns", "a", "b",
    click.option("--learner", metavar="COLUMN", help="Column with the learner, in a long file; none for a wide one "
                 "[guessed]."),
    click.option("--run", metavar="COLUMN", help="Column with the run, or none [guessed]."),
    click.option("--fold", metavar="COLUMN", help="Column with the fold or split, or none [guessed]."),
    click.option("--score", metavar="COLUMN", help="Column with the score, in a long file [guessed]."),
    "metric", "runs", "n_train", "n_test", "lower_is_better", "unit", "missing", "bounds", "test", "alpha", "rope",
    gate_options, judged_answer,
    a="The first learner, if the file has more than two.",
    b="The second learner, if the file has more than two.",
    metric="What the scores measure [the score column's name].",
    test="A test for scores, by name.",
)  # fmt: skip
def command(file: str, **options: Any) -> Comparison:
    """Compare two or more learners by their scores on the same splits of one data set.

    FILE is a table such as CSV (or - for standard input): long, with columns learner, run, fold, score; or wide, with
    one row per split, one column per learner, and columns run and fold for cross-validation.
    """
    read = those_of(("columns", "learner", "run", "fold", "score"), options)
    table = read_scores(file, **read, gaps=options["missing"] != "refuse")
    check_sizes_of(table, options["n_train"], options["n_test"])
    a, b, unit = (options.pop(name) for name in ("a", "b", "unit"))
    chosen = table.names if a is b is None else table.pair(a, b)
    roles = lined_up(chosen, **those_of(("candidates", "baseline"), options), ordered=a is not None or b is not None)
    names = roles.names if len(roles.names) > 1 else table.pair()
    options["metric"] = options["metric"] or table.metric or UNNAMED
    few = Options(unit=unit or declared_unit(table.decisions), bounds=options.pop("bounds"))
    direction = higher_is_better(options.pop("lower_is_better"))
    scores = {name: table.scores[name] for name in names}
    result = compare_scores(scores, higher_is_better=direction, **options, options=few)
    told = (*table.decisions, *roles.decisions(options["margin"]))
    return show(result.deciding(told).replace(repeat=command_line()))
