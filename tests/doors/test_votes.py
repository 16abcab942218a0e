"""Votes through the public doors: published rates, several models, clusters, what is refused, and the level."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.papers_data import data_folder
from verb_options import with_options

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Result

ALPACA = data_folder().parent / "truth" / "alpaca_eval"


def battles(seed=0, n=300, strengths=(1.0, 0.4, 0.3, -0.6), annotators=0, ties=0.15):
    rng = np.random.default_rng(seed)
    k = len(strengths)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    chance = 1 / (1 + np.exp(np.array(strengths)[b] - np.array(strengths)[a]))
    won = np.where(rng.random(n) < ties, "tie", np.where(rng.random(n) < chance, "model_a", "model_b"))
    table = {"model_a": [f"m{i}" for i in a], "model_b": [f"m{i}" for i in b], "winner": won.tolist()}
    return table | ({"annotator": [f"j{i % annotators}" for i in range(n)]} if annotators else {})


@pytest.mark.skipif(not ALPACA.is_dir(), reason="AlpacaEval's published votes are not on this machine")
@pytest.mark.parametrize("model", ["claude-2.1", "gemma-7b-it"])
def test_alpaca_eval_has_its_published_rate_and_error_at_the_command_line(run, model):
    code, out, _ = run("votes", ALPACA / f"{model}.json", "--candidate", model, "--groups", "none", "--json")
    found = json.loads(out)
    assert code == 0
    line = next(r for r in (ALPACA / "published.csv").read_text().splitlines() if r.startswith(model)).split(",")
    pair = found["pairs"][0]
    assert 100 * pair["means"][0] == pytest.approx(float(line[1]), abs=1e-9)
    assert 100 * pair["standard_error"] / 2 == pytest.approx(float(line[2]), abs=1e-9)  # of the difference of two rates


def test_columns_called_a_b_and_winner_are_votes_where_they_hold_names(run, tmp_path):
    rows = [f"x,y,{'y' if i % 3 == 0 else 'x'}" for i in range(90)]
    (tmp_path / "v.csv").write_text("a,b,winner\n" + "\n".join(rows) + "\n")
    assert "x is better: win rate 66.7 % vs 33.3 %" in run("judge", tmp_path / "v.csv")[1]
    assert run("gate", tmp_path / "v.csv", "--candidate", "y", "--baseline", "x")[0] == 1
    table = {"a": ["x"] * 90, "b": ["y"] * 90, "winner": [row[-1] for row in rows]}
    assert fw.judge(table).main.estimate == pytest.approx(1 / 3)


def test_several_models_have_rates_ranks_and_pairs():
    c = fw.compare_votes(battles(n=2000))
    assert c.best == "m0"
    assert c.ranks["m0"] == (1, 1)
    assert set(c.best_set) == {"m0"}
    assert len(c.pairs) == 6
    assert sum(c.means.values()) == pytest.approx(2.0)  # every pair shares one win


def test_two_models_of_many_are_their_own_votes():
    table = battles()
    c = fw.compare_votes(table, models=["m0", "m3"])
    wins = [
        1.0 if w == "tie" else 2.0 * ((w == "model_a") == (a == "m0"))
        for a, b, w in zip(*table.values(), strict=True)
        if {a, b} == {"m0", "m3"}
    ]
    assert c.means["m0"] == pytest.approx(np.mean(wins) / 2)
    assert c.models == ("m0", "m3")


@settings(max_examples=10)
@given(st.integers(0, 500))
def test_sides_and_rows_do_not_matter(seed):
    table = battles(seed)
    turn = {"model_a": "model_b", "model_b": "model_a", "tie": "tie"}
    other = {"model_a": table["model_b"], "model_b": table["model_a"], "winner": [turn[w] for w in table["winner"]]}
    other = {name: column[::-1] for name, column in other.items()}
    plain, turned = fw.compare_votes(table), fw.compare_votes(other, models=sorted({*table["model_a"]}))
    for name, mean in plain.means.items():
        assert turned.means[name] == pytest.approx(mean, abs=1e-7)
    found = {frozenset((p.a, p.b)): p.pvalue for p in turned.pairs}
    for pair in plain.pairs:
        assert found[frozenset((pair.a, pair.b))] == pytest.approx(pair.pvalue, abs=1e-6)


def test_it_is_kept_in_json_and_read_again():
    for models in (None, ["m0", "m1"]):
        c = fw.compare_votes(battles(annotators=6), models=models)
        kept = json.loads(json.dumps(c.to_dict()))
        assert Result.from_dict(kept).to_dict() == c.to_dict()


def test_what_is_read_is_said(run, tmp_path):
    file = tmp_path / "votes.jsonl"
    table = battles(annotators=3)
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    rows += [{**rows[0], "winner": None}, {**rows[0], "winner": "both_bad"}]
    file.write_text("\n".join(map(json.dumps, rows)))
    text = " ".join(run("votes", file)[1].lower().split())
    assert "1 vote without a readable winner was left out" in text
    assert "1 vote calls both answers bad and counts as a tie" in text
    assert "few annotators (3)" in text


def test_position_bias_is_reported():
    rng = np.random.default_rng(1)
    pair = {"model_a": ["x", "y"] * 200, "model_b": ["y", "x"] * 200, "order": ["model_a"] * 400}
    first_wins = rng.random(400) < 0.65
    c = fw.compare_votes(pair | {"winner": ["model_a" if w else "model_b" for w in first_wins]})
    assert any("position bias: the model shown first wins 6" in note for note in c.notes)
    assert c.better is None


@pytest.mark.parametrize(
    ("votes", "options", "message"),
    [
        ({"model_a": ["x"], "model_b": ["x"], "winner": ["x"]}, {}, "at least two models"),
        ({"model_a": ["x", "x"], "model_b": ["y", "x"], "winner": ["x", "x"]}, {}, "vote 2 is x against itself"),
        ({"model_a": ["x"], "model_b": ["y"], "winner": ["who"]}, {}, "the winner must be x, y"),
        ({"model_a": ["x"], "model_b": ["y"], "winner": ["error"]}, {}, "readable winner"),
        ({"model_a": ["x"], "model_b": ["y"], "winner": ["x"]}, {"models": ["x", "z"]}, "models must be among"),
        ({"model_a": ["x"], "model_b": ["y"], "winner": ["x"]}, {"groups": "annotator"}, "no column is"),
        (
            {"model_a": ["x", "x", "z", "z"], "model_b": ["y", "y", "w", "w"], "winner": ["x", "y", "z", "w"]},
            {},
            "none connects",
        ),
        ({"model_a": ["x", "y"] * 3, "model_b": ["y", "z"] * 3, "winner": ["x", "y"] * 3}, {}, "never"),
    ],
)  # fmt: skip
def test_bad_votes_are_one_sentence(votes, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_votes(votes, **with_options(options))


def test_ties_only_and_one_vote_are_no_verdict():
    ties = fw.compare_votes({"model_a": ["x"] * 9, "model_b": ["y"] * 9, "winner": ["tie"] * 9})
    assert ties.better is None
    assert ties.interval is None
    assert "No verdict: 9 votes, and all are ties." in str(ties)
    one = fw.compare_votes({"model_a": ["x"], "model_b": ["y"], "winner": ["x"]})
    assert one.better is None
    assert one.interval is None


@pytest.mark.parametrize(("votes", "items", "annotators", "pieces"), [(30, 30, 1, 30), (30, 10, 1, 10), (40, 10, 4, 4)])
def test_votes_that_all_agree_have_the_sign_test_of_what_is_independent(votes, items, annotators, pieces):
    """Thirty of thirty votes were no verdict, p 1, where 29 of 30 were shown beyond doubt."""
    given = {"model_a": ["x"] * votes, "model_b": ["y"] * votes, "winner": ["x"] * votes}
    given |= {"item": np.arange(votes) % items, "annotator": np.arange(votes) // (votes // annotators)}
    found = fw.compare_votes(given)
    exact = pieces < votes  # mid-p of n to 0 is half of 2 · 2⁻ⁿ; of clusters the exact p, all of it
    assert found.pvalue == pytest.approx(0.5 ** (pieces - exact), rel=1e-9)
    assert found.better == ("x" if pieces > 4 else None)
    assert found.interval.high == 1
    assert (found.interval.low > 0) == (found.pvalue < 0.05)


def test_the_level_with_three_equal_models_and_twelve_annotators():
    """300 studies of equal models, annotators with tastes of their own: any false claim in about .05 of them."""
    rng = np.random.default_rng(5)
    claimed = []
    for _ in range(300):
        taste = rng.normal(0, 0.7, size=(12, 3))
        judge = np.repeat(np.arange(12), 20)
        a = rng.integers(0, 3, 240)
        b = (a + rng.integers(1, 3, 240)) % 3
        chance = 1 / (1 + np.exp(taste[judge, b] - taste[judge, a]))
        won = np.where(rng.random(240) < chance, "model_a", "model_b")
        table = {"model_a": [f"m{i}" for i in a], "model_b": [f"m{i}" for i in b], "winner": won, "annotator": judge}
        claimed.append(any(pair.better for pair in fw.compare_votes(table).pairs))
    assert np.mean(claimed) < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def as_file(table, folder, name="votes.jsonl"):
    rows = (dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True))
    (folder / name).write_text("\n".join(map(json.dumps, rows)))
    return folder / name


def test_judge_leaderboard_and_page_take_votes_as_the_command_does(run, on_page, tmp_path):
    file = as_file(battles(annotators=20), tmp_path)
    found = json.loads(run("votes", file, "--json")[1])
    judged = json.loads(run("judge", file, "--json")[1])
    assert judged["understood"]["rows"] == "votes"
    assert judged["verdicts"][""]["pairs"] == found["pairs"]
    board = json.loads(run("leaderboard", file, "--json")[1])
    assert {place["model"]: [place["first"], place["last"]] for place in board["places"]} == found["ranks"]
    page = on_page("judge", file)
    assert page.command == "foldwise judge votes.jsonl"
    assert "votes (1 file)" in page.text
    assert "few that decide" in page.text
    frame = fw.judge(battles(annotators=20))
    assert frame.main.pairs[0].pvalue == pytest.approx(found["pairs"][0]["pvalue"])


def test_weights_count_votes_so_often():
    """Of clusters, a vote of weight 2 is that vote twice."""
    table = battles(3, n=120, annotators=15)
    weights = np.random.default_rng(1).integers(1, 4, 120)
    twice = {name: np.repeat(column, weights).tolist() for name, column in table.items()}
    for models in (None, ["m0", "m1"]):
        one = fw.compare_votes({**table, "weight": weights.tolist()}, models=models)
        other = fw.compare_votes(twice, models=models)
        assert one.means == pytest.approx(other.means)
        for pair, same in zip(one.pairs, other.pairs, strict=True):
            assert pair.pvalue == pytest.approx(same.pvalue, rel=1e-6)
    with pytest.raises(InvalidInput, match="the weight of a vote must be a number above 0"):
        fw.compare_votes({**table, "weight": [0] * 120})


def test_graded_preferences_lie_between():
    table = {"model_a": ["x"] * 40, "model_b": ["y"] * 40, "preference": [1.25] * 30 + [1.75] * 10}
    assert fw.compare_votes(table).means["x"] == pytest.approx((30 * 0.75 + 10 * 0.25) / 40)


def test_circles_and_the_few_votes_that_decide_are_said():
    ring = {
        "model_a": ["x", "y", "z"] * 30,
        "model_b": ["y", "z", "x"] * 30,
        "winner": (["model_a"] * 6 + ["model_b"] * 3) * 10,
    }
    text = str(fw.compare_votes(ring))
    assert "1 of 1 triples of models goes round in a circle, such as" in text
    assert "few that decide" in text
    line = {
        "model_a": ["x", "y", "x"] * 30,
        "model_b": ["y", "z", "z"] * 30,
        "winner": (["model_a"] * 6 + ["model_b"] * 3) * 10,
    }
    assert "transitive: none of 1 triples" in str(fw.compare_votes(line))


def test_strengths_and_win_matrix_are_drawn():
    c = fw.compare_votes(battles(n=400))
    found = c.parts[0].evidence.strengths
    axes = c.plot("strengths").axes[0]
    drawn = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert drawn == pytest.approx(sorted(found.strengths, reverse=True))
    cells = {text.get_text() for text in c.plot("win_matrix").axes[0].texts}
    share = found.wins[0, 1] / (found.wins[0, 1] + found.wins[1, 0])
    assert f"{100 * share:.0f}" in cells


@settings(max_examples=15)
@given(st.integers(0, 500), st.sampled_from([0, 25]))
def test_without_the_few_that_decide_another_model_is_first(seed, annotators):
    """What the answer says of few votes is true of the file without them, by the verb."""
    table = battles(seed, n=250, strengths=(0.3, 0.2, 0.1, -0.3), annotators=annotators)
    c = fw.compare_votes(table)
    found = c.parts[0].evidence.strengths
    few = inf.decisive_votes(found)
    told = " ".join(str(c).split("few that decide")[1].split())
    if not few.left_out:
        assert told.startswith("no tenth")
        return
    what = f"of {annotators} annotators" if annotators else "of 250 votes"
    assert told.startswith(f"without {len(few.left_out)} {what}")
    assert ("no fewer do" if few.fewest else "fewer may do") in told
    unit = list(dict.fromkeys(table["annotator"])) if annotators else range(250)
    gone = {unit[i] for i in few.left_out}
    rows = [i for i in range(250) if (table["annotator"][i] if annotators else i) not in gone]
    left = fw.compare_votes({name: [column[i] for i in rows] for name, column in table.items()})
    assert c.means[few.top] == max(c.means.values())
    assert left.means[few.second] > left.means[few.top]
    if len(few.left_out) > 1:  # with the last of them back the first is first again
        rows.append(few.left_out[-1])
        if not annotators:
            back = fw.compare_votes({name: [column[i] for i in rows] for name, column in table.items()})
            assert back.means[few.top] >= back.means[few.second] - 1e-9


def test_of_two_models_no_fewer_votes_decide():
    votes = {"model_a": ["x"] * 41, "model_b": ["y"] * 41, "winner": ["x"] * 22 + ["y"] * 19}
    assert "without 4 of 41 votes (9.8 %) y passes x (fitted anew; no fewer do)" in " ".join(
        str(fw.compare_votes(votes)).split()
    )
    clustered = votes | {"annotator": [f"j{i}" for i in [0] * 4 + [1] * 4 + list(range(2, 35))]}
    few = inf.decisive_votes(fw.compare_votes(clustered).parts[0].evidence.strengths)
    assert (len(few.left_out), few.fewest) == (1, True)


def test_a_penalty_gives_strengths_to_a_model_that_never_loses(run, tmp_path):
    table = {"model_a": ["x", "y", "z"] * 12, "model_b": ["y", "z", "x"] * 12,
             "winner": ["x", "y", "x"] * 6 + ["x", "z", "x"] * 6}  # fmt: skip
    file = as_file(table, tmp_path)
    code, _, err = run("votes", file)
    assert (code, "'x' never loses" in err, "a penalty, such as 0.1 (--penalty 0.1" in err) == (2, True, True)
    code, out, _ = run("votes", file, "--penalty", "0.1", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["means"]["x"] == max(found["means"].values())
    assert "strengths are drawn towards each other by penalty 0.1" in found["notes"]
    assert Result.from_dict(found).to_dict() == found


def test_judge_board_and_page_take_the_penalty_that_votes_takes(run, on_page, tmp_path):
    table = {"model_a": ["x", "y", "z"] * 15, "model_b": ["y", "z", "x"] * 15,
             "winner": ["x", "y", "x"] * 8 + ["x", "z", "x"] * 7}  # fmt: skip
    file = as_file(table, tmp_path)
    asked = json.loads(run("votes", file, "--penalty", "0.1", "--json")[1])
    judged = json.loads(run("judge", file, "--penalty", "0.1", "--json")[1])["verdicts"][""]
    assert judged["pairs"] == asked["pairs"]
    board = json.loads(run("leaderboard", file, "--penalty", "0.1", "--json")[1])
    assert {place["model"]: place["mean"] for place in board["places"]} == asked["means"]
    place = board["places"][0]
    assert place["low"] < 0.96  # 30 wins of 30: the exact lower limit of a rate is 0.88, and no vote says 0.98
    page = on_page("judge", file, penalty="0.1")
    assert page.command == "foldwise judge votes.jsonl --penalty=0.1"
    assert on_page("leaderboard", file, penalty="0.1").command.startswith(
        "foldwise leaderboard votes.jsonl --penalty=0.1"
    )
    with pytest.raises(InvalidInput, match="penalty is for votes, but these files hold splits"):
        fw.judge({"a": [1.0, 0.0] * 5, "b": [1.0, 1.0] * 5}, options=fw.Options(penalty=0.1))


def test_slices_of_votes_are_their_votes_alone_at_every_door(run, on_page, tmp_path):
    rng = np.random.default_rng(8)
    kind = rng.choice(["chat", "code", "rare"], 700, p=[0.6, 0.394, 0.006])
    lead = np.where(kind == "code", -1.0, 1.3)
    won = np.where(rng.random(700) < 1 / (1 + np.exp(-lead)), "new", "old")
    table = {"model_a": ["new"] * 700, "model_b": ["old"] * 700, "winner": won.tolist(), "category": kind.tolist(),
             "item": [f"q{i}" for i in range(700)]}  # fmt: skip
    file = as_file(table, tmp_path)
    code, out, _ = run("votes", file, "--slice", "category")
    text = " ".join(out.split())
    assert code == 0
    assert "new is better overall, but worse on code: old is better there." in text
    assert "Welch's F" in text
    found = json.loads(run("votes", file, "--slice", "category", "--json")[1])["slices"]
    for name, verdict in found["verdicts"].items():
        alone = {column: [cell for cell, own in zip(cells, kind, strict=True) if own == name]
                 for column, cells in table.items()}  # fmt: skip
        assert verdict["means"] == pytest.approx(fw.compare_votes(alone).means)
    assert ["rare" in one for one in found["left_out"]] == [True]
    judged = json.loads(run("judge", file, "--slice", "category", "--json")[1])["slices"]
    assert judged["verdicts"].keys() == found["verdicts"].keys()
    assert judged["interactions"] == found["interactions"]
    assert fw.compare_votes(table, slices="category").slices.interactions[0].pvalue < 0.001
    assert "worse on code" in on_page("judge", file, slice="category").text
    columns = json.loads(run("leaderboard", file, "--slice", "category", "--json")[1])["slices"]
    assert columns["means"]["code"][0] == pytest.approx(found["verdicts"]["code"]["means"]["new"])
    code, _, err = run("votes", file, "--slice", "colour")
    assert (code, "has no column 'colour'" in err) == (2, True)


def test_a_slice_where_models_did_not_meet_has_no_verdict():
    table = battles(3, n=600)
    met = enumerate(zip(table["model_a"], table["model_b"], strict=True))
    table["category"] = ["yz"[i % 2] if "m3" in pair else "x" for i, pair in met]
    c = fw.compare_votes(table, slices="category")
    assert c.slices is not None
    assert set(c.slices.verdicts) == {"y", "z"}
    (told,) = c.slices.left_out
    assert told.startswith("category x: no verdict, because votes must connect all models, but none connects m")


def test_the_win_rate_of_two_models_has_its_interval(run, tmp_path):
    file = as_file({"model_a": ["x"] * 100, "model_b": ["y"] * 100, "winner": ["x"] * 60 + ["y"] * 40}, tmp_path)
    pair = json.loads(run("votes", file, "--json")[1])["pairs"][0]
    low, high = (100 * (1 + pair["interval"][end]) / 2 for end in ("low", "high"))
    assert f"x 60.0 % (95 % CI {low:.1f} to {high:.1f}; standard error" in " ".join(run("votes", file)[1].split())


def test_annotators_and_items_are_accounted_for_together_of_any_number_of_models():
    """Of one model against the others alike: the matrices of three models are joined as the variances of two."""
    rng = np.random.default_rng(4)
    table = battles(1, n=400) | {"annotator": [f"j{i}" for i in rng.integers(0, 12, 400)],
                                 "item": [f"q{i}" for i in rng.integers(0, 15, 400)]}  # fmt: skip
    both, one, other = (fw.compare_votes(table, groups=groups) for groups in ("auto", "annotator", "item"))
    assert both.design == "400 votes among 4 models in 12 annotators, by 15 items"
    for name in both.means:
        error, *alone = (c.parts[0].kind.together(c.parts[0].evidence).covariance[0, 0] for c in (both, one, other))
        assert error >= max(alone) - 1e-12
        assert both.means[name] == one.means[name] == other.means[name]


def test_one_annotator_with_half_of_the_votes_is_not_outvoted_by_numbers():
    """Three equal models; without heed of the unequal sizes .2 to .3 of such studies made a claim."""
    rng = np.random.default_rng(3)
    claimed = []
    for _ in range(120):
        who = np.repeat(np.arange(16), [300, *[20] * 15])
        taste = rng.normal(0, 0.7, size=(16, 3))
        a = rng.integers(0, 3, 600)
        b = (a + rng.integers(1, 3, 600)) % 3
        won = rng.random(600) < 1 / (1 + np.exp(taste[who, b] - taste[who, a]))
        found = inf.strengths(a.astype(str), b.astype(str), won.astype(float), groups=who)
        difference, error = found.differences()
        claimed.append((np.abs(difference) > 1.96 * error)[np.triu_indices(3, 1)].any())
        assert found.df.max() < 4
    assert np.mean(claimed) < 0.5  # by normal quantiles; Student's with 3 degrees of freedom make .01 of it
    c = fw.compare_votes({"model_a": a.astype(str), "model_b": b.astype(str),
                          "winner": np.where(won, "a", "b"), "annotator": who})  # fmt: skip
    assert all(abs(limit) <= 1 for pair in c.pairs for limit in (pair.interval.low, pair.interval.high))


def test_a_model_that_one_annotator_alone_saw_has_no_known_strength():
    table = battles(2, n=400, annotators=10)
    table = {name: column + more for (name, column), more in zip(
        table.items(), (["new"] * 60, ["m0", "m1"] * 30, ["model_a"] * 50 + ["model_b"] * 10, ["j3"] * 60), strict=True
    )}  # fmt: skip
    c = fw.compare_votes(table)
    assert not any(pair.better for pair in c.pairs if "new" in (pair.a, pair.b))
    assert any(pair.better for pair in c.pairs)  # the others are known as well as before
    assert "ll votes about new are by one of the annotators" in " ".join(str(c).split())


def test_folders_of_votes_make_a_board(run, on_page, tmp_path):
    rng = np.random.default_rng(8)
    for place, name in enumerate(["base", "new", "old"]):
        grades = np.clip(1.2 + 0.2 * place + rng.normal(0, 0.3, 60), 1, 2)
        rows = [{"instruction": f"q{i}", "generator_1": "base", "generator_2": name, "preference": grade}
                for i, grade in enumerate(grades)]  # fmt: skip
        folder = tmp_path / name / "judge"
        folder.mkdir(parents=True)
        (folder / "annotations.json").write_text(json.dumps(rows))
        (tmp_path / name / "model_outputs.json").write_text(json.dumps([{"instruction": "q0", "output": "x"}]))
    code, out, err = run("leaderboard", tmp_path, "--json")
    board = json.loads(out)
    assert (code, err, {place["model"] for place in board["places"]}) == (0, "", {"base", "new", "old"})
    assert board["design"] == "120 votes among 3 models in 60 items"
    files = sorted(tmp_path.glob("*/judge/annotations.json"))
    found = json.loads(run("votes", *files, "--json")[1])
    assert {place["model"]: place["mean"] for place in board["places"]} == pytest.approx(found["means"])
    judged = run("judge", tmp_path)[1]
    assert "votes (3 files)" in judged
    assert "model_outputs.json" in judged  # passed over, and said
    (tmp_path / "scores.csv").write_text("model,item,score\na,1,1\nb,1,0\n")
    code, _, err = run("judge", *files, tmp_path / "scores.csv")
    assert (code, "scores.csv holds none: compare one kind at a time" in err) == (2, True)


@pytest.mark.parametrize("models", [("x", "y"), ("x", "y", "z")])
def test_ties_only_are_no_verdict_or_one_sentence(run, tmp_path, models):
    n = len(models)
    table = {"model_a": list(models) * 9, "model_b": [*models[1:], models[0]] * 9, "winner": ["tie"] * 9 * n}
    code, out, err = run("votes", as_file(table, tmp_path))
    if n == 2:
        assert (code, "No verdict: 18 votes, and all are ties." in out) == (0, True)
    else:
        assert (code, "all are ties: nothing tells the models apart" in err, err.count("\n")) == (2, True, 1)


def test_one_item_with_most_votes_leaves_a_rate_within_bounds_and_unknown():
    table = {"item": ["q0"] * 150 + [f"q{i}" for i in range(70)], "model_a": ["new"] * 220, "model_b": ["old"] * 220,
             "winner": ["new"] * 150 + ["new", "old"] * 35}  # fmt: skip
    c = fw.compare_votes(table)
    assert c.better is None
    assert (c.interval.low, c.interval.high) == (-1.0, 1.0)


def test_a_model_that_was_always_shown_first_may_owe_its_lead_to_that():
    table = {
        "model_a": ["new"] * 90,
        "model_b": ["old"] * 90,
        "winner": ["new"] * 60 + ["old"] * 30,
        "order": ["new"] * 90,
    }
    assert any(note.startswith("new was shown first in 100 % of the votes") for note in fw.compare_votes(table).notes)
    turned = {**table, "order": ["new", "old"] * 45}
    assert not any("shown first in" in note for note in fw.compare_votes(turned).notes)


def test_a_model_that_is_called_like_a_side_or_a_tie_is_named(run, tmp_path):
    for pair, text in (("model_b,model_a", "model_a"), ("gpt,tie", "tie")):
        rows = "\n".join(["model_a,model_b,winner", *[f"{pair},{text}"] * 8, *[f"{pair},{pair.split(',')[0]}"] * 5])
        (tmp_path / "v.csv").write_text(rows)
        _, out, _ = run("votes", tmp_path / "v.csv")
        assert f"Assumed: winner '{text}' is the model of this name" in out
    (tmp_path / "v.csv").write_text("model_a,model_b,winner\n" + "a,b,a\n" * 8 + "a,b,b\n" * 5)
    assert "Assumed" not in run("votes", tmp_path / "v.csv")[1]


def test_one_item_and_votes_of_nobody_known_are_told():
    votes = {"model_a": ["x"] * 12, "model_b": ["y"] * 12, "winner": ["x"] * 7 + ["y"] * 5}
    assert (
        "all votes are on one item, and the answer is about it" in fw.compare_votes(votes | {"item": ["q"] * 12}).notes
    )
    some = ["u"] * 4 + ["v"] * 4 + [""] * 4
    told = fw.compare_votes(votes | {"annotator": some}).notes
    assert "4 votes of nobody known count as one annotator's" in told


def test_when_the_first_shown_wins_every_vote_nothing_tells_strength_from_place(run, tmp_path):
    pairs = ["x,y,x,1", "y,z,y,1", "z,x,z,1", "y,x,x,2", "x,z,z,2", "z,y,y,2"]
    (tmp_path / "v.csv").write_text("\n".join(["model_a,model_b,winner,order", *pairs * 4]))
    code, _, err = run("votes", tmp_path / "v.csv")
    assert code == 2
    assert "the model shown first wins every vote, so that nothing tells strength from place" in err
    two = "\n".join(["model_a,model_b,winner,order", *["x,y,x,1", "x,y,y,2"] * 8])
    (tmp_path / "v.csv").write_text(two)
    code, out, _ = run("votes", tmp_path / "v.csv")
    assert code == 0
    assert "Position bias: the model shown first wins 100 % of the votes" in out


def test_slices_of_votes_in_several_files(run, tmp_path):
    for part, won in (("en", 12), ("de", 4)):
        rows = [f"x,y,{'x' if i < won else 'y'},{part}" for i in range(16)]
        (tmp_path / f"{part}.csv").write_text("\n".join(["model_a,model_b,winner,lang", *rows]))
    _, out, _ = run("votes", tmp_path / "en.csv", tmp_path / "de.csv", "--slice", "lang")
    assert "By lang" in out
