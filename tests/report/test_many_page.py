from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest
from report.markup import Markup
from verb_options import with_options

import foldwise as fw
from foldwise.document import document_of
from foldwise.render.html import brief_html, to_html

NASTY = ["<script>alert(1)</script>", "a & b", "$x$ ]]>", "{{ 7*7 }}"]


def table():
    return np.random.default_rng(3).normal(0.8, 0.02, size=(12, 4)) + np.array([0.1, 0.0, 0.09, 0.0])


@pytest.fixture
def scores():
    return table()


@cache
def plain_page():
    return to_html(fw.compare_table(table()))


@cache
def large_table():
    """Seventy data sets and forty learners, with its page."""
    result = fw.compare_table(np.random.default_rng(0).normal(size=(70, 40)), options=fw.Options(bayes="none"))
    return result, to_html(result)


def test_the_page_says_everything(scores):
    result = fw.compare_table(scores, models=["forest", "tree", "boost", "stump"], metric="accuracy")
    text = Markup(to_html(result)).text
    for part in (
        "4 learners on 12 data sets",
        "Holm-adjusted for 6 comparisons",
        "comparisons 6",
        "4 of 6 pairs differ",
        "not distinguishable forest and boost",
        "Iman–Davenport F",
        "within 0.01",
        "higher accuracy",
        "data set 12",
        "We compared 4 learners by accuracy on 12 data sets",
        r"\begin{tabular}",
        "The answer is about data sets like these",
        f"numpy {np.__version__}",
    ):
        assert part in text
    assert document_of(result).tone == "decided"


def test_four_plots_whose_identifiers_are_unique():
    page = plain_page()
    assert page.count("<svg") == 4
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_the_same_table_gives_the_same_bytes(scores):
    assert to_html(fw.compare_table(scores)) == plain_page()


def test_names_are_escaped_everywhere(scores):
    page = to_html(fw.compare_table(scores, models=NASTY, tasks=[f"<b>{i}" for i in range(12)]))
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert "49" not in Markup(page).text.split("{{ 7*7 }}")[1][:3]


def test_missing_cells_controls_and_large_tables_have_pages(scores):
    def words(**options):
        return fw.compare_table(scores, **with_options(options)).to_html()

    assert "critical difference of mean ranks" in words(test="nemenyi")
    assert "every learner with learner 2" in words(control=1)
    scores[0, 0] = np.nan
    assert "Skillings–Mack" in words(omnibus="skillings_mack")
    large, page = large_table()
    assert page.count("<svg") == 1
    assert document_of(large).tone == "open"


def test_what_could_not_be_read_is_not_drawn_and_the_page_says_so():
    assert "Not drawn:" not in plain_page()
    values = np.random.default_rng(0).normal(size=(70, 40))
    text = Markup(large_table()[1]).text
    assert "Not drawn: the matrix of pairs and the ranks on each data set, which can't be read with" in text
    text = Markup(to_html(fw.compare_table(values[:, :12], options=fw.Options(bayes="none")))).text
    assert "Not drawn: the ranks on each data set, which can't be read with 12 learners on 70 data sets" in text


def test_hundreds_of_learners_make_a_small_page_that_says_what_is_left_out():
    values = np.random.default_rng(0).normal(size=(60, 250)) + np.linspace(0, 3, 250)
    page = to_html(fw.compare_table(values))
    assert len(page.encode()) < 1_000_000
    assert "<svg" not in page
    text = Markup(page).text
    for part in (
        "Not drawn: the diagram of mean ranks, the matrix of pairs and the ranks on each data set, which can't",
        "All of them are in the JSON: --json on the command line, or the button on the web page.",
        "Learners, best mean rank first (250 rows)",
        "Smallest adjusted p-value first (31,125 rows)",
        "The first 1,000 of 31,125 rows.",
        "Mean score (60 rows)",
        "The first 47 of 60 rows. The others are in the table that was compared.",
    ):
        assert part in text


def test_groups_beyond_the_fourth_are_counted():
    rng = np.random.default_rng(1)
    values = np.arange(24) * 0.3 + rng.normal(size=(30, 24))
    result = fw.compare_table(values, options=fw.Options(bayes="none"))
    groups = len(result.tie_groups)
    assert groups > 4
    rows = document_of(result).blocks[1].rows
    assert [label for label, _ in rows].count("not distinguishable") == 5
    assert rows[-1] == ("not distinguishable", f"… and {groups - 4} more such groups")


def test_a_notebook_shows_the_verdict_without_plots(scores):
    result = fw.compare_table(scores)
    brief = result._repr_html_()
    assert brief == brief_html(result)
    assert "<svg" not in brief
    assert "mean rank" in Markup(brief).text


def test_the_report_and_the_frame(scores, tmp_path):
    result = fw.compare_table(scores)
    result.report(tmp_path / "out.html")
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == plain_page()
    frame = result.to_frame()
    assert list(frame["adjusted"]) == [pair.adjusted for pair in result.pairs]
    assert list(frame["equivalent"]) == [pair.probabilities.equivalent for pair in result.pairs]
    assert "equivalent" not in fw.compare_table(scores, options=fw.Options(bayes="none")).to_frame()
