"""Pages of power curves, several nulls and examinations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from matplotlib.colors import to_hex
from report.markup import Markup

from foldwise import lab
from foldwise.document import document_of
from foldwise.lab.damage import Equalised, Match
from foldwise.lab.examination import Examination, ExaminedTest
from foldwise.lab.training import SizedLearner
from foldwise.learners import Majority
from foldwise.render import plots
from foldwise.render.html import to_html
from foldwise.render.style import INK


def examination(recommended="mcnemar", power=0.75):
    null = lab.type_one_error(["mcnemar", "resampled_t"], "two-kinds", trials=500)
    match = Match(
        n_train=200, accuracy_a=0.9, accuracy_b=0.8, damaged="a", method="errors", amount=0.125, target=0.8,
        reached=0.8,
        standard_error=0.001,
    )  # fmt: skip
    learner = SizedLearner(Majority(), [200], [Majority()])
    rows = tuple(
        ExaminedTest(
            test=row.test, rates=(row.rate,), judgement=row.judgement, high=row.high, power=power, fits=row.fits
        )
        for row in null.rows
    )
    return Examination(
        data="<my data>",
        learners=("nb", "c&45"),
        n=60,
        alpha=0.05,
        seed=3,
        recommended=recommended,
        rows=rows,
        nulls=(null,),
        power=None,
        equalised=Equalised(learners=(learner, learner), fraction=0.0, matches=(match,)),
        caveats=("rough",),
    )


def curve():
    return lab.power_curve(["mcnemar", "kfold_cv_t"], "two-kinds(difference=0.1)", values=[100, 300], trials=500)


def nulls():
    return lab.several_nulls(["mcnemar", "resampled_t"], ["two-kinds", "two-kinds(error=0.3)"], trials=500)


@pytest.mark.parametrize("make", [examination, curve, nulls])
def test_pages_are_well_formed_and_escape_what_users_wrote(make):
    document = to_html(make())
    Markup(document)
    assert "<my data>" not in document
    assert "c&45" not in document


def test_an_examination_leads_with_its_recommendation():
    page = document_of(examination())
    assert page.headline.startswith("Use mcnemar")
    grid = page.blocks[0]
    assert grid.rows[grid.mark][0] == "mcnemar"
    assert grid.rows[1][-1] == "exceeds its level"
    facts = dict(page.details[-1].blocks[0].rows)
    assert facts["made equal by damaging"] == "nb by errors (0.125) at 200 training examples"


def test_an_examination_without_power_says_what_it_knows():
    page = document_of(replace(examination(recommended=None, power=None), equalised=None))
    assert "not shown to exceed their level" in page.headline
    assert page.tone == "open"
    assert page.blocks[0].rows[0][-3] == "unknown"


def test_a_curve_is_drawn_with_its_errors_and_listed():
    result = curve()
    axes = plots.plot_power_curve(result)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["mcnemar", "kfold_cv_t"]
    # a dark page makes the ink light
    assert {to_hex(text.get_color()) for text in axes.get_legend().get_texts()} == {INK}
    assert all(tick == int(tick) for tick in axes.get_xticks())
    line = axes.containers[0].lines[0]
    assert line.get_xdata().tolist() == [100, 300]
    assert line.get_ydata().tolist() == [rate.rate for rate in result.curves[0]]
    page = document_of(result)
    assert page.blocks[0].columns == ("test", "n = 100", "n = 300")
    assert "With n = 300" in page.headline


def test_nulls_are_numbered_and_counted():
    page = document_of(nulls())
    assert page.headline == "Not shown to exceed its level on any of them: mcnemar."
    rows = {row[0]: row for row in page.blocks[0].rows}
    assert rows["resampled_t"][-1] == "2"
    assert rows["mcnemar"][-1] == "none"
    assert len(page.blocks[1].items) == 2
