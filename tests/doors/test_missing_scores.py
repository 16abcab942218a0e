"""Missing scores of splits and data sets, under the same three policies as missing marks of items."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result

NAN = float("nan")


def grid(seed=0, runs=4, folds=5):
    rng = np.random.default_rng(seed)
    return 0.7 + 0.1 * rng.random((2, runs, folds))


def long_scores(path, scores, lost=(), absent=False):
    rows = ["learner,run,fold,accuracy"]
    for m, r, f in np.ndindex(scores.shape):
        if (m, r, f) in lost and absent:
            continue
        rows.append(f"m{m},{r},{f}," + ("" if (m, r, f) in lost else f"{scores[m, r, f]:.6f}"))
    path.write_text("\n".join(rows) + "\n")
    return path


def test_scores_are_refused_dropped_or_the_worst():
    scores = grid()
    scores[0, 2, 3] = NAN
    with pytest.raises(InvalidInput, match=r"scores\['a'\]\[2, 3\] is nan"):
        fw.compare_scores({"a": scores[0], "b": scores[1]})
    dropped = fw.compare_scores({"x": scores[0], "y": scores[1]}, missing="drop")
    rest = fw.compare_scores({"a": np.delete(scores[0], 3, 1), "b": np.delete(scores[1], 3, 1)})
    assert (dropped.estimate, dropped.pvalue) == (rest.estimate, rest.pvalue)  # a fold of all runs, not a run of five
    assert any("missing values: x 1, y 0; 4 splits left out for all models" in caveat for caveat in dropped.caveats)
    worst = fw.compare_scores({"a": scores[0], "b": scores[1]}, missing="worst", metric="accuracy")
    assert worst.pairs[0].means[0] == pytest.approx(np.nansum(scores[0]) / 20)
    assert [one.how for one in worst.reading if one.what == "missing"] == ["declared"]
    with pytest.raises(InvalidInput, match="has no lower limit that its name tells: give bounds"):
        fw.compare_scores({"a": scores[0], "b": scores[1]}, missing="worst")
    again = Result.from_dict(dropped.to_dict())
    assert again.to_dict() == dropped.to_dict()


def test_a_vector_of_many_scores_is_no_cross_validation_for_its_gaps():
    scores = grid(runs=1, folds=12)[:, 0]
    scores[0, :2] = NAN
    with pytest.raises(InvalidInput, match="n_train and n_test are needed"):
        fw.compare_scores({"a": scores[0], "b": scores[1]}, missing="drop")
    assert (
        fw.compare_scores({"a": scores[0], "b": scores[1]}, missing="drop", n_train=90, n_test=10).evidence.a.size == 10
    )
    with pytest.raises(InvalidInput, match="leaves too few"):
        fw.compare_scores({"a": [NAN, 0.5, 0.4], "b": [0.1, NAN, 0.3]}, missing="drop")


@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.parametrize("policy", ["drop", "worst"])
def test_the_command_agrees_with_python_and_judge(run, tmp_path, policy, absent):
    scores, lost = grid(), {(0, 2, 3), (1, 2, 4)}
    path = long_scores(tmp_path / "s.csv", scores, lost, absent)
    assert run("scores", path)[0] == 2
    told = json.loads(run("scores", path, "--missing", policy, "--json")[1])
    judged = json.loads(run("judge", path, "--missing", policy, "--json")[1])["verdicts"][""]
    holed = scores.round(6)
    for place in lost:
        holed[place] = NAN
    direct = fw.compare_scores({"a": holed[0], "b": holed[1]}, metric="accuracy", missing=policy)
    for pvalue in (told["pvalue"], judged["pvalue"]):
        assert pvalue == pytest.approx(direct.pvalue)
    assert "missing values: m0 1, m1 1" in " ".join(run("scores", path, "--missing", policy)[1].lower().split())


def table(lost=((2, 1),), seed=1, rows=12, learners=3):
    values = 0.6 + 0.3 * np.random.default_rng(seed).random((rows, learners))
    for place in lost:
        values[place] = NAN
    return values


def test_tables_are_refused_dropped_or_the_worst(run, tmp_path):
    values = table()
    with pytest.raises(InvalidInput, match="there is none for learner 2 on data set 3; leave such data sets out with"):
        fw.compare_table(values)
    dropped = fw.compare_table(values, missing="drop")
    rest = fw.compare_table(np.delete(values, 2, 0), tasks=[f"data set {i + 1}" for i in range(12) if i != 2])
    assert dropped.table.datasets == rest.table.datasets
    assert [pair.pvalue for pair in dropped.pairs] == [pair.pvalue for pair in rest.pairs]
    told = "missing values: learner 1 0, learner 2 1, learner 3 0; 1 data set left out for all models"
    assert any(told in caveat for caveat in dropped.caveats)
    worst = fw.compare_table(values, missing="worst", metric="accuracy")
    assert worst.table.values[2, 1] == 0.0
    loss = fw.compare_table(values, missing="worst", metric="error")
    assert loss.table.values[2, 1] == 1.0
    with pytest.raises(InvalidInput, match="give bounds"):
        fw.compare_table(values, missing="worst", metric="rmse")
    splits = np.repeat(values[:, :, None], 4, axis=2)
    splits[:, :, 1:] = table(lost=())[:, :, None]
    assert fw.compare_table(splits, missing="drop", n_train=90, n_test=10).table.values.shape == (11, 3, 4)
    path = tmp_path / "t.csv"
    lines = [f"d{i}," + ",".join("" if np.isnan(v) else f"{v:.5f}" for v in row) for i, row in enumerate(values)]
    path.write_text("data,a,b,c\n" + "\n".join(lines) + "\n")
    assert run("table", path)[0] == 2
    assert "a 0, b 1, c 0; 1 data set left out" in " ".join(run("table", path, "--missing", "drop")[1].split())
    kept = json.loads(run("table", path, "--missing", "worst", "--bounds", "0", "1", "--json")[1])
    assert [one["how"] for one in kept["reading"] if one["what"] == "missing"] == ["declared"]
    assert "a 0, b 1, c 0" in next(one["value"] for one in kept["reading"] if one["what"] == "missing")


@st.composite
def holed(draw):
    """Right and wrong of two models on items, some of them missing but never all in common."""
    items = draw(st.integers(8, 30))
    cell = st.sampled_from([0.0, 1.0, 0.0, 1.0, NAN])
    marks = [draw(st.lists(cell, min_size=items, max_size=items)) for _ in range(2)]
    marks[0][0] = marks[1][0] = 1.0
    marks[0][1], marks[1][1] = 0.0, 1.0
    return np.array(marks), draw(st.permutations(range(items)))


@settings(deadline=None)
@given(holed(), st.sampled_from(["drop", "worst"]))
def test_rows_items_and_models_in_any_order_say_the_same(problem, policy):
    (a, b), order = problem
    words = {"metric": "accuracy", "missing": policy}
    c = fw.compare_predictions(None, {"a": a, "b": b}, **with_options(words))
    shuffled = fw.compare_predictions(None, {"a": a[list(order)], "b": b[list(order)]}, **with_options(words))
    assert (shuffled.estimate, shuffled.pvalue) == (pytest.approx(c.estimate), pytest.approx(c.pvalue))
    swapped = fw.compare_predictions(None, {"a": b, "b": a}, **with_options(words))
    assert (swapped.estimate, swapped.pvalue) == (pytest.approx(-c.estimate), pytest.approx(c.pvalue))
    named = fw.compare_predictions(
        None,
        {"a": {f"q{i}": a[i] for i in range(len(a))}, "b": {f"q{i}": b[i] for i in reversed(range(len(b)))}},
        **words,
    )
    other = fw.compare_predictions(
        None, {"a": {-i: a[i] for i in range(len(a))}, "b": {-i: b[i] for i in range(len(b))}}, **words
    )
    for again in (named, other):
        assert (again.estimate, again.pvalue) == (pytest.approx(c.estimate), pytest.approx(c.pvalue))
    gone = [int(np.isnan(part).sum()) for part in (a, b)]
    told = [one.value for one in c.reading if one.what == "missing"]
    assert [f"(a {gone[0]}, b {gone[1]})" in value for value in told] == [True] * bool(sum(gone))


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["drop", "worst"]))
def test_learners_and_data_sets_in_any_order_say_the_same(seed, policy):
    rng = np.random.default_rng(seed)
    values = table(lost=[(int(rng.integers(12)), int(rng.integers(3))) for _ in range(2)], seed=seed)
    words = {"metric": "accuracy", "missing": policy, "bayes": "none"}
    found = fw.compare_table(dict(zip("abc", values.T, strict=True)), **with_options(words))
    rows, names = rng.permutation(12), rng.permutation(list("abc"))
    again = fw.compare_table({str(name): values[rows, "abc".index(name)] for name in names}, **with_options(words))
    pairs = {frozenset((pair.a, pair.b)): (pair.adjusted, pair.better) for pair in found.pairs}
    assert pairs == {frozenset((p.a, p.b)): (pytest.approx(p.adjusted), p.better) for p in again.pairs}
