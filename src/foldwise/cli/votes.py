"""``foldwise votes FILE``: models compared by who was preferred."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from foldwise.cli.columns import column_option
from foldwise.cli.fail_if import gate_options, require_declared
from foldwise.cli.output import (
    alpha_option,
    answer_options,
    claim_option,
    command_line,
    paper_option,
    rope_option,
    show,
)
from foldwise.cli.parsing import Command
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.from_votes import CLUSTERS, compare_votes
from foldwise.comparison.options import Options
from foldwise.reading.lineup import line_up
from foldwise.reading.votes import read_votes


@click.command("votes", cls=Command)
@click.argument("file")
@column_option
@click.option("--model", "models", multiple=True, metavar="MODEL", help="Only votes between these [all models].")
@click.option("--groups", type=click.Choice(CLUSTERS), default="auto", show_default=True,
              help="What votes are correlated by: several of one item, or of one annotator.")  # fmt: skip
@click.option("--control", metavar="MODEL", help="Compare the others with this model only.")
@click.option("--adjust", type=click.Choice(["holm", "max_t"]), default="holm", show_default=True,
              help="How p-values are adjusted for the number of pairs.")  # fmt: skip
@click.option("--penalty", type=float, default=0.0, help="Draw the strengths of three and more models towards each "
              "other by so much, so that there are some where a model never loses [0].")  # fmt: skip
@alpha_option
@rope_option
@click.option("--seed", default=0, show_default=True, help="Seed of the draws behind max_t and the set of the best.")
@gate_options
@answer_options
@claim_option
@paper_option
def command(
    file: str,
    columns: dict[str, Any],
    models: tuple[str, ...],
    **options: Any,
) -> Comparison:
    """Compare models by votes: which of two answers was preferred, by people or by a model judge.

    FILE is AlpacaEval's annotations.json, Arena battles or MT-Bench's pairwise judgements as JSON lines, or a table
    with a row per vote: model_a, model_b, winner (a model's name, model_a, model_b, tie or both_bad), and perhaps item,
    annotator and order. Two models get a win rate; more get strengths (Bradley-Terry with ties), who may be best, and
    the range of each one's rank.
    """
    one_each = {role: name if isinstance(name, str) else name[0] for role, name in columns.items()}
    rows = read_votes(file, columns=one_each)
    candidates, baseline = options.pop("candidates"), options.pop("baseline")
    few = {name: options.pop(name) for name in ("control", "adjust", "penalty")}
    names = models or tuple(dict.fromkeys([*rows.model_a, *rows.model_b]))
    roles = line_up(names, candidate=candidates or None, baseline=baseline, control=few["control"],
                    ordered=bool(models))  # fmt: skip
    require_declared(roles.names, roles.decision)
    found = compare_votes(
        rows, models=models or None, candidate=candidates or None, baseline=baseline,
        random_state=options.pop("seed"), **options, options=Options(**few),
    )  # fmt: skip
    answer = found.replace(repeat=command_line(always=["seed"]), subject=Path(file).name)
    return show(answer)
