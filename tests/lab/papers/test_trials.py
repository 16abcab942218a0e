from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from foldwise.lab.gather import Resources
from foldwise.lab.papers.study import StudyTrials, do_trials


def _start(log):
    def trial(number):
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{number}\n")
        return {"number": number, "pair": np.array([number, -number])}

    return trial


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "log.txt"
    path.touch()
    return path


@pytest.fixture
def work(log):
    return StudyTrials(identity=("test", 1), start=partial(_start, log), numbers=3)


def test_arrays_are_joined_in_the_order_of_the_trials(work):
    found = do_trials(work, 3)
    assert found["number"].tolist() == [0, 1, 2]
    assert found["pair"].tolist() == [[0, 0], [1, -1], [2, -2]]


def test_what_the_store_has_is_not_done_again(work, log, tmp_path):
    resources = Resources(store=tmp_path / "store.sqlite")
    do_trials(work, 3, resources)
    found = do_trials(work, 5, resources)
    assert log.read_text().split() == ["0", "1", "2", "3", "4"]
    assert found["number"].tolist() == [0, 1, 2, 3, 4]


def test_identity_tells_trials_apart(work, log, tmp_path):
    resources = Resources(store=tmp_path / "store.sqlite")
    do_trials(work, 1, resources)
    do_trials(StudyTrials(identity=("test", 2), start=work.start, numbers=3), 1, resources)
    assert log.read_text().split() == ["0", "0"]
