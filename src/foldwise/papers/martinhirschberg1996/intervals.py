"""Section 2: Figures 1 to 4, the intervals for one error rate."""

from __future__ import annotations

import numpy as np
from scipy import special

from foldwise.core.types import Array
from foldwise.inference import applicability, error_interval
from foldwise.papers.chart import Chart, Series
from foldwise.papers.rows import Printed, Row, claim, of_value
from foldwise.papers.study import Findings, Study, Task

__all__ = ["FIGURE_1", "FIGURE_2", "FIGURE_3", "FIGURE_4"]

SIZES = tuple(range(10, 201, 10))
"""Section 2.2 and appendix A.3: M = 10, 20 … 200, m = 0 … M/2."""


def _figure1(task: Task) -> Findings:
    # a small rate shows the limit of the ratios; at larger ones they grow
    errors = np.arange(1, 400)
    n = 100 * errors
    rules = applicability(errors, n)
    least = {
        name: int(n[np.argmax(ok)])
        for name, ok in (
            ("conservative", rules.hodges_lehmann),
            ("anderson", rules.anderson_sclove),
            ("mendenhall", rules.mendenhall),
        )
    }
    negative = float(special.ndtr(-2.0))
    double = least["conservative"] / least["anderson"]
    more = least["conservative"] / least["mendenhall"]
    rows = (
        claim("smallest sample, Hodges–Lehmann to Anderson–Sclove", "about twice", 1.8 <= double <= 2.3, ours=double),
        claim("smallest sample, Hodges–Lehmann to Mendenhall", "2.5×", 1.9 <= more <= 2.8, ours=more),
        claim(
            "chance of a negative number of errors, liberal rule",
            "about 1 in 40",
            1 / 50 <= negative <= 1 / 35,
            ours=negative,
        ),
    )
    note = (
        "Smallest samples at an error rate of 1 %; at the edge of Mendenhall's rule the mean is two deviations above 0."
    )
    return Findings(rows=rows, charts=(_approximation(),), raw=least, notes=(note,))


def _approximation() -> Chart:
    """Binomial against normal at the edge of the liberal and of the conservative rule, for an error rate of 10 %."""
    series = []
    for name, n in (("Anderson–Sclove, M = 50", 50), ("Hodges–Lehmann, M = 112", 112)):
        m = np.arange(-3, 26)
        exact = special.bdtr(np.maximum(m, 0), n, 0.1) * (m >= 0)
        normal = special.ndtr((m + 0.5 - 0.1 * n) / np.sqrt(0.09 * n))
        series.append(Series(name=name, x=tuple(m.tolist()), y=tuple((normal - exact).tolist())))
    return Chart(
        name="approximation",
        kind="lines",
        title="Normal minus binomial distribution function, ε = 0.1",
        x_label="errors m",
        y_label="difference",
        series=tuple(series),
        level=0.0,
    )


def _grid() -> tuple[Array, Array]:
    pairs = [(m, M) for M in SIZES for m in range(M // 2 + 1)]
    m, M = np.array(pairs, dtype=np.float64).T
    return m, M


def _figure2(task: Task) -> Findings:
    m, M = _grid()
    book = error_interval(m, M, method="textbook_continuity")
    other = error_interval(m, M, method="wilson")
    inside = bool(np.all(other.low >= 0) and np.all(other.high <= 1))
    centre = np.asarray((other.low + other.high) / 2 - (book.low + book.high) / 2)
    # above m = 0: there the textbook interval has no width of its own
    shifted = bool((centre[(m > 0) & (m < M / 2)] > 0).all())
    rows = (
        claim("alternative interval", "never includes absurd values", inside),
        claim("alternative interval, below 50 % error", "shifted upwards", shifted, ours=float(centre[m > 0].min())),
        claim("textbook interval", "includes negative rates", bool((m / M - _half(m, M) < 0).any())),
    )
    return Findings(rows=rows, charts=(_limits_chart("textbook_continuity", "wilson", "textbook", "alternative"),))


def _half(m: Array, M: Array) -> Array:
    """Half-width of the textbook interval before it is cut off at 0 and 1 (equation 2)."""
    rate = m / M
    return np.asarray(0.5 / M + special.ndtri(0.975) * np.sqrt(rate * (1 - rate) / M))


def _limits_chart(first: str, second: str, name1: str, name2: str, M: int = 50) -> Chart:
    m = np.arange(M // 2 + 1)
    series = []
    for method, name in ((first, name1), (second, name2)):
        found = error_interval(m, M, method=method)  # type: ignore[arg-type]
        for side, values in (("lower", found.low), ("upper", found.high)):
            series.append(
                Series(name=f"{name}, {side}", x=tuple((m / M).tolist()), y=tuple(np.asarray(values).tolist()))
            )
    return Chart(
        name="limits",
        kind="lines",
        title=f"95 % limits, M = {M}",
        x_label="estimated error m/M",
        y_label="limits of the true error",
        series=tuple(series),
    )


def _figure3(task: Task) -> Findings:
    rows = []
    for m, M in ((0, 10), (2, 20), (7, 50)):
        found = error_interval(m, M, method="jeffreys")
        mean = (m + 0.5) / (M + 1)
        mode = 0.0 if m == 0 else (m - 0.5) / (M - 1)
        variance = mean * (1 - mean) / (M + 2)
        ours = [float(value) for value in (found.mean, found.mode, found.variance)]
        exact = np.allclose(ours, [mean, mode, variance], rtol=1e-12)
        rows.append(claim(f"m = {m}, M = {M}: mean, mode, variance", "the formulas of section 2.2", bool(exact)))
    rate = np.linspace(0.001, 0.6, 300)
    series = tuple(_posterior(m, M, rate) for m, M in ((1, 20), (4, 20), (10, 50)))
    chart = Chart(
        name="posterior",
        kind="lines",
        title="Posterior of the true error, Jeffreys' prior",
        x_label="true error",
        y_label="density",
        series=series,
    )
    return Findings(rows=tuple(rows), charts=(chart,))


def _posterior(m: int, M: int, rate: Array) -> Series:
    a, b = m + 0.5, M - m + 0.5
    density = np.exp((a - 1) * np.log(rate) + (b - 1) * np.log1p(-rate) - special.betaln(a, b))
    return Series(name=f"m = {m}, M = {M}", x=tuple(rate[::6].tolist()), y=tuple(density[::6].tolist()))


def _figure4(task: Task) -> Findings:
    m, M = _grid()
    exact = error_interval(m, M, method="jeffreys")
    simple = error_interval(m, M, method="approximate_beta")
    careful = error_interval(m, M, method="abramowitz_stegun")
    both = np.maximum(np.abs(simple.low - exact.low), np.abs(simple.high - exact.high))
    rows = [
        *_largest("approximate Beta", "0.017", "M = 10, m = 3", both, m, M,
                  slip="the paper's m is a slip: the largest deviation is at m = 2"),
        claim("approximate Beta: M × deviation", "< 0.27", bool((M * both).max() < 0.27), ours=float((M * both).max())),
        *_largest("Abramowitz–Stegun, upper", "0.0046", "M = 10, m = 4", np.abs(careful.high - exact.high), m, M),
        *_largest("Abramowitz–Stegun, lower", "0.0033", "M = 20, m = 5", np.abs(careful.low - exact.low), m, M,
                  slip="the print is the report's own bound 0.00078 + 1/M² at this place"),
    ]  # fmt: skip
    note = (
        "The Abramowitz–Stegun limits are computed with b₂ = +0.093773 and A_m's intercept 0.273901: with the printed "
        "signs and digits (appendix A.3) the stated deviations can't come out, with these they do."
    )
    chart = _limits_chart("wilson", "approximate_beta", "alternative", "approximate Beta")
    return Findings(rows=tuple(rows), charts=(chart,), notes=(note,))


def _largest(label: str, printed: str, where: str, deviation: Array, m: Array, M: Array, slip: str = "") -> list[Row]:
    worst = int(np.argmax(deviation))
    place = f"M = {M[worst]:.0f}, m = {m[worst]:.0f}"
    return [
        of_value(f"{label}: largest deviation", Printed(text=printed), float(deviation[worst]), why=slip),
        claim(f"{label}: where", where, place == where, why=f"ours at {place}; {slip}".rstrip("; ")),
    ]


def _study(number: int, title: str, compute: object) -> Study:
    return Study(
        key=f"martinhirschberg1996/figure{number}",
        title=title,
        reference=f"Figure {number} and section 2",
        compute=compute,  # type: ignore[arg-type]
        seconds=(0.1, 0.1),
    )


FIGURE_1 = _study(1, "When the normal approximation is allowed", _figure1)
FIGURE_2 = _study(2, "Textbook and alternative limits", _figure2)
FIGURE_3 = _study(3, "The Jeffreys Beta distribution", _figure3)
FIGURE_4 = _study(4, "Alternative and approximate Beta limits; how good the approximations are", _figure4)
