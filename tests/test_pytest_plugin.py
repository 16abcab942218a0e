"""The pytest plugin, in a pytest of its own."""

import math
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from scipy import stats

from foldwise.pytest_plugin import _Rate

TESTS = """
import itertools
import pytest

calls = itertools.count()

@pytest.mark.foldwise_rate(0.8)
def test_now_and_then():
    assert next(calls) % 10 != 3, "the answer was wrong"

@pytest.mark.foldwise_rate(0.8)
def test_always(tmp_path):
    assert tmp_path.exists()

@pytest.mark.foldwise_rate(0.8)
def test_never():
    raise ValueError("not today")

@pytest.mark.foldwise_rate(0.95)
def test_too_few():
    pass

@pytest.mark.foldwise_rate(80)
def test_no_rate():
    pass

def test_worse(foldwise):
    assert foldwise.not_worse([1, 0, 1, 1] * 20, [1] * 80, margin="1pt", metric="accuracy")

def test_not_worse(foldwise):
    assert foldwise.not_worse([1] * 200, [1] * 190 + [0] * 10, margin="1pt", metric="accuracy")

def test_files(foldwise):
    assert foldwise.not_worse("new.csv", "old.csv", margin="20pt")
"""


@pytest.fixture(scope="module")
def pytester_output(tmp_path_factory):
    """From the options what pytest prints."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "test_models.py").write_text(TESTS)
    for name, wrong in (("new", 3), ("old", 5)):
        rows = "".join(f"q{i},{int(i % 20 >= wrong)}\n" for i in range(200))
        (folder / f"{name}.csv").write_text("item,correct\n" + rows)

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-p", "foldwise.pytest_plugin", "-q", "-rA", *options]
        alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "400"}
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env={**os.environ, **alone})
        return done.stdout + done.stderr

    return run


def test_rates_and_comparisons_pass_fail_or_are_inconclusive(pytester_output):
    text = pytester_output()
    outcome = {name: word for word, name in re.findall(r"^(PASSED|FAILED) test_models.py::(\w+)", text, re.MULTILINE)}
    assert {name for name, word in outcome.items() if word == "PASSED"} == {
        "test_always", "test_not_worse", "test_files",
    }  # fmt: skip
    assert "passes in 18 of 20 runs, required ≥ 80 %: inconclusive" in text
    assert "the last failure: AssertionError: the answer was wrong" in text
    assert "required ≥ 80 %: failed; the last failure: ValueError: not today" in text
    assert "20 runs can't show a rate of 95 %, even if all succeed: at least 59 are needed" in text
    assert "required must be above 0 and below 1, got 80" in text
    assert "new is inferior to old by more than 1 point" in text
    assert "McNemar's test" in text  # the answer is printed with the test that failed


def test_what_is_inconclusive_may_be_an_expected_failure(pytester_output):
    text = pytester_output("--foldwise-inconclusive=xfail", "-k", "now_and_then or never")
    assert "XFAIL test_models.py::test_now_and_then" in text
    assert "FAILED test_models.py::test_never" in text
    text = pytester_output("--foldwise-inconclusive=pass", "-k", "now_and_then")
    assert "PASSED test_models.py::test_now_and_then" in text


def test_more_runs_and_another_level_can_be_asked_for(pytester_output):
    assert "PASSED test_models.py::test_too_few" in pytester_output("--foldwise-runs=60", "-k", "too_few")
    assert "--foldwise-alpha must be above 0 and below 0.5, got 0.7" in pytester_output("--foldwise-alpha=0.7")


@pytest.mark.parametrize("required", [0.5, 0.8, 0.95])
def test_a_rate_is_shown_with_its_exact_level_however_early_it_is_settled(required):
    runs, alpha = 80, 0.05
    rate = _Rate(required, runs, alpha)
    found = [rate.finding(k, runs) for k in range(runs + 1)]
    chance = stats.binom.pmf(range(runs + 1), runs, required)
    assert sum(p for p, what in zip(chance, found, strict=True) if what == "passed") <= alpha
    assert sum(p for p, what in zip(chance, found, strict=True) if what == "failed") <= alpha
    for done in range(runs):  # what is settled stays so, whatever comes
        for k in range(done + 1):
            if rate.settled(k, done):
                assert rate.found(k, done)[0] == found[k] == found[k + runs - done] != "inconclusive"


def test_the_fewest_runs_that_can_show_a_rate_are_known():
    for required in (0.5, 0.8, 0.9, 0.95, 0.99):
        least = _Rate(required, 1, 0.05).least()
        assert _Rate(required, least, 0.05).finding(least, least) == "passed"
        assert _Rate(required, least - 1, 0.05).finding(least - 1, least - 1) != "passed"
        assert least == math.ceil(math.log(0.05) / math.log(required))


def test_the_how_to_quotes_what_is_said():
    page = (Path(__file__).parents[1] / "docs" / "howto" / "pytest.md").read_text(encoding="utf-8")
    assert _Rate(0.8, 20, 0.05).found(18, 20)[1] in " ".join(page.split())


def test_the_plugin_is_an_entry_point():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"foldwise": "foldwise.pytest_plugin"}
