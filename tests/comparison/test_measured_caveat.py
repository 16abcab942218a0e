from __future__ import annotations

import contextlib
import json

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import foldwise as fw
from foldwise.cli.main import main
from foldwise.comparison.measured_caveat import kind_of_learner, measured_caveat
from foldwise.inference.measured import behaviour
from foldwise.learners.registry import create

(MEASURED,) = [row for row in behaviour("corrected_repeated_cv_t") if row.source.key == "nb-1nn"]
FIGURE = f"{MEASURED.type1.rate:.3f}"


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 2)), np.tile([0, 1], 20)


def cited(c):
    return [caveat for caveat in c.caveats if "Type I error" in caveat]


@pytest.mark.usefixtures("without_pictures")
def test_the_verdict_on_naive_bayes_and_nearest_neighbour_cites_what_was_measured(data):
    c = fw.compare(["nb", "1nn"], *data, runs=1, folds=5)
    (caveat,) = cited(c)
    assert f"Type I error {FIGURE} at level 0.05" in caveat
    assert f"({MEASURED.type1.low:.3f} to {MEASURED.type1.high:.3f}; corrected_repeated_cv_t with nb and 1nn" in caveat
    assert FIGURE in str(c)
    assert FIGURE in c.to_html()
    assert cited(fw.compare(["1nn", "nb"], *data, runs=1, folds=5)) == [caveat]


def test_the_command_line_says_it_too(data, tmp_path, capsys):
    X, y = data
    rows = "\n".join(f"{a},{b},{'uv'[label]}" for (a, b), label in zip(X, y, strict=True))
    (tmp_path / "d.csv").write_text(f"p,q,class\n{rows}\n")
    command = ["compare", "nb", "1nn", "--data", str(tmp_path / "d.csv"), "--runs", "1", "--folds", "5", "--json"]
    with contextlib.suppress(SystemExit):
        main(command)
    assert any(FIGURE in caveat for caveat in json.loads(capsys.readouterr().out)["notes"])


def test_learners_of_the_kind_are_warned_of_as_well(data):
    (caveat,) = cited(fw.compare([KNeighborsClassifier(3), RandomForestClassifier(2)], *data, runs=1, folds=5))
    assert caveat.startswith("with nearest neighbours this test")
    assert FIGURE in caveat


def test_nothing_is_cited_where_the_level_was_kept_or_nothing_was_measured(data):
    assert cited(fw.compare(["nb", "c45"], *data, runs=1, folds=5)) == []
    assert cited(fw.compare(["nb", "majority"], *data, runs=1, folds=5)) == []
    assert cited(fw.compare(["nb", "1nn"], *data, test="mcnemar")) == []
    assert cited(fw.compare(["nb", "1nn"], *data, runs=1, folds=5, metric="log_loss")) == []
    y = np.linspace(0, 1, 40)
    regressors = KNeighborsRegressor(), DecisionTreeRegressor(random_state=0)
    assert cited(fw.compare(regressors, data[0], y, runs=1, folds=5)) == []


def test_every_row_above_its_level_is_cited_for_its_own_pair():
    rows = [(test, row) for test in ("kfold_cv_t", "five_by_two_cv_f", "use_all_data") for row in behaviour(test)]
    for test, row in rows:
        if row.source.learners:
            found = measured_caveat(test, *map(create, row.source.learners))
            assert (found is not None) == row.exceeds
            assert found is None or f"{row.type1.rate:.3f}" in found


@pytest.mark.parametrize(("learner", "kind"), [
    (create("7nn"), "1nn"), (create("25nn"), None), (KNeighborsClassifier(25), None), (create("nb"), "nb"),
    (create("c45"), "c45"), (create("tan"), None), (GaussianNB(), "nb"), (DecisionTreeClassifier(), "c45"),
    (RandomForestClassifier(), None),
])  # fmt: skip
def test_learners_are_known_by_their_class(learner, kind):
    assert kind_of_learner(learner) == kind
