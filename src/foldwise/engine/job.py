"""One unit of work for a worker: learners, splits, and what comes back."""

from __future__ import annotations

import json
import struct
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foldwise.core.process import environment, give_back
from foldwise.core.types import Array, Integers, Labels
from foldwise.engine import fitting
from foldwise.engine.examples import Attributes, Examples, Form, take_rows
from foldwise.engine.learners import NamedLearner
from foldwise.engine.limits import begin
from foldwise.engine.result import Failure, adding_up, truths
from foldwise.engine.scoring import Scoring
from foldwise.metrics.metric import Needs, Output, Truth
from foldwise.resampling.plan import Plan, Split

METHODS = ("predict_proba", "decision_function")  # What metrics ask of a classifier besides predictions.

HEAD = struct.Struct("<I")
NUMBERS = ("<f8", "<f4")

Numbers = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class FittedOutputs:
    """Probabilities and decision values of one fit for its test examples."""

    classes: Integers  #: The classes of the columns, as class codes: those that training showed
    given: Mapping[str, Numbers]  #: Per method what it returned, bit for bit

    def to_bytes(self) -> bytes:
        shapes = {method: [values.dtype.str, *values.shape] for method, values in self.given.items()}
        head = json.dumps({"classes": self.classes.tolist(), "given": shapes}).encode()
        parts = [
            HEAD.pack(len(head)), head, *(np.ascontiguousarray(values).tobytes() for values in self.given.values()),
        ]  # fmt: skip
        return zlib.compress(b"".join(parts), level=1)

    @classmethod
    def from_bytes(cls, content: bytes) -> FittedOutputs:
        raw = zlib.decompress(content)
        (size,) = HEAD.unpack_from(raw)
        place = HEAD.size + size
        head, given = json.loads(raw[HEAD.size : place]), {}
        for method, (kind, *shape) in head["given"].items():
            count = int(np.prod(shape))
            given[method] = np.frombuffer(raw, kind, count, place).reshape(shape).copy()
            place += given[method].nbytes
        return cls(np.asarray(head["classes"], np.int64), given)

    def readings(self, needs: Needs, truth: Truth) -> Iterator[Output]:
        """As what a metric may take them that needs scores or probabilities."""
        probabilities, decisions = self.given.get("predict_proba"), self.given.get("decision_function")
        table: Numbers | None = None
        if probabilities is not None and probabilities.shape[1:] == self.classes.shape:
            table = np.zeros((len(truth), len(truth.classes)))
            table[:, self.classes] = probabilities
        if needs is not Needs.SCORES:
            yield from () if table is None else (table,)
        elif truth.positive is not None:
            if decisions is not None and decisions.ndim == 1 and len(self.classes) == 2:
                yield decisions if self.classes[1] == truth.positive else -decisions
            if table is not None:
                yield table[:, truth.positive]


def outputs_of(
    estimator: Any, rows: Callable[[], object], n_test: int, classes: Labels, wanted: Sequence[str] = METHODS
) -> FittedOutputs | None:
    """What a fitted classifier gives for its test examples; None where that is not understood.

    `rows` makes the attributes of the test examples, anew for each method, which may work in place.
    """
    methods = [method for method in wanted if hasattr(estimator, method)]
    try:
        given = {method: np.asarray(getattr(estimator, method)(rows())) for method in methods}
        columns = fitting.class_codes(np.asarray(estimator.classes_), classes)
    except (fitting.Nonsense, ValueError, AttributeError, NotImplementedError):  # who needs it meets and reports it
        return None
    right = all(len(v) == n_test and v.ndim in (1, 2) and v.dtype.str in NUMBERS for v in given.values())
    return FittedOutputs(columns, given) if given and right else None


class FittedBefore:
    """A learner that was fitted once: it answers for its test examples as it did then."""

    def __init__(self, estimator: object, outputs: FittedOutputs, classes: Labels) -> None:
        self._estimator, self._given = estimator, outputs.given
        self.classes_ = classes[outputs.classes]
        for method, values in outputs.given.items():
            setattr(self, method, _answering(method, values))

    @property
    def complete(self) -> bool:
        """Whether it has all that the learner has."""
        return all(method in self._given for method in METHODS if hasattr(self._estimator, method))

    def __getattr__(self, name: str) -> Any:
        if name in METHODS:
            raise AttributeError(name)
        return getattr(self._estimator, name)


def _answering(method: str, values: Numbers) -> Callable[[object], Numbers]:
    def answer(_: object) -> Numbers:
        return values.copy()

    answer.__name__ = method  # scikit-learn looks at the name of the function
    return answer


# ---- What a worker needs to do any chunk of a study, and the work itself.

MANY = 100_000  # Examples from which memory counts more than the milliseconds that it takes to give it back.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Job:
    """A study as workers see it: data, learners, plan, seed, the scoring and others by which each fit is scored too."""

    examples: Examples
    learners: tuple[NamedLearner, ...]
    plan: Plan
    seed: int
    scoring: Scoring
    stop_on_error: bool
    also: tuple[Scoring, ...] = ()
    stored: bool = False

    @property
    def needs_outputs(self) -> bool:
        """Whether one of the scorings needs probabilities and the like, which a store gets then."""
        return any(how.needs_outputs for how in self.scorings)

    @property
    def scorings(self) -> tuple[Scoring, ...]:
        return (self.scoring, *self.also)

    def worker(self) -> SplitWorker:
        return SplitWorker(self)

    def describe(self, chunk: Chunk) -> str:
        """What is done, for a message."""
        names = ", ".join(repr(self.learners[position].name) for position in chunk.learners)
        return f"learner {names}" + (f" on split {chunk.splits[0]}" if len(chunk.splits) == 1 else "")

    def uses_kernel(self, learner: NamedLearner) -> bool:
        """Whether the learner's whole-cross-validation kernel does the work."""
        return learner.has_kernel and self.plan.is_partition and all(how.from_predictions for how in self.scorings)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Work for one task: the positions of the learners and the splits they run on.

    With `kernel` there is one learner and the splits make up whole runs.
    """

    learners: tuple[int, ...]
    splits: tuple[int, ...]
    kernel: bool


@dataclass(slots=True)
class Report:
    """What came of a chunk: fits, failures, warnings by (learner, text), the time it took, the worker's versions."""

    fits: list[fitting.Fit] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    warnings: Counter[tuple[int, str]] = field(default_factory=Counter)
    seconds: float = 0.0
    origin: str = field(default_factory=lambda: json.dumps(environment()))


@dataclass(frozen=True, slots=True, eq=False)
class _Fitted:
    """A learner after one training, and its predictions for whatever is tested with it."""

    training: int
    estimator: Any
    tested: Integers
    predictions: Labels
    outcomes: Labels

    def on(self, test: Integers) -> tuple[Labels, Labels]:
        if test is self.tested:
            return self.predictions, self.outcomes
        place = np.searchsorted(self.tested, test)
        return self.predictions[place], self.outcomes[place]


class SplitWorker:
    """Does chunks of one job; keeps what several chunks share."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.splits = job.plan.splits(job.examples.y, seed=job.seed, groups=job.examples.groups)
        self._forms: dict[Form, Attributes] = {}
        self._latest: dict[int, _Fitted] = {}

    def work(self, chunk: Chunk) -> Report:
        """Run the chunk with one thread per numerical library, so that workers do not crowd each other out."""
        from threadpoolctl import threadpool_limits

        report, started = Report(), fitting.clock()
        with threadpool_limits(limits=1), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            steps = self._kernel_steps(chunk, report) if chunk.kernel else self._fit_steps(chunk, report)
            for learner in steps:
                report.warnings.update((learner, _text(w)) for w in caught)
                caught.clear()
                if report.failures and self.job.stop_on_error:
                    break
        report.seconds = fitting.clock() - started
        return report

    def _fit_steps(self, chunk: Chunk, report: Report) -> Iterator[int]:
        for index in chunk.splits:
            split = self.splits[index]
            for position in chunk.learners:
                begin(Chunk((position,), (index,), False), of=len(chunk.splits) * len(chunk.learners))
                try:
                    report.fits.append(self._fit(position, split))
                except BaseException as raised:  # noqa: BLE001 (a learner may raise anything)
                    error = fitting.of_learner(raised)
                    report.failures.append(self._failure(position, split, error))
                yield position

    def _fit(self, position: int, split: Split) -> fitting.Fit:
        """Fit, predict and score on rows cut for this fit alone: a learner may work in place."""
        job, learner, examples = self.job, self.job.learners[position], self.job.examples
        fitted = self._latest.get(position)
        seconds = 0.0
        if fitted is None or fitted.training != split.training:
            fitted, seconds = self._trained(learner, split)
            if job.plan.together > 1:
                self._latest[position] = fitted
        predictions, outcomes = fitted.on(split.test)
        target = fitting.Target.of(examples, split.test)
        present = examples.present() if learner.declares_classes else None
        given = self._outputs(learner, fitted.estimator, split)
        answers = fitted.estimator
        if given is not None and examples.classes is not None:
            answers = FittedBefore(answers, given, examples.classes)

        def scored(how: Scoring) -> float:
            # cut once more for a scorer: predict, or another scorer, may have changed its rows
            rows = take_rows(self._form(learner), split.test) if how.scorer is not None else None
            asked = answers if how.needs_outputs else fitted.estimator
            return fitting.score_fitted(how, asked, rows, predictions, outcomes, of=target, present=present)

        score, *more = scores = [scored(how) for how in job.scorings]
        kept = given.to_bytes() if given is not None and job.stored else None
        each = tuple(each_of(how, given, target, examples, one) for how, one in zip(job.scorings, scores, strict=True))
        coded = compact(outcomes, examples)
        return fitting.Fit(position, split.index, score, coded, seconds, tuple(more), kept, each)

    def _outputs(self, learner: NamedLearner, estimator: object, split: Split) -> FittedOutputs | None:
        """Probabilities and the like where a scoring needs them; for a store all that there are."""
        job, classes = self.job, self.job.examples.classes
        if classes is None or not job.needs_outputs:
            return None
        wanted = [next((m for m in how.response or () if hasattr(estimator, m)), "") for how in job.scorings]
        methods = METHODS if job.stored else [method for method in METHODS if method in wanted]
        rows = self._form(learner)
        return outputs_of(estimator, lambda: take_rows(rows, split.test), split.n_test, classes, methods)

    def _trained(self, learner: NamedLearner, split: Split) -> tuple[_Fitted, float]:
        """A fitted clone with its predictions for all that it is tested on, and the seconds that the fit took."""
        job, examples, X = self.job, self.job.examples, self._form(learner)
        estimator = learner.fresh(job.seed, split.training)
        tested = split.test if job.plan.together == 1 else np.setdiff1d(np.arange(len(examples)), split.train)
        classes = examples.class_labels() if learner.declares_classes else None
        found = fitting.fit_predict(estimator, X, examples.y, split.train, tested, classes=classes)
        outcomes = fitting.as_outcomes(found.predictions, len(tested), examples)
        return _Fitted(split.training, found.estimator, tested, found.predictions, outcomes), found.seconds

    def _kernel_steps(self, chunk: Chunk, report: Report) -> Iterator[int]:
        (position,) = chunk.learners
        if len(self.job.examples.y) >= MANY:
            give_back()  # what reading and the learner before have freed
        by_run: dict[int, list[Split]] = {}
        for index in chunk.splits:
            split = self.splits[index]
            by_run.setdefault(split.run, []).append(split)
        begin(chunk, fits=len(chunk.splits))
        try:
            predicted, seconds = self._cross_predict(position, list(by_run))
        except BaseException as raised:  # noqa: BLE001 (a learner may raise anything)
            error = fitting.of_learner(raised)
            report.failures.extend(self._failure(position, s, error) for group in by_run.values() for s in group)
            yield position
            return
        for row, group in zip(predicted, by_run.values(), strict=True):
            for split in group:
                try:
                    report.fits.append(self._judge(position, split, row, seconds / len(chunk.splits)))
                except BaseException as raised:  # noqa: BLE001 (a learner may raise anything)
                    error = fitting.of_learner(raised)
                    report.failures.append(self._failure(position, split, error))
            yield position

    def _cross_predict(self, position: int, runs: list[int]) -> tuple[Labels, float]:
        examples, learner = self.job.examples, self.job.learners[position]
        ids = self.job.plan.fold_ids(examples.y, seed=self.job.seed, groups=examples.groups, runs=runs)
        estimator = learner.fresh(self.job.seed, 0)
        classes = examples.class_labels() if learner.declares_classes else None
        return fitting.cross_predict(estimator, self._form(learner), examples.y, ids, classes=classes)

    def _judge(self, position: int, split: Split, row: Labels, seconds: float) -> fitting.Fit:
        job = self.job
        outcomes = fitting.as_outcomes(row[split.test], split.n_test, job.examples)
        target, estimator = fitting.Target.of(job.examples, split.test), job.learners[position].estimator
        score, *more = (
            fitting.score_predicted(how, estimator, outcomes, of=target, classes=job.examples.classes)
            for how in job.scorings
        )
        return fitting.Fit(position, split.index, score, compact(outcomes, job.examples), seconds, tuple(more))

    def _form(self, learner: NamedLearner) -> Attributes:
        if learner.form not in self._forms:
            self._forms[learner.form] = self.job.examples.form(learner.form)
        return self._forms[learner.form]

    def _failure(self, position: int, split: Split, error: BaseException) -> Failure:
        return Failure(self.job.learners[position].name, split.index, split.run, split.fold, fitting.why(error))


def each_of(
    how: Scoring, given: FittedOutputs | None, target: fitting.Target, examples: Examples, score: float
) -> Array | None:
    """What each test example adds to a score that takes more than predictions; None where that is not known."""
    if given is None or not how.needs_outputs or examples.classes is None or target.codes is None:
        return None
    return adding_up(how.name, truths(target.codes, examples.classes), given.readings, score)


def compact(outcomes: Labels, examples: Examples) -> Labels:
    """Codes in the smallest integer type that holds them."""
    if examples.classes is None:
        return outcomes
    return outcomes.astype(np.min_scalar_type(len(examples.classes) - 1))


def _text(warning: warnings.WarningMessage) -> str:
    lines = str(warning.message).strip().splitlines()
    return f"{warning.category.__name__}: {lines[0] if lines else ''}"
