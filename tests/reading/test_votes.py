"""Votes as tools write them, and the words people use for a winner."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from foldwise.core.errors import InvalidInput
from foldwise.reading.votes import read_votes

PAIR = {"model_a": "x", "model_b": "y"}


@pytest.mark.parametrize(
    ("said", "won"),
    [
        ("model_a", 1), ("A", 1), ("x", 1), ("left", 1), ("model_b", 0), ("b", 0), ("y", 0), ("right", 0),
        ("tie", 0.5), ("Tie", 0.5), ("tie (bothbad)", 0.5), ("both_bad", 0.5), ("error", np.nan),
        ("", np.nan), (None, np.nan),
    ],
)  # fmt: skip
def test_words_for_a_winner(said, won):
    found = read_votes([{**PAIR, "winner": said}])
    assert found.won == pytest.approx([won], nan_ok=True)
    assert found.both_bad == (said in ("tie (bothbad)", "both_bad"))


def test_alpaca_eval_grades_the_second_model_from_1_to_2(tmp_path):
    pair = {"generator_1": "base", "generator_2": "new", "annotator": "j"}
    rows = [
        {"instruction": "Name a gas", **pair, "preference": 1.25},
        {"instruction": "Name a tree", **pair, "preference": None},
    ]
    file = tmp_path / "annotations.json"
    file.write_text(json.dumps(rows))
    found = read_votes(str(file))
    assert found.won == pytest.approx([0.75, np.nan], nan_ok=True)
    assert found.model_b == ["new", "new"]
    assert found.item == ["Name a gas", "Name a tree"]


def test_mt_bench_judges_each_pair_in_both_orders(tmp_path):
    rows = [
        {"question_id": 81, "model_1": "x", "model_2": "y", "g1_winner": "model_1", "g2_winner": "tie", "turn": 1},
        {"question_id": 81, "model_1": "x", "model_2": "y", "g1_winner": "error", "g2_winner": "model_2", "turn": 2},
    ]
    file = tmp_path / "model_judgment.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    found = read_votes(str(file))
    assert found.won == pytest.approx([1, 0.5, np.nan, 0], nan_ok=True)
    assert found.order.tolist() == [1, -1, 1, -1]
    assert found.item == ["81, turn 1"] * 2 + ["81, turn 2"] * 2


def test_frames_tables_and_columns_are_the_same(tmp_path):
    table = {"model_a": ["x", "y"], "model_b": ["y", "z"], "winner": ["a", "tie"], "question_id": ["q1", "q2"]}
    file = tmp_path / "votes.csv"
    pd.DataFrame(table).to_csv(file, index=False)
    for given in (table, pd.DataFrame(table), pl.DataFrame(table), str(file)):
        found = read_votes(given)
        assert (found.model_a, found.won.tolist(), found.item) == (["x", "y"], [1, 0.5], ["q1", "q2"])
        assert {d.what for d in found.decisions} >= {"model_a", "model_b", "winner", "item"}


def test_roles_can_be_declared():
    found = read_votes(
        [{"m1": "x", "m2": "y", "better": "x"}], columns={"model_a": "m1", "model_b": "m2", "winner": "better"}
    )
    assert found.won.tolist() == [1]
    assert {d.how for d in found.decisions} == {"declared"}


@pytest.mark.parametrize(
    ("rows", "columns", "message"),
    [
        ([], None, "empty"),
        ([{"model_a": "x"}], None, r"columns for model_b, winner.*columns=\{'model_b'"),
        ([{**PAIR, "winner": "maybe"}], None, "vote 1: the winner must be x, y"),
        ([{**PAIR, "preference": 3}], None, "between 1 .* and 2"),
        ([{**PAIR, "preference": "much"}], None, "vote 1: the preference must be a number"),
        ([{**PAIR, "winner": "a"}], {"who": "winner"}, "roles among"),
        ([{**PAIR, "winner": "a"}], {"item": "nothing"}, "no column 'nothing'"),
        ([3], None, "list of objects"),
    ],
)
def test_bad_votes_are_one_sentence(rows, columns, message):
    with pytest.raises(InvalidInput, match=message):
        read_votes(rows, columns=columns)


@pytest.mark.parametrize(
    ("table", "won"),
    [
        ({"winner": ["x", "y"], "loser": ["y", "x"]}, [("x", "y", 1.0), ("y", "x", 1.0)]),
        ({**{name: [value] * 4 for name, value in PAIR.items()}, "winner_model_a": [1, 0, 0, 0],
          "winner_model_b": [0, 1, 0, 0], "winner_tie": [0, 0, 1, 0]},
         [("x", "y", won) for won in (1.0, 0.0, 0.5, np.nan)]),
    ],
)  # fmt: skip
def test_winners_in_columns_of_their_own(tmp_path, table, won):
    """As choix writes pairs, and as a sample of Arena's battles was published."""
    pd.DataFrame(table).to_csv(tmp_path / "votes.csv", index=False)
    pd.DataFrame(table).to_json(tmp_path / "votes.json")  # columns of rows
    for name in ("votes.csv", "votes.json"):
        found = read_votes(tmp_path / name)
        assert list(zip(found.model_a, found.model_b, strict=True)) == [one[:2] for one in won]
        assert found.won == pytest.approx([one[2] for one in won], nan_ok=True)
    twice = {**PAIR, "winner_model_a": 1, "winner_model_b": 1}
    with pytest.raises(InvalidInput, match=r"vote 1: one of winner_model_a, .* must be 1"):
        read_votes([twice])


def test_files_are_joined_and_the_baselines_own_is_left_out(tmp_path):
    """Laid out as AlpacaEval's results: a folder for each model, all of them against one baseline, and that one too."""
    for name in ("base", "new", "old"):
        rows = [{"instruction": f"q{i}", "generator_1": "base", "generator_2": name, "preference": 1 + i % 2}
                for i in range(6)]  # fmt: skip
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    found = read_votes(sorted(tmp_path.iterdir()))
    assert set(found.model_b) == {"new", "old"}
    assert found.item == [f"q{i}" for i in range(6)] * 2
    assert any("votes of a model against itself are left out" in one.value for one in found.decisions)
    (tmp_path / "people.csv").write_text("model_a,model_b,winner,judge,weight,order\nnew,old,a,p1,2,new\n")
    found = read_votes(sorted(tmp_path.iterdir()))
    assert (found.item[-1], found.annotator[-2:]) == ("vote 1 of file 3", ["", "p1"])
    assert (found.weights.sum(), found.order.tolist()) == (14, [0.0] * 12 + [1.0])


def test_a_column_that_is_only_called_order_is_no_order():
    rows = [{**PAIR, "winner": "a", "order": number} for number in range(10, 20)]
    assert read_votes(rows).order is None
    assert read_votes([{**row, "order": None} for row in rows], columns={"order": "none"}).order is None
    for given, columns in ((rows, {"order": "order"}), ([{**row, "order": "x"} for row in rows] + rows[:1], None)):
        with pytest.raises(
            InvalidInput, match="the order must be x, y, model_a or model_b, the one shown first, got '1"
        ):
            read_votes(given, columns=columns)
    with pytest.raises(InvalidInput, match="vote 2: column 'model_b' must name a model"):
        read_votes([*rows[:1], {**rows[0], "model_b": " "}])
