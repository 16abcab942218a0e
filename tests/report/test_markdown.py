"""The summary for a comment on a pull request."""

from __future__ import annotations

import re

import numpy as np
import pytest
from markdown_it import MarkdownIt
from report.samples import from_counts, from_scores

import foldwise as fw
from foldwise.render.markdown import markdown

HOSTILE = ["a|b", "*bold*", "<script>alert(1)</script>", "`code`", "[x](http://e.vil)", "@admin", "#12", "a_b_c",
           "$x$", "line\nbreak", "~~gone~~", "back\\slash", "&lt;"]  # fmt: skip
GITHUB = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def shown(text):
    """The text that a reader of the rendered Markdown sees."""
    html = GITHUB.render(text)
    plain = re.sub(r"<!--.*?-->|<[^>]+>", "", html)
    return plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&").strip()


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_shown_as_they_are(name):
    assert shown(markdown(name)) == name.replace("\n", " ")
    c = from_counts(margin=0.02, names=(name, "old"))
    html = GITHUB.render(c.to_markdown())
    assert name.replace("\n", " ") in shown(c.to_markdown())
    assert not re.search(r"<(script|a|strong>bold|code>code|del)", html)


def test_mentions_and_numbers_of_issues_are_broken_up():
    assert "@<!-- -->admin" in markdown("by @admin")
    assert "\\#<!-- -->12" in markdown("fixes #12")


def test_the_parts_of_a_comment():
    text = from_scores(margin=0.01).to_markdown()
    html = GITHUB.render(text)
    assert "<table>" in html
    assert "<h3>first vs second (10×10-fold" in html
    assert "<strong>No difference is shown. first is non-inferior to second" in html
    assert html.index("<table>") < html.index("<details>")
    assert re.findall(r"<summary>(.*?)</summary>", html)[:3] == ["Method", "Assumptions", "Guarantee"]


def test_a_comment_stays_below_the_limit_of_github():
    rng = np.random.default_rng(0)
    names = [f"{'learner ' * 30}{i}" for i in range(40)]
    c = fw.compare_table(rng.random((12, 40)), models=names, margin=0.1, options=fw.Options(bayes="none"))
    text = c.to_markdown()
    assert len(text) < 65_536
    assert "… and 20 more rows" in text
    assert "… and 760 more rows" in text
