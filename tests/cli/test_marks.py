"""Marks on the command line: graded answers, trials, missing ones, seeds; the same answer as in Python."""

from __future__ import annotations

import json

import numpy as np
import pytest

import foldwise as fw

RNG = np.random.default_rng(3)
A, B = (np.round(RNG.random((12, 3)) + gain, 3) for gain in (0.2, 0.0))
NAMES = [f"q{i}" for i in range(12)]


def rows_of_trials(*, missing=()):
    lines = ["item,text,red,blue"]
    for i, name in enumerate(NAMES):
        lines += [f"{name},t{i // 2},{A[i, k]},{'' if (i, k) in missing else B[i, k]}" for k in range(3)]
    return "\n".join(lines) + "\n"


@pytest.fixture
def asked(run, tmp_path):
    """Ask about a text; the answer as JSON, or the sentence on stderr."""

    def ask(text, *words):
        file = tmp_path / "marks.csv"
        file.write_text(text, encoding="utf-8")
        code, out, err = run("predictions", file, "--json", *words)
        if code:
            assert code == 2
            return err.strip()
        return json.loads(out)

    return ask


def same(answer, comparison):
    expected = comparison.to_dict()
    for key in ("test", "estimate", "pvalue", "df", "interval", "means", "metric", "variance", "rope_probabilities"):
        assert answer[key] == expected[key], key
    return answer


def test_graded_marks_are_those_of_python(asked):
    text = "red,blue\n" + "".join(f"{a},{b}\n" for a, b in zip(A[:, 0], B[:, 0], strict=True))
    same(asked(text, "--truth", "none"), fw.compare_predictions(None, {"red": A[:, 0], "blue": B[:, 0]}))
    loss = asked(text, "--truth", "none", "--metric", "log loss")
    same(loss, fw.compare_predictions(None, {"red": A[:, 0], "blue": B[:, 0]}, metric="log loss"))
    assert loss["higher_is_better"] is False
    assert asked(text, "--truth", "none", "--lower-is-better")["higher_is_better"] is False


def test_trials_of_an_item_are_averaged(asked):
    answer = asked(rows_of_trials(), "--truth", "none", "--item", "item", "--a", "red", "--b", "blue")
    same(answer, fw.compare_predictions(None, {"red": A, "blue": B}))
    assert answer["design"] == "12 items, 3 trials each"
    assert [row["name"] for row in answer["variance"]["sources"]] == ["items", "trials"]
    clustered = asked(rows_of_trials(), "--truth", "none", "--item", "item", "--groups", "text")
    same(clustered, fw.compare_predictions(None, {"red": A, "blue": B}, groups=np.arange(12) // 2))


@pytest.mark.parametrize("policy", ["drop", "worst"])
def test_missing_marks_are_counted(asked, policy):
    gone = [(0, 0), (1, 0), (1, 1), (1, 2)]
    answer = asked(rows_of_trials(missing=gone), "--truth", "none", "--item", "item", "--groups", "none", "--a", "red",
                   "--b", "blue", "--missing", policy, "--bounds", "-9", "9")  # fmt: skip
    holes = B.copy()
    for place in gone:
        holes[place] = np.nan
    same(
        answer,
        fw.compare_predictions(None, {"red": A, "blue": holes}, missing=policy, options=fw.Options(bounds=(-9, 9))),
    )
    assert any("missing values: red 0, blue 4;" in caveat for caveat in answer["notes"])


def test_right_and_wrong_stay_what_they_are_with_gaps_too(asked):
    text = "red,blue\nright,wrong\nright,right\nwrong,\nright,wrong\n"
    answer = asked(text, "--truth", "none", "--missing", "drop")
    same(answer, fw.compare_predictions(None, {"red": [1, 1, 1], "blue": [0, 1, 0]}))
    assert answer["test"] == "mcnemar"


def test_labels_with_their_truth_may_have_trials(asked):
    text = "item,truth,red,blue\nq1,x,x,y\nq1,x,x,x\nq2,y,y,y\nq2,y,x,y\nq3,x,x,y\nq3,x,x,y\n"
    expected = fw.compare_predictions(
        None, {"red": [[1, 1], [1, 0], [1, 1]], "blue": [[0, 1], [1, 1], [0, 0]]}, metric="accuracy"
    )
    same(asked(text, "--item", "item"), expected)


def seeds_file(a, b):
    lines = ["seed,id,red,blue"]
    places = [(seed, item) for seed in range(len(b)) for item in range(b.shape[1])]
    lines += [f"s{s},q{i},{a[s, i] if s < len(a) else ''},{b[s, i]}" for s, i in places]
    return "\n".join(reversed([*lines[1:], lines[0]])) + "\n"  # in any order


def test_seeds_are_crossed_with_items_in_any_order(asked):
    a, b = A.T.copy(), B.T.copy()
    same(asked(seeds_file(a, b), "--truth", "none", "--seed-column", "seed"),
         fw.compare_predictions(None, {"red": a[::-1, ::-1], "blue": b[::-1, ::-1]},
                                options=fw.Options(seeds="paired")))  # fmt: skip
    answer = asked(seeds_file(a[:2], b), "--truth", "none", "--seed-column", "seed", "--unpaired-seeds")
    assert answer["design"] == "2 and 3 seeds × 12 items"
    assert answer["pvalue"] == pytest.approx(
        fw.compare_predictions(None, {"a": a[:2], "b": b}, options=fw.Options(seeds="unpaired")).pvalue
    )


@pytest.mark.parametrize(("text", "words", "sentence"), [
    ("item,a,b\nq,0.5,1\nq,1,1\n", ("--truth", "none"), "lines 2 and 3: column 'item' names 'q' twice"),
    ("a,b\n0.5,1\n,1\n", ("--truth", "none"), "outputs['a'][1] is missing (in all: outputs['a'] 1, outputs"),
    ("a,b\n0.5,\n,1\n", ("--truth", "none", "--missing", "drop"), "must have items in common"),
    ("a,b\n0.5,good\n1,1\n", ("--truth", "none"), "line 2: column 'b' must hold numbers, got 'good'"),
    ("truth,a,b\nx,x,y\n", ("--bounds", "0", "1"), "bounds is for marks, trials and seeds, but marks.csv holds labels"),
    ("seed,a,b\n1,1,0\n2,1,0\n", ("--truth", "none", "--seed-column", "seed"), "Not found: item (the test"),
    ("seed,id,a,b\n1,q,1,0\n1,q,1,0\n2,q,1,1\n", ("--truth", "none", "--seed-column", "seed"),
     "has item q under seed 1 2 times"),
    ("seed,id,group,a,b\n1,q,x,1,0\n2,q,y,1,0\n", ("--truth", "none", "--seed-column", "seed"),
     "must have an item in one cluster under every seed, but has item q in x and in y"),
    ("seed,id,a,b\n1,q,1,0\n1,r,0.5,0\n", ("--truth", "none", "--seed-column", "seed"), "at least 2 seeds, got 1"),
    ("item,a,b\nq,0.5,1\n", ("--truth", "none", "--item", "question"), "has no column 'question'"),
])  # fmt: skip
def test_bad_files_end_with_one_sentence(asked, text, words, sentence):
    said = asked(text, *words)
    assert sentence in said
    assert len(said.splitlines()) <= 3


def test_items_of_their_own_may_be_called_alike(asked):
    text = "item,a,b\nq,0.5,1\nq,1,1\nr,0.25,0.5\n"
    assert asked(text, "--truth", "none", "--item", "none")["design"] == "3 items"


def test_a_margin_and_a_gate_work_on_marks(run, tmp_path):
    file = tmp_path / "marks.csv"
    file.write_text("".join(["a,b\n", *(f"{a},{b}\n" for a, b in zip(B[:, 0], A[:, 0] + 1, strict=True))]))
    code, out, err = run(
        "predictions", file, "--truth", "none", "--margin", "0.05", "--a", "a", "--fail-if", "inferior"
    )
    assert (code, "inferior" in out) == (1, True)
    assert len(err.strip().splitlines()) == 1
