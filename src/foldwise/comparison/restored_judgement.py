"""Judgements judged again from the evidence that was kept with them in JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foldwise.comparison import restoring
from foldwise.comparison.judgement import Judgement
from foldwise.comparison.understanding import Understanding
from foldwise.core.decisions import decisions_from
from foldwise.core.result import Result

Kept = Mapping[str, Any]


def restore(kind: str, content: Kept) -> Result | None:
    """The judgement that was kept; None where a verdict has no evidence with it or does not come out the same."""
    evidence = content.get("evidence")
    if evidence is None:
        return None
    said = {**content["verdicts"], **({} if content["overall"] is None else {None: content["overall"]})}
    kept = {**evidence["verdicts"], None: evidence["overall"]}
    found = {task: _verdict(verdict, kept[task]) for task, verdict in said.items()}
    if None in found.values():
        return None
    overall = found.pop(None, None)
    return Judgement(understanding=_understanding(content["understood"]), verdicts=found, overall=overall)


def _verdict(said: Kept, evidence: Kept) -> Any:
    return restoring.restore(said["result"], {**said, "evidence": evidence})


def _understanding(said: Kept) -> Understanding:
    values: dict[str, Any] = {
        name: value for name, value in said.items() if name not in ("schema", "result", "reading")
    }
    values |= {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    values["columns"] = decisions_from(values.get("columns", ()))
    kept = values.pop("candidate", None)
    return Understanding(**values, candidate=None if kept is None else decisions_from([kept])[0])
