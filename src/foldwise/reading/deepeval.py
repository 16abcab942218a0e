"""Test runs of DeepEval: ``test_run_<stamp>.json`` and ``.latest_run_full.json``.

Names of test cases are often made up by the tool, so that a case is known by what was asked and expected.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import Reader, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import Source


class DeepEval(Reader):
    """DeepEval."""

    name = "DeepEval"
    says = "test_run_<stamp>.json of DEEPEVAL_RESULTS_FOLDER"

    def recognises(self, source: Source) -> bool:
        """Test cases with metrics, in the tool's own spelling."""
        head = source.head.lstrip()
        return head[:1] == b"{" and b'"testCases"' in head and b'"metricsData"' in head

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One series per run and metric."""
        for source in sources:
            run = json_object(source.content(), source.name)
            found, times = Collector(), Counter[str]()
            cases = run.get("testCases")
            if not isinstance(cases, list):
                raise InvalidInput(f"{source.name} must have a list testCases, got {type(cases).__name__}")
            for case in cases:
                key = json.dumps([case.get("input"), case.get("expectedOutput")], sort_keys=True)
                times[key] += 1
                for metric in case.get("metricsData") or []:
                    failed = metric.get("error") is not None
                    found.add(
                        str(metric.get("name")),
                        key,
                        None if failed else metric.get("score"),
                        trial=str(times[key]),
                        clusters=case.get("metadata") or {},
                        reason="ended in an error" if failed else "not scored",
                    )
            if run.get("conversationalTestCases"):
                left_out.append(f"{source.name}: conversational test cases")
            settings = {str(key): str(value) for key, value in (run.get("hyperparameters") or {}).items()}
            model = settings.pop("model", "") or settings.pop("Model", "") or source.stem.removesuffix(".json")
            yield from found.series(model=model, task="", source=source.name, settings=settings)


READER = DeepEval()
