from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex
from report.samples import from_counts, from_scores, with_pairs

import foldwise as fw
from foldwise.comparison.pair import Replication
from foldwise.core.errors import DegenerateData, InvalidInput
from foldwise.inference import interval_survey
from foldwise.render import plots
from foldwise.render.style import INK, SAME, A, B, new_figure


def words(ax):
    texts = [*ax.texts, ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label]
    return " | ".join(text.get_text() for text in texts)


def test_differences_are_dots_by_run_with_mean_and_interval(scored):
    ax = plots.plot_differences(scored)
    (dots,) = ax.collections
    x, y = dots.get_offsets().T
    assert np.allclose(y, 100 * scored.evidence.differences.ravel())
    assert np.array_equal(x, np.repeat(np.arange(1, 11), 10))
    colours = [to_hex(c).upper() for c in dots.get_facecolors()]
    assert all(colour == (A if value > 0 else B).upper() for colour, value in zip(colours, y, strict=True) if value)
    assert [line.get_ydata()[0] for line in ax.lines] == [0, pytest.approx(100 * scored.estimate)]
    (band,) = ax.patches
    assert band.get_y() == pytest.approx(100 * scored.interval.low)
    assert band.get_height() == pytest.approx(100 * scored.interval.width)
    assert "above 0: first better" in words(ax)


@pytest.mark.parametrize(
    ("names", "label"),
    [
        (("nb", "c45"), "accuracy, nb − c45 (points)"),
        (("$nb$", "c45"), r"accuracy, \$nb\$ − c45 (points)"),
        (("a random forest of many trees", "c45"), "accuracy (points)\na random f… trees − c45"),
    ],
)
def test_the_axis_of_differences_says_which_way_they_run(names, label):
    ax = plots.plot_differences(from_scores(names=names))
    assert ax.get_ylabel() == label


def test_losses_are_won_below_zero():
    ax = plots.plot_differences(from_scores(metric="log loss", higher_is_better=False))
    assert "above 0: second better" in words(ax)
    (dots,) = ax.collections
    value, colour = dots.get_offsets()[0][1], to_hex(dots.get_facecolors()[0]).upper()
    assert colour == (B if value > 0 else A)


def test_the_answer_in_one_picture_has_difference_interval_zero_and_region(scored):
    ax = plots.plot_effect(scored)
    lines = {line.get_label(): line.get_xdata() for line in ax.lines}
    assert lines["zero"][0] == 0
    assert list(lines["difference"]) == [pytest.approx(100 * scored.estimate)]
    assert list(lines["interval"]) == [
        pytest.approx(100 * limit) for limit in (scored.interval.low, scored.interval.high)
    ]
    (region,) = ax.patches
    assert (region.get_x(), region.get_width()) == (pytest.approx(-1), pytest.approx(2))
    low, high = ax.get_xlim()
    assert low < min(-1, lines["interval"][0])
    assert high > lines["interval"][1]
    assert "first better" in words(ax)


@pytest.mark.parametrize(("gain", "colour"), [(0.1, A), (-0.1, B), (0.0, INK)])
def test_the_answer_in_one_picture_has_the_colour_of_the_winner(gain, colour):
    ax = plots.plot_effect(from_scores(gain=gain))
    assert {line.get_label(): line.get_color() for line in ax.lines}["difference"] == colour


def test_the_answer_in_one_picture_without_an_interval_is_a_dot():
    same = fw.compare_scores({"a": [[0.5] * 5] * 2, "b": [[0.5] * 5] * 2}, n_train=80, n_test=20)
    assert same.interval is None
    ax = plots.plot_effect(same)
    assert [line.get_label() for line in ax.lines] == ["zero", "difference"]


def test_the_heat_map_has_the_differences_and_paper_in_the_middle(scored):
    ax = plots.plot_heat_map(scored)
    mesh = ax.collections[0]
    assert np.allclose(mesh.get_array().reshape(10, 10), 100 * scored.evidence.differences)
    low, high = mesh.get_clim()
    assert low == -high
    shades = mesh.cmap(np.linspace(0, 1, 41))
    assert {to_hex(shade).upper() for shade in shades[:20]} == {B}
    assert {to_hex(shade).upper() for shade in shades[21:]} == {A}
    # what shows through is the page, light or dark: the larger a difference, the less
    assert shades[20:, 3] == pytest.approx(np.linspace(0, 1, 21))
    assert shades[:21, 3] == pytest.approx(np.linspace(1, 0, 21))
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


@pytest.mark.parametrize("counts", [(10, 5, 20, 65), (0, 0, 0, 9), (0, 3, 4, 0), (1, 0, 0, 0)])
def test_areas_of_the_square_are_the_counts(counts):
    n00, n01, n10, n11 = counts
    ax = plots.plot_outcomes(from_counts(*counts))
    gap = 0.012
    shown = {}
    for tile in ax.patches:
        full = [side + gap if side else 0 for side in (tile.get_width(), tile.get_height())]
        shown[tile.get_label()] = full[0] * full[1] * sum(counts)
    expected = {"both right": n11, "both wrong": n00, "only a right": n10, "only b right": n01}
    assert shown == pytest.approx(expected, abs=1e-6)
    assert [text.get_text() for text in ax.texts[::2]] == [str(n11), str(n00), str(n10), str(n01)]


@pytest.mark.parametrize("c", [from_scores(), from_counts(), from_scores(metric="loss", higher_is_better=False)])
def test_the_posterior_is_cut_at_the_region_of_practical_equivalence(c):
    scale = 100 if c.metric == "accuracy" else 1
    ax = plots.plot_posterior(c)
    left, middle, right = (area.get_paths()[0].vertices[:, 0] for area in ax.collections)
    assert left.max() == pytest.approx(-c.rope * scale)
    assert (middle.min(), middle.max()) == (pytest.approx(-c.rope * scale), pytest.approx(c.rope * scale))
    assert right.min() == pytest.approx(c.rope * scale)
    assert to_hex(ax.collections[1].get_facecolor()[0]) == SAME
    winner = 0 if c.higher_is_better else 1
    assert ax.collections[2].get_label() == f"{c.names[winner]} better"
    assert np.allclose(ax.lines[0].get_ydata(), c.posterior().density / scale)


def test_the_power_curve_marks_the_detectable_difference(scored):
    ax = plots.plot_power(scored)
    curve, mark = ax.lines[1], ax.lines[2]
    assert np.allclose(curve.get_xdata(), 100 * scored.power_curve().difference)
    assert mark.get_xydata().tolist() == [[pytest.approx(100 * scored.detectable_difference), 0.8]]
    assert "4.9 points" in words(ax)


def test_the_strip_has_a_tile_per_partitioning(scored):
    ax = plots.plot_replicability(scored)
    assert [to_hex(tile.get_facecolor()).lower() for tile in ax.patches] == [c.lower() for c in (A, A, SAME, B)]
    assert "first better: 2 · second better: 1 · no difference: 1" in words(ax)


def test_intervals_are_lines_and_the_one_to_use_stands_out():
    survey = interval_survey(3, 50)
    ax = plots.plot_intervals(survey)
    observed, *lines = ax.lines
    assert observed.get_xdata()[0] == pytest.approx(6)
    rows = {line.get_label(): line for line in lines}
    assert set(rows) == {row.method for row in survey.rows}
    for row in survey.rows:
        assert rows[row.method].get_xdata() == pytest.approx([100 * row.low, 100 * row.high])
        assert rows[row.method].get_linestyle() == ("-" if row.applicable else ":")
    assert [name for name, line in rows.items() if line.get_color() == A] == ["jeffreys"]


def test_intervals_that_do_not_exist_are_left_out():
    ax = plots.plot_intervals(interval_survey(3, 50, confidence_level=0.9))
    assert len(ax.lines) < 1 + len(interval_survey(3, 50).rows)


@pytest.mark.parametrize(("plot", "result"), [
    ("plot_differences", from_counts()),
    ("plot_heat_map", from_counts()),
    ("plot_heat_map", from_scores((25,))),
    ("plot_outcomes", from_scores()),
    ("plot_replicability", from_scores()),
])  # fmt: skip
def test_plots_of_what_is_not_there_say_so(plot, result):
    with pytest.raises(InvalidInput, match=f"{plot} needs"):
        getattr(plots, plot)(result)


@pytest.mark.parametrize("plot", ["plot_posterior", "plot_power"])
def test_curves_that_do_not_exist_say_so(plot):
    with pytest.raises(DegenerateData, match="so that"):
        getattr(plots, plot)(fw.compare_scores({"a": [0.7, 0.7], "b": [0.5, 0.5]}, n_train=2, n_test=1))


@pytest.mark.parametrize("plot", plots.__all__)
def test_plots_are_known_by_name(plot):
    assert callable(getattr(plots, plot))


def test_unknown_plots_are_no_attributes():
    with pytest.raises(AttributeError, match="plot_nothing"):
        plots.plot_nothing  # noqa: B018


def test_axes_given_are_used(scored):
    ax = new_figure().add_subplot()
    for name in ("plot_differences", "plot_posterior", "plot_power", "plot_replicability"):
        assert getattr(plots, name)(scored, ax) is ax


class TestComparisonPlot:
    def test_the_main_plots_are_side_by_side(self, scored, predicted):
        assert len(scored.plot().axes) == 2
        assert len(predicted.plot().axes) == 2

    def test_one_plot_by_name(self, scored):
        assert scored.plot("power").axes[0].get_ylabel() == "chance of finding it"

    def test_unknown_names_are_refused_with_a_hint(self, predicted):
        with pytest.raises(InvalidInput, match=r"unknown plot 'differences'.*outcomes"):
            predicted.plot("differences")

    def test_a_figure_can_be_written_as_a_bitmap(self, predicted, tmp_path):
        predicted.plot().savefig(tmp_path / "out.png")
        assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")

    def test_pyplot_is_left_alone(self, scored):
        from matplotlib import pyplot as plt

        before = plt.get_fignums()
        with_pairs(scored, replicability=Replication(verdicts=("a", "b"))).plot("replicability")
        assert plt.get_fignums() == before
