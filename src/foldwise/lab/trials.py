"""Really trained learners: cross-validate them on data sets drawn from a source, for all tests at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.random import stream
from foldwise.core.types import Array
from foldwise.inference.catalogue import Needs
from foldwise.lab.design import Design
from foldwise.lab.evidence import Evidence
from foldwise.lab.populations.population import Sample, Views
from foldwise.lab.predictions import predict_folds
from foldwise.learners.binary import cross_validate, stratified_folds
from foldwise.learners.registry import create
from foldwise.resampling import RepeatedKFold

__all__ = ["evidence_from_learners"]

Learners = tuple[Any, Any]
_KERNELS = {
    "NaiveBayes": "nb",
    "C45": "c45",
    "NearestNeighbours": "1nn",
    "TAN": "tan",
    "VotedPerceptron": "votedperceptron",
}
Integers = NDArray[np.int64]


def evidence_from_learners(
    samples: Sequence[Views], learners: Learners, needs: frozenset[Needs], design: Design, seeds: Sequence[int]
) -> Evidence:
    """Train and test both learners on every sample, in every resampling that the tests need.

    Parameters
    ----------
    samples
        Data sets, each as a and as b see it.
    learners
        Two estimators.
    needs
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
    arrays: dict[Needs, list[Array]] = {kind: [] for kind in sorted(needs)}
    for repetition in range(design.repetitions):
        again = [int(stream(seed, "repetition", repetition).integers(2**63)) for seed in seeds]
        for kind, array in _one_repetition(samples, learners, needs, design, again).items():
            arrays[kind].append(array)
    return Evidence(arrays={kind: np.stack(parts, axis=1) for kind, parts in arrays.items()})


def _one_repetition(
    samples: Sequence[Views], learners: Learners, needs: frozenset[Needs], design: Design, seeds: Sequence[int]
) -> dict[Needs, Array]:
    found: dict[Needs, Array] = {}
    for kind in sorted(needs):
        a, b = (at_size(learner, design.n_train(kind)) for learner in learners)
        if kind == "table":
            found[kind] = np.stack([_table(s, (a, b), design, seed) for s, seed in zip(samples, seeds, strict=True)])
            continue
        if kind != "kfold" or "repeated_cv" not in needs:
            x = _differences(samples, (a, b), _shape(kind, design), seeds)
            found[kind] = x[:, :, 0] if kind == "splits" else x[:, 0] if kind == "kfold" else x
    if needs >= {"kfold", "repeated_cv"}:
        found["kfold"] = found["repeated_cv"][:, 0]
    return found


def at_size(learner: Any, n_train: int) -> Any:
    """The learner to use at this training size: one that differs by size offers ``at(n_train)``."""
    return learner.at(n_train) if hasattr(learner, "at") else learner


def _shape(kind: Needs, design: Design) -> tuple[int, int, int]:
    """(runs, folds, folds tested in each run)."""
    if kind == "splits":
        return design.splits, design.parts, 1
    if kind == "five_by_two":
        return 5, 2, 2
    return (1 if kind == "kfold" else design.runs), design.folds, design.folds


def _differences(
    samples: Sequence[Views], learners: Learners, shape: tuple[int, int, int], seeds: Sequence[int]
) -> Array:
    """accuracy(a) − accuracy(b), of shape (samples, runs, tested folds)."""
    names = [name for name in map(_kernel_name, learners) if name is not None]
    if len(names) == 2 and all(_is_binary(view) for views in samples for view in views):
        return _binary_differences(samples, names, shape, seeds)
    return np.stack([_plain_differences(s, learners, shape, seed) for s, seed in zip(samples, seeds, strict=True)])


def _is_binary(sample: Sample) -> bool:
    two = all(c is not None and len(c) == 2 for c in sample.X.categories)
    return two and set(np.unique(sample.y).tolist()) <= {0, 1} and not np.isnan(sample.X.values).any()


def _binary_differences(
    samples: Sequence[Views], names: Sequence[str], shape: tuple[int, int, int], seeds: Sequence[int]
) -> Array:
    folds, tested = shape[1:]
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
    samples: Sequence[Sample], names: Sequence[str], shape: tuple[int, int, int], seeds: Sequence[int]
) -> Mapping[str, NDArray[Any]]:
    """Right predictions by each learner on each tested fold; the partitions depend on labels and seeds alone."""
    runs, folds, tested = shape
    X = np.stack([sample.X.values for sample in samples]).astype(np.uint8)
    y = np.stack([sample.y for sample in samples]).astype(np.uint8)
    distinct = tuple(dict.fromkeys(names))
    return cross_validate(
        X, y, distinct, seeds=np.array(seeds, dtype=np.uint64), runs=runs, folds=folds, tested=tested, jobs=1
    )


def _kernel_name(learner: Any) -> str | None:
    """The name of the binary batch kernel that is exactly this learner, if there is one."""
    name = _KERNELS.get(type(learner).__name__)
    if name is None:
        return None
    known = create(name)
    return name if type(known) is type(learner) and known.get_params() == learner.get_params() else None


def _plain_differences(views: Views, learners: Learners, shape: tuple[int, int, int], seed: int) -> Array:
    runs, folds, tested = shape
    ids = _fold_ids(views[0].y, runs, folds, seed)
    ids = np.where(ids < tested, ids, -1)
    right_a, right_b = _right(views, learners, ids, seed)
    gained = right_a.astype(np.float64) - right_b
    return np.array([[gained[run][ids[run] == fold].mean() for fold in range(tested)] for run in range(runs)])


def _table(views: Views, learners: Learners, design: Design, seed: int) -> Array:
    ids = _fold_ids(views[0].y, 1, design.parts, seed)
    ids = np.where(ids == 0, 0, -1)
    right_a, right_b = (right[ids == 0] for right in _right(views, learners, ids, seed))
    cells = [~right_a & ~right_b, ~right_a & right_b, right_a & ~right_b, right_a & right_b]
    return np.array([cell.sum() for cell in cells], dtype=np.float64)


def _fold_ids(y: NDArray[Any], runs: int, folds: int, seed: int) -> Integers:
    """Stratified folds; for two classes those of the batch kernels, so that both ways give the same study."""
    codes = np.unique(y, return_inverse=True)[1]
    if codes.max() <= 1:
        return stratified_folds(codes, runs=runs, folds=folds, seed=seed)
    return RepeatedKFold(runs=runs, folds=folds).fold_ids(y, seed=seed)


def _right(views: Views, learners: Learners, ids: Integers, seed: int) -> list[NDArray[np.bool_]]:
    """Per learner which predictions are right, of shape (runs, examples)."""
    own = [int(stream(seed, "learner", place).integers(2**62)) for place in range(2)]
    return [
        predict_folds(learner, view, ids, s) == view.y for learner, view, s in zip(learners, views, own, strict=True)
    ]
