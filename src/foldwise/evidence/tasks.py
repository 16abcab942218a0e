"""Items of several tasks: the mean of each."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Array, Integers

__all__ = ["task_means"]


def task_means(values: Array, tasks: Integers) -> Array:
    """The mean over the items of each task, on the last axis.

    Examples
    --------
    >>> task_means(np.array([1.0, 0.0, 3.0]), np.array([0, 0, 1])).tolist()
    [0.5, 3.0]
    """
    sizes = np.bincount(tasks)
    order = np.argsort(tasks, kind="stable")
    starts = np.cumsum(sizes) - sizes
    return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1) / sizes)
