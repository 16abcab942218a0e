"""Ranks, the set of the best, tie groups and pairs of one comparison never contradict each other."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw

CONTROLS = st.sampled_from([None, "m0", "m2"])


def drawn(seed, k=4, n=80, spread=0.4):
    """Right and wrong answers of k models, correlated, the later ones worse."""
    rng = np.random.default_rng(seed)
    easy = rng.normal(0.7, 0.8, n)
    skills = -np.arange(k) * rng.uniform(0, spread)
    return {f"m{i}": (easy + skills[i] + rng.normal(0, 0.6, n) > 0).astype(int) for i in rng.permutation(k)}


def check(m):
    worse = {pair.worse for pair in m.pairs} - {None}
    assert {name for name, (low, _) in m.ranks.items() if low == 1} == set(m.best_set)
    assert m.ranking[0] in m.best_set
    assert not worse & set(m.best_set)
    assert all(low <= high for low, high in m.ranks.values())
    shown = {frozenset((pair.a, pair.b)) for pair in m.pairs if pair.better is not None}
    for group in m.tie_groups:
        assert not any(frozenset((a, b)) in shown for a in group for b in group)
    assert {name: set(others) for name, others in m.beaten().items()} == {
        name: {pair.worse for pair in m.pairs if pair.better == name} for name in m.names
    }


@settings(max_examples=40)
@given(st.integers(0, 10_000), CONTROLS, st.sampled_from(["holm", "max_t"]), st.sampled_from([0.01, 0.05, 0.3]))
def test_models_on_items(seed, control, adjust, alpha):
    check(fw.compare_predictions(None, drawn(seed), options=fw.Options(control=control, adjust=adjust), alpha=alpha))


@settings(max_examples=20)
@given(st.integers(0, 10_000), CONTROLS)
def test_losses_and_clusters(seed, control):
    models = {name: 1.0 - values + 0.01 * i for i, (name, values) in enumerate(drawn(seed).items())}
    groups = np.random.default_rng(seed).integers(0, 12, 80)
    check(fw.compare_predictions(None, models, options=fw.Options(control=control), metric="loss", groups=groups))


def sheet(models):
    rows = zip(*models.values(), strict=True)
    return ",".join(models) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def contradicting():
    """A control in the middle: m0 leads m3 by far, but only pairs with m1 are compared."""
    rng = np.random.default_rng(3)
    easy = rng.normal(size=150)
    return {f"m{i}": (easy + shift + rng.normal(0, 0.5, 150) > 0).astype(int)
            for i, shift in enumerate((0.45, 0.2, 0.1, 0.0))}  # fmt: skip


def test_with_a_control_only_its_pairs_rule_out(run, tmp_path):
    models = contradicting()
    m = fw.compare_predictions(None, models, options=fw.Options(control="m1"))
    check(m)
    assert m.best_set != fw.compare_predictions(None, models).best_set
    path = tmp_path / "data.csv"
    path.write_text(sheet(models))
    code, out, _ = run("predictions", path, "--truth", "none", "--control", "m1", "--json")
    assert code == 0
    found = json.loads(out)
    assert {name for name, (low, _) in found["ranks"].items() if low == 1} == set(found["best_set"])
    text = run("predictions", path, "--truth", "none", "--control", "m1", "--details")[1]
    for line in text.splitlines():
        if line.strip().startswith("1 "):
            assert " no " not in line
    assert "by the pairs with m1, which are the only ones compared" in " ".join(text.split())


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from(["wilcoxon", "ranks"]), st.sampled_from([None, "l1"]))
def test_tables(seed, posthoc, control):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.8, 0.05, (14, 1)) + rng.normal(0, 0.03, (14, 4)) + np.arange(4) * rng.uniform(0, 0.04)
    c = fw.compare_table(
        scores.clip(0, 1),
        models=[f"l{i}" for i in range(4)],
        test=posthoc,
        options=fw.Options(control=control),
        metric="accuracy",
    )
    shown = {frozenset((pair.a, pair.b)) for pair in c.pairs if pair.better is not None}
    for clique in c.tie_groups:
        assert not any(frozenset((a, b)) in shown for a in clique for b in clique)
    if c.best is not None:
        assert set(c.beaten()[c.best]) == set(c.learners) - {c.best}
    elif control is None:
        assert not any(len(others) == 3 for others in c.beaten().values())


def test_the_best_of_a_table_is_who_beats_all_others():
    """Many small wins give a the best mean rank; few large losses let Wilcoxon's test speak for b."""
    rng = np.random.default_rng(0)
    gain = np.r_[np.full(31, 0.001), np.full(29, -0.2)] + rng.normal(0, 1e-5, 60)
    b = rng.uniform(0.6, 0.8, 60)
    c = fw.compare_table(np.column_stack([b + gain, b, b - 0.3]), models=["a", "b", "c"], metric="accuracy")
    assert c.ranking[0] == "a"
    assert c.pair("a", "b").better == "b"
    assert c.best == "b"
    assert "b is best: better than each of the other 2. Mean" in str(c)
