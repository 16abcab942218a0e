"""Sums per item at every door: word error rate, span F1, IoU, BLEU and formulas of counts."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from functools import cache
from pathlib import Path

import jiwer
import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
from scipy import stats
from seqeval.metrics import f1_score, precision_score, recall_score

import foldwise as fw
from foldwise import inference as inf
from foldwise.core.errors import InvalidInput, MissingDependency

TRANSCRIPT = Path(__file__).parents[1] / "reference" / "sctk.json"
WORDS = tuple("the cat sat on a mat while dogs ran over green hills and rivers slowly under blue skies".split())  # noqa: SIM905


@cache
def sctk():
    return json.loads(TRANSCRIPT.read_text(encoding="utf-8"))


def counts(case, name):
    hits, substitutions, deletions, insertions = np.array(case["counts"][name]).T
    return {"hits": hits, "substitutions": substitutions, "deletions": deletions, "insertions": insertions}


def speech(seed=0, n=80, rates=(0.10, 0.14)):
    rng = np.random.default_rng(seed)
    words = rng.integers(3, 30, n)
    speakers = [f"s{i // 8}" for i in range(n)]
    return {
        name: {"errors": rng.binomial(words, rate), "words": words}
        for name, rate in zip(("new", "old", "older"), rates, strict=False)
    }, speakers


def said(seed=0, n=40):
    rng = np.random.default_rng(seed)

    def heard(text, chance):
        return " ".join(w if rng.random() > chance else rng.choice(WORDS) for w in text.split())

    texts = [" ".join(rng.choice(WORDS, rng.integers(4, 15))) for _ in range(n)]
    return texts, {"new": [heard(t, 0.1) for t in texts], "old": [heard(t, 0.2) for t in texts]}


def table(header, rows):
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


# ---- values of other programs


@pytest.mark.parametrize("name", ["far", "near", "same"])
def test_word_error_rates_are_sclites_and_p_is_near_that_of_sc_stats(name):
    case = sctk()[name]
    c = fw.compare_predictions(None, {"new": counts(case, "new"), "old": counts(case, "old")}, metric="wer")
    for model, printed in case["wer"].items():
        assert 100 * c.means[model] == pytest.approx(printed, abs=0.051)
    # the matched pairs test compares errors, not ratios, of segments that it cuts itself: near, not the same
    errors = {m: np.array(case["counts"][m])[:, 1:].sum(axis=1) for m in ("new", "old")}
    by_utterance = stats.ttest_rel(errors["new"], errors["old"]).pvalue
    assert c.pvalue == pytest.approx(by_utterance, abs=0.03)
    assert c.pvalue == pytest.approx(float(case["p"]), abs=0.03)


def test_word_error_rates_of_texts_are_jiwers():
    texts, models = said()
    c = fw.compare_predictions(texts, models, metric="wer")
    by_character = fw.compare_predictions(texts, models, metric="cer")
    for name, hypotheses in models.items():
        assert c.means[name] == pytest.approx(jiwer.wer(texts, hypotheses), abs=1e-12)
        assert by_character.means[name] == pytest.approx(jiwer.cer(texts, hypotheses), abs=1e-12)


def test_bleu_and_ter_of_texts_are_sacrebleus():
    texts, models = said()
    for metric, theirs in (("bleu", BLEU()), ("ter", TER())):
        c = fw.compare_predictions(texts, models, metric=metric)
        for name, hypotheses in models.items():
            assert c.means[name] == pytest.approx(theirs.corpus_score(hypotheses, [texts]).score, abs=1e-9)


@pytest.mark.parametrize(("metric", "theirs"), [("chrf", CHRF()), ("chrf++", CHRF(word_order=2))])
def test_chrf_of_texts_is_sacrebleus(metric, theirs):
    texts, models = said()
    # marks before and behind words, a short text, an empty one and two references, of which the nearer one counts
    texts = [[f"({text}),", text.upper()] for text in texts] + [["ab", "abc d!"], ["x y", "z"]]
    models = {
        m: [*(f"({t})!" if i % 2 else t.upper() for i, t in enumerate(said)), "ab!", ""] for m, said in models.items()
    }
    references = [[text[0] for text in texts], [text[1] for text in texts]]
    c = fw.compare_predictions(texts, models, metric=metric)
    for name, hypotheses in models.items():
        assert c.means[name] == pytest.approx(theirs.corpus_score(hypotheses, references).score, abs=1e-9)
    assert c.unit == "percent"


def test_bleu_is_smoothed_as_sacrebleu_does_where_no_long_n_gram_matches():
    texts, other = ["a b c d e f", "g h i j k l"], ["a b x d e y", "g z i j w l"]
    c = fw.compare_predictions(texts, {"a": other, "b": texts}, metric="bleu")
    assert c.means["a"] == pytest.approx(sacrebleu.corpus_bleu(other, [texts]).score, abs=1e-9)
    two = [[one, one.upper()] for one in texts]
    c = fw.compare_predictions(two, {"a": other, "b": texts}, metric="bleu")
    assert c.means["a"] == pytest.approx(sacrebleu.corpus_bleu(other, [[t[0] for t in two], [t[1] for t in two]]).score)


def test_p_is_that_of_sacrebleus_exchange_and_of_its_resamples_within_the_draws(monkeypatch):
    texts, models = said(3, n=60)
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    draws, bleu = 4000, BLEU()
    systems = [("old", models["old"]), ("new", models["new"])]
    _, found = PairedTest(systems, {"BLEU": bleu}, [texts], test_type="ar", n_samples=draws)()
    theirs = found["BLEU"][1].p_value
    c = fw.compare_predictions(texts, models, metric="bleu")
    error = (theirs * (1 - theirs) / draws) ** 0.5
    assert c.pvalue == pytest.approx(theirs, abs=4 * error + 0.02)  # ours is studentised, which theirs is not
    # of the bootstrap sacrebleu prints the p of one side; its statistics resampled give that of both
    rows = [np.array(bleu._extract_corpus_statistics(models[m], [texts])) for m in ("new", "old")]
    index = np.random.default_rng(1).integers(0, 60, (draws, 60))
    scores = [np.array([bleu._compute_score_from_stats(list(s)).score for s in x[index].sum(1)]) for x in rows]
    distances, b = scores[0] - scores[1], fw.compare_predictions(texts, models, metric="bleu", test="bootstrap")
    expected = (np.abs(distances - distances.mean()) >= abs(c.estimate)).mean()
    assert b.pvalue == pytest.approx(expected, abs=5 * (expected * (1 - expected) / draws) ** 0.5)
    _, found = PairedTest(systems, {"BLEU": bleu}, [texts], test_type="bs", n_samples=draws)()
    assert found["BLEU"][1].p_value < b.pvalue


def tags(seed, n=30):
    rng = np.random.default_rng(seed)
    marks = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC", "E-LOC", "S-PER"]
    return [" ".join(rng.choice(marks, rng.integers(1, 9))) for _ in range(n)]


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_span_metrics_are_seqevals(seed):
    true = tags(seed)
    lists = [row.split() for row in true]
    rng = np.random.default_rng(seed)
    other = [[t if rng.random() < 0.8 else "O" for t in row] for row in lists]
    models = {"a": [" ".join(row) for row in other], "b": ["O " * (len(row) - 1) + "O" for row in lists]}
    for metric, theirs in (("span_f1", f1_score), ("span_precision", precision_score), ("span_recall", recall_score)):
        c = fw.compare_predictions(true, models, metric=metric)
        assert c.means["a"] == pytest.approx(theirs(lists, other, zero_division=0), abs=1e-12)


def test_mean_iou_is_that_of_the_whole_confusion_matrix():
    rng = np.random.default_rng(1)
    images = [(rng.integers(0, 3, 50), rng.integers(0, 3, 50)) for _ in range(20)]
    columns = {}
    for k, name in enumerate(("road", "car", "never seen", "sky")):
        k = k if k < 2 else k - 1 if k == 3 else 9
        columns |= {
            f"tp_{name}": [((t == k) & (p == k)).sum() for t, p in images],
            f"fp_{name}": [((t != k) & (p == k)).sum() for t, p in images],
            f"fn_{name}": [((t == k) & (p != k)).sum() for t, p in images],
        }
    c = fw.compare_predictions(None, {"a": columns, "b": {n: v[::-1] for n, v in columns.items()}}, metric="miou")
    true, found = (np.concatenate(part) for part in zip(*images, strict=True))
    expected = np.mean([((true == k) & (found == k)).sum() / ((true == k) | (found == k)).sum() for k in range(3)])
    assert c.means["a"] == pytest.approx(expected)


def test_mean_iou_from_a_confusion_matrix_of_each_image(run, tmp_path):
    """Columns of counts, an array and files of either shape say what tp, fp and fn say."""
    rng, labels = np.random.default_rng(4), ("road", "sky_high", "car")
    matrices = {m: rng.integers(0, 9, (20, 3, 3)) + k * np.eye(3, dtype=int) for m, k in (("new", 20), ("old", 9))}
    by_class = {
        m: {
            f"{what}_{label}": values
            for c, label in enumerate(labels)
            for what, values in (
                ("tp", x[:, c, c]),
                ("fp", x[:, :, c].sum(1) - x[:, c, c]),
                ("fn", x[:, c].sum(1) - x[:, c, c]),
            )
        }
        for m, x in matrices.items()
    }
    for metric in ("miou", "mdice"):
        expected = fw.compare_predictions(None, by_class, metric=metric)
        c = fw.compare_predictions(None, matrices, metric=metric)
        assert c.estimate == pytest.approx(expected.estimate, abs=1e-12)
        assert c.pairs[0].standard_error == pytest.approx(expected.pairs[0].standard_error, abs=1e-12)
    expected = fw.compare_predictions(None, matrices, metric="miou")
    cells = [(a, b) for a in range(3) for b in range(3)]
    names = [f"confusion_{labels[a]}_{labels[b]}" for a, b in cells]
    long = [[m, i, *(x[i][cell] for cell in cells)] for m, x in matrices.items() for i in range(20)]
    wide = [[i, *(x[i][cell] for x in matrices.values() for cell in cells)] for i in range(20)]
    (tmp_path / "long.csv").write_text(table(["model", "image_id", *names], long))
    (tmp_path / "wide.csv").write_text(table(["image_id", *(f"{m}_{name}" for m in matrices for name in names)], wide))
    for command in (("judge", "long.csv"), ("judge", "wide.csv"), ("predictions", "wide.csv")):
        code, out, err = run(command[0], tmp_path / command[1], "--metric", "miou", "--json")
        assert code == 0, err
        found = json.loads(out)
        pair = (found if "pairs" in found else found["verdicts"][""])["pairs"][0]
        assert pair["pvalue"] == pytest.approx(expected.pvalue, abs=1e-12)
        assert (pair["a"], pair["estimate"]) == ("new", pytest.approx(expected.estimate, abs=1e-12))
    assert "mIoU" in str(expected)
    with pytest.raises(InvalidInput, match=r"must have shape \(items,\) or \(items, trials\), got \(20, 2, 3\)"):
        fw.compare_predictions(None, {m: x[:, :2] for m, x in matrices.items()}, metric="miou")


# ---- identities


def test_a_ratio_with_one_for_all_items_is_the_mean():
    rng = np.random.default_rng(2)
    a, b = rng.normal(1, 1, 50), rng.normal(0, 1, 50)
    ones = np.ones(50)
    sums = fw.compare_predictions(None, {"a": {"x": a, "n": ones}, "b": {"x": b, "n": ones}}, metric="x / n",
                                  test="jackknife_t", higher_is_better=True)  # fmt: skip
    mean = fw.compare_predictions(None, {"a": a, "b": b}, test="paired_t", higher_is_better=True)
    assert sums.estimate == pytest.approx(mean.estimate)
    assert sums.pairs[0].standard_error == pytest.approx(mean.pairs[0].standard_error)


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from(["auto", "bootstrap", "jackknife_t"]))
def test_swapping_mirrors_and_the_order_of_rows_changes_nothing(seed, test):
    models, speakers = speech(seed, n=24)
    options = {"metric": "wer", "test": test}
    c = fw.compare_predictions(None, models, **options)
    swapped = fw.compare_predictions(None, dict(reversed(models.items())), **options)
    assert swapped.estimate == -c.estimate
    assert swapped.pvalue == c.pvalue
    order = np.random.default_rng(seed).permutation(24)
    moved = {m: {k: v[order] for k, v in columns.items()} for m, columns in models.items()}
    assert fw.compare_predictions(None, moved, **options).pvalue == pytest.approx(c.pvalue, abs=1e-12)
    if c.interval is not None:
        assert (c.interval.low <= 0 <= c.interval.high) == (c.pvalue >= 0.05)
    by_speaker = fw.compare_predictions(None, models, groups=speakers, **options)
    assert by_speaker.estimate == c.estimate


def test_a_model_against_itself_and_one_item_are_no_certainty():
    models, _ = speech()
    c = fw.compare_predictions(None, {"a": models["new"], "b": models["new"]}, metric="wer")
    assert (c.estimate, c.pvalue, c.better) == (0, 1, None)
    with pytest.raises(InvalidInput, match="at least two items are needed, got 1"):
        fw.compare_predictions(None, {m: {k: v[:1] for k, v in x.items()} for m, x in models.items()}, metric="wer")
    nothing = {"tp": [0, 0, 0], "fp": [0, 0, 0], "fn": [0, 0, 0]}
    c = fw.compare_predictions(None, {"a": nothing, "b": nothing}, metric="span_f1")
    assert (c.means["a"], c.pvalue) == (0, 1)


def test_trials_of_an_item_are_its_cluster():
    models, _ = speech(n=40)
    items = [f"q{i // 2}" for i in range(40)]
    c = fw.compare_predictions(None, models, metric="wer", items=items)
    assert c.pvalue == fw.compare_predictions(None, models, metric="wer", groups=items).pvalue


# ---- the doors


def test_all_doors_give_the_same(run, on_page, tmp_path):
    models, speakers = speech()
    expected = fw.compare_predictions(None, models, metric="wer", groups=speakers)
    rows = range(len(speakers))
    long = [[m, f"u{i}", speakers[i], models[m]["errors"][i], models[m]["words"][i]] for m in models for i in rows]
    words = models["new"]["words"]
    wide = [[f"u{i}", speakers[i], words[i], models["new"]["errors"][i], models["old"]["errors"][i]] for i in rows]
    (tmp_path / "long.csv").write_text(table(["model", "utterance_id", "speaker", "errors", "words"], long[::-1]))
    (tmp_path / "wide.csv").write_text(table(["item", "speaker", "words", "new_errors", "old_errors"], wide))
    for m in models:
        (tmp_path / f"{m}.csv").write_text(
            table(["item", "speaker", "errors", "ref_words"], [row[1:] for row in long if row[0] == m])
        )
    asked = ("--metric", "wer", "--groups", "speaker", "--json")
    judged = [
        run("judge", tmp_path / "long.csv", "--model", "new", "--model", "old", *asked),
        run("judge", tmp_path / "wide.csv", *asked),
        run("judge", tmp_path / "new.csv", tmp_path / "old.csv", *asked),
    ]
    found = [json.loads(out)["verdicts"][""] for _, out, _ in judged]
    found.append(json.loads(run("predictions", tmp_path / "wide.csv", *asked)[1]))
    for one in found:
        pair = one["pairs"][0]
        assert (one["metric"], one["models"]) == ("wer", ["new", "old"])
        assert pair["estimate"] == pytest.approx(expected.estimate, abs=1e-12)
        assert pair["pvalue"] == pytest.approx(expected.pvalue, abs=1e-12)
        assert pair["interval"]["high"] == pytest.approx(expected.interval.high, abs=1e-12)
    page = on_page("judge", tmp_path / "wide.csv", metric="wer", groups="speaker")
    assert "WER" in page.text
    restored = fw.Comparison.from_dict(json.loads(json.dumps(expected.to_dict())))
    assert str(restored) == str(expected)
    assert page.command == "foldwise judge wide.csv --metric=wer --groups=speaker"
    other = on_page("predictions", tmp_path / "wide.csv", metric="wer", groups="speaker")
    assert other.verdict == page.verdict
    assert other.command == "foldwise predictions wide.csv --groups=speaker --metric=wer"


def test_wide_tables_are_the_same_to_judge_and_predictions_whatever_their_other_columns(run, tmp_path):
    """A column of words was a model of its own, so was one of documents, and texts were refused by judge."""
    models, speakers = speech(rates=(0.1, 0.15, 0.2))
    truth, texts = said()
    rng = np.random.default_rng(3)
    tags = [" ".join(rng.choice(["B-PER", "O", "B-LOC"], 6)) for _ in truth]
    heard = {
        name: [" ".join(t if rng.random() > p else "O" for t in row.split()) for row in tags]
        for name, p in (("a", 0.1), ("b", 0.3))
    }
    docs, label = [f"d{i // 5}" for i in range(40)], rng.integers(0, 2, 40)
    scores = [(label + rng.normal(0, spread, 40)).round(3) for spread in (1, 2)]
    new, old, older = ([counts["errors"], counts["words"]] for counts in models.values())
    counted = zip(speakers, new[1], new[0], old[0], older[0], strict=True)
    formula = zip(speakers, new[1], new[0], old[0], strict=True)
    translated = zip(docs, ["en"] * 40, truth, *texts.values(), strict=True)
    cases = {
        "wer": (["speaker", "words", *(f"{name}_errors" for name in models)], counted, ["new", "old", "older"]),
        "errors / words": (["speaker", "words", "x_errors", "y_errors"], formula, ["x", "y"]),
        "bleu": (["doc", "lang", "reference", *texts], translated, ["new", "old"]),
        "span_f1": (["doc", "truth", *heard], zip(docs, tags, *heard.values(), strict=True), ["a", "b"]),
        "roc_auc": (["doc", "truth", "a", "b"], zip(docs, label, *scores, strict=True), ["a", "b"]),
        "partial_auc@0.2": (["doc", "truth", "a", "b"], zip(docs, label, *scores, strict=True), ["a", "b"]),
    }  # fmt: skip
    for metric, (header, rows, names) in cases.items():
        path = tmp_path / "t.csv"
        path.write_text(table(header, rows))
        for groups in (None, header[0]):
            asked = (path, "--metric", metric, *(() if groups is None else ("--groups", groups)), "--json")
            one = json.loads(run("predictions", *asked)[1])
            other = json.loads(run("judge", *asked)[1])["verdicts"][""]
            assert one["models"] == other["models"] == names
            assert [pair["pvalue"] for pair in one["pairs"]] == [pair["pvalue"] for pair in other["pairs"]]
            judged = fw.judge(path, metric=metric, groups=groups).main
            assert judged.pairs[0].pvalue == one["pairs"][0]["pvalue"]
            assert ("clusters" in judged.design) == (groups is not None)


def test_one_model_at_judge_by_any_metric(run, tmp_path):
    models, _ = speech()
    path = tmp_path / "one.csv"
    path.write_text(table(["utt", "errors", "words"], zip(range(80), *models["new"].values(), strict=True)))
    alone = fw.estimate_predictions(None, models["new"], metric="wer")
    assert f"WER {100 * alone.estimate:.1f} %" in run("judge", path, "--metric", "wer")[1]
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 60)
    path.write_text(
        table(["patient", "truth", "cnn"], zip(np.arange(60) // 2, label, label + rng.normal(size=60), strict=True))
    )
    out = run("judge", path, "--metric", "roc_auc", "--groups", "patient")[1]
    assert "in 30 clusters" in out
    other = run("predictions", path, "--metric", "roc_auc", "--groups", "patient")[1]
    assert out.split("repeat")[0] == other.split("repeat")[0]


def test_counts_without_a_metric_are_taken_for_their_ratio_and_the_answer_says_so(run, tmp_path):
    models, _ = speech()
    rows = [[m, i, models[m]["errors"][i], models[m]["words"][i]] for m in models for i in range(80)]
    (tmp_path / "a.csv").write_text(table(["model", "item", "errors", "words"], rows))
    found = fw.judge(tmp_path / "a.csv")
    assert found.main.metric == "wer"
    assert any(one.what == "metric" and one.how == "assumed" for one in found.main.reading + found.reading)
    assert "Assumed: what is compared is WER" in run("judge", tmp_path / "a.csv")[1]
    mean = fw.judge(tmp_path / "a.csv", metric="errors").main
    assert mean.means["new"] == pytest.approx(models["new"]["errors"].mean())


def test_a_row_for_each_model_and_item_is_read_where_items_have_names(run, tmp_path):
    models, _ = speech()
    cells = [(name, f"u{i}", *map(str, pair)) for name, counts in models.items()
             for i, pair in enumerate(zip(*counts.values(), strict=True))]  # fmt: skip
    for header, left_out in (("model,item,errors,words", ()), ("model,errors,words", (1,))):
        rows = [",".join(cell for i, cell in enumerate(row) if i not in left_out) for row in cells]
        (tmp_path / "long.csv").write_text("\n".join([header, *rows]) + "\n")
        code, out, err = run("predictions", tmp_path / "long.csv", "--metric", "wer")
        assert (code, "new is better: WER" in out) == ((2, False) if left_out else (0, True))
        assert ("Name the column with --column item=NAME" in err) == bool(left_out)
        (tmp_path / "one.csv").write_text("\n".join([header, *rows[:80]]) + "\n")
        assert run("predictions", tmp_path / "one.csv", "--metric", "wer")[1].startswith("new ")


def test_several_models_are_judged_together():
    models, speakers = speech(rates=(0.05, 0.20, 0.20))
    c = fw.compare_predictions(None, models, metric="wer", groups=speakers, options=fw.Options(adjust="max_t"))
    assert (c.best_set, len(c.pairs)) == (("new",), 3)
    assert {pair.better for pair in c.pairs if "new" in (pair.a, pair.b)} == {"new"}


def test_several_tasks_are_one_value_each(tmp_path):
    rows = []
    for task, seed in (("read", 0), ("talk", 1), ("phone", 2), ("far", 3), ("noise", 4)):
        models, _ = speech(seed)
        rows += [[task, m, i, models[m]["errors"][i], models[m]["words"][i]] for m in models for i in range(80)]
    (tmp_path / "a.csv").write_text(table(["task", "model", "item", "errors", "words"], rows))
    found = fw.judge(tmp_path / "a.csv", metric="wer")
    assert set(found.verdicts) == {"read", "talk", "phone", "far", "noise"}
    rates = {t: found.verdicts[t].means["new"] for t in found.verdicts}
    assert found.overall.means["new"] == pytest.approx(np.mean(list(rates.values())))
    pooled = fw.judge(tmp_path / "a.csv", metric="wer", options=fw.Options(over="items")).overall
    numbers = np.array([row[3:] for row in rows if row[1] == "new"]).sum(axis=0)
    assert pooled.means["new"] == pytest.approx(numbers[0] / numbers[1])


def test_texts_of_a_file(run, tmp_path):
    texts, models = said()
    (tmp_path / "texts.csv").write_text(
        table(["reference", "new", "old"], zip(texts, models["new"], models["old"], strict=True))
    )
    code, out, _ = run("predictions", tmp_path / "texts.csv", "--metric", "bleu", "--test", "bootstrap", "--json")
    expected = fw.compare_predictions(texts, models, metric="bleu", test="bootstrap")
    assert code == 0
    assert json.loads(out)["pairs"][0]["pvalue"] == expected.pvalue


def test_what_is_missing_is_left_out_for_all_or_refused():
    models, _ = speech()
    gap = {"new": {**models["new"], "errors": [np.nan, *models["new"]["errors"][1:]]}, "old": models["old"]}
    with pytest.raises(InvalidInput, match="no value may be missing, but a count of 'new' on item 0 is missing"):
        fw.compare_predictions(None, gap, metric="wer")
    c = fw.compare_predictions(None, gap, metric="wer", missing="drop")
    rest = {m: {k: v[1:] for k, v in columns.items()} for m, columns in models.items()}
    assert c.estimate == fw.compare_predictions(None, rest, metric="wer").estimate
    assert "1 item left out" in str(c)
    with pytest.raises(InvalidInput, match="missing='worst' needs a worst possible value, and counts behind WER"):
        fw.compare_predictions(None, gap, metric="wer", missing="worst")


@pytest.mark.parametrize(
    ("metric", "columns", "message"),
    [
        ("wer", ["tp", "fp"], r"metric 'wer' needs columns of counts \(errors, words or substitutions"),
        ("tp / words", ["tp", "fp"], r"metric 'tp / words' needs columns of counts \(tp, words\), got tp, fp"),
        (
            "tp * fp / 2",
            ["tp", "fp"],
            "metric must be a ratio of sums, which stays the same where all counts",
        ),
        ("miou", ["tp", "fp"], r"metric 'miou' needs columns of counts \(intersection_CLASS, union_CLASS or tp_CLASS"),
    ],
)
def test_what_does_not_fit_is_refused(metric, columns, message):
    counts = {name: [1, 2, 3] for name in columns}
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(None, {"a": counts, "b": counts}, metric=metric)


def test_more_that_is_refused(run, tmp_path, monkeypatch):
    models, _ = speech(n=10)
    with pytest.raises(InvalidInput, match="errors of 'a' must be counts, finite and not negative, got -1"):
        fw.compare_predictions(None, {"a": {"errors": [-1, 2], "words": [3, 4]}, "b": models["old"]}, metric="wer")
    with pytest.raises(InvalidInput, match="all models must have counts of the same items, got rows: a 2, b 10"):
        fw.compare_predictions(None, {"a": {"errors": [1, 2], "words": [3, 4]}, "b": models["old"]}, metric="wer")
    with pytest.raises(InvalidInput, match="metric 'wer' takes counts of each item, and must be asked for alone"):
        fw.compare_predictions(None, models, metric=["wer", "accuracy"])
    with pytest.raises(InvalidInput, match="metric 'miou' takes counts of each item, and no truth"):
        fw.compare_predictions(["x"] * 10, models, metric="miou")
    with pytest.raises(InvalidInput, match="item 0 must have tags such as B-PER, I-PER and O, got 'cat'"):
        fw.compare_predictions(["O cat"], {"a": ["O O"], "b": ["O O"]}, metric="span_f1")
    (tmp_path / "a.csv").write_text("speaker,new_errors,old_errors\n" + "s1,1,2\ns2,3,4\n" * 9)
    code, _, err = run("predictions", tmp_path / "a.csv", "--metric", "cer")
    assert (code, "metric 'cer' needs columns of counts (errors, characters" in err) == (2, True)
    monkeypatch.setitem(sys.modules, "jiwer", None)
    with pytest.raises(
        MissingDependency, match=r"WER from texts needs an optional package: pip install 'foldwise\[text\]'"
    ):
        fw.compare_predictions(["a b"] * 3, {"a": ["a"] * 3, "b": ["b"] * 3}, metric="wer")


def test_the_bootstrap_on_arrays_is_degenerate_as_it_should_be():
    from foldwise.metrics.counts import count_metric, no_truth
    from foldwise.metrics.function import measure

    metric, same = count_metric("wer", ["errors", "words"]), np.array([[1.0, 5.0]] * 6)
    assert inf.paired_bootstrap(measure(metric, no_truth(6), [same, same])).pvalue == 1
    with pytest.raises(InvalidInput, match="statistic must be of at least 2 models, got 1"):
        inf.paired_bootstrap(measure(metric, no_truth(6), [same]))


@pytest.mark.slow
def test_the_level_holds_for_word_error_rates_by_speaker():
    rng, rejected, trials = np.random.default_rng(5), 0, 400
    speakers = np.repeat(np.arange(20), 6)
    for _ in range(trials):
        hard = rng.beta(2, 12, 20)[speakers]
        words = rng.integers(2, 25, 120)
        gift = rng.normal(0, 0.3, (2, 20))[:, speakers]  # speakers suit one model or the other
        models = {
            name: {"errors": rng.binomial(words, np.clip(hard * np.exp(gift[m]), 0, 1)), "words": words}
            for m, name in enumerate(("a", "b"))
        }
        rejected += fw.compare_predictions(None, models, metric="wer", groups=speakers).better is not None
    assert rejected / trials < 0.05 + 2.6 * (0.05 * 0.95 / trials) ** 0.5


@pytest.mark.parametrize(
    ("header", "row", "metric", "message"),
    [
        ("utt,a_errors,b_errors,words", "{i},0,1,0", "wer", "wer of 'a' divides by words, which is 0 in all 10 items"),
        ("utt,a_errors,b_errors,words", "{i},-1,1,5", "wer", "not (be )?negative"),
        ("doc_id,a_matched,b_matched,predicted,gold", "{i},9,3,5,5", "span_f1", "can't be above 1"),
        ("reference,a,b", ",x,y", "wer", "divides by"),
    ],
)
def test_sums_without_a_value_are_refused_at_both_doors(run, tmp_path, header, row, metric, message):
    path = tmp_path / "sums.csv"
    path.write_text(header + "\n" + "".join(row.format(i=i) + "\n" for i in range(10)))
    commands = ["predictions"] if header.startswith(("reference", "truth")) else ["predictions", "judge"]
    for command in commands:
        code, out, err = run(command, path, "--metric", metric)
        assert (code, out) == (2, "")
        assert re.search(message, err), err


def test_an_empty_text_is_a_text_and_costs_its_words(run, tmp_path):
    path = tmp_path / "texts.csv"
    path.write_text("reference,a,b\n" + "the cat sat,the cat sat,\nNA is here,NA is here,NA was here\n,noise,\n" * 6)
    found = json.loads(run("predictions", path, "--metric", "wer", "--json")[1])
    assert found["pairs"][0]["means"] == pytest.approx([1 / 6, 4 / 6])


def test_gold_beside_counts_is_a_count(run, tmp_path):
    path = tmp_path / "spans.csv"
    rows = [(i, 3 + i % 3, 5, 2 + i % 2, 5, 6) for i in range(12)]
    path.write_text("item,a_matched,a_predicted,b_matched,b_predicted,gold\n"
                    + "".join(",".join(map(str, row)) + "\n" for row in rows))  # fmt: skip
    for command in ("predictions", "judge"):
        found = json.loads(run(command, path, "--metric", "span_f1", "--json")[1])
        found = found["verdicts"][""] if "verdicts" in found else found
        a, b = (2 * sum(row[at] for row in rows) / (12 * 11) for at in (1, 3))
        assert found["pairs"][0]["means"] == pytest.approx([a, b])
