"""``foldwise rates 3/50 7/60``: do independent error rates differ?"""

from __future__ import annotations

import click

from foldwise.cli.fail_if import end_by
from foldwise.cli.options import takes
from foldwise.cli.output import answer_options, claim_option, show
from foldwise.cli.parsing import Command
from foldwise.comparison.rates import RateComparison, compare_rate_samples, compare_rates, parse_rates
from foldwise.core.errors import InvalidInput


@click.command("rates", cls=Command)
@click.argument("rates", nargs=-1, metavar="RATE...")
@click.option("--paired", is_flag=True, help="Both algorithms were trained on the same samples.")
@click.option("--fail-if", multiple=True, type=click.Choice(["worse", "not-better"]), metavar="WHAT",
              help="End with exit code 1 if the first rate is shown to be higher (worse), with 3 if it is not shown to "
              "be lower (not-better). Of two rates only.")  # fmt: skip
@takes("alpha", answer_options, claim_option)
def command(rates: tuple[str, ...], paired: bool, fail_if: tuple[str, ...], alpha: float) -> RateComparison:
    """Do independent error rates differ?

    RATE is ERRORS/N on a test set of its own, such as 3/50; two or more. Or it is an algorithm's error rates on several
    independent samples, such as 0.10,0.12,0.08; two of them, with --paired where both were trained on the same samples.
    """
    form, read = parse_rates(rates)
    if form == "counts" and paired:
        raise InvalidInput("--paired is for rates on several samples: for the same examples use foldwise predictions")
    if form == "samples" and len(read) != 2:
        raise InvalidInput(f"rates on several samples must be of two algorithms, got {len(read)}")
    if fail_if and len(read) != 2:
        raise InvalidInput(f"--fail-if is about the first of two rates, got {len(read)}: give NEW and OLD alone")
    found = compare_rates(read, alpha=alpha) if form == "counts" else compare_rate_samples(
        *read, paired=paired, alpha=alpha)  # fmt: skip
    return end_by(show(found), fail_if)
