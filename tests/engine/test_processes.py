"""Worker processes: the same results, and what happens when a worker dies."""

from __future__ import annotations

import tempfile
import threading

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from studies import Assassin, Centroid, Coin, blobs

from foldwise.core.errors import InvalidInput
from foldwise.engine import run, runner
from foldwise.engine.backends import count_workers, processes
from foldwise.engine.progress import Silent
from foldwise.resampling import RepeatedKFold

X, Y = blobs()


def test_results_do_not_depend_on_the_number_of_processes():
    learners = {"nb": GaussianNB(), "coin": Coin(), "trees": ExtraTreesClassifier(n_estimators=3)}
    plan = RepeatedKFold(3, 4)
    one, many = run(learners, X, Y, plan, seed=8), run(learners, X, Y, plan, seed=8, n_jobs=2)
    assert one.scores.tolist() == many.scores.tolist()
    for name in learners:
        assert one.predicted(name).tolist() == many.predicted(name).tolist()


def test_a_killed_worker_is_replaced_and_its_chunk_repeated(tmp_path):
    plan = RepeatedKFold(4, 5)
    learners = {"assassin": Assassin(str(tmp_path), times=1), "nb": GaussianNB()}
    result = run(learners, X, Y, plan, n_jobs=2)
    assert len(list(tmp_path.iterdir())) == 1
    assert result.scores_of("assassin").tolist() == run({"c": Centroid()}, X, Y, plan).scores[0].tolist()


def test_nothing_is_written_on_the_way_to_workers(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    X, Y = blobs(n=40_000)
    assert run({"c": Centroid()}, X, Y, 2, n_jobs=2).scores.tolist() == run({"c": Centroid()}, X, Y, 2).scores.tolist()
    assert list(tmp_path.iterdir()) == []


def test_workers_use_one_thread(tmp_path):
    class Probe(Centroid):
        def fit(self, X, y):
            from threadpoolctl import threadpool_info

            self.threads_ = max(library["num_threads"] for library in threadpool_info())
            return super().fit(X, y)

    result = run({"probe": Probe()}, X, Y, 4, n_jobs=2, metric=lambda estimator, X, y: estimator.threads_)
    assert (result.scores == 1).all()


def test_what_can_not_travel_is_named():
    locked = Centroid(pause=threading.Lock())
    with pytest.raises(InvalidInput, match="must be picklable to run in other processes"):
        run({"locked": locked}, X, Y, 4, n_jobs=2)


@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 1), (1, 1), (5, 5)])
def test_count_workers(n_jobs, expected):
    assert count_workers(n_jobs) == expected


def test_minus_one_is_every_processor():
    from joblib import cpu_count

    assert count_workers(-1) == cpu_count()
    assert count_workers(-1000) == 1


def test_joblib_may_be_used_between_studies():
    plan, learners = RepeatedKFold(2, 4), {"nb": GaussianNB()}
    expected = run(learners, X, Y, plan).scores.tolist()
    for _ in range(2):
        assert run(learners, X, Y, plan, n_jobs=2).scores.tolist() == expected
        assert len(cross_val_score(GaussianNB(), X, Y, n_jobs=2)) == 5


def test_studies_may_be_started_from_threads_that_end():
    # the kernel ties a worker's life to the thread that started it
    results = []
    thread = threading.Thread(target=lambda: results.append(run({"nb": GaussianNB()}, X, Y, 4, n_jobs=2)))
    thread.start()
    thread.join()
    results.append(run({"nb": GaussianNB()}, X, Y, 4, n_jobs=2))
    assert [r.scores.tolist() for r in results] == [run({"nb": GaussianNB()}, X, Y, 4).scores.tolist()] * 2


def test_waiting_workers_learn_where_modules_named_later_lie(tmp_path, monkeypatch):
    run({"nb": GaussianNB()}, X, Y, 4, n_jobs=2)
    (tmp_path / "named_later.py").write_text(
        "from sklearn.naive_bayes import GaussianNB\nclass Own(GaussianNB): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from named_later import Own

    result = run({"own": Own()}, X, Y, 4, n_jobs=2)
    assert result.scores.tolist() == run({"nb": GaussianNB()}, X, Y, 4).scores.tolist()


QUICK = {"nb": "nb", "tree": "tree(max_depth=2)"}


class TestWorkThatIsSoonDone:
    """With processes asked for, the first fits tell whether they would gain more than it takes to start them."""

    @pytest.fixture
    def begun(self, monkeypatch):
        """Whether the processes were asked for."""
        asked = []
        usual = runner.choose_backend
        monkeypatch.setattr(runner, "choose_backend", lambda *given, **more: asked.append(1) or usual(*given, **more))
        monkeypatch.setattr(processes, "_POOLS", {})
        return asked

    @pytest.mark.parametrize(("start", "expected"), [(1e9, []), (0.0, [1])])
    def test_it_stays_in_one_process_where_that_is_faster(self, begun, monkeypatch, start, expected):
        monkeypatch.setattr(runner, "START_SECONDS", start)
        alone = run(QUICK, X, Y, RepeatedKFold(4, 5), seed=3)
        shared = run(QUICK, X, Y, RepeatedKFold(4, 5), seed=3, n_jobs=2)
        assert begun == [1, *expected]  # the first by the run without n_jobs
        np.testing.assert_array_equal(alone.scores, shared.scores)

    def test_it_is_said_in_front_of_the_bar(self, begun):
        said = []

        class Listener(Silent):
            def note(self, text):
                said.append(text)

        run(QUICK, X, Y, RepeatedKFold(4, 5), n_jobs=2, progress=Listener())
        assert begun == []
        assert [text.partition(",")[0] for text in said] == ["in one process"]

    def test_code_from_elsewhere_has_processes_of_its_own(self, begun):
        run({"centroid": Centroid()}, X, Y, RepeatedKFold(4, 5), n_jobs=2)
        assert begun == [1]
