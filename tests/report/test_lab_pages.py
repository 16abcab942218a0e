from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_hex
from report.markup import Markup

from foldwise.inference import interval_survey
from foldwise.lab import (
    QQ,
    Calibration,
    CalibrationTable,
    Design,
    RateTable,
    ReplicabilityTable,
)
from foldwise.lab.populations import Null
from foldwise.lab.rates import Bias, ReplicabilityRow, monte_carlo_rate
from foldwise.render import plots
from foldwise.render.html import to_html
from foldwise.render.style import A, B

SHARED = {"population": "<TwoKinds>", "learners": ("nb", "c&45"), "design": Design(), "seed": 3}
BIAS = Bias(mean=0.001, standard_error=0.002, spread=0.06)


def rate_table(study="type1", levels=(0.05,)):
    counts = {"mcnemar": 40, "resampled_t": 240}
    rows = tuple(
        monte_carlo_rate(
            name,
            level,
            count,
            1000,
            fits=2,
            warning="it is wrong" if count > 100 else None,
            bias=BIAS,
            null=Null.EXACT if study == "type1" else None,
        )
        for name, count in counts.items()
        for level in levels
    )
    return RateTable(study=study, null=Null.EXACT, rows=rows, caveats=("rough",), **SHARED)


def replicability_table():
    row = ReplicabilityRow(
        test="mcnemar", alpha=0.05, rate=0.5, low=0.4, high=0.6, almost_consistent=0.7, R=0.8, rejections=0.1,
        bias=BIAS, trials=50, fits=2,
    )  # fmt: skip
    return ReplicabilityTable(rows=(row, replace(row, test="kfold_cv_t", rate=0.9, low=0.8, high=0.95)), **SHARED)


def calibration_table():
    curve = tuple(np.linspace(0.01, 0.5, 99))
    row = Calibration(
        test="folds", runs=10, folds=10, alpha=0.05, df=9, rate=0.045, nominal_df=9, curve=curve, bias=BIAS
    )
    none = replace(row, test="runs", df=0, rate=0.2)
    return CalibrationTable(rows=(row, none), trials=100, df_range=(2, 100), **SHARED)


def qq(uniform=False):
    expected = (np.arange(100) + 0.5) / 100
    observed = expected if uniform else expected**2
    return QQ(
        test="resampled_t",
        expected=tuple(expected),
        observed=tuple(observed),
        distance=0.005 if uniform else 0.26,
        bound=0.13,
        bias=BIAS,
        **SHARED,
    )


def test_rates_are_bars_with_monte_carlo_intervals():
    table = rate_table()
    ax = plots.plot_rates(table)
    assert [bar.get_width() for bar in ax.patches] == [row.rate for row in table.rows]
    assert [to_hex(bar.get_facecolor()).upper() for bar in ax.patches] == [A, B]
    segments = ax.collections[0].get_segments()
    assert np.allclose([s[:, 0] for s in segments], [[row.low, row.high] for row in table.rows])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["mcnemar", "resampled_t"]
    assert any(line.get_xdata()[0] == 0.05 and line.get_linestyle() == "--" for line in ax.lines)


def test_several_levels_are_told_apart():
    ax = plots.plot_rates(rate_table(levels=(0.01, 0.05)))
    assert ax.get_yticklabels()[0].get_text() == "mcnemar, level 0.01"


def test_power_has_no_level_to_exceed():
    ax = plots.plot_rates(rate_table("power"))
    assert {to_hex(bar.get_facecolor()).upper() for bar in ax.patches} == {A}
    assert not [line for line in ax.lines if line.get_linestyle() == "--"]


def test_replicability_is_shown_as_bars():
    ax = plots.plot_replicability_rates(replicability_table())
    assert [bar.get_width() for bar in ax.patches] == [0.5, 0.9]


def test_calibration_curves_run_over_the_degrees_of_freedom():
    table = calibration_table()
    ax = plots.plot_calibration(table)
    level, first, dot, second = ax.lines
    assert level.get_ydata()[0] == 0.05
    assert first.get_xdata()[[0, -1]].tolist() == [2, 100]
    assert tuple(first.get_ydata()) == table.rows[0].curve
    assert dot.get_xydata().tolist() == [[9, 0.045]]
    assert second.get_label() == "runs (none)"
    assert first.get_label() == "folds (9 df)"


def test_more_curves_than_colours_differ_in_their_dashes():
    row = calibration_table().rows[0]
    table = replace(calibration_table(), rows=tuple(replace(row, test=f"t{i}", df=0) for i in range(10)))
    lines = plots.plot_calibration(table).lines[1:]
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 10


@pytest.mark.parametrize("uniform", [True, False])
def test_qq_has_a_diagonal_a_band_and_the_p_values(uniform):
    result = qq(uniform)
    ax = plots.plot_qq(result)
    assert ax.lines[0].get_xydata().tolist() == [[0, 0], [1, 1]]
    assert tuple(ax.lines[1].get_ydata()) == result.observed
    assert ax.lines[1].get_color() == (A if uniform else B)


@pytest.mark.parametrize(("result", "parts"), [
    (rate_table(), ["Above their level: resampled_t.", "0.040", "exceeds its level", "it is wrong", "Rough.", "c&45"]),
    (rate_table(), ["keeps its level (at most 0.054)", "+0.10 ± 0.20", "bias a − b (points)"]),
    (rate_table("power"), ["resampled_t finds the difference most often: in 24.0 %"]),
    (replicability_table(), ["kfold_cv_t agrees with itself most often: on 90.0 %", "0.400 to 0.600", "<TwoKinds>"]),
    (calibration_table(), ["1 of 2 tests keep their level", "none", "0.045"]),
    (qq(), ["They are not uniform.", "5 % bound 0.130", "population <TwoKinds>"]),
    (qq(uniform=True), ["They could be uniform."]),
    (interval_survey(3, 50), ["between 1.7 % and 15.2 %", "clopper_pearson", "use this one", "Hodges–Lehmann"]),
])  # fmt: skip
def test_pages_of_studies(result, parts):
    page = to_html(result, command="foldwise lab <x>")
    text = Markup(page).text
    for part in [*parts, "foldwise lab <x>", "scikit-learn"]:
        assert part in text
    assert "<svg" in page
    assert len(page) < 200_000


def test_all_tests_keeping_their_level_is_good_news():
    table = rate_table()
    table = replace(table, rows=table.rows[:1])
    assert "All tests keep their level" in to_html(table)
