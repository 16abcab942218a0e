"""What notebooks show: a result with its picture, and a figure by itself."""

from __future__ import annotations

import base64
import io
import pickle
import re

import matplotlib.image
import numpy as np
import pytest

import foldwise as fw
from foldwise.document import plots_of
from foldwise.render.html import lead_picture
from foldwise.render.svg import figure_file


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


def test_a_result_shows_its_picture(two):
    shown = two._repr_html_()
    (encoded,) = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)"', shown)
    address, caption = lead_picture(two)
    assert address.endswith(encoded)
    name = next(name for name, drawing in plots_of(two).items() if drawing.caption == caption)
    assert base64.b64decode(encoded).decode() == figure_file(two.plot(name), name)


def test_what_has_no_picture_shows_its_table():
    kept = fw.Comparison.from_dict({"schema": "foldwise/2", "result": "comparison", "pvalue": 0.5})
    assert lead_picture(kept) is None
    assert "<img" not in kept._repr_html_()


@pytest.mark.parametrize("made", [lambda: fw.advise(), lambda: fw.plan("mcnemar", difference=0.1, discordance=0.2),
                                  lambda: fw.load("iris")])  # fmt: skip
def test_advice_plans_and_data_sets_show_tables(made):
    shown = made()._repr_html_()
    assert "<table" in shown
    assert "object at 0x" not in shown
    assert "dataclass" not in shown
