"""What few people set: one object for all verbs, so that each of them has few parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal

from foldwise.core.errors import InvalidInput
from foldwise.core.metric import Unit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from foldwise.engine.cache import StoreLike
    from foldwise.engine.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Options:
    """Settings that few people need, for the parameter `options` of the verbs.

    A verb refuses those that mean nothing to it. What is left out has the default of the verb.

    Parameters
    ----------
    positive
        The class that metrics of one class (F1, precision, recall …) are about, and whose scores arrays of shape (n,)
        hold; without it the one of two that is called 1, true, yes or positive.
    threshold
        The score from which on an item is taken for positive, 0.5 for probabilities.
    classes
        All classes, in the order that decides ties and that columns of scores have; by default those of the truth,
        sorted.
    control
        Of three and more models, the one that the others are compared with; the same as `baseline`.
    adjust
        How the pairs of three and more models are judged together: by Holm's procedure (``"holm"``), or by the
        greatest difference under the joint law of all of them (``"max_t"``, sharper where models agree). Of a table:
        ``"holm"``, ``"hochberg"``, ``"hommel"``, ``"bonferroni"``, ``"bh"``, ``"by"``, ``"none"``; for all pairs also
        ``"shaffer"`` and ``"bergmann_hommel"`` (up to nine models).
    human
        By model, what people said about some of the items that a judge marked, NaN elsewhere: the answer is about
        people's marks, by prediction-powered inference, or of right and wrong by Rogan and Gladen's correction.
    seeds
        Of two models that were trained several times, marks of shape (seeds, items): ``"paired"`` where seed i is the
        same of both, else ``"unpaired"``.
    readers
        The reader of each row, where several readers scored the same cases (`items`) with each modality: the answer is
        about new readers and new cases (Obuchowski & Rockette).
    over
        What the answer over several tasks with items is the mean of: ``"tasks"``, each counting once, or ``"items"``.
        Without it tasks count once each, and the answer says so where they have different numbers of items.
    runs, n_train, n_test
        Of splits in files that do not tell: how many runs of cross-validation they are, or how large random ones are.
    penalty
        Of votes between three and more models: subtract this times the sum of squared strengths from the
        log-likelihood, so that there are strengths where a model never loses, or no votes connect some models; 0.1
        changes little else.
    unit
        ``"percent"``, ``"fraction"`` or ``"own"``, where the metric's name does not tell.
    bounds
        What no value can be below or above, where the metric's name does not tell: ``missing="worst"`` needs it.
    condition
        Of two models in order of time, a number for each item that was known beforehand: whether it tells which model
        will be better (Giacomini & White 2006).
    adjust_metrics
        Of several metrics, ``"auto"``: p-values of two models are adjusted for their number ("holm"), three and more
        share the level ("bonferroni"); ``"none"`` leaves each metric the whole level.
    keep
        Columns of a data frame that stay although they look like identifiers, dates or text that is different in every
        row. Such columns are left out otherwise, unless a learner selects them by name, and the caveats name them.
    train_size
        Training examples in each of the disjoint parts of test "disjoint", and in each training set of ``"delve"``.
    paper
        Compare as this paper does, by its setting of `test`, or of the test that it recommends: see `PAPERS`.
    replicate
        Repeat the whole test on this many partitionings, and report whether they agree.
    max_runs, max_seconds
        The budget of ``runs="auto"``, 1000 runs by default; a dealing of the round robin costs as much as the runs in
        which as many trainings are made.
    fit_seconds, fit_memory
        The seconds and megabytes that one fit may take; one that takes more is ended and has failed.
    on_error
        Whether a failed fit ends the work at once ("raise") or after all others are done and stored ("continue");
        either way there is no verdict without it.
    store
        A results file that makes the work resumable: see `foldwise.engine.run`.
    cluster
        The address of a Dask scheduler, or a client of it.
    progress
        Whether to show a bar, or what is called with the state of the work.
    data_name
        What to call the data.
    omnibus
        Of a table, the test that all models are the same: ``"iman_davenport"``, ``"friedman"``,
        ``"friedman_aligned"``, ``"quade"``, or ``"skillings_mack"``, the only one that takes empty cells.
    bayes
        Of a table, the model of the probabilities that a pair is practically different: ``"signed_rank"``, ``"sign"``,
        ``"hierarchical"`` (needs splits, `n_train` and `n_test`; a few seconds per pair) or ``"none"``. ``"auto"`` is
        the signed rank unless that would take minutes, or no scores whatever could be significant.
    zeros
        Of a table, what the signed ranks do with differences of zero: see `foldwise.inference.wilcoxon_signed_rank`.
    stratified
        Whether folds and holdout of `estimate_error` get every class in its proportion; by default, for classifiers.
    test_fraction
        Share of the examples that ``"holdout"`` tests, a third by default.
    filter
        Of a harness log, which of the metric's filters: ``"strict-match"``.
    inner
        Compare files also where a model lacks more than a tenth of its values.
    each_task
        Whether files with several tasks get a verdict of each task besides that over tasks.

    Examples
    --------
    >>> from foldwise import Options
    >>> Options(max_runs=50, fit_seconds=10)
    Options(max_runs=50, fit_seconds=10)
    """

    positive: object = None
    threshold: float | None = None
    classes: Sequence[Any] | None = None
    control: str | None = None
    adjust: str = "holm"
    human: Mapping[str, Any] | None = None
    seeds: Literal["paired", "unpaired"] | None = None
    readers: ArrayLike | None = None
    over: Literal["tasks", "items"] | None = None
    runs: int | None = None
    n_train: float | None = None
    n_test: float | None = None
    penalty: float = 0.0
    unit: Unit | None = None
    bounds: tuple[float, float] | None = None
    condition: object = None
    adjust_metrics: Literal["auto", "holm", "bonferroni", "none"] = "auto"
    keep: Sequence[str] = ()
    train_size: int | None = None
    paper: str | None = None
    replicate: int | None = None
    max_runs: int = 1000
    max_seconds: float | None = None
    fit_seconds: float | None = None
    fit_memory: float | None = None
    on_error: Literal["raise", "continue"] = "raise"
    store: StoreLike | None = None
    cluster: object = None
    progress: Progress | bool | None = None
    data_name: str = ""
    omnibus: str = "iman_davenport"
    bayes: str = "auto"
    zeros: str = "pratt"
    stratified: bool | None = None
    test_fraction: float = 1 / 3
    filter: str | None = None
    inner: bool = False
    each_task: bool = True

    def given(self) -> dict[str, Any]:
        """The settings that differ from their defaults."""
        found = {one.name: (getattr(self, one.name), one.default) for one in fields(self)}
        return {
            name: value
            for name, (value, default) in found.items()
            if value is not default and (default is None or value != default)
        }

    def of_engine(self, n_jobs: int | None) -> dict[str, Any]:
        """What the engine takes besides learners, data, plan, seed and scoring."""
        names = ("store", "cluster", "progress", "fit_seconds", "fit_memory")
        return {"n_jobs": n_jobs, **{name: getattr(self, name) for name in names}}

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"


def options_of(verb: str, options: object, *names: str, misplaced: Mapping[str, object] | None = None) -> Options:
    """The options of a verb, which takes these `names`; others are refused, and those `misplaced` among its parameters.

    Verbs catch those as ``**misplaced: Never``, so that type checkers refuse them too.
    """
    for name in misplaced or ():
        if name not in names:
            raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}")
        raise InvalidInput(f"{name} is one of the options: {verb}(…, options=fw.Options({name}=…))")
    if options is None:
        return Options()
    if not isinstance(options, Options):
        raise InvalidInput(f"options must be fw.Options({names[0]}=…), got {options!r}")
    for name in options.given():
        if name not in names:
            raise InvalidInput(f"options of {verb} are {', '.join(names)}; {name} is none of them")
    return options


PAPERS: dict[str, dict[str, dict[str, int]]] = {
    "dietterich1998": {
        "five_by_two_cv_t": {}, "mcnemar_corrected": {"folds": 3}, "difference_of_proportions": {"folds": 3},
        "resampled_t": {"runs": 10, "folds": 3}, "kfold_cv_t": {"folds": 10},
    },
    "alpaydin1999": {"five_by_two_cv_f": {}, "five_by_two_cv_t": {}},
    "bouckaert2003": {"use_all_data:df=10": {"runs": 10, "folds": 10}},
    "bouckaertfrank2004": {
        "corrected_repeated_cv_t": {"runs": 10, "folds": 10},
        "corrected_resampled_t": {"runs": 10, "folds": 10},
    },
}  # fmt: skip
"""By paper its tests, the recommended one first, with the numbers that it sets; of random splits runs × folds is how
many there are, and one of `folds` parts is tested."""


def papers_settings(paper: str, test: str, **given: object) -> tuple[str, int | None, int | None]:
    """The test, runs and folds of a paper; what else was `given` would contradict it.

    >>> papers_settings("dietterich1998", "resampled_t", runs=None)
    ('resampled_t', 10, 3)
    """
    if paper not in PAPERS:
        raise InvalidInput(f"paper must be {', '.join(PAPERS)}, got {paper!r}")
    tests = PAPERS[paper]
    found = next((one for one in tests if test in ("auto", one, one.partition(":")[0])), None)
    if found is None:
        raise InvalidInput(f"test must be one of those of {paper}, {', '.join(tests)}, got {test!r}")
    for name, value in given.items():
        if value is not None:
            raise InvalidInput(f"{name} is set by paper {paper!r}: leave out {name} or paper, got {name}={value}")
    return found, tests[found].get("runs"), tests[found].get("folds")
