from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.colors import to_hex
from report.markup import Markup

import foldwise as fw
from foldwise.comparison import EstimateSurvey
from foldwise.document.data import Listing
from foldwise.render.html import to_html
from foldwise.render.plots import plot_estimates, plot_plan
from foldwise.render.style import A


@pytest.fixture(scope="module")
def survey():
    iris = fw.load("sklearn:iris")
    rows = [fw.estimate_error("majority", iris.X, iris.y, method=method) for method in ("kfold", "apparent", "holdout")]
    return EstimateSurvey(rows=tuple(row.replace(learner="<majority>") for row in rows))


def test_the_plot_of_a_plan_shows_its_curve_and_the_plan_itself():
    plan = fw.plan("mcnemar", difference=0.05, discordance=0.1)
    ax = plot_plan(plan)
    _, curve, dot = ax.lines
    assert list(zip(curve.get_xdata(), curve.get_ydata(), strict=True)) == list(plan.curve)
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (plan.size, plan.power)
    assert ax.get_xlabel() == "test examples"


@pytest.mark.parametrize(
    ("plan", "ticks"),
    [
        (fw.plan("mcnemar", difference=0.05, discordance=0.1), [50, 100, 200, 500, 1000]),
        (fw.plan("corrected_repeated_cv_t", size=1, sigma=0.05), [1, 2, 5]),
    ],
)
def test_the_plot_of_a_plan_has_round_numbers_on_its_axis(plan, ticks):
    ax = plot_plan(plan)
    assert list(ax.get_xticks()) == ticks
    assert ax.get_xlim() == (plan.curve[0][0], plan.curve[-1][0])
    assert f"{plan.size} {plan.unit}" in ax.texts[0].get_text()


def test_the_plot_of_estimates_shows_each_with_its_interval(survey):
    ax = plot_estimates(survey)
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in dots] == [100 * row.estimate for row in survey.rows]
    spans = [line for line in ax.lines if line.get_marker() == "|"]
    with_interval = [row for row in survey.rows if row.interval is not None]
    assert [tuple(line.get_xdata()) for line in spans] == [
        (100 * row.interval.low, 100 * row.interval.high) for row in with_interval
    ]
    assert to_hex(dots[0].get_color()) == A.lower()
    assert ax.get_xlabel() == "error rate (%)"


def test_squared_errors_are_not_shown_as_rates(survey):
    rows = tuple(replace(row, metric="mean squared error", interval=None) for row in survey.rows)
    assert plot_estimates(EstimateSurvey(rows=rows)).get_xlabel() == "mean squared error"


def test_the_page_of_estimates_escapes_names_and_says_every_bias(survey):
    page = Markup(to_html(survey))
    assert "<majority>" in page.text
    assert "The apparent error is too low" in page.text
    assert "A holdout trains on fewer examples" in page.text


def test_the_page_of_a_plan_has_answer_curve_and_assumptions():
    page = Markup(to_html(fw.plan("wilcoxon", difference=0.03, sigma=0.05)))
    assert "data sets find a difference of 0.03" in page.text
    assert "standard deviation 0.05" in page.text


@pytest.mark.parametrize("question", range(1, 10))
def test_the_page_of_an_advice_has_what_the_text_has(question):
    advice = fw.advise(question)
    page = Markup(to_html(advice))
    for words in (advice.asked, f"Use {advice.test}.", advice.command, advice.measured[1:], *advice.caveats):
        assert " ".join(words.split()) in page.text


def test_the_page_of_a_data_set_has_its_classes():
    page = Markup(to_html(fw.load("sklearn:iris").describe()))
    assert "4 (4 numeric, 0 nominal)" in page.text
    assert "33.3 %" in page.text


def test_a_list_is_text_json_and_a_page():
    one = Listing(title="Things", key="things", content=[{"a": 1}], columns=("a", "b"), rows=(("<x>", "y"),))
    assert "<x>   y" in str(one)
    assert one.to_dict()["things"] == [{"a": 1}]
    assert "<x>" in Markup(to_html(one)).text
    none = replace(one, rows=(), content=[])
    assert "nothing there yet" in str(none)
    assert "nothing there yet" in Markup(to_html(none)).text


def test_one_thing_is_its_own_json():
    thing = Listing(title="Thing", key="", content={"a": 1}, columns=("what", "value"), rows=(("a", "1"),))
    assert thing.to_dict()["a"] == 1
    assert "  a   1" in str(thing)
