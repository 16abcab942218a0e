"""Readers × cases at every door: long and wide tables, other names, one answer, and what is refused."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import foldwise as fw


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(7)
    ill = (np.arange(40) % 5 < 2).astype(int)
    scores = np.clip(np.round(2.5 + 1.5 * ill + rng.normal(0, 0.6, 40) + rng.normal(0, 0.7, (2, 4, 40))), 1, 5)
    scores[1] = np.clip(scores[1] + (ill * (rng.random((4, 40)) < 0.3)), 1, 5)
    return scores.astype(int), ill


def table(header, rows):
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


def long(study, header=("reader", "case", "modality", "score", "truth")):
    scores, ill = study
    names = ("ct", "mri")
    return table(
        header,
        [
            (f"r{r}", f"c{c}", names[m], scores[m, r, c], ill[c])
            for c in range(40) for m in range(2) for r in range(4)
        ],
    )  # fmt: skip


def wide(study):
    scores, ill = study
    rows = [(f"r{r}", f"c{c}", ill[c], *scores[:, r, c]) for r in range(4) for c in range(40)]
    return table(("reader", "case", "truth", "ct", "mri"), rows)


def python(study, **options):
    scores, ill = study
    readers, cases = np.repeat(np.arange(4), 40), np.tile(np.arange(40), 4)
    outputs = {"ct": scores[0].ravel(), "mri": scores[1].ravel()}
    return fw.compare_predictions(np.tile(ill, 4), outputs, items=cases, options=fw.Options(readers=readers), **options)


def told(found):
    found = found["verdicts"][""] if "verdicts" in found else found
    pair = found["pairs"][0]
    numbers = [round(value, 9) for value in (pair["estimate"], pair["pvalue"], *pair["means"])]
    return found["test"], found["design"], numbers


@pytest.mark.parametrize("metric", [None, "sensitivity@3", "specificity@3", "accuracy@3"])
@pytest.mark.parametrize("shape", [long, wide])
def test_all_doors_say_the_same(run, tmp_path, study, shape, metric):
    (tmp_path / "study.csv").write_text(shape(study))
    expected = told(python(study, metric=metric).to_dict())
    options = [] if metric is None else ["--metric", metric]
    for command in ("predictions", "judge"):
        code, out, err = run(command, tmp_path / "study.csv", *options, "--json")
        assert code == 0, err
        assert told(json.loads(out)) == expected


def test_the_page_says_it_too(on_page, tmp_path, study):
    (tmp_path / "study.csv").write_text(long(study))
    c = python(study)
    for door in ("predictions", "judge"):
        text = on_page(door, tmp_path / "study.csv").text
        assert "over readers and cases" in text
        assert f"{c.means['mri']:.4g}" in text


def test_names_of_the_field_are_known_and_others_declared(run, tmp_path, study):
    (tmp_path / "a.csv").write_text(long(study, ("radiologist", "case_id", "treatment", "rating", "truth")))
    (tmp_path / "b.csv").write_text(long(study, ("who", "what", "how", "points", "gold")))
    declared = [f"--column={role}={name}" for role, name in
                (("reader", "who"), ("item", "what"), ("model", "how"), ("score", "points"))]  # fmt: skip
    expected = told(python(study).to_dict())
    assert told(json.loads(run("judge", tmp_path / "a.csv", "--json")[1])) == expected
    assert told(json.loads(run("judge", tmp_path / "b.csv", *declared, "--json")[1])) == expected


def test_frames_and_marks_without_a_truth(study):
    pd = pytest.importorskip("pandas")
    frame = pd.read_csv(io.StringIO(long(study)))
    assert told(fw.judge(frame).to_dict()) == told(python(study).to_dict())
    positive = frame[frame["truth"] == 1].assign(score=lambda one: (one["score"] >= 3).astype(int))
    marks = fw.judge(positive.drop(columns="truth")).main
    asked = python(study, metric="sensitivity@3")
    assert (marks.estimate, marks.pvalue) == (pytest.approx(asked.estimate), pytest.approx(asked.pvalue))


def test_the_reader_sees_what_varies_and_a_dot_for_each_reader(run, tmp_path, study):
    (tmp_path / "study.csv").write_text(wide(study))
    out = run("predictions", tmp_path / "study.csv", "--details")[1]
    for words in (
        "variance: readers",
        "standard error with twice as many readers",
        "Assumed: what is compared is the mean",
        "4 readers say little about how much readers vary",
        "a random sample of such readers",
    ):
        assert words in out
    ax = python(study).plot("differences").axes[0]
    assert ax.get_xlabel() == "reader"


def test_what_can_not_be_is_one_sentence(run, tmp_path, study):
    path = tmp_path / "study.csv"
    lines = long(study).splitlines(keepends=True)
    single = [line for line in lines if line.startswith(("reader", "r0"))]
    for text, options, message in (
        ("".join(single), [], "at least two readers are needed"),
        ("".join([*lines, lines[5]]), [], "twice with"),
        ("".join(lines).replace("r3,c7,mri,", "r3,c7,mri,x"), [], "score"),
        ("".join(lines[:-1]) + lines[-1].rstrip()[:-1] + "7\n", [], "must say the same of a case"),
        ("".join(lines), ["--metric", "sensitivity"], "as in sensitivity@3"),
        ("".join(lines), ["--metric", "f1"], "must be roc_auc"),
        ("".join(lines), ["--column", "item=none"], ""),
    ):
        path.write_text(text)
        code, out, err = run("predictions", path, *options)
        assert (code, out) == (2, ""), (message, out)
        assert message in err
        assert "Traceback" not in err
    path.write_text("".join(lines[:-1]))  # one score is absent
    assert run("predictions", path)[0] == 2
    assert "39 cases" in run("predictions", path, "--missing", "drop")[1]
    assert "39 cases" in run("judge", path)[1]


def test_a_gate_and_slices(run, tmp_path, study):
    (tmp_path / "study.csv").write_text(wide(study))
    code, out, _ = run("gate", tmp_path / "study.csv", "--candidate", "mri", "--baseline", "ct", "--margin", "0.2")
    assert code in (0, 3)
    assert "mri" in out
    text = wide(study).splitlines()
    text = [text[0] + ",site", *(f"{line},{'ab'[int(line.split(',')[1][1:]) % 2]}" for line in text[1:])]
    (tmp_path / "sites.csv").write_text("\n".join(text) + "\n")
    for command in ("predictions", "judge"):
        assert "same in all 2 slices?" in run(command, tmp_path / "sites.csv", "--slice", "site")[1]
