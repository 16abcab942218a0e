"""Results of MTEB: ``results/<org>__<model>/<revision>/<Task>.json``, one value per task (the mean over subsets)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.reading.collecting import is_number
from foldwise.reading.reader import Reader, json_object
from foldwise.reading.series import Series, Whole
from foldwise.reading.source import Source

META = "model_meta.json"
_SPLITS = ("test", "dev", "validation", "train")


class Mteb(Reader):
    """MTEB."""

    name = "MTEB"
    says = "results/<org>__<model>/<revision>/<Task>.json"

    def recognises(self, source: Source) -> bool:
        """A task's name and the version of the benchmark among the first keys; beside it what model it was."""
        if source.stem == META:
            return source.head.lstrip()[:1] == b"{" and b'"revision"' in source.head
        return source.head.lstrip()[:1] == b"{" and b'"mteb_version"' in source.head and b'"task_name"' in source.head

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """One value per model and task: the main score of the test split, averaged over its subsets."""
        known = {one.path.resolve().parent: json_object(one.content(), one.name) for one in sources if one.stem == META}
        for source in sources:
            if source.stem == META:
                continue
            content = json_object(source.content(), source.name)
            scores = content.get("scores")
            split = next((name for name in _SPLITS if isinstance(scores, dict) and scores.get(name)), None)
            if split is None or not isinstance(scores, dict):
                raise InvalidInput(f"{source.name} must have scores by split, got {type(scores).__name__}")
            values = [part.get("main_score") for part in scores[split]]
            if not all(is_number(value) for value in values):
                raise InvalidInput(f"{source.name} must have a number main_score for every subset, got {values}")
            folders = source.path.resolve().parents
            yield Series(
                model=str(known.get(folders[0], {}).get("name") or folders[1].name.replace("__", "/")),
                task=str(content["task_name"]),
                metric="main_score",
                rows=Whole(),
                values=np.array([np.mean(values)]),
                higher_is_better=True,
                settings={
                    "dataset_revision": str(content.get("dataset_revision", "")),
                    "split": split,
                    "revision": folders[0].name,
                },
                source=source.name,
            )


READER = Mteb()
