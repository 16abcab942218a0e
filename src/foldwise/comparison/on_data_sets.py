"""Several learners run on several data sets, and compared over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from foldwise.comparison.comparison import Comparison
from foldwise.comparison.fits import several_scorings
from foldwise.comparison.options import Options
from foldwise.comparison.tables import compare_table
from foldwise.core.errors import FitFailed, InvalidInput
from foldwise.core.random import RandomState, seed_of
from foldwise.core.types import Estimator
from foldwise.core.validation import fraction, one_of
from foldwise.designs import DATA_SETS
from foldwise.engine.learners import learner_of, name_learners
from foldwise.engine.prepared import Prepared, prepare
from foldwise.engine.result import RunResult
from foldwise.engine.runner import run_prepared
from foldwise.reading.lineup import line_up
from foldwise.resampling.foreign import DistinctRuns

if TYPE_CHECKING:
    from foldwise.data.dataset import Dataset


def compare_on_data_sets(
    learners: Mapping[str, Estimator | str] | Sequence[str], datasets: Sequence[Dataset], *, runs: int = 10,
    folds: int = 10, metric: object = None, alpha: float = 0.05, random_state: RandomState = 0,
    n_jobs: int | None = None, options: Options, **asked: Any,
) -> Comparison:  # fmt: skip
    """Cross-validate several learners on several data sets, and compare them over these; parameters as in `compare`."""
    chosen = _learners(learners)
    roles = {name: asked.pop(name, None) for name in ("candidate", "baseline")}
    lineup = line_up(tuple(chosen), ordered=True, control=options.control, **roles)
    chosen = {name: chosen[name] for name in lineup.names}
    if len(chosen) < 2 or len(datasets) < 2:
        raise InvalidInput(
            "a comparison over data sets needs at least 2 learners and 2 data sets, "
            f"got {len(chosen)} and {len(datasets)}"
        )
    scorings = several_scorings(metric)
    one_of(options.adjust_metrics, "adjust_metrics", ("auto", "bonferroni", "none"))
    level = fraction(alpha, "alpha") / (len(scorings) if options.adjust_metrics != "none" else 1)
    work = {"metric": scorings[0], "also": scorings[1:], **options.of_engine(n_jobs)}
    seed = seed_of(random_state)
    made: dict[str, int] = {}
    notes: dict[str, None] = {}

    def results() -> Iterator[RunResult]:
        for dataset in datasets:
            prepared = prepare(chosen, dataset)
            notes.update(dict.fromkeys(prepared.notes))
            result = _run(prepared, dataset, runs, folds, seed, work)
            made.setdefault(dataset.name, result.shape[0])
            yield result

    tables = DATA_SETS.from_runs(results(), [dataset.name for dataset in datasets])
    least = min(made, key=made.__getitem__)
    few = () if made[least] == runs else (_few_partitions(least, made[least], runs),)
    asked |= {
        "random_state": seed,
        "options": Options(
            control=lineup.control, adjust=options.adjust, omnibus=options.omnibus, bayes=options.bayes,
            zeros=options.zeros,
        ),
    }  # fmt: skip
    judged = (compare_table(table, alpha=level, **asked).parts[0] for table in tables)
    told = lineup.decisions(asked.get("margin"))
    found = tuple(replace(c, caveats=(*few, *notes, *c.caveats), decisions=told) for c in judged)
    return Comparison(
        parts=found, alpha=alpha, adjust_metrics="none" if options.adjust_metrics == "none" else "bonferroni"
    )


def _few_partitions(name: str, least: int, runs: int) -> str:
    found = "one partition" if least == 1 else f"{least} different partitions"
    return f"{name} has only {found} into these folds, so that {least} of the {runs} runs asked for count everywhere"


def _learners(learners: Mapping[str, Estimator | str] | Sequence[str]) -> dict[str, Estimator | str]:
    """Learners by name; names are tried now, so that a wrong one costs no fit, and mean what each target asks for."""
    named = dict(learners) if isinstance(learners, Mapping) else name_learners(learners)
    for learner in named.values():
        learner_of(learner)
    return named


def _run(prepared: Prepared, dataset: Dataset, runs: int, folds: int, seed: int, work: dict[str, Any]) -> RunResult:
    plan = DATA_SETS.plan(runs=runs, folds=folds, stratified=prepared.classifies)
    distinct = DistinctRuns(plan, dataset.y, seed=seed, groups=prepared.groups).take(runs)
    result = run_prepared(prepared, plan, runs=distinct, seed=seed, data_name=dataset.name, **work)
    if result.failures:
        raise FitFailed(f"{len(result.failures)} fits failed on {dataset.name}: {result.failures[0]}")
    return result
