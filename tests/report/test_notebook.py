"""What notebooks show: a result with its picture, and a figure by itself."""

from __future__ import annotations

import base64
import io
import pickle
import re

import matplotlib.image
import numpy as np
import pytest
from report.markup import Markup

import foldwise as fw
from foldwise.document import document_of, plots_of
from foldwise.render.html import notebook_pictures
from foldwise.render.plot import compact, figure_file


@pytest.fixture(scope="module")
def two():
    b = np.random.default_rng(0).normal(0.8, 0.02, (3, 5))
    return fw.compare_scores({"a": b + 0.05, "b": b}, n_train=80, n_test=20)


def test_a_figure_shows_itself_without_pyplot(two):
    figure = two.plot("differences")
    png, shown = figure._repr_png_()
    assert png.startswith(b"\x89PNG")
    height, width, _ = matplotlib.image.imread(io.BytesIO(png)).shape
    assert list(shown.values()) == [round(96 * inches) for inches in figure.get_size_inches()]
    assert (width, height) == pytest.approx((2 * shown["width"], 2 * shown["height"]), abs=1.5)  # for fine screens
    assert pickle.loads(pickle.dumps(figure))._repr_png_()[0].startswith(b"\x89PNG")


def test_a_result_shows_its_pictures(two):
    shown = two._repr_html_()
    found = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)" alt="([^"]+)"', shown)
    assert [address.rpartition(",")[2] for address, _ in notebook_pictures(two)] == [encoded for encoded, _ in found]
    drawings = {drawing.caption: name for name, drawing in plots_of(two).items()}
    assert {caption for _, caption in found} == drawings.keys()
    for encoded, caption in found:
        name = drawings[caption]
        assert base64.b64decode(encoded).decode() == compact(figure_file(two.plot(name), name))


def tabs(result):
    return re.findall(r'<input type="radio" name="part" value="(\w+)"', result._repr_html_())


def test_a_result_is_shown_in_tabs_without_script_or_network(two):
    shown = two._repr_html_()
    assert tabs(two) == ["answer", "plots", "details", "methods"]
    assert "<script" not in shown
    assert not re.search(
        r"https?:|//[a-z]|@import|url\(", re.sub(r"base64,[^\"]+", "", shown).replace("http://www.w3", "")
    )
    assert two.methods() in Markup(shown).text
    assert all(section.heading in Markup(shown).text for section in document_of(two).details)


def test_several_models_have_a_tab_of_pairs_and_small_results_none():
    scores = np.random.default_rng(1).normal(0.8, 0.05, (8, 3))
    assert tabs(fw.compare_table(scores, options=fw.Options(bayes="none"))) == [
        "answer", "pairs", "plots", "details", "methods"
    ]  # fmt: skip
    kept = fw.Comparison.from_dict({"schema": "foldwise/2", "result": "comparison", "pvalue": 0.5})
    assert tabs(kept) == []


def test_what_has_no_picture_shows_its_table():
    kept = fw.Comparison.from_dict({"schema": "foldwise/2", "result": "comparison", "pvalue": 0.5})
    assert notebook_pictures(kept) == ()
    assert "<img" not in kept._repr_html_()


@pytest.mark.parametrize("made", [lambda: fw.advise(), lambda: fw.plan("mcnemar", difference=0.1, discordance=0.2),
                                  lambda: fw.load("iris")])  # fmt: skip
def test_advice_plans_and_data_sets_show_tables(made):
    shown = made()._repr_html_()
    assert "<table" in shown
    assert "object at 0x" not in shown
    assert "dataclass" not in shown
