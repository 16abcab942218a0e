from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.lab.papers.rows import (
    Printed,
    Z,
    beside_the_print,
    claim,
    incomparable,
    measured,
    of_mean,
    of_share,
    of_spread,
    of_value,
)


@pytest.mark.parametrize(("text", "value", "half"), [
    ("5.0", 5.0, 0.05), ("0.737", 0.737, 0.0005), ("94", 94, 0.5), (".9", 0.9, 0.05), ("-3.33", -3.33, 0.005),
])  # fmt: skip
def test_printed_digits_say_how_the_value_was_rounded(text, value, half):
    printed = Printed(text=text)
    assert printed.value == value
    assert printed.rounding == pytest.approx(half)


def test_printed_must_be_a_number():
    with pytest.raises(InvalidInput, match="text must be a number as printed, got 'about 11'"):
        Printed(text="about 11")


@pytest.mark.parametrize(("ours", "verdict"), [
    (0.7365, "agree"), (0.7375, "agree"), (0.7376, "differs"), (0.7364, "differs"),
])  # fmt: skip
def test_exact_values_agree_within_half_a_digit(ours, verdict):
    assert of_value("R", Printed(text="0.737"), ours).verdict == verdict


def test_our_interval_counts_on_the_side_of_the_printed_value_only():
    printed = Printed(text="10")
    assert of_value("x", printed, 8.0, low=0.0, high=8.5).verdict == "differs"
    assert of_value("x", printed, 8.0, low=7.9, high=9.5).verdict == "agree"


def test_the_papers_own_monte_carlo_error_counts_where_its_trials_are_known():
    # 1000 trials at 5 %: Wilson's 99 % interval is (0.05 + 0.0033175 ± 2.5758·√(4.75e-5 + 1.659e-6))/1.006635
    few, unknown = Printed(text="0.050", trials=1000), Printed(text="0.050")
    assert of_value("rate", few, 0.065).verdict == "agree"
    assert of_value("rate", unknown, 0.065).verdict == "differs"
    assert of_value("rate", few, 0.075).verdict == "differs"
    assert few.reach(upwards=True) == pytest.approx(0.02091, abs=1e-5)


def test_share_of_trials_in_per_cent():
    row = of_share("Type I error", Printed(text="5.0", unit=100, trials=1000), 50, 1000)
    assert (row.ours, row.difference, row.verdict) == (5.0, 0.0, "agree")
    assert row.low == pytest.approx(3.5, abs=0.1)
    assert of_share("Type I error", Printed(text="5.0", unit=100, trials=1000), 120, 1000).verdict == "differs"


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_rule_is_symmetric_in_the_two_shares(first, second):
    # with equal numbers of trials it does not matter whose number was printed
    def verdict(mine, theirs):
        text = f"{theirs / 500:.3f}"
        return of_share("x", Printed(text=text, trials=500), mine, 500).verdict

    assert verdict(first, second) == verdict(second, first)


def test_a_reason_is_shown_only_where_there_is_a_difference():
    assert of_value("x", Printed(text="1.0"), 1.0, why="slip").note == ""
    row = of_value("x", Printed(text="1.0"), 2.0, note="N = 10", why="slip")
    assert row.note == "N = 10; slip"
    assert row.judgement == "differs (by +1)"


def test_mean_with_its_standard_error():
    assert of_mean("x", Printed(text="87.8"), 87.0, 0.3).verdict == "agree"
    assert of_mean("x", Printed(text="87.8"), 87.0, 0.2).verdict == "differs"
    assert of_mean("x", Printed(text="87.8", error=0.25), 87.0, 0.2).verdict == "agree"


@pytest.mark.parametrize(("holds", "verdict"), [(True, "agree"), (False, "differs"), (None, "not comparable")])
def test_statements(holds, verdict):
    assert claim("resampled t", "above 0.05", holds, rule="above 0.05").verdict == verdict


def test_undecided_statements_say_so():
    assert "too few trials" in claim("x", "above 0.05", None, rule="above 0.05").note


def test_numbers_that_no_paper_prints():
    row = measured("x", 0.3, "the figure's values are not in the text", low=0.2, high=0.4)
    assert (row.verdict, row.printed, row.difference) == ("not printed", "", None)


def test_a_difference_without_a_known_reason_says_so():
    assert of_value("x", Printed(text="1"), 3.0).note == "unexplained"
    assert of_mean("x", Printed(text="1"), 3.0, 0.1).note.startswith("unexplained; of a hundred rows")
    assert of_value("x", Printed(text="1"), 3.0, note="per cent", why="a slip").note == "per cent; a slip"
    assert claim("x", "rises", False, rule="higher").note == "unexplained"
    assert claim("x", "rises", True, rule="higher").note == ""


def test_the_tolerance_is_said_and_decides():
    # ours ± 0.03, theirs ± 0.04, the print rounded by 0.005
    row = of_mean("x", Printed(text="0.50", error=0.04 / Z), 0.55, 0.03 / Z)
    assert (row.rule, row.verdict) == ("within 0.055", "agree")
    assert of_mean("x", Printed(text="0.50", error=0.04 / Z), 0.556, 0.03 / Z).verdict == "differs"


def test_what_is_printed_of_something_else_keeps_its_numbers_and_says_why():
    row = incomparable(of_value("x", Printed(text="5"), 9.0), "other data")
    assert (row.printed, row.ours, row.verdict, row.note, row.rule) == ("5", 9.0, "not comparable", "other data", "")


def test_a_printed_value_is_judged_against_the_range_of_what_may_stand_for_its_population():
    near = of_spread("x", Printed(text="50", unit=100), [0.2, 0.3, 0.45], 10_000)
    assert (near.verdict, near.ours) == ("differs", 30.0)
    assert of_spread("x", Printed(text="46", unit=100), [0.2, 0.3, 0.45], 10_000).verdict == "agree"
    assert of_spread("x", Printed(text="50", unit=100), [0.2, 0.3, 0.45], 100).verdict == "agree"


def test_a_picture_shows_every_printed_number_beside_ours():
    rows = [
        of_share(f"x{i}", Printed(text=str(i), unit=100, trials=1000), 10 * i + 90 * (i == 4), 1000) for i in range(9)
    ]
    others = [
        measured("m", 1.0),
        incomparable(rows[0], "other data"),
        claim("c", "more", True, rule="above 0", ours=1.0),
    ]
    (drawn,) = beside_the_print([*rows, *others])
    agree, differs = drawn.series
    assert (agree.x, differs.x, differs.y) == ((0, 1, 2, 3, 5, 6, 7, 8), (4,), (13,))
    assert (differs.low, differs.high) == ((pytest.approx(rows[4].low),), (pytest.approx(rows[4].high),))
    assert beside_the_print([*rows[:7], *others]) == ()
