"""Section 2: Figures 1 to 4, the intervals for one error rate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.inference.error_rates import applicability, error_interval
from foldwise.inference.independent_samples import two_rates
from foldwise.lab.papers.rows import Chart, Printed, Row, chart, claim, incomparable, of_value
from foldwise.lab.papers.study import Findings, Task

SIZES = tuple(range(10, 201, 10))  # Section 2.2 and appendix A.3: M = 10, 20 … 200, m = 0 … M/2.


def figure1(task: Task) -> Findings:
    # a rate of a thousandth shows the limit of the ratios, 2 and 2.5; at larger ones they grow. Errors come in wholes,
    # so that each sample is known to one error in the least number of them.
    rate = 1000
    errors = np.arange(1, 400)
    rules = applicability(errors, rate * errors)
    named = {"conservative": rules.hodges_lehmann, "anderson": rules.anderson_sclove, "mendenhall": rules.mendenhall}
    least = {name: int(errors[np.argmax(ok)]) for name, ok in named.items()}
    double, more = (
        of_value(f"smallest sample, Hodges–Lehmann to {name}", Printed(text=text), least["conservative"] / least[other],
                 low=(least["conservative"] - 1) / least[other], high=least["conservative"] / (least[other] - 1),
                 note="the interval is that of whole numbers of errors")
        for name, other, text in (("Anderson–Sclove", "anderson", "2"), ("Mendenhall", "mendenhall", "2.5"))
    )  # fmt: skip
    # "about 1 in 40" is one digit of it
    negative = of_value("chance of a negative number of errors, liberal rule: one in", Printed(text="4E+1"),
                        1 / float(special.ndtr(-2.0)))  # fmt: skip
    rows = (double, more, replace(negative, printed="about 1 in 40"))
    # binomial vs normal at the edge of the liberal and of the conservative rule, for an error rate of 10 %
    m, series = np.arange(-3, 26), {}
    for name, size in (("Anderson–Sclove, M = 50", 50), ("Hodges–Lehmann, M = 112", 112)):
        exact = special.bdtr(np.maximum(m, 0), size, 0.1) * (m >= 0)
        series[name] = (m, special.ndtr((m + 0.5 - 0.1 * size) / np.sqrt(0.09 * size)) - exact)
    drawn = chart("approximation", "lines", "Normal minus binomial distribution function, ε = 0.1",
                  ("errors m", "difference"), series, level=0.0)  # fmt: skip
    note = (
        "Smallest samples at an error rate of 0.1 %; at the edge of Mendenhall's rule the mean is two deviations above "
        "0."
    )
    return Findings(rows=rows, charts=(drawn,), raw=least, notes=(note,))


def _grid() -> tuple[Array, Array]:
    pairs = [(m, M) for M in SIZES for m in range(M // 2 + 1)]
    m, M = np.array(pairs, dtype=np.float64).T
    return m, M


def figure2(task: Task) -> Findings:
    m, M = _grid()
    book = error_interval(m, M, method="textbook_continuity")
    other = error_interval(m, M, method="wilson")
    inside = bool(np.all(other.low >= 0) and np.all(other.high <= 1))
    centre = np.asarray((other.low + other.high) / 2 - (book.low + book.high) / 2)
    # above m = 0: there the textbook interval has no width of its own
    shifted = bool((centre[(m > 0) & (m < M / 2)] > 0).all())
    # half of the textbook interval before it is cut off at 0 and 1 (equation 2)
    half = 0.5 / M + special.ndtri(0.975) * np.sqrt(m / M * (1 - m / M) / M)
    rows = (
        claim("alternative interval", "never includes absurd values", inside, rule="all limits from 0 to 1"),
        claim("alternative interval, below 50 % error", "shifted upwards", shifted, rule="every centre",
              ours=float(centre[m > 0].min())),
        claim("textbook interval", "includes negative rates", bool((m / M - half < 0).any()),
              rule="some lower limit below 0"),
    )  # fmt: skip
    return Findings(rows=rows, charts=(_limits_chart("textbook_continuity", "wilson", "textbook", "alternative"),))


def _limits_chart(first: str, second: str, name1: str, name2: str, M: int = 50) -> Chart:
    m, series = np.arange(M // 2 + 1), dict[str, tuple[Array, Any]]()
    for method, name in ((first, name1), (second, name2)):
        found = error_interval(m, M, method=method)  # type: ignore[arg-type]
        series |= {f"{name}, lower": (m / M, found.low), f"{name}, upper": (m / M, found.high)}
    labels = ("estimated error m/M", "limits of the true error")
    return chart("limits", "lines", f"95 % limits, M = {M}", labels, series)


def figure3(task: Task) -> Findings:
    rows = []
    for m, M in ((0, 10), (2, 20), (7, 50)):
        found = error_interval(m, M, method="jeffreys")
        mean = (m + 0.5) / (M + 1)
        mode = 0.0 if m == 0 else (m - 0.5) / (M - 1)
        variance = mean * (1 - mean) / (M + 2)
        ours = [float(value) for value in (found.mean, found.mode, found.variance)]
        exact = np.allclose(ours, [mean, mode, variance], rtol=1e-12)
        label = f"m = {m}, M = {M}: mean, mode, variance"
        rows.append(claim(label, "the formulas of section 2.2", bool(exact), rule="to 12 digits"))
    m, M = np.array([(m, M) for M in range(4, 201) for m in range(M + 1)], dtype=np.float64).T
    share, posterior = m / M, np.asarray(error_interval(m, M, method="jeffreys").variance)
    wider = posterior > share * (1 - share) / M
    for where, there, said in (
        ("below 0.1 or above 0.9", (share < 0.1) | (share > 0.9), True),
        ("between 0.15 and 0.85", (share > 0.15) & (share < 0.85), False),
    ):
        holds = wider[there] == said
        rows.append(claim(f"posterior variance vs m/M·(1 − m/M)/M, m/M {where}", "larger" if said else "less",
                          bool(holds.all()), rule="all m, M from 4 to 200", ours=float(holds.mean())))  # fmt: skip
    rate, series = np.linspace(0.001, 0.6, 300), {}
    for m, M in ((1, 20), (4, 20), (10, 50)):
        a, b = m + 0.5, M - m + 0.5
        density = np.exp((a - 1) * np.log(rate) + (b - 1) * np.log1p(-rate) - special.betaln(a, b))
        series[f"m = {m}, M = {M}"] = (rate[::6], density[::6])
    drawn = chart("posterior", "lines", "Posterior of the true error, Jeffreys' prior", ("true error", "density"),
                  series)  # fmt: skip
    return Findings(rows=tuple(rows), charts=(drawn,))


def figure4(task: Task) -> Findings:
    m, M = _grid()
    exact = error_interval(m, M, method="jeffreys")
    simple = error_interval(m, M, method="approximate_beta")
    careful = error_interval(m, M, method="abramowitz_stegun")
    both = np.maximum(np.abs(simple.low - exact.low), np.abs(simple.high - exact.high))
    rows = [
        *_largest("approximate Beta", "0.017", "M = 10, m = 3", both, m, M,
                  slip="the paper's m is a slip: the largest deviation is at m = 2"),
        claim("approximate Beta: M × deviation", "< 0.27", bool((M * both).max() < 0.27), rule="below 0.27",
              ours=float((M * both).max())),
        *_largest("Abramowitz–Stegun, upper", "0.0046", "M = 10, m = 4", np.abs(careful.high - exact.high), m, M),
        *_largest("Abramowitz–Stegun, lower", "0.0033", "M = 20, m = 5", np.abs(careful.low - exact.low), m, M,
                  slip="the print is the report's own bound 0.00078 + 1/M² at this place"),
        _bound("Abramowitz–Stegun, upper", "< 0.00035 + 0.07/M", np.abs(careful.high - exact.high), 0.00035 + 0.07 / M,
               m, M),
        _bound("Abramowitz–Stegun, lower", "< 0.00078 + 1/M²", np.abs(careful.low - exact.low), 0.00078 + 1 / M**2,
               m, M),
    ]  # fmt: skip
    note = (
        "The Abramowitz–Stegun limits are computed with b₂ = +0.093773 and A_m's intercept 0.273901: with the printed "
        "signs and digits (appendix A.3) the stated deviations can't come out, with these they do."
    )
    drawn = _limits_chart("wilson", "approximate_beta", "alternative", "approximate Beta")
    return Findings(rows=tuple(rows), charts=(drawn,), notes=(note,))


def _largest(label: str, printed: str, where: str, deviation: Array, m: Array, M: Array, slip: str = "") -> list[Row]:
    worst = int(np.argmax(deviation))
    place = f"M = {M[worst]:.0f}, m = {m[worst]:.0f}"
    return [
        of_value(f"{label}: largest deviation", Printed(text=printed), float(deviation[worst]), why=slip),
        claim(f"{label}: where", where, place == where, rule="the same place",
              why=f"ours at {place}; {slip}".rstrip("; ")),
    ]  # fmt: skip


def _bound(label: str, said: str, deviation: Array, bound: Array, m: Array, M: Array) -> Row:
    """Whether the deviation "appeared to be" below a bound at every place; ours is the largest excess."""
    worst = int(np.argmax(deviation - bound))
    place = f"{deviation[worst]:.5f} vs {bound[worst]:.5f} at M = {M[worst]:.0f}, m = {m[worst]:.0f}"
    return claim(f"{label}: deviation minus its bound, largest", said, bool(deviation[worst] < bound[worst]),
                 rule="below 0 at all places", ours=float(deviation[worst] - bound[worst]), why=place)  # fmt: skip


# ---- Section 3.1 and appendix A.4: an example of the common mistake, and the empirical priors of Figures 8 and 9.

ROUNDED = "1 − 0.5^(1/3.67) is 17.2 %, and so is the standard deviation: the print has 16 % for both"

EXCHANGED = "the formula is printed with k and Z exchanged: k = Z·√(2(1 − ρ)) gives the report's own ρ"
SHARP = "Jeffreys' prior expects more rates near 0 than Be(1, 3.67) does: with few errors its limits are the lower ones"


def section31(task: Task) -> Findings:
    readings = {"95 % limits": 0.7 / special.ndtri(0.975), "standard errors": 0.7}
    rows = []
    for name, error in readings.items():
        p = float(2 * special.ndtr(-0.8 / (error * np.sqrt(2))))
        label, said = f"58.1 ± 0.7 % vs 57.3 ± 0.7 %, if these are {name}", "independent: not significant even at 90 %"
        rows.append(claim(label, said, p > 0.1, rule="p above 0.1", ours=p))
    # footnote 6: |ε1 − ε2| < kσ at level Φ(Z) means k = Z·√(2(1 − ρ)); its own formula has k and Z exchanged
    for level, text in ((0.95, "0.9"), (0.90, "0.8")):
        z = float(special.ndtri((1 + level) / 2))
        label = f"footnote 6: ρ for which a 1-SE rule has {level:.0%} confidence"
        rows.append(of_value(label, Printed(text=text), 1 - 1 / (2 * z**2)))
        rows.append(of_value(f"{label}, by the formula as printed", Printed(text=text), 1 - z**2 / 2, why=EXCHANGED))
    return Findings(rows=tuple(rows))


def figure9(task: Task) -> Findings:
    v = 3.67  # Be(1, v): P(τ > x) = (1 − x)^v
    mean, median = 1 / (1 + v), 1 - 0.5 ** (1 / v)
    deviation = float(np.sqrt(mean * (1 - mean) / (2 + v)))
    fitted = of_value("Figure 8: mean of Be(0.74, 1.44), per cent", Printed(text="39"), 100 * 0.74 / 2.18)
    rows = (
        of_value("Be(1, 3.67): mean, per cent", Printed(text="21"), 100 * mean),
        of_value("Be(1, 3.67): standard deviation, per cent", Printed(text="16"), 100 * deviation, why=ROUNDED),
        of_value("Be(1, 3.67): median, per cent", Printed(text="16"), 100 * median, why=ROUNDED),
        claim("Be(1, 3.67): share above 50 %", "less than 8 %", 0.5**v < 0.08, rule="below 0.08", ours=0.5**v),
        claim("Be(1, 3.67): share above 25 %", "about one-third", abs(0.75**v - 1 / 3) < 0.05, ours=0.75**v,
              rule="0.28 to 0.38"),
        incomparable(fitted, "39 % is the mean of the report's data, ours that of the distribution fitted to them"),
        *_lower_and_narrower(v),
    )  # fmt: skip
    x = np.linspace(0.01, 0.9, 90)
    other = np.exp(-0.26 * np.log(x) + 0.44 * np.log1p(-x) - special.betaln(0.74, 1.44))
    density = {"Be(1, 3.67)": (x, v * (1 - x) ** (v - 1)), "Be(0.74, 1.44)": (x, other)}
    drawn = chart("priors", "lines", "Empirical priors of error rates", ("error rate", "density"), density)
    return Findings(rows=rows, charts=(drawn,))


def _lower_and_narrower(v: float) -> list[Row]:
    """Appendix A.4: the intervals of the prior Be(1, v) against those of the two other priors."""
    m, M = _grid()

    def limits(a: float, b: float) -> tuple[Array, Array]:
        low, high = (special.betaincinv(m + a, M - m + b, q) for q in (0.025, 0.975))
        return np.asarray(low), np.asarray(high)

    low, high = limits(1, v)
    rows = []
    for name, (a, b) in {"the uniform prior": (1.0, 1.0), "Jeffreys' prior": (0.5, 0.5)}.items():
        other_low, other_high = limits(a, b)
        found = {"lower": (low < other_low) & (high < other_high), "narrower": high - low < other_high - other_low}
        rows += [
            claim(f"Be(1, 3.67): 95 % limits vs those of {name}", said, bool(holds.all()),
                  rule="all M = 10 to 200, m to M/2", ours=float(holds.mean()), why=SHARP)
            for said, holds in found.items()
        ]  # fmt: skip
    return rows


# ---- Table 5: exact vs approximate significance levels for two independent error rates.

Integers = NDArray[np.int64]

# rows: normal level < 90, [90, 95), [95, 99), ≥ 99 %; columns: exact level; N = 10
COUNTS = ((66, 2, 0, 0), (0, 0, 0, 0), (4, 1, 12, 0), (1, 1, 10, 24))

# by N: decision accuracy at 90, 95, 99 %, and conspicuous errors of type I, in per cent (type II is 0 throughout)
PRINTED = {
    10: ("94", "94", "90", "4.1"), 20: ("97", "93", "96", "1.8"), 30: ("97", "94", "96", "1.2"),
    50: ("98", "96", "98", "0.8"), 100: ("98", "97", "99", "0.5"),
}  # fmt: skip
WHAT = ("accuracy at 90 %", "accuracy at 95 %", "accuracy at 99 %", "conspicuous errors")
SLIP = "the print has a slip, see above"
NOTE = (
    "The print has a slip: both levels are symmetric in (m1, m2), yet its counts are not. It comes out exactly if each "
    "cell whose normal level is in [90, 95) keeps the class of the cell visited before it (a stale loop variable). "
    "Computed correctly there are no conspicuous errors. Both are shown."
)


def table5(task: Task) -> Findings:
    rows: list[Row] = []
    raw = {}
    for n, printed in PRINTED.items():
        normal, exact = _classes(n)
        right, stale = (np.bincount(4 * each + exact, minlength=16).reshape(4, 4) for each in (normal, _stale(normal)))
        raw[str(n)] = {"computed": right.tolist(), "with the slip": stale.tolist()}
        for what, text, ours, slipped in zip(WHAT, printed, _summary(right), _summary(stale), strict=True):
            rows.append(of_value(f"N = {n}, {what}", Printed(text=text), ours, why=SLIP))
            rows.append(of_value(f"N = {n}, {what}, with the slip", Printed(text=text), slipped))
    counts = raw["10"]["with the slip"] == [list(line) for line in COUNTS]
    rows.append(claim("N = 10, all sixteen counts, with the slip", "as printed", counts, rule="all sixteen"))
    symmetric = raw["10"]["computed"] == [[61, 0, 0, 0], [10, 4, 0, 0], [0, 0, 12, 0], [0, 0, 10, 24]]
    rows.append(claim("N = 10, all sixteen counts, computed", "as printed", False if symmetric else None,
                      rule="all sixteen", why=SLIP))  # fmt: skip
    return Findings(rows=tuple(rows), raw=raw, notes=(NOTE,))


def _classes(n: int) -> tuple[Integers, Integers]:
    """Class of the normal and of the exact level for all (m1, m2), row by row."""
    m1, m2 = np.divmod(np.arange((n + 1) ** 2), n + 1)
    normal, exact = (two_rates(m1, n, m2, n, method=how).level for how in ("textbook", "exact"))
    return np.digitize(normal, [0.9, 0.95, 0.99]), np.digitize(exact, [0.9, 0.95, 0.99])


def _stale(rows: Integers) -> Integers:
    """The slip: a level in [90, 95) keeps the class of the cell before it."""
    kept = rows.copy()
    for i in range(1, len(kept)):
        if kept[i] == 1:
            kept[i] = kept[i - 1]
    return kept


def _summary(table: Integers) -> tuple[float, float, float, float]:
    """Decision accuracy at the three levels, and conspicuous errors, in per cent."""
    wrong = [int(table[:k, k:].sum() + table[k:, :k].sum()) for k in (1, 2, 3)]
    total = int(table.sum())
    first, second, third = (100 * (1 - count / total) for count in wrong)
    return first, second, third, 100 * int(table[2:, 0].sum()) / total


# ---- Section 2: are the errors of a 10-fold cross-validation binomial when all classifiers have the same true
# error?

N, FOLDS, SAMPLES = 100, 10, 1000
TARGET, WIDTH = 0.0203, 0.0001
# The report says "2.053σ distance between the class means", but that gives 15 % error; 2 % needs means at ±2.053σ.
MEAN = 2.053

CHI_SQUARE, DF = Printed(text="9.05"), 7
BINS = DF + 1  # 0, 1 … 6, and 7 or more errors.


def section2(task: Task) -> Findings:
    experiments = task.pick(smoke=1, quick=20, full=200)
    cdf = special.bdtr(np.arange(BINS - 1), N, TARGET)
    expected = np.diff(np.concatenate([[0.0], cdf, [1.0]])) * SAMPLES
    counts = np.array([_experiment(stream(task.seed, "section2", i)) for i in range(experiments)])
    chi = ((counts - expected) ** 2 / expected).sum(axis=1)
    low, high = _middle(chi)
    significant = float((special.chdtrc(DF, chi) < 0.05).mean())
    rows = (
        of_value("χ² of one experiment of 1000 samples", CHI_SQUARE, float(np.median(chi)), low=low, high=high,
                 note="ours: median and middle 99 % over experiments"),
        claim("share of experiments with p < 0.05", "not significant", significant < 0.5,
              rule="less than half", ours=significant),
    )  # fmt: skip
    total = counts.sum(axis=0) / counts.sum()
    words = (*map(str, range(BINS - 1)), f"≥ {BINS - 1}")
    bars = {"cross-validation": (words, total), "binomial": (words, expected / SAMPLES)}
    drawn = chart("errors", "bars", "Errors of 10-fold cross-validation, N = 100", ("errors", "share of samples"), bars)
    note = (
        f"{experiments} experiments of 1000 samples whose classifier has a true error of 0.0203 ± 0.0001. The report's "
        "class means must be 2.053σ from the midpoint, not from each other: otherwise the error would be 15 %."
    )
    return Findings(rows=rows, charts=(drawn,), raw={"chi_square": chi.tolist()}, notes=(note,))


def _middle(chi: Array) -> tuple[float, float]:
    """The middle 99 %; from few experiments that of the theoretical distribution."""
    if len(chi) < 100:
        return float(special.chdtri(DF, 0.995)), float(max(special.chdtri(DF, 0.005), chi.max()))
    low, high = np.quantile(chi, [0.005, 0.995])
    return float(low), float(high)


def _experiment(rng: np.random.Generator) -> Array:
    """How many of 1000 samples made 0, 1 … errors."""
    found: list[Array] = []
    while sum(map(len, found)) < SAMPLES:
        found.append(_errors_of_selected(4000, rng))
    errors = np.concatenate(found)[:SAMPLES]
    return np.bincount(np.minimum(errors.astype(np.int64), BINS - 1), minlength=BINS).astype(np.float64)


def _errors_of_selected(draws: int, rng: np.random.Generator) -> Array:
    """Cross-validation errors of those samples whose discriminant has the target error."""
    y = rng.random((draws, N)) < 0.5
    x = rng.standard_normal((draws, N)) + np.where(y, MEAN, -MEAN)
    cut = _cut(x, y)
    true_error = (special.ndtr(-MEAN - cut) + special.ndtr(cut - MEAN)) / 2
    chosen = np.abs(true_error - TARGET) <= WIDTH
    return _cross_validate(x[chosen], y[chosen], rng)


def _cut(x: Array, y: NDArray[np.bool_]) -> Array:
    """Equal variances and equal priors: the discriminant cuts halfway between the class means."""
    ones = y.sum(axis=1)
    sum_one = (x * y).sum(axis=1)
    return np.asarray((sum_one / ones + (x.sum(axis=1) - sum_one) / (x.shape[1] - ones)) / 2)


def _cross_validate(x: Array, y: NDArray[np.bool_], rng: np.random.Generator) -> Array:
    order = rng.permuted(np.broadcast_to(np.arange(N), x.shape), axis=1)
    x, y = np.take_along_axis(x, order, 1), np.take_along_axis(y, order, 1)
    size = N // FOLDS
    wrong = np.zeros(len(x))
    for start in range(0, N, size):
        test = slice(start, start + size)
        cut = _cut(np.delete(x, test, axis=1), np.delete(y, test, axis=1))
        wrong += ((x[:, test] > cut[:, None]) != y[:, test]).sum(axis=1)
    return wrong
