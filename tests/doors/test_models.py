"""Three and more classifiers are judged alike in Python, on the command line and on the page."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.core.roles import ROLES
from foldwise.document import plots_of

NAMES = ("first", "second one", "third")


def problem(n=120, seed=5):
    """Truth, predictions of three classifiers, and clusters."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(["x", "y", "z"], n)
    models = {
        name: np.where(rng.random(n) < share, truth, "x") for name, share in zip(NAMES, (0.95, 0.8, 0.5), strict=True)
    }
    return truth, models, np.char.mod("g%02d", np.arange(n) % 20)  # texts and numbers sort alike


def as_text(*, groups):
    truth, models, clusters = problem()
    columns = {"truth": truth, **models} | ({"group": clusters} if groups else {})
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return "\n".join([",".join(columns), *rows, ""])


def without(answer):
    """Without the command, and the roles of columns that only a file has."""
    said = [one for one in answer["reading"] if one["what"] not in ROLES]
    parts = {"by_metric": [{**part, "repeat": None} for part in answer["by_metric"]]} if "by_metric" in answer else {}
    return {**answer, "repeat": None, "reading": said, **parts}


@pytest.mark.parametrize(("groups", "options"), [
    (False, {}),
    (False, {"adjust": "max_t", "margin": 0.05}),
    (True, {"baseline": "second one"}),
])  # fmt: skip
def test_the_same_answer_at_every_door(run, reader, tmp_path, monkeypatch, groups, options):
    truth, models, clusters = problem()
    expected = fw.compare_predictions(truth, models, groups=clusters if groups else None, **with_options(options))
    text = as_text(groups=groups)
    page = reader.post(
        "/predictions", text=text, filename="data.csv", step="answer", **{k: str(v) for k, v in options.items()}
    )
    assert page.alert is None
    assert expected.best_set == ("first",)
    assert page.verdict is not None
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(*shlex.split(page.command)[1:], "--json")
    assert code == 0
    assert without(json.loads(out)) == without(json.loads(json.dumps(expected.to_dict())))


def test_the_page_offers_all_two_and_a_control(reader):
    text = as_text(groups=False)
    page = reader.post("/predictions", text=text, step="look")
    assert [page.chosen(field) for field in ("truth", "a", "b", "baseline", "adjust")] == ["", "", "", "", "holm"]
    assert '<option value="" selected>found: truth</option>' in page.text
    two = reader.post("/predictions", text=text, filename="d.csv", step="answer", a="third", baseline="second one")
    assert two.command == "foldwise predictions d.csv --a=third --b=first"
    assert two.verdict == "first is better."
    wrong = reader.post("/predictions", text=text, step="answer", adjust="tukey")
    assert wrong.status == 422
    assert wrong.alert.startswith("Unknown adjust 'tukey'")


@pytest.mark.parametrize(("words", "message"), [
    (["--control", "nobody"], "unknown control 'nobody'"),
    (["--test", "mcnemar"], "test must be 'auto' where 3 models are compared, got 'mcnemar'"),
    (["--fail-if", "worse"], "--fail-if needs --baseline"),
    (["--adjust", "tukey"], "'tukey' is not one of 'holm', 'max_t'"),
    (["--margin", "0"], "margin must be a number above 0"),
])  # fmt: skip
def test_what_is_refused_in_one_sentence(run, tmp_path, words, message):
    (tmp_path / "data.csv").write_text(as_text(groups=False), encoding="utf-8")
    code, out, err = run("predictions", tmp_path / "data.csv", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_pipeline_stops_at_a_model_that_is_worse_than_the_control(run, tmp_path):
    (tmp_path / "data.csv").write_text(as_text(groups=False), encoding="utf-8")
    code, _, err = run("predictions", tmp_path / "data.csv", "--control", "second one", "--fail-if", "worse")
    assert code == 1
    assert err.startswith("foldwise: third is worse than second one")
    code, _, err = run(
        "predictions", tmp_path / "data.csv", "--control", "third", "--fail-if", "inferior", "--margin", "0.02"
    )
    assert (code, err) == (0, "")


def test_markdown_and_a_page_to_keep(run, tmp_path):
    (tmp_path / "data.csv").write_text(as_text(groups=False), encoding="utf-8")
    code, out, _ = run("predictions", tmp_path / "data.csv", "--markdown", "--html", tmp_path / "page.html")
    assert code == 0
    assert out.startswith("### 3 models")
    assert "first is best: better than each of the other 2." in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_conclusions_follow_the_limits():
    truth, models, _ = problem()
    m = fw.compare_predictions(truth, models, options=fw.Options(control="third"), margin=0.02)
    assert [pair.conclusion for pair in m.pairs] == ["superior", "superior"]
    assert [(pair.candidate, pair.baseline) for pair in m.pairs] == [("first", "third"), ("second one", "third")]
    assert all(pair.lead.low > 0.02 for pair in m.pairs)
    alone = fw.compare_predictions(truth, {name: models[name] for name in NAMES[:2]}, margin=0.02)
    two = fw.compare_predictions(truth, {"a": models["first"], "b": models["second one"]}, margin=0.02)
    assert alone.pairs[0].conclusion == two.conclusion
    assert (alone.pairs[0].limits.low, alone.pairs[0].limits.high) == pytest.approx((two.limits.low, two.limits.high))
    assert set(plots_of(m)) == {"models", "model_pairs", "margins"}


SCORED = {"truth": ["yes", "no", "yes", "no", "yes", "no"] * 8, "a": [0.9, 0.1, 0.8, 0.3, 0.7, 0.6] * 8,
          "b": [0.8, 0.3, 0.4, 0.6, 0.7, 0.2] * 8, "c": [0.4, 0.6, 0.5, 0.3, 0.1, 0.7] * 8}  # fmt: skip
GRADED = {"item": [f"q{i // 2}" for i in range(24)], "a": [0.5 + 0.01 * i for i in range(24)],
          "b": [0.3 + 0.02 * (i % 7) for i in range(24)], "c": [0.1 * (i % 4) for i in range(24)]}  # fmt: skip


def written(folder, columns):
    rows = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    (folder / "data.csv").write_text("\n".join([",".join(columns), *rows, ""]), encoding="utf-8")
    return (folder / "data.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(("columns", "words", "fields", "expected"), [
    (SCORED, ["--metric", "roc_auc"], {"metric": "roc_auc"},
     lambda: fw.compare_predictions(SCORED["truth"], {name: SCORED[name] for name in "abc"}, metric="roc_auc")),
    (SCORED, ["--metric", "f1", "--threshold", "0.6"], {"metric": "f1", "threshold": "0.6"},
     lambda: fw.compare_predictions(SCORED["truth"], {name: SCORED[name] for name in "abc"}, metric="f1",
                                    options=fw.Options(threshold=0.6))),
    (SCORED, ["--metric", "roc_auc", "log_loss", "--unadjusted"], {"metric": "roc_auc log_loss", "unadjusted": "yes"},
     lambda: fw.compare_predictions(SCORED["truth"], {name: SCORED[name] for name in "abc"},
                                    metric=["roc_auc", "log_loss"], options=fw.Options(adjust_metrics="none"))),
    (GRADED, ["--truth", "none", "--item", "item", "--metric", "loss"],
     {"truth": "none", "item": "item", "metric": "loss"},
     lambda: fw.compare_predictions(None, {name: GRADED[name] for name in "abc"}, metric="loss", items=GRADED["item"])),
])  # fmt: skip
def test_metrics_and_marks_of_three_models(run, reader, tmp_path, columns, words, fields, expected):
    text, m = written(tmp_path, columns), expected()
    code, out, err = run("predictions", tmp_path / "data.csv", *words, "--json")
    assert (code, err) == (0, "")
    assert without(json.loads(out)) == without(json.loads(json.dumps(m.to_dict())))
    page = reader.post("/predictions", text=text, filename="data.csv", step="answer", **fields)
    assert page.alert is None
    assert page.verdict is not None
    assert page.command.split()[:3] == ["foldwise", "predictions", "data.csv"]


@pytest.mark.parametrize(("columns", "words", "message"), [
    (SCORED, ["--bounds", "0", "1"], "bounds is for marks, trials and seeds"),
    (GRADED | {"seed": [1, 2] * 12}, ["--truth", "none", "--item", "item", "--seed-column", "seed"],
     "seeds must be of two models, got 3"),
])  # fmt: skip
def test_what_three_models_can_not_have(run, tmp_path, columns, words, message):
    written(tmp_path, columns)
    code, out, err = run("predictions", tmp_path / "data.csv", *words)
    assert (code, out) == (2, "")
    assert message in err
