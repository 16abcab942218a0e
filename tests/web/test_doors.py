from __future__ import annotations

import json
import shlex

import pytest

from foldwise.cli.main import main
from foldwise.web.door_pages import example_text

PREDICTIONS = "id;wahr;größe;baum;dritter\n" + "".join(
    f"{i};{t};{a};{b};ja\n" for i, (t, a, b) in enumerate([("ja", "ja", "nein"), ("nein", "nein", "nein")] * 20)
)
RANDOM_SPLITS = "split;a;b\n" + "".join(f"{i};0,{80 + i % 5};0,{75 + i % 3}\n" for i in range(12))


def test_the_home_page_has_the_doors_the_calculators_and_the_examples(reader):
    page = reader.get("/")
    links = page.markup.values("href")
    for door in ("predictions", "watch", "scores", "table", "interval"):
        assert f"/{door}" in links
        assert f"/{door}?example=1" in links
    assert "/advise" in links
    assert "/plan" in links
    posts = page.markup.values("hx-post")
    assert {"/judge", "/live-example", "/predictions", "/scores", "/table"} <= set(posts)


@pytest.mark.parametrize(
    ("door", "roles"),
    [
        ("predictions", {"truth": "truth", "naive bayes": "classifier", "tree": "classifier"}),
        ("scores", {"learner": "learner", "run": "run", "fold": "fold", "accuracy": "score"}),
        ("table", {"data": "data set", "C4.5": "learner", "C4.5+m": "learner", "C4.5+cf": "learner",
                   "C4.5+m+cf": "learner"}),
        ("interval", {}),
    ],
)  # fmt: skip
def test_an_example_is_understood_before_it_is_answered(reader, door, roles):
    page = reader.get(f"/{door}?example=1")
    assert page.status == 200
    assert page.alert is None
    assert page.roles() == roles
    assert page.verdict is None
    assert page.markup


@pytest.mark.parametrize(
    ("door", "verdict"),
    [
        ("predictions", "No difference is shown."),
        ("scores", "No difference is shown."),
        ("table", "C4.5+m+cf has the best mean rank"),
    ],
)
def test_the_answer_is_that_of_the_command_which_is_shown(visitor, tmp_path, monkeypatch, capsys, door, verdict):
    text = example_text(f"{door}.csv")
    page = visitor.post(f"/{door}", text=text, filename="data.csv", step="answer")
    assert page.status == 200
    assert page.verdict.startswith(verdict)
    assert page.command == f"foldwise {door} data.csv"
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    told = json.loads(capsys.readouterr().out)
    kept = json.loads(visitor.post(f"/{door}/report.json", text=text, filename="data.csv").text)
    assert {name: value for name, value in told.items() if name != "repeat"} == {
        name: value for name, value in kept.items() if name != "repeat"
    }


def test_predictions_with_another_separator_and_other_columns(reader, tmp_path, monkeypatch, capsys):
    page = reader.post("/predictions", text=PREDICTIONS, step="look")
    facts = page.facts()
    assert facts["columns"] == "5, separated by semicolon"
    assert facts["test examples"] == "40"
    assert facts["größe is right on"] == "40 of 40"
    assert page.roles()["id"] == "passed over"
    assert [page.chosen(field) for field in ("truth", "a", "b")] == ["", "", ""]
    assert "found: wahr" in page.text
    options = {"a": "baum", "b": "dritter", "alpha": "0,1", "test": "mcnemar_exact"}
    answer = reader.post("/predictions", text=PREDICTIONS, filename="x.csv", step="answer", truth="wahr", **options)
    assert answer.alert is None
    assert [answer.chosen(field) for field in ("a", "b", "test")] == ["baum", "dritter", "mcnemar_exact"]
    assert answer.command == "foldwise predictions x.csv --a=baum --b=dritter --test=mcnemar_exact --alpha=0.1"
    (tmp_path / "x.csv").write_text(PREDICTIONS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(answer.command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["models"] == ["baum", "dritter"]


def test_a_classifier_that_becomes_the_truth_is_replaced(reader):
    text = "x,y,z,w\n" + "a,a,b,c\n" * 20
    page = reader.post("/predictions", text=text, step="look", truth="z", a="x", b="z")
    assert page.roles() == {"x": "classifier", "y": "classifier", "z": "truth", "w": "passed over"}
    assert [page.chosen(field) for field in ("truth", "a", "b")] == ["z", "x", ""]  # "" takes y


def test_a_column_that_is_not_used_may_hold_anything(reader):
    page = reader.post("/predictions", text="truth,a,b,note\n" + "x,x,y,\n" * 20, step="answer", a="a", b="b")
    assert page.verdict == "a is better."


def test_marks_without_a_truth(reader, tmp_path, monkeypatch, capsys):
    text = "a,b\n" + "1,0\n1,1\n1,0\n" * 10
    page = reader.post("/predictions", text=text, step="look")
    assert "two are needed" not in page.text, "the first column is no truth"
    assert '<option value="none">none: the columns are marks</option>' in page.text
    assert reader.post("/predictions", text=text, filename="x.csv", step="answer").verdict == "a is better."
    page = reader.post("/predictions", text=text, filename="x.csv", step="answer", truth="none")
    assert page.verdict == "a is better."
    assert page.chosen("truth") == "none"
    assert page.command == "foldwise predictions x.csv --truth=none"
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["better"] == "a"


def test_probabilities_are_no_predictions(reader):
    page = reader.post("/predictions", text="truth,a,b\n" + "1,0.9,0.3\n0,0.2,0.4\n" * 9, step="answer")
    assert "turn probabilities into labels first" in page.text


def test_clusters_are_seen_and_used(reader):
    text = "truth,a,b,cluster\n" + "".join(f"x,x,{'xy'[i % 2]},{i % 7}\n" for i in range(40))
    page = reader.post("/predictions", text=text, step="answer")
    assert page.facts()["clusters"].startswith("7,")
    assert "cluster-robust t test" in page.markup.text
    assert page.verdict == "a is better."


def test_clusters_that_were_guessed_can_be_declined(reader, tmp_path, monkeypatch, capsys):
    text = "cluster,truth,a,b\n" + "".join(f"{i % 7},x,x,{'xy'[i % 2]}\n" for i in range(40))
    page = reader.post("/predictions", text=text, step="look")
    assert page.chosen("groups") == ""
    assert "found: cluster" in page.text
    assert '<option value="none">none</option>' in page.text
    page = reader.post(
        "/predictions", text=text, filename="x.csv", step="answer", truth="truth", a="a", b="b", groups="none"
    )
    assert page.chosen("groups") == "none"
    assert page.roles() == {"cluster": "passed over", "truth": "truth", "a": "classifier", "b": "classifier"}
    assert "clusters" not in page.facts()
    assert page.command == "foldwise predictions x.csv --groups=none"
    (tmp_path / "x.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["test"] == "mcnemar"
    assert told["repeat"] == "foldwise predictions x.csv --groups none"


def test_without_clusters_none_is_chosen_and_the_command_need_not_say_so(reader):
    page = reader.post("/predictions", text=example_text("predictions.csv"), step="look")
    assert page.chosen("groups") == ""
    assert page.chosen("time") == ""
    assert page.text.count(">none</option>") == 2  # clusters and time
    assert page.text.count(">found: none</option>") == 2
    page = reader.post("/predictions", text=example_text("predictions.csv"), filename="x.csv", step="answer", groups="")
    assert page.command == "foldwise predictions x.csv"


def test_no_clusters_where_a_classifier_is_named_none(reader):
    text = "truth,none,b,cluster\n" + "".join(f"x,x,{'xy'[i % 2]},{i % 7}\n" for i in range(40))
    page = reader.post("/predictions", text=text, step="answer")
    assert page.verdict == "none is better."
    page = reader.post("/predictions", text=text, step="answer", a="none", b="b", groups="none")
    assert page.status == 422
    assert page.alert == (
        "The text has a column 'none', so that 'none' could mean this column or no column: rename the column."
    )


def test_runs_that_were_guessed_can_be_declined(reader, tmp_path, monkeypatch, capsys):
    text = "seed,split,a,b\n" + "".join(f"{100 + i},{i},0.{80 + i % 5},0.{75 + i % 3}\n" for i in range(12))
    page = reader.post("/scores", text=text, step="look")
    assert page.alert.startswith("The text has no score for learner 'a', seed 100, split 1")
    fields = {"run": "none", "n_train": "200", "n_test": "100"}
    page = reader.post("/scores", text=text, filename="s.csv", step="answer", **fields)
    assert page.facts()["resampling"] == "12 random splits"
    assert page.roles()["seed"] == "passed over"
    assert page.chosen("run") == "none"
    assert page.verdict == "a is better."
    assert page.command == "foldwise scores s.csv --run=none --n-train=200 --n-test=100"
    (tmp_path / "s.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([*shlex.split(page.command)[1:], "--json"])
    assert json.loads(capsys.readouterr().out)["better"] == "a"


def test_a_learner_column_that_was_guessed_can_be_declined(reader):
    text = "method,a,b\n" + "".join(f"row {i},0.{80 + i % 5},0.{75 + i % 3}\n" for i in range(12))
    page = reader.post("/scores", text=text, step="look")
    assert "Not found: score (the numbers to compare)" in page.alert
    fields = {"learner": "none", "score": "a", "n_train": "200", "n_test": "100"}
    page = reader.post("/scores", text=text, filename="s.csv", step="answer", **fields)
    assert page.verdict == "a is better."
    assert page.command == "foldwise scores s.csv --learner=none --n-train=200 --n-test=100"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"a": "tree", "b": "tree"}, "The two classifiers must be different columns, but both are 'tree'."),
        ({"truth": "nowhere"}, "The text has no column 'nowhere'; it has truth, naive bayes, tree."),
        ({"alpha": "many"}, "Alpha must be a number, got 'many'."),
        ({"alpha": "0"}, "Alpha must be strictly between 0 and 1, got 0.0."),
        ({"rope": "-1"}, "Rope must be a number of at least 0, got -1.0."),
        ({"test": "nonsense"}, "Unknown test 'nonsense'"),
        ({"test": "resampled_t"}, "Test 'resampled_t' needs scores"),
    ],
)
def test_choices_that_do_not_fit(reader, fields, sentence):
    page = reader.post("/predictions", text=example_text("predictions.csv"), step="answer", **fields)
    assert page.status == 422
    assert page.alert.startswith(sentence)
    assert page.verdict is None
    assert page.roles() or "nowhere" in fields.values() or "b" in fields


def test_scores_from_random_splits_need_their_sizes(reader):
    sentence = "Random splits need the number of training and test examples in a split, because their overlap decides"
    page = reader.post("/scores", text=RANDOM_SPLITS, step="look")
    assert page.alert is None
    assert sentence in page.markup.text
    page = reader.post("/scores", text=RANDOM_SPLITS, step="answer")
    assert page.status == 422
    assert page.alert.startswith(sentence)
    page = reader.post("/scores", text=RANDOM_SPLITS, filename="s.csv", step="answer", n_train="200", n_test="100")
    assert page.verdict == "a is better."
    assert page.command == "foldwise scores s.csv --n-train=200 --n-test=100"


def test_scores_wide_and_with_a_direction(reader):
    page = reader.post("/scores", text=RANDOM_SPLITS, step="look")
    assert page.facts()["layout"] == "one column per learner"
    assert page.facts()["decimals"] == "written 0.5 or 0,5"
    assert page.facts()["resampling"] == "12 random splits"
    assert page.chosen("direction") == ""
    assert "assumed: higher is better" in page.markup.text
    fields = {"n_train": "200", "n_test": "100", "metric": "log loss"}
    page = reader.post("/scores", text=RANDOM_SPLITS, filename="s.csv", step="answer", **fields)
    assert page.chosen("direction") == ""
    assert "by the metric's name: lower is better" in page.markup.text
    assert page.verdict == "b is better."
    assert page.command == "foldwise scores s.csv '--metric=log loss' --n-train=200 --n-test=100"
    page = reader.post("/scores", text=RANDOM_SPLITS, filename="s.csv", step="answer", direction="higher", **fields)
    assert page.verdict == "a is better."
    assert "--higher-is-better" in page.command


def test_two_of_three_learners(reader):
    text = "run,fold,x,y,z\n" + "".join(f"{i // 3},{i % 3},0.{i + 1},0.{i + 2},0.{9 - i}\n" for i in range(6))
    page = reader.post("/scores", text=text, filename="s.csv", step="look")
    assert [page.chosen("a"), page.chosen("b")] == ["x", "y"]
    page = reader.post("/scores", text=text, filename="s.csv", step="answer", a="z", b="x")
    assert "z vs x" in page.markup.text
    assert page.command.startswith("foldwise scores s.csv --a=z --b=x")


def test_scores_that_are_not_paired(reader):
    page = reader.post("/scores", text="learner,fold,score\na,1,0.5\na,2,0.6\nb,1,0.4\n", step="look")
    assert page.status == 422
    assert page.alert == "The text has no score for learner 'b', fold 2."
    assert page.chosen("learner") is not None


def test_a_table_with_empty_cells_is_judged_by_skillings_and_mack(reader):
    text = example_text("table.csv").replace("0.763", "", 1)
    page = reader.post("/table", text=text, filename="t.csv", step="answer")
    assert page.facts()["empty cells"].startswith("1, the first: C4.5 on adult (sample)")
    assert page.verdict
    assert page.command == "foldwise table t.csv --omnibus=skillings_mack"


def test_what_a_column_holds(reader):
    page = reader.post("/table", text=example_text("table.csv"), step="look")
    assert "14 different: adult (sample), breast cancer, breast cancer wisconsin, cmc …" in page.markup.text
    page = reader.post("/predictions", text=example_text("predictions.csv"), step="look")
    assert "benign (119), malignant (71)" in page.markup.text  # how often, where anything comes twice


def test_a_table_with_a_control_and_losses(reader):
    fields = {"baseline": "C4.5", "metric": "error", "test": "sign", "adjust": "hommel", "bayes": "none"}
    page = reader.post("/table", text=example_text("table.csv"), filename="t.csv", step="answer", **fields)
    assert page.chosen("direction") == ""
    assert "by the metric's name: lower is better" in page.markup.text
    assert "lower error is better" in page.markup.text
    options = "--baseline=C4.5 --test=sign --adjust=hommel --bayes=none --metric=error"
    assert page.command == f"foldwise table t.csv {options}"


def test_a_table_of_one_data_set(reader):
    page = reader.post("/table", text="data,a,b\niris,0.9,0.8\n", step="look")
    assert page.alert.startswith("Scores must have at least two data sets (rows), got 1")


@pytest.mark.parametrize("fields", [{"errors": "3", "n": "50"}, {"errors": " 3 ", "n": "50.0"}])
def test_one_error_rate_from_two_numbers(reader, fields):
    page = reader.post("/interval", step="answer", **fields)
    assert page.facts()["error rate"] == "6 %"
    assert page.verdict.startswith("The true error rate is probably between 1.7 % and 15.2 %")
    assert page.command == "foldwise interval 3 50"


def test_one_error_rate_counted_in_a_table(reader):
    page = reader.post("/interval", text=example_text("predictions.csv"), a="tree", method="wilson", step="answer")
    assert page.facts()["errors"] == "15"
    assert page.chosen("a") == "tree"
    assert page.command == "foldwise interval 15 190 --method=wilson"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "The page needs the number of errors and of test examples, or a table of predictions."),
        ({"errors": "3"}, "The page needs the number of errors and of test examples"),
        ({"errors": "60", "n": "50"}, "Errors must be from 0 to the number of test examples, got 60 of 50."),
        ({"errors": "-1", "n": "50"}, "Errors must be from 0"),
        ({"errors": "0", "n": "0"}, "Errors must be from 0"),
        ({"errors": "2.5", "n": "50"}, "Errors must be a whole number, got '2.5'."),
        ({"errors": "nan", "n": "50"}, "Errors must be a number up to 1,000,000,000,000, got 'nan'."),
        ({"errors": "x", "n": "50"}, "Errors must be a number, got 'x'."),
        ({"errors": "3", "n": "50", "method": "magic"}, "Unknown method 'magic'"),
        ({"errors": "3", "n": "50", "confidence": "95"}, "confidence_level must be strictly between 0 and 1"),
    ],
)
def test_numbers_that_make_no_error_rate(reader, fields, sentence):
    page = reader.post("/interval", step="answer", **fields)
    assert page.status == 422
    assert page.alert.startswith(sentence)


@pytest.mark.parametrize(
    "address", ["/nothing", "/nothing/report.html", "/predictions/report.exe", "/static/nothing.js"]
)
def test_addresses_that_lead_nowhere(reader, address):
    reply = reader.post(address) if "report" in address else reader.get(address)
    assert reply.status == 404
    assert reply.alert == "There is nothing at this address."


def test_a_report_is_not_there_to_get(reader):
    reply = reader.get("/predictions/report.html")
    assert reply.status == 405
    assert reply.alert == "This address does not take GET requests."


@pytest.mark.parametrize(
    ("door", "text"),
    [
        ("predictions", "m0,m1,m2\n" + "1,0,1\n1,1,0\n0,0,1\n" * 12),
        ("predictions", "truth,a,b,cluster\n" + "".join(f"x,x,{'xy'[i % 3 == 0]},{i % 9}\n" for i in range(45))),
        ("scores", example_text("scores.csv")),
        ("table", example_text("table.csv")),
        ("watch", example_text("predictions.csv")),
    ],
)  # fmt: skip
def test_fields_that_nobody_touched_change_nothing(reader, tmp_path, monkeypatch, capsys, door, text):
    """A browser sends every field of the form; what was assumed or found by its name must not count as declared."""
    seen = reader.post(f"/{door}", text=text, filename="d.csv", step="look")
    kept = json.loads(reader.post(f"/{door}/report.json", text=text, filename="d.csv", **seen.fields()).text)
    (tmp_path / "d.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    main([door, "d.csv", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert {**kept, "repeat": ""} == {**told, "repeat": ""}


@pytest.mark.parametrize("door", ["predictions", "scores", "table", "interval"])
def test_two_files_go_to_the_first_door(reader, door):
    rows = {name: "id,correct\n" + "".join(f"{i},{int(i % k > 0)}\n" for i in range(60)) for name, k in
            (("new", 6), ("old", 2))}  # fmt: skip
    page = reader.post(f"/{door}", dropped=[(f"{name}.csv", text) for name, text in rows.items()], step="answer")
    assert page.verdict.startswith("new is better")
    assert page.command == "foldwise judge new.csv old.csv"
    assert "judge" in page.markup.values("hx-post")[0]


def test_a_table_can_be_read_otherwise(reader):
    text = "model,iris,wine,glass\nnb,0.9,0.8,0.7\nrf,0.95,0.9,0.8\n"
    page = reader.post("/table", text=text, filename="t.csv", step="look")
    assert "names models, so that data sets are the columns" in page.alert
    page = reader.post("/table", text=text, filename="t.csv", step="answer", rows="models")
    assert page.facts()["learners"] == "2"
    assert page.command == "foldwise table t.csv --rows=models"
    text = "seed,where,nb,rf\n" + "".join(f"{i},d{i},0.{70 + i},0.{80 + i}\n" for i in range(8))
    page = reader.post("/table", text=text, filename="t.csv", step="answer", column_task="where")
    assert page.roles()["where"] == "data set"
    assert page.command.startswith("foldwise table t.csv --column=task=where")
