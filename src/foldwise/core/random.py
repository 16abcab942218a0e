"""Random streams that depend on what they are for, not on who asks first.

A stream is a function of the seed and of a key such as ``("folds", run)``. Any worker, in any order,
in chunks of any size, therefore draws the same numbers for the same piece of work.
"""

from __future__ import annotations

import hashlib
from typing import Any, TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput

RandomState: TypeAlias = int | np.integer[Any] | np.random.Generator | None
"""What determines what is drawn: a seed, a generator that draws one, or None for a new one."""


def seed_of(random_state: RandomState) -> int:
    """The seed that `random_state` stands for: itself, or one drawn from the generator or from the system.

    >>> seed_of(3), 0 <= seed_of(None) < 2**31, seed_of(np.random.default_rng(1))
    (3, True, 1016164991)
    """
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if isinstance(random_state, bool) or not isinstance(random_state, (int, np.integer)) or random_state < 0:
        others = "" if isinstance(random_state, (int, np.integer)) else ", a NumPy Generator or None"
        raise InvalidInput(f"random_state must be a whole number of at least 0{others}, got {random_state!r}")
    return int(random_state)


def stream(seed: int, *key: str | int) -> np.random.Generator:
    """Return the generator that belongs to `seed` and `key`.

    The key, names and numbers, says what the stream is for.

    >>> bool(stream(0, "folds", 3).random() == stream(0, "folds", 3).random())
    True
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InvalidInput(f"seed must be a whole number of at least 0, got {seed!r}")
    return np.random.default_rng(np.random.SeedSequence(int(seed), spawn_key=tuple(map(_word, key))))


def _word(part: str | int) -> int:
    """A 32-bit word; text is hashed because Python's own hash changes from process to process."""
    if isinstance(part, str):
        return int.from_bytes(hashlib.blake2b(part.encode(), digest_size=4).digest(), "little")
    return int(part)
