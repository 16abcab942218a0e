"""Predictions that a model did not give, where the truth is known: refused, left out for all models, or wrong."""

import json

import numpy as np
import pytest

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
        2: lambda **words: fw.compare_predictions(truth, dict(zip(("m0", "m1"), said, strict=True)), **words),
        3: lambda **words: fw.compare_predictions(truth, named, **words),
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
        truth, dict(zip("ab", said, strict=True)), metric="f1", positive="x", missing="worst"
    )
    other = {"x": "y", "y": "x"}
    filled = [other[t] if s is None else s for t, s in zip(truth, said[0], strict=True)]
    assert (
        worst.pairs[0].means
        == fw.compare_predictions(truth, {"a": filled, "b": said[1]}, metric="f1", positive="x").pairs[0].means
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
        fw.compare_predictions(truth, {"a": a, "b": b}, threshold=0.5, metric="f1", missing="worst")


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
