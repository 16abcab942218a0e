"""Moments as people and files write them."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["found_in_store", "moment"]


def moment(made: int) -> str:
    """Seconds since 1970 as people write them.

    Examples
    --------
    >>> moment(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def found_in_store(found: int, total: int, what: str, made: tuple[str, str] | None) -> str:
    """How many results came from a store, and from when they are.

    Examples
    --------
    >>> found_in_store(3, 4, "fits", (moment(0), moment(60)))
    '3 of 4 fits were found in the store, made from 1970-01-01T00:00:00Z to 1970-01-01T00:01:00Z'
    """
    first, last = made or ("", "")
    when = f", made {first}" if first == last else f", made from {first} to {last}"
    return f"{found} of {total} {what} were found in the store{when if first else ''}"
