"""From a table of scores to an answer: `compare_table`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.frames import package_of
from foldwise.comparison.many.caveats import gather_caveats, least_adjusted
from foldwise.comparison.many.cliques import indistinct_groups
from foldwise.comparison.many.comparison import ManyComparison
from foldwise.comparison.many.pair_margins import with_margin
from foldwise.comparison.many.pairs import BAYES, build_pairs, choose_bayes, pair_tests
from foldwise.comparison.many.table_input import as_score_table
from foldwise.comparison.margins import margin_of
from foldwise.comparison.omnibus import omnibus_caveats
from foldwise.comparison.pair import Pair
from foldwise.comparison.told import with_missing
from foldwise.core.amounts import Amount, rope_in
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import UNNAMED, Unit
from foldwise.core.random import RandomState, seed_of
from foldwise.core.types import Array
from foldwise.core.validation import fraction, one_of
from foldwise.designs.adjustments import ADJUSTMENTS, Adjustment
from foldwise.designs.data_sets import OMNIBUS, PAIR_TESTS, OmnibusTest, PairwiseTest
from foldwise.designs.pair_models import PAIR_MODELS
from foldwise.evidence.missing import POLICIES, MissingRule, Policy
from foldwise.evidence.score_table import ScoreTable
from foldwise.inference.many.bayesian_sign import rope_width
from foldwise.inference.many.blocks import mean_ranks
from foldwise.inference.many.mean_ranks import control_index
from foldwise.inference.many.signed_ranks import Zeros
from foldwise.reading.lineup import Candidate, line_up

__all__ = ["compare_table"]


def compare_table(
    table: object,
    *,
    higher_is_better: bool | None = None,
    alpha: float = 0.05,
    rope: Amount | None = None,
    margin: Amount | None = None,
    candidate: Candidate | None = None,
    baseline: str | None = None,
    control: str | int | None = None,
    test: str = "auto",
    adjust: str = "holm",
    omnibus: str = "iman_davenport",
    bayes: Literal["auto", "signed_rank", "sign", "hierarchical", "none"] = "auto",
    zeros: Zeros = "pratt",
    learners: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    metric: str = UNNAMED,
    unit: Unit | None = None,
    missing: Policy = "refuse",
    bounds: tuple[float, float] | None = None,
    random_state: RandomState = 0,
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
        The learner in question, or several, and the one that they are held against: only these are compared. A
        baseline alone has all others as candidates; without either all pairs are compared.
    control
        The same as `baseline`, as a name or a column.
    test
        Test of a pair: ``"wilcoxon"`` (signed ranks, what "auto" takes), ``"sign"``, ``"ranks"`` or ``"nemenyi"``. The
        last two compare mean ranks, whose outcome for a pair depends on who else is in the table.
    adjust
        ``"holm"``, ``"hochberg"``, ``"hommel"``, ``"bonferroni"``, ``"bh"``, ``"by"``, ``"none"``; for all pairs
        also ``"shaffer"`` and ``"bergmann_hommel"`` (up to nine learners).
    omnibus
        Test that all are the same: ``"iman_davenport"``, ``"friedman"``, ``"friedman_aligned"``, ``"quade"``, or
        ``"skillings_mack"``, the only one that takes a table with empty cells.
    bayes
        Model of the probabilities that a pair is practically different: ``"signed_rank"``, ``"sign"``,
        ``"hierarchical"`` (needs splits, `n_train` and `n_test`; a few seconds per pair) or ``"none"``. ``"auto"`` is
        the signed rank unless the table is so large that it would take minutes, or so small that no scores whatever
        could be significant.
    zeros
        As in `wilcoxon_signed_rank`.
    learners, datasets, n_train, n_test, metric
        Names, sizes of one split's training and test set, and what the scores measure.
    unit
        ``"percent"``, ``"fraction"`` or ``"own"``; without it percent where a rate by its name goes beyond 1.
    missing
        What to do about empty cells: ``"refuse"`` them (but for the Skillings–Mack test), ``"drop"`` their data sets
        for all learners, or put the ``"worst"`` possible score in their place. The answer says how many there were.
    bounds
        What no score can be below or above, where the metric's name does not tell: ``"worst"`` needs it then.
    random_state
        Determines the posterior draws.

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
    scores = as_score_table(
        table,
        learners=learners,
        datasets=datasets,
        higher_is_better=higher_is_better,
        n_train=n_train,
        n_test=n_test,
        metric=metric,
        unit=unit,
    )
    against = None if control is None else scores.learners[control_index(scores, control, scores.n_learners)]
    roles = line_up(scores.learners, candidate=candidate, baseline=baseline, control=against)
    scores = scores.only(roles.names)
    lost = None
    if one_of(missing, "missing", POLICIES) != "refuse":
        scores, lost = scores.settled(MissingRule(policy=missing, bounds=bounds))
    fraction(alpha, "alpha")
    seed = seed_of(random_state)
    asked = margin_of(margin, scores, alpha)
    width = rope_width(rope_in(rope, metric=scores.metric, unit=scores.unit))
    chosen = _choose(scores, test=test, adjust=adjust, omnibus=omnibus, bayes=bayes, against=roles.control is not None)
    pair_test, adjustment = chosen.test, chosen.adjustment
    if asked is not None and pair_test.limits is None:
        raise InvalidInput(
            "test must be wilcoxon or sign where a margin is given, since mean ranks bound no difference of scores, "
            f"got {pair_test.name!r}"
        )
    column = None if roles.control is None else scores.learners.index(roles.control)
    # whether anything could come out is settled before anything is computed
    hopeless = least_adjusted(scores, pair_test, adjustment, control=column) >= alpha
    model = None if hopeless and bayes == "auto" else choose_bayes(scores, bayes, control=column)
    tested = pair_tests(scores, test=pair_test.name, control=column, zeros=zeros)
    adjusted = adjustment.run(tested.tests.pvalues, scores.n_learners)
    pairs = build_pairs(scores, tested, adjusted, alpha=alpha, rope=width, model=model, seed=seed)
    if asked is not None:
        pairs = with_margin(
            pairs,
            scores,
            pair_test,
            margin=asked,
            alpha=alpha,
            adjusted=adjustment.name != "none",
            control=roles.control,
        )
    overall = chosen.omnibus.run(scores)
    ranks = overall.ranks if chosen.omnibus.takes_gaps else mean_ranks(scores.oriented)
    critical = pair_test.critical_difference
    differing = sum(pair.better is not None for pair in pairs)
    torn = [] if hopeless else omnibus_caveats(float(overall.pvalue), alpha, differing)
    found = ManyComparison(
        table=scores,
        omnibus=overall,
        mean_ranks=ranks,
        pairs=pairs,
        cliques=() if column is not None else _cliques(scores, ranks, pairs),
        pair_test=pair_test,
        adjusted_by=adjustment,
        alpha=alpha,
        rope=width,
        margin=asked,
        control=roles.control,
        model=model,
        critical_difference=critical and critical(scores.n_learners, scores.n_datasets, alpha=alpha),
        hopeless=hopeless,
        caveats=gather_caveats(
            scores,
            pairs,
            rope=width,
            test=pair_test,
            adjustment=adjustment,
            bayes=(bayes, model),
            hopeless=hopeless,
            omnibus=torn,
        ),
        zeros=zeros,
        seed=seed,
        decisions=roles.decisions(margin),
        frames=package_of(table),
    )
    return Comparison.of(with_missing(found, lost, scores.learners))


class _Chosen(NamedTuple):
    test: PairwiseTest
    adjustment: Adjustment
    omnibus: OmnibusTest


def _choose(table: ScoreTable, *, test: str, adjust: str, omnibus: str, bayes: str, against: bool) -> _Chosen:
    """What was asked for by name, refused where it does not suit the table, or comparisons `against` a control."""
    pair_test = PAIR_TESTS["wilcoxon" if test == "auto" else one_of(test, "test", PAIR_TESTS)]
    adjustment = ADJUSTMENTS[one_of(adjust, "adjust", ADJUSTMENTS)]
    overall = OMNIBUS[one_of(omnibus, "omnibus", OMNIBUS)]
    one_of(bayes, "bayes", BAYES)
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


def _cliques(table: ScoreTable, ranks: Array, pairs: tuple[Pair, ...]) -> tuple[tuple[str, ...], ...]:
    order = np.argsort(ranks, kind="stable")
    place = {table.learners[i]: position for position, i in enumerate(order)}
    different = np.zeros((len(order), len(order)), dtype=bool)
    for pair in pairs:
        if pair.better is not None:
            i, j = place[pair.a], place[pair.b]
            different[i, j] = different[j, i] = True
    names = [table.learners[i] for i in order]
    return tuple(tuple(names[i] for i in group) for group in indistinct_groups(different))
