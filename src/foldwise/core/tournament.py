"""The rounds of a tournament: every block meets every other once, in as few rounds as can be."""

from __future__ import annotations

from functools import cache

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Integers
from foldwise.core.validation import integer

__all__ = [
    "adjacent",
    "even_blocks",
    "partners",
]


# ---- The rounds of a tournament: every block meets every other once, in as few rounds as can be.

FEWEST = 4
"""The least even number of blocks whose interaction leaves a degree of freedom."""


def even_blocks(value: object, name: str = "blocks") -> int:
    """Return `value` as a number of blocks that can be paired without a rest."""
    if integer(value, name, minimum=FEWEST) % 2:
        raise InvalidInput(f"{name} must be an even number, because each round pairs all of them, got {value!r}")
    return int(value)  # type: ignore[call-overload, no-any-return]  # a whole number, as was checked


@cache
def partners(blocks: int) -> Integers:
    """Per round and block the block that it meets: (blocks − 1, blocks), each pair in exactly one round.

    Notes
    -----
    The circle method: the last block stays where it is, and i meets j in round r where i + j = 2r modulo blocks − 1.

    Examples
    --------
    >>> partners(4)
    array([[3, 2, 1, 0],
           [2, 3, 0, 1],
           [1, 0, 3, 2]])
    """
    turning = even_blocks(blocks) - 1
    rounds, block = np.arange(turning)[:, None], np.arange(turning)
    met = np.full((turning, blocks), -1, dtype=np.int64)
    met[:, :turning] = np.where(block == rounds, turning, (2 * rounds - block) % turning)
    met[:, turning] = rounds[:, 0]
    met.setflags(write=False)
    return met


@cache
def adjacent(blocks: int) -> Integers:
    """Per round the blocks in an order in which those that meet stand side by side: (blocks − 1, blocks).

    Examples
    --------
    >>> adjacent(4)
    array([[0, 3, 1, 2],
           [0, 2, 1, 3],
           [0, 1, 2, 3]])
    """
    games = [[(block, met) for block, met in enumerate(row) if block < met] for row in partners(blocks)]
    order = np.array(games, dtype=np.int64).reshape(-1, blocks)
    order.setflags(write=False)
    return order
