"""Leaderboards: places agree with the comparison behind them, and files of submissions become one."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import foldwise as fw
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.core.result import Result


def marks(seed=0, models=6, items=150):
    rng = np.random.default_rng(seed)
    return {f"m{i}": (rng.random(items) < 0.4 + 0.08 * i).astype(int) for i in range(models)}


def submissions(folder, resolved):
    for name, ids in resolved.items():
        place = folder / "verified" / name / "results"
        place.mkdir(parents=True)
        (place / "results.json").write_text(json.dumps({"resolved": ids, "no_logs": []}))
    return folder


def test_places_are_those_of_the_comparison():
    c = fw.compare_predictions(None, marks())
    board = fw.leaderboard(c)
    assert [place.model for place in board.places] == sorted(c.means, key=lambda name: -c.means[name])
    assert board.first == c.best_set
    for place in board.places:
        assert (place.first, place.last) == c.ranks[place.model]
        won = sum(pair.better == place.model for pair in c.pairs)
        assert place.better_than == won
        assert place.alone_first >= place.first
        assert place.alone_last <= place.last  # less is shown after adjustment
        assert place.low <= place.mean <= place.high


@settings(max_examples=15)
@given(st.integers(0, 1000), st.permutations(range(5)))
def test_the_order_of_models_does_not_matter(seed, order):
    given = marks(seed, 5, 60)
    turned = {f"m{i}": given[f"m{i}"] for i in order}
    by_name = {place.model: place for place in fw.leaderboard(fw.compare_predictions(None, given)).places}
    for place in fw.leaderboard(fw.compare_predictions(None, turned)).places:
        assert (place.first, place.last, place.mean) == (
            by_name[place.model].first, by_name[place.model].last, by_name[place.model].mean
        )  # fmt: skip


def test_a_new_submission_enters_by_the_pairs_with_it_alone():
    c = fw.compare_predictions(None, marks(3))
    alone = fw.compare_predictions(None, marks(3), options=fw.Options(control="m2"))
    board = fw.leaderboard(c, new="m2")
    won, lost = (sum(pair.better == who for pair in alone.pairs) for who in ("m2", None))
    assert board.entry.better_than == won
    assert board.entry.worse_than == len(alone.pairs) - won - lost
    assert (board.entry.first, board.entry.last) == (1 + board.entry.worse_than, 6 - board.entry.better_than)
    whole = next(place for place in board.places if place.model == "m2")
    assert whole.first <= board.entry.first <= board.entry.last <= whole.last


def test_folders_of_submissions_become_a_board(run, tmp_path):
    ids = [f"django__django-{i}" for i in range(400)]
    folder = submissions(tmp_path, {"20250101_a": ids[:300], "20250202_b": ids[:296], "20250303_c": ids[:120]})
    code, out, _ = run("leaderboard", folder, "--groups", "none", "--new", "20250202_b", "--csv", tmp_path / "b.csv",
                       "--html", tmp_path / "b.html")  # fmt: skip
    assert code == 0
    text = " ".join(out.split())
    assert "20250202_b enters at" in text
    assert "20250101_a 60.0 %" in text
    rows = list(csv.DictReader(io.StringIO((tmp_path / "b.csv").read_text())))
    assert [row["model"] for row in rows] == ["20250101_a", "20250202_b", "20250303_c"]
    assert float(rows[0]["mean"]) == 0.6  # 300 of the 500 of the split
    assert rows[2]["ranks"] == "3"
    assert "<svg" in (tmp_path / "b.html").read_text()
    found = json.loads(run("leaderboard", folder, "--groups", "none", "--json")[1])
    assert found["places"][0]["model"] == "20250101_a"
    assert found["first"][0] == "20250101_a"
    assert "| 3 | 20250303" in run("leaderboard", folder, "--groups", "none", "--markdown")[1].replace("\\_", "_")


def test_tasks_have_a_column_each_and_models_one_line(run, tmp_path):
    rng = np.random.default_rng(5)
    with (tmp_path / "long.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "task", "item", "score"])
        for place, name in enumerate("abc"):
            for task in ("easy", "hard"):
                rows.writerows([name, task, f"{task}{i}", int(rng.random() < 0.3 + 0.2 * place)] for i in range(50))
    board = fw.leaderboard(tmp_path / "long.csv")
    judged = fw.judge(tmp_path / "long.csv")
    assert set(board.by_task) == {"easy", "hard"}
    for at, place in enumerate(board.places):
        for task, verdict in judged.verdicts.items():
            assert board.by_task[task][at] == pytest.approx(verdict.means[place.model])
        assert place.mean == pytest.approx(np.mean([means[at] for means in board.by_task.values()]))
        assert (place.first, place.last) == judged.main.ranks[place.model]
    assert board.to_csv().splitlines()[0].endswith("easy,hard")


def test_over_data_sets_each_mean_has_students_interval_of_new_ones():
    table = np.random.default_rng(3).normal(0.7, 0.1, (12, 4))
    board = fw.leaderboard(fw.compare_table(pd.DataFrame(table, columns=list("abcd"))))
    for place in board.places:
        expected = stats.ttest_1samp(table[:, "abcd".index(place.model)], 0).confidence_interval(0.95)
        assert (place.low, place.high) == pytest.approx(tuple(expected))
    assert "the interval is that of each mean alone" in str(board)


def test_slices_of_a_comparison_become_columns_of_its_board():
    kind = np.array(["easy", "hard"] * 75)
    c = fw.compare_predictions(None, marks(models=3), slices=kind)
    columns = fw.leaderboard(c).slices
    assert columns["means"]["hard"][0] == pytest.approx(
        np.mean(marks(models=3)[fw.leaderboard(c).places[0].model][kind == "hard"])
    )


def test_bad_questions_get_a_sentence(run, tmp_path):
    c = fw.compare_predictions(None, marks())
    with pytest.raises(FoldwiseError, match="unknown new 'm9'"):
        fw.leaderboard(c, new="m9")
    with pytest.raises(InvalidInput, match="compares all pairs"):
        fw.leaderboard(fw.compare_predictions(None, marks(), options=fw.Options(control="m0")))
    folder = submissions(tmp_path, {"a": ["x-1"], "b": ["x-2"]})
    code, _, err = run("leaderboard", folder, "--new", "nobody")
    assert (code, "nobody" in err) == (2, True)


def test_two_and_equal_models_share_a_place():
    same = [1, 0] * 30
    board = fw.leaderboard(fw.compare_predictions(None, {"a": same, "b": same}))
    assert [place.ranks for place in board.places] == ["1–2", "1–2"]
    assert board.first == ("a", "b")


def test_a_board_read_back_from_json_is_the_same_board(tmp_path):
    boards = [fw.leaderboard(fw.compare_predictions(None, marks(1)), new="m2")]
    boards.append(
        fw.leaderboard(
            {
                "model_a": ["x", "y", "z"] * 9,
                "model_b": ["y", "z", "x"] * 9,
                "winner": (["a", "b", "tie", "b", "a"] * 6)[:27],
            }
        )
    )
    for board in boards:
        kept = json.loads(json.dumps(board.to_dict()))
        for again in (fw.Leaderboard.from_dict(kept), Result.from_dict(kept)):
            assert type(again) is fw.Leaderboard
            assert str(again) == str(board)
            assert again.details() == board.details()
            assert again.to_dict() == board.to_dict()
            assert again.to_csv() == board.to_csv()
            assert again.to_html() == board.to_html()
    with pytest.raises(InvalidInput, match="a leaderboard must be as to_dict wrote it"):
        fw.Leaderboard.from_dict({**kept, "places": [{"model": "x"}]})
