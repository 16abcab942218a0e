"""Runs of HELM: ``per_instance_stats.json`` in the folder of a run, with ``run_spec.json`` beside it.

One instance has several entries, one per family of metrics, and perturbed copies, which are left out: a copy is no
independent item. Other few-shot examples (`train_trial_index`) are trials.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import Reader, json_list, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_STATS, _SPEC = "per_instance_stats.json", "run_spec.json"


class Helm(Reader):
    """HELM."""

    name = "HELM"
    says = "folders of runs with per_instance_stats.json and run_spec.json"

    def recognises(self, source: Source) -> bool:
        return source.stem in (_STATS, _SPEC)

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per run and metric."""
        specs = {source.path.parent: source for source in sources if source.stem == _SPEC}
        for source in sources:
            if source.stem == _STATS:
                spec = specs.get(source.path.parent)
                yield from _series(source, {} if spec is None else json_object(spec.content(), spec.name), left_out)


READER = Helm()


def _series(source: Source, spec: dict[str, Any], left_out: list[str]) -> Iterator[Series]:
    found, perturbed = Collector(), 0
    for entry in json_list(source.content(), source.name):
        if not isinstance(entry, dict) or "instance_id" not in entry:
            raise InvalidInput(f"{source.name} must have an instance_id in every entry, got {str(entry)[:60]!r}")
        if entry.get("perturbation"):
            perturbed += 1
            continue
        for stat in entry.get("stats") or []:
            name = stat.get("name") or {}
            if name.get("perturbation"):
                continue
            found.add(
                str(name.get("name")),
                str(entry["instance_id"]),
                stat.get("mean"),
                trial=str(entry.get("train_trial_index", 0)),
            )
    if perturbed:
        left_out.append(f"{source.name}: {perturbed} entries of perturbed copies, which are no items of their own")
    adapter = spec.get("adapter_spec") or {}
    run, _, arguments = str(spec.get("name") or source.path.resolve().parent.name).partition(":")
    # the model is part of a run's name; what is left tells the scenario
    scenario = ",".join(part for part in arguments.split(",") if part and not part.startswith("model="))
    yield from found.series(
        model=str(adapter.get("model") or _argument(arguments, "model") or source.path.resolve().parent.name),
        task=f"{run}:{scenario}" if scenario else run,
        source=source.name,
        settings={
            key: json.dumps(adapter[key])
            for key in ("max_train_instances", "temperature", "method", "num_outputs")
            if key in adapter
        },
    )


def _argument(arguments: str, name: str) -> str:
    return next((part.partition("=")[2] for part in arguments.split(",") if part.startswith(f"{name}=")), "")
