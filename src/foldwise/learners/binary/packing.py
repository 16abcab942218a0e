"""What the binary kernels share: bit masks of examples, and folds drawn from a data set's own stream.

An example is one bit: example i is bit ``i % 64`` of word ``i // 64``. A set of examples is a row of words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from foldwise.core.compile import bare_kernel, inner_kernel, intrinsic, types
from foldwise.core.types import Integers
from foldwise.learners.binary import Bytes, Words

_ONE = np.uint64(1)
_SIXTY_FOUR = 64

# SplitMix64 (Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators", OOPSLA)
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def _count_bits(typingctx: object, word: object) -> tuple[object, object]:
    def codegen(context: object, builder: Any, signature: object, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


def _lowest_bit(typingctx: object, word: object) -> tuple[object, object]:
    def codegen(context: Any, builder: Any, signature: object, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.uint64(types.uint64), codegen


# The number of ones in a 64-bit word: one machine instruction.
count_bits = cast("Callable[[np.uint64], np.uint64]", intrinsic(_count_bits))

# The position of the lowest one of a 64-bit word that is not 0.
lowest_bit = cast("Callable[[np.uint64], np.uint64]", intrinsic(_lowest_bit))


def words(n: int) -> int:
    return (n + 63) // _SIXTY_FOUR


@bare_kernel
def pack(X: Bytes, y: Bytes, bits: Words, ones: Words, everyone: Words) -> None:
    """Write the examples of one data set as masks.

    `bits` of shape (attributes, words) gets the examples whose attribute is 1, `ones` those of class 1, `everyone` all.
    """
    bits[:] = 0
    ones[:] = 0
    everyone[:] = 0
    for i in range(X.shape[0]):  # without branches: random bits would mispredict every other one
        w = i >> 6
        shift = np.uint64(i & 63)
        everyone[w] |= _ONE << shift
        ones[w] |= np.uint64(y[i]) << shift
        for a in range(X.shape[1]):
            bits[a, w] |= np.uint64(X[i, a]) << shift


@inner_kernel
def _mix(state: np.uint64) -> np.uint64:
    z = (state ^ (state >> np.uint64(30))) * _MIX_1
    z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


@bare_kernel
def by_class(y: Bytes, order: Integers) -> int:
    """Write the examples of class 0, then those of class 1, to `order`; return how many are of class 0."""
    zeros = 0
    for i in range(y.shape[0]):
        zeros += y[i] == 0
    at_zero, at_one = np.int64(0), np.int64(zeros)
    for i in range(y.shape[0]):
        one = np.int64(y[i])
        order[at_one if one else at_zero] = i
        at_zero += 1 - one
        at_one += one
    return zeros


@bare_kernel
def draw_folds(
    order: Integers, zeros: int, n_folds: int, seed: np.uint64, run: int, left: Integers, fold_of: Integers
) -> None:
    """Draw the stratified folds of one run of one data set.

    `order` and `zeros` are the examples as `by_class` lists them, `left` is scratch; seed and run fix the draw.

    The examples of each class are shuffled; then those of class 0 followed by those of class 1 are dealt out to
    the folds in turn, so that folds differ by at most one example, in total and in each class.

    A number below m is the high half of m times 32 random bits; the bias, m / 2³², is far below what any
    simulation can see.
    """
    n = order.shape[0]
    for i in range(n):
        left[i] = order[i]
    state = _mix(np.uint64(seed) + _mix(np.uint64(run) * _STEP + _STEP))
    fold = 0
    for start, stop in ((0, zeros), (zeros, n)):
        for i in range(start, stop):
            state += _STEP
            below = np.uint64(stop - i)
            j = np.uint64(i) + (((_mix(state) >> np.uint64(32)) * below) >> np.uint64(32))
            fold_of[left[j]] = fold
            left[j] = left[i]
            fold = fold + 1 if fold + 1 < n_folds else 0


@bare_kernel
def leave_out(masks: Words, fold: int, partner: int, left: Words) -> None:
    """Write the examples of a fold and of its partner, which may be the fold itself, as one mask."""
    for w in range(left.shape[0]):
        left[w] = masks[fold, w] | masks[partner, w]


@bare_kernel
def fold_masks(fold_of: Integers, masks: Words) -> None:
    """Write the examples of each fold as a mask: `masks` is uint64 (folds, words)."""
    masks[:] = 0
    for i in range(fold_of.shape[0]):
        masks[fold_of[i], i >> 6] |= _ONE << np.uint64(i & 63)
