from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import diebold_mariano, paired_t
from foldwise.inference._diebold_mariano import at_least_mcnemar, cosine_terms
from foldwise.inference._serial_correlation import serial_correlation

TRANSCRIPT = Path(__file__).parents[1] / "reference" / "diebold_mariano.tsv"
series = st.lists(st.integers(-20, 20).map(lambda v: v / 10), min_size=3, max_size=40)


@pytest.fixture(scope="module")
def transcript():
    lines = [line.split("\t") for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    return {name: [float(value) for value in values.split(";")] for name, values in lines}


@pytest.mark.parametrize("n", [12, 40, 150])
@pytest.mark.parametrize("horizon", [1, 2, 4])
@pytest.mark.parametrize("power", [1, 2])
def test_hln_agrees_with_forecast_of_r(transcript, n, horizon, power):
    a, b = (np.abs(transcript[f"{n}.{name}"]) ** power for name in "ab")
    two, less = (
        diebold_mariano(a - b, horizon=horizon, method="hln", alternative=side) for side in ("two-sided", "less")
    )
    assert (two.statistic, two.pvalue, less.pvalue) == pytest.approx(transcript[f"{n}.dm.{horizon}.{power}"], rel=1e-9)
    assert two.df == n - 1


def test_cosine_is_the_mean_square_of_its_transforms():
    rng = np.random.default_rng(3)
    x = np.cumsum(rng.standard_normal(100)) / 5
    t = np.arange(1, 101)
    terms = [np.sqrt(2 / 100) * (x * np.cos(np.pi * j * (t - 0.5) / 100)).sum() for j in range(1, 9)]
    result = diebold_mariano(x)
    assert result.df == 8
    assert result.standard_error == pytest.approx(np.sqrt(np.mean(np.square(terms)) / 100), rel=1e-12)


@pytest.mark.parametrize("n", [100, 400, 1000])
def test_fixed_b_has_the_critical_values_of_kiefer_and_vogelsang(n):
    x = np.cumsum(np.random.default_rng(1).standard_normal(n))
    result = diebold_mariano(x, method="fixed_b")
    size = int(np.ceil(1.3 * np.sqrt(n)))
    d = x - x.mean()
    lags = [(d[k:] * d[: n - k]).sum() / n for k in range(size)]
    plain = np.sqrt((lags[0] + 2 * sum((1 - k / size) * lags[k] for k in range(1, size))) / n)
    b = size / n
    printed = 1.96 + 2.9694 * b + 0.4160 * b**2 - 0.5324 * b**3
    assert result.standard_error * stats.t.ppf(0.975, result.df) / plain == pytest.approx(printed, rel=0.02)


@given(x=series, method=st.sampled_from(["cosine", "fixed_b"]))
def test_never_narrower_than_independent_and_mirrored(x, method):
    values = np.array(x)
    if np.ptp(values) == 0:
        return
    result, plain = diebold_mariano(values, method=method), paired_t(values)
    assert result.confidence_interval().width >= plain.confidence_interval().width * (1 - 1e-9)
    turned = diebold_mariano(-values, method=method)
    assert turned.pvalue == result.pvalue
    assert turned.estimate == -result.estimate
    backwards = diebold_mariano(values[::-1], method=method)
    assert backwards.pvalue == pytest.approx(result.pvalue, rel=1e-9)


@pytest.mark.parametrize("method", ["cosine", "fixed_b", "hln"])
def test_batches_are_looped(method):
    x = np.random.default_rng(2).standard_normal((3, 4, 25))
    found = diebold_mariano(x, horizon=3, method=method)
    single = diebold_mariano(x[1, 2], horizon=3, method=method)
    assert found.pvalue[1, 2] == pytest.approx(single.pvalue, rel=1e-12)
    assert found.standard_error.shape == (3, 4)


def test_degenerate_series_have_a_defined_answer():
    assert diebold_mariano([0.0] * 9).pvalue == 1
    with pytest.warns(DegenerateVariance):
        assert diebold_mariano([0.3] * 9).pvalue == 0
    # symmetric in time: the only cosine is 0, and yet nothing is certain
    assert diebold_mariano([0.0, 1.0, 1.0, 1.0, 0.0]).pvalue > 0.05
    # a sum of autocovariances below 0
    assert diebold_mariano([1.0, -1.0] * 10 + [1.5], horizon=2, method="hln").standard_error > 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0],), "at least 2 differences"),
        (([1.0, np.nan, 2.0],), "must be finite|finite"),
        (([1.0, 2.0, 3.0], {"horizon": 3}), "horizon must be below the number of periods"),
        (([1.0, 2.0, 3.0], {"horizon": 0}), "horizon"),
        (([1.0, 2.0, 3.0], {"method": "newey_west"}), "method"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    x, *options = arguments
    with pytest.raises(InvalidInput, match=message):
        diebold_mariano(x, **(options[0] if options else {}))


def test_terms_follow_length_and_horizon():
    assert [cosine_terms(n) for n in (2, 5, 30, 1000)] == [1, 1, 3, 41]
    assert cosine_terms(100, horizon=12) == 4


@given(signs=st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=4, max_size=40))
def test_right_and_wrong_never_more_certain_than_mcnemar(signs):
    from foldwise.inference import mcnemar

    x = np.array(signs)
    if np.ptp(x) == 0:
        return
    guarded = at_least_mcnemar(diebold_mariano(x), x)
    midp = mcnemar((x < 0).sum(), (x > 0).sum(), method="midp").pvalue
    assert guarded.pvalue >= midp - 1e-12
    assert (0 in guarded.confidence_interval()) == (guarded.pvalue >= 0.05) or abs(guarded.pvalue - 0.05) < 1e-9


def test_the_check_of_the_order_rarely_fires_on_shuffled_items():
    rng = np.random.default_rng(5)
    sparse = [serial_correlation([rng.permutation([1.0] * 10 + [0.0] * 990), [0.0] * 1000]).pvalue for _ in range(200)]
    normal = [serial_correlation(rng.standard_normal((3, 60))).pvalue for _ in range(200)]
    assert sum(p <= 0.001 for p in sparse) <= 2
    assert sum(p <= 0.001 for p in normal) <= 2


def test_the_check_of_the_order_sees_neighbours_and_not_sorted_files():
    x = np.sin(np.arange(80) / 6)
    assert serial_correlation([x, np.zeros(80)]).pvalue <= 0.001
    long = np.tile(x, 500)
    assert serial_correlation([long, np.zeros(40_000)]).pvalue <= 0.001
    assert serial_correlation([[1] * 40 + [0] * 40, [1] * 80]).pvalue == 1
    assert serial_correlation([x, x]).pvalue == 1
