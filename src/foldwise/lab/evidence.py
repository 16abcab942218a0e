"""The evidence of many trials at once, in the shapes the procedures take."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from foldwise.core.types import Array
from foldwise.inference.catalogue import Needs

__all__ = ["Evidence", "join"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Per kind of test an array whose first two axes are trials and repetitions.

    Attributes
    ----------
    arrays
        ``"table"``: (trials, repetitions, 4), the counts n00, n01, n10, n11; the other kinds: differences of
        accuracy, a − b, of shape (trials, repetitions, splits), (…, folds), (…, 5, 2) or (…, runs, folds).
    """

    arrays: dict[Needs, Array] = field(default_factory=dict)

    def __getitem__(self, needs: Needs) -> Array:
        return self.arrays[needs]

    def to_bytes(self) -> bytes:
        """All of it, for a store."""
        buffer = io.BytesIO()
        arrays: dict[str, Any] = {str(needs): array for needs, array in self.arrays.items()}
        np.savez_compressed(buffer, **arrays)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Evidence:
        """What `to_bytes` wrote."""
        with np.load(io.BytesIO(content)) as arrays:
            return cls(arrays={cast(Needs, needs): arrays[needs] for needs in arrays.files})

    def first(self, trials: int) -> Evidence:
        """The first trials only."""
        return Evidence(arrays={needs: array[:trials] for needs, array in self.arrays.items()})


def join(parts: Sequence[Evidence]) -> Evidence:
    """Evidence of consecutive blocks of trials as one."""
    kinds = parts[0].arrays
    return Evidence(arrays={needs: np.concatenate([part[needs] for part in parts]) for needs in kinds})
