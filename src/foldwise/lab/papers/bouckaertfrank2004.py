"""Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing learning algorithms."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.errors import DegenerateVariance
from foldwise.core.random import stream
from foldwise.core.types import Array, Json
from foldwise.designs import FIVE_BY_TWO, RANDOM_SPLITS, Design
from foldwise.inference.five_by_two_cv import five_by_two_cv_t
from foldwise.inference.repeated_cv import repeated_cv_test
from foldwise.inference.stability import replicability
from foldwise.inference.student import corrected_repeated_cv_t, corrected_resampled_t, kfold_cv_t
from foldwise.lab.evidence import Evidence, choose_tests, pvalues
from foldwise.lab.gather import gather, prepare
from foldwise.lab.papers.bouckaert2003.calibrated import NETWORKS, networks_of
from foldwise.lab.papers.bouckaert2003.tables import NUMERATORS_INSTEAD, agreeing_numerators, consistency_row
from foldwise.lab.papers.rows import Printed, Row, Z, claim, of_mean, of_share, of_value
from foldwise.lab.papers.study import Findings, Study, StudyTrials, Task, do_trials
from foldwise.learners.nearest_neighbours import nearest_rows, stratified_orders

PAIRS = (("nb", "c45"), ("nb", "1nn"), ("c45", "1nn"))  # The three comparisons, in the order of the columns of Table 1.

# Table 1: how often of ten times the 5×2cv test finds no difference, by our name of the data set
DRAWS: dict[str, tuple[int, int, int]] = {
    "anneal": (4, 4, 10), "arrhythmia": (9, 9, 2), "audiology": (5, 10, 8), "autos": (10, 7, 10),
    "balance-scale": (1, 4, 7), "breast-cancer": (10, 9, 8), "credit-a": (6, 8, 10), "ecoli": (7, 10, 10),
    "credit-g": (9, 6, 10), "glass": (6, 6, 9), "heart-statlog": (4, 5, 9), "hepatitis": (9, 10, 10),
    "colic": (8, 10, 7), "heart-h": (10, 10, 10), "ionosphere": (10, 10, 8), "iris": (10, 10, 10), "labor": (8, 10, 10),
    "lymph": (9, 10, 10), "diabetes": (10, 6, 7), "primary-tumor": (7, 3, 10), "sonar": (10, 9, 6),
    "soybean": (8, 8, 9), "vehicle": (0, 0, 9), "vote": (4, 9, 7), "vowel": (4, 0, 0), "breast-w": (8, 9, 10),
    "zoo-noanimal": (10, 10, 8),
}  # fmt: skip

# Per pair the rows "consistent", "almost consistent" and "replicability (R)".
Summary = dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]]

TABLE_1: Summary = {
    ("nb", "c45"): (("9",), ("14",), ("0.737",)),
    ("nb", "1nn"): (("12",), ("17",), ("0.783",)),
    ("c45", "1nn"): (("13",), ("17",), ("0.816",)),
}

# columns: 10, 20, 50, 100 runs
TABLE_2: Summary = {
    ("nb", "c45"): (("15", "14", "19", "21"), ("16", "19", "22", "23"), ("0.801", "0.843", "0.892", "0.922")),
    ("nb", "1nn"): (("12", "15", "18", "20"), ("20", "21", "22", "23"), ("0.835", "0.865", "0.882", "0.899")),
    ("c45", "1nn"): (("12", "14", "18", "23"), ("18", "17", "22", "24"), ("0.819", "0.825", "0.878", "0.935")),
}

# columns: 1, 2, 5, 10 runs
TABLE_3: Summary = {
    ("nb", "c45"): (("16", "20", "21", "24"), ("18", "21", "23", "25"), ("0.821", "0.889", "0.928", "0.962")),
    ("nb", "1nn"): (("18", "20", "23", "23"), ("19", "21", "23", "24"), ("0.858", "0.890", "0.939", "0.942")),
    ("c45", "1nn"): (("13", "19", "22", "22"), ("18", "23", "24", "24"), ("0.814", "0.904", "0.928", "0.928")),
}

# columns: significance levels 1, 2.5, 5 and 10 %
TABLE_4: Summary = {
    ("nb", "c45"): (("22", "23", "24", "21"), ("23", "24", "25", "22"), ("0.927", "0.936", "0.962", "0.915")),
    ("nb", "1nn"): (("23", "24", "23", "23"), ("24", "27", "24", "23"), ("0.939", "0.978", "0.942", "0.939")),
    ("c45", "1nn"): (("23", "24", "22", "20"), ("23", "24", "24", "24"), ("0.943", "0.953", "0.928", "0.919")),
}

# consistent data sets of 27, by test, in the order of PAIRS
SECTION_4_3: dict[str, tuple[str, str, str]] = {
    "kfold_cv_t": ("15", "16", "14"),
    "use_all_data": ("25", "24", "18"),
}

# per cent of 1000 data sets on which ten repetitions agree, by source 1 to 4
TABLE_5: dict[str, tuple[str, str, str, str]] = {
    "5×2 cv": ("72.3", "71.2", "63.5", "16.9"), "10 × resampling": ("65.5", "44.0", "26.0", "48.8"),
    "100 × resampling": ("90.9", "73.2", "66.8", "97.2"), "10-fold cv": ("49.7", "47.6", "33.2", "90.8"),
    "corrected 10×10-fold cv": ("91.9", "80.3", "76.7", "98.9"),
}  # fmt: skip


# ---- The summaries of Table 1, from the counts that the table prints itself.

NAMES = {"nb": "NB", "c45": "C4.5", "1nn": "NN"}
MEASURES = ("consistent", "almost consistent", "R")


def pair_name(pair: tuple[str, str]) -> str:
    return f"{NAMES[pair[0]]} vs {NAMES[pair[1]]}"


def summaries(task: Task) -> Findings:
    draws = np.array(list(DRAWS.values()))
    rows: list[Row] = []
    for column, pair in enumerate(PAIRS):
        ours = _summarise(10 - draws[:, column], 10)
        for what, printed, value in zip(MEASURES, TABLE_1[pair], ours, strict=True):
            rows.append(of_value(f"{pair_name(pair)}: {what}", Printed(text=printed[0]), value))
    return Findings(rows=tuple(rows), raw={"draws": DRAWS})


# ---- Tables 1 to 4 and section 4.3: naive Bayes, C4.5 and nearest neighbour on the 27 UCI data sets, partitioned anew.

# The nearest neighbour is IB1, with the order of examples that Weka's cross-validation has.
LEARNERS = ("nb", "c45", "1nn")

SETS = tuple(DRAWS)
TEN = 10  # Repetitions behind each printed number.

SLOW = "arrhythmia"  # Takes as long as all other data sets together, and therefore only part of full runs.

# Folds that are tested, by kind of resampling: 10×10-fold and 5×2-fold cv, a hundred random tenths (stratified).
FOLDS = {"cv": 10, "five": 2, "splits": 1, "stratified": 1}


def names(task: Task) -> tuple[str, ...]:
    return task.present(
        task.pick(smoke=("iris", "labor"), quick=tuple(name for name in SETS if name != SLOW), full=SETS)
    )


def _start(name: str, kind: str, data_dir: str | None, seed: int) -> Callable[[int], dict[str, Array]]:
    """Load a data set; the function that does repetition `number` of one kind of resampling on it."""
    from foldwise.data.loading import load
    from foldwise.learners import C45, NaiveBayes
    from foldwise.resampling.kfold import FiveByTwo, RepeatedKFold

    data = load(name, data_dir=data_dir)
    codes = np.unique(data.y, return_inverse=True)[1].astype(np.int64)

    def repetition(number: int) -> dict[str, Array]:
        drawn = int(stream(seed, name, number).integers(2**31))
        rng = stream(drawn, "neighbour", kind)
        if kind == "splits":  # not stratified (section 4.2): 0 where tested, else −1
            places = stream(drawn, "splits").permuted(np.tile(np.arange(len(codes)), (100, 1)), axis=1)
            ids, orders = np.where(places < round(len(codes) / 10), 0, -1), places.argsort(axis=1)
        else:
            design = FiveByTwo() if kind == "five" else RepeatedKFold(runs=10 if kind == "cv" else 100, folds=10)
            ids = design.fold_ids(codes, seed=drawn)
            orders = stratified_orders(codes, ids, rng)
            ids = np.where(ids == 0, 0, -1) if kind == "stratified" else ids
        predicted = [learner.cross_predict(data.X, codes, ids) for learner in (NaiveBayes(), C45())]
        predicted.append(codes[nearest_rows(data.X, ids, orders=orders)])
        return {"accuracies": np.array([_accuracies(one == codes, ids, FOLDS[kind]) for one in predicted])}

    return repetition


def _accuracies(right: NDArray[np.bool_], ids: NDArray[np.int64], folds: int) -> Array:
    """Share of right predictions on every test set: shape (runs, folds)."""
    return np.array([[row[own == f].mean() for f in range(folds)] for row, own in zip(right, ids, strict=True)])


def accuracies_of(task: Task, kind: str, repetitions: int) -> dict[str, Array]:
    """By data set the accuracies, of shape (repetitions, learners, runs, folds)."""

    def compute() -> dict[str, Array]:
        found = {}
        for name in names(task):
            work = StudyTrials(
                identity=("bouckaertfrank2004", "IB1", kind, name, task.seed),
                start=partial(_start, name, kind, task.data_dir, task.seed),
                numbers=len(LEARNERS) * 100,
            )
            found[name] = do_trials(work, repetitions, task.resources)["accuracies"]
        return found

    return task.once(("bouckaertfrank2004", kind, repetitions, names(task)), compute)


def _repetitions(task: Task) -> int:
    return task.pick(smoke=3, quick=TEN, full=TEN)


Pvalues = Callable[[Array], Array]
LEVELS = (0.01, 0.025, 0.05, 0.1)


def _rejected(
    task: Task, kind: str, pair: tuple[str, str], test: Pvalues, alpha: float = 0.05, repetitions: int = 0
) -> Array:
    """Whether the test rejects, of shape (data sets, repetitions)."""
    first, second = (LEARNERS.index(name) for name in pair)
    found = accuracies_of(task, kind, repetitions or _repetitions(task)).values()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateVariance)
        return np.array([test(one[:, first] - one[:, second]) < alpha for one in found], dtype=np.float64)


def _resampled(runs: int) -> Pvalues:
    return lambda x: np.asarray(corrected_resampled_t(x[:, :runs, 0], test_train_ratio=1 / 9).pvalue)


def _repeated(runs: int) -> Pvalues:
    return lambda x: np.asarray(corrected_repeated_cv_t(x[:, :runs], test_train_ratio=1 / 9).pvalue)


WHY = "unexplained; naive Bayes and C4.5 are those of Weka 3.6, the paper's of Weka 3.3"
NEIGHBOUR = (
    "NN is Weka's IB1, which takes the first of equally near examples, in the order in which stratify leaves them. "
    "With all of them voting, as in IBk, C4.5 and NN come out too consistent."
)


def _summary(label: str, rejected: Array, texts: tuple[str, str, str]) -> list[Row]:
    """Consistent, almost consistent and R over the data sets, for as many repetitions as the paper has, or fewer.

    Of more repetitions, each ten are one such experiment: ours is their mean, and their spread is the paper's error.
    """
    sets, repetitions = rejected.shape
    groups = rejected[:, : repetitions // TEN * TEN].reshape(sets, -1, TEN) if repetitions > TEN else rejected[:, None]
    found = np.array([_summarise(groups[:, i].sum(axis=1), groups.shape[2]) for i in range(groups.shape[1])])
    if len(found) > 1:
        error, own = found.std(axis=0, ddof=1), found.std(axis=0, ddof=1) / np.sqrt(len(found))
    else:
        error = own = _spread(rejected.sum(axis=1), repetitions)
    units = (len(SETS) / sets, len(SETS) / sets, 1.0)
    return [
        of_mean(
            f"{label}: {what}", Printed(text=text, error=float(e * unit)), float(ours * unit), float(o * unit), why=WHY
        )
        for what, text, ours, e, o, unit in zip(MEASURES, texts, found.mean(axis=0), error, own, units, strict=True)
    ]


def _summarise(counts: Array, repetitions: int) -> tuple[float, float, float]:
    result = replicability(counts, repetitions).summary()
    return float(result.consistent), float(result.almost_consistent), float(result.R)


def _spread(counts: Array, repetitions: int) -> Array:
    """Standard errors by drawing new counts for each data set.

    The rejection probability of a data set is taken as (k + 0.1)/(n + 0.2): most tests are all or nothing, which a
    flatter prior would deny.
    """
    rng = np.random.default_rng(0)
    rates = (counts + 0.1) / (repetitions + 0.2)
    again = [_summarise(rng.binomial(repetitions, rates).astype(np.float64), repetitions) for _ in range(200)]
    return np.asarray(np.std(again, axis=0, ddof=1))


def _notes(task: Task) -> tuple[str, ...]:
    used = names(task)
    if len(used) == len(SETS):
        return (NEIGHBOUR,)
    scaled = f"From {len(used)} of the 27 data sets; counts are scaled to 27."
    slow = (f"{SLOW} takes long, and is part of full runs only.",) if SLOW not in used else ()
    return (NEIGHBOUR, scaled, *slow, *task.left_out(SETS))


def table1(task: Task) -> Findings:
    repetitions = task.pick(smoke=3, quick=TEN, full=100)
    rows: list[Row] = []
    raw = {}
    for column, pair in enumerate(PAIRS):
        rejected = _rejected(
            task, "five", pair, lambda x: np.asarray(five_by_two_cv_t(x).pvalue), repetitions=repetitions
        )
        draws = (repetitions - rejected.sum(axis=1)).astype(int).tolist()
        raw[pair_name(pair)] = dict(zip(names(task), draws, strict=True))
        rows += _summary(pair_name(pair), rejected, _texts(TABLE_1, pair, 0))
        for name, count in raw[pair_name(pair)].items():
            text = Printed(text=str(DRAWS[name][column]), unit=10, trials=TEN)
            rows.append(of_share(f"{name}, {pair_name(pair)}: draws of ten", text, count, repetitions, why=WHY))
    note = f"Ours are {repetitions} repetitions, the paper's ten."
    return Findings(rows=tuple(rows), raw=raw, notes=(*_notes(task), note))


def _texts(table: Summary, pair: tuple[str, str], column: int) -> tuple[str, str, str]:
    first, second, third = (line[column] for line in table[pair])
    return first, second, third


def table2(task: Task) -> Findings:
    return _by_runs(task, TABLE_2, "splits", (10, 20, 50, 100), _resampled, "runs")


def table3(task: Task) -> Findings:
    return _by_runs(task, TABLE_3, "cv", (1, 2, 5, 10), _repeated, "×10-fold")


def _by_runs(
    task: Task, table: Summary, kind: str, runs: tuple[int, ...], test: Callable[[int], Pvalues], unit: str
) -> Findings:
    rows: list[Row] = []
    for pair in PAIRS:
        for column, r in enumerate(runs):
            label = f"{pair_name(pair)}, {r} {unit}" if unit == "runs" else f"{pair_name(pair)}, {r}{unit}"
            rows += _summary(label, _rejected(task, kind, pair, test(r)), _texts(table, pair, column))
    return Findings(rows=tuple(rows), notes=_notes(task))


def table4(task: Task) -> Findings:
    rows: list[Row] = []
    for pair in PAIRS:
        for column, level in enumerate(LEVELS):
            rejected = _rejected(task, "cv", pair, _repeated(10), level)
            rows += _summary(f"{pair_name(pair)}, level {level:.1%}", rejected, _texts(TABLE_4, pair, column))
    return Findings(rows=tuple(rows), notes=_notes(task))


def section43(task: Task) -> Findings:
    tests: dict[str, tuple[str, Pvalues]] = {
        "kfold_cv_t": ("10-fold cv t", lambda x: np.asarray(kfold_cv_t(x[:, 0]).pvalue)),
        "use_all_data": ("10×10-fold cv t", lambda x: np.asarray(repeated_cv_test(x).pvalue)),
    }
    rows: list[Row] = []
    for name, (title, test) in tests.items():
        for column, pair in enumerate(PAIRS):
            text = SECTION_4_3[name][column]
            rows.append(_summary(f"{title}, {pair_name(pair)}", _rejected(task, "cv", pair, test), (text,) * 3)[0])
    rows += _stratified(task)
    return Findings(rows=tuple(rows), notes=_notes(task))


def _stratified(task: Task) -> list[Row]:
    """Resampling with stratification and without: "the replicability scores differed only very slightly"."""
    rows = []
    for pair in PAIRS:
        both = [_rejected(task, kind, pair, _resampled(100)).sum(axis=1) for kind in ("splits", "stratified")]
        R = [_summarise(counts, _repetitions(task))[2] for counts in both]
        error = float(np.hypot(*(_spread(counts, _repetitions(task))[2] for counts in both)))
        gap = R[1] - R[0]
        most = 0.02 + Z * error
        rows.append(claim(f"{pair_name(pair)}, 100 resamples: R with stratification − without",
                          "differ only very slightly", abs(gap) <= most, ours=gap,
                          rule=f"within {most:.2g}: 0.02 and the 99 % error of both"))  # fmt: skip
    return rows


# ---- Table 5: consistency of five tests on four data sources, several networks for sources 2 to 4.

NUMERATORS = "5×2 cv, the ten numerators of one"
NEEDED = ("five_by_two_cv_t", "corrected_resampled_t", "kfold_cv_t", "corrected_repeated_cv_t")
DESIGN = Design(runs=10, folds=10, splits=100, parts=10, repetitions=TEN)
SOURCES = (1, 2, 3, 4)


def _pvalues(evidence: Evidence) -> dict[str, Array]:
    """Of shape (data sets, repetitions), by the table's names."""
    five, resampled, fold, repeated = choose_tests(list(NEEDED))
    ten = corrected_resampled_t(evidence[RANDOM_SPLITS][..., :10], test_train_ratio=RANDOM_SPLITS.ratio(DESIGN))
    return {
        "5×2 cv": pvalues(five, evidence, DESIGN), "10 × resampling": np.asarray(ten.pvalue),
        "100 × resampling": pvalues(resampled, evidence, DESIGN), "10-fold cv": pvalues(fold, evidence, DESIGN),
        "corrected 10×10-fold cv": pvalues(repeated, evidence, DESIGN),
    }  # fmt: skip


def table5(task: Task) -> Findings:
    few = task.pick(smoke=10, quick=25, full=200)
    trials = {source: task.pick(smoke=10, quick=75, full=1000) if source == 1 else few for source in SOURCES}
    found: dict[tuple[str, int], list[float]] = {}
    for source in SOURCES:
        for population in networks_of(task, source):
            work = prepare(choose_tests(list(NEEDED)), population, ("nb", "c45"), DESIGN, task.seed)
            evidence = gather(work, trials[source], task.resources)
            found.setdefault((NUMERATORS, source), []).append(agreeing_numerators(evidence[FIVE_BY_TWO]))
            for name, p in _pvalues(evidence).items():
                agreed = float(np.mean(replicability((p < 0.05).sum(axis=1), TEN).consistent))
                found.setdefault((name, source), []).append(agreed)
    rows: list[Row] = []
    for name, printed in (*TABLE_5.items(), (NUMERATORS, TABLE_5["5×2 cv"])):
        why = NUMERATORS_INSTEAD if name == "5×2 cv" else ""
        for source, text in zip(SOURCES, printed, strict=True):
            shown = Printed(text=text, unit=100, trials=1000)
            rows.append(consistency_row(f"{name}, source {source}", shown, found[name, source], trials[source], why))
    lowest = {name: min(float(np.median(found[name, source])) for source in SOURCES) for name in TABLE_5}
    best = max(lowest, key=lambda name: lowest[name])
    rest = max(lowest[name] for name in ("5×2 cv", "10 × resampling", "10-fold cv"))
    rows += [
        claim("most consistent, minimum over the sources", "corrected 10×10-fold cv", best == "corrected 10×10-fold cv",
              rule="it is", ours=100 * lowest[best]),
        claim("5×2 cv, 10 × resampling, 10-fold cv: minimum", "rather low consistency",
              rest < lowest["100 × resampling"], rule="below that of 100 × resampling", ours=100 * rest),
    ]  # fmt: skip
    raw: dict[str, Json] = {f"{name}, source {source}": shares for (name, source), shares in found.items()}
    raw["trials"] = {str(source): count for source, count in trials.items()}
    return Findings(rows=tuple(rows), raw=raw, notes=(NETWORKS,))


# Tables 1 to 4 are made of the same runs.
UCI: dict[str, Any] = {"data": SETS, "learners": LEARNERS, "seconds": (30, 300)}

STUDIES = (
    Study("bouckaertfrank2004/table1-summaries", "Replicability of the 5×2cv test, from the printed counts",
          "Table 1, last three lines", summaries, seconds=(0.1, 0.1)),
    Study("bouckaertfrank2004/table1", "Replicability of the 5×2cv test on UCI data", "Table 1 and section 4.1",
          table1, **UCI),
    Study("bouckaertfrank2004/table2", "Replicability of the corrected resampled t test", "Table 2 and section 4.2",
          table2, **UCI),
    Study("bouckaertfrank2004/section4.3", "Consistency of the uncorrected tests", "section 4.3", section43, **UCI),
    Study("bouckaertfrank2004/table3", "Replicability of the corrected r×10-fold cv test", "Table 3 and section 4.3",
          table3, **UCI),
    Study("bouckaertfrank2004/table4", "Replicability of the corrected 10×10 test by level",
          "Table 4 and section 4.3", table4, **UCI),
    Study("bouckaertfrank2004/table5", "Consistency of five tests on four data sources", "Table 5 and section 4.4",
          table5, learners=("nb", "c45"), seconds=(6, 60)),
)  # fmt: skip
