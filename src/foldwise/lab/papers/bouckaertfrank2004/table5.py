"""Table 5: consistency of five tests on four data sources."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array, Json
from foldwise.inference._replicability import replicability
from foldwise.inference.t_over_splits import corrected_resampled_t
from foldwise.kinds import FIVE_BY_TWO, RANDOM_SPLITS, Design
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import gather, prepare
from foldwise.lab.papers.bouckaert2003.calibrated import NETWORKS
from foldwise.lab.papers.bouckaert2003.replication import NUMERATORS_INSTEAD, agreeing_numerators
from foldwise.lab.papers.bouckaertfrank2004 import printed
from foldwise.lab.papers.rows import Printed, Row, claim, of_share, unprinted
from foldwise.lab.papers.study import Findings, Study, Task

__all__ = ["TABLE_5"]

REPETITIONS = 10
NUMERATORS = "5×2 cv, the ten numerators of one"
NEEDED = ("five_by_two_cv_t", "corrected_resampled_t", "kfold_cv_t", "corrected_repeated_cv_t")
DESIGN = Design(runs=10, folds=10, splits=100, parts=10, repetitions=REPETITIONS)


def _pvalues(evidence: Evidence) -> dict[str, Array]:
    """Of shape (data sets, repetitions), by the table's names."""
    five, resampled, fold, repeated = choose_tests(list(NEEDED))
    ten = corrected_resampled_t(evidence[RANDOM_SPLITS][..., :10], test_train_ratio=RANDOM_SPLITS.ratio(DESIGN))
    return {
        "5×2 cv": pvalues(five, evidence, DESIGN),
        "10 × resampling": np.asarray(ten.pvalue),
        "100 × resampling": pvalues(resampled, evidence, DESIGN),
        "10-fold cv": pvalues(fold, evidence, DESIGN),
        "corrected 10×10-fold cv": pvalues(repeated, evidence, DESIGN),
    }


def _table5(task: Task) -> Findings:
    trials = task.pick(smoke=10, quick=75, full=1000)
    counts: dict[tuple[str, int], int] = {}
    for source in (1, 2, 3, 4):
        work = prepare(choose_tests(list(NEEDED)), f"bayes-net(set={source})", ("nb", "c45"), DESIGN, task.seed)
        evidence = gather(work, trials, task.resources)
        counts[NUMERATORS, source] = agreeing_numerators(evidence[FIVE_BY_TWO])
        for name, p in _pvalues(evidence).items():
            counts[name, source] = int(np.sum(replicability((p < 0.05).sum(axis=1), REPETITIONS).consistent))
    rows: list[Row] = []
    for name, texts in printed.TABLE_5.items():
        for source, text in enumerate(texts, start=1):
            why = NUMERATORS_INSTEAD if name == "5×2 cv" else ""
            shown = Printed(text=text, unit=100, trials=1000)
            row = of_share(f"{name}, source {source}", shown, counts[name, source], trials, why=why)
            rows.append(row if source == 1 else _plain(row))
    for source, text in enumerate(printed.TABLE_5["5×2 cv"], start=1):
        share = Printed(text=text, unit=100, trials=1000)
        row = of_share(f"{NUMERATORS}, source {source}", share, counts[NUMERATORS, source], trials)
        rows.append(row if source == 1 else _plain(row))
    rows += _statements(counts, trials)
    raw: dict[str, Json] = {
        "trials": trials,
        "consistent": {f"{name}, source {s}": count for (name, s), count in counts.items()},
    }
    return Findings(rows=tuple(rows), raw=raw, notes=(f"Sources 2 to 4: {NETWORKS}.",))


def _plain(row: Row) -> Row:
    return unprinted(row.label, row.ours, "other networks", low=row.low, high=row.high, printed=row.printed)


def _statements(counts: dict[tuple[str, int], int], trials: int) -> list[Row]:
    lowest = {name: min(counts[name, s] for s in (1, 2, 3, 4)) / trials for name in printed.TABLE_5}
    best = max(lowest, key=lambda name: lowest[name])
    return [
        claim("most consistent, minimum over the sources", "corrected 10×10-fold cv", best == "corrected 10×10-fold cv",
              ours=100 * lowest[best]),
        claim("5×2 cv, 10 × resampling, 10-fold cv: minimum", "rather low consistency",
              max(lowest[n] for n in ("5×2 cv", "10 × resampling", "10-fold cv")) < lowest["100 × resampling"],
              ours=100 * max(lowest[n] for n in ("5×2 cv", "10 × resampling", "10-fold cv"))),
    ]  # fmt: skip


TABLE_5 = Study(
    key="bouckaertfrank2004/table5",
    title="Consistency of five tests on four data sources",
    reference="Table 5 and section 4.4",
    compute=_table5,
    learners=("nb", "c45"),
    seconds=(6, 60),
)
