"""Formats of other harnesses, written here as their sources write them, with the traps that fooled other readers.

Logs of promptfoo and DeepEval were written by the tools too (tests/reference/generators/harnesses).
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import foldwise as fw
from foldwise.comparison import judge
from foldwise.core.errors import InvalidInput
from foldwise.reading import find_sources, read_sources
from foldwise.reading.every_eval_ever import instance_lines


def read(folder):
    return read_sources(find_sources([folder]))


def values(one):
    """The value of every item and trial."""
    trials = one.rows.trials or [""] * one.rows.count
    return dict(zip(zip(one.rows.keys, trials, strict=True), one.values.tolist(), strict=True))


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def promptfoo_row(provider, test, ticket, success):
    case = {"description": "atm", "vars": {"ticket": ticket}}
    return {
        "promptIdx": 0 if provider == "alpha" else 1,
        "testIdx": test,
        "provider": {"id": f"acme:{provider}", "label": provider},
        "vars": case["vars"],
        "testCase": case,
        "success": success,
        "score": float(success),
        "namedScores": {"tone": 0.5},
        "failureReason": 0,
    }


def test_promptfoo_repeats_are_trials_and_failed_calls_are_missing(tmp_path):
    rows = [promptfoo_row(p, t, f"q{t % 2}", t < 3) for p in ("alpha", "beta") for t in range(4)]
    rows[-1]["failureReason"] = 2
    write(tmp_path / "out.json", {"evalId": "eval-1", "results": {"version": 3, "prompts": [], "results": rows}})
    found = {(one.model, one.metric): one for one in read(tmp_path).series}
    assert set(found) == {(model, metric) for model in ("alpha", "beta") for metric in ("score", "success", "tone")}
    one = found["beta", "score"]
    assert len(set(one.rows.keys)) == 2
    assert set(one.rows.trials) == {"1", "2"}
    assert one.missing == {"ended in an error": 1}
    assert math.isnan(one.values[-1])


def test_promptfoo_tells_prompts_of_one_provider_apart(tmp_path):
    rows = [promptfoo_row("alpha", 0, "q0", True) | {"promptIdx": i} for i in range(2)]
    write(tmp_path / "out.json", {"evalId": "e", "results": {"results": rows}})
    assert {one.model for one in read(tmp_path).series} == {"alpha, prompt 0", "alpha, prompt 1"}


def helm_entry(instance, stats, *, trial=0, perturbation=None):
    entry = {"instance_id": instance, "train_trial_index": trial, "stats": []}
    if perturbation:
        entry["perturbation"] = {"name": perturbation}
    for name, value in stats.items():
        entry["stats"].append({"name": {"name": name, "split": "test"}, "count": 1, "sum": value, "mean": value})
    return entry


def test_helm_merges_entries_of_an_instance_and_leaves_perturbed_copies_out(tmp_path):
    for model, right in (("acme_a", 1.0), ("acme_b", 0.0)):
        run = tmp_path / f"mmlu:subject=law,model={model}"
        entries = [
            helm_entry("id1", {"exact_match": right}),
            helm_entry("id1", {"num_output_tokens": 3.0}),
            helm_entry("id2", {"exact_match": 1.0}),
            helm_entry("id1", {"exact_match": 0.0}, perturbation="typos"),
        ]
        write(run / "per_instance_stats.json", entries)
        spec = {"name": run.name, "adapter_spec": {"model": model, "max_train_instances": 5}}
        write(run / "run_spec.json", spec)
    reading = read(tmp_path)
    found = {(one.model, one.metric): one for one in reading.series}
    assert values(found["acme_a", "exact_match"]) == {("id1", ""): 1.0, ("id2", ""): 1.0}
    assert {one.task for one in reading.series} == {"mmlu:subject=law"}
    assert found["acme_a", "exact_match"].settings["max_train_instances"] == "5"
    assert sum("perturbed" in text for text in reading.left_out) == 2


def test_helm_compares_what_the_run_was_to_measure_on_one_split(tmp_path):
    """HELM notes number of references, tokens, runtime … of every instance first, and may score two splits."""
    for model, right in (("acme_a", [1.0, 1.0, 0.0]), ("acme_b", [0.0, 1.0, 0.0])):
        folder = tmp_path / f"mmlu:subject=law,model={model}"
        noted = {"num_references": 4.0, "inference_runtime": 0.2, "finish_reason_stop": 1.0, "logprob": -3.0}
        entries = [helm_entry(f"id{i}", noted | {"f1_score": 0.5, "exact_match": one}) for i, one in enumerate(right)]
        entries.append(helm_entry("id9", {"num_references": 4.0, "exact_match": 1.0 - right[0]}))
        for stat in entries[-1]["stats"]:
            stat["name"]["split"] = "valid"
        write(folder / "per_instance_stats.json", entries)
        write(folder / "stats.json", [])
        asked = [{"class_name": "BasicGenerationMetric", "args": {"names": ["exact_match", "f1_score"]}}]
        write(folder / "run_spec.json", {"name": folder.name, "adapter_spec": {"model": model}, "metric_specs": asked})
    reading = read(tmp_path)
    assert reading.passed_over == ()
    metrics = list(dict.fromkeys(one.metric for one in reading.series))
    assert metrics[:2] == ["exact_match", "f1_score"]
    first = reading.series[0]
    assert values(first) == {("id0", ""): 1.0, ("id1", ""): 1.0, ("id2", ""): 0.0}
    assert any("split test counts, not valid" in text for text in reading.left_out)
    found = fw.judge([tmp_path])
    assert (found.main.metric, found.main.means) == ("exact_match", {"acme_a": 2 / 3, "acme_b": 1 / 3})


def test_a_run_of_bigcodebench_may_be_a_folder(tmp_path):
    tasks = {
        f"BigCodeBench/{i}": [{"task_id": f"BigCodeBench/{i}", "status": s}] for i, s in enumerate(("pass", "timeout"))
    }
    write(tmp_path / "alpha" / "eval_results.json", {"date": "d", "eval": tasks})
    write(tmp_path / "beta--bigcodebench-instruct_eval_results.json", {"date": "d", "eval": tasks})
    found = {one.model: one.values.tolist() for one in read(tmp_path).series}
    assert found == {"alpha": [1, 0], "beta--bigcodebench-instruct": [1, 0]}


def test_an_empty_file_that_was_named_is_refused(tmp_path):
    """`judge a.json b.json` with an empty second told of the first alone, without a word."""
    rows = [{"task_id": i, "trial": 0, "reward": i % 2, "info": {}, "traj": []} for i in range(8)]
    write(tmp_path / "a.json", rows)
    (tmp_path / "b.json").write_text("")
    with pytest.raises(InvalidInput, match="json is empty"):
        fw.judge([tmp_path / "a.json", tmp_path / "b.json"])
    found = fw.estimate_files([tmp_path])
    assert "passed over, because their format is not known: b.json" in found.caveats


def test_openai_evals_pairs_by_sample_and_notices_an_unfinished_run(tmp_path):
    lines = [
        {"spec": {"completion_fns": ["gpt-x"], "base_eval": "arith", "split": "dev"}},
        {"event_id": 0, "sample_id": "arith.dev.0", "type": "match", "data": {"correct": True, "expected": "4"}},
        {"event_id": 1, "sample_id": "arith.dev.1", "type": "match", "data": {"correct": False, "expected": "5"}},
        {"event_id": 2, "sample_id": "arith.dev.1", "type": "sampling", "data": {"prompt": "?"}},
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (one,) = read(tmp_path).series
    assert (one.model, one.task, one.metric) == ("gpt-x", "arith", "correct")
    assert values(one) == {("arith.dev.0", ""): 1.0, ("arith.dev.1", ""): 0.0}
    assert any("no final report" in text for text in read(tmp_path).left_out)


def test_deepeval_knows_a_case_by_its_question(tmp_path):
    case = {"input": "2+2", "expectedOutput": "4", "metadata": {"topic": "sums"}}
    cases = [
        case | {"name": "test_case_0", "metricsData": [{"name": "Correctness", "score": 0.7, "error": None}]},
        case | {"name": "test_case_9", "metricsData": [{"name": "Correctness", "score": 0.9, "error": "timeout"}]},
    ]
    write(tmp_path / "test_run_1.json", {"testCases": cases, "hyperparameters": {"model": "alpha"}})
    (one,) = read(tmp_path).series
    assert one.model == "alpha"
    assert len(set(one.rows.keys)) == 1
    np.testing.assert_equal(one.values, [0.7, np.nan])
    assert one.missing == {"ended in an error": 1}


def test_evalplus_samples_are_trials(tmp_path):
    tasks = {f"HumanEval/{i}": [{"base_status": "pass", "plus_status": s} for s in ("pass", "fail")] for i in range(3)}
    write(tmp_path / "alpha_eval_results.json", {"date": "d", "hash": "h", "eval": tasks, "pass_at_k": {}})
    found = {one.metric: one for one in read(tmp_path).series}
    assert found["pass (plus)"].model == "alpha"
    assert found["pass (plus)"].values.tolist() == [1, 0] * 3
    assert found["pass (base)"].values.tolist() == [1] * 6
    assert set(found["pass (plus)"].rows.trials) == {"0", "1"}


def test_mteb_has_one_value_per_task(tmp_path):
    content = {
        "task_name": "Banking77", "dataset_revision": "r", "mteb_version": "2.1", "evaluation_time": 1.0,
        "scores": {"test": [{"main_score": 0.8, "hf_subset": "en"}, {"main_score": 0.6, "hf_subset": "de"}]},
    }  # fmt: skip
    write(tmp_path / "acme__small" / "rev1" / "Banking77.json", content)
    (one,) = read(tmp_path).series
    assert (one.model, one.task, one.rows.count) == ("acme/small", "Banking77", 1)
    assert one.values[0] == pytest.approx(0.7)
    meta = {"name": "acme/Small", "revision": "rev1", "languages": ["eng-Latn"], "loader": None}
    write(tmp_path / "acme__small" / "rev1" / "model_meta.json", meta)
    assert [one.model for one in read(tmp_path).series] == ["acme/Small"]


def test_mteb_counts_the_subsets_that_all_models_have(tmp_path):
    """As in embeddings-benchmark/results: splits of any name, models run on some languages, several revisions."""

    def task(model, name, scores, revision="rev1"):
        parts = {split: [{"main_score": v, "hf_subset": k} for k, v in by.items()] for split, by in scores.items()}
        content = {"task_name": name, "dataset_revision": "r", "mteb_version": "2.1", "scores": parts}
        write(tmp_path / f"acme__{model}" / revision / f"{name}.json", content)

    task("a", "Massive", {"test": {"en": 0.8, "de": 0.6, "fr": 0.1}, "validation": {"en": 0.9}})
    task("b", "Massive", {"test": {"en": 0.7, "de": 0.5}})
    task("b", "Massive", {"test": {"en": 0.0, "de": 0.0}}, "no_revision_available")
    task("a", "Needle", {"test_256": {"default": 0.9}, "test_512": {"default": 0.5}})
    task("b", "Needle", {"test_256": {"default": 0.8}, "test_512": {"default": 0.2}})
    task("a", "Alone", {"test": {"en": 0.3}})
    task("b", "Alone", {"test": {"xx": 0.3}})
    task("b", "Empty", {})
    reading = read(tmp_path)
    found = {(one.model, one.task): one.values[0] for one in reading.series}
    assert found == pytest.approx({
        ("acme/a", "Massive"): 0.7, ("acme/b", "Massive"): 0.6, ("acme/a", "Needle"): 0.7, ("acme/b", "Needle"): 0.5,
    })  # fmt: skip
    told = " ".join(reading.left_out)
    for text in ("1 files have no score", "1 files are of a revision beside", "1 tasks count with the splits and subse",
                 "1 tasks have no subset that all models have, such as Alone"):  # fmt: skip
        assert text in told
    task("b", "Massive", {"test": {"en": 0.7, "de": 0.5}}, "rev2")
    with pytest.raises(InvalidInput, match="are two revisions of acme/b on one task: name the folder of one"):
        read(tmp_path)


def test_mt_bench_scores_are_items_by_turn_and_minus_one_is_missing(tmp_path):
    row = {"question_id": 81, "model": "x", "judge": ["gpt-4", "single-v1"], "user_prompt": "", "judgment": "…"}
    rows = [row | {"score": score, "turn": turn, "model": model}
            for model in "xy" for turn, score in ((1, 9), (2, -1))]  # fmt: skip
    (tmp_path / "gpt-4_single.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = read(tmp_path)
    assert found.formats == {"MT-Bench": 1}
    assert [one.model for one in found.series] == ["x", "y"]
    np.testing.assert_equal(found.series[0].values, [9.0, np.nan])
    assert (list(found.series[0].rows.keys), found.series[0].variant) == (["81, turn 1", "81, turn 2"], "")
    assert list(found.series[0].rows.clusters["question"]) == ["81", "81"]
    (tmp_path / "gpt-4_single.jsonl").write_text(json.dumps(rows[0] | {"score": "9"}))
    with pytest.raises(InvalidInput, match="line 1 must have a number as score, as MT-Bench writes it"):
        read(tmp_path)


def test_promptfoo_has_costs_tokens_and_latency(tmp_path):
    rows = [
        {"promptIdx": place, "testIdx": i, "provider": {"id": model}, "vars": {"q": i}, "success": i % 3 > place - 1,
         "score": 1, "failureReason": 0, "latencyMs": 100 + i, "cost": price * (1 + i % 5), "namedScores": {},
         "response": {"output": "x", "tokenUsage": {"total": 50 + i, "prompt": 20, "completion": 30 + i}}}
        for i in range(30) for place, (model, price) in enumerate((("openai:large", 0.03), ("openai:small", 0.002)))
    ]  # fmt: skip
    (tmp_path / "out.json").write_text(json.dumps({"evalId": "e", "results": {"results": rows, "version": 3}}))
    found = {(one.model, one.metric): one for one in read(tmp_path).series}
    assert found["openai:small", "latency_ms"].values[2] == 102
    assert found["openai:small", "tokens"].values.sum() == sum(50 + i for i in range(30))
    assert fw.judge(tmp_path / "out.json", higher_is_better=True).main.metric == "accuracy"  # of ones alone
    board = fw.frontier(tmp_path / "out.json", metric="success")
    assert (board.cost, board.on_it) == ("cost", ("openai:small", "openai:large"))


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("out.json", '{"evalId": "e", "results": {"results": 3}}', r"out\.json must have a list results\.results"),
        ("per_instance_stats.json", "{}", "must be a JSON list, got dict"),
        ("per_instance_stats.json", "[1]", "must have an instance_id"),
        ("x_eval_results.json", '{"base_status": 1, "eval": []}', "must have an object eval"),
        ("t.json", '{"mteb_version": 1, "task_name": "x", "scores": []}', "must have scores by split"),
        ("r.json", '{"testCases": 1, "metricsData": 2}', "must have a list testCases"),
        ("log.jsonl", '{"spec": {}}\n{"sample_id": ', r"log\.jsonl, line 2 must be whole JSON"),
        ("else.bin", "\x00\x01", "format not recognised, and no table"),
    ],
)
def test_bad_content_is_one_sentence(tmp_path, name, content, match):
    (tmp_path / name).write_text(content)
    with pytest.raises(InvalidInput, match=match):
        read(tmp_path)


def eee_line(model, sample, score, *, error=None, reference=("A",)):
    return {
        "schema_version": "0.3.0", "evaluation_id": "e", "model_id": model, "evaluation_name": "gsm8k/strict-match",
        "sample_id": sample, "sample_hash": f"{model}-{sample}", "interaction_type": "single_turn",
        "input": {"raw": "?", "reference": list(reference)}, "answer_attribution": [],
        "evaluation": {"score": score, "is_correct": score == 1}, "error": error,
    }  # fmt: skip


def test_every_eval_ever_is_read_by_sample_id_and_its_direction_from_the_aggregate(tmp_path):
    lines = [eee_line(m, s, v) for m in ("a", "b") for s, v in (("1", 1.0), ("2", 0.0))]
    lines[0]["error"] = "timeout"
    (tmp_path / "instances.jsonl").write_text("\n".join(map(json.dumps, lines)))
    aggregate = {
        "schema_version": "0.3.0", "evaluation_id": "e", "model_info": {"id": "a"},
        "evaluation_results": [
            {"evaluation_name": name, "metric_config": {"lower_is_better": True, "metric_id": "wer"},
             "score_details": {"score": 0.5}}
            for name in ("gsm8k/strict-match", "other")
        ],
    }  # fmt: skip
    write(tmp_path / "aggregate.json", aggregate)
    found = {(one.model, one.task): one for one in read(tmp_path).series}
    assert set(found) == {("a", "gsm8k/strict-match"), ("b", "gsm8k/strict-match"), ("a", "other")}
    one = found["a", "gsm8k/strict-match"]
    np.testing.assert_equal(one.values, [np.nan, 0.0])
    assert one.higher_is_better is False
    assert found["a", "other"].rows.count == 1


def test_what_is_written_for_every_eval_ever_is_read_again(tmp_path):
    rows = [promptfoo_row(p, t, f"q{t}", t < 3) for p in ("alpha", "beta") for t in range(4)]
    rows[0]["failureReason"] = 2
    write(tmp_path / "in" / "out.json", {"evalId": "eval-1", "results": {"results": rows}})
    first = read(tmp_path / "in")
    (tmp_path / "instances.jsonl").write_text("\n".join(instance_lines(first.series, library="promptfoo")))
    again = {(one.model, one.task): one for one in read(tmp_path / "instances.jsonl").series}
    for one in first.series:
        other = again[one.model, f"task/{one.measure}"]
        assert list(other.rows.keys) == list(one.rows.keys)
        np.testing.assert_equal(other.values, one.values)


REAL = Path(__file__).parents[1] / "reference" / "harnesses"
SUMS = range(1, 13)


def test_a_log_of_the_real_promptfoo_has_its_repeats_as_trials_and_its_error_missing():
    found = judge(REAL / "promptfoo", metric="exact")
    assert (found.understanding.models, found.understanding.size, found.understanding.trials) == (
        ("alpha", "beta"), {"": 12}, 2
    )  # fmt: skip
    kept = [n for n in SUMS if n != 7]  # where beta ended in an error
    assert found.main.pairs[0].means == pytest.approx([np.mean([n % every > 0 for n in kept]) for every in (5, 3)])
    assert any(
        "missing values: alpha 0, beta 2; 1 item left out for all models" in note
        for note in found.understanding.left_out
    )


def test_logs_of_the_real_deepeval_give_its_own_scores():
    found = judge(REAL / "deepeval")
    assert set(found.understanding.models) == {"alpha", "beta"}
    assert found.understanding.differing == {}
    by_name = found.main.means
    kept = [n for n in SUMS if n not in (6, 10)]  # where one of the metrics ended in an error
    assert by_name == pytest.approx(
        {m: np.mean([n % every > 0 for n in kept]) for m, every in (("alpha", 5), ("beta", 3))}
    )
