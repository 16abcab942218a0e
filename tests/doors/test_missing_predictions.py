"""Predictions that a model did not give, where the truth is known: refused, left out for all models, or wrong."""

import json

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput

NAN = float("nan")


def answers(classes="xy", n=60, models=2, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.choice(list(classes), n).astype(object)
    said = [np.where(rng.random(n) < 0.7, truth, rng.choice(list(classes), n)).astype(object) for _ in range(models)]
    said[0][[3, 11, 20]] = None
    return truth, said


def written(path, truth, said):
    names = ",".join(f"m{i}" for i in range(len(said)))
    rows = [",".join([t, *("" if s[i] is None else s[i] for s in said)]) for i, t in enumerate(truth)]
    path.write_text(f"truth,{names}\n" + "\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("classes", ["xy", "xyz"])
@pytest.mark.parametrize("models", [2, 3])
def test_a_missing_prediction_is_refused_left_out_or_wrong(run, tmp_path, classes, models):
    truth, said = answers(classes, models=models)
    named = {f"m{i}": part for i, part in enumerate(said)}
    compare = {
        2: lambda **words: fw.compare_predictions(
            truth, dict(zip(("m0", "m1"), said, strict=True)), **with_options(words)
        ),
        3: lambda **words: fw.compare_predictions(truth, named, **with_options(words)),
    }[models]
    with pytest.raises(InvalidInput, match="is missing"):
        compare()
    kept = np.array([part is not None for part in said[0]])
    counts = ", ".join(["m0 3", *(f"m{i} 0" for i in range(1, models))])
    for policy, right in {"drop": (said[0] == truth)[kept], "worst": said[0] == truth}.items():
        found = compare(missing=policy)
        assert found.means["m0"] == pytest.approx(right.mean())
        assert any(f"missing values: {counts};" in caveat for caveat in found.caveats)
        assert [one.how for one in found.reading if one.what == "missing"] == ["declared"]
        path = written(tmp_path / "p.csv", truth, said)
        assert run("predictions", path)[0] == 2
        told = json.loads(run("predictions", path, "--missing", policy, "--json")[1])
        pvalues = [found.pvalue] if models == 2 else [pair.pvalue for pair in found.pairs]
        assert pvalues == pytest.approx([told["pvalue"]] if models == 2 else [pair["pvalue"] for pair in told["pairs"]])
        assert any(f"missing values: {counts};" in caveat for caveat in told["notes"])


def test_wrong_is_wrong_by_other_metrics_of_labels(run, tmp_path):
    truth, said = answers()
    worst = fw.compare_predictions(
        truth, dict(zip("ab", said, strict=True)), metric="f1", missing="worst", options=fw.Options(positive="x")
    )
    other = {"x": "y", "y": "x"}
    filled = [other[t] if s is None else s for t, s in zip(truth, said[0], strict=True)]
    assert (
        worst.pairs[0].means
        == fw.compare_predictions(truth, {"a": filled, "b": said[1]}, metric="f1", options=fw.Options(positive="x"))
        .pairs[0]
        .means
    )
    path = written(tmp_path / "p.csv", truth, said)
    asked = ("predictions", path, "--metric", "f1", "--metric", "recall", "--positive", "x", "--missing")
    told = json.loads(run(*asked, "worst", "--json")[1])
    assert list(told["by_metric"][0]["means"].values()) == pytest.approx(list(worst.pairs[0].means))
    assert "missing values: m0 3, m1 0" in " ".join(told["by_metric"][1]["notes"])
    assert run(*asked, "drop")[0] == 0


def test_scores_have_no_worst_prediction_and_can_be_left_out():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 80)
    a, b = truth + rng.normal(size=80), truth + rng.normal(size=80)
    a[5] = NAN
    with pytest.raises(InvalidInput, match="missing='worst' needs metrics of labels"):
        fw.compare_predictions(truth, {"a": a, "b": b}, metric="roc_auc", missing="worst")
    found = fw.compare_predictions(truth, {"a": a, "b": b}, metric="roc_auc", missing="drop", groups=np.arange(80) // 4)
    keep = np.arange(80) != 5
    direct = fw.compare_predictions(
        truth[keep], {"a": a[keep], "b": b[keep]}, metric="roc_auc", groups=(np.arange(80) // 4)[keep]
    )
    assert (found.estimate, found.pvalue) == (direct.estimate, direct.pvalue)
    with pytest.raises(
        InvalidInput, match=r"needs labels, for which it is a wrong one, but outputs\['a'\] holds numbers"
    ):
        fw.compare_predictions(truth, {"a": a, "b": b}, metric="f1", missing="worst", options=fw.Options(threshold=0.5))


def test_labels_that_are_numbers_and_trials_know_gaps(run, tmp_path):
    floats = fw.compare_predictions([1, 0, 1, 0] * 9, {"a": [1, NAN, 1, 0] * 9, "b": [1, 0, 0, 0] * 9}, missing="worst")
    assert floats.pairs[0].means == (0.75, 0.75)
    (tmp_path / "p.csv").write_text("truth,a,b\n" + "1,1.0,1\n0,,0\n1,1.0,0\n0,0.0,0\n" * 9)
    told = json.loads(run("predictions", tmp_path / "p.csv", "--missing", "worst", "--json")[1])
    assert list(told["means"].values()) == [0.75, 0.75]
    rows = [f"q{i // 2},x,{'' if i == 7 else 'x'},{'xy'[i % 3 == 0]}" for i in range(40)]
    (tmp_path / "t.csv").write_text("item,truth,a,b\n" + "\n".join(rows) + "\n")
    asked = ("predictions", tmp_path / "t.csv", "--item", "item", "--json", "--missing")
    assert json.loads(run(*asked, "worst")[1])["pairs"][0]["means"][0] == pytest.approx(39 / 40)
    assert json.loads(run(*asked, "drop")[1])["pairs"][0]["means"][0] == 1.0


@pytest.mark.parametrize("word", ["timeout", "N/A", "Error: no reply", "None"])
@pytest.mark.parametrize("classes", ["xy", "xyz"])
def test_a_word_that_says_that_a_model_failed_is_a_missing_prediction(run, on_page, reader, tmp_path, word, classes):
    """It counted as a wrong answer, which only a note said; `missing` did nothing."""
    truth, said = answers(classes)
    words = [part if part is not None else word for part in said[0]]
    file = written(tmp_path / "p.csv", truth, [words, said[1]])
    gaps = written(tmp_path / "gaps.csv", truth, said)
    refused = f"says {word!r}, which is no class of the truth (in all 3)"
    assert refused in run("predictions", file)[2]
    assert refused in reader.post("/predictions", text=file.read_text(), filename="p.csv", step="answer").alert
    with pytest.raises(InvalidInput, match="no class of the truth"):
        fw.compare_predictions(truth, {"a": words, "b": said[1]})
    for policy in ("drop", "worst"):
        for door in ("predictions", "judge"):
            told, expected = (json.loads(run(door, path, "--missing", policy, "--json")[1]) for path in (file, gaps))
            told, expected = (one["verdicts"][""] if door == "judge" else one for one in (told, expected))
            assert told["pairs"] == expected["pairs"]
            page = on_page(door, file, missing=policy)
            assert page.verdict == on_page(door, gaps, missing=policy).verdict
        found = fw.compare_predictions(truth, {"m0": words, "m1": said[1]}, missing=policy)
        assert found.means == pytest.approx(told["means"])


def test_what_occurs_in_the_truth_is_a_class_whatever_it_says(run, tmp_path):
    truth = ["none", "error", "timeout", "none"] * 10
    said = [["none", "error", "none", "none"] * 10, ["timeout", "error", "timeout", "none"] * 10]
    found = fw.compare_predictions(truth, dict(zip("ab", said, strict=True)))
    assert list(found.means.values()) == [0.75, 0.75]
    for door in ("predictions", "judge"):
        told = json.loads(run(door, written(tmp_path / "p.csv", truth, said), "--json")[1])
        told = told["verdicts"][""] if door == "judge" else told
        assert list(told["means"].values()) == [0.75, 0.75]


ALIKE = {
    "case": (["Yes", "No"], ["yes", "no"], "write them alike"),
    "some in another case": (["Yes", "No"], ["Yes", "no"], "write them alike"),
    "other words": (["yes", "no"], ["pos", "neg"], "none of its labels"),
    "from 0 and from 1": (["1", "2"], ["0", "1"], "its labels"),
    "three from 0": (["1", "2", "3"], ["0", "1", "2"], "its labels"),
    "minus one": (["0", "1"], ["-1", "1"], "its labels"),
}


@pytest.mark.parametrize("case", ALIKE)
def test_the_same_classes_written_in_another_way_are_no_wrong_answers(run, reader, tmp_path, case):
    """A model whose labels were lower case, or counted from 0, lost by 85 points."""
    classes, written_so, message = ALIKE[case]
    rng = np.random.default_rng(3)
    codes = rng.integers(0, len(classes), 60)
    right = [np.where(rng.random(60) < 0.85, codes, (codes + 1) % len(classes)) for _ in range(2)]
    truth, a = (np.array(classes)[part] for part in (codes, right[0]))
    b = np.array(written_so)[right[1]]
    file = written(tmp_path / "p.csv", truth, [a, b])
    for door in ("predictions", "judge"):
        code, _, said = run(door, file)
        page = reader.post(f"/{door}", text=file.read_text(), file=(file.name, file.read_text()), step="answer")
        if door == "judge" and case in ("from 0 and from 1", "three from 0", "minus one"):
            assert code == 2  # numbers that are no labels may be outputs, which is asked for in other words
            continue
        assert code == 2
        assert message in said
        assert message in page.alert
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(truth, {"a": a, "b": b})


def test_labels_of_other_types_are_refused():
    truth = [True, False] * 20
    for other in (["True", "False"] * 20, [b"x", b"y"] * 20):
        with pytest.raises(InvalidInput, match="must be labels written as in truth"):
            fw.compare_predictions(truth, {"a": truth, "b": other})
    frames = pytest.importorskip("pandas")
    with pytest.raises(InvalidInput, match=r"outputs\['b'\]\[1\] is missing"):
        fw.compare_predictions(["x", "y"], {"a": ["x", "y"], "b": frames.Series(["x", None], dtype="string")})
