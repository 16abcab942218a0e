"""The evidence of many trials at once, in the shapes the procedures take."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from foldwise.core.types import Array
from foldwise.kinds.simulated import AnySimulated

__all__ = ["Evidence", "join"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Evidence:
    """Per kind of test an array whose first two axes are trials and repetitions.

    Attributes
    ----------
    arrays
        By the name of the kind: (trials, repetitions, …), as `Resampled.measured` gives one trial of it or as
        `Simulated.drawn` takes it.
    notes
        What is to be said of where it comes from: how much of it a store had.
    """

    arrays: dict[str, Array] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __getitem__(self, kind: AnySimulated) -> Array:
        return self.arrays[kind.name]

    def to_bytes(self) -> bytes:
        """All of it, for a store."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **self.arrays)  # type: ignore[arg-type]  # NumPy means its own options
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Evidence:
        """What `to_bytes` wrote."""
        with np.load(io.BytesIO(content)) as arrays:
            return cls(arrays={name: arrays[name] for name in arrays.files})

    def first(self, trials: int) -> Evidence:
        """The first trials only."""
        return replace(self, arrays={name: array[:trials] for name, array in self.arrays.items()})


def join(parts: Sequence[Evidence]) -> Evidence:
    """Evidence of consecutive blocks of trials as one."""
    kinds = parts[0].arrays
    return Evidence(arrays={name: np.concatenate([part.arrays[name] for part in parts]) for name in kinds})
