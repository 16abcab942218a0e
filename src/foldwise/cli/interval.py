"""``foldwise interval ERRORS N``: how uncertain is one error rate?"""

from __future__ import annotations

import click

from foldwise.cli.output import answer_options, claim_option, show
from foldwise.cli.parsing import Command
from foldwise.core.validation import one_of
from foldwise.inference.error_rates import INTERVAL_METHODS, RECOMMENDED, Method, interval_survey


# unknown options pass as arguments, so that -1 is refused as a count and not as an option
@click.command("interval", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("errors", type=int)
@click.argument("n", type=int)
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals, between 0 and 1.")
@click.option("--method", metavar="NAME", help="The interval to use [jeffreys; beta when --prior is given].")
@click.option("--prior", nargs=2, type=float, metavar="U V", help="Beta prior of the method 'beta' [1 3.67].")
@answer_options
@claim_option
def command(errors: int, n: int, confidence: float, method: str | None, prior: tuple[float, float] | None) -> None:
    """How uncertain is an error rate of ERRORS wrong answers on N test examples?

    Shows every interval side by side and marks the one to use. For k-fold cross-validation give all errors over
    the folds and the size of the data set.
    """
    chosen: Method = RECOMMENDED if prior is None else "beta"
    if method is not None:
        chosen = one_of(method.replace("-", "_"), "method", INTERVAL_METHODS)  # type: ignore[assignment]
    survey = interval_survey(errors, n, method=chosen, confidence_level=confidence, prior=prior)
    show(survey)
