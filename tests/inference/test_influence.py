"""The influence-robust test: against plain loops, identities, and linear statistics whose parts are known."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from foldwise import inference as inf
from foldwise.core.errors import DegenerateVariance, InvalidInput

several = settings(max_examples=15)
seeds = st.integers(0, 10**6)


def drawn(seed, n=24, runs=4, k=4, classes=2):
    rng = np.random.default_rng(seed)
    folds = np.stack([rng.permutation(n) % k for _ in range(runs)])
    d = np.round(rng.normal(0.1, 1, n) + rng.normal(0, 0.7, (runs, n)), 1)
    return d, folds, np.arange(n) % 7 % classes


def by_loops(d, folds, classes):
    """Every part as the documentation writes it, one example at a time."""
    runs, n = d.shape
    k = folds.max() + 1
    everyone, every_run = range(n), range(runs)
    mean = [np.mean(d[:, i]) for i in everyone]
    within = [np.var(d[:, i], ddof=1) for i in everyone]
    w, theta = np.mean(within), np.mean(mean)
    between = np.var(mean, ddof=1)
    own, unit = max(between - w / runs, 0), between + w * (1 - 1 / runs)
    others = [[np.mean([d[s, i] for s in every_run if s != r]) for i in everyone] for r in every_run]
    e = [[d[r, i] - others[r][i] for i in everyone] for r in every_run]
    mates = [[[j for j in everyone if j != i and folds[r, j] == folds[r, i]] for i in everyone] for r in every_run]
    S = [[sum(e[r][j] for j in mates[r][i]) for i in everyone] for r in every_run]
    C = np.mean([
        -n * sum((others[r][i] - theta) * S[r][i] for i in everyone) / sum(len(mates[r][i]) for i in everyone)
        for r in every_run
    ])  # fmt: skip
    products = []
    for r, s in combinations(every_run, 2):
        for i in everyone:
            first, second = set(mates[r][i]) - set(mates[s][i]), set(mates[s][i]) - set(mates[r][i])
            # the example itself is in its cell, so that both sets are scaled by folds without what is shared
            if first and second:
                one = sum(e[r][j] for j in first) * n / len(first)
                products.append(one * sum(e[s][j] for j in second) * n / len(second))
            else:
                products.append(0.0)
    H = np.mean(products)
    omega, alpha = w / unit, own / unit
    bounds, counts = [], []
    for label in sorted(set(classes)):
        members = [i for i in everyone if classes[i] == label]
        centre = np.mean([mean[i] for i in members])
        variance = sum((mean[i] - centre) ** 2 for i in members) / n - sum(within[i] for i in members) / n / runs
        moment = np.mean([
            sum(-n / len(mates[r][i]) * (others[r][i] - centre) * S[r][i] for i in members) / n for r in every_run
        ])  # fmt: skip
        bounds.append(max((moment / unit) ** 2 / (max(variance, 0) / unit + 0.01) - 2.75 * omega, 0))
        counts.append(len(members))
    overall = max((C / unit) ** 2 / (alpha + 0.01) - omega, 0)
    excess = 2.8 / (1 + 0.5 * omega) * max(sum(bounds) - overall, 0)
    shape = np.mean([(d[r, i] - mean[i]) ** 4 for i in everyone for r in every_run]) / np.mean(np.square(within))
    few = min(max(shape - 1.9, 0), 2) * min(omega / 0.1, 1)
    slope = 0.85 / (1 + 0.8 * omega)
    noise = omega * k * np.sqrt(n * 2 / (runs * (runs - 1)))
    ratio = 1.08 - 0.9 * omega + slope * C / unit + excess + 0.2 * few + 0.15 * max(H / unit - 2.25 * noise, 0)
    x = [np.mean([d[r, i] for i in everyone if folds[r, i] == f]) for r in every_run for f in range(k)]
    corrected = np.var(x, ddof=1) * (1 / (runs * k) + 1 / (k - 1))
    ratio = max(ratio, 0.4 * corrected * n / unit, 0.2)
    inverse = 0.5 * slope**2 * alpha * omega * k / runs / ratio**2
    for bound, count in zip(bounds, counts, strict=True):
        carried = bound / sum(bounds) * excess if sum(bounds) else 0
        inverse += ((count / n * max(ratio - excess, 0) + carried) / ratio) ** 2 / (count - 1)
    df = min(max(1 / (1.25 * inverse), 2), min(runs * k, n) - 1)
    return {
        "estimate": np.mean(x), "standard_error": np.sqrt(ratio * unit / n), "df": df, "example_variance": own,
        "run_variance": w, "covariance": C, "influence": H,
    }  # fmt: skip


@several
@given(seed=seeds, classes=st.sampled_from([1, 2, 3]))
def test_every_part_is_that_of_plain_loops(seed, classes):
    d, folds, labels = drawn(seed, classes=classes)
    result, wanted = inf.influence(d, folds, classes=labels), by_loops(d, folds, labels)
    assert {name: getattr(result, name) for name in wanted} == pytest.approx(wanted)
    t = wanted["estimate"] / wanted["standard_error"]
    assert [result.statistic, result.pvalue] == pytest.approx([t, 2 * stats.t.sf(abs(t), wanted["df"])])


@several
@given(seed=seeds)
def test_neither_names_nor_orders_matter_and_swapping_mirrors(seed):
    d, folds, classes = drawn(seed)
    rng = np.random.default_rng(seed)
    result = inf.influence(d, folds, classes=classes)
    runs, examples = rng.permutation(len(d)), rng.permutation(d.shape[1])
    renamed = np.stack([rng.permutation(4)[row] * 3 + 5 for row in folds])
    for other in (
        inf.influence(d[runs], folds[runs], classes=classes),
        inf.influence(d[:, examples], folds[:, examples], classes=classes[examples]),
        inf.influence(d, renamed, classes=np.array(["y", "x"])[classes]),
    ):
        assert [other.pvalue, other.df] == pytest.approx([result.pvalue, result.df])
    back = inf.influence(-d, folds, classes=classes)
    assert (back.pvalue, back.statistic) == (result.pvalue, -result.statistic)
    scaled = inf.influence(100 * d, folds, classes=classes)
    assert [scaled.pvalue, scaled.weight] == pytest.approx([result.pvalue, result.weight])
    # a constant moves the estimate and nothing else
    moved = inf.influence(d + 3, folds, classes=classes)
    assert [moved.standard_error, moved.df] == pytest.approx([result.standard_error, result.df])
    interval = result.confidence_interval(0.9)
    if abs(result.pvalue - 0.1) > 1e-9:
        assert (0 not in interval) == (result.pvalue < 0.1)


def test_many_experiments_are_one_call():
    parts = [drawn(seed) for seed in range(5)]
    d, folds, classes = (np.stack(part) for part in zip(*parts, strict=True))
    together = inf.influence(d, folds, classes=classes)
    alone = [inf.influence(*part[:2], classes=part[2]) for part in parts]
    assert together.pvalue == pytest.approx([one.pvalue for one in alone])
    assert together.covariance == pytest.approx([one.covariance for one in alone])


def test_an_example_counted_several_times_is_a_group():
    d, folds, classes = drawn(3)
    alone = inf.influence(d, folds, classes=classes)
    three = np.repeat(np.arange(24), 3)
    grouped = inf.influence(d[:, three], folds[:, three], classes=classes[three], groups=three)
    assert [grouped.pvalue, grouped.df, grouped.influence] == pytest.approx([alone.pvalue, alone.df, alone.influence])
    # groups of unequal size keep the mean over examples
    some = np.repeat(np.arange(24), 1 + np.arange(24) % 2)
    uneven = inf.influence(d[:, some], folds[:, some], groups=some)
    assert uneven.estimate == pytest.approx(d[:, some].mean(), abs=0.02)


def test_of_a_linear_statistic_the_parts_are_those_of_the_examples():
    """Training on example i adds x_i/n to every other prediction: h = x, C = Cov(a, x), H = Var(x)."""
    n, k, runs = 60, 6, 300
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    u = x + 0.5 * rng.normal(size=n)
    folds = np.stack([rng.permutation(n) % k for _ in range(runs)])
    left_out = (folds[:, :, None] == folds[:, None, :]) @ x
    result = inf.influence(u + (x.sum() - left_out) / n, folds)
    # mates are drawn without the example itself, whose sum with theirs is fixed
    share = 1 - (n / k - 1) / (n - 1)
    assert result.covariance == pytest.approx(np.cov(u, x)[0, 1] * share, rel=0.05)
    assert result.influence == pytest.approx(np.var(x, ddof=1), rel=0.25)
    assert result.example_variance == pytest.approx(np.var(u, ddof=1), rel=0.05)
    nothing = inf.influence(np.tile(u, (runs, 1)), folds)
    assert [nothing.covariance, nothing.influence] == pytest.approx([0, 0], abs=1e-12)
    assert nothing.variance == pytest.approx(1.08 * np.var(u, ddof=1) / n)


@pytest.mark.filterwarnings("ignore::foldwise.core.errors.DegenerateVariance")
@pytest.mark.parametrize("value", [0.0, 0.1])
def test_without_variance_nothing_can_be_told(value):
    _, folds, _ = drawn(0)
    result = inf.influence(np.full(folds.shape, value), folds)
    assert (result.pvalue, result.standard_error) == (1, 0)
    assert result.estimate == pytest.approx(value)
    assert np.isnan(result.weight)
    assert 0 in result.confidence_interval()


def test_a_constant_difference_warns():
    _, folds, _ = drawn(0)
    with pytest.warns(DegenerateVariance, match="no difference can be shown"):
        inf.influence(np.full(folds.shape, 0.1), folds)


def test_given_degrees_of_freedom_are_taken():
    d, folds, _ = drawn(1)
    assert inf.influence(d, folds, df=7).df == 7


D, FOLDS, _ = drawn(0)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"d": D[:1], "folds": FOLDS[:1]}, "at least 2 runs"),
    ({"d": D, "folds": FOLDS[:, :-1]}, "folds must be whole numbers of shape"),
    ({"d": D, "folds": FOLDS.astype(float)}, "folds must be whole numbers"),
    ({"d": D, "folds": np.zeros_like(FOLDS)}, "2 or more folds"),
    ({"d": D, "folds": np.tile(np.arange(24), (4, 1))}, "at least 2 examples in each run"),
    ({"d": D, "folds": FOLDS, "classes": [0, 1]}, "one value per example"),
    ({"d": D, "folds": FOLDS, "groups": [0, 1]}, "groups must have shape"),
    ({"d": D, "folds": FOLDS, "groups": np.zeros(24)}, "must be in one fold"),
    ({"d": np.full_like(D, np.nan), "folds": FOLDS}, "d must"),
    ({"d": D, "folds": FOLDS, "df": -1}, "df must be"),
])  # fmt: skip
def test_wrong_input_is_refused(arguments, message):
    with pytest.raises(InvalidInput, match=message):
        inf.influence(**arguments)
