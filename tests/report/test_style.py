from __future__ import annotations

import re
import subprocess
import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes

import foldwise as fw
from foldwise.document import document_of
from foldwise.render.plot import figure_svg
from foldwise.render.style import COLOURS, INK, RULE, new_axes, new_figure, plain, told_apart


def drawn(title="a title"):
    ax = new_axes(None)
    ax.plot([0, 1], [0, 1], marker="o", color=COLOURS[0])
    ax.set_title(title)
    return ax.figure


def test_axes_are_made_or_taken():
    own = new_figure().add_subplot()
    assert new_axes(own) is own
    made = new_axes(None)
    assert isinstance(made, Axes)
    assert not made.spines["top"].get_visible()


@pytest.mark.parametrize("name", ["$", "a $x$ b", "$\\frac{$", "$$", "\\$"])
def test_dollars_are_no_formula(name):
    figure = drawn(plain(name))
    assert name in figure_svg(figure, "f", description="").replace("&lt;", "<")


def test_long_names_and_line_breaks_are_tamed():
    assert plain("a\nb\tc") == "a b c"
    assert len(plain("x" * 100)) == 28


def test_svg_is_deterministic_and_carries_no_date():
    first, second = (figure_svg(drawn(), "f", description="d") for _ in range(2))
    assert first == second
    assert first.startswith("<svg")
    assert first.endswith("</svg>")
    assert "<metadata" not in first
    assert "matplotlib.org" not in first


def test_svg_takes_the_colours_and_font_of_the_page():
    svg = figure_svg(drawn(), "f", description="d")
    assert INK not in svg
    assert "currentColor" in svg
    assert "var(--rule" in svg
    assert RULE not in svg.replace(f"var(--rule, {RULE})", "")
    assert "DejaVu" not in svg


def test_identifiers_of_two_figures_do_not_collide():
    ids = [set(re.findall(r' id="([^"]+)"', figure_svg(drawn(), name, description=""))) for name in ("one", "two")]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_text_is_escaped():
    svg = figure_svg(drawn("<script>alert(1)</script>"), "f", description='"><script>')
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


def test_no_command_or_import_loads_matplotlib_before_it_is_needed():
    code = (
        "import sys, foldwise, foldwise.render.style, foldwise.comparison\n"
        "from foldwise.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "assert not {'matplotlib', 'jinja2', 'rich'} & set(sys.modules), 'loaded too early'"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_thousands_of_markers_have_their_style_once():
    ax = new_axes(None)
    ax.plot(np.linspace(0, 1, 1000), np.linspace(0, 1, 1000) ** 2, "o", alpha=0.35)
    svg = figure_svg(ax.figure, "points", description="points")
    assert svg.count("<use ") >= 1000
    assert len(svg) < 75_000  # 155,000 with a style for each
    ET.fromstring(svg)


@given(st.lists(st.text("abAB-_ ", min_size=1, max_size=40), min_size=2, max_size=5), st.integers(12, 28))
def test_different_names_stay_different_and_equal_ones_equal(names, limit):
    shown = told_apart(names, limit=limit)
    assert all(len(one) <= limit for one in shown)
    assert all(one == name for one, name in zip(shown, names, strict=True) if len(name) <= limit)
    pairs = [(a, b) for a in range(len(names)) for b in range(a)]
    assert all((shown[a] == shown[b]) == (names[a] == names[b]) for a, b in pairs)


def test_long_names_are_told_apart_by_what_they_do_not_share():
    pipelines = [f"ColumnTransformer(StandardScaler)+{name}" for name in ("LogisticRegression", "RandomForest", "SVC")]
    assert told_apart(pipelines, limit=20) == ["…LogisticRegression", "…RandomForest", "…SVC"]


def test_both_sides_of_a_plot_name_their_own_model():
    names = ("ColumnTransformer+logreg", "ColumnTransformer+forest")
    c = fw.compare_predictions(None, {name: [1, 0, 1, 1, 0] * 8 for name in names[:1]} | {names[1]: [0, 1] * 20})
    words = [text.get_text() for text in c.plot("effect").axes[0].texts]
    assert any("…logreg better" in one for one in words)
    assert any("…forest better" in one for one in words)


def test_a_verdict_is_green_only_where_something_is_shown():
    half, most = [1, 0] * 50, [1] * 95 + [0] * 5
    open_ = fw.compare_predictions(None, {"new": half, "old": half[1:] + half[:1]}, metric="accuracy")
    assert document_of(open_).tone == "open"
    shown = fw.compare_predictions(None, {"new": most, "old": half}, metric="accuracy")
    assert document_of(shown).tone == "decided"
    within = fw.compare_predictions(None, {"new": most, "old": most[1:] + most[:1]}, metric="accuracy", margin=0.2)
    assert (within.better, document_of(within).tone) == (None, "decided")
    undecided = fw.compare_predictions(None, {"new": half, "old": half[1:] + half[:1]}, metric="accuracy", margin=0.01)
    assert document_of(undecided).tone == "open"
    gates = [fw.not_worse(most, half, margin="1pt"), fw.not_worse(half, most, margin="1pt")]
    assert [document_of(g).tone for g in gates] == ["decided", "failed"]


def test_pictures_of_several_models_keep_the_names_apart_and_fit_a_phone():
    rng = np.random.default_rng(0)
    names = [f"ColumnTransformer+StandardScaler+{name}" for name in ("LogisticRegression", "RandomForest", "SVC")]
    c = fw.compare_predictions(None, {name: rng.integers(0, 2, 60) for name in names}, metric="accuracy")
    for plot in ("models", "model_pairs"):
        figure = c.plot(plot)
        labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        assert len(set(labels)) == 3
        assert any("…RandomForest" in label for label in labels)
        assert figure.get_figwidth() <= 6.0


def test_long_names_are_short_in_the_answer_and_whole_once():
    step = "Pipeline(ColumnTransformer(numbers, words), {})"
    names = [step.format(one) for one in ("LogisticRegression(C=1)", "LogisticRegression(C=10)", "SVC()")]
    rng = np.random.default_rng(0)
    marks = {name: (rng.random(200) < rate).astype(int) for name, rate in zip(names, (0.9, 0.6, 0.3), strict=True)}
    told = document_of(fw.compare_predictions(None, marks, metric="accuracy"))
    assert told.headline == "LogisticRegression(C=1) is best: better than each of the other 2."
    assert ("LogisticRegression(C=10)", names[1]) in told.blocks[-1].rows
    assert told.methods.count(names[0]) > 0  # a paper has them whole
    claim = next(section for section in told.details if section.heading == "What you may claim")
    assert names[0] in claim.blocks[0].items[0]
    text = str(fw.compare_predictions(None, marks, metric="accuracy"))
    assert text.count(names[0]) == 1
    assert max(map(len, text.splitlines())) <= 110


def test_a_number_that_decides_nothing_is_not_green():
    assert document_of(fw.inference.interval_survey(3, 50)).tone == "same"
    truth = ["a", "b"] * 50
    assert document_of(fw.estimate_predictions(truth, truth[:90] + ["b", "a"] * 5)).tone == "same"
    assert document_of(fw.estimate_predictions(truth, truth, bar=0.5, metric="accuracy")).tone == "decided"
