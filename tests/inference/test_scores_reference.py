"""Every test from resampled scores against base R (tests/reference/generators/scores.R)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from foldwise import inference as inf

TRANSCRIPT = Path(__file__).parents[1] / "reference" / "scores.txt"


def read_transcript() -> dict[str, np.ndarray]:
    rows = (line.split() for line in TRANSCRIPT.read_text().splitlines() if not line.startswith("#"))
    return {key: np.array(values, dtype=float) for key, *values in rows}


R = read_transcript()
DESIGNS = ["tenten", "threefive", "fivetwo", "sixfour"]
SIDES = [("two.sided", "two-sided"), ("less", "less"), ("greater", "greater")]
POWERS = [key for key in R if key.startswith("power|")]
DETECTABLE = [key for key in R if key.startswith("detectable|")]


def design(name: str) -> np.ndarray:
    return R[f"{name}.x"].reshape(R[f"{name}.shape"].astype(int))


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-15)


def summary(result, level=0.95):
    interval = result.confidence_interval(level)
    return [result.statistic, result.df, result.pvalue, interval.low, interval.high]


@pytest.mark.parametrize("test", [inf.resampled_t, inf.kfold_cv_t])
@pytest.mark.parametrize(("r_side", "side"), SIDES)
@pytest.mark.parametrize("name", DESIGNS)
def test_plain_t_tests_are_rs_t_test(test, name, r_side, side):
    result = test(design(name).ravel(), alternative=side)
    assert summary(result) == close(R[f"{name}.t.test.{r_side}"])


@pytest.mark.parametrize("name", DESIGNS)
def test_corrected_repeated_cv_t(name):
    assert summary(inf.corrected_repeated_cv_t(design(name))) == close(R[f"{name}.corrected_repeated_cv_t"])


@pytest.mark.parametrize("name", DESIGNS)
def test_corrected_resampled_t(name):
    result = inf.corrected_resampled_t(design(name).ravel(), test_train_ratio=0.25)
    assert summary(result) == close(R[f"{name}.corrected_resampled_t"])


@pytest.mark.parametrize("variant", inf.VARIANTS)
@pytest.mark.parametrize("name", DESIGNS)
def test_repeated_cv_variants(name, variant):
    x = design(name)
    for key, df in [("nominal", None), ("given", 7.5)]:
        result = inf.repeated_cv_test(x, variant=variant, df=df)
        assert [result.statistic, result.df, result.pvalue] == close(R[f"{name}.{key}.{variant}"])


@pytest.mark.parametrize("df", [4, 12])
@pytest.mark.parametrize("name", DESIGNS)
def test_explicit_df(name, df):
    x = design(name).ravel()
    plain = inf.explicit_df(x).test(df)
    assert [plain.statistic, plain.df, plain.pvalue] == close(R[f"{name}.explicit.{df}"])
    corrected = inf.explicit_df_corrected(x, test_train_ratio=0.25).test(df)
    assert [corrected.statistic, corrected.df, corrected.pvalue] == close(R[f"{name}.corrected_explicit.{df}"])


@pytest.mark.parametrize("margin", ["0.02", "0.05"])
def test_equivalence(margin):
    result = inf.tost(inf.resampled_t(design("threefive").ravel()), margin=float(margin))
    assert [result.pvalue_low, result.pvalue_high] == close(R[f"tost|{margin}"])
    assert result.pvalue == close(R[f"tost|{margin}"].max())


def test_five_by_two_cv_t_and_its_ten_statistics():
    result = inf.five_by_two_cv_t(design("fivetwo"))
    assert result.statistics.ravel() == close(R["five_by_two_t"])
    assert result.pvalues.ravel() == close(R["five_by_two_t.p"])
    assert [result.statistic, result.pvalue] == close([R["five_by_two_t"][0], R["five_by_two_t.p"][0]])
    interval = result.confidence_interval(0.95)
    assert [interval.low, interval.high] == close(R["five_by_two_t.interval"])


def test_five_by_two_cv_f():
    result = inf.five_by_two_cv_f(design("fivetwo"))
    assert [result.statistic, result.pvalue] == close(R["five_by_two_f"])
    interval = result.confidence_interval(0.95)
    # R solves the same inequality by root finding, to 1e-14 in the difference itself
    assert [interval.low, interval.high] == pytest.approx(R["five_by_two_f.interval"], abs=1e-12)


@pytest.mark.parametrize("key", POWERS)
def test_power(key):
    _, n, alpha, effect = key.split("|")
    n = int(n)
    power = inf.student_power(float(effect), 1 / np.sqrt(n), n - 1, alpha=float(alpha))
    assert power == pytest.approx(R[key][0], rel=1e-9)


@pytest.mark.parametrize("key", DETECTABLE)
def test_detectable_difference(key):
    _, n, alpha, power = key.split("|")
    n = int(n)
    found = inf.detectable_difference(1 / np.sqrt(n), n - 1, alpha=float(alpha), power=float(power))
    assert found == pytest.approx(R[key][0], rel=1e-9)
