"""Win rates and strengths: AlpacaEval's published rates, choix, closed forms, and what must hold of any votes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.papers_data import data_folder
from scipy import optimize

from foldwise import inference as inf
from foldwise.core.errors import InvalidInput

ALPACA = data_folder().parent / "truth" / "alpaca_eval"

votes = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=30)


@pytest.mark.skipif(not ALPACA.is_dir(), reason="AlpacaEval's published votes are not on this machine")
@pytest.mark.parametrize("model", ["claude-2.1", "gemma-7b-it"])
def test_alpaca_eval_has_its_published_rate_and_error(model):
    rows = json.loads((ALPACA / f"{model}.json").read_text())
    found = inf.win_rate([row["preference"] - 1 for row in rows])
    table = (ALPACA / "published.csv").read_text().splitlines()
    published = dict(zip(table[0].split(","), next(r for r in table if r.startswith(model)).split(","), strict=True))
    assert 100 * found.rate == pytest.approx(float(published["win_rate"]), abs=1e-9)
    assert 100 * found.standard_error == pytest.approx(float(published["standard_error"]), abs=1e-9)


@given(votes)
def test_exchanging_the_models_turns_the_rate(given_votes):
    a, b = inf.win_rate(given_votes), inf.win_rate(1 - np.array(given_votes))
    assert a.rate == pytest.approx(1 - b.rate)
    assert (a.wins, a.ties, a.losses) == (b.losses, b.ties, b.wins)
    assert a.pvalue == pytest.approx(b.pvalue)


@given(votes)
def test_clusters_of_one_vote_are_no_clusters(given_votes):
    plain, alone = inf.win_rate(given_votes), inf.win_rate(given_votes, groups=np.arange(len(given_votes)))
    assert alone.standard_error == pytest.approx(plain.standard_error)
    assert alone.df == pytest.approx(plain.df)


def test_votes_given_twice_are_not_twice_the_evidence():
    once = np.array([1, 1, 0, 1, 0.5, 1, 0, 1])
    groups = np.tile(np.arange(8), 2)
    twice = inf.win_rate(np.tile(once, 2), groups=groups)
    assert twice.pvalue == pytest.approx(inf.win_rate(once).pvalue)
    crossed = inf.win_rate(np.tile(once, 2), groups=groups, also=np.repeat([0, 1], 8))
    assert crossed.standard_error >= twice.standard_error


def test_five_annotators_are_five_pieces_of_evidence():
    """Annotators with tastes of their own: votes taken as independent reject far too often, clusters do not."""
    rng = np.random.default_rng(3)
    taste = 1 / (1 + np.exp(-rng.normal(0, 1.5, size=(1500, 5))))
    drawn = (rng.random((1500, 5, 20)) < taste[..., None]).reshape(1500, 100).astype(float)
    groups = np.repeat(np.arange(5), 20)
    clustered = np.mean([inf.win_rate(row, groups=groups).pvalue < 0.05 for row in drawn])
    alone = np.mean([inf.win_rate(row).pvalue < 0.05 for row in drawn])
    assert clustered < 0.085  # .069: five means of a wide law are not quite normal
    assert alone > 0.25


def random_votes(seed, *, k=5, n=400, ties=0.0, first=0.0):
    rng = np.random.default_rng(seed)
    true = rng.normal(size=k)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    lead = true[a] - true[b] + first
    logs = np.stack([lead / 2, -lead / 2, np.full(n, np.log(ties) if ties else -np.inf)], axis=1)
    p = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    drawn = np.array([rng.choice(3, p=row) for row in p])
    return np.array([f"m{i}" for i in a]), np.array([f"m{i}" for i in b]), np.array([1.0, 0.0, 0.5])[drawn]


def test_without_ties_the_strengths_are_those_of_choix():
    import choix

    a, b, v = random_votes(1)
    found = inf.strengths(a, b, v)
    index = {name: i for i, name in enumerate(found.names)}
    data = [(index[x], index[y]) if w else (index[y], index[x]) for x, y, w in zip(a, b, v, strict=True)]
    theirs = choix.opt_pairwise(5, data, tol=1e-12)
    assert found.strengths == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def votes_by_formula():
    """Those of tests/reference/generators/votes.R."""
    r = np.arange(240)
    a = r % 4
    b = (a + 1 + r // 4 % 3) % 4
    score = (r**2 + 5 * r) % 19 + 2 * (b - a)
    return a.astype(str), b.astype(str), np.where(score > 10, 1.0, np.where(score > 7, 0.5, 0.0)), 1 - 2 * (r % 5 > 2)


def reference(name):
    lines = (Path(__file__).parents[1] / "reference" / name).read_text().splitlines()[1:]
    return {name: float(value) for name, value in (line.split("\t") for line in lines)}


def test_strengths_order_and_ties_are_those_of_r():
    """BradleyTerry2 without ties; Davidson's model as a log-linear one by glm."""
    theirs = reference("votes.tsv")
    a, b, v, first = votes_by_formula()
    assert [(v == value).sum() for value in (1, 0.5, 0)] == [theirs[f"counts[{i}]"] for i in range(3)]
    decided = v != 0.5
    for part, kept in (("decided", decided), ("davidson", decided | True)):
        found = inf.strengths(a[kept], b[kept], v[kept], order=first[kept])
        expected = [theirs[f"{part}.strengths[{i}]"] for i in range(3)]
        assert found.strengths[1:] - found.strengths[0] == pytest.approx(expected, abs=1e-8)
        assert found.first[0] == pytest.approx(theirs[f"{part}.first[0]"], abs=1e-8)
    assert found.tie[0] == pytest.approx(theirs["davidson.tie[0]"], abs=1e-8)


def test_ties_as_half_a_win_and_half_a_loss_give_the_strengths_of_evalica_and_arena_rank():
    """evalica 0.4.2: log of bradley_terry(a, b, winners, tie_weight=0.5, tolerance=1e-14).scores, of the same votes.

    arena-rank's sandwich has no correction for the strengths being estimated, which is about 1 % with so many votes.
    """
    theirs = [-0.512621338706114, -0.960187232762509, -1.560464064960339]
    a, b, v, _ = votes_by_formula()
    halves = np.concatenate([v, 1 - v])
    kept, won = halves > 0, np.repeat([1.0, 0.0], 240)
    found = inf.strengths(np.tile(a, 2)[kept], np.tile(b, 2)[kept], won[kept], weights=halves[kept],
                          groups=np.tile(np.arange(240), 2)[kept])  # fmt: skip
    assert found.strengths[1:] - found.strengths[0] == pytest.approx(theirs, abs=1e-10)
    arena, decided = reference("arena.tsv"), v != 0.5
    alone = inf.strengths(a[decided], b[decided], v[decided])
    for part, ours in (("all", found), ("decided", alone)):
        strengths, variances = ([arena[f"{part}.{what}[{i}]"] for i in range(4)] for what in ("strengths", "variances"))
        assert ours.strengths == pytest.approx(strengths, abs=1e-9)
        ratio = np.diagonal(ours.covariance) / variances
        assert ((ratio > 1) & (ratio < 1.015)).all()


def test_with_ties_and_order_it_is_the_top_of_the_likelihood():
    a, b, v = random_votes(2, ties=0.8, first=0.4)
    found = inf.strengths(a, b, v, order=np.ones(len(a)))
    index = {name: i for i, name in enumerate(found.names)}
    i, j = np.array([index[x] for x in a]), np.array([index[x] for x in b])
    kind = np.where(v == 1, 0, np.where(v == 0, 1, 2))

    def loss(theta):
        s, tie, first = np.concatenate([theta[:4], [-theta[:4].sum()]]), theta[4], theta[5]
        pi, pj = np.exp(s[i] + first), np.exp(s[j])
        both = np.exp(tie) * np.sqrt(pi * pj)
        chance = np.stack([pi, pj, both]) / (pi + pj + both)
        return -np.log(chance[kind, np.arange(len(i))]).sum()

    best = optimize.minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-8})
    assert found.strengths[:4] == pytest.approx(best.x[:4], abs=1e-4)
    assert found.tie[0] == pytest.approx(best.x[4], abs=1e-4)
    assert found.first[0] == pytest.approx(best.x[5], abs=1e-4)


def test_two_models_have_the_closed_form():
    found = inf.strengths(["x"] * 10, ["y"] * 10, [1] * 7 + [0] * 3)
    assert found.strengths[0] - found.strengths[1] == pytest.approx(np.log(7 / 3))
    difference, error = found.differences()
    assert difference[0, 1] == pytest.approx(np.log(7 / 3))
    # the sandwich of independent votes: 1/(n p q), with n/(n − 1)
    assert error[0, 1] == pytest.approx(np.sqrt(1 / (10 * 0.21) * 10 / 9))


@settings(max_examples=15)
@given(st.integers(0, 1000))
def test_names_sides_and_rows_do_not_matter(seed):
    a, b, v = random_votes(seed, k=4, n=150, ties=0.5)
    found = inf.strengths(a, b, v)
    turned = np.random.default_rng(seed).random(len(a)) < 0.5
    order = np.random.default_rng(seed + 1).permutation(len(a))
    other = inf.strengths(
        np.where(turned, b, a)[order], np.where(turned, a, b)[order], np.where(turned, 1 - v, v)[order]
    )
    assert other.strengths == pytest.approx(found.strengths, abs=1e-8)
    assert other.covariance == pytest.approx(found.covariance, abs=1e-8)


def test_votes_in_clusters_given_twice_have_the_error_of_once():
    a, b, v = random_votes(5)
    once = inf.strengths(a, b, v)
    twice = inf.strengths(*(np.tile(x, 2) for x in (a, b, v)), groups=np.tile(np.arange(len(a)), 2))
    assert twice.covariance == pytest.approx(once.covariance)
    weighted = inf.strengths(a, b, v, weights=np.full(len(a), 3.0))
    assert weighted.covariance == pytest.approx(once.covariance)


def test_intervals_hold_what_they_should():
    """500 tournaments of equal models: intervals of 95 % hold the true strength 0."""
    rng = np.random.default_rng(8)
    held = []
    for _ in range(500):
        a = rng.integers(0, 4, 200)
        b = (a + rng.integers(1, 4, 200)) % 4
        span = inf.strengths(a, b, rng.choice([0, 0.5, 1], 200)).intervals(0.95)
        held.append((span.low < 0) & (span.high > 0))
    assert np.mean(held) == pytest.approx(0.95, abs=0.015)


def test_the_few_votes_that_decide_do_decide():
    a, b, v = np.array(["x"] * 41), np.array(["y"] * 41), np.array([1.0] * 22 + [0.0] * 19)
    found = inf.decisive_votes(inf.strengths(a, b, v))
    assert (found.top, found.second) == ("x", "y")
    kept = np.setdiff1d(np.arange(41), found.left_out)
    left = inf.strengths(a[kept], b[kept], v[kept])
    assert left.strengths[0] < left.strengths[1]
    assert found.share == len(found.left_out) / 41
    sure = inf.decisive_votes(inf.strengths(a, b, np.array([1.0] * 38 + [0.0] * 3)))
    assert sure.left_out == ()


@pytest.mark.parametrize(
    ("a", "b", "v", "message"),
    [
        (["x", "x"], ["y", "x"], [1, 0], "vote 1 is 'x' against itself"),
        (["x", "x"], ["y", "y"], [1, 2], "between 0"),
        (["x", "x"], ["y", "y"], [1, 1], "'x' never loses"),
        (["x", "x", "z", "z"], ["y", "y", "w", "w"], [1, 0, 1, 0], "none connects .* and .*"),
        (["x"], ["y", "y"], [1, 0], "one model per vote"),
    ],
)
def test_bad_votes_are_named(a, b, v, message):
    with pytest.raises(InvalidInput, match=message):
        inf.strengths(a, b, v)


def test_a_penalty_gives_strengths_where_a_model_never_loses():
    found = inf.strengths(["x", "x"], ["y", "y"], [1, 1], penalty=0.1)
    assert 0 < found.strengths[0] < 10


@pytest.mark.parametrize("bad", [[], [1.5], [[1, 0]]])
def test_a_win_rate_needs_votes_between_0_and_1(bad):
    with pytest.raises(InvalidInput, match="votes must"):
        inf.win_rate(bad)


def test_votes_that_all_agree_have_no_made_up_certainty():
    found = inf.win_rate([1, 1, 1])
    assert found.degenerate
    assert found.rate == 1
