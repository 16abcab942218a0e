"""Learners compared over data sets: `compare_table`, from a table of scores to an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Never

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.by_metric import MetricComparison
from foldwise.comparison.comparison import Comparison
from foldwise.comparison.options import Options, options_of
from foldwise.comparison.over_data_sets import OverDataSets, gather_caveats, least_adjusted
from foldwise.comparison.pairs import better_matrix, margin_of, omnibus_caveats, tie_groups, with_margin
from foldwise.comparison.results import package_of, with_missing
from foldwise.comparison.table_pairs import BAYES, build_pairs, choose_bayes, pair_limits, pair_tests
from foldwise.core.amounts import Amount, rope_in
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import LEAST_PVALUE
from foldwise.core.metric import UNNAMED, Unit
from foldwise.core.random import RandomState, seed_of
from foldwise.core.replicates import refuse_repeated, refuse_replicate_column
from foldwise.core.types import Array
from foldwise.core.validation import fraction, one_of
from foldwise.designs import DATA_SETS
from foldwise.designs.adjustments import ADJUSTMENTS, Adjustment
from foldwise.designs.data_sets import OMNIBUS, PAIR_MODELS, PAIR_TESTS, OmnibusTest, PairwiseTest
from foldwise.evidence.missing import POLICIES, MissingRule, Policy
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.bayesian import rope_width
from foldwise.inference.many.blocks import mean_ranks
from foldwise.inference.many.mean_ranks import control_index
from foldwise.inference.several_models import rank_intervals
from foldwise.reading.lineup import Candidate, line_up


def compare_table(
    table: object,
    *,
    metric: str = UNNAMED,
    test: str = "auto",
    higher_is_better: bool | None = None,
    missing: Policy = "refuse",
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    models: Sequence[str] | None = None,
    tasks: Sequence[str] | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    random_state: RandomState = 0,
    options: Options | None = None,
    **misplaced: Never,
) -> Comparison:
    """Compare several learners on several data sets.

    Parameters
    ----------
    table
        Data sets × learners, or data sets × learners × splits: an array, a mapping of learners to scores, a
        `ScoreTable`, or a pandas, polars or pyarrow frame whose column of text (if any) names the data sets.
    higher_is_better
        False for errors and losses; one direction for the whole table. Without it the name of the metric tells, and
        the answer says so where it does not.
    alpha
        Level at which the adjusted p-values are judged.
    rope
        Differences of at most this size do not matter in practice; without it 0.01, or 1 where the scores are
        percentages.
    margin
        By how much a learner may be worse than the baseline, in the score's own unit: asks of every pair whether the
        first learner (with a control: the one that isn't the control) is superior, non-inferior, equivalent or
        inferior to the other, by limits for the median difference that hold for all pairs together. Needs the test
        ``"wilcoxon"`` or ``"sign"``.
    candidate, baseline
        The learner in question, or several, and the one that they are compared with: only these are compared. A
        baseline alone has all others as candidates; without either all pairs are compared.
    test
        Test of a pair: ``"wilcoxon"`` (signed ranks, what "auto" takes), ``"sign"``, ``"ranks"`` or ``"nemenyi"``. The
        last two compare mean ranks, whose outcome for a pair depends on who else is in the table.
    models, tasks
        Names of the columns and rows of a table that has none.
    n_train, n_test, metric
        Sizes of one split's training and test set, and what the scores measure.
    missing
        What to do about empty cells: ``"refuse"`` them (but for the Skillings–Mack test), ``"drop"`` their data sets
        for all learners, or put the ``"worst"`` possible score in their place. The answer says how many there were.
    random_state
        Determines the posterior draws.
    options
        What few people set: control, adjust, omnibus, bayes, zeros, unit and bounds of `Options`.

    Returns
    -------
    Comparison
        ``print`` it for a verdict in words.

    Examples
    --------
    >>> scores = {"a": [0.9, 0.8, 0.7, 0.9, 0.8, 0.9, 0.7], "b": [0.8, 0.7, 0.5, 0.8, 0.6, 0.7, 0.4]}
    >>> result = compare_table(scores)
    >>> result.best, result.pairs[0].pvalue
    ('a', 0.015625)
    """
    taken = ("control", "adjust", "omnibus", "bayes", "zeros", "unit", "bounds")
    o = options_of("compare_table", options, *taken, misplaced=misplaced)
    scores = as_score_table(
        table, learners=models, datasets=tasks, higher_is_better=higher_is_better, n_train=n_train, n_test=n_test,
        metric=metric, unit=o.unit,
    )  # fmt: skip
    against = None if o.control is None else scores.learners[control_index(scores, o.control, scores.n_learners)]
    roles = line_up(scores.learners, candidate=candidate, baseline=baseline, control=against)
    scores = scores.only(roles.names)
    lost = None
    if one_of(missing, "missing", POLICIES) != "refuse":
        scores, lost = scores.settled(MissingRule(policy=missing, bounds=o.bounds))
    found = judge_table(
        scores, test=test, adjust=o.adjust, omnibus=o.omnibus, bayes=o.bayes, zeros=o.zeros, control=roles.control,
        alpha=alpha, rope=rope, margin=margin, seed=seed_of(random_state),
    )  # fmt: skip
    found = found.replace(decisions=roles.decisions(margin), frames=package_of(table))
    return Comparison.of(with_missing(found, lost, scores.learners))


def judge_table(
    scores: ScoreTable, *, test: str = "auto", adjust: str = "holm", omnibus: str = "iman_davenport",
    bayes: str = "auto", zeros: str = "pratt", control: str | None = None, alpha: float = 0.05,
    rope: Amount | None = None, margin: Amount | None = None, seed: int = 0,
) -> MetricComparison:  # fmt: skip
    """Compare the learners of a table; parameters as in `compare_table`."""
    fraction(alpha, "alpha")
    one_of(bayes, "bayes", BAYES)
    how: Any = one_of(zeros, "zeros", ("pratt", "drop", "split"))
    asked = margin_of(margin, scores, alpha)
    width = rope_width(rope_in(rope, metric=scores.metric, unit=scores.unit))
    chosen = _choose(scores, test=test, adjust=adjust, omnibus=omnibus, bayes=bayes, against=control is not None)
    pair_test, adjustment = chosen.test, chosen.adjustment
    if asked is not None and pair_test.limits is None:
        raise InvalidInput(
            "test must be wilcoxon or sign where a margin is given, since mean ranks bound no difference of scores, "
            f"got {pair_test.name!r}"
        )
    column = None if control is None else scores.learners.index(control)
    # whether anything could come out is settled before anything is computed
    hopeless = least_adjusted(scores, pair_test, adjustment, control=column) >= alpha
    model = None if hopeless and bayes == "auto" else choose_bayes(scores, bayes, control=column)
    tested = pair_tests(scores, test=pair_test.name, control=column, zeros=how)
    tested = tested._replace(tests=replace(tested.tests, pvalues=np.maximum(tested.tests.pvalues, LEAST_PVALUE)))
    adjusted = adjustment.run(tested.tests.pvalues, scores.n_learners)
    level = alpha if adjustment.name == "none" else alpha / len(adjusted)
    pairs = build_pairs(
        scores, tested, adjusted, test=pair_test, level=level, alpha=alpha, rope=width, model=model,
        seed=seed, zeros=how,
    )  # fmt: skip
    if asked is not None:
        limits, higher = pair_limits(scores, pair_test, pairs, level), scores.higher_is_better
        pairs = with_margin(pairs, limits, margin=asked, higher_is_better=higher, control=control)
    overall = chosen.omnibus.run(scores)
    ranks = overall.ranks if chosen.omnibus.takes_gaps else mean_ranks(scores.oriented)
    critical = pair_test.critical_difference
    better = better_matrix(scores.learners, pairs)
    spans = rank_intervals(better)
    torn = [] if hopeless or len(pairs) == 1 else omnibus_caveats(float(overall.pvalue), alpha, pairs)
    return MetricComparison(
        evidence=scores,
        procedure=pair_test,
        pairs=pairs,
        adjusted_by=adjustment,
        alpha=alpha,
        rope=width,
        level=level,
        limits_alpha=alpha,
        margin=asked,
        control=control,
        ranks={name: (int(spans.low[i]), int(spans.high[i])) for i, name in enumerate(scores.learners)},
        omnibus=overall,
        tie_groups=() if control is not None else tie_groups(scores.learners, ranks, better),
        over=OverDataSets(
            table=scores,
            omnibus=overall,
            mean_ranks=ranks,
            alpha=alpha,
            rope=width,
            seed=seed,
            control=control,
            model=model,
            critical_difference=critical and critical(scores.n_learners, scores.n_datasets, alpha=alpha),
            hopeless=hopeless,
            zeros=how,
        ),
        estimand=DATA_SETS.estimand(scores),
        reason=_reason(pair_test, adjustment),
        caveats=gather_caveats(
            scores, pairs, rope=width, test=pair_test, adjustment=adjustment, bayes=(bayes, model), hopeless=hopeless,
            omnibus=torn,
        ),
        seed=seed,
    )  # fmt: skip


def _reason(test: PairwiseTest, adjustment: Adjustment) -> str:
    if test.alone:
        return f"{DATA_SETS.because} {adjustment.keeps}"
    default = PAIR_TESTS[DATA_SETS.recommended].title
    return f"it was asked for; {default}, the default, compare the two learners of a pair only."


class _Chosen(NamedTuple):
    test: PairwiseTest
    adjustment: Adjustment
    omnibus: OmnibusTest


def _choose(table: ScoreTable, *, test: str, adjust: str, omnibus: str, bayes: str, against: bool) -> _Chosen:
    """What was asked for by name, refused where it does not suit the table, or comparisons `against` a control."""
    pair_test = PAIR_TESTS["wilcoxon" if test == "auto" else one_of(test, "test", PAIR_TESTS)]
    adjustment = ADJUSTMENTS[one_of(adjust, "adjust", ADJUSTMENTS)]
    overall = OMNIBUS[one_of(omnibus, "omnibus", OMNIBUS)]
    if not overall.takes_gaps:
        table.require_complete()
    elif table.missing and not pair_test.alone:
        pairs = " or ".join(entry.name for entry in PAIR_TESTS.values() if entry.alone)
        raise InvalidInput(f"test must be {pairs} when cells are missing, got {test!r}")
    if against and adjustment.all_pairs:
        raise InvalidInput(f"adjust must not be {adjust!r} with a control: it is for all pairs; use holm")
    if against and pair_test.all_pairs:
        raise InvalidInput(f"test must not be {test!r} with a control: it is for all pairs; use ranks with bonferroni")
    splits = bayes in PAIR_MODELS and PAIR_MODELS[bayes].needs_splits
    if splits and (table.n_splits < 2 or table.test_train_ratio is None or table.missing):
        raise InvalidInput(f"bayes={bayes!r} needs the scores of every split, n_train and n_test, and no missing cell")
    return _Chosen(pair_test, pair_test.adjustment or adjustment, overall)


# ---- What people hold tables in.


def as_score_table(
    table: Any, *, learners: Sequence[str] | None = None, datasets: Sequence[str] | None = None,
    higher_is_better: bool | None = None, n_train: ArrayLike | None = None, n_test: ArrayLike | None = None,
    metric: str = UNNAMED, unit: Unit | None = None,
) -> ScoreTable:  # fmt: skip
    """A table as `compare_table` takes it; one that is a `ScoreTable` already knows its own names and direction.

    >>> as_score_table({"nb": [0.9, 0.8], "c45": [0.7, 0.9]}).learners
    ('nb', 'c45')
    """
    if isinstance(table, ScoreTable):
        if higher_is_better is not None and bool(higher_is_better) != table.higher_is_better:
            raise InvalidInput("higher_is_better contradicts the table's own direction; leave it out")
        return table
    if _is_frame(table):
        table, named = _from_frame(table)
        datasets = named if datasets is None else datasets
    return ScoreTable.of(
        table, learners=learners, datasets=datasets, higher_is_better=higher_is_better, n_train=n_train,
        n_test=n_test, metric=metric, unit=unit,
    )  # fmt: skip


def _is_frame(table: object) -> bool:
    if isinstance(table, (np.ndarray, Mapping, Sequence)):
        return False
    from foldwise.core.table import is_frame

    return is_frame(table)


def _from_frame(frame: Any) -> tuple[dict[str, Array], list[str] | None]:
    """Columns of numbers by name, and the names of the rows if a column or index has them."""
    import narwhals.stable.v1 as nw

    wrapped = nw.from_native(frame, eager_only=True)
    numeric = [name for name in wrapped.columns if wrapped[name].dtype.is_numeric()]
    text = [name for name in wrapped.columns if name not in numeric]
    for name in text:
        refuse_replicate_column(str(name))
    if len(text) > 1:
        raise InvalidInput(
            f"table must have one column of numbers per learner and at most one of names, "
            f"but {', '.join(map(repr, text))} hold no numbers"
        )
    columns = {str(name): wrapped[name].to_list() for name in numeric}
    scores = {
        name: np.array([np.nan if one is None else one for one in of], dtype=np.float64) for name, of in columns.items()
    }
    if text:
        return scores, [str(name) for name in wrapped[text[0]].to_list()]
    return scores, _index_names(frame)


def _index_names(frame: Any) -> list[str] | None:
    """Labels of a pandas index that is more than a count of the rows; one level alone may name the data sets."""
    index = getattr(frame, "index", None)
    if index is None or not len(index):
        return None
    for name in index.names:
        refuse_replicate_column(str(name or ""))
    if index.nlevels > 1:
        refuse_repeated(list(index.get_level_values(0)), what=str(index.names[0] or "data set"))
        return [" ".join(map(str, label)) for label in index]
    refuse_repeated(list(index))
    return list(index) if all(isinstance(label, str) for label in index) else None
