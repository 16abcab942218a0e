from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.inference import INTERVAL_METHODS, error_interval, interval_survey

samples = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(samples)
def test_every_row_is_what_error_interval_says(sample):
    survey = interval_survey(*sample, prior=(2.0, 5.0))
    assert [row.method for row in survey.rows] == list(INTERVAL_METHODS)
    for row in survey.rows:
        if row.low is None:  # the formulas for few errors end at 200 examples
            assert row.method == "abramowitz_stegun"
            assert sample[1] > 200
            continue
        result = error_interval(*sample, method=row.method, prior=(2.0, 5.0) if row.method == "beta" else None)
        assert (row.low, row.high) == (result.low, result.high)


@given(samples)
def test_the_textbook_rows_follow_the_rules(sample):
    survey = interval_survey(*sample)
    rows = {row.method: row for row in survey.rows}
    assert rows["textbook"].applicable == rows["textbook_continuity"].applicable
    assert rows["textbook"].applicable == survey.chosen.applicability.textbook
    assert rows["jeffreys"].applicable


def test_few_errors_or_few_right_answers_are_the_reason():
    notes = {m: {row.method: row.note for row in interval_survey(m, 20).rows}["textbook"] for m in (1, 3, 18)}
    assert notes[1] == "not applicable: 1 error, fewer than 10"
    assert notes[3] == "not applicable: 3 errors, fewer than 10"
    assert notes[18].startswith("not applicable: too few errors or right answers")


def test_formulas_for_one_level_are_left_out_at_another():
    survey = interval_survey(3, 50, confidence_level=0.9)
    missing = {row.method for row in survey.rows if row.low is None}
    assert missing == {"approximate_beta", "abramowitz_stegun"}
    assert not any(row.applicable for row in survey.rows if row.low is None)


def test_asking_for_the_textbook_where_it_is_forbidden_is_a_caveat():
    assert "forbid" in interval_survey(3, 50, method="textbook").caveats[0]
    assert not any("forbid" in caveat for caveat in interval_survey(300, 1000, method="textbook").caveats)


@pytest.mark.parametrize(("errors", "n", "options", "message"), [
    (1.0, 10, {}, r"errors must be a whole number of at least 0, got 1\.0"),
    (11, 10, {}, "errors must be at most n, got 11 errors in 10"),
    (1, 10, {"prior": (0.0, 1.0)}, r"prior\[0\] must be a number above 0, got 0\.0"),
    (1, 10, {"method": "wilson", "confidence_level": 2}, "confidence_level must be strictly between 0 and 1, got 2"),
])  # fmt: skip
def test_bad_input_is_named(errors, n, options, message):
    with pytest.raises(InvalidInput, match=message):
        interval_survey(errors, n, **options)
