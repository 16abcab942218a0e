"""Moments as people and files write them."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["moment"]


def moment(made: int) -> str:
    """Seconds since 1970 as people write them.

    Examples
    --------
    >>> moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
