"""``foldwise votes FILE…``: models compared by who was preferred."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.fail_if import gate_options, require_declared
from foldwise.cli.options import option, takes, those_of
from foldwise.cli.output import command_line, judged_answer, show
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_votes import CLUSTERS, compare_votes, of_votes
from foldwise.comparison.options import Options
from foldwise.reading.lineup import line_up
from foldwise.reading.votes import read_votes


@click.command("votes", cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@takes(
    "columns", "models",
    click.option("--groups", type=click.Choice(CLUSTERS), default="auto", show_default=True,
                 help="What makes votes correlated: the item, or the annotator."),
    "control", "adjust", "penalty", "slices",
    "alpha", option("rope", default="0.01", show_default=True), "seed", gate_options, judged_answer,
    models="Use only votes between these models [all].", seed="Seed of the draws behind max_t and the set of the best.",
)  # fmt: skip
def command(files: tuple[str, ...], columns: dict[str, Any], models: tuple[str, ...], **options: Any) -> Comparison:
    """Compare models by votes: which of two answers was preferred, by people or by a model judge.

    FILE is AlpacaEval's annotations.json, Arena battles or MT-Bench's pairwise judgements as JSON lines, or a table
    with a row per vote: model_a, model_b, winner (a model's name, model_a, model_b, tie or both_bad) and, if known,
    item, annotator and order. Two models get a win rate; more get strengths (Bradley-Terry with ties), the set that may
    be best, and rank intervals.
    """
    rows = read_votes(files, columns=of_votes(columns, options["slices"]))
    candidates, baseline = options.pop("candidates"), options.pop("baseline")
    few = those_of(("control", "adjust", "penalty"), options)
    names = models or tuple(dict.fromkeys([*rows.model_a, *rows.model_b]))
    roles = line_up(names, candidate=candidates or None, baseline=baseline, control=few["control"],
                    ordered=bool(models))  # fmt: skip
    require_declared(roles.names, roles.decision)
    found = compare_votes(
        rows, models=models or None, candidate=candidates or None, baseline=baseline,
        random_state=options.pop("seed"), **options, options=Options(**few),
    )  # fmt: skip
    subject = Path(files[0]).name if len(files) == 1 else f"{len(files)} files"
    return show(found.replace(repeat=command_line(always=["seed"]), subject=subject))
