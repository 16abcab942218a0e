from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from foldwise import lab
from foldwise.core.errors import StoreError
from foldwise.designs import FIVE_BY_TWO, ONE_CV, RANDOM_SPLITS, RIGHT_WRONG, ROUND_ROBIN, Design
from foldwise.engine.store import Store
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import Resources, Work, gather
from foldwise.lab.populations.from_data import Finite
from foldwise.lab.populations.two_kinds import TwoKinds
from foldwise.learners.registry import create

WORK = Work(population=TwoKinds(), learners=(), kinds=(ONE_CV, RIGHT_WRONG), design=Design(n=60), seed=0)
TRAINED = Work(
    population=Finite(data="sklearn:iris"),
    learners=(create("majority"), create("1nn")),
    kinds=(FIVE_BY_TWO, ONE_CV, RANDOM_SPLITS, RIGHT_WRONG),
    design=Design(n=60, folds=3, splits=2),
    seed=0,
)


def same(one, other):
    return all((one.arrays[name] == other.arrays[name]).all() for name in one.arrays)


@pytest.mark.parametrize("work", [WORK, TRAINED], ids=["simulated", "trained"])
def test_processes_do_not_change_the_numbers(work):
    trials = 3 * work.block
    assert same(gather(work, trials), gather(work, trials, Resources(n_jobs=2)))


def test_a_store_gives_back_what_it_kept_and_more_trials_go_on_from_there(tmp_path):
    store = tmp_path / "lab.sqlite"
    first = gather(WORK, 1000, Resources(store=store))
    with Store(store) as opened:
        assert sorted(opened.find_blocks(WORK.key, range(100))) == [0, 1]
    longer = gather(WORK, 1500, Resources(store=store))
    assert same(first, longer.first(1000))
    assert same(longer, gather(WORK, 1500))


def test_stored_blocks_are_not_computed_again(tmp_path, monkeypatch):
    store = tmp_path / "lab.sqlite"
    before = gather(WORK, 500, Resources(store=store))
    monkeypatch.setattr("foldwise.lab.gather.Work.work", lambda *_: pytest.fail("computed again"))
    assert same(gather(WORK, 500, Resources(store=store)), before)


@pytest.mark.parametrize("change", [
    {"population": TwoKinds(error=0.2)}, {"seed": 1}, {"design": Design(n=61)}, {"kinds": (RIGHT_WRONG,)}
])  # fmt: skip
def test_different_studies_have_different_keys(change):
    fields = {name: getattr(WORK, name) for name in ("population", "learners", "kinds", "design", "seed")}
    assert Work(**fields).key == WORK.key
    assert Work(**(fields | change)).key != WORK.key


def test_the_sizes_of_a_round_robin_are_part_of_its_key_alone():
    fields = {name: getattr(WORK, name) for name in ("population", "learners", "kinds", "design", "seed")}
    sizes = {"blocks": 4}, {"dealings": 3}
    others = [fields | {"design": replace(WORK.design, **more)} for more in sizes]
    assert {Work(**other).key for other in others} == {WORK.key}
    met = [Work(**(other | {"kinds": (ROUND_ROBIN,)})).key for other in [*others, fields]]
    assert len(set(met)) == 3


def test_learners_and_data_are_part_of_the_key():
    fields = {name: getattr(TRAINED, name) for name in ("population", "learners", "kinds", "design", "seed")}
    others = [{"learners": (create("majority"), create("3nn"))}, {"population": Finite(data="sklearn:wine")}]
    assert len({Work(**(fields | change)).key for change in [{}, *others]}) == 3


def test_evidence_survives_the_store_bit_by_bit():
    evidence = Evidence(arrays={"kfold": np.random.default_rng(0).normal(size=(3, 1, 4))})
    assert same(evidence, Evidence.from_bytes(evidence.to_bytes()))


def test_a_foreign_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("not a store " * 20)
    with pytest.raises(StoreError, match="is not a results store"):
        lab.type_one_error("mcnemar", trials=500, resources=Resources(store=path))
    assert path.read_text().startswith("not a store")


def test_progress_counts_trials():
    told = []

    class Notes:
        def start(self, *, total, found):
            told.append((total, found))

        def advance(self, fits):
            told.append(fits)

        def stop(self):
            told.append("stop")

    gather(WORK, 900, Resources(progress=Notes()))
    assert told == [(1000, 0), 500, 500, "stop"]
