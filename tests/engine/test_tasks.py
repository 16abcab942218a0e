from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import cloudpickle
import pytest

from foldwise.core.errors import FitFailed
from foldwise.core.process import made_by
from foldwise.engine.driver import run_tasks
from foldwise.engine.store import Store

# workers can't import a test module, so its classes travel with the work
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Squares:
    """Squares numbers; the piece `deadly` kills its worker as long as `mark` has fewer than `times` lines."""

    def __init__(self, mark=None, deadly=None, times=1):
        self.mark, self.deadly, self.times = mark, deadly, times

    def worker(self):
        return self

    def work(self, number):
        if number == self.deadly:
            with Path(self.mark).open("a+") as file:
                file.seek(0)
                before = len(file.readlines())
                file.write("x\n")
            if before < self.times:
                os.kill(os.getpid(), signal.SIGKILL)
        return number**2


def outcomes(workload, numbers, **options):
    found = {}
    run_tasks(workload, numbers, found.__setitem__, **options)
    return found


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_every_piece_is_done_once(n_jobs):
    assert outcomes(Squares(), range(20), n_jobs=n_jobs) == {i: i**2 for i in range(20)}


def test_nothing_to_do_is_no_error():
    assert outcomes(Squares(), []) == {}


def test_a_piece_whose_worker_died_is_done_again(tmp_path):
    workload = Squares(str(tmp_path / "deaths"), deadly=3, times=1)
    assert outcomes(workload, range(8), n_jobs=2) == {i: i**2 for i in range(8)}


def test_a_piece_that_always_kills_its_worker_is_given_up(tmp_path):
    workload = Squares(str(tmp_path / "deaths"), deadly=3, times=99)
    with pytest.raises(FitFailed, match="block 3 took its worker down each time, alone too"):
        outcomes(workload, range(8), n_jobs=2)


def test_a_piece_that_was_merely_there_is_not_given_up(tmp_path):
    # the blocks beside the one that kills are repeated alone, and done
    done = {}
    workload = Squares(str(tmp_path / "deaths"), deadly=3, times=99)
    with pytest.raises(FitFailed, match="block 3 "):
        run_tasks(workload, [0, 3, 1, 2], done.__setitem__, n_jobs=2)
    assert {number: number**2 for number in done} == done
    assert len((tmp_path / "deaths").read_text().splitlines()) <= 3


def test_errors_of_the_work_itself_come_through():
    class Fails(Squares):
        def work(self, number):
            raise ArithmeticError("bad piece")

    with pytest.raises(ArithmeticError, match="bad piece"):
        outcomes(Fails(), range(3))


def test_blocks_are_kept_once_and_found_by_number(tmp_path):
    before = int(time.time())
    with Store(tmp_path / "store.sqlite") as store:
        store.keep_block("study", 2, b"two")
        store.keep_block("study", 2, b"other")
        store.keep_block("another", 2, b"elsewhere")
        found = store.find_blocks("study", range(5))
        assert {number: content for number, (content, *_) in found.items()} == {2: b"two"}
        assert before <= found[2][1] <= time.time()  # when it was made
        assert found[2][2] == made_by()
        assert store.find_blocks("study", range(2)) == {}
