"""Runs of search systems beside relevance judgements, at every door."""

from __future__ import annotations

import json
import re

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.metrics.retrieval import ranking_metric
from foldwise.reading.rankings import ranked_queries

TREC = {
    "nDCG@10": "ndcg_cut_10", "nDCG@3": "ndcg_cut_3", "nDCG": "ndcg", "AP": "map", "AP@5": "map_cut_5",
    "RR": "recip_rank", "recall@5": "recall_5", "P@10": "P_10", "success@1": "success_1",
}  # fmt: skip
MEASURES = {"ndcg_cut.3,10", "ndcg", "map", "map_cut.5", "recip_rank", "recall.5", "P.10", "success.1"}


def drawn(rng, names, most=30):
    return rng.permutation(names)[:most].tolist()


GRADES = [0, 0, 1, 2, -1]


def collection(seed=0, queries=40, systems=(("dense", 1.0), ("bm25", 1.6), ("other", 3.0)), digits=1):
    rng = np.random.default_rng(seed)
    documents = [f"d{i}" for i in range(80)]
    qrels = {
        f"q{i}": dict(
            zip(rng.permutation(documents)[:20].tolist(), rng.choice([0, 0, 1, 2, -1], 20).tolist(), strict=True)
        )
        for i in range(queries)
    }
    runs = {
        name: {
            query: {
                d: round(judged.get(d, 0) + rng.normal(0, noise), digits)
                for d in rng.permutation(documents)[:30].tolist()
            }
            for query, judged in qrels.items()
        }
        for name, noise in systems
    }
    return qrels, runs


def written(folder, qrels, runs):
    lines = [f"{q} 0 {d} {grade}\n" for q, judged in qrels.items() for d, grade in judged.items()]
    (folder / "qrels.txt").write_text("".join(lines))
    for name, run in runs.items():
        rows = [f"{q} Q0 {d} {i} {s} {name}\n" for q, found in run.items() for i, (d, s) in enumerate(found.items())]
        (folder / f"{name}.run").write_text("".join(rows))
    return [folder / "qrels.txt", *(folder / f"{name}.run" for name in runs)]


# ---- values of trec_eval


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([0, 1, 6]))
def test_values_are_trec_evals_ties_among_them(seed, digits):
    qrels, runs = collection(seed, queries=6, digits=digits)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(runs["dense"])
    found = ranked_queries(qrels, {"dense": runs["dense"]}, list(TREC))
    for name, measure in TREC.items():
        for query, value in zip(found.queries, found.values["dense"][name], strict=True):
            assert value == pytest.approx(theirs[query][measure], abs=1e-10)


def test_scores_that_agree_in_single_precision_are_ties():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.00000001, "b": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)["q"]["recip_rank"]
    assert theirs == ranked_queries(qrels, {"x": run}, ["RR"]).values["x"]["RR"][0] == 0.5


def test_means_are_those_of_ir_measures():
    qrels, runs = collection(3)
    qrels = {query: judged for query, judged in qrels.items() if max(judged.values()) > 0}
    wanted = [ir_measures.parse_measure(name) for name in ("nDCG@10", "AP", "RR", "R@20", "P@5")]
    theirs = ir_measures.calc_aggregate(wanted, qrels, runs["dense"])
    for measure in wanted:
        c = fw.compare_predictions(qrels, runs, metric=str(measure))
        assert c.means["dense"] == pytest.approx(theirs[measure], abs=1e-10)


def test_rank_biased_precision_is_its_formula():
    qrels, run = {"q": {"a": 2, "b": 0, "c": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    value = ranked_queries(qrels, {"x": run}, ["RBP", "RBP(p=0.5)"]).values["x"]
    assert value["RBP"][0] == pytest.approx(0.2 * (1 + 0.8**2))
    assert value["RBP(p=0.5)"][0] == pytest.approx(0.5 * (1 + 0.25))


@pytest.mark.parametrize(
    ("name", "kind", "k"),
    [("ndcg_cut_10", "nDCG", 10), ("R@100", "recall", 100), ("P_5", "P", 5), ("MRR@10", "RR", 10), ("map", "AP", None)],
)
def test_names_are_taken_as_other_tools_spell_them(name, kind, k):
    found = ranking_metric(name)
    assert (found.kind, found.k) == (kind, k)


# ---- the doors


def test_all_doors_give_the_same(run, reader, tmp_path):
    qrels, runs = collection()
    pair = {name: runs[name] for name in ("dense", "bm25")}
    expected = fw.compare_predictions(qrels, pair, metric="nDCG@5")
    paths = written(tmp_path, qrels, pair)
    code, out, _ = run("judge", *paths, "--metric", "nDCG@5", "--json")
    one = json.loads(out)["verdicts"][""]
    assert (code, one["models"]) == (0, ["dense", "bm25"])
    assert one["pairs"][0]["pvalue"] == pytest.approx(expected.pvalue, abs=1e-12)
    assert one["pairs"][0]["estimate"] == pytest.approx(expected.estimate, abs=1e-12)
    for name, content in (("qrels", qrels), *pair.items()):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    judged = fw.judge([tmp_path / f"{name}.json" for name in ("qrels", *pair)], metric="nDCG@5")
    assert judged.main.pvalue == pytest.approx(expected.pvalue, abs=1e-12)
    page = reader.post("/judge", dropped=[(path.name, path.read_text()) for path in paths], step="answer")
    assert page.alert is None
    assert "nDCG@10" in page.text


def test_several_systems_are_judged_together(run, tmp_path):
    qrels, runs = collection(queries=60)
    c = fw.judge(written(tmp_path, qrels, runs)).main
    assert (c.best_set, len(c.pairs), c.metric) == (("dense",), 3, "nDCG@10")
    assert fw.compare_predictions(qrels, runs, options=fw.Options(adjust="max_t")).best_set == ("dense",)


def test_answers_speak_of_queries(run, tmp_path):
    qrels, runs = collection()
    out = run("judge", *written(tmp_path, qrels, runs))[1]
    assert "(40 queries)" in out
    assert "paired t test over queries" in out
    assert " nDCG@10 from " in out
    assert not re.search(r"\d items", out)
    c = fw.compare_predictions(qrels, {name: runs[name] for name in ("dense", "bm25")})
    assert c.design == "40 queries"
    assert "over queries like these" in c.estimand
    assert fw.Comparison.from_dict(json.loads(json.dumps(c.to_dict()))).design == c.design


def test_what_nobody_judged_and_queries_without_relevant_documents_are_reported(tmp_path):
    qrels, runs = collection()
    qrels["q3"] = dict.fromkeys(qrels["q3"], 0)
    runs["dense"]["strange"] = {"d1": 1.0}
    found = fw.judge(written(tmp_path, qrels, runs))
    told = " ".join(found.understanding.left_out)
    assert "1 query without a relevant document left out" in told
    assert "1 query without judgements left out" in told
    assert "without a judgement, counted as not relevant: dense" in told
    assert found.understanding.size == {"": 39}


def test_judgements_among_json_files_are_told_by_their_grades_and_the_answer_says_so(run, tmp_path):
    qrels, runs = collection()
    for name, content in (("grades", qrels), *runs.items()):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    out = run("judge", *(tmp_path / f"{name}.json" for name in ("grades", *runs)))[1]
    assert "Assumed: grades.json holds the relevance judgements" in out


def test_a_query_that_a_run_lacks_is_missing_and_may_count_as_nothing(tmp_path):
    qrels, runs = collection()
    pair = {name: dict(runs[name]) for name in ("dense", "bm25")}
    query = next(q for q, judged in qrels.items() if max(judged.values()) > 0)
    del pair["dense"][query]
    with pytest.raises(InvalidInput, match="no value may be missing"):
        fw.compare_predictions(qrels, pair)
    left = fw.compare_predictions(qrels, pair, missing="drop")
    nothing = fw.compare_predictions(qrels, pair, missing="worst")
    assert left.means["dense"] > nothing.means["dense"]
    judged = fw.judge(written(tmp_path, qrels, pair)).main
    assert judged.pvalue == pytest.approx(left.pvalue, abs=1e-12)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_the_order_of_lines_changes_nothing_and_swapping_mirrors(seed):
    qrels, runs = collection(seed % 50, queries=12)
    rng = np.random.default_rng(seed)
    mixed = {
        name: {
            q: {d: run[q][d] for d in rng.permutation(list(run[q])).tolist()}
            for q in rng.permutation(list(run)).tolist()
        }
        for name, run in runs.items()
    }
    pair = ("dense", "bm25")
    c = fw.compare_predictions(qrels, {name: runs[name] for name in pair})
    assert fw.compare_predictions(qrels, {name: mixed[name] for name in pair}).pvalue == pytest.approx(c.pvalue)
    assert fw.compare_predictions(qrels, {name: runs[name] for name in pair[::-1]}).estimate == pytest.approx(
        -c.estimate
    )


RUN, QRELS = "q Q0 d 1 2 a\n", "q 0 d 1\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a.run": RUN, "b.run": RUN}, "rankings need relevance judgements: add the qrels file"),
        ({"q.txt": QRELS}, "relevance judgements alone; add the runs"),
        ({"q.txt": QRELS, "a.run": RUN + "q Q0 d 2 1 a\n"}, "line 2: document 'd' of query 'q' is there twice"),
        ({"q.txt": QRELS + "q 0 d 0\n", "a.run": RUN}, "line 2: document 'd' of query 'q' has two judgements"),
        ({"q.txt": QRELS, "a.run": RUN + "q Q0 e 2 high a\n"}, "line 2: the score must be a finite number"),
        ({"q.txt": QRELS, "a.run": RUN.replace("q ", "x ")}, "'a' has no query of the relevance judgements"),
        ({"q.txt": "q 0 d 0\n", "a.run": RUN}, "no query has a relevant document"),
        ({"q.txt": QRELS, "a.run": RUN + "q Q0\n"}, "line 2: 6 columns are needed, got 2"),
    ],
)  # fmt: skip
def test_bad_files_end_in_one_sentence(tmp_path, files, message):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=message):
        fw.judge([tmp_path / name for name in files])


def test_metrics_that_do_not_exist_are_refused():
    qrels, runs = collection(queries=5)
    with pytest.raises(InvalidInput, match="metric 'P' must say how many documents count, as in P@10"):
        fw.compare_predictions(qrels, runs, metric="P")
    with pytest.raises(InvalidInput, match=r"metric must be one of rankings \(nDCG@10, AP, RR"):
        fw.compare_predictions(qrels, runs, metric="accuracy")


def test_a_frame_of_pandas_in_json_is_no_ranking(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"item": {"0": 1, "1": 2}, "x": {"0": 0.5, "1": 0.2}}))
    with pytest.raises(fw.FoldwiseError) as told:
        fw.judge(tmp_path / "a.json")
    assert "rankings need" not in str(told.value)


def test_ranks_that_contradict_the_scores_are_told(run, tmp_path):
    (tmp_path / "q.qrels").write_text("".join(f"q{i} 0 d{j} {int(j == i % 3)}\n" for i in range(12) for j in range(5)))
    for name, score in (("ranked", lambda j: 1.0), ("scored", lambda j: 5 - j)):
        (tmp_path / f"{name}.run").write_text(
            "".join(f"q{i} Q0 d{j} {j + 1} {score(j)} {name}\n" for i in range(12) for j in range(5))
        )
    out = run("judge", tmp_path / "q.qrels", tmp_path / "ranked.run", tmp_path / "scored.run")[1]
    assert "ranked.run: ranks and scores order 12 of 12 queries differently" in " ".join(out.split())
    assert "scored.run: ranks" not in out
