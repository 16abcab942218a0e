"""``foldwise rates``: independent error rates, and the mistakes that are usual with them."""

from __future__ import annotations

import json

import pytest
from scipy import stats

from foldwise import inference as inf
from foldwise.comparison import compare_rate_samples, compare_rates
from foldwise.core.errors import InvalidInput


def test_two_rates(run):
    code, out, err = run("rates", "3/50", "7/60", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    (pair,) = found["pairs"]
    assert found["rates"] == {"3/50": 3 / 50, "7/60": 7 / 60}
    assert pair["pvalue"] == pair["adjusted"] == pytest.approx(inf.two_rates(3, 50, 7, 60, method="exact").pvalue)
    # the textbook test is the square root of Pearson's χ² without correction
    assert pair["textbook"] == pytest.approx(stats.chi2_contingency([[3, 47], [7, 53]], correction=False).pvalue)
    assert pair["low"] < 3 / 50 - 7 / 60 < pair["high"]


def test_a_common_mistake_is_shown_where_it_decides_otherwise(run):
    _, out, _ = run("rates", "4/100", "9/100")
    assert "no difference is shown" in out
    assert " ".join(out.split()).count("would decide otherwise") == 2
    assert "would decide otherwise" not in run("rates", "3/50", "40/50")[1]


def test_several_rates_are_adjusted_by_holm():
    found = compare_rates([(4, 100), (9, 100), (20, 100)])
    raw = [pair.pvalue for pair in found.pairs]
    assert [pair.adjusted for pair in found.pairs] == pytest.approx(inf.adjust(raw, method="holm").tolist())
    assert "9/100 vs 20/100: no difference" in " ".join(str(found).split())
    assert "4/100 vs 20/100: 4/100 is lower" in " ".join(str(found).split())


def test_equal_counts_keep_their_names_apart():
    assert list(compare_rates([(3, 50), (3, 50)]).rates) == ["3/50 (1)", "3/50 (2)"]


A, B = [0.20, 0.25, 0.22, 0.30], [0.18, 0.20, 0.21, 0.24]


@pytest.mark.parametrize("paired", [True, False])
def test_rates_on_several_samples(run, paired):
    code, out, _ = run(
        "rates", "0.20,0.25,0.22,0.30", "0.18,0.20,0.21,0.24", "--json", *(["--paired"] if paired else [])
    )
    assert code == 0
    (pair,) = json.loads(out)["pairs"]
    expected = stats.ttest_rel(A, B) if paired else inf.unpaired_t(A, B)
    assert pair["pvalue"] == pytest.approx(float(expected.pvalue))


def test_the_unpaired_formula_on_paired_samples_is_a_mistake():
    close = [rate + 0.02 + 0.001 * i for i, rate in enumerate(A)]
    found = compare_rate_samples(close, A, paired=True)
    assert found.pairs[0].pvalue < 0.05
    assert "Common mistake, the formula for unpaired samples: would decide otherwise" in " ".join(str(found).split())


@pytest.mark.parametrize(("words", "message"), [
    (["3/50"], "rates must be two or more"),
    ([], "got nothing"),
    (["3/50", "0.1,0.2"], "all as ERRORS/N"),
    (["3/x", "7/60"], "rates must be ERRORS/N or numbers"),
    (["3/5/6", "7/60"], "rates must be ERRORS/N"),
    (["60/50", "7/60"], "at most N errors, as ERRORS/N, got 60/50"),
    (["3/50", "7/60", "--paired"], "foldwise predictions"),
    (["0.1,0.2", "0.1,0.2", "0.3,0.4"], "two algorithms"),
    (["0.1,0.2", "0.1,0.2,0.3"], "as many rates"),
])  # fmt: skip
def test_what_is_refused(run, words, message):
    code, _, err = run("rates", *words)
    assert code == 2
    assert message in err


def test_fewer_than_two_counts():
    with pytest.raises(InvalidInput, match="two or more rates"):
        compare_rates([(3, 50)])


def test_no_pvalue_is_0_however_sure_it_is(run):
    words = ("rates", "10/1000000", "500000/1000000", "300000/1000000")
    _, out, _ = run(*words)
    assert out.count("< 0.0001") >= 6
    _, out, _ = run(*words, "--json")
    assert all(
        0 < pair[name] < 1e-300 for pair in json.loads(out)["pairs"] for name in ("pvalue", "adjusted", "textbook")
    )


@pytest.mark.parametrize(("new", "old", "condition", "code"), [
    ("12/50", "3/60", "worse", 1), ("3/60", "12/50", "worse", 0), ("5/50", "3/60", "worse", 0),
    ("12/50", "3/60", "not-better", 1), ("3/60", "12/50", "not-better", 0), ("5/50", "3/60", "not-better", 3),
    ("0.2,0.21,0.22,0.2", "0.1,0.11,0.1,0.12", "worse", 1),
])  # fmt: skip
def test_the_first_rate_is_the_candidate_of_a_gate(run, new, old, condition, code):
    found, out, err = run("rates", new, old, "--fail-if", condition)
    assert found == code
    assert out.startswith("Error rates ")
    assert (f"--fail-if {condition}" in err) == (code > 0)


def test_a_gate_of_rates_is_about_two(run):
    code, out, err = run("rates", "1/10", "2/10", "3/10", "--fail-if", "worse")
    assert (code, out) == (2, "")
    assert "--fail-if is about the first of two rates, got 3" in err


@pytest.mark.parametrize(("words", "how"), [
    (("leaderboard", "x.csv"), "foldwise gate PATH --candidate NEW --baseline OLD"),
    (("estimate", "nb", "--data", "iris"), "foldwise estimate LEARNER --data NAME --bar 10%"),
])  # fmt: skip
def test_other_commands_say_how_a_pipeline_fails(run, words, how):
    code, _, err = run(*words, "--fail-if", "worse")
    assert code == 2
    assert f"no option '--fail-if': {how} lets a pipeline fail" in err
