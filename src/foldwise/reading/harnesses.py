"""Logs of evaluation harnesses: promptfoo, DeepEval, OpenAI's evals, HELM, lighteval, EvalPlus, BigCodeBench, MTEB.

`lm_eval`, `inspect_ai` and `agent_runs` have files of their own.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.units import name_list
from foldwise.data.frames import parquet_table
from foldwise.reading.reader import Collector, Reader, ReadFile, begins, is_number, json_lines, json_list, json_object
from foldwise.reading.series import Series, WholeTask
from foldwise.reading.source import SourceFile

# ---- promptfoo: one model is a prompt with a provider.
#
# ``--repeat`` gives every repetition a new test number, so that a test is known by its variables and its description
# only; rows that share these are trials. A call that failed (failure reason 2) is missing, not wrong.

_FAILED_CALL = 2


def _promptfoo(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    results = json_object(source.content(), source.name).get("results")
    rows = results.get("results") if isinstance(results, dict) else None
    if not isinstance(rows, list):
        raise InvalidInput(f"{source.name} must have a list results.results, as promptfoo writes it, got none")
    several = len({row.get("promptIdx") for row in rows}) != len({_provider(row) for row in rows})
    collected: dict[str, Collector] = {}
    times: Counter[tuple[str, str]] = Counter()
    for row in rows:
        model = f"{_provider(row)}, prompt {row.get('promptIdx')}" if several else _provider(row)
        case, success = row.get("testCase") or {}, row.get("success")
        key = json.dumps([case.get("description"), row.get("vars") or case.get("vars")], sort_keys=True)
        times[model, key] += 1
        place: dict[str, Any] = {
            "trial": str(times[model, key]), "clusters": case.get("metadata") or {}, "reason": "ended in an error",
        }  # fmt: skip
        failed = row.get("failureReason") == _FAILED_CALL
        named = {name: value for name, value in (row.get("namedScores") or {}).items() if is_number(value)}
        found = collected.setdefault(model, Collector())
        values = {"score": row.get("score"), "success": None if success is None else float(success), **named}
        tokens = (row.get("tokenUsage") or (row.get("response") or {}).get("tokenUsage") or {}).get("total")
        spent = {"cost": row.get("cost"), "latency_ms": row.get("latencyMs"), "tokens": tokens}
        values |= {name: value for name, value in spent.items() if is_number(value)}
        for metric, value in values.items():
            found.add(metric, key, None if failed else value, **place)
        if failed:
            found.fail(key, **place)
    for model, found in collected.items():
        yield from found.series(model=model, source=source.name)


def _provider(row: Mapping[str, Any]) -> str:
    provider = row.get("provider")
    return str((provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider)


# ---- DeepEval: names of test cases are often made up by the tool, so that a case is known by what was asked and
# expected.


def _deepeval(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    run = json_object(source.content(), source.name)
    found, times, cases = Collector(), Counter[str](), run.get("testCases")
    if not isinstance(cases, list):
        raise InvalidInput(f"{source.name} must have a list testCases, got {type(cases).__name__}")
    for case in cases:
        key = json.dumps([case.get("input"), case.get("expectedOutput")], sort_keys=True)
        times[key] += 1
        for metric in case.get("metricsData") or []:
            failed = metric.get("error") is not None
            found.add(
                str(metric.get("name")), key, None if failed else metric.get("score"), trial=str(times[key]),
                clusters=case.get("metadata") or {}, reason="ended in an error" if failed else "not scored",
            )  # fmt: skip
    if run.get("conversationalTestCases"):
        left_out.append(f"{source.name}: conversational test cases")
    settings = {str(key): str(value) for key, value in (run.get("hyperparameters") or {}).items()}
    model = settings.pop("model", "") or settings.pop("Model", "") or source.stem.removesuffix(".json")
    yield from found.series(model=model, source=source.name, settings=settings)


# ---- OpenAI's evals: one JSON object per line, the specification first, events of samples after it.


def _openai_evals(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    spec: Mapping[str, Any] = {}
    found, finished = Collector(), False
    for _, line in json_lines(source):
        spec = line.get("spec") or spec
        finished = finished or "final_report" in line
        data = line.get("data")
        if "sample_id" not in line or not isinstance(data, dict):
            continue
        key = str(line["sample_id"])
        if line.get("type") == "match":
            correct = data.get("correct")
            right = None if correct is None else float(bool(correct))
            found.add("correct", key, right, content=repr(data.get("expected")))
        elif line.get("type") == "metrics":
            for metric, value in data.items():
                if is_number(value):
                    found.add(metric, key, value)
    if not finished:
        left_out.append(f"{source.name}: the run has no final report, what it finished is taken")
    functions = spec.get("completion_fns") or [spec.get("model_name") or source.stem]
    yield from found.series(
        model=", ".join(map(str, functions)), task=str(spec.get("base_eval") or spec.get("eval_name") or ""),
        source=source.name, settings={"split": str(spec.get("split", ""))},
    )  # fmt: skip


# ---- HELM: ``per_instance_stats.json`` in the folder of a run, with ``run_spec.json`` beside it.
#
# One instance has several entries, one per family of metrics, and perturbed copies, which are left out: a copy is no
# independent item. Other few-shot examples (`train_trial_index`) are trials.

_STATS, _SPEC = "per_instance_stats.json", "run_spec.json"
_BESIDE = (
    "scenario.json", "scenario_state.json", "stats.json", "instances.json", "display_predictions.json",
    "display_requests.json",
)  # fmt: skip
"""What else HELM writes into the folder of a run."""


def _helm(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    specs = {source.path.parent: source for source in sources if source.stem == _SPEC}
    for source in sources:
        if source.stem == _STATS:
            spec = specs.get(source.path.parent)
            yield from _helm_run(source, {} if spec is None else json_object(spec.content(), spec.name), left_out)


def _helm_run(source: SourceFile, spec: dict[str, Any], left_out: list[str]) -> Iterator[Series]:
    by_split: dict[str, Collector] = {}
    perturbed = 0
    for entry in json_list(source.content(), source.name):
        if not isinstance(entry, dict) or "instance_id" not in entry:
            raise InvalidInput(f"{source.name} must have an instance_id in every entry, got {str(entry)[:60]!r}")
        if entry.get("perturbation"):
            perturbed += 1
            continue
        key, trial = str(entry["instance_id"]), str(entry.get("train_trial_index", 0))
        for stat in entry.get("stats") or []:
            name = stat.get("name") or {}
            if not name.get("perturbation"):
                found = by_split.setdefault(str(name.get("split") or ""), Collector())
                found.add(str(name.get("name")), key, stat.get("mean"), trial=trial)
    if perturbed:
        left_out.append(f"{source.name}: {perturbed} entries of perturbed copies, which are no items of their own")
    # a run may score examples of several splits, and HELM's tables are of one
    split = next((one for one in _SPLITS if one in by_split), next(iter(by_split), ""))
    if len(by_split) > 1:
        left_out.append(
            f"{source.name}: split {split} counts, not {name_list([one for one in by_split if one != split])}"
        )
    found = by_split.get(split, Collector())
    asked = [name for one in spec.get("metric_specs") or [] for name in (one.get("args") or {}).get("names") or []]
    # what the run was to measure first, what HELM notes of every run last
    rank = {name: place for place, name in enumerate(asked)}
    found.columns = dict(
        sorted(found.columns.items(), key=lambda one: rank.get(one[0][0], len(rank) + bool(_NOTED.match(one[0][0]))))
    )
    adapter, folder = spec.get("adapter_spec") or {}, source.path.resolve().parent.name
    run, _, arguments = str(spec.get("name") or folder).partition(":")
    # the model is part of a run's name; what is left tells the scenario
    parts = arguments.split(",")
    scenario = ",".join(part for part in parts if part and not part.startswith("model="))
    named = next((part.partition("=")[2] for part in parts if part.startswith("model=")), "")
    kept = ("max_train_instances", "temperature", "method", "num_outputs")
    yield from found.series(
        model=str(adapter.get("model") or named or folder), task=f"{run}:{scenario}" if scenario else run,
        source=source.name, settings={key: json.dumps(adapter[key]) for key in kept if key in adapter},
    )  # fmt: skip


_NOTED = re.compile(
    r"num_|training_|inference_|finish_reason_|batch_size|prompt_truncated|max_prob|logprob|predicted_index"
)
"""Beginnings of what HELM notes of every run, whatever is measured."""


# ---- lighteval: ``details/<model>/<stamp>/details_<task>_<stamp>.parquet``, one row per document.

_DETAILS = re.compile(r"details_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.-]+\.parquet")


def _lighteval(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    named, found = _DETAILS.fullmatch(source.stem), Collector()
    assert named is not None
    wanted = ("doc", "metric", "metrics", "example")
    for row in parquet_table(source.content(), source.name, columns=wanted).to_pylist():
        document, values = row.get("doc") or {}, row.get("metric") or row.get("metrics") or {}
        query = str(document.get("query") or row.get("example") or "")
        content = hashlib.sha256(query.encode()).hexdigest()
        for metric, value in values.items():
            if is_number(value) or value is None:
                found.add(metric, str(document.get("id") or "") or content, value, content=content)
    yield from found.series(model=source.path.resolve().parents[1].name, task=named["task"], source=source.name)


# ---- EvalPlus and BigCodeBench: ``<samples>_eval_results.json``, or ``eval_results.json`` in a folder of their own.
# Several samples of a task are trials, and whatever did not pass failed. The hash of EvalPlus's problems: another one
# means other questions under the same names.

_RESULTS = "_eval_results.json"


def _eval_results(said: Mapping[str, str], *, hashed: bool = False) -> ReadFile:
    """The reader of such files by what the status of each metric is called."""

    def read(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
        content, found = json_object(source.content(), source.name), Collector()
        tasks, digest = content.get("eval"), content.get("hash") if hashed else None
        if not isinstance(tasks, dict):
            raise InvalidInput(f"{source.name} must have an object eval with the tasks, got {type(tasks).__name__}")
        for task, samples in tasks.items():
            for trial, sample in enumerate(samples):
                for metric, name in said.items():
                    status = sample.get(name)
                    passed = None if status is None else float(status == "pass")
                    found.add(metric, str(task), passed, trial=str(trial))
        settings = {} if digest is None else {"problems": str(digest)}
        named = source.stem.removesuffix(_RESULTS)
        yield from found.series(
            model=source.path.resolve().parent.name if named == _RESULTS[1:] else named, source=source.name,
            settings=settings,
        )  # fmt: skip

    return read


# ---- MTEB: ``results/<org>__<model>/<revision>/<Task>.json``, one value per task: the main score of the test split,
# averaged over its subsets; where models were run on different subsets, over those that all of them have.

_META = "model_meta.json"
_SPLITS = ("test", "dev", "validation", "train")
_NO_REVISION = ("external", "no_revision_available")
"""Folders of scores that somebody else reported, or of a revision that nobody noted."""


def _mteb(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    known = {one.path.resolve().parent: json_object(one.content(), one.name) for one in sources if one.stem == _META}
    tasks: dict[str, dict[str, _Embedding]] = {}
    empty, other = [], []
    for source in sources:
        if source.stem == _META:
            continue
        content = json_object(source.content(), source.name)
        scores = _main_scores(content.get("scores"), source.name)
        if not scores:
            empty.append(source.name)
            continue
        folder, above = source.path.resolve().parents[:2]
        model = str(known.get(folder, {}).get("name") or above.name.replace("__", "/"))
        revisions = {"dataset_revision": str(content.get("dataset_revision", "")), "revision": folder.name}
        found = _Embedding(source.name, scores, revisions)
        before = tasks.setdefault(str(content["task_name"]), {}).setdefault(model, found)
        if before is not found:
            if before.rank == found.rank:
                raise InvalidInput(
                    f"{before.source} and {found.source} are two revisions of {model} on one task: name the folder of "
                    "one of them"
                )
            tasks[str(content["task_name"])][model], passed = sorted((before, found), key=lambda one: one.rank)
            other.append(passed.source)
    for told, names in (("have no score", empty), ("are of a revision beside one that was run", other)):
        if names:
            left_out.append(f"{len(names)} files {told}, such as {names[0]}")
    narrowed, nothing = [], []
    for task, models in tasks.items():
        common = set.intersection(*(set(one.scores) for one in models.values()))
        if not common:
            nothing.append(task)
            continue
        splits = {split for split, _ in common}
        split = next((name for name in _SPLITS if name in splits), None)
        chosen = sorted(key for key in common if split in (None, key[0]))
        if any(len(one.scores) > len(common) for one in models.values()):
            narrowed.append(task)
        for model, one in models.items():
            yield Series(
                model=model, task=task, metric="main_score", rows=WholeTask(), higher_is_better=True, source=one.source,
                values=np.array([np.mean([one.scores[key] for key in chosen])]), settings=one.revisions,
            )  # fmt: skip
    for told, names in (
        ("count with the splits and subsets that all models have", narrowed),
        ("have no subset that all models have", nothing),
    ):
        if names:
            left_out.append(f"{len(names)} tasks {told}, such as {names[0]}")


@dataclass(frozen=True, slots=True)
class _Embedding:
    """What one model scored on one task."""

    source: str
    scores: dict[tuple[str, str], float]  #: By split and subset
    revisions: dict[str, str]

    @property
    def rank(self) -> bool:
        return self.revisions["revision"] in _NO_REVISION


def _main_scores(scores: object, where: str) -> dict[tuple[str, str], float]:
    if scores is None:
        return {}
    if not isinstance(scores, dict) or not all(isinstance(parts, list) for parts in scores.values()):
        raise InvalidInput(f"{where} must have scores by split, got {type(scores).__name__}")
    found = {}
    for split, parts in scores.items():
        for part in parts:
            value = part.get("main_score") if isinstance(part, dict) else None
            if not is_number(value):
                raise InvalidInput(f"{where} must have a number main_score for every subset, got {value!r}")
            found[split, str(part.get("hf_subset", "default"))] = float(value)
    return found


# ---- MT-Bench's single answers: a score from 1 to 10 of each turn; −1 where the judge's answer could not be read.

_JUDGED = ("question_id", "model", "judge", "score", "turn")


def _mt_bench(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    rows = []
    for where, row in json_lines(source):
        lacking = next((name for name in _JUDGED if name not in row), None)
        if lacking is not None or not is_number(row["score"]):
            raise InvalidInput(f"{where} must have {lacking or 'a number as score'}, as MT-Bench writes it")
        judge = row["judge"]
        rows.append((" ".join(map(str, judge)) if isinstance(judge, list) else str(judge), row))
    several = len({judge for judge, _ in rows}) > 1
    found: dict[str, Collector] = {}
    for judge, row in rows:
        question, score = str(row["question_id"]), row["score"]
        found.setdefault(str(row["model"]), Collector()).add(
            "score", f"{question}, turn {row['turn']}", None if score == -1 else score,
            variant=judge if several else "", clusters={"question": question},
            reason="the judge's answer has no score",
        )  # fmt: skip
    for model, collector in found.items():
        yield from collector.series(model=model, source=source.name, higher={"score": True})


def _is_mteb(source: SourceFile) -> bool:
    return begins(source, b"{", *(("revision",) if source.stem == _META else ("mteb_version", "task_name")))


PROMPTFOO = Reader(
    "promptfoo", "the file of promptfoo eval -o out.json",
    lambda source: begins(source, b"{", "results", early=["evalId"]), _promptfoo,
)  # fmt: skip
OPENAI_EVALS = Reader(
    "OpenAI evals", "the JSONL log of a run, which begins with its spec",
    lambda source: source.head.lstrip()[:9].replace(b" ", b"").startswith(b'{"spec"'), _openai_evals,
)  # fmt: skip
HELM = Reader(
    "HELM", "folders of runs with per_instance_stats.json and run_spec.json",
    lambda source: source.stem in (_STATS, _SPEC)
    or (source.stem in _BESIDE and source.path.with_name(_STATS).exists()),
    read_together=_helm,
)  # fmt: skip
DEEPEVAL = Reader(
    "DeepEval", "test_run_<stamp>.json of DEEPEVAL_RESULTS_FOLDER",
    lambda source: begins(source, b"{", "testCases", "metricsData"), _deepeval,
)  # fmt: skip
EVALPLUS = Reader(
    "EvalPlus",
    "<samples>_eval_results.json",
    lambda source: source.stem.endswith(_RESULTS[1:]) and b"base_status" in source.head,
    _eval_results({"pass (plus)": "plus_status", "pass (base)": "base_status"}, hashed=True),
)
BIGCODEBENCH = Reader(
    "BigCodeBench",
    "<samples>_eval_results.json with task ids BigCodeBench/N",
    lambda source: source.stem.endswith(_RESULTS[1:]) and b'"BigCodeBench/' in source.head,
    _eval_results({"passed": "status"}),
)
MT_BENCH = Reader(
    "MT-Bench", "<judge>_single.jsonl with question_id, model, judge, judgment, score, turn",
    lambda source: begins(source, b"{", *_JUDGED, "judgment"), _mt_bench,
)  # fmt: skip
MTEB = Reader("MTEB", "results/<org>__<model>/<revision>/<Task>.json", _is_mteb, read_together=_mteb)
LIGHTEVAL = Reader(
    "lighteval", "details_<task>_<stamp>.parquet",
    lambda source: _DETAILS.fullmatch(source.stem) is not None and source.head.startswith(b"PAR1"), _lighteval,
)  # fmt: skip
