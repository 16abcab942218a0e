"""Predictions as few bytes: class codes with as many bits as they need, numbers as they are."""

from __future__ import annotations

import numpy as np

from foldwise.core.types import Labels

__all__ = ["pack", "unpack"]


def pack(outcomes: Labels, n_classes: int) -> bytes:
    """Class codes below `n_classes` (or, with 0 classes, float64 numbers) as bytes.

    Examples
    --------
    >>> len(pack(np.zeros(57, dtype=np.uint8), 2))
    8
    """
    if n_classes == 0:
        return np.asarray(outcomes, dtype="<f8").tobytes()
    if n_classes > 256:
        return np.asarray(outcomes, dtype="<u4").tobytes()
    codes = np.asarray(outcomes, dtype=np.uint8)
    bits = np.unpackbits(codes[:, None], axis=1)[:, 8 - _width(n_classes) :]
    return np.packbits(bits).tobytes()


def unpack(data: bytes, n_classes: int, n: int) -> Labels:
    """The `n` outcomes that `pack` turned into bytes."""
    if n_classes == 0:
        return np.frombuffer(data, dtype="<f8").astype(np.float64)
    if n_classes > 256:
        return np.frombuffer(data, dtype="<u4").astype(np.min_scalar_type(n_classes - 1))
    width = _width(n_classes)
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), count=n * width).reshape(n, width)
    powers = 2 ** np.arange(width - 1, -1, -1, dtype=np.uint8)
    return np.asarray(bits @ powers, dtype=np.uint8)


def _width(n_classes: int) -> int:
    return max(1, (n_classes - 1).bit_length())
