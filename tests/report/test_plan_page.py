from __future__ import annotations

import pytest
from report.markup import Markup

from foldwise.planning import plan
from foldwise.report.html import to_html
from foldwise.report.pages import page_of
from foldwise.report.plots import plot_plan

PLANS = [
    plan("mcnemar", difference=0.05, discordance=0.1),
    plan("corrected_repeated_cv_t", size=1, sigma=0.05),
    plan("wilcoxon", size=20, difference=0.05, sigma=0.1),
]


@pytest.mark.parametrize("found", PLANS, ids=lambda found: found.test)
def test_the_page_says_the_answer_and_shows_table_and_curve(found):
    page = page_of(found)
    assert page.headline == found.sentence
    text = Markup(to_html(found, command="foldwise plan")).text
    for size, power in found.curve:
        assert f"{size:,} {power:.3f}" in text
    for assumption in found.assumptions:
        assert assumption[1:] in text
    assert "<svg" in to_html(found)


@pytest.mark.parametrize("found", PLANS, ids=lambda found: found.test)
def test_the_curve_is_that_of_the_plan_with_its_point(found):
    ax = plot_plan(found)
    lines = [line for line in ax.get_lines() if len(line.get_xdata()) > 2]
    assert [tuple(point) for point in lines[0].get_xydata()] == [(float(n), power) for n, power in found.curve]
    (point,) = [line for line in ax.get_lines() if line.get_marker() == "o"]
    assert tuple(point.get_xydata()[0]) == (found.size, found.power)
    assert ax.get_xlabel() == found.unit
    low, high = ax.get_xlim()
    assert all(low <= tick <= high for tick in ax.get_xticks())


def test_plans_too_narrow_for_round_numbers_have_ticks():
    ax = plot_plan(plan("wilcoxon", size=7, difference=0.3, sigma=0.1))
    assert len(ax.get_xticks()) >= 1
