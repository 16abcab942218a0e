"""MLflow's store of files: ``mlruns/<experiment>/<run>/metrics/<key>``, with the parameters and tags beside it.

Other than the tables of ``search_runs`` it has the history of a metric, whose steps may be folds; everything else is
read as the same table would be.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.roles import ROLES
from foldwise.data.sheet import RowCells, Sheet
from foldwise.reading.mlflow_tables import evaluated, is_evaluation
from foldwise.reading.reader import Reader
from foldwise.reading.series import Series
from foldwise.reading.source import Source, read_source
from foldwise.reading.trackers import stepped, tracked

_RUN = re.compile(
    r"(?:^|/)(?:(?P<experiment>[^/]+)/)?(?P<run>[0-9a-f]{32})/(?P<part>metrics|params|tags|artifacts)/(?P<key>.+)"
)
"""Where a run keeps its parts."""
_META = re.compile(r"/([0-9a-f]{32}|\d{1,20})/meta\.yaml$")
_PARENT = "tags.mlflow.parentRunId"
_POINT = re.compile(r"\d+ \S+ \d+")


@dataclass(slots=True)
class Run:
    """One run: the history of its metrics (values by step), its parameters and its tags."""

    key: str
    experiment: str = ""
    points: dict[str, dict[str, float]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    tables: list[Source] = field(default_factory=list)

    @property
    def model(self) -> str:
        """A parameter that names the model, or the run's own name."""
        named = next(
            (self.texts[f"params.{name}"] for name in ROLES["model"].names if f"params.{name}" in self.texts), ""
        )
        return named or self.texts.get("tags.mlflow.runName") or self.key


class MlflowStore(Reader):
    """MLflow's folders."""

    name = "MLflow store"
    says = "the folder mlruns with metrics, params, tags and evaluated answers of runs"

    def recognises(self, source: Source) -> bool:
        """By where the file lies, and how the history of a metric begins."""
        place = source.path.absolute().as_posix()
        found = _RUN.search(place)
        if found is None:
            return _META.search(place) is not None
        if found["part"] == "metrics":
            return _POINT.match(source.head.decode("utf-8", "replace")) is not None
        return found["part"] != "artifacts" or is_evaluation(source)

    def read(self, sources: Sequence[Source], left_out: list[str]) -> Iterator[Series]:
        """Histories with several steps, and all last values as one table."""
        runs: dict[str, Run] = {}
        for source in sources:
            found = _RUN.search(source.path.absolute().as_posix())
            if found is None:
                continue
            run = runs.setdefault(found["run"], Run(key=found["run"], experiment=found["experiment"]))
            if found["part"] == "metrics":
                run.points[found["key"]] = _history(source)
            elif found["part"] == "artifacts":
                run.tables.append(source)
            else:
                run.texts[f"{found['part']}.{found['key']}"] = source.content().decode("utf-8", "replace").strip()
        yield from series_of_runs(list(runs.values()), left_out, source="the store")


READER = MlflowStore()


def series_of_runs(runs: Sequence[Run], left_out: list[str], *, source: str) -> Iterator[Series]:
    """The series of all runs; experiments are tasks where a model has runs in several of them."""
    by_experiment: dict[str, list[Run]] = {}
    for run in runs:
        by_experiment.setdefault(run.experiment, []).append(run)
    models = Counter(model for own in by_experiment.values() for model in {run.model for run in own})
    if max(models.values(), default=1) == 1:
        yield from _series(runs, left_out, source)
        return
    for name, own in by_experiment.items():
        for one in _series(own, left_out, source):
            yield replace(one, task=f"{name}/{one.task}" if one.task else name)


def _series(runs: Sequence[Run], left_out: list[str], source: str) -> Iterator[Series]:
    histories = {key for run in runs for key, points in run.points.items() if len(points) > 1}
    for run in runs:
        for table in run.tables:
            yield from evaluated(read_source(table), run.model, left_out)
        for metric in [name for name in run.points if name in histories]:
            points = run.points[metric]
            yield stepped(run.model, metric, list(points), np.array(list(points.values())), source=source)
    left = [run for run in runs if run.points.keys() - histories]
    parents = {run.texts.get(_PARENT, "") for run in left}  # which give their children a name
    if left:
        named = left + [run for run in runs if run.key in parents and run not in left]
        yield from tracked(_sheet(named, histories, source), left_out)


def _history(source: Source) -> dict[str, float]:
    """Values by step; a step that was logged again counts with its last value."""
    points: dict[str, float] = {}
    for number, line in enumerate(source.lines(), start=1):
        words = line.split()
        try:
            points[words[2]] = float(words[1])
        except (IndexError, ValueError):
            raise InvalidInput(
                f"{source.name}, line {number} must be a time, a value and a step, but it is cut off or damaged: "
                f"{line.strip()[:40]!r}"
            ) from None
    return points


def _sheet(runs: Sequence[Run], histories: set[str], source: str) -> Sheet:
    """The last values, parameters and tags as ``search_runs`` gives them."""
    texts = dict.fromkeys(name for run in runs for name in run.texts)
    metrics = dict.fromkeys(name for run in runs for name in run.points if name not in histories)
    rows = [
        (
            run.key,
            *(run.texts.get(name, "") for name in texts),
            *(repr(list(run.points[name].values())[-1]) if name in run.points else "" for name in metrics),
        )
        for run in runs
    ]
    return Sheet(
        source=source,
        header=("run_id", *texts, *(f"metrics.{name}" for name in metrics)),
        cells=RowCells(rows),
        lines=range(1, len(rows) + 1),
        layout="runs of a store",
        decimal_comma=False,
    )
