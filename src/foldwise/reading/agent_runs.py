"""Results of agents and of written code: tau-bench, Terminal-Bench, LiveCodeBench, SWE-bench.

Several runs of a task are trials of it; an agent that ended without an answer failed, and is not missing. SWE-bench
writes lists of the instances that were resolved: all others of the split count as not resolved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.reading.reader import Collector, Reader, begins, is_number, json_items, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import HEAD, SourceFile


def _text(record: Mapping[str, Any], name: str, source: SourceFile) -> str:
    if record.get(name) is None:
        raise InvalidInput(f"{source.name}: every record must have a {name}, but one has none")
    return str(record[name])


def _number(value: object) -> float | None:
    return float(value) if is_number(value) or isinstance(value, bool) else None


def _records(source: SourceFile) -> Iterator[dict[str, Any]]:
    for record in json_items(source.content(), source.name):
        if not isinstance(record, dict):
            raise InvalidInput(f"{source.name} must be a list of objects, one for each run")
        yield record


def _stem(source: SourceFile) -> str:
    """The file's name without its ending."""
    return source.stem.rpartition(".")[0] or source.stem


def _tau_bench(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """A list of trajectories; a run that ended in an error has its reward of 0: it failed."""
    found = Collector()
    for number, record in enumerate(_records(source)):
        trial, info = str(record.get("trial", number)), record.get("info")
        key = _text(record, "task_id", source)
        found.add("reward", key, _number(record.get("reward")), trial=trial)
        for name, value in (info if isinstance(info, dict) else {}).items():
            if name.endswith("cost") and is_number(value):
                found.add(name, key, float(value), trial=trial)
    yield from found.series(model=_stem(source), source=source.name)


_PLACES = ("platform", "difficulty", "contest_id")  # What may say which questions belong together.


def _live_code_bench(source: SourceFile, left_out: list[str]) -> Iterator[Series]:
    """The evaluated questions, whose samples are trials, in the model's folder; the platform may be a cluster."""
    found = Collector()
    for record in _records(source):
        graded = record.get("graded_list")
        if not isinstance(graded, list):
            raise InvalidInput(f"{source.name}: every question must have a graded_list, but one has none")
        key = _text(record, "question_id", source)
        clusters: dict[str, object] = {name: record[name] for name in _PLACES if name in record}
        for trial, passed in enumerate(graded):
            found.add("passed", key, _number(passed), trial=str(trial), clusters=clusters)
    yield from found.series(model=source.path.parent.name or _stem(source), source=source.name)


# ---- Terminal-Bench: the results of runs of the harness, several runs of one submission together; beside them what the
# harness was asked to run.

_ASKED = "run_metadata.json"


def _terminal_bench(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    asked = {one.path.parent: json_object(one.content(), one.name) for one in sources if one.stem == _ASKED}
    found: dict[str, tuple[str, Collector]] = {}
    unjudged: Counter[str] = Counter()
    for source in sources:
        if source.stem != _ASKED:
            model = _submission(source, asked.get(source.path.parent, {}))
            _trials(source, found.setdefault(model, (source.name, Collector()))[1], unjudged)
    if unjudged:
        modes = ", ".join(f"{mode} {count}" for mode, count in unjudged.most_common())
        left_out.append(
            f"{unjudged.total()} trials ended before their test ({modes}): they count as not resolved, as in the "
            "harness's own accuracy"
        )
    for model, (name, collector) in found.items():
        yield from collector.series(model=model, source=name, higher={"resolved": True})


def _submission(source: SourceFile, asked: Mapping[str, Any]) -> str:
    """The model of a run: the folder below that of the data set, the agent and model asked for, or its own folder."""
    folders = source.path.parts[:-1]
    place = next((i for i, name in enumerate(folders) if re.match(r"terminal-bench[\w.-]*[@:=]", name)), len(folders))
    if place + 1 < len(folders):
        return folders[place + 1]
    named = [str(asked[name]) for name in ("agent_name", "model_name") if asked.get(name)]
    return " ".join(named) or (folders[-1] if source.stem == "results.json" and folders else _stem(source))


def _trials(source: SourceFile, found: Collector, unjudged: Counter[str]) -> None:
    """The trials of one run: one that broke down failed; one without a verdict and without a reason is missing."""
    results = json_object(source.content(), source.name).get("results")
    for number, record in enumerate(results if isinstance(results, list) else []):
        if not isinstance(record, dict):
            raise InvalidInput(f"{source.name}: results must be a list of objects, one for each trial")
        trial = f"{source.path.parent.name} {record.get('trial_name', number)}"
        key = _text(record, "task_id", source)
        value, mode = _number(record.get("is_resolved")), str(record.get("failure_mode") or "unset")
        if value is None and mode not in ("unset", "none"):
            value, unjudged[mode] = 0.0, unjudged[mode] + 1
        found.add("resolved", key, value, reason="not judged", trial=trial)
        tokens: list[Any] = [record.get(f"total_{side}_tokens") for side in ("input", "output")]
        if all(map(is_number, tokens)):
            found.add("tokens", key, sum(map(float, tokens)), trial=trial)


# ---- SWE-bench: sets of instances, whose split says how many there are; reports of the harness, of single instances,
# and folders of submissions to the leaderboard.

_SPLITS = {"verified": 500, "lite": 300, "test": 2294, "multimodal": 517, "bash-only": 500, "multilingual": 300}
_ASIDE = ("logs", "results", "run_evaluation")
_SUMMED = ("resolved_by_repo.json", "resolved_by_time.json")
"""What stands beside a submission's results.json and says nothing more."""
_INSTANCE = re.compile(r"(?P<repository>.+)-\d+")
_DETAILS = re.compile(rb'\s*\{\s*"[^"]{1,200}":\s*\{\s*"[^"]{1,200}-\d+":\s*\{')
"""Instances of several models in one file, as the leaderboard's page keeps them."""


@dataclass(slots=True)
class _Submission:
    """What one model did on one split in one run: the instances that are known, and those it resolved."""

    source: str
    known: set[str] = field(default_factory=set)
    resolved: set[str] = field(default_factory=set)
    total: int | None = None
    costs: dict[str, dict[str, float]] = field(default_factory=dict)  #: By what it is counted in, by instance


def _is_swe_bench(source: SourceFile) -> bool:
    """Lists of resolved instances, or the report of one."""
    if not begins(source, b"{"):
        return False
    if _DETAILS.match(source.head):
        return b'"resolved"' in source.head
    if source.stem in ("report.json", "results.json", "per_instance_details.json", *_SUMMED):
        return b'"resolved"' in source.head
    # long lists of other instances may come before the end of a report
    long = len(source.head) >= HEAD and b'"total_instances"' in source.head
    tail = source.content()[-4096:] if long else b""
    return source.stem.endswith(".json") and b'"resolved_ids"' in source.head + tail


def _swe_bench(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    """One series per model and split, on all instances of the split; runs of the harness are trials."""
    found: dict[str, dict[str, dict[str, _Submission]]] = {}
    for source in sources:
        if source.stem in _SUMMED:
            continue
        content, parts = json_object(source.content(), source.name), source.path.resolve().parts
        split = next((name for name in reversed(parts[:-1]) if name in _SPLITS), "")
        model, run, read = _kind(source, content, parts)
        several = _DETAILS.match(source.head) is not None
        for name, part in content.items() if several else [(model, content)]:
            runs = found.setdefault(split, {}).setdefault(name, {})
            one = runs.setdefault(run, _Submission(source=source.name, total=_SPLITS.get(split)))
            (_instance if several else read)(part if isinstance(part, dict) else {}, one, left_out)
    for split, models in found.items():
        yield from _of_split(split, models, left_out)


def _kind(
    source: SourceFile, content: Mapping[str, Any], parts: Sequence[str]
) -> tuple[str, str, Callable[[Mapping[str, Any], _Submission, list[str]], None]]:
    """The model and the run of a file, and how it is read."""
    folders = [name for name in parts[:-1] if name not in _ASIDE]
    if "resolved_ids" in content:  # <model>.<run>.json, and models are called gpt-4.1, too
        model, _, run = source.stem.removesuffix(".json").rpartition(".")
        return model or run, run, _harness
    if source.stem == "report.json":
        run = parts[-4] if len(parts) > 4 and parts[-5] == "run_evaluation" else ""
        return folders[-2] if len(folders) > 1 else source.name, run, _instance
    read = _instance if source.stem == "per_instance_details.json" else _submitted
    return folders[-1] if folders else source.name, "", read


def _ids(content: Mapping[str, Any], name: str, where: str) -> list[str]:
    listed = content.get(name) or []
    if not isinstance(listed, list) or any(not isinstance(one, str) for one in listed):
        raise InvalidInput(f"{where}: {name} must be a list of instances")
    return listed


def _harness(content: Mapping[str, Any], one: _Submission, left_out: list[str]) -> None:
    names = [name for name in content if name.endswith("_ids")]
    one.known.update(*(_ids(content, name, one.source) for name in names))
    one.resolved.update(_ids(content, "resolved_ids", one.source))
    total = content.get("total_instances")
    one.total = int(total) if is_number(total) else one.total


def _instance(content: Mapping[str, Any], one: _Submission, left_out: list[str]) -> None:
    for key, report in content.items():
        if isinstance(report, dict) and "resolved" in report:
            one.known.add(key)
            one.resolved.update([key] if report["resolved"] else [])
            for name in ("cost", "api_calls"):
                if is_number(report.get(name)):
                    one.costs.setdefault(name, {})[key] = float(report[name])


def _submitted(content: Mapping[str, Any], one: _Submission, left_out: list[str]) -> None:
    resolved = _ids(content, "resolved", one.source)
    if len(set(resolved)) < len(resolved):
        left_out.append(f"{one.source}: {len(resolved) - len(set(resolved))} resolved instances are listed twice")
    if differ := one.known & (one.resolved ^ set(resolved)):
        left_out.append(
            f"{one.source}: results.json and the reports of instances disagree on {len(differ)} of {len(one.known)}; "
            "results.json counts"
        )
    one.known.update(*(_ids(content, name, one.source) for name in content if isinstance(content[name], list)))
    one.resolved = set(resolved)


def _of_split(split: str, models: Mapping[str, Mapping[str, _Submission]], left_out: list[str]) -> Iterator[Series]:
    """All models on all instances: those that some file lists, and as many more as the split has."""
    every = [one for runs in models.values() for one in runs.values()]
    known = list(dict.fromkeys(key for one in every for key in sorted(one.known)))
    totals = {one.total for one in every if one.total is not None}
    if not totals:
        left_out.append(
            f"SWE-bench: the split is unknown (name a folder {', '.join(_SPLITS)}), so instances that no file lists "
            "are not counted"
        )
    known += [f"not listed #{number + 1}" for number in range(max(totals, default=0) - len(known))]
    for model, runs in models.items():
        found = Collector()
        for key in known:
            repository = _INSTANCE.fullmatch(key)
            place = {"repository": repository["repository"] if repository else "not listed"}
            for run, one in runs.items():
                trial = run if len(runs) > 1 else None
                found.add("resolved", key, float(key in one.resolved), clusters=place, trial=trial)
                for name, costs in one.costs.items():
                    found.add(name, key, costs.get(key), clusters=place, trial=trial)
        where = next(iter(runs.values())).source
        yield from found.series(model=model, task=split, source=where, higher={"resolved": True})


TAU_BENCH = Reader(
    "tau-bench", "a list of trajectories with task_id, trial and reward",
    lambda source: begins(source, b"[", "task_id", "reward", "info"), _tau_bench,
)  # fmt: skip
TERMINAL_BENCH = Reader(
    "Terminal-Bench",
    "results.json with results: task_id, is_resolved, trial_name",
    lambda source: begins(
        source,
        b"{",
        *(("agent_name", "dataset_name") if source.stem == _ASKED else ("results", "is_resolved", "task_id")),
    ),
    read_together=_terminal_bench,
)
LIVE_CODE_BENCH = Reader(
    "LiveCodeBench",
    "*_eval_all.json: a list with question_id and graded_list",
    lambda source: "_eval_all" in source.stem and source.stem.endswith(".json") and begins(source, b"["),
    _live_code_bench,
)
SWE_BENCH = Reader(
    "SWE-bench", "results/results.json, per_instance_details.json, logs/<instance>/report.json, or <model>.<run>.json",
    _is_swe_bench, read_together=_swe_bench,
)  # fmt: skip
