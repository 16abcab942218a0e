"""Judgements of files read as a person reads them: what was understood, the verdict and the tasks say the same."""

from __future__ import annotations

import re

import numpy as np
import pytest
from report.as_read import level, noise
from report.test_no_contradiction import contradictions as of_two
from report.test_no_contradiction_margins import contradictions as of_margins
from report.test_no_contradiction_tables import contradictions as of_table

from foldwise.comparison import judge
from foldwise.document import document_of


def log(rng, folder, *, models, tasks):
    """Marks of items in one file, as long as somebody else's evaluation would have them."""
    rows = ["model,task,item,score"]
    for task in range(tasks):
        n = int(rng.choice([8, 30, 100]))
        base = rng.random(n)
        for model in range(models):
            marks = base + noise(rng, n)
            rows += [f"m{model},t{task},i{item},{mark:.5f}" for item, mark in enumerate(marks)]
    path = folder / "log.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def parts(judgement):
    """Understood, the verdict and the tasks, as they are printed."""
    understood = str(judgement).partition("  What was understood:\n")[2]
    tables = [block for block in document_of(judgement).blocks if getattr(block, "caption", "") == "By task"]
    tasks = {task: f"{verdict} {numbers}".strip() for table in tables for task, verdict, numbers in table.rows}
    return understood, judgement.main.details(), tasks


def first_line(verdict):
    """The headline with its numbers."""
    told = document_of(verdict)
    return f"{told.headline} {told.detail}".strip()


@pytest.mark.parametrize("seed", range(24))
def test_what_was_understood_is_what_is_judged(seed, tmp_path):
    rng = np.random.default_rng([seed, 11])
    models, tasks = int(rng.integers(2, 5)), int(rng.choice([1, 1, 3, 8]))
    found = judge(log(rng, tmp_path, models=models, tasks=tasks), alpha=level(rng), margin=rng.choice([None, 0.01]))
    understood, verdict, by_task = parts(found)
    assert re.search(r"^  models\s+(.*)$", understood, re.MULTILINE)[1].count("m") == models
    assert ("lower is better" in understood) == ("lower score is better" in verdict)
    assert set(by_task) == (set() if tasks == 1 else set(found.verdicts))
    assert len(found.verdicts) == tasks
    title = verdict.splitlines()[0]
    assert title.startswith("m0 vs m1" if models == 2 and not found.main.tasks else f"{models} ")
    if tasks > 1 and "data sets" in title:
        assert f"{tasks} data sets" in title
    for task, line in by_task.items():
        assert line == first_line(found.verdicts[task])
    wrong = [what for each in (found.main, *found.verdicts.values()) for what in denied(each)]
    assert wrong == [], str(found)


def denied(verdict):
    """What the lines of one of its verdicts deny of its headline."""
    if verdict.tasks:
        checks = of_table(verdict)
    elif len(verdict.models) == 2:
        checks = of_two(verdict) if verdict.margin is None else of_margins(verdict)
    else:
        checks = ()
    return [what for what, wrong in checks if wrong]


@pytest.mark.parametrize("seed", range(12))
def test_a_task_alone_has_the_words_it_has_among_others(seed, tmp_path):
    """At the level that it was judged at among them: claims by task are adjusted for their number."""
    rng = np.random.default_rng([seed, 13])
    path = log(rng, tmp_path, models=2, tasks=3)
    found = judge(path)
    _, _, by_task = parts(found)
    assert len(by_task) == 3
    for task, line in by_task.items():
        alone = judge(path, tasks=[task], alpha=found.verdicts[task].alpha)
        assert first_line(alone.main).partition(". ")[2] == line.partition(". ")[2]
        assert alone.main.better == found.verdicts[task].better
        assert alone.main.interval == found.verdicts[task].interval
