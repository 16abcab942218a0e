from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.signal import lfilter

from foldwise.core.errors import DegenerateVariance, InvalidInput
from foldwise.inference import diebold_mariano, paired_t
from foldwise.inference.time_series import (
    at_least_mcnemar,
    cosine_terms,
    independent_stretches,
    needed_stretches,
    serial_correlation,
)

TRANSCRIPT = Path(__file__).parents[1] / "reference" / "diebold_mariano.tsv"
SLOW = pytest.mark.filterwarnings("ignore:.*independent ones")
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


def correlation_with_delay(x):
    """The cautious correlation of neighbours as the docstring tells it, lag by lag."""
    n, d = len(x), x - x.mean()
    seen = [(d[k:] * d[: n - k]).sum() / (d**2).sum() for k in range(n // 3 + 1)]
    neighbours = seen[1] + (1 + 3 * seen[1]) / n
    time, lag = 1.0, 0
    while lag + 1 < len(seen):
        lag += 1
        time += 2 * seen[lag]
        if lag >= 5 * max(time, 1.0):
            break
    time = max(time, 1.0) * (1 + 2 * (lag + 1) / n)
    lasts = (time - 1) / 2 / max(seen[1] + time / n, 2 / n**0.5)
    return min(max(neighbours + np.sqrt((1 - neighbours**2) / n), 1 - 1 / max(lasts, 1.0), 0.0), 1.0)


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.8])
def test_cosine_is_the_mean_square_of_its_transforms_with_what_they_lack(phi):
    x = lfilter([1.0], [1.0, -phi], np.random.default_rng(3).standard_normal(150))
    t, rho = np.arange(1, 151), correlation_with_delay(x)
    count = min(int((1 - rho) * 150 / (2 * np.pi * np.sqrt(rho))), 11)
    terms = []
    for j in range(1, count + 1):
        wave = np.cos(np.pi * j * (t - 0.5) / 150)
        lacks = 1 + 2 * rho * (1 - np.cos(np.pi * j / 150)) / (1 - rho) ** 2
        terms.append(lacks * 2 / 150 * (x * wave).sum() ** 2)
    result = diebold_mariano(x)
    assert result.df == count
    plain = paired_t(x).standard_error * stats.t.ppf(0.975, 149) / stats.t.ppf(0.975, count)
    assert result.standard_error == pytest.approx(max(np.sqrt(np.mean(terms) / 150), plain), rel=1e-12)
    assert independent_stretches(x) == pytest.approx(150 * (1 - rho) / (1 + rho), rel=1e-12)


def test_a_series_too_slow_for_its_length_shows_nothing():
    rng = np.random.default_rng(3)
    x = np.stack([np.cumsum(rng.standard_normal(100)) + 50, rng.standard_normal(100)])
    with pytest.warns(DegenerateVariance, match="100 differences are worth fewer than 4 independent ones"):
        found = diebold_mariano(x)
    assert found.pvalue[0] == 1
    assert np.isnan(found.statistic[0])
    assert found.confidence_interval().width[0] == np.inf
    assert found.pvalue[1] == diebold_mariano(x[1]).pvalue
    guarded = at_least_mcnemar(found, np.sign(x))
    assert guarded.pvalue[0] == 1
    assert diebold_mariano(x, method="fixed_b").pvalue[0] < 1


def test_slow_stretches_of_right_and_wrong_are_seen_behind_their_neighbours():
    rng = np.random.default_rng(8)
    slow = lfilter([1.0], [1.0, -0.95], rng.standard_normal((200, 400)))
    hidden = np.sign(slow + 4 * rng.standard_normal((200, 400)))
    shuffled = rng.permuted(hidden, axis=-1)
    assert np.median(independent_stretches(hidden)) < 60
    assert np.median(independent_stretches(shuffled)) > 300


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


@pytest.mark.parametrize("n", [20, 30, 50])
def test_fixed_b_keeps_its_level_where_the_printed_values_are_of_long_series(n):
    x = np.random.default_rng(n).standard_normal((20_000, n))
    found = diebold_mariano(x, method="fixed_b")
    wider = found.standard_error > 1.000001 * standard_error_of_fixed_b(x)  # as wide as the paired t test
    rate = (found.pvalue < 0.05).mean()
    assert rate < 0.05
    own = np.abs(found.estimate) / standard_error_of_fixed_b(x) > stats.t.ppf(0.975, found.df)
    assert 0.038 < own.mean() < 0.05
    assert 0.2 < wider.mean() < 0.9


def standard_error_of_fixed_b(x):
    """Bartlett's weights over their own mean of independent differences, lag by lag."""
    n = x.shape[-1]
    size, d = int(np.ceil(1.3 * np.sqrt(n))), x - x.mean(axis=-1, keepdims=True)
    weights = 1 - np.abs(np.subtract.outer(np.arange(n), np.arange(n))) / size
    weights = np.maximum(weights, 0)
    centre = np.eye(n) - 1 / n
    return np.sqrt(np.einsum("ri,ij,rj->r", d, weights, d) / np.trace(centre @ weights) / n)


@SLOW
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
    # symmetric in time: cosines of one frequency in two are 0, and yet nothing is certain
    symmetric = [1.0, 0.0, 2.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 0.0, 1.0]
    widths = [test(symmetric).confidence_interval().width for test in (diebold_mariano, paired_t)]
    assert widths[0] == pytest.approx(widths[1])
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


@SLOW
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


def noisy_counts(rng, series, n, phi):
    """What the periods add to the difference of two equal word error rates, whose odds change slowly."""
    words = rng.integers(3, 30, (series, n))
    added = []
    for _ in range(2):
        noise = rng.standard_normal((series, n)) * np.sqrt(1 - phi**2)
        noise[:, 0] /= np.sqrt(1 - phi**2)
        errors = rng.binomial(words, 0.2 / (1 + np.exp(-lfilter([1.0], [1.0, -phi], noise, axis=1))))
        total = words.sum(axis=1, keepdims=True)
        added.append(n * (errors - errors.sum(axis=1, keepdims=True) / total * words) / total)
        added[-1] += errors.sum(axis=1, keepdims=True) / total
    return added[0] - added[1]


@SLOW
@pytest.mark.parametrize("n", [30, 100])
def test_slow_changes_behind_noise_are_allowed_for_where_that_is_said(n):
    """Noise hides them from every estimate of correlation; few cosines see no more than they last."""
    x = noisy_counts(np.random.default_rng(29), 1500, n, 0.95)
    share = {noisy: float((diebold_mariano(x, noisy=noisy).pvalue < 0.05).mean()) for noisy in (False, True)}
    assert share[False] > 0.12
    assert share[True] < 0.08


def test_the_terms_of_noisy_series_are_those_of_correlation_95():
    assert [cosine_terms(n, noisy=True) for n in (10, 100, 400, 1000)] == [1, 1, 3, 8]


def test_differences_of_few_values_need_as_many_stretches_as_right_and_wrong():
    rng = np.random.default_rng(3)
    of_labels, losses = rng.choice([-0.7, -0.4, 0.0, 0.2, 0.5], 100), rng.normal(size=100)
    right = rng.integers(-1, 2, 100)
    assert needed_stretches(np.array([of_labels, losses, right])).tolist() == [12, 4, 12]
    assert needed_stretches(np.array([0.1, 0.2, 0.4, 0.3])) == 4  # few, all different
