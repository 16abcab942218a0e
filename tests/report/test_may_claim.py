"""What may be written about an answer and what may not: never more than is shown, never the opposite of it."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from verb_options import with_options

import foldwise as fw
from foldwise.comparison.rates import compare_rates
from foldwise.core.errors import InvalidInput
from foldwise.document import claim_of


def marks(*rates, n=200):
    """Marks of models with these shares of right answers, on the same items."""
    return {name: (np.arange(n) < rate * n).astype(int) for name, rate in zip("abcdef", rates, strict=False)}


def compared(marks, **options):
    return fw.compare_predictions(None, marks, metric="accuracy", **with_options(options))


def test_a_difference_that_is_shown_may_be_told_with_where_and_how():
    told = compared(marks(0.9, 0.8)).may_claim()
    assert told.may == (
        "On these 200 test examples a was better than b by accuracy (a − b 10 points; 95 % CI 6.6 to 14.9; McNemar's "
        "test (mid-p), p < 0.0001).",
    )
    assert any("about these fitted models" in one for one in told.may_not)
    assert not any("more than" in one for one in told.may_not)  # 6.6 points are more than the 1 that matters


def test_the_winner_comes_first_in_either_order():
    told = compared({"b": marks(0.9, 0.8)["b"], "a": marks(0.9, 0.8)["a"]}).may_claim()
    assert told.may[0].startswith(
        "On these 200 test examples a was better than b by accuracy (a − b 10 points; 95 % CI 6.6"
    )


def test_a_lead_larger_than_is_shown_may_not_be_told():
    told = compared(marks(0.93, 0.9)).may_claim()
    assert not any("more than" in one for one in told.may_not)  # the interval begins at 1.2 points
    told = compared(marks(0.825, 0.8)).may_claim()
    assert "a was better than b" in told.may[0]
    assert any(
        one.startswith("“a is better than b by accuracy by more than 1 point”: not shown") for one in told.may_not
    )


def test_no_difference_shown_is_neither_better_nor_equal():
    told = compared(marks(0.805, 0.8)).may_claim()
    assert "no difference between a and b was shown" in told.may[0]
    assert told.may_not[0].startswith("“a is better than b by accuracy”, or the reverse: not shown")


def test_models_that_are_shown_to_be_equivalent_are_not_called_open():
    told = compared(marks(0.5, 0.5, n=2000) | {"b": np.roll(marks(0.5, n=2000)["a"], 1)}, margin=0.05).may_claim()
    assert "is equivalent to" in told.may[-1]
    assert not any("missed" in one for one in told.may_not)


def test_what_was_assumed_belongs_to_the_sentence():
    told = fw.compare_predictions(
        None, {"a": [0.3, 0.5, 0.9, 0.4], "b": [0.2, 0.1, 0.3, 0.2]}, metric="zeal"
    ).may_claim()
    assert told.with_it[0] == "Assumed: higher zeal is better; confirm it first."


def test_of_several_metrics_each_sentence_has_its_own_and_the_adjusted_p_value():
    truth, scores = np.arange(60) % 3 > 1, np.arange(60) / 60
    c = fw.compare_predictions(truth, {"a": scores, "b": (scores * 7) % 1}, metric=["f1", "roc_auc", "brier"])
    told = c.may_claim()
    assert len(told.may) == 3
    assert all("adjusted p" in one or pair.adjusted == pair.pvalue for one, pair in zip(told.may, c.pairs, strict=True))


def test_of_several_models_open_pairs_and_rivals_of_the_first_are_named():
    told = compared(marks(0.9, 0.89, 0.5)).may_claim()
    assert any("a was better than c" in one for one in told.may)
    assert any(one == "“a is the best by accuracy”: b may be, too." for one in told.may_not)


def test_an_inconclusive_gate_may_not_be_told_as_failed():
    g = fw.not_worse([1] * 85 + [0] * 15, [1] * 88 + [0] * 12, margin="2pt", metric="accuracy")
    assert g.finding == "inconclusive"
    assert "inconclusive" in g.may_claim().may_not[0]


def test_details_and_the_text_of_the_claim_say_the_same():
    c = compared(marks(0.9, 0.8))
    sentences = [one for said in (c.may_claim().may, c.may_claim().with_it, c.may_claim().may_not) for one in said]
    flat = " ".join(c.details().split())
    assert "What you may claim" in flat
    assert all(one in flat and one in " ".join(str(c.may_claim()).split()) for one in sentences)
    assert sentences[0].replace("<", "&lt;") in c.to_markdown()


def test_a_result_read_from_json_claims_the_same():
    c = compared(marks(0.9, 0.8))
    assert fw.Comparison.from_dict(c.to_dict()).may_claim() == c.may_claim()


def test_what_claims_nothing_says_so():
    assert claim_of(fw.plan("mcnemar", difference=0.1, discordance=0.2)) is None
    with pytest.raises(InvalidInput, match="nothing to claim of this power plan"):
        fw.plan("mcnemar", difference=0.1, discordance=0.2).may_claim()


def test_boards_and_frontiers_claim_no_more_than_their_ranks():
    rng = np.random.default_rng(4)
    skill = rng.normal(size=300)
    rows = [
        {"model": name, "item": f"q{i}", "correct": int(skill[i] + lead + rng.normal() > 0), "cost": cost}
        for name, lead, cost in (("large", 1.2, 3.0), ("small", 1.1, 1.0), ("tiny", -1.0, 0.5))
        for i in range(300)
    ]
    frame = pd.DataFrame(rows)
    board = fw.leaderboard(frame).may_claim()
    assert "large and small shared the first place of 3 models" in board.may[0]
    assert "large 1–2, small 1–2, tiny 3" in board.may[0]
    assert board.may_not[0].startswith("“large is the best by correct”: 1 more may be")
    assert any("the ranks of large and small overlap" in one for one in board.may_not)
    found = fw.frontier(frame).may_claim()
    assert found.may[0].endswith("tiny and small are on the frontier.")
    assert "That large is on the frontier, or dominated: undecided." in found.may_not


def test_one_model_and_counts_may_be_told_with_their_intervals_only(tmp_path):
    truth, said = ["a", "b"] * 100, (["a", "b"] * 90) + (["b", "a"] * 10)
    one = fw.estimate_predictions(truth, said, name="m", metric="accuracy").may_claim()
    assert "m (200 test examples): Accuracy 90.0 %, 95 % CI" in one.may[0]
    assert any("than another model whose number is known" in said for said in one.may_not)
    several = fw.estimate_predictions(truth, said, name="m", metric=["accuracy", "mcc"], bar=None).may_claim()
    assert len(several.may) == 2
    assert "That all the intervals hold together: each holds by itself." in several.may_not
    short = fw.estimate_predictions(truth, said, name="m", metric="accuracy", bar=0.9).may_claim()
    assert any(said.startswith("That accuracy is at least 90.0 % not shown") for said in short.may_not)
    count = fw.inference.interval_survey(20, 200).may_claim()
    assert count.may[0].startswith("20 of 200 test examples were wrong.")
    assert "“The error rate is 10.0 %” without its interval." in count.may_not


def test_independent_rates_and_what_is_watched_say_what_is_open():
    rates = compare_rates([(3, 50), (12, 60), (20, 55)]).may_claim()
    assert sum("was lower than" in one for one in rates.may) == 1
    assert sum("have the same error rate" in one for one in rates.may_not) == 2
    order = np.random.default_rng(0).permutation(400)
    a, b = (order % 100 < 90).astype(int), (order % 100 < 60).astype(int)
    ahead, even = fw.watch({"a": a, "b": b}).may_claim(), fw.watch({"a": a, "b": a[::-1]}).may_claim()
    assert "limits that hold whenever one looks, a was better than b" in ahead.may[0]
    assert "no difference between a and b was shown" in even.may[0]
    assert any("are equal by" in one for one in even.may_not)


@given(
    shares=st.lists(st.integers(0, 40), min_size=2, max_size=3),
    shift=st.integers(0, 39),
    margin=st.sampled_from([None, 0.02, 0.1]),
    repeat=st.sampled_from([1, 5, 40]),
)
def test_it_never_claims_what_is_not_shown_and_never_forbids_what_is(shares, shift, margin, repeat):
    items = np.arange(40)
    given_marks = {
        name: np.tile(np.roll(items < share, shift * place).astype(int), repeat)
        for place, (name, share) in enumerate(zip("abc", shares, strict=False))
    }
    c = compared(given_marks, margin=margin)
    told, pairs = c.may_claim(), {frozenset((pair.a, pair.b)): pair for pair in c.pairs}
    for one in told.may:
        for first, second in re.findall(r"(\w) was better than (\w)", one):
            assert pairs[frozenset((first, second))].better == first
    if not any(pair.better or pair.conclusion == "superior" for pair in c.pairs):
        assert not any("better" in one for one in told.may)
    for one in told.may_not:
        for first, second, more in re.findall(r"“(\w) is better than (\w) by accuracy( by more than)?", one):
            pair = pairs[frozenset((first, second))]
            if not more:
                assert pair.better is None
                assert pair.conclusion not in ("superior", "inferior")
            elif margin is None:
                lead = pair.interval if pair.better == pair.a else -pair.interval
                assert pair.better == first
                assert not lead.low > c.rope
            else:
                assert pair.conclusion != ("superior" if pair.candidate == first else "inferior")
        for first, second in re.findall(r"“(\w) and (\w) are equal", one):
            pair = pairs[frozenset((first, second))]
            assert not pair.practically_same
            assert pair.better is None
            assert pair.conclusion != "equivalent"
        for first in re.findall(r"“(\w) is the best", one):
            assert c.best is None
            assert first == c.ranking[0]


def sliced(tmp_path, *, turned):
    """Two models on 240 items of two kinds; on hard ones the answer turns, or is open."""
    rows = ["item,kind,model,score"]
    for i in range(240):
        hard = i % 2
        old = i % 5 > 0 if hard and turned else i % 3 == 0
        new = i % 3 == 0 if hard else i % 5 > 0
        rows += [f"{i},{'hard' if hard else 'easy'},{name},{int(mark)}" for name, mark in (("new", new), ("old", old))]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    return fw.judge(tmp_path / "t.csv", slices="kind", metric="score")


@pytest.mark.parametrize("turned", [False, True])
def test_slices_have_claims_of_their_own_and_limit_that_on_all_items(tmp_path, turned):
    j = sliced(tmp_path, turned=turned)
    told = j.may_claim()
    easy = [one for one in told.may if "kind easy" in one]
    hard = [one for one in told.may if "kind hard" in one]
    assert "new was better than old" in easy[0]
    assert bool(hard) == turned
    assert not turned or "old was better than new" in hard[0]
    assert any(one.startswith("The difference of new and old depends on kind (Welch's F test, p") for one in told.may)
    assert ("That it holds for every kind: not shown for hard alone." in told.may_not) == bool(j.main.better)
    assert all(pair.better for pair in j.slices.verdicts["easy"].pairs)


def test_an_interaction_that_is_not_shown_may_not_be_told(tmp_path):
    rows = ["item,kind,model,score"]
    for i in range(120):
        rows += [f"{i},{'ab'[i // 60]},{name},{int(i % 7 < most)}" for name, most in (("new", 6), ("old", 4))]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    told = fw.judge(tmp_path / "t.csv", slices="kind", metric="score").may_claim()
    assert any(one.startswith("That the difference of new and old depends on kind: not shown") for one in told.may_not)
    assert not any("depends on" in one for one in told.may)


def test_json_has_the_claim_and_gives_it_back(tmp_path):
    j = sliced(tmp_path, turned=True)
    kept = j.to_dict()
    assert kept["claim"] == j.may_claim().to_dict()
    assert fw.Judgement.from_dict(kept).may_claim() == j.may_claim()  # without the evidence, which slices do not keep
    assert kept["slices"]["verdicts"]["hard"]["claim"]["may"]
    g = fw.not_worse([1] * 85 + [0] * 15, [1] * 88 + [0] * 12, margin="2pt", metric="accuracy")
    assert g.to_dict()["claim"] == g.may_claim().to_dict()
