"""Trees on binary data as masks of examples: space for one tree, and what growing and pruning share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foldwise.core.types import Array, Flags, Integers
from foldwise.learners.binary.packing import Words, count_bits
from foldwise.learners.compile import inner_kernel

__all__ = ["Grown", "Problem", "census", "halve", "space"]


class Problem(NamedTuple):
    """One data set, and tables that all data sets share."""

    bits: Words
    """(words, attributes): the examples whose attribute is 1; eight attributes, as many as a processor counts at a
    time, or a multiple of that, of which the last may be empty."""
    ones: Words
    """(words,): the examples of class 1."""
    f: Array
    """n log2 n."""
    pairs: Array
    """f(i) + f(n − i) by n and i, for `tabulated` sizes; room for three more rows if there may be larger ones."""
    tabulated: int
    estimates: Array
    """Errors expected of a leaf by its size and its errors, for sizes that the table has."""
    confidence: float
    z: float


class Grown(NamedTuple):
    """A tree as arrays over nodes; sons follow each other and come after their parent."""

    masks: Words
    attribute: Integers
    """−1 at a leaf."""
    son: Integers
    size: Integers
    ones: Integers
    """How many examples, and how many of class 1."""
    with_one: Integers
    """(nodes, attributes): how many have a 1, and how many of those are of class 1; −1 if not counted."""
    both: Integers
    errors: Array
    below: Integers
    """The node beneath on a stack."""
    ready: Flags
    pile: Words
    """(attributes + 2, words): masks on the way down, and the nodes they are at."""
    nodes: Integers
    merit: Array


def space(n: int, p: int, n_words: int) -> Grown:
    """Space for a tree on `n` examples of `p` attributes."""
    capacity, wide = n + 3, (p + 7) // 8 * 8  # every test has two branches of at least two examples
    whole = np.empty((5, capacity), np.int64)
    return Grown(
        masks=np.empty((capacity, n_words), np.uint64),
        attribute=whole[0],
        son=whole[1],
        size=whole[2],
        ones=whole[3],
        with_one=np.empty((capacity, wide), np.int64),
        both=np.empty((capacity, wide), np.int64),
        errors=np.empty(capacity),
        below=whole[4],
        ready=np.empty(capacity, np.bool_),
        pile=np.empty((p + 2, n_words), np.uint64),
        nodes=np.empty(p + 2, np.int64),
        merit=np.empty(p),
    )


@inner_kernel
def census(mask: Words, ones: Words) -> tuple[int, int]:
    """How many examples a mask has, and how many of class 1."""
    size, positive = np.uint64(0), np.uint64(0)
    for w in range(mask.size):
        size += count_bits(mask[w])
        positive += count_bits(mask[w] & ones[w])
    return np.int64(size), np.int64(positive)  # type: ignore[return-value]


@inner_kernel
def halve(mask: Words, bits: Words, a: int, zero: Words, one: Words) -> None:
    """Divide a mask by attribute `a`; `zero` may be `mask` itself."""
    for w in range(mask.size):
        m = mask[w]
        one[w] = m & bits[w, a]
        zero[w] = m & ~bits[w, a]
