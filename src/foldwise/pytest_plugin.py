"""A pytest plugin: models compared in tests, and tests of things that fail now and then judged as a rate.

``foldwise`` is a fixture: ``assert foldwise.not_worse(new, old, margin="1pt")``. A test marked
``@pytest.mark.foldwise_rate(0.8, runs=20)`` is run several times, and passes where its rate of success is shown to be
at least 80 %.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from foldwise.comparison.gates import Gate


RUNS = 20
MOST_RUNS = 100_000
LONGEST = 500
"""Characters of the last failure's message."""

_GATES = pytest.StashKey[list[Any]]()


class RateNotShown(AssertionError):
    """A marked test did not succeed often enough, or too few runs tell."""


class Comparisons:
    """What the fixture ``foldwise`` offers; what it answered is printed with a test that fails."""

    def __init__(self, alpha: float, answers: list[Any]) -> None:
        self._alpha, self._answers = alpha, answers

    def not_worse(self, new: Any, old: Any, *, margin: float | str, **options: Any) -> Gate:
        """Whether `new` is shown not to be worse than `old` by more than the margin: `foldwise.not_worse`."""
        from foldwise.comparison.gates import not_worse

        found = not_worse(new, old, margin=margin, **({"alpha": self._alpha} | options))
        self._answers.append(found)
        return found


@pytest.fixture
def foldwise(request: pytest.FixtureRequest) -> Comparisons:
    """Comparisons of models, for use with ``assert``."""
    answers = request.node.stash.setdefault(_GATES, [])
    return Comparisons(request.config.getoption("--foldwise-alpha"), answers)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Level, number of runs, and what becomes of what is inconclusive."""
    group = parser.getgroup("foldwise", "foldwise: models and rates of success judged by their uncertainty")
    group.addoption("--foldwise-alpha", type=float, default=0.05, metavar="LEVEL",
                    help="level of rates and comparisons [0.05]")  # fmt: skip
    group.addoption("--foldwise-runs", type=int, metavar="N", help="runs of every test marked foldwise_rate")
    group.addoption("--foldwise-inconclusive", choices=("fail", "xfail", "pass"), default="fail",
                    help="what a test marked foldwise_rate does where its runs are too few to tell [fail]")  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known, and refuse settings that nothing can be judged by."""
    config.addinivalue_line(
        "markers",
        f"foldwise_rate(required, runs={RUNS}): run the test several times; it passes where its rate of success is "
        "shown to be at least `required`.",
    )
    if not 0 < config.getoption("--foldwise-alpha") < 0.5:
        raise pytest.UsageError(
            f"--foldwise-alpha must be above 0 and below 0.5, got {config.getoption('--foldwise-alpha')}"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a marked test again and again, with the same fixtures, until more runs can't change what is shown."""
    __tracebackhide__ = True
    marker = pyfuncitem.get_closest_marker("foldwise_rate")
    if marker is None:
        return None
    option = pyfuncitem.config.getoption
    required, runs = _asked(*marker.args, **marker.kwargs)
    runs = option("--foldwise-runs") or runs
    judge = _Rate(required, runs, option("--foldwise-alpha"))
    if (least := judge.least()) > runs:
        pytest.fail(f"foldwise_rate: {runs} runs can't show a rate of {100 * required:g} %, even if all succeed: "
                    f"at least {least} are needed", pytrace=False)  # fmt: skip
    wanted = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    successes, done = 0, 0
    last: Exception | None = None
    while not judge.settled(successes, done):
        try:
            pyfuncitem.obj(**wanted)
            successes += 1
        except (pytest.skip.Exception, pytest.xfail.Exception, pytest.exit.Exception):
            raise
        except Exception as error:  # noqa: BLE001 (a failure of the test, whatever it is)
            last = error
        done += 1
    finding, words = judge.found(successes, done)
    pyfuncitem.user_properties.append(("foldwise_rate", words))
    if finding == "inconclusive" and option("--foldwise-inconclusive") == "xfail":
        pytest.xfail(words)
    if finding == "failed" or (finding == "inconclusive" and option("--foldwise-inconclusive") == "fail"):
        raise RateNotShown(f"{words}; the last failure: {type(last).__name__}: {str(last)[:LONGEST]}") from None
    return True


def _asked(required: float, runs: int = RUNS) -> tuple[float, int]:
    """What the marker asks for."""
    if not 0 < required < 1:
        pytest.fail(f"foldwise_rate: required must be above 0 and below 1, got {required!r}", pytrace=False)
    if not (isinstance(runs, int) and 1 <= runs <= MOST_RUNS):
        pytest.fail(f"foldwise_rate: runs must be a whole number from 1 to {MOST_RUNS:,}, got {runs!r}", pytrace=False)
    return required, runs


class _Rate:
    """Whether a rate of success is shown to be as large as required, by exact one-sided limits (Clopper-Pearson)."""

    def __init__(self, required: float, runs: int, alpha: float) -> None:
        self.required, self.runs, self.alpha = required, runs, alpha

    def least(self) -> int:
        return math.ceil(math.log(self.alpha) / math.log(self.required))

    def low(self, successes: int, runs: int) -> float:
        from scipy import special

        return 0.0 if successes == 0 else float(special.betaincinv(successes, runs - successes + 1, self.alpha))

    def high(self, successes: int, runs: int) -> float:
        return 1 - self.low(runs - successes, runs)

    def finding(self, successes: int, runs: int) -> str:
        """Whether that many successes show it."""
        if self.low(successes, runs) >= self.required:
            return "passed"
        return "failed" if self.high(successes, runs) < self.required else "inconclusive"

    def settled(self, successes: int, done: int) -> bool:
        """Whether runs that are left can't change what is shown, so that to stop does not change the level."""
        if done == self.runs:
            return True
        worst, best = (self.finding(successes + left, self.runs) for left in (0, self.runs - done))
        return worst == best != "inconclusive"

    def found(self, successes: int, done: int) -> tuple[str, str]:
        """The finding of all runs, and what to say of it."""
        finding = self.finding(successes, self.runs)  # of runs that were left out either outcome gives the same
        said = f"passes in {successes} of {done} runs, required ≥ {100 * self.required:g} %: {finding}"
        if finding == "inconclusive":
            low = self.low(successes, done)
            said += f" (the rate is at least {100 * low:.0f} %, at level {self.alpha:g}{self._more(successes / done)})"
        return finding, said

    def _more(self, rate: float) -> str:
        """How many runs would show it if the rate stays."""
        for runs in range(self.runs, 100 * self.runs):
            if self.finding(int(rate * runs), runs) != "inconclusive":
                return f"; about {runs} runs would tell if it stays so"
        return ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Print what the fixture answered with a test that fails."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    if report.failed and report.when == "call":
        for found in item.stash.get(_GATES, []):
            report.sections.append(("foldwise", f"{found.sentence}\n\n{found.answer}"))
    return report  # type: ignore[return-value]
