"""A table or figure of a paper that can be run again."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from foldwise import __version__
from foldwise.core.digest import digest
from foldwise.core.errors import InvalidInput
from foldwise.core.formatting import moment, number_text
from foldwise.core.process import made_by
from foldwise.core.result import Result
from foldwise.core.types import Array, Json
from foldwise.core.validation import integer, one_of
from foldwise.lab.evidence import Evidence
from foldwise.lab.gather import InBlocks, Origins, Resources, gather
from foldwise.lab.papers.rows import VERDICTS, Chart, PlottedSeries, Row, beside_the_print

if TYPE_CHECKING:
    from foldwise.data.dataset import Dataset


Scale = Literal["smoke", "quick", "full"]
SCALES: tuple[Scale, ...] = ("smoke", "quick", "full")

T = TypeVar("T")

# what several studies are made of, and where it comes from, kept while the process lives
_KEPT: dict[tuple[object, ...], tuple[Any, Origins]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """How a study is to be run."""

    #: "full" has the paper's own numbers of trials, "quick" takes minutes for all studies together, "smoke" shows only
    #: that a study runs
    scale: Scale = "quick"
    seed: int = 0  #: Gives the same numbers again
    resources: Resources = field(default_factory=Resources)  #: Processes, store, cluster, progress bar
    data_dir: str | None = None  #: Where data sets are; None for the environment's

    def __post_init__(self) -> None:
        one_of(self.scale, "scale", SCALES)
        integer(self.seed, "seed", minimum=0)

    def pick(self, *, smoke: T, quick: T, full: T) -> T:
        """The value for this task's scale.

        >>> Task(scale="full").pick(smoke=10, quick=100, full=1000)
        1000
        """
        return {"smoke": smoke, "quick": quick, "full": full}[self.scale]

    def once(self, what: tuple[object, ...], compute: Callable[[], T]) -> T:
        """What `compute` gives, computed once for all tables and figures that are made of it."""
        key, origins = (self.scale, self.seed, self.data_dir, *what), self.resources.origins
        if key not in _KEPT:
            before = Origins(origins)
            origins.clear()
            _KEPT[key] = compute(), Origins(origins)
            origins.add(before)
        found: T = _KEPT[key][0]
        origins.add(_KEPT[key][1])
        return found

    def load(self, name: str) -> Dataset:
        from foldwise.data.loading import load

        return load(name, data_dir=self.data_dir)

    def present(self, names: Iterable[str]) -> tuple[str, ...]:
        """Those of the data sets that are there; all of them if none is, so that loading says what to do."""
        wanted = tuple(names)
        return tuple(name for name in wanted if name in data_sets(self.data_dir)) or wanted

    def left_out(self, names: Iterable[str]) -> tuple[str, ...]:
        """A note that names the data sets a study had to do without, if there are such."""
        absent = [name for name in names if name not in data_sets(self.data_dir)]
        return (f"Without {', '.join(absent)}: not in the folder of data sets.",) if absent else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a study found."""

    rows: tuple[Row, ...]  #: Printed values beside ours
    charts: tuple[Chart, ...] = ()  #: The figures
    raw: Mapping[str, Json] = field(default_factory=dict)  #: The numbers behind both, ready for JSON
    notes: tuple[str, ...] = ()  #: What to know about all rows


@dataclass(frozen=True, slots=True)
class Study:
    #: key, title, reference: Paper and place, such as "dietterich1998/figure5"; what it shows; where it stands in the
    #: paper
    key: str
    title: str
    reference: str
    compute: Callable[[Task], Findings]  #: Runs it
    #: data, learners: Names of the data sets it needs, and of the learners it trains
    data: tuple[str, ...] = field(default=(), kw_only=True)
    learners: tuple[str, ...] = field(default=(), kw_only=True)
    #: Roughly how long it takes at quick and at full scale on two cores, compiled kernels given
    seconds: tuple[float, float] = field(kw_only=True)

    @property
    def paper(self) -> str:
        return self.key.partition("/")[0]

    def missing(self, data_dir: str | Path | None = None) -> tuple[str, ...]:
        return tuple(name for name in self.data if name not in data_sets(data_dir))

    def run(
        self, scale: Scale = "quick", *, seed: int = 0, resources: Resources | None = None,
        data_dir: str | Path | None = None,
    ) -> StudyResult:  # fmt: skip
        """Run the study.

        Parameters
        ----------
        scale, seed, resources, data_dir
            As in `Task`.
        """
        task = Task(
            scale=scale, seed=seed, resources=replace(resources or Resources(), origins=Origins()),
            data_dir=None if data_dir is None else str(data_dir),
        )  # fmt: skip
        started = time.perf_counter()
        found = self.compute(task)
        return StudyResult(
            key=self.key, title=self.title, reference=self.reference, scale=scale, seed=seed,
            seconds=time.perf_counter() - started, made_by=made_by(), rows=found.rows, charts=found.charts,
            raw=found.raw, notes=found.notes, ran=moment(int(time.time())),
            trials={by: (moment(first), moment(last)) for by, (first, last) in task.resources.origins.items()},
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResult(Result):
    page: ClassVar[str] = "study"

    #: key, title, reference: Which one
    key: str
    title: str
    reference: str
    #: scale, seed, seconds, made_by: How it was run, how long it took, and by which version
    scale: str
    seed: int
    seconds: float
    made_by: str
    #: rows, charts, raw, notes: What was found; see `Findings`
    rows: tuple[Row, ...]
    charts: tuple[Chart, ...]
    raw: Mapping[str, Json]
    notes: tuple[str, ...]
    ran: str = ""  #: When these rows were made
    #: When the first and last trials behind them were made, by version and commit; empty where there are none
    trials: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """By which commits, and when, the trials and the rows were made.

        >>> StudyResult(
        ...     key="a/b", title="", reference="", scale="full", seed=0, seconds=1, made_by="foldwise 1", rows=(),
        ...     charts=(), raw={}, notes=(), ran=moment(0), trials={"foldwise 1": (moment(0), moment(60))},
        ... ).origin
        'foldwise 1, 1970-01-01T00:00:00Z to 1970-01-01T00:01:00Z'
        """
        if not self.trials:
            return ", ".join(filter(None, (self.made_by, self.ran)))
        said = [f"{by}, {' to '.join(dict.fromkeys(when))}" for by, when in self.trials.items()]
        rows = "" if set(self.trials) == {self.made_by} else f"; rows by {self.made_by}, {self.ran}"
        return f"{'trials by ' if rows else ''}{' and '.join(said)}{rows}"

    @property
    def figures(self) -> tuple[Chart, ...]:
        """The study's own, and its printed numbers beside ours where they are many."""
        return (*self.charts, *beside_the_print(self.rows))

    def verdicts(self) -> dict[str, int]:
        """How many rows agree, differ, can't be compared, and have nothing printed beside them."""
        counts = Counter(row.verdict for row in self.rows)
        return {verdict: counts[verdict] for verdict in VERDICTS}

    def _content(self) -> Mapping[str, Json]:
        return asdict(self) | {"verdicts": self.verdicts()}

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> StudyResult:
        saved = dict(kept)
        fields = {name: value for name, value in saved.items() if name not in ("schema", "result", "verdicts")}
        try:
            rows = tuple(Row(**row) for row in saved["rows"])
            charts = tuple(_chart(chart) for chart in saved["charts"])
            trials = {by: tuple(when) for by, when in saved.get("trials", {}).items()}
            return cls(**fields | {"rows": rows, "charts": charts, "notes": tuple(saved["notes"]), "trials": trials})
        except (KeyError, TypeError) as error:
            what = saved.get("key", "a file")
            raise InvalidInput(f"saved results of {what} were not written by this version: {error}") from error


def _chart(saved: dict[str, Any]) -> Chart:
    return Chart(**saved | {"series": tuple(_series(one) for one in saved["series"])})


def _series(saved: dict[str, Any]) -> PlottedSeries:
    numbers: Any = {name: tuple(saved[name]) for name in ("x", "y", "low", "high")}
    return PlottedSeries(name=saved["name"], **numbers)


def data_sets(data_dir: str | Path | None = None) -> frozenset[str]:
    """Names of the data sets that are there."""
    from foldwise.data.catalogue import BUILT_IN
    from foldwise.data.loading import available, data_folder

    return frozenset({*available(data_folder(data_dir)), *BUILT_IN})


def number(value: float | None) -> str:
    return "" if value is None else number_text(value, 4)


def interval(row: Row) -> str:
    return "" if row.low is None or row.high is None else f"{number(row.low)} to {number(row.high)}"


# ---- Trials that a study defines itself, done by the lab's machinery: in parallel, resumable, whoever does them.

Trial = Callable[[int], Mapping[str, ArrayLike]]  # From the trial's number to its arrays, by name.


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyTrials(InBlocks):
    """Trials that are one block each."""

    block: ClassVar[int] = 1

    identity: tuple[object, ...]  #: All that determines a trial but its number; a store files the trials under it
    #: Called once in each worker; gives the function that does one trial. Must be a module's function (or a partial of
    #: one), so that processes can receive it.
    start: Callable[[], Trial]
    numbers: int  #: How many numbers are kept of each trial
    lower: str = "the scale"  #: What would make it fewer, for a message

    @property
    def key(self) -> str:
        return digest([*self.identity, __version__])

    def worker(self) -> _Worker:
        return _Worker(self.start())


class _Worker:
    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def work(self, number: int) -> Evidence:
        found = self._trial(number)
        return Evidence(arrays={name: np.asarray(array)[None] for name, array in found.items()})


def do_trials(work: StudyTrials, count: int, resources: Resources | None = None) -> dict[str, Array]:
    """The arrays of the first `count` trials, joined along a first axis.

    >>> work = StudyTrials(identity=("example",), start=lambda: lambda number: {"square": number**2}, numbers=1)
    >>> do_trials(work, 4)["square"].tolist()
    [0, 1, 4, 9]
    """
    return gather(work, count, resources).arrays
