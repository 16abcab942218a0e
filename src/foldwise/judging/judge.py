"""One door for results that already exist: find out what was given, say it, and give the verdict of the right kind."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from foldwise.core.errors import InvalidInput
from foldwise.core.validation import one_of
from foldwise.judging.choosing import Chosen, choose
from foldwise.judging.judgement import Judgement
from foldwise.judging.over_items import judge_items
from foldwise.judging.over_splits import judge_splits
from foldwise.judging.over_tasks import judge_tasks
from foldwise.judging.pairing import Missing
from foldwise.judging.understanding import Understanding, understand
from foldwise.readers import find_sources, read_sources
from foldwise.readers.objects import is_object, read_object

__all__ = ["explain", "judge"]

MISSING = ("drop", "refuse", "wrong")

Given = str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | Mapping[str, Any]


def judge(
    given: Given,
    *,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002 (harnesses call it so)
    group: str | None = None,
    models: Sequence[str] = (),
    tasks: Sequence[str] = (),
    missing: Missing = "drop",
    inner: bool = False,
    **options: Any,
) -> Judgement:
    """Compare the models in files of any known format, or in results that Python holds.

    Parameters
    ----------
    given
        Files, folders and globs; or what Python holds already: by name of the model vectors of `cross_val_score` or
        dictionaries of `cross_validate`, a fitted search, a long table as a frame.
    metric, filter
        What to compare where the files hold several metrics, and which of its filters: ``"exact_match"``,
        ``"exact_match,strict-match"``. Without them the one that most models and tasks have.
    group
        Which of the offered columns says which items belong together.
    models, tasks
        Names of those to compare; all without them.
    missing
        What becomes of items that some model has no value for (an error, not scored): ``"drop"`` leaves them out for
        all models and says how many, ``"refuse"`` ends, ``"wrong"`` takes them as 0.
    inner
        Compare the common items even where they are less than nine in ten.
    **options
        alpha, rope, margin, control … of the door that answers.

    Returns
    -------
    Judgement
        What was understood, and the verdict; ``print`` it.
    """
    one_of(missing, "missing", MISSING)
    chosen, understanding = _understood(given, metric, filter, models, tasks)
    if options.get("control") is not None and len(understanding.models) < 3:
        raise InvalidInput(f"control is for three and more models, got {' and '.join(understanding.models)}")
    if understanding.rows == "items":
        return judge_items(chosen, understanding, group=group, missing=missing, inner=inner, **options)
    if understanding.rows == "splits":
        return judge_splits(chosen, understanding, **options)
    return judge_tasks(chosen, understanding, **options)


def explain(
    given: Given,
    *,
    metric: str | None = None,
    filter: str | None = None,  # noqa: A002
    models: Sequence[str] = (),
    tasks: Sequence[str] = (),
) -> Understanding:
    """What `judge` would understand of the files, without a verdict."""
    return _understood(given, metric, filter, models, tasks)[1]


def _understood(
    given: Given, metric: str | None, variant: str | None, models: Sequence[str], tasks: Sequence[str]
) -> tuple[Chosen, Understanding]:
    if is_object(given):
        reading = read_object(given)
    else:
        paths = [given] if isinstance(given, str | os.PathLike) else list(given)
        reading = read_sources(find_sources(paths))
    chosen = choose(reading.series, metric=metric, variant=variant, models=models, tasks=tasks)
    return chosen, understand(reading, chosen)
