"""A store never answers with numbers of code that has changed since: real modules, real commands."""

from __future__ import annotations

import json
import os
import textwrap

import pytest
import warm

MYLIB = """
    import numpy as np
    from sklearn.base import BaseEstimator, ClassifierMixin
    from helper import guess

    class Mine(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return self.classes_[guess(X, len(self.classes_))]
"""
FIRST = "def guess(X, n):\n    return (X[:, 0] > 0).astype(int) % n\n"
SECOND = FIRST.replace("> 0", "> 13")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mylib.py").write_text(textwrap.dedent(MYLIB))
    (tmp_path / "helper.py").write_text(FIRST)
    return tmp_path


def call(folder, *args):
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = warm.call(*args, cwd=folder, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(folder, *more):
    args = ["compare", "mylib:Mine", "majority", "--data", "wine", "--runs", "1", "--folds", "3", "--json", *more]
    return json.loads(call(folder, "-m", "foldwise", *args))


def test_a_helper_that_changed_is_computed_again(folder):
    first = compare(folder, "--store", "s.db")
    (folder / "helper.py").write_text(SECOND)
    again = compare(folder, "--store", "s.db")
    assert (first["found"], again["found"]) == (0, 3)  # those of the other learner
    assert again["means"] != first["means"]
    (folder / "helper.py").write_text(FIRST)
    back = compare(folder, "--store", "s.db")
    assert (back["found"], back["means"]) == (6, first["means"])


SCORER = """
    import foldwise as fw
    from foldwise.engine import run
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    WEIGHT = {weight}

    def part(estimator, X, y):
        return float((estimator.predict(X) == y).mean()) {body}

    def score(estimator, X, y):
        return WEIGHT * part(estimator, X, y)

    X, y = load_iris(return_X_y=True)
    result = run({{"nb": GaussianNB()}}, X, y, 3, metric=score, store="s.db")
    print(result.found, result.scores.sum())
"""


def test_a_scorer_that_changed_scores_again(folder):
    def score(weight=1, body=""):
        (folder / "script.py").write_text(textwrap.dedent(SCORER).format(weight=weight, body=body))
        found, total = call(folder, "script.py").split()
        return int(found), float(total)

    base = score()[1]
    assert score(weight=2) == (0, pytest.approx(2 * base))
    assert score(body="+ 1") == (0, pytest.approx(base + 3))
    assert score() == (3, base)


LAB = """
    from foldwise.lab.gather import prepare, Resources, gather
    from foldwise.designs import find_procedure
    from foldwise.designs import Design
    import mylib
    tests = [find_procedure("mcnemar")]
    work = prepare(tests, "independent-binary", [mylib.Mine(), "majority"], Design(n=40), 0)
    print(work.key)
"""


def test_blocks_of_the_lab_are_filed_under_the_code_too(folder):
    script = folder / "lab.py"
    script.write_text(textwrap.dedent(LAB))
    before = call(folder, "lab.py")
    assert call(folder, "lab.py") == before
    (folder / "helper.py").write_text(SECOND)
    assert call(folder, "lab.py") != before
