"""Verdicts by task: adjusted for their number, so that many tasks without a difference rarely show one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from foldwise.comparison.comparison import Comparison


def judge_each(
    tasks: Sequence[str], verdict: Callable[[str, float], Comparison], alpha: float
) -> tuple[dict[str, Comparison], list[str]]:
    """A verdict for each task, at the level that Holm's procedure gives it, and what is said about that.

    The smallest p-value is judged at alpha / T, the next at alpha / (T - 1) … until one is not below its level; that
    one and the others are judged at the level where it stopped. Interval and claim of a task are of one level;
    conclusions about a margin are all of level alpha / T. Of three and more models, whose pairs are adjusted within the
    task already, every task gets alpha / T.
    """
    count = len(tasks)
    first = {task: verdict(task, alpha / count) for task in tasks}
    if count < 2:
        return first, []
    told = "claims by task hold together: their levels are adjusted for {} tasks ({})"
    pvalues = {task: one.pvalue for task, one in first.items() if len(one.pairs) == 1}
    if len(pvalues) < count:
        return first, [told.format(count, "Bonferroni")]
    levels: dict[str, float] = {}
    level, stopped = alpha / count, False
    for place, task in enumerate(sorted(tasks, key=lambda task: pvalues[task])):
        if not stopped:
            level = alpha / (count - place)
            stopped = pvalues[task] >= level
        levels[task] = level
    found = {
        task: one if levels[task] == alpha / count else _with_limits(verdict(task, levels[task]), one)
        for task, one in first.items()
    }
    margin = any(len(one.pairs) == 1 and one.margin is not None for one in first.values())
    each = [f"conclusions about the margin by task: each at level {alpha:g}/{count} (Bonferroni)"] if margin else []
    return found, [told.format(count, "Holm"), *each]


def _with_limits(found: Comparison, first: Comparison) -> Comparison:
    """With the limits of the first: Holm's steps go by p-values of no difference, not by those about a margin."""
    if len(found.pairs) != 1:
        return found
    (part,), pair = found.parts, first.pairs[0]
    part = part.with_pairs(lambda own: replace(own, limits=pair.limits, conclusion=pair.conclusion))
    return replace(found, parts=(part.replace(limits_alpha=first.limits_alpha),))
