from __future__ import annotations

import json

import pytest

from foldwise.inference import INTERVAL_METHODS, error_interval


def test_the_answer_comes_first_and_the_one_to_use_is_marked(run):
    code, out, err = run("interval", 3, 50)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("3 errors in 50 test examples")
    assert (
        lines[2] == "  The true error rate is probably between 1.7 % and 15.2 % (95 % interval); observed were 6.0 %."
    )
    marked = [line for line in lines if "→" in line]
    assert len(marked) == 1
    assert "jeffreys" in marked[0]
    assert "use this one" in marked[0]
    assert all(method in out for method in INTERVAL_METHODS)
    assert max(map(len, lines)) <= 120


def test_the_textbook_interval_is_flagged_for_few_errors(run):
    _, out, _ = run("interval", 3, 50, "--details")
    assert "not applicable: 3 errors, fewer than 10" in out
    assert "Ruled out by Hodges–Lehmann, Anderson–Sclove, Mendenhall, fewer than 10 errors" in out
    assert "Allowed by all rules of thumb" in run("interval", 300, 1000, "--details")[1]


def test_json_has_stable_keys(run):
    code, out, _ = run("interval", 3, 50, "--json")
    answer = json.loads(out)
    assert code == 0
    assert list(answer) == [
        "schema", "result",
        "errors", "n", "estimate", "confidence_level", "recommended", "method", "interval", "mean", "mode", "variance",
        "prior", "applicability", "intervals", "caveats", "claim",
    ]  # fmt: skip
    expected = error_interval(3, 50)
    assert (answer["recommended"], answer["method"]) == ("jeffreys", "jeffreys")
    assert answer["interval"] == {"low": expected.low, "high": expected.high, "level": float(expected.level)}
    assert answer["applicability"]["textbook"] is False
    assert {row["method"] for row in answer["intervals"]} == set(INTERVAL_METHODS)
    assert set(answer["intervals"][0]) == {"method", "low", "high", "applicable", "note"}


def test_prior_method_and_confidence_are_used(run):
    answer = json.loads(run("interval", 3, 50, "--prior", 2, 5, "--json")[1])
    assert (answer["method"], answer["prior"]) == ("beta", [2.0, 5.0])
    answer = json.loads(run("interval", 3, 50, "--method", "clopper-pearson", "--confidence", 0.9, "--json")[1])
    expected = error_interval(3, 50, method="clopper_pearson", confidence_level=0.9)
    assert answer["interval"] == {"low": expected.low, "high": expected.high, "level": float(expected.level)}
    assert answer["prior"] is None
    _, out, _ = run("interval", 30, 500, "--method", "wilson", "--confidence", 0.9, "--details")
    assert "Of 100 intervals made in this way about 90 contain the true error rate" in out
    assert "defined for 95 % only" in out


def test_large_test_sets_show_enough_digits(run):
    assert "between 4.957 % and 5.043 %" in run("interval", 50_000, 1_000_000)[1]


@pytest.mark.parametrize(("arguments", "message"), [
    (("-1", 10), "errors must be a whole number of at least 0, got -1"),
    ((11, 10), "errors must be at most n, got 11 errors in 10"),
    ((1, 0), "n must be at least 1, got 0"),
    (("1.5", 10), "'1.5' is not a valid integer"),
    ((1,), "Missing argument 'N'"),
    ((1, 10, "--confidence", 95), "confidence_level must be strictly between 0 and 1, got 95.0"),
    ((1, 10, "--prior", 0, 1), "prior[0] must be a number above 0, got 0.0"),
    ((1, 10, "--method", "wilso"), "did you mean 'wilson'"),
    ((1, 10, "--method", "approximate_beta", "--confidence", 0.9), "confidence_level must be 0.95"),
])  # fmt: skip
def test_bad_input_is_one_sentence_and_exit_code_2(run, arguments, message):
    code, out, err = run("interval", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_without_an_error_the_level_is_said_that_the_interval_has(run):
    _, out, _ = run("interval", 0, 50)
    assert "(97.5 % interval)" in out
    assert json.loads(run("interval", 0, 50, "--json")[1])["interval"]["level"] == pytest.approx(0.975)


@pytest.mark.parametrize(("bar", "code", "words"), [
    ("15%", 0, "Gate passed: Error rate 6.0 % (3 of 50), 95 % CI 1.7 to 15.2 %."),
    ("0.08", 3, "at most 8.0 % not shown: one-sided 95 % upper limit"),
    ("1%", 1, "at most 1.0 % shown to be missed: one-sided 95 % lower limit"),
])  # fmt: skip
def test_a_bar_is_what_a_pipeline_asks(run, bar, code, words):
    found, out, err = run("interval", 3, 50, "--bar", bar)
    assert found == code
    assert words in " ".join(out.split())
    assert bool(err) == (code > 0)
    limits = json.loads(run("interval", 3, 50, "--bar", bar, "--json")[1])["bar"]
    wide = json.loads(run("interval", 3, 50, "--confidence", "0.9", "--json")[1])["interval"]
    assert (limits["low"], limits["high"]) == pytest.approx((wide["low"], wide["high"]))
