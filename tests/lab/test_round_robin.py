"""The round robin in the lab: the same numbers from batch kernels, from cross_predict and from what plans say."""

from __future__ import annotations

import numpy as np
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream
from foldwise.designs import ROUND_ROBIN, Design
from foldwise.inference import round_robin
from foldwise.lab import type_one_error
from foldwise.lab.populations import find_population
from foldwise.lab.training import _measured, _trial, evidence_from_learners
from foldwise.learners import create
from foldwise.resampling import RoundRobin

DESIGN = Design(n=60, blocks=6, dealings=3)


def views(spec, n=60, seed=0):
    population = find_population(spec)
    return population.views(population.draw(n, stream(seed, "draw")))


def test_its_sizes_are_those_of_the_plan():
    splits = list(RoundRobin(dealings=3, blocks=6, stratified=False).splits(np.zeros(60), seed=0))
    assert ROUND_ROBIN.n_train(DESIGN) == splits[0].n_train
    assert ROUND_ROBIN.ratio(DESIGN) == splits[0].n_test / splits[0].n_train
    assert ROUND_ROBIN.trainings(DESIGN) == len({split.training for split in splits}) == 45
    with pytest.raises(InvalidInput, match="blocks must be an even number"):
        Design(n=60, blocks=5)
    with pytest.raises(InvalidInput, match="blocks must be at most n = 5, got 6"):
        ROUND_ROBIN.shape(Design(n=5, folds=2, parts=2))


def test_batch_kernels_and_single_predictions_give_the_same_tables():
    sample, pair = views("independent-binary"), (create("nb"), create("c45"))
    shape = ROUND_ROBIN.shape(DESIGN)
    batched = _measured([sample], pair, ROUND_ROBIN, DESIGN, [5])[0]
    single = _trial(sample, pair, ROUND_ROBIN, shape, 5)
    assert batched.shape == (3, 6, 6)
    np.testing.assert_allclose(batched, single, atol=1e-15)


def test_the_tables_are_those_of_fit_and_predict():
    sample = views("gaussian")[0]
    ids = ROUND_ROBIN.fold_ids(sample.y, ROUND_ROBIN.shape(DESIGN), 3)
    tables = _trial((sample, sample), (create("nb"), create("1nn")), ROUND_ROBIN, ROUND_ROBIN.shape(DESIGN), 3)
    # blocks as those that are always left out together
    dealt = ids.reshape(3, 5, 60)
    for dealing in range(3):
        _, blocks = np.unique(dealt[dealing].T, axis=0, return_inverse=True)
        assert np.bincount(blocks).tolist() == [10] * 6
        found = []
        for b in range(6):
            for c in set(range(6)) - {b}:
                left = np.isin(blocks, (b, c))
                right = []
                for name in ("nb", "1nn"):
                    fitted = create(name).fit(sample.X[~left], sample.y[~left], classes=np.unique(sample.y))
                    right.append((fitted.predict(sample.X[left]) == sample.y[left])[blocks[left] == c].mean())
                found.append(right[0] - right[1])
        table = tables[dealing][~np.eye(6, dtype=bool)]
        np.testing.assert_allclose(np.sort(table), np.sort(found), atol=1e-15)  # whatever the blocks are called


def test_more_dealings_keep_the_earlier_ones_and_the_mean_is_over_blocks():
    sample, pair = views("independent-binary"), (create("nb"), create("1nn"))
    few, many = (
        evidence_from_learners([sample], pair, [ROUND_ROBIN], Design(n=60, blocks=6, dealings=d), [1])[ROUND_ROBIN]
        for d in (1, 3)
    )
    assert np.array_equal(few[0, 0], many[0, 0, :1])
    mean = ROUND_ROBIN.mean_difference(many)
    assert mean == pytest.approx(float(round_robin(many[0, 0]).estimate))
    assert many[0, 0].size == ROUND_ROBIN.numbers(DESIGN)


@pytest.mark.parametrize(("population", "learners"), [("two-kinds", ()), ("symmetric-halves", ("nb",))])
def test_it_keeps_its_level_as_far_as_few_trials_tell(population, learners):
    table = type_one_error(["round_robin"], population, learners=learners, trials=60, n=60, blocks=4, dealings=1)
    (row,) = table.rows
    assert row.low < 0.05
    assert "fits" in str(table)
    assert row.fits == 12
