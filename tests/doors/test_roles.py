"""Columns of tables get their roles by one rule at every door: by what was declared, then by their names."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import foldwise as fw
from foldwise.cli.main import main
from foldwise.core.errors import InvalidInput
from foldwise.core.roles import ROLES, assign_roles, role_of

ITEMS = (
    "prompt_id", "id", "prompt", "question", "qid", "problem_id", "instance_id", "input", "task_id", "sample_id",
    "Prompt ID",
)  # fmt: skip


def write(path, header, rows):
    lines = [",".join(map(str, header)), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def answers(count, share, seed):
    draw = random.Random(seed)
    return [int(draw.random() < share) for _ in range(count)]


def long_rows(count=40):
    a, b = answers(count, 0.9, 1), answers(count, 0.4, 2)
    return [(f"q{i}", model, marks[i]) for i in range(count) for model, marks in (("a", a), ("b", b))]


@pytest.fixture
def run(capsys):
    """Call the command line; returns (exit code, stdout, stderr)."""

    def call(*words):
        code = 0
        try:
            main([str(word) for word in words])
        except SystemExit as left:
            code = left.code
        out, err = capsys.readouterr()
        return code, out, err

    return call


def found(run, *words):
    code, out, err = run(*words, "--json")
    assert code == 0, err
    return json.loads(out)


def refusal(run, *words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) <= 3, "a doctor speaks in three lines at most"
    assert "columns={" not in err, "the command line speaks of options"
    return err


@pytest.mark.parametrize("name", ITEMS)
def test_items_are_recognised_by_their_names(run, tmp_path, name):
    file = write(tmp_path / "t.csv", (name, "model", "score"), long_rows())
    assert found(run, "judge", file)["understood"]["size"] == {"": 40}
    assert fw.judge(file).main.better == "a"


def test_a_task_id_is_the_task_where_another_column_is_the_item():
    assert assign_roles(["task_id", "item"], source="t").found["task"] == ("task_id",)
    assert assign_roles(["task_id", "task"], source="t").found["item"] == ("task_id",)
    assert assign_roles(["task_id"], source="t").found["item"] == ("task_id",)


def test_an_id_that_numbers_rows_is_no_item(run, tmp_path):
    rows = [(n, model, fold, 0.5 + n / 100) for n, (model, fold) in enumerate((m, f) for m in "ab" for f in range(10))]
    file = write(tmp_path / "t.csv", ("id", "model", "fold", "accuracy"), rows)
    assert found(run, "judge", file)["understood"]["rows"] == "splits"


def test_a_column_can_be_given_a_role_at_every_door(run, tmp_path):
    file = write(tmp_path / "t.csv", ("Case No", "who", "right"), long_rows())
    assert "--column" in refusal(run, "judge", file)
    said = ("--column", "item=Case No", "--column", "model=who", "--column", "score=right")
    columns = {"item": "Case No", "model": "who", "score": "right"}
    answer = found(run, "judge", file, *said)
    assert answer["verdicts"][""]["pvalue"] == fw.judge(file, columns=columns).main.pvalue
    how = {one["what"]: one["how"] for one in answer["understood"]["columns"]}
    assert (how["item"], how["model"], how["score"]) == ("declared", "declared", "declared")

    wide = write(tmp_path / "w.csv", ("right answer", "x", "y"), [("p" if i % 3 else "n", "p", "n") for i in range(30)])
    for door in ("predictions", "watch"):
        by_column = found(run, door, wide, "--column", "truth=right answer")
        assert by_column["models"] == found(run, door, wide, "--truth", "right answer")["models"]
    both = found(run, "predictions", wide, "--column", "model=y", "--column", "model=x")
    assert both["models"] == ["y", "x"]

    scores = [(m, f, 0.5 + 0.01 * f + 0.1 * (m == "a")) for m in "ab" for f in range(10)]
    file = write(tmp_path / "s.csv", ("who", "part", "points"), scores)
    said = [word for one in ("model=who", "fold=part", "score=points") for word in ("--column", one)]
    assert found(run, "scores", file, *said)["models"] == ["a", "b"]

    rows = [(i, f"d{i}", 0.8 + i / 100, 0.7 + i / 200) for i in range(8)]
    file = write(tmp_path / "d.csv", ("no", "name of it", "nb", "rf"), rows)
    said = [word for one in ("task=name of it", "model=nb", "model=rf") for word in ("--column", one)]
    assert found(run, "table", file, *said)["models"] == ["nb", "rf"]


def test_bad_declarations_end_with_one_sentence(run, tmp_path):
    file = write(tmp_path / "t.csv", ("item", "model", "score"), long_rows(4))
    assert "must be ROLE=NAME" in refusal(run, "judge", file, "--column", "item")
    assert "unknown role of a column 'thing'" in refusal(run, "judge", file, "--column", "thing=item")
    assert "no column 'x'" in refusal(run, "judge", file, "--column", "item=x")
    assert "can't be the item and the model" in refusal(
        run, "judge", file, "--column", "item=item", "--column", "model=item"
    )
    with pytest.raises(InvalidInput, match="columns are for tables"):
        fw.judge({"a": [0.5, 0.6], "b": [0.4, 0.5]}, columns={"item": "x"})


def test_python_speaks_of_parameters_and_the_command_line_of_options(run, tmp_path):
    file = write(tmp_path / "t.csv", ("thing", "model", "score"), long_rows(4))
    assert "--column item=thing or --column fold=thing" in refusal(run, "judge", file)
    with pytest.raises(InvalidInput, match=r"columns=\{'item': 'thing'\} or columns=\{'fold': 'thing'\}"):
        fw.judge(file)


def test_two_files_with_one_model_each_are_called_after_the_files(run, tmp_path):
    for name, share, seed in (("new", 0.9, 1), ("old", 0.4, 2)):
        write(tmp_path / f"{name}.csv", ("id", "correct"), enumerate(answers(60, share, seed)))
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.csv").write_text((tmp_path / f"{name}.csv").read_text())
    for pair in (("new.csv", "old.csv"), ("new/results.csv", "old/results.csv")):
        files = [tmp_path / one for one in pair]
        assert found(run, "judge", *files)["understood"]["models"] == ["new", "old"]
        assert fw.judge(files).main.better == "new"
    alone = refusal(run, "judge", tmp_path / "new.csv")
    assert "item 'id'; 'correct' with numbers" in alone
    assert "Not found: a second model" in alone


def test_two_files_of_outputs_beside_the_truth(run, tmp_path):
    draw = random.Random(3)
    truth = [draw.choice("ab") for _ in range(60)]
    for name, share in (("new", 0.9), ("old", 0.4)):
        rows = [(i, true, true if draw.random() < share else "c") for i, true in enumerate(truth)]
        write(tmp_path / f"{name}.csv", ("id", "truth", "prediction"), rows)
    answer = found(run, "judge", tmp_path / "new.csv", tmp_path / "old.csv")
    assert (answer["understood"]["models"], answer["understood"]["measures"]) == (["new", "old"], {"": "accuracy"})


def test_metrics_of_one_model_are_no_models(run, tmp_path):
    rows = [(f"d{i}", 0.8, 0.7 + i / 100) for i in range(8)]
    file = write(tmp_path / "t.csv", ("dataset", "accuracy", "f1"), rows)
    assert "'accuracy' and 'f1' named as metrics" in refusal(run, "judge", file)


def test_several_judges_of_an_item_are_offered_as_trials_or_clusters(run, tmp_path):
    draw = random.Random(5)
    rows = [
        (f"q{i}", model, rater, min(5, draw.randint(1, 4) + (model == "a")))
        for i in range(30)
        for model in "ab"
        for rater in ("gpt", "claude", "gemini")
    ]
    file = write(tmp_path / "t.csv", ("item", "model", "judge", "rating"), rows)
    said = refusal(run, "judge", file)
    assert "names 3 raters" in said
    assert "--column trial=judge" in said
    assert "--column group=judge" in said
    trials = fw.judge(file, columns={"trial": "judge"})
    assert (trials.understanding.trials, trials.main.design) == (3, "30 items, 3 trials each")
    clusters = fw.judge(file, columns={"group": "judge"})
    assert clusters.main.design == "90 items in 3 clusters"
    wide = [(i, rater, draw.randint(2, 5), draw.randint(1, 4)) for i in range(30) for rater in "xy"]
    file = write(tmp_path / "w.csv", ("item", "annotator", "new", "old"), wide)
    assert "names 2 raters" in refusal(run, "judge", file)
    assert fw.judge(file, columns={"trial": "annotator"}).understanding.trials == 2


def test_one_missing_fold_does_not_discard_a_data_set(run, tmp_path):
    draw = random.Random(7)
    rows = [
        (name, model, fold, round(0.7 + 0.1 * draw.random(), 3))
        for name in ("iris", "wine", "glass")
        for model in "ab"
        for fold in range(10)
        if (name, model, fold) != ("iris", "b", 3)
    ]
    file = write(tmp_path / "t.csv", ("dataset", "model", "fold", "accuracy"), rows)
    answer = found(run, "judge", file)
    assert list(answer["verdicts"]) == ["iris", "wine", "glass"]
    assert any("missing values: a 0, b 1; 1 split left out" in note for note in answer["understood"]["left_out"])
    one = fw.judge(file, tasks=["iris"])
    assert one.main.design == "9-fold cross-validation"
    said = refusal(run, "judge", file, "--missing", "refuse")
    assert "--missing drop" in said


def test_of_a_grid_with_a_hole_whole_runs_or_common_folds_are_compared(tmp_path):
    draw = random.Random(8)
    rows = [
        (model, run, fold, round(0.7 + 0.1 * draw.random(), 3))
        for model in "ab"
        for run in range(5)
        for fold in range(10)
        if (model, run, fold) != ("a", 2, 6)
    ]
    file = write(tmp_path / "t.csv", ("model", "run", "fold", "accuracy"), rows)
    found = fw.judge(file)
    assert "5 splits left out for all models" in found.understanding.left_out[0]


def test_models_in_rows_are_offered_transposed(run, tmp_path):
    draw = random.Random(9)
    rows = [
        (m, *(round(0.6 + lift + 0.1 * draw.random(), 3) for _ in range(12))) for m, lift in (("nb", 0), ("rf", 0.2))
    ]
    file = write(tmp_path / "t.csv", ("model", *(f"d{i}" for i in range(12))), rows)
    for door, key in (("judge", None), ("table", "models")):
        assert "--rows models" in refusal(run, door, file)
        answer = found(run, door, file, "--rows", "models")
        assert (answer["understood"]["models"] if key is None else answer[key]) == ["nb", "rf"]
    with pytest.raises(InvalidInput, match="rows='models'"):
        fw.judge(file)


def test_percentages_and_spreads_are_numbers(run, tmp_path):
    rows = [(f"d{i}", f"{80 + i}.1%", f"{81 + i + i % 3}.3%") for i in range(8)]
    percent = write(tmp_path / "p.csv", ("dataset", "nb", "rf"), rows)
    plain = write(tmp_path / "n.csv", ("dataset", "nb", "rf"), [[cell.strip("%") for cell in row] for row in rows])
    spread = write(tmp_path / "s.csv", ("dataset", "nb", "rf"), [
        (name, f"{a.strip('%')} ± 1.3", f"{b.strip('%')} (0.4)") for name, a, b in rows
    ])  # fmt: skip
    answers = [found(run, "judge", file) for file in (percent, plain, spread)]
    pairs = [one["verdicts"][""]["pairs"][0] for one in answers]
    assert len({tuple(pair[key] for key in ("estimate", "median", "wins", "pvalue")) for pair in pairs}) == 1
    assert [one["verdicts"][""]["unit"] for one in answers] == ["percent", "own", "own"]
    told = [[(one["what"], one["how"]) for one in answer["understood"]["columns"]] for answer in answers]
    assert ("unit", "from the file") in told[0]
    assert ("unit", "from the file") not in told[1]
    assert ("spread", "from the file") in told[2]
    doors = [found(run, "table", file) for file in (percent, plain)]
    assert len({one["pairs"][0]["pvalue"] for one in doors}) == 1
    assert [one["unit"] for one in doors] == ["percent", "own"]


def test_the_truth_is_found_by_its_name_before_its_place(run, tmp_path):
    draw = random.Random(11)
    rows = [(i, true, true, draw.choice("xy")) for i, true in enumerate(draw.choice("xy") for _ in range(60))]
    file = write(tmp_path / "t.csv", ("Unnamed: 0", "True Label", "nb", "rf"), rows)
    for door in ("predictions", "judge"):
        answer = found(run, door, file)
        assert (answer["models"] if door == "predictions" else answer["understood"]["models"]) == ["nb", "rf"]
    unnamed = write(tmp_path / "u.csv", ("", "nb", "rf", "Actual"), [(i, a, b, c) for i, c, a, b in rows])
    assert found(run, "predictions", unnamed)["models"] == ["nb", "rf"]


def test_the_index_that_pandas_stores_in_parquet_is_no_model_and_no_score(run, tmp_path):
    pandas, draw = pytest.importorskip("pandas"), random.Random(2)
    pytest.importorskip("pyarrow")
    wide = pandas.DataFrame({name: [draw.randrange(2) for _ in range(60)] for name in ("y_true", "a", "b")})
    wide.iloc[::-1].to_parquet(tmp_path / "wide.parquet")
    long = [pandas.DataFrame({"model": name, "item": range(60), "score": wide[name]}) for name in "ab"]
    pandas.concat(long).to_parquet(tmp_path / "long.parquet")
    for file in ("wide.parquet", "long.parquet"):
        judged = fw.judge(tmp_path / file)
        assert judged.main.models == ("a", "b")
        assert "__index_level_0__" not in str(judged)
    assert found(run, "predictions", tmp_path / "wide.parquet")["models"] == ["a", "b"]


@pytest.mark.parametrize("name", ["human", "Human Label", "expert_score", "annotator_score", "gold_label"])
def test_people_are_no_model(run, tmp_path, name):
    labels, judged = answers(60, 0.4, 3), answers(60, 0.9, 4)
    rows = [(f"q{i}", judged[i], labels[i] if i % 5 == 0 else "") for i in range(60)]
    file = write(tmp_path / "t.csv", ("item", "judge", name), rows)
    for door in ("judge", "predictions"):
        said = refusal(run, door, file)
        assert "looks like a judge checked by people" in said
        assert "has labels of 12 of 60 rows, and does not say of which model's answers" in said
    with pytest.raises(InvalidInput, match=r"columns=\{'human': 'none'\}"):
        fw.judge(file)
    named = fw.judge(file, columns={"model": ["judge", name]}, options=fw.Options(inner=True))
    assert named.understanding.models == ("judge", name)


def test_labels_of_people_in_a_long_table_are_no_metric(tmp_path):
    rows = [(*row, row[2] if row[0] in ("q1", "q2") else "") for row in long_rows()]
    file = write(tmp_path / "t.csv", ("item", "model", "score", "human_score"), rows)
    found = fw.judge(file)
    assert found.understanding.other_metrics == ()
    assert found.main.test == "ppi"
    assert fw.judge(file, columns={"human": "none"}).main.test != "ppi"


@pytest.mark.parametrize("header", ["passage", "Passage"])
def test_the_clusters_that_are_offered_can_be_taken(run, tmp_path, header):
    rows = [(i, f"p{i // 4}", "x", "x" if i % 3 else "y", "y" if i % 5 else "x") for i in range(60)]
    wide = write(tmp_path / "w.csv", ("id", header, "truth", "nb", "rf"), rows)
    for door in ("judge", "predictions"):
        designs = [found(run, door, wide, *words) for words in ((), ("--groups", "passage"))]
        designs = [(one["verdicts"][""] if door == "judge" else one)["design"] for one in designs]
        assert "clusters" not in designs[0]
        assert designs[1].endswith("15 clusters")
    long = [(i, f"p{i // 4}", m, int((i + k) % 3 > 0)) for i in range(60) for k, m in enumerate("ab")]
    file = write(tmp_path / "l.csv", ("question_id", header, "model", "correct"), long)
    assert "15 clusters" in run("judge", file, "--groups", "passage")[1]


def test_clusters_that_some_tasks_have_are_taken_where_they_are(run):
    logs = Path(__file__).parents[1] / "reference" / "harnesses" / "lm_eval"
    assert "available: passage (--groups)" in run("judge", logs)[1]
    answer = found(run, "judge", logs, "--groups", "passage")
    assert "clusters" in answer["verdicts"]["ferry_choice"]["design"]
    assert "clusters" not in answer["verdicts"]["sums_free"]["design"]
    assert "unknown groups 'pasage': did you mean 'passage'?" in refusal(run, "judge", logs, "--groups", "pasage")


def test_a_column_called_group_is_taken_by_judge_as_by_predictions(run, tmp_path):
    rows = [(f"g{i // 4}", "x", "x" if i % 3 else "y", "y" if i % 5 else "x") for i in range(60)]
    file = write(tmp_path / "w.csv", ("group", "truth", "nb", "rf"), rows)
    assert found(run, "judge", file)["verdicts"][""]["pvalue"] == found(run, "predictions", file)["pvalue"]
    assert "clusters" not in fw.judge(file, groups="none").main.design


def test_a_search_as_a_frame():
    pandas = pytest.importorskip("pandas", reason="the frame is one of pandas")
    results = {"params": [{"C": 1}, {"C": 10}]}
    results |= {f"split{i}_test_score": [0.8 + i / 100, 0.7 + i / 90] for i in range(5)}
    results |= {"mean_fit_time": [1.0, 2.0], "rank_test_score": [1, 2]}
    found = fw.judge(pandas.DataFrame(results))
    assert found.understanding.models == ("C=1", "C=10")
    assert found.main.pvalue == fw.judge(results).main.pvalue


def test_logs_that_all_failed_are_said_to_have_failed(run, tmp_path):
    for model in "ab":
        samples = [
            {"id": i, "epoch": 1, "target": "x", "error": {"message": "timeout"}, "scores": None} for i in range(5)
        ]
        log = {"version": 2, "status": "error", "eval": {"task": "t", "model": model}, "samples": samples}
        (tmp_path / f"{model}.json").write_text(json.dumps(log))
    said = refusal(run, "judge", tmp_path)
    assert "nothing to compare" in said
    assert "error" in said


def test_every_name_tells_one_role():
    names = [name for role in ROLES.values() for name in role.names]
    assert len(names) == len(set(names))
    assert [role_of(name) for name in names] == [role.name for role in ROLES.values() for _ in role.names]


def numbered(count, *columns):
    return [(i + 1, *row) for i, row in enumerate(zip(*columns, strict=True))][:count]


@pytest.mark.parametrize("name", ["nr", "#", "case no", "t"])
def test_a_column_that_numbers_the_rows_is_no_model(run, tmp_path, name):
    """As a model of its own it was best of all: its scores are 1, 2, 3 …"""
    draw = random.Random(6)
    shares = [[round(draw.uniform(low, 0.9), 3) for _ in range(12)] for low in (0.5, 0.7)]
    sets = [f"d{i}" for i in range(12)]
    table = write(tmp_path / "t.csv", (name, "dataset", "nb", "rf"), numbered(12, sets, *shares))
    assert found(run, "table", table)["models"] == ["nb", "rf"]
    assert "numbers the rows" in " ".join(run("table", table)[1].split())
    answer = found(run, "judge", table)["understood"]
    assert answer["models"] == ["nb", "rf"]
    (told,) = [one for one in answer["columns"] if one["what"] == "numbering"]
    assert (told["how"], told["value"]) == ("assumed", f"column {name!r} numbers the rows")
    assert fw.judge(table).understanding.models == ("nb", "rf")
    asked = [name, "nb"]
    assert fw.judge(table, columns={"model": asked}).understanding.models == (name, "nb")

    scores = write(tmp_path / "s.csv", (name, "nb", "rf"), numbered(12, *shares))
    answer = found(run, "scores", scores, "--runs", "1")
    assert answer["models"] == ["nb", "rf"]

    truth = [draw.choice("xy") for _ in range(30)]
    columns = (truth, truth, [draw.choice("xy") for _ in truth])
    labels = write(tmp_path / "p.csv", (name, "truth", "nb", "rf"), numbered(30, *columns))
    marks = write(tmp_path / "m.csv", (name, "nb", "rf"), numbered(40, answers(40, 0.9, 1), answers(40, 0.4, 2)))
    for door in ("predictions", "watch"):
        assert found(run, door, labels)["models"] == ["nb", "rf"]
        assert found(run, door, marks, "--truth", "none")["models"] == ["nb", "rf"]
        assert found(run, door, marks)["models"] == ["nb", "rf"], "neither the numbering nor marks are a truth"


@pytest.mark.parametrize("names", [("new", "old"), ("new", "old", "third")])
def test_marks_beside_marks_are_no_truth_at_any_door(run, tmp_path, names):
    marks = dict(zip(names, (answers(200, 0.8, 1), answers(200, 0.6, 2), answers(200, 0.7, 3)), strict=False))
    file = write(tmp_path / "t.csv", ("item", *names), list(zip(range(200), *marks.values(), strict=True)))
    means = {name: sum(own) / 200 for name, own in marks.items()}
    judged = found(run, "judge", file)["verdicts"][""]
    answer = found(run, "predictions", file)
    assert answer["means"] == judged["means"] == pytest.approx(means)
    assert [pair["adjusted"] for pair in answer["pairs"]] == [pair["adjusted"] for pair in judged["pairs"]]
    (told,) = [one for one in answer["reading"] if one["what"] == "truth"]
    assert (told["how"], told["value"].partition(",")[0]) == ("assumed", "no column is the truth")
    for door in ("predictions", "watch"):
        chosen = ("--a", "new", "--b", "old") if door == "watch" else ()
        shown = found(run, door, file, *chosen)
        own = dict(zip(shown["models"], shown["means"], strict=True)) if chosen else shown["means"]
        assert own == pytest.approx({name: means[name] for name in shown["models"]})
        err = refusal(run, door, file, *chosen, "--metric", "f1")
        assert "--column truth=new" in err
        assert "--column truth=none" in err
    if len(names) > 2:
        assert found(run, "predictions", file, "--column", "truth=new")["models"] == ["old", "third"]


def test_words_for_right_and_wrong_tell_the_direction_of_a_long_table(run, tmp_path):
    rows = [(item, model, "pass" if mark else "fail") for item, model, mark in long_rows()]
    file = write(tmp_path / "t.csv", ("item", "agent", "outcome"), rows)
    understood = found(run, "judge", file)["understood"]
    assert understood["models"] == ["a", "b"], "agents are the models"
    assert understood["direction_from"] != "assumed"
    assert understood["higher_is_better"]
    assert "higher outcome is better" not in run("judge", file)[1]
