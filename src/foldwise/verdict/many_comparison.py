"""The answer to "which of these learners is better?" over several data sets, with everything that led to it."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.core.display import Shown
from foldwise.core.types import Array
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many import MetaAnalysisResult, OmnibusResult, Probabilities
from foldwise.inference.many.blocks import rank_rows
from foldwise.report.many_text import many_text
from foldwise.verdict.frames import new_frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["ManyComparison", "PairComparison"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairComparison(Shown):
    """Two of the learners.

    Attributes
    ----------
    a, b
        Their names.
    estimate, median
        Mean and median of a − b over the data sets, in the score's own unit.
    wins, ties, losses
        Data sets on which a is better, equal, worse.
    pvalue, adjusted
        Of the pairwise test; `adjusted` for the number of comparisons.
    better
        Name of the better one when `adjusted` is below alpha, otherwise None.
    probabilities
        That a is practically better, equivalent, b practically better; None when they were not asked for.
    combined
        The difference combined over data sets by their precision; None without the scores of the splits.
    """

    a: str
    b: str
    estimate: float
    median: float
    wins: int
    ties: int
    losses: int
    pvalue: float
    adjusted: float
    better: str | None
    probabilities: Probabilities | None = None
    combined: MetaAnalysisResult | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        chances = self.probabilities
        return {
            "a": self.a,
            "b": self.b,
            "estimate": self.estimate,
            "median": self.median,
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "pvalue": self.pvalue,
            "adjusted": self.adjusted,
            "better": self.better,
            "probabilities": None
            if chances is None
            else {
                "a_better": float(chances.a_better),
                "equivalent": float(chances.equivalent),
                "b_better": float(chances.b_better),
            },
            "combined": None if self.combined is None else _combined_dict(self.combined),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ManyComparison:
    """Outcome of comparing several learners on several data sets; ``print`` it for a short verdict.

    Attributes
    ----------
    table
        The scores.
    omnibus
        The test of the hypothesis that all learners are the same.
    ranks
        Mean rank of each learner, in the table's order; 1 for the best.
    pairs
        Every pair compared, or every learner against the control.
    cliques
        Groups of learners that the pairwise test does not tell apart, best first; none with a control.
    posthoc, adjustment, alpha, rope
        The pairwise test, how its p-values were adjusted, the level, and what counts as practically the same.
    control
        The learner that the others were compared with, or None.
    bayes
        The model behind the probabilities, or None.
    critical_difference
        Nemenyi's, when that is the pairwise test, otherwise None.
    hopeless
        Whether no scores at all could have made a pair significant with this few data sets.
    caveats
        Sentences a careful reader should know.
    """

    table: ScoreTable = field(repr=False)
    omnibus: OmnibusResult
    ranks: Array
    pairs: tuple[PairComparison, ...]
    cliques: tuple[tuple[str, ...], ...]
    posthoc: str
    adjustment: str
    alpha: float
    rope: float
    control: str | None
    bayes: str | None
    critical_difference: float | None
    hopeless: bool
    caveats: tuple[str, ...] = ()

    @property
    def learners(self) -> tuple[str, ...]:
        """Names of the learners, in the table's order."""
        return self.table.learners

    @property
    def ranking(self) -> tuple[str, ...]:
        """Names of the learners from the best mean rank to the worst."""
        return tuple(self.learners[i] for i in np.argsort(self.ranks, kind="stable"))

    @property
    def dataset_ranks(self) -> Array:
        """Rank of each learner on each data set, 1 for the best; NaN where it has no score."""
        scores = self.table.oriented
        ranks = rank_rows(np.where(np.isnan(scores), np.inf, -scores))
        return np.where(np.isnan(scores), np.nan, ranks)

    @property
    def n_comparisons(self) -> int:
        """How many pairs were tested, which is what the p-values are adjusted for."""
        return len(self.pairs)

    @property
    def best(self) -> str | None:
        """The learner that is better than each of the others it was compared with; None when there is none."""
        if self.control is not None:
            return self.control if all(pair.better == self.control for pair in self.pairs) else None
        first = self.ranking[0]
        return first if self.beaten_by(first) == set(self.learners) - {first} else None

    def beaten_by(self, name: str) -> set[str]:
        """Names of the learners that `name` is shown to be better than."""
        return {pair.b if pair.a == name else pair.a for pair in self.pairs if pair.better == name}

    def pair(self, a: str, b: str) -> PairComparison:
        """The comparison of two learners, in the order in which it was made."""
        for pair in self.pairs:
            if {pair.a, pair.b} == {a, b}:
                return pair
        raise KeyError((a, b))

    def matrix(self, what: str) -> Array:
        """K × k matrix of a number of the pairs, such as ``"adjusted"``; NaN where no comparison was made.

        ``"estimate"`` and ``"median"`` change their sign, and wins become losses, below the diagonal.
        """
        index = {name: i for i, name in enumerate(self.learners)}
        out = np.full((len(index), len(index)), np.nan)
        mirror = {"wins": "losses", "losses": "wins"}.get(what, what)
        sign = -1.0 if what in ("estimate", "median") else 1.0
        for pair in self.pairs:
            i, j = index[pair.a], index[pair.b]
            out[i, j], out[j, i] = getattr(pair, what), sign * getattr(pair, mirror)
        return out

    def plot(self, kind: str = "ranks") -> Figure:
        """A figure: ``"ranks"`` (critical-difference diagram), ``"pairs"`` (matrix) or ``"table"`` (ranks).

        The Matplotlib figure belongs to no window; ``c.plot().savefig("out.png")`` writes it.
        """
        from foldwise.report.many_drawings import many_figure

        return many_figure(self, kind)

    def to_frame(self) -> Any:
        """The pairs as a table (pandas, polars or pyarrow: the first one installed)."""
        rows = [pair.to_dict() for pair in self.pairs]
        columns = {name: [row[name] for row in rows] for name in rows[0] if name not in ("probabilities", "combined")}
        for name in ("a_better", "equivalent", "b_better") if self.bayes else ():
            columns[name] = [row["probabilities"][name] for row in rows]
        return new_frame(columns)

    def to_html(self) -> str:
        """The whole report as one self-contained HTML page."""
        from foldwise.report.html import to_html

        return to_html(self)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write the HTML page to a file, as a whole or not at all."""
        from foldwise.report.writing import write_whole

        write_whole(path, self.to_html())

    def _repr_html_(self) -> str:
        from foldwise.report.html import brief_html

        return brief_html(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it but the raw scores, ready for JSON (an infinite statistic becomes None)."""
        means = np.nanmean(self.table.means, axis=0)
        return {
            "learners": list(self.learners),
            "datasets": list(self.table.datasets),
            "metric": self.table.metric,
            "higher_is_better": bool(self.table.higher_is_better),
            "means": {name: float(mean) for name, mean in zip(self.learners, means, strict=True)},
            "ranks": {name: float(rank) for name, rank in zip(self.learners, self.ranks, strict=True)},
            "ranking": list(self.ranking),
            "best": self.best,
            "omnibus": _omnibus_dict(self.omnibus),
            "posthoc": self.posthoc,
            "adjustment": self.adjustment,
            "alpha": self.alpha,
            "rope": self.rope,
            "control": self.control,
            "bayes": self.bayes,
            "n_comparisons": self.n_comparisons,
            "critical_difference": self.critical_difference,
            "hopeless": self.hopeless,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "cliques": [list(clique) for clique in self.cliques],
            "caveats": list(self.caveats),
        }

    def __str__(self) -> str:
        return many_text(self)


def _omnibus_dict(result: OmnibusResult) -> dict[str, Any]:
    statistic = float(result.statistic)
    return {
        "test": result.test,
        "statistic": statistic if math.isfinite(statistic) else None,
        "df": int(result.df),
        "df_error": result.df_error,
        "pvalue": float(result.pvalue),
    }


def _combined_dict(result: MetaAnalysisResult) -> dict[str, float]:
    interval = result.confidence_interval(0.95)
    return {
        "estimate": float(result.estimate),
        "low": float(interval.low),
        "high": float(interval.high),
        "pvalue": float(result.pvalue),
        "between_variance": float(result.between_variance),
        "heterogeneity": float(result.heterogeneity),
    }
