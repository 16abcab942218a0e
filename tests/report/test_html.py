from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.markup import Markup
from report.samples import from_counts, from_scores

import foldwise as fw
from foldwise.document.document import Document, Grid, Snippet
from foldwise.render.html import Page, Plot, body_html, brief_html, page_html, page_of, stylesheet, to_html, unbroken

NASTY = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a & b", "{{ 7*7 }}", "</style><b>", "$x$ ]]>"]
PREDICTED = from_counts()
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "article", "header", "section", "div", "details"),
    *("h1", "h2", "p", "ul", "li", "table", "caption", "thead", "tbody", "tr", "th", "td", "summary", "pre", "code"),
    *("strong", "span", "figure", "figcaption", "svg", "defs", "g", "path", "text", "tspan", "use", "clippath", "rect"),
}
NOTEBOOK = {"img", "form", "fieldset", "label", "input", "h4", "h5", "figcaption"}
"""A notebook's view has tabs without a script, and pictures whose content is encoded."""


@pytest.fixture(scope="module")
def scored_page(scored):
    return to_html(scored)


@pytest.fixture(scope="module")
def predicted_page(predicted):
    return to_html(predicted)


def test_the_page_of_scores_says_everything(scored_page):
    text = Markup(scored_page).text
    for part in (
        "No difference is shown.",
        "95 % CI −0.8 to 6.1",
        "within 1 point: 15.6 %",
        "not always (2 of 4)",
        "4.9 points (80 % power)",
        "One data set: the answer says nothing about other domains.",
        "the differences of any two folds correlate",
        "Evaluating the replicability of significance tests",
        "Accuracy on each split (100 rows)",
        "foldwise compare nb c45 --data vehicle --seed 7",
        "seed 7",
        "cafe" * 16,
        f"numpy {np.__version__}",
        f"foldwise {fw.__version__}",
        "We compared first and second on vehicle",
        r"\begin{tabular}",
    ):
        assert part in text


def test_the_page_of_predictions_has_the_table_of_outcomes(predicted_page):
    text = Markup(predicted_page).text
    assert "left is better." in text
    assert "left right 65 20 85 left wrong 5 10 15 all 70 30 100" in text
    assert "McNemar's test (mid-p)" in text


@pytest.mark.parametrize("make", [
    from_scores,
    lambda: from_scores((30,)),
    lambda: from_scores((5, 2)),
    lambda: from_scores((1, 10)),
    lambda: from_scores(metric="log loss", higher_is_better=False),
    lambda: fw.compare_scores({"a": [0.5, 0.5], "b": [0.5, 0.5]}, n_train=2, n_test=1),
    lambda: fw.compare_scores({"a": [0.7, 0.7], "b": [0.5, 0.5]}, n_train=2, n_test=1),
    from_counts,
    lambda: from_counts(3, 0, 0, 4),
    lambda: from_counts(0, 0, 7, 0),
    lambda: from_counts(0, 1, 0, 0),
])  # fmt: skip
def test_every_kind_of_comparison_has_a_valid_self_contained_page(make):
    page = make().to_html()
    markup = Markup(page)
    assert markup.tags <= ALLOWED
    assert len(page.encode()) < 1_000_000
    for name in ("src", "href", "xlink:href", "action", "data"):
        assert all(value.startswith("#") for value in markup.values(name))
    ids = markup.values("id")
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"url\(([^)]*)\)", page)) <= {f"#{name}" for name in ids}
    assert "@import" not in page
    assert "nan" not in markup.text.replace("finance", "")


@pytest.mark.usefixtures("without_pictures")
def test_one_is_not_many_and_no_variance_is_said():
    assert "(1 test example)" in to_html(from_counts(0, 1, 0, 0))
    assert "1 prediction of a is a label that never occurs" in to_html(
        fw.compare_predictions(["x"], {"a": ["y"], "b": ["x"]})
    )
    page = to_html(fw.compare_scores({"a": [0.7, 0.7], "b": [0.5, 0.5]}, n_train=2, n_test=1))
    assert "the differences do not vary, so there is nothing to test" in page


def test_the_page_is_the_same_every_time(scored, scored_page):
    assert scored.to_html() == scored_page


@pytest.mark.parametrize("names", [NASTY[:2], NASTY[2:4], NASTY[4:]])
def test_names_are_shown_and_never_obeyed(names):
    make = from_counts if names == NASTY[:2] else from_scores
    c = make(names=tuple(names)).replace(subject=names[0], repeat=f"foldwise {names[0]}", caveats=tuple(names))
    for html in (c.to_html(), c._repr_html_()):
        markup = Markup(html)
        assert markup.tags <= ALLOWED | NOTEBOOK
        assert not [attribute for _, attribute, _ in markup.attributes if attribute.startswith("on")]
        assert all(" ".join(name.split()) in markup.text for name in names)


@settings(max_examples=10, deadline=None)  # each draws a picture
@given(st.lists(st.text(max_size=30).filter(str.strip), min_size=2, max_size=2, unique_by=str.strip))
def test_no_name_can_break_the_page_of_a_notebook(names):
    a, b = names  # without a name, or with one name for both, models are refused
    markup = Markup(brief_html(from_counts(names=(a, b))))
    assert markup.tags <= ALLOWED | NOTEBOOK
    assert all(value.startswith("data:image/svg+xml;base64,") for _, name, value in markup.attributes if name == "src")


def test_long_tables_are_cut_to_stay_small():
    rows = tuple((str(i), "0.1234") for i in range(50_000))
    page = page_html(Page(document=Document(title="t", headline="h", blocks=(Grid(columns=("a", "b"), rows=rows),))))
    assert len(page.encode()) < 1_000_000
    assert "The first 1,000 of 50,000 rows." in Markup(page).text


def test_wide_tables_are_cut_to_stay_small_and_say_where_the_rest_is():
    rows = tuple(tuple(f"0.{i:06d}" for i in range(401)) for _ in range(2_000))
    grid = Grid(columns=tuple(f"column {i}" for i in range(401)), rows=rows, rest="See --json.")
    page = page_html(Page(document=Document(title="t", headline="h", blocks=(grid,))))
    assert len(page.encode()) < 1_000_000
    assert "The first 29 of 2,000 rows. See --json." in Markup(page).text


def test_long_snippets_are_folded():
    def tags(lines):
        snippet = Snippet(label="Table, LaTeX", text="\n".join("x" * lines))
        return Markup(page_html(Page(document=Document(title="t", headline="h", blocks=(snippet,)))))

    assert "details" not in tags(40).tags
    assert "details" in tags(41).tags
    assert "Table, LaTeX (41 lines) x x" in tags(41).text


HEADINGS = re.compile(r"<(h\d)[^>]*>(.*?)</h\d>")


def test_a_page_of_its_own_has_its_title_as_the_first_heading(predicted_page):
    (tag, title), *rest = HEADINGS.findall(predicted_page)
    assert (tag, title) == ("h1", "left vs right (100 test examples)")
    assert {tag for tag, _ in rest} == {"h2"}


def test_an_embedded_page_leaves_the_first_heading_to_the_other_one(predicted):
    page = page_of(predicted)
    (tag, title), *rest = HEADINGS.findall(body_html(page))
    assert (tag, title) == ("h2", "left vs right (100 test examples)")
    assert {tag for tag, _ in rest} == {"h3"}
    assert {tag for tag, _ in HEADINGS.findall(body_html(page, level=4))} == {"h4", "h5"}


@given(st.text("<&'\"-=ab1% \n", max_size=30), st.booleans())
def test_words_that_are_kept_whole_change_nothing_else(text, command):
    given = f"foldwise {text}" if command else text
    kept = str(unbroken(given))
    assert unescape(re.sub(r'<span class="unbroken">|</span>', "", kept)) == given
    parts = re.findall(r'<span class="unbroken">(.*?)</span>', kept, re.DOTALL)
    assert all(re.search("-|1 %", unescape(part)) for part in parts)


def test_options_are_kept_whole_and_in_commands_names_too():
    def parts(text):
        return re.findall(r'<span class="unbroken">(.*?)</span>', str(unbroken(text)))

    assert parts("foldwise lab type1 --population two-kinds --n=50") == ["--population", "two-kinds", "--n=50"]
    assert parts("10-fold cross-validation; (--runs auto) or --store") == ["(--runs", "--store"]
    assert parts("between 1.7 % and −15.2 % (95 % interval), p 5") == ["1.7 %", "−15.2 %", "(95 %"]


def test_many_examples_do_not_make_a_large_page():
    c = from_counts(2_000, 3_000, 3_050, 12_000)
    assert len(c.to_html().encode()) < 100_000


def test_wide_plots_stand_alone():
    svgs = (f'<svg role="img" width="{width}" viewBox="0 0 9 9"></svg>' for width in (331, 500))
    narrow, wide = (Plot(svg=svg, caption="c") for svg in svgs)
    page = page_html(Page(document=Document(title="t"), plots=(narrow, narrow, wide)))
    assert re.findall(r"<figure[^>]*>", page) == [
        '<figure style="max-width: 529px">',
        '<figure style="max-width: 529px">',
        '<figure class="wide" style="max-width: 800px; --least: 400px">',
    ]


def test_light_dark_and_print_are_in_the_style_sheet():
    css = stylesheet()
    assert "prefers-color-scheme: dark" in css
    assert "@media print" in css
    assert "http" not in css
    assert css.count("{") == css.count("}")


def test_the_body_can_be_embedded(scored):
    body = body_html(page_of(scored))
    assert body.lstrip().startswith('<article class="foldwise">')
    assert "<html" not in body
    Markup(body)


def test_notebooks_get_the_verdict_without_plots(scored):
    html = scored._repr_html_()
    assert "<svg" not in html
    text = Markup(html).text
    assert "No difference is shown." in text
    answer, _, rest = text.partition("Details")
    assert "One data set" not in answer
    assert "One data set" in rest
    assert "begin{tabular}" not in text
