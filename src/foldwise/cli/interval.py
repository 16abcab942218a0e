"""``foldwise interval ERRORS N``: how uncertain is one error rate?"""

from __future__ import annotations

import click

from foldwise.cli.fail_if import end_by_bar
from foldwise.cli.output import answer_options, claim_option, show
from foldwise.cli.parsing import Command
from foldwise.comparison.error_estimate import ErrorEstimate
from foldwise.comparison.one_model import counts_against_bar
from foldwise.core.validation import one_of
from foldwise.inference.error_rates import INTERVAL_METHODS, RECOMMENDED, IntervalSurvey, Method, interval_survey


# unknown options pass as arguments, so that -1 is refused as a count and not as an option
@click.command("interval", cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("errors", type=int)
@click.argument("n", type=int)
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals, between 0 and 1.")
@click.option("--method", metavar="NAME", help="The interval to use [jeffreys; beta when --prior is given].")
@click.option("--prior", nargs=2, type=float, metavar="U V", help="Beta prior of the method 'beta' [1 3.67].")
@click.option("--bar", metavar="X", help="What the rate should not exceed, 0.1 or 10%: exit code 1 if it is shown to, "
              "3 if that is inconclusive.")  # fmt: skip
@answer_options
@claim_option
def command(
    errors: int, n: int, confidence: float, method: str | None, prior: tuple[float, float] | None, bar: str | None
) -> IntervalSurvey | ErrorEstimate:
    """How uncertain is an error rate of ERRORS wrong answers on N test examples?

    Shows every interval side by side and marks the one to use. For k-fold cross-validation give all errors over
    the folds and the size of the data set.
    """
    chosen: Method = RECOMMENDED if prior is None else "beta"
    if method is not None:
        chosen = one_of(method.replace("-", "_"), "method", INTERVAL_METHODS)  # type: ignore[assignment]
    survey = interval_survey(errors, n, method=chosen, confidence_level=confidence, prior=prior)
    return show(survey) if bar is None else end_by_bar(show(counts_against_bar(survey, bar)))
