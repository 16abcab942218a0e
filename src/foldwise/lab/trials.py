"""Really trained learners: cross-validate them on data sets drawn from a source, for all tests at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from foldwise.core.random import stream
from foldwise.core.types import Array, Estimator, Labels
from foldwise.kinds import Design, Shape
from foldwise.kinds.resampled import AnyResampled
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.population import Sample, Views
from foldwise.lab.predictions import at_size, predict_folds
from foldwise.learners.binary import cross_validate
from foldwise.learners.registry import create

__all__ = ["evidence_from_learners"]

Learners = tuple[Estimator, Estimator]
_KERNELS = {
    "NaiveBayes": "nb",
    "C45": "c45",
    "NearestNeighbours": "1nn",
    "TAN": "tan",
    "VotedPerceptron": "votedperceptron",
}
Integers = NDArray[np.int64]


def evidence_from_learners(
    samples: Sequence[Views], learners: Learners, kinds: Sequence[AnyResampled], design: Design, seeds: Sequence[int]
) -> Evidence:
    """Train and test both learners on every sample, in every resampling that the tests need.

    Parameters
    ----------
    samples
        Data sets, each as a and as b see it.
    learners
        Two estimators.
    kinds
        Kinds of evidence wanted. Kinds that can share a resampling do: a holdout is the first random split, a
        single cross-validation the first run of the repeated one.
    design
        Sizes of the resampling.
    seeds
        Per sample the number that determines its partitionings.

    Returns
    -------
    Evidence
        Trials × repetitions × what each kind needs.
    """
    arrays: dict[str, list[Array]] = {kind.name: [] for kind in kinds}
    for repetition in range(design.repetitions):
        again = [int(stream(seed, "repetition", repetition).integers(2**63)) for seed in seeds]
        for name, array in _one_repetition(samples, learners, kinds, design, again).items():
            arrays[name].append(array)
    return Evidence(arrays={name: np.stack(parts, axis=1) for name, parts in arrays.items()})


def _one_repetition(
    samples: Sequence[Views], learners: Learners, kinds: Sequence[AnyResampled], design: Design, seeds: Sequence[int]
) -> dict[str, Array]:
    found: dict[str, Array] = {}
    for kind in sorted(kinds, key=lambda kind: kind.contained_in is not None):
        larger = found.get(kind.contained_in or "")
        a, b = (at_size(learner, kind.n_train(design)) for learner in learners)
        found[kind.name] = _measured(samples, (a, b), kind, design, seeds) if larger is None else kind.cut(larger)
    return found


def _measured(
    samples: Sequence[Views], learners: Learners, kind: AnyResampled, design: Design, seeds: Sequence[int]
) -> Array:
    """One kind of evidence on every sample."""
    shape = kind.shape(design)
    if kind.by_fold and kind.dealt_evenly:
        names = [name for name in map(_kernel_name, learners) if name is not None]
        if len(names) == 2 and all(_is_binary(view) for views in samples for view in views):
            return kind.arranged(_binary_differences(samples, names, shape, seeds))
    return np.stack([_trial(views, learners, kind, shape, seed) for views, seed in zip(samples, seeds, strict=True)])


def _trial(views: Views, learners: Learners, kind: AnyResampled, shape: Shape, seed: int) -> Array:
    y = views[0].y
    ids = kind.fold_ids(np.zeros(len(y), dtype=np.int64) if views[0].numeric else y, shape, seed)
    return kind.measured(ids, _marks(views, learners, ids, seed))


def _is_binary(sample: Sample) -> bool:
    two = all(c is not None and len(c) == 2 for c in sample.X.categories)
    return two and set(np.unique(sample.y).tolist()) <= {0, 1} and not np.isnan(sample.X.values).any()


def _binary_differences(samples: Sequence[Views], names: Sequence[str], shape: Shape, seeds: Sequence[int]) -> Array:
    folds, tested = shape.folds, shape.tested
    if all(a is b for a, b in samples):  # the usual case: both learners see the same, in one pass
        correct = _binary_correct([a for a, _ in samples], names, shape, seeds)
        right_a, right_b = (correct[name] for name in names)
    else:
        right_a, right_b = (
            _binary_correct([views[place] for views in samples], [name], shape, seeds)[name]
            for place, name in enumerate(names)
        )
    sizes = np.array([len(part) for part in np.array_split(np.arange(len(samples[0][0].y)), folds)])[:tested]
    return np.asarray((right_a.astype(np.float64) - right_b) / sizes)


def _binary_correct(
    samples: Sequence[Sample], names: Sequence[str], shape: Shape, seeds: Sequence[int]
) -> Mapping[str, Labels]:
    """Right predictions by each learner on each tested fold; the partitions depend on labels and seeds alone."""
    X = np.stack([sample.X.values for sample in samples]).astype(np.uint8)
    y = np.stack([sample.y for sample in samples]).astype(np.uint8)
    distinct = tuple(dict.fromkeys(names))
    return cross_validate(
        X,
        y,
        distinct,
        seeds=np.array(seeds, dtype=np.uint64),
        runs=shape.runs,
        folds=shape.folds,
        tested=shape.tested,
        partners=shape.partners,
        jobs=1,
    )


def _kernel_name(learner: Estimator) -> str | None:
    """The name of the binary batch kernel that is exactly this learner, if there is one."""
    name = _KERNELS.get(type(learner).__name__)
    if name is None:
        return None
    known = create(name)
    return name if type(known) is type(learner) and known.get_params() == learner.get_params() else None


def _marks(views: Views, learners: Learners, ids: Integers, seed: int) -> tuple[Labels, Labels]:
    """Per learner which predictions are right, or their squared errors turned round, of shape (runs, examples)."""
    own = [int(stream(seed, "learner", place).integers(2**62)) for place in range(2)]
    a, b = (_mark(learner, view, ids, s) for learner, view, s in zip(learners, views, own, strict=True))
    return a, b


def _mark(learner: Estimator, view: Sample, ids: Integers, seed: int) -> Labels:
    predicted = predict_folds(learner, view, ids, seed)
    return np.asarray(-((predicted - view.y) ** 2) if view.numeric else predicted == view.y)
