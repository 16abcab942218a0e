from __future__ import annotations

import json

import pytest

TABLE = "data,nb,c45,tan\n" + "".join(
    f"set {i},{0.8 + i / 100},{0.7 + i / 100 + (i % 3) / 100},{0.75 + i / 100}\n" for i in range(12)
)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_a_verdict_in_words(run, table):
    code, out, err = run("table", table, "--metric", "accuracy")
    assert (code, err) == (0, "")
    assert "nb is best: better than each of the other 2." in out
    assert "3 comparisons" in out


def test_json_has_the_keys_of_to_dict(run, table):
    answer = json.loads(run("table", table, "--json", "--adjust", "shaffer", "--test", "sign")[1])
    assert answer["best"] == "nb"
    assert (answer["test"], answer["adjustment"], answer["n_comparisons"]) == ("sign", "shaffer", 3)
    assert answer["tasks"][0] == "set 0"


def test_control_and_direction(run, table):
    answer = json.loads(run("table", table, "--json", "--control", "c45", "--lower-is-better")[1])
    assert answer["control"] == "c45"
    assert answer["best"] == "c45"
    assert answer["higher_is_better"] is False


def test_hopeless_tables_are_told_on_stderr_first(run, tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("".join(TABLE.splitlines(keepends=True)[:5]), encoding="utf-8")
    code, out, err = run("table", path)
    assert code == 0
    assert "note: with 4 data sets no adjusted p-value can be below 0.38" in err
    assert "No answer is possible" in out


@pytest.mark.parametrize(("text", "options", "message"), [
    (TABLE.replace("0.8,", ",", 1), [], "there is none for nb on set 0"),
    (TABLE, ["--test", "wilcox"], "did you mean 'wilcoxon'"),
    (TABLE, ["--adjust", "tukey"], "unknown adjust 'tukey'"),
    (TABLE, ["--control", "svm"], "unknown control 'svm'"),
    (TABLE, ["--alpha", "2"], "alpha must be strictly between 0 and 1"),
    ("data,nb\na,1\nb,2\n", [], "at least two learners"),
    ("data,nb,c45\na,1,2\n", [], "at least two data sets"),
    ("data,nb,c45\na,1,high\n", [], "line 2"),
    ("data,nb,nb\na,1,2\nb,1,3\n", [], "nb"),
])  # fmt: skip
def test_bad_input_is_one_sentence_and_exit_code_2(run, tmp_path, text, options, message):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    code, out, err = run("table", path, *options)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_missing_cells_are_taken_when_asked_for(run, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text(TABLE.replace("0.8,", ",", 1), encoding="utf-8")
    code, out, _ = run("table", path, "--omnibus", "skillings_mack")
    assert code == 0
    assert "Skillings–Mack" in out
