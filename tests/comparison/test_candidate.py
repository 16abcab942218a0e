"""Who is compared with whom, in Python: one meaning of candidate, baseline and control for every verb."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.cli.main import main
from foldwise.core.errors import InvalidInput, UnknownName

MIRRORED = {"superior": {"inferior"}, "inferior": {"superior"}, "equivalent": {"equivalent"},
            "non-inferior": {"undecided"}, "undecided": {"undecided", "non-inferior"}}  # fmt: skip
rights = st.integers(0, 2**32 - 1).map(lambda seed: np.random.default_rng(seed))


def models(rng, n=120):
    """Three models of different quality, right or wrong."""
    return {name: (rng.random(n) < rng.choice([0.5, 0.75, 0.8])).astype(int) for name in ("x", "y", "z")}


def table(rng):
    values = rng.uniform(0.5, 0.7, (12, 1)) + rng.choice([0, 0.01, 0.1], 3) + rng.normal(0, 0.01, (12, 3))
    return dict(zip("xyz", values.T, strict=True))


def by_models(given, **options):
    return fw.compare_predictions(None, given, metric="accuracy", margin="2pt", **with_options(options))


def by_table(given, **options):
    return fw.compare_table(given, metric="accuracy", margin="2pt", **with_options({**options, "bayes": "none"}))


VERBS = {"models": (models, by_models), "table": (table, by_table)}


@pytest.mark.parametrize("verb", VERBS)
@settings(max_examples=15)
@given(rights)
def test_exchanged_roles_mirror_the_conclusion_and_the_order_given_does_not_matter(verb, rng):
    make, compare = VERBS[verb]
    made = make(rng)
    there = compare(made, candidate="x", baseline="y")
    back = compare(made, candidate="y", baseline="x")
    (claim,), (other,) = there.claims(), back.claims()
    assert (claim.candidate, claim.baseline) == ("x", "y") == (other.baseline, other.candidate)
    assert other.conclusion in MIRRORED[claim.conclusion]
    assert claim.better == other.better
    turned = dict(reversed(made.items()))
    assert compare(turned, candidate="x", baseline="y").claims() == there.claims()


@pytest.mark.parametrize("verb", VERBS)
def test_a_baseline_is_a_control(verb):
    make, compare = VERBS[verb]
    made = make(np.random.default_rng(3))
    by_baseline, by_control = compare(made, baseline="y"), compare(made, control="y")
    assert by_baseline.to_dict() == by_control.to_dict()
    assert [claim.candidate for claim in by_baseline.claims()] == ["x", "z"]
    assert compare(made, candidate=["z", "x"], baseline="y").control == "y"


@pytest.mark.parametrize("verb", VERBS)
def test_who_is_candidate_is_kept_with_the_answer(verb):
    make, compare = VERBS[verb]
    made = make(np.random.default_rng(3))
    (said,) = [one for one in compare(made, candidate="x", baseline="z").reading if one.what == "candidate"]
    assert (said.value, said.how) == ("x is the candidate, z the baseline", "declared")
    two = {name: made[name] for name in "xz"}
    (assumed,) = [one for one in compare(two).reading if one.what == "candidate"]
    assert assumed.how == "assumed"
    assert "x is the candidate, z the baseline (if not: " in " ".join(str(compare(two)).split())


@pytest.mark.parametrize("verb", VERBS)
def test_a_third_model_that_is_not_asked_about_changes_nothing(verb):
    make, compare = VERBS[verb]
    made = make(np.random.default_rng(5))
    two = compare({name: made[name] for name in "xy"}, candidate="x", baseline="y")
    three = compare({**made, "copy": made["y"]}, candidate="x", baseline="y")
    assert two.claims() == three.claims()
    # a copy of the baseline is never better or worse than it, and the candidate keeps its direction
    held = compare({"x": made["x"], "y": made["y"], "copy": np.array(made["y"])}, baseline="y")
    by_name = {claim.candidate: claim for claim in held.claims()}
    assert by_name["copy"].better is None
    assert by_name["copy"].conclusion in ("equivalent", "undecided")
    assert by_name["x"].better in (two.claims()[0].better, None)  # adjusted for one more comparison


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("options", "message"), [
    ({"candidate": "w"}, "unknown candidate 'w'"),
    ({"baseline": "w"}, "unknown baseline 'w'"),
    ({"candidate": "x"}, "baseline must name the model that 'x' is compared with: y, z"),
    ({"candidate": "x", "baseline": "x"}, "candidate and baseline must be different models, but both are 'x'"),
    ({"control": "x", "baseline": "y"}, "control and baseline must name one model, got 'x' and 'y'"),
])  # fmt: skip
def test_roles_that_can_not_be(verb, options, message):
    make, compare = VERBS[verb]
    with pytest.raises((InvalidInput, UnknownName), match=message):
        compare(make(np.random.default_rng(0)), **options)


def test_learners_take_roles_too():
    from sklearn.datasets import load_iris

    x, y = load_iris(return_X_y=True)
    m = fw.compare(["majority", "nb", "1nn"], x, y, runs=1, folds=5, candidate="majority", baseline="nb", margin="5pt")
    assert m.names == ("majority", "nb")
    assert [claim.conclusion for claim in m.claims()] == ["inferior"]


def test_a_margin_that_no_difference_exceeds_is_refused_with_the_spelling_that_was_meant():
    right = np.array([1, 0] * 30)
    with pytest.raises(InvalidInput, match=r"got 1: write '1pt' \(--margin 1pt\) for 1 point"):
        fw.compare_predictions(None, {"a": right, "b": right[::-1]}, metric="accuracy", margin=1)


def data_sets(count=6):
    """Data sets on which naive Bayes finds something, and the most frequent class is half of the examples."""
    rng = np.random.default_rng(4)
    found = []
    for i in range(count):
        y = np.arange(60) % 2
        x = np.c_[rng.normal(2 * y, 1), rng.normal(size=60)]
        path = "\n".join(["a,b,class", *(f"{a:.3f},{b:.3f},{'yn'[c]}" for (a, b), c in zip(x, y, strict=True))])
        found.append((f"d{i}", path + "\n"))
    return found


@pytest.mark.parametrize(
    "roles", [{"candidate": "majority", "baseline": "nb"}, {"candidate": "nb", "baseline": "majority"}]
)
@pytest.mark.parametrize("order", [["nb", "majority"], ["majority", "nb"]])
def test_learners_on_data_sets_have_a_candidate_whatever_their_order(tmp_path, capsys, roles, order):
    files = []
    for name, text in data_sets():
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text(text)
    better = roles["candidate"] == "nb"
    c = fw.compare(
        order,
        [fw.load(file) for file in files],
        folds=3,
        runs=1,
        margin="2pt",
        **roles,
        options=fw.Options(bayes="none"),
    )
    (claim,) = c.claims()
    assert (claim.candidate, claim.baseline) == (roles["candidate"], roles["baseline"])
    assert claim.conclusion == ("superior" if better else "inferior")
    words = ["compare", *order, "--data", *map(str, files), "--folds", "3", "--runs", "1", "--margin", "2pt"]
    words += [word for role, name in roles.items() for word in (f"--{role}", name)]
    code = 0
    try:
        main([*words, "--fail-if", "inferior"])
    except SystemExit as left:
        code = left.code
    assert code == (0 if better else 1), capsys.readouterr().err
