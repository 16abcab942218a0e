"""A checksum for each row, so that a flipped bit is never taken for a result."""

from __future__ import annotations

import json
import struct
import zlib

__all__ = ["content_sum", "cut_tail", "fit_sum", "output_sum", "recorded_score", "score_sum", "text_sum", "with_tail"]

FIT = struct.Struct("<qqqdqq")
SCORE = struct.Struct("<qqd")
TAIL = struct.Struct("<I")


def text_sum(*values: object) -> int:
    """Checksum of a row of texts and numbers (CRC-32, which finds every single flipped bit).

    Examples
    --------
    >>> text_sum("nb", 1) == text_sum("nb", 2)
    False
    """
    return zlib.crc32(json.dumps(values, default=repr).encode())


def fit_sum(series: int, row: tuple[int, int, int, float, int, int]) -> int:
    """Checksum of a fit's numbers (split, n_train, n_test, seconds, made, origin) under its series' own checksum.

    The series is part of it, so that a row which has come to stand under another series is noticed.
    """
    return zlib.crc32(FIT.pack(*row), series)


def score_sum(series: int, scoring: int, split: int, value: float) -> int:
    """Checksum of a score under its series' own checksum."""
    return zlib.crc32(SCORE.pack(scoring, split, value), series)


def recorded_score(series: int, scoring: int, split: int, kept: float, checksum: int) -> float | None:
    """The score that the checksum is of: what was kept or, since SQLite keeps −0.0 as 0.0, that; None if neither is."""
    if score_sum(series, scoring, split, kept) == checksum:
        return kept
    return -0.0 if kept == 0 and score_sum(series, scoring, split, -0.0) == checksum else None


def content_sum(study: str, number: int, made: int, origin: int, content: bytes) -> int:
    """Checksum of a block of a simulation."""
    return zlib.crc32(content, text_sum(study, number, made, origin))


def output_sum(series: int, split: int, content: bytes) -> int:
    """Checksum of a split's outputs under its series' own checksum."""
    return zlib.crc32(content, text_sum(series, split))


def with_tail(content: bytes, start: int) -> bytes:
    """The bytes with their checksum at the end."""
    return content + TAIL.pack(zlib.crc32(content, start))


def cut_tail(content: bytes, start: int) -> bytes | None:
    """The bytes without the checksum at their end; None if they do not match it."""
    body, tail = content[: -TAIL.size], content[-TAIL.size :]
    return body if tail == TAIL.pack(zlib.crc32(body, start)) else None
