from __future__ import annotations

import hashlib
import inspect
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.papers_data import at_hand, data_folder
from reference.random_tables import looped, mixed_problem
from scipy.stats import beta, hypergeom
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.data import load
from foldwise.learners import C45, create
from foldwise.learners.tree import fit
from foldwise.learners.tree.arrays import columns, survey
from foldwise.learners.tree.fit import PLAIN, compiled_tools, fit_tree
from foldwise.learners.tree.prune import estimates, extra_errors, fill_estimates

PRINTED = Path(__file__).parents[1] / "reference" / "weka" / "j48_trees.tsv"
STOPPED = C45(stopping=0.05, pruned=False, collapse=False, min_instances=1)


@parametrize_with_checks([C45(), STOPPED])
def test_passes_scikit_learns_checks(estimator, check):
    check(estimator)


options = st.fixed_dictionaries(
    {},
    optional={
        "pruned": st.booleans(),
        "confidence": st.sampled_from([0.01, 0.25, 0.5]),
        "min_instances": st.sampled_from([1, 2, 5]),
        "subtree_raising": st.booleans(),
        "collapse": st.booleans(),
        "stopping": st.sampled_from([None, 0.05, 1.0]),
    },
)


@settings(max_examples=100)
@given(options, st.integers(0, 10**9))
def test_whole_cross_validation_is_the_same_as_fitting_each_fold(chosen, seed):
    problem = mixed_problem(seed)
    learner = C45(**chosen)
    predicted = learner.cross_predict(problem.X, problem.y, problem.folds, classes=problem.classes)
    np.testing.assert_array_equal(predicted, looped(learner, problem))


@settings(max_examples=60)
@given(options, st.integers(0, 10**9))
def test_probabilities_and_leaves_are_consistent(chosen, seed):
    problem = mixed_problem(seed)
    model = C45(**chosen).fit(problem.X, problem.y, classes=problem.classes)
    probabilities = model.predict_proba(problem.X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    chosen_probability = probabilities[np.arange(len(problem.y)), model.predict(problem.X)]
    np.testing.assert_allclose(chosen_probability, probabilities.max(axis=1), atol=2e-6)
    tree = model.tree_
    np.testing.assert_allclose(tree.counts.sum(axis=1), tree.total)
    assert tree.total[0] == len(problem.y)
    reached = [0]
    for v in reached:
        if tree.attribute[v] >= 0:
            sons = range(tree.son[v], tree.son[v] + tree.branches[v])
            np.testing.assert_allclose(tree.total[sons].sum(), tree.total[v], rtol=1e-5)
            np.testing.assert_allclose(tree.share[sons].sum(), 1.0)
            assert (tree.total[sons] >= chosen.get("min_instances", 2) - 1e-6).sum() >= 2
            reached += sons


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_the_order_of_complete_examples_is_no_matter(seed):
    problem = mixed_problem(seed)
    values = np.where(np.isnan(problem.X.values), 0.0, problem.X.values)
    table = Table.build(values, problem.X.categories)
    order = np.random.default_rng(seed).permutation(len(problem.y))
    first = C45().fit(table, problem.y, classes=problem.classes)
    again = C45().fit(table[order], problem.y[order], classes=problem.classes)
    assert first.to_text() == again.to_text()


def test_every_line_of_every_tree_is_as_weka_prints_it():
    differing = []
    printed = {name: digest for name, _, digest in (line.split("\t") for line in PRINTED.read_text().splitlines())}
    for name in at_hand(*printed):
        data = load(name, data_dir=data_folder())
        text = C45().fit(data.X, data.y, classes=data.classes).to_text()
        if hashlib.sha256(text.encode()).hexdigest() != printed[name]:
            differing.append(name)
    assert differing == []


class TestGrowing:
    def test_quinlans_saturdays(self):
        # Quinlan (1986), Induction of decision trees, table 1 and figure 2
        days = "shn shy ohn rhn rnn rny ony shn snn rnn sny ohy onn rhy"  # outlook, humidity, windy
        X = np.array([list(day) for day in days.split()], dtype=object)
        play = list("NNPPPNPNPPPPPN")
        assert C45().fit(X, play).to_text().splitlines() == [
            "x0 = o: P (4.0)",
            "x0 = r",
            "|   x2 = n: P (3.0)",
            "|   x2 = y: N (2.0)",
            "x0 = s",
            "|   x1 = h: N (3.0)",
            "|   x1 = n: P (2.0)",
        ]

    def test_a_cut_is_put_on_a_training_value(self):
        model = C45().fit([[1.0], [2.0], [3.0], [6.0], [7.0], [8.0]], [0, 0, 0, 1, 1, 1])
        assert model.to_text().startswith("x0 <= 3: 0 (3.0)")
        assert model.predict([[4.4], [2.9]]).tolist() == [1, 0]

    def test_a_missing_value_goes_down_every_branch(self):
        X = Table.build([[0.0]] * 6 + [[1.0]] * 3 + [[np.nan]], [("a", "b")])
        model = C45(pruned=False).fit(X, [0] * 6 + [1] * 3 + [0])
        # the tenth example is two thirds an a, one third a b
        assert model.to_text().splitlines() == ["x0 = a: 0 (6.67)", "x0 = b: 1 (3.33/0.33)"]
        expected = [(20 / 3) / 10 + (1 / 3) * (1 / 10), (1 / 3) * (9 / 10)]
        np.testing.assert_allclose(model.predict_proba(Table.build([[np.nan]], [("a", "b")])), [expected])

    def test_a_value_without_training_examples_answers_as_its_parent(self):
        X = Table.build([[0.0]] * 6 + [[1.0]] * 3, [("a", "b", "c")])
        model = C45().fit(X, [0] * 6 + [1] * 3)
        assert model.to_text().splitlines()[2] == "x0 = c: 0 (0.0)"
        np.testing.assert_allclose(model.predict_proba(Table.build([[2.0]], [("a", "b", "c")])), [[6 / 9, 3 / 9]])

    def test_an_unknown_value_counts_as_missing(self):
        model = C45().fit(Table.build([[0.0]] * 6 + [[1.0]] * 3, [("a", "b")]), [0] * 6 + [1] * 3)
        new = Table.build([[0.0], [1.0]], [("z", "b")])
        np.testing.assert_allclose(model.predict_proba(new), [[6 / 9, 3 / 9], [0, 1]], atol=1e-12)
        assert model.predict(new).tolist() == [0, 1]

    def test_min_instances(self):
        X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
        assert C45(min_instances=3).fit(X, y).to_text() == ": 0 (4.0/2.0)"
        assert len(C45(min_instances=2).fit(X, y).tree_.total) == 3

    def test_ties_between_classes_go_to_the_first(self):
        model = C45().fit([[0.0], [0.0]], ["b", "a"])
        assert model.predict([[0.0]]).tolist() == ["a"]
        assert C45().fit([[0.0], [0.0]], ["b", "a"], classes=["b", "a"]).predict([[0.0]]).tolist() == ["b"]

    @pytest.mark.parametrize(
        ("X", "y", "text"),
        [
            ([[np.nan], [np.nan], [np.nan]], [0, 1, 1], ": 1 (3.0/1.0)"),
            ([[1.0], [2.0], [3.0]], [5, 5, 5], ": 5 (3.0)"),
            ([[4.0], [4.0], [4.0]], [0, 1, 0], ": 0 (3.0/1.0)"),
            ([[4.0]], [1], ": 1 (1.0)"),
        ],
    )
    def test_nothing_to_test(self, X, y, text):
        model = C45().fit(X, y)
        assert model.to_text() == text
        assert (model.predict(X) == model.predict(X)[0]).all()

    def test_a_tree_deeper_than_pythons_stack_is_printed(self):
        model = C45(pruned=False, collapse=False, min_instances=1).fit(np.eye(250), range(250))
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(len(inspect.stack(0)) + 100)
        try:
            lines = model.to_text().splitlines()
        finally:
            sys.setrecursionlimit(usual)
        assert len(lines) == 2 * 249

    @pytest.mark.parametrize("plain", [False, True])
    def test_large_trees_get_room(self, plain, monkeypatch):
        tools = PLAIN if plain else compiled_tools()
        rng = np.random.default_rng(3)
        n, width = 60, 40
        values = rng.integers(0, width, (n, 4)).astype(float)
        values[rng.random((n, 4)) < 0.5] = np.nan
        y = rng.integers(0, 3, n)
        data, rule = (
            columns(values, np.full(4, width), y, 3, survey),
            C45(pruned=False, collapse=False, min_instances=1)._rule(),
        )
        new_room, sizes = fit.new_room, []

        def noted(data, room, tables):
            sizes.append(room)
            return new_room(data, room, tables)

        monkeypatch.setattr(fit, "new_room", noted)
        tree = fit_tree(data, rule, tools)
        assert sizes[:2] == [1, 2]
        monkeypatch.setattr(fit, "new_room", lambda data, room, tables: new_room(data, 64 * room, tables))
        for part, whole in zip(fit_tree(data, rule, tools)[:8], tree[:8], strict=True):
            np.testing.assert_array_equal(part, whole)


class TestPruning:
    @pytest.mark.parametrize("n", [1, 6, 9, 100])
    def test_a_leaf_without_errors_has_the_exact_limit(self, n):
        # the upper limit of 0 errors among n: Quinlan (1993), page 41, has .206 for 6 and .143 for 9
        model = C45().fit(np.zeros((n, 1)), np.zeros(n))
        rule = model._rule()
        assert extra_errors(float(n), 0.0, rule.confidence, rule.z) / n == pytest.approx(beta.ppf(0.75, 1, n))

    @pytest.mark.parametrize("confidence", [0.5, 0.25, 0.1, 0.01, 1e-4, 1e-6])
    def test_more_examples_are_never_expected_to_make_fewer_errors(self, confidence):
        # a trial of raising relies on it when it ends before all examples have been sent down
        rule = C45(confidence=confidence)._rule()
        table = estimates(400, rule.confidence, rule.z, fill_estimates)
        wrong = np.arange(table.shape[1])
        for size in range(1, 400):
            here, possible = table[size], wrong <= size
            assert (table[size + 1] >= here - 1e-12)[possible].all()
            assert (table[size + 1][1:] >= here[:-1] - 1e-12)[possible[:-1]].all()

    def test_less_confidence_prunes_more(self):
        rng = np.random.default_rng(0)
        X = Table.build(rng.integers(0, 3, (300, 6)), [("a", "b", "c")] * 6)
        y = (X.values[:, 0] > 1) ^ (rng.random(300) < 0.2)
        leaves = [
            C45(confidence=c, subtree_raising=False).fit(X, y).to_text().count("\n") for c in (0.5, 0.25, 0.05, 0.001)
        ]
        assert sorted(leaves, reverse=True) == leaves
        assert leaves[0] > leaves[-1]
        assert C45(pruned=False).fit(X, y).to_text().count("\n") >= leaves[0]

    def test_without_pruning_and_collapse_every_pure_split_stays(self):
        X = np.array([[0.0]] * 4 + [[1.0]] * 4)
        y = [0, 0, 0, 1, 0, 0, 0, 0]
        assert C45(pruned=False).fit(X, y).to_text() == ": 0 (8.0/1.0)"
        assert len(C45(pruned=False, collapse=False, stopping=1.0).fit(X, y).tree_.total) == 3


def in_the_same_order(columns, rng):
    """Columns with other numbers in the same order: whole ones, fractions, whole ones far apart, negative ones."""
    yield columns
    yield columns / 8
    yield columns * 1e6
    yield columns - 7 * rng.integers(1, 5, columns.shape[1])


class TestSorting:
    def test_numbers_as_far_apart_as_numbers_can_be(self):
        model = C45().fit([[-1.7e308], [1.7e308], [1e308], [-1e308]], [0, 1, 1, 0])
        assert model.predict([[-1.5e308], [1.5e308]]).tolist() == [0, 1]

    @given(seed=st.integers(0, 10**6), n=st.integers(4, 200), width=st.integers(2, 30), gaps=st.booleans())
    def test_whole_numbers_sorted_by_counting_give_the_tree_of_other_numbers(self, seed, n, width, gaps):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, width, (n, 3)).astype(float)
        X[rng.random((n, 3)) < 0.1 * gaps] = np.nan
        y = rng.integers(0, 3, n) + (np.nan_to_num(X[:, 0]) > width / 2)
        trees = [C45().fit(values, y).tree_ for values in in_the_same_order(X, rng)]
        for other in trees[1:]:
            for name in ("attribute", "son", "branches", "counts"):
                np.testing.assert_array_equal(getattr(other, name), getattr(trees[0], name))


class TestStopping:
    def table(self, a, b, c, d):
        """Examples of two nominal values and two classes with the given counts."""
        values = np.repeat([0.0, 0.0, 1.0, 1.0], [a, b, c, d])[:, None]
        return Table.build(values, [("a", "b")]), np.repeat([0, 1, 0, 1], [a, b, c, d])

    @pytest.mark.parametrize("cells", [(5, 1, 2, 6), (3, 0, 1, 4), (10, 9, 8, 12), (2, 1, 1, 2)])
    def test_the_level_is_fishers_point_probability(self, cells):
        a, b, c, d = cells
        X, y = self.table(*cells)
        level = hypergeom.pmf(a, a + b + c + d, a + b, a + c)
        for factor, size in ((1.001, 3), (0.999, 1)):
            stopped = C45(stopping=level * factor, pruned=False, collapse=False, min_instances=1)
            assert len(stopped.fit(X, y).tree_.total) == size

    def test_the_least_probable_table_is_tested(self):
        X1, y = self.table(8, 2, 2, 8)
        values = np.column_stack([np.roll(X1.values[:, 0], 5), X1.values[:, 0]])
        model = STOPPED.fit(Table.build(values, [("a", "b")] * 2), y)
        assert model.tree_.attribute[0] == 1

    def test_a_level_of_one_never_stops(self):
        rng = np.random.default_rng(1)
        X = Table.build(rng.integers(0, 3, (50, 4)), [("a", "b", "c")] * 4)
        y = rng.integers(0, 2, 50)
        unpruned = C45(stopping=1.0, pruned=False, collapse=False, min_instances=1).fit(X, y)
        same = [(X.values == row).all(axis=1) for row in X.values]
        best = np.array([max(np.bincount(y[s])) for s in same])
        own = np.array([(y[s] == unpruned.predict(X[s])[0]).sum() for s in same])
        np.testing.assert_array_equal(own, best)
        assert len(STOPPED.fit(X, y).tree_.total) < len(unpruned.tree_.total)


class TestBadInput:
    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"confidence": 0.6}, "confidence must be above 0 and at most 0.5, got 0.6"),
            ({"confidence": 0}, "confidence must be strictly between 0 and 1, got 0"),
            ({"pruned": "no"}, "pruned must be True or False, got 'no'"),
            ({"collapse": None}, "collapse must be True or False, got None"),
            ({"min_instances": 0}, "min_instances must be a whole number of at least 1, got 0"),
            ({"stopping": 0.0}, "stopping must be None or above 0 and at most 1, got 0.0"),
        ],
    )
    def test_parameters(self, parameters, message):
        with pytest.raises(InvalidInput, match=message):
            C45(**parameters).fit([[0.0], [1.0]], [0, 1])

    def test_infinite_values(self):
        with pytest.raises(InvalidInput, match="infinite"):
            C45().fit([[0.0], [np.inf]], [0, 1])

    def test_by_name(self):
        assert create("c45(confidence=0.1, pruned=False)").get_params()["confidence"] == 0.1
