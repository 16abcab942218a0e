from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference import bayesian_signed_rank
from foldwise.inference.many.bayesian import region_posterior
from foldwise.render.plots import plot_critical_difference, plot_pair_matrix, plot_rank_table, plot_triangle
from foldwise.render.style import INK, SAME, A, B


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def result(rng):
    """Four learners on 20 data sets: two good ones, alike, and two bad ones, alike."""
    scores = rng.normal(0, 0.02, size=(20, 4)) + np.array([0.9, 0.6, 0.9, 0.6])
    return fw.compare_table(scores, models=["good", "bad", "fine", "poor"], options=fw.Options(bayes="none"))


def of(ax, label):
    return [artist for artist in ax.get_children() if artist.get_label() == f"_{label}"]


def boxes(ax, artists):
    canvas = FigureCanvasAgg(ax.figure)
    canvas.draw()
    return [artist.get_window_extent(canvas.get_renderer()) for artist in artists]


def test_names_stand_in_the_order_of_their_ranks(result):
    ax = plot_critical_difference(result)
    labels = {text.get_text().split("  ")[0 if text.get_ha() == "right" else 1]: text for text in of(ax, "name")}
    assert set(labels) == {"good", "bad", "fine", "poor"}
    first = labels[result.ranking[0]]
    assert first.get_text() == f"{result.ranking[0]}  {min(result.mean_ranks):.2f}"
    assert first.get_position()[1] > labels[result.ranking[1]].get_position()[1]


def test_bars_join_exactly_the_groups(result):
    assert sorted(map(sorted, result.tie_groups)) == [["bad", "poor"], ["fine", "good"]]
    ax = plot_critical_difference(result)
    stems = {round(float(line.get_xdata()[0]), 9) for line in of(ax, "stem")}
    assert len(of(ax, "group")) == 2
    assert len({line.get_ydata()[0] for line in of(ax, "group")}) == 1  # far apart: they share a lane
    for bar, members in zip(of(ax, "group"), of(ax, "members"), strict=True):
        at = [round(float(x), 9) for x in members.get_xdata()]
        assert set(at) <= stems
        assert (round(float(bar.get_xdata()[0]), 9), round(float(bar.get_xdata()[-1]), 9)) == (at[0], at[-1])


def test_overlapping_groups_take_different_lanes(rng):
    scores = rng.normal(size=(40, 8)) + np.linspace(0, 1.5, 8)
    comparison = fw.compare_table(scores, options=fw.Options(bayes="none"))
    ax = plot_critical_difference(comparison)
    bars = of(ax, "group")
    assert len(bars) == len(comparison.tie_groups) > 2
    for one, two in itertools.combinations(bars, 2):
        if one.get_ydata()[0] == two.get_ydata()[0]:
            low, high = sorted(list(bar.get_xdata()) for bar in (one, two))
            assert low[-1] < high[0]


@pytest.mark.parametrize("k", [2, 3, 10, 30])
@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_names_never_overlap(k, spread, rng):
    scores = rng.normal(size=(25, k)) + spread * np.arange(k)
    comparison = fw.compare_table(
        scores, models=[f"gradient boosting, depth {i}" for i in range(k)], options=fw.Options(bayes="none")
    )
    ax = plot_critical_difference(comparison)
    names = of(ax, "name")
    assert len(names) == k
    for one, two in itertools.combinations(boxes(ax, names), 2):
        assert not one.overlaps(two)
    frame = ax.figure.bbox
    for box in boxes(ax, names):
        assert box.x0 >= frame.x0
        assert box.x1 <= frame.x1


def test_the_critical_difference_is_drawn_to_scale_for_nemenyi(result):
    scores = result.table.values
    nemenyi = fw.compare_table(scores, test="nemenyi", options=fw.Options(bayes="none"))
    ax = plot_critical_difference(nemenyi)
    (bar,) = of(ax, "critical difference")
    (axis,) = of(ax, "axis")
    per_rank = np.ptp(axis.get_xdata()) / (np.ceil(nemenyi.mean_ranks.max()) - 1)  # the axis begins at 1
    assert np.ptp(bar.get_xdata()) / per_rank == pytest.approx(nemenyi.critical_difference)
    assert of(plot_critical_difference(result), "critical difference") == []


def test_a_control_is_bold_and_those_not_told_from_it_grey(result):
    against = fw.compare_table(result.table, options=fw.Options(bayes="none", control="good"))
    ax = plot_critical_difference(against)
    looks = {}
    for text in of(ax, "name"):
        name = next(word for word in text.get_text().split() if word.isalpha())
        looks[name] = (text.get_weight(), text.get_color() == SAME)
    assert looks == {
        "good": ("bold", False),
        "fine": ("normal", True),
        "bad": ("normal", False),
        "poor": ("normal", False),
    }
    assert of(ax, "group") == []
    legend = {text.get_text(): text.get_color() for text in of(ax, "legend")}
    assert legend == {"differs from good": INK, "not shown to differ": SAME}


def test_the_title_says_the_test_or_nothing(result):
    assert [text.get_text() for text in of(plot_critical_difference(result), "title")] == [
        "pairwise Wilcoxon signed-rank tests, Holm-adjusted for 6 comparisons"
    ]
    assert of(plot_critical_difference(result, title=None), "title") == []
    (ax,) = result.plot("cd", title="Figure 2").axes
    assert [text.get_text() for text in of(ax, "title")] == ["Figure 2"]
    with pytest.raises(InvalidInput, match=r"options of a plot \(title\) need its name, which is one of ranks, pairs"):
        result.plot(title=None)


def test_the_axis_begins_at_1_and_ticks_stand_where_the_stems_do(result):
    scores = result.table.values
    worse = np.column_stack([scores, scores[:, :2] + 1, scores[:, :2] + 1.001])  # no mean rank near 1
    ax = plot_critical_difference(fw.compare_table(worse, options=fw.Options(bayes="none")))
    ticks = [text for text in ax.texts if text.get_text() == "1"]
    assert [text.get_position()[0] for text in ticks] == [0]
    assert all(line.get_marker() == "|" for line in of(ax, "members"))


def test_equal_learners_share_one_rank():
    same = fw.compare_table(np.tile([[0.5], [0.6], [0.7]], 3), options=fw.Options(bayes="none"))
    ax = plot_critical_difference(same)
    assert len({round(float(stem.get_xdata()[0]), 9) for stem in of(ax, "stem")}) == 1


def test_the_matrix_shows_each_pair_from_both_sides(result):
    ax = plot_pair_matrix(result)
    texts = {(int(t.get_position()[1]), int(t.get_position()[0])): t.get_text() for t in of(ax, "pair")}
    assert len(texts) == 12
    order = result.ranking
    pair = result.pair(order[0], order[3])
    wins, losses = (pair.wins, pair.losses) if pair.a == order[0] else (pair.losses, pair.wins)
    assert texts[0, 3].startswith(f"{wins}–{pair.ties}–{losses}\n+")
    assert texts[3, 0].startswith(f"{losses}–{pair.ties}–{wins}\n−")
    assert len(of(ax, "better")) == len(of(ax, "worse")) == 4
    assert len(of(ax, "same")) == 4
    numbered = [f"{name}  {i}" for i, name in enumerate(order, 1)]  # as the columns are
    assert [label.get_text() for label in ax.get_yticklabels()] == numbered
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "2", "3", "4"]
    shown = [pair for pair in result.pairs if pair.better is not None]
    largest = max(shown, key=lambda pair: abs(pair.estimate))
    shades = {round(abs(pair.estimate), 12): 0.15 + 0.45 * abs(pair.estimate / largest.estimate) for pair in shown}
    assert sorted(patch.get_alpha() for patch in of(ax, "better")) == pytest.approx(sorted(shades.values()))
    colours = {patch.get_facecolor()[:3] for patch in of(ax, "better")}
    assert colours == {tuple(int(A[i : i + 2], 16) / 255 for i in (1, 3, 5))}


def test_a_large_matrix_has_colours_only(rng):
    ax = plot_pair_matrix(fw.compare_table(rng.normal(size=(10, 16)), options=fw.Options(bayes="none")))
    assert of(ax, "pair") == []
    assert len(of(ax, "same")) == 240


def test_the_rank_table_holds_every_rank_and_the_means(result):
    ax = plot_rank_table(result)
    texts = [t.get_text() for t in of(ax, "rank")]
    assert len(texts) == 20 * 4 + 4
    assert texts[-4:] == [f"{rank:.2f}" for rank in sorted(result.mean_ranks)]
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "mean rank"


def test_the_rank_table_leaves_missing_cells_empty_and_says_how_many_rows_it_leaves_out(rng):
    scores = rng.normal(size=(70, 3))
    scores[0, 0] = np.nan
    comparison = fw.compare_table(scores, options=fw.Options(omnibus="skillings_mack", bayes="none"))
    ax = plot_rank_table(comparison)
    assert len(of(ax, "rank")) == 60 * 3 - 1 + 3
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "mean rank (10 more sets)"


def test_the_triangle_has_every_draw_in_its_region(rng):
    posterior = bayesian_signed_rank(rng.normal(0.82, 0.02, 15), rng.normal(0.8, 0.02, 15), draws=1000)
    ax = plot_triangle(posterior, names=("nb", "c45"))
    counts = [len(of(ax, f"draws {region}")[0].get_xdata()) for region in range(3)]
    assert sum(counts) == 1000
    expected = [1000 * float(p) for p in posterior.probabilities.as_tuple()]
    assert counts == pytest.approx(expected, abs=1)
    colours = [of(ax, f"draws {region}")[0].get_color() for region in range(3)]
    assert colours == [A, SAME, B]
    texts = " ".join(text.get_text() for text in ax.texts)
    assert "nb better" in texts
    assert "c45 better" in texts
    assert "within 0.01" in texts


def test_certainty_is_a_corner():
    alike = region_posterior(np.tile([0.0, 1.0, 0.0], (20, 1)), rope=0.01)
    ax = plot_triangle(alike)
    (same,) = of(ax, "draws 1")
    assert same.get_xdata() == pytest.approx(np.full(20, 0.5))
    assert same.get_ydata() == pytest.approx(np.full(20, np.sqrt(3) / 2))


@pytest.mark.parametrize("draw", [plot_critical_difference, plot_pair_matrix, plot_rank_table])
def test_a_plot_is_drawn_into_the_axes_given(draw, result):
    figure = Figure()
    ax = figure.add_subplot()
    assert draw(result, ax) is ax
    assert len(figure.axes) == 1


def test_figures_of_a_comparison(result):
    for kind in ("ranks", "cd", "pairs", "triangle", "table"):
        assert isinstance(result.plot(kind), Figure)
    with pytest.raises(UnknownName, match="unknown plot 'rank': did you mean 'ranks'"):
        result.plot("rank")


def test_the_triangle_of_a_comparison_is_of_its_front(result):
    assert set(result.front) == {"good", "fine"}
    (ax,) = result.plot("triangle").axes
    texts = " ".join(text.get_text() for text in ax.texts)
    for name in result.front:
        assert f"{name} better" in texts
    against = fw.compare_table(result.table, options=fw.Options(bayes="none", control="bad"))
    assert against.front == ("bad", result.ranking[0])


@pytest.mark.parametrize("k", [3, 10, 30])
def test_pictures_of_many_long_names_fit_a_phone(k):
    """319 points are what a phone of 375 leaves; the page shows a picture at four fifths of its size and wider."""
    rng = np.random.default_rng(k)
    names = [f"organisation-name/instruct-model-{7 + j}b-version-{j}-quantised" for j in range(k)]
    found = fw.compare_table({name: rng.normal(0.7 + j / 100, 0.03, 15) for j, name in enumerate(names)})
    for draw in (plot_critical_difference, plot_pair_matrix, plot_rank_table):
        figure = draw(found.parts[0]).figure
        assert 0.8 * 72 * figure.get_size_inches()[0] <= 319, draw.__name__
        shown = [text.get_text() for axes in figure.axes for text in (*axes.texts, *axes.get_yticklabels())]
        if draw is not plot_rank_table:
            assert len({text for text in shown if "…" in text}) == k  # told apart by where they differ
