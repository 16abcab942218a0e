"""Results of EvalPlus: ``<samples>_eval_results.json``; several samples of a task are trials."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import Collector
from foldwise.reading.reader import Reader, json_object
from foldwise.reading.series import Series
from foldwise.reading.source import Source

_END = "_eval_results.json"


class EvalPlus(Reader):
    """EvalPlus."""

    name = "EvalPlus"
    says = "<samples>_eval_results.json"

    def recognises(self, source: Source) -> bool:
        """By the name of the file and the status of its samples."""
        return source.stem.endswith(_END) and b"base_status" in source.head

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        for source in sources:
            content = json_object(source.content(), source.name)
            tasks = content.get("eval")
            if not isinstance(tasks, dict):
                raise InvalidInput(f"{source.name} must have an object eval with the tasks, got {type(tasks).__name__}")
            found = Collector()
            for task, samples in tasks.items():
                for trial, sample in enumerate(samples):
                    for metric in ("plus", "base"):
                        status = sample.get(f"{metric}_status")
                        passed = None if status is None else float(status == "pass")
                        found.add(f"pass ({metric})", str(task), passed, trial=str(trial))
            yield from found.series(
                model=source.stem.removesuffix(_END),
                task="",
                source=source.name,
                settings=_settings(content.get("hash")),
            )


READER = EvalPlus()


def _settings(digest: object) -> dict[str, str]:
    """The hash of the problems: another one means other questions under the same names."""
    return {} if digest is None else {"problems": str(digest)}
