"""Learners on folds of cross-validation: one, a repeated one, with the influence of examples, or five halvings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words
from foldwise.core.types import Array, Flags, Integers, Interval, Labels
from foldwise.designs.findings import CombinedFPower
from foldwise.designs.guarantee import (
    ALPAYDIN,
    BOUCKAERT,
    BOUCKAERT_FRANK,
    DIETTERICH,
    FOLDWISE_INFLUENCE,
    STABLE,
    approximate,
    heuristic,
)
from foldwise.designs.kind import Batch, Estimand, PairTests, Procedure, on_data, pairs_of
from foldwise.designs.resampled import FIRST_RUNS, Design, Growth, Shape, fixed_scale
from foldwise.designs.scores import ONE_SOURCE, OVERLAP, ScoreKind
from foldwise.designs.student import quietly, student_tests
from foldwise.evidence.evidence import Evidence
from foldwise.evidence.scores import InfluenceScores, Scores
from foldwise.inference._influence import (
    InfluenceParts,
    InfluenceResult,
    influence_parts,
    influence_result,
    influence_stability,
)
from foldwise.inference.five_by_two_cv import FiveByTwoFResult, five_by_two_cv_f, five_by_two_cv_t
from foldwise.inference.joint_differences import Indices
from foldwise.inference.repeated_cv import VARIANTS, Variant, repeated_cv_test
from foldwise.inference.student import StudentResult, corrected_repeated_cv_t, kfold_cv_t

if TYPE_CHECKING:
    from foldwise.engine.result import RunResult
    from foldwise.resampling.plan import Plan


class FoldKind(ScoreKind):
    """Every example is tested once in each run, on one of `folds` parts."""


CALIBRATED = 10.0  # Degrees of freedom of `use_all_data` for any number of runs (bouckaert2003).


class RepeatedCrossValidation(FoldKind):
    """k-fold cross-validation on several random partitions."""

    name = "repeated_cv"
    words = "scores of shape (runs, folds) from repeated cross-validation"
    assumes = (
        ONE_SOURCE,
        "the differences of any two folds correlate by the share of examples that is tested, 1/folds",
        "the mean difference over runs and folds is about normally distributed",
    )
    plots = ("differences", "heat_map")
    recommended = "corrected_repeated_cv_t"
    because = "the folds of repeated cross-validation overlap, and this test corrects the variance for it"
    grows_with = "runs"

    def natural(self, evidence: Evidence) -> bool:
        if not isinstance(evidence, Scores) or len(evidence.shape) != 2:
            return False
        return len(evidence.names) > 2 or evidence.shape != (5, 2)

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == 2

    def plots_of(self, evidence: Scores) -> tuple[str, ...]:
        return super().plots_of(evidence) if evidence.shape[0] > 1 else super().plots_of(evidence)[:1]

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import RepeatedKFold

        return RepeatedKFold(runs=runs, folds=folds, stratified=stratified)

    def growth(self, procedure: Procedure, *, folds: int, alpha: float, limit: int | None) -> Growth | None:
        return fixed_scale(procedure, folds=folds, alpha=alpha, limit=limit, partition=self.partition)

    def shape(self, design: Design) -> Shape:
        if design.folds == design.n and design.runs > 1:
            raise InvalidInput(
                f"runs must be 1 where folds = n = {design.n}: leave-one-out has one partition, got {design.runs} runs"
            )
        return Shape(design.runs, design.folds, design.folds)


REPEATED_CV = RepeatedCrossValidation()


def _corrected_law(n: int, ratio: float) -> tuple[float, float]:
    return 1 / math.sqrt(1 / n + ratio), n - 1.0


def _calibrated_law(n: int, _ratio: float) -> tuple[float, float]:
    df = min(CALIBRATED, n - 1.0)
    return math.sqrt(df + 1), df


def _variant(variant: Variant, df: float | Literal["calibrated"] | None, batch: Batch) -> StudentResult:
    return repeated_cv_test(batch.data, variant=variant, df=df, alpha=batch.alpha)


def _with_df(variant: Variant, procedure: Procedure, option: str) -> Procedure:
    """A variant with other degrees of freedom: ``calibrated`` or ``df=NUMBER``."""
    df: float | Literal["calibrated"] = "calibrated"
    if option != "calibrated":
        try:
            df = float(option.removeprefix("df="))
        except ValueError as error:
            raise InvalidInput(
                f"after '{procedure.name}:' must stand 'calibrated' or 'df=NUMBER', got {option!r}"
            ) from error
    words = "calibrated df" if df == "calibrated" else f"{df:g} df"
    return replace(
        procedure,
        name=f"{procedure.name}:{option}",
        title=f"{procedure.title}, {words}",
        run=partial(_variant, variant, df),
        guarantee=approximate(STABLE, counted="sources") if df == "calibrated" else heuristic("chosen df"),
        warning=None,
    )


_WEIGHTED = Estimand(how="mean of the differences, weighted by how little they vary")
"""Of a mean of t statistics: the interval that is dual to it lies around a weighted mean."""


class OneCrossValidation(FoldKind):
    """k folds, each tested once; taken for this only where it is asked for."""

    name = "kfold"
    words = "scores of shape (folds,) or (1, folds) from one cross-validation"
    assumes = (
        ONE_SOURCE,
        "the differences on the folds are independent, which does not quite hold where training sets overlap",
        "the mean difference over the folds is about normally distributed",
    )
    recommended = "kfold_cv_t"
    because = "it was made for the folds of one cross-validation"
    grows_with = "folds"
    contained_in = "repeated_cv"

    def natural(self, evidence: Evidence) -> bool:
        return False  # the corrected test for repeated cross-validation serves one run as well

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        return len(shape) == 1 or shape[0] == 1

    def arranged(self, x: Array) -> Array:
        return x[..., 0, :]

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import KFold

        return KFold(folds=folds, stratified=stratified)

    def shape(self, design: Design) -> Shape:
        return Shape(1, design.folds, design.folds)

    def cut(self, larger: Array) -> Array:
        return larger[..., 0, :]  # the first run of a repeated cross-validation


ONE_CV = OneCrossValidation()


DRAWS = 200  # Draws in which five different halvings are looked for; fewer than five exist for 4 groups.
FEWEST = 5  # Examples that can be halved in five ways; four have three halvings.
SWINGS = 0.2  # Range of a rate over the replications from which it swings; the paper's fall from 0.9 to 0.1.


class FiveByTwoScores(FoldKind):
    replications: ClassVar[int] = 5

    name = "five_by_two"
    words = "scores of shape (5, 2) from five 2-fold cross-validations"
    assumes = (
        ONE_SOURCE,
        "the two halves of each replication give independent differences",
        "what holds for training on half of the data holds for training on all of it",
    )
    plots = ("differences", "heat_map")
    recommended = "five_by_two_cv_f"
    because = "it uses all ten differences of 5×2 cross-validation and does not depend on their order"
    least_partitions = 5

    def natural(self, evidence: Evidence) -> bool:
        return isinstance(evidence, Scores) and self.fits_shape(evidence.shape) and len(evidence.names) == 2

    def fits_shape(self, shape: tuple[int, ...]) -> bool:
        return shape == (self.replications, 2)

    def noticed(self, evidence: Scores, procedure: Procedure) -> list[str]:
        return [*super().noticed(evidence, procedure), *_swings(evidence)]

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import FiveByTwo

        return FiveByTwo(stratified=stratified)

    def shape(self, design: Design) -> Shape:
        if design.n < FEWEST:
            raise InvalidInput(f"n must be at least {FEWEST} for five different halvings, got {design.n}")
        return Shape(self.replications, 2, 2)

    def ratio(self, design: Design) -> float:
        return 1.0

    def n_train(self, design: Design) -> int:
        return design.n // 2

    def search_plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import RepeatedKFold

        return RepeatedKFold(runs=DRAWS, folds=2, stratified=stratified)

    def partitions_wanted(self, runs: int) -> int:
        return self.least_partitions  # however many are looked at


FIVE_BY_TWO = FiveByTwoScores()


def _swings(evidence: Scores) -> list[str]:
    """Where rates swing between replications the 5×2cv t test fails, even if their difference stays the same."""
    if evidence.unit != "fraction":
        return []
    rates = evidence.values.mean(axis=-1)  # of each replication all examples
    ranges = np.ptp(rates, axis=1)
    if ranges.max() < SWINGS:
        return []
    place = int(ranges.argmax())
    low, high = rates[place].min(), rates[place].max()
    return [
        f"{metric_words(evidence.metric)} of {evidence.names[place]} swings between replications, from {100 * low:.1f} "
        f"to {100 * high:.1f} %: the 5×2cv t test then fails even where the difference stays the same "
        "(dietterich1998, section 7)"
    ]


MOST_REPLICATIONS = 50


def _with_runs(procedure: Procedure, option: str) -> Procedure:
    """r×2cv: ``five_by_two_cv_t:runs=10`` is ten replications, and ten degrees of freedom."""
    digits = option.removeprefix("runs=")
    r = int(digits) if digits.isdecimal() and len(digits) < 5 and option != digits else 0
    if not 2 <= r <= MOST_REPLICATIONS:
        raise InvalidInput(
            f"after '{procedure.name}:' must stand 'runs=R' with R from 2 to {MOST_REPLICATIONS}, got {option!r}"
        )
    if r == FIVE_BY_TWO.replications:
        return procedure
    return replace(
        procedure,
        name=f"{procedure.name}:runs={r}",
        title=f"{r}×2cv paired t test",
        kind=_replicated(r),
        run=partial(_r_by_two, r),
        estimand=Estimand(how=f"first of the {2 * r} differences"),
        note=f"the statistic and the interval rest on the first of the {2 * r} differences alone, and change with "
        f"their order. {OTHER_THAN_FIVE}",
    )


OTHER_THAN_FIVE = (
    "Five replications are the test's own number: the paper found more Type I errors with fewer or more "
    "(dietterich1998, section 3.5)"
)


def _r_by_two(r: int, batch: Batch) -> StudentResult:
    return five_by_two_cv_t(batch.data, replications=r)


@cache
def _replicated(r: int) -> RByTwoScores:
    return RByTwoScores(r)


class RByTwoScores(FiveByTwoScores):
    def __init__(self, replications: int) -> None:
        # kinds are told apart by their names, and each number of replications is a kind of its own
        vars(self).update(
            replications=replications,
            least_partitions=replications,
            name=f"{replications}_by_two",
            words=f"scores of shape ({replications}, 2) from {replications} 2-fold cross-validations",
        )

    def plan(self, *, runs: int, folds: int, stratified: bool) -> Plan:
        from foldwise.resampling.kfold import RepeatedKFold

        return RepeatedKFold(runs=self.replications, folds=2, stratified=stratified)


def _f_power(_evidence: Scores, result: FiveByTwoFResult) -> CombinedFPower:
    return CombinedFPower(within=float(result.within))


# ---- With the influence of single training examples that the folds show.


LEAST_OF_A_CLASS = 20  # Examples of the rarest class below which the test was measured to reject too often.


class InfluenceCrossValidation(RepeatedCrossValidation):
    """Each example is tested once in each run, without its fold-mates: whose training data it was, the folds tell."""

    name = "influence_cv"
    words = "scores of both learners on every example of repeated cross-validation"
    assumes = (
        ONE_SOURCE,
        "what leaving out single examples changes is seen in the folds they are left out with",
        "the mean difference over runs and examples is about normally distributed",
    )
    recommended = "influence"
    because = "the folds show how much single training examples change the predictions for others"
    by_example = True
    to_first_order = True
    by_fold = False
    least_partitions = 2  # one run does not tell what another would change

    def natural(self, evidence: Evidence) -> bool:
        return isinstance(evidence, InfluenceScores)

    def fits(self, evidence: Evidence) -> bool:
        return isinstance(evidence, InfluenceScores)

    def batch(self, evidence: InfluenceScores, alpha: float) -> Batch:  # type: ignore[override]
        return Batch(data=evidence.parts[0], alpha=alpha)

    def tests(self, evidence: InfluenceScores, procedure: Procedure, first: Indices, second: Indices) -> PairTests:  # type: ignore[override]
        parts = np.array([evidence.of_pair(i, j) for i, j in pairs_of(first, second)])
        return student_tests(quietly(procedure, Batch(data=parts)))

    def mean_intervals(self, evidence: InfluenceScores, procedure: Procedure, level: float) -> Interval:  # type: ignore[override]
        """Of each learner alone the corrected variance: the test was measured for differences."""
        return REPEATED_CV.mean_intervals(evidence, CORRECTED, level)

    def caveats(self, evidence: InfluenceScores, procedure: Procedure, *, alpha: float, rope: float) -> list[str]:  # type: ignore[override]
        caveats = super().caveats(evidence, procedure, alpha=alpha, rope=rope)
        if evidence.fewest is not None and evidence.fewest < LEAST_OF_A_CLASS:
            caveats.append(
                f"the rarest class has {evidence.fewest} examples: with fewer than {LEAST_OF_A_CLASS} the influence "
                "test was measured to reject too often where rare examples decide what is learned"
            )
        if (runs := evidence.shape[0]) < self.usual_runs:
            caveats.append(
                f"{runs} runs: the influence test was measured with {self.usual_runs}, fewer show less of the influence"
            )
        return caveats

    # ---- From learners and data.

    def growing(self, result: RunResult, groups: Labels | None, pieces: int | None) -> Array:
        assert result.by_example is not None
        return result.by_example

    def from_runs(self, results: Sequence[RunResult], groups: Labels | None, pieces: int | None) -> InfluenceScores:
        first = results[0]
        scores = REPEATED_CV.from_runs(results, groups, pieces)
        on_examples = np.concatenate([self.growing(result, groups, pieces) for result in results], axis=1)
        folds = np.concatenate([result.fold_ids for result in results if result.fold_ids is not None])
        classes = None if first.classes is None else np.unique(first.y, return_inverse=True)[1]
        parts = np.array([
            influence_parts(on_examples[i] - on_examples[j], folds, classes=classes, groups=groups)
            for i, j in combinations(range(len(on_examples)), 2)
        ])  # fmt: skip
        fewest = None if classes is None else int(np.bincount(classes).min())
        return InfluenceScores.of(scores, parts, fewest)

    def from_run(self, result: RunResult, groups: Labels | None, pieces: int | None) -> InfluenceScores:
        return self.from_runs([result], groups, pieces)

    def growth(self, procedure: Procedure, *, folds: int, alpha: float, limit: int | None) -> Growth | None:
        """Whoever watches it binds the folds, classes and groups, which differences on examples do not tell."""
        return Growth(
            procedure=procedure, partition=self.partition, first=FIRST_RUNS, cost=1, alpha=alpha,
            stability=influence_stability,
        )  # fmt: skip

    # ---- In the lab.

    def measured(self, ids: Integers, right: tuple[Flags, Flags]) -> Array:
        return np.array(influence_parts(right[0].astype(np.float64) - right[1], ids))

    def measured_of_classes(self, ids: Integers, right: tuple[Flags, Flags], y: Labels) -> Array:
        return np.array(influence_parts(right[0].astype(np.float64) - right[1], ids, classes=y))

    def numbers(self, design: Design) -> int:
        return len(InfluenceParts._fields)

    def mean_difference(self, data: Array) -> Array:
        return np.asarray(data.reshape(len(data), -1, self.numbers(Design()))[..., 0].mean(axis=1))


def _influence(batch: Batch) -> InfluenceResult:
    return influence_result(InfluenceParts(*np.moveaxis(batch.data, -1, 0)))


INFLUENCE_CV = InfluenceCrossValidation()

KINDS = (INFLUENCE_CV, REPEATED_CV, ONE_CV, FIVE_BY_TWO)  # first those whose scores are more than the next one has

CORRECTED = Procedure(
    name="corrected_repeated_cv_t", title="corrected repeated k-fold cv t test", kind=REPEATED_CV,
    run=on_data(corrected_repeated_cv_t, test_train_ratio="ratio"),
    reference=BOUCKAERT_FRANK, guarantee=approximate(STABLE, counted="sources"), settled=_corrected_law,
)  # fmt: skip

PROCEDURES = (
    Procedure(
        name="influence", title="influence-robust test", kind=INFLUENCE_CV, run=_influence,
        reference=FOLDWISE_INFLUENCE, guarantee=approximate("measured, not derived", counted="sources"),
        note="the influence-robust test is our own and not yet peer-reviewed",
    ),
    CORRECTED,
    *(
        Procedure(
            name=variant, title=f"repeated cv test, {variant.replace('_', ' ')}", kind=REPEATED_CV,
            run=partial(_variant, variant, None), reference=f"{BOUCKAERT}, section 3", guarantee=heuristic(),
            settled=_calibrated_law if variant == "use_all_data" else None,
            estimand=_WEIGHTED if variant.endswith("averaged_t") else None, with_option=partial(_with_df, variant),
            warning=f"with its nominal degrees of freedom {OVERLAP} (bouckaert2003; ask for '{variant}:calibrated')",
        )
        for variant in VARIANTS
    ),
    Procedure(
        name="kfold_cv_t", title="k-fold cross-validated paired t test", kind=ONE_CV, run=on_data(kfold_cv_t),
        reference=f"{DIETTERICH}, section 3.4", guarantee=heuristic(),
        warning="the training sets of the folds overlap, so that its Type I error is elevated "
        "(dietterich1998, section 3.4)",
    ),
    Procedure(
        name="five_by_two_cv_t", title="5×2cv paired t test", kind=FIVE_BY_TWO, run=on_data(five_by_two_cv_t),
        reference=f"{DIETTERICH}, section 3.5", guarantee=heuristic(),
        estimand=Estimand(how="first of the ten differences"), with_option=_with_runs,
        note="the statistic and the interval rest on the first of the ten differences alone, and change with their "
        "order",
    ),
    Procedure(
        name="five_by_two_cv_f", title="combined 5×2cv F test", kind=FIVE_BY_TWO, run=on_data(five_by_two_cv_f),
        symbol="F", signed=False, reference=ALPAYDIN, guarantee=heuristic(), power=_f_power,
    ),
)  # fmt: skip
