"""What is added to any result: the kind of frame its tables have, decisions, missing values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from foldwise.core.decisions import Decision, together
from foldwise.core.errors import MissingDependency
from foldwise.evidence.missing import MissingValues

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_MAKERS = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}

R = TypeVar("R", bound="DataclassInstance")


def new_frame(columns: Mapping[str, object], *, like: str = "") -> Any:
    """Columns as a frame of the package `like`, or of the first of pandas, polars and pyarrow that is installed."""
    for package in (like,) if like else _MAKERS:
        if find_spec(package):
            return getattr(import_module(package), _MAKERS[package])(dict(columns))
    raise MissingDependency("to_frame", "data")


def package_of(*given: object) -> str:
    """The frame library that the first of these objects with one belongs to; empty where none does.

    Examples
    --------
    >>> import polars as pl
    >>> package_of([0.5, 0.6], pl.Series([0.7, 0.8])), package_of([0.5])
    ('polars', '')
    """
    for one in given:
        package = type(one).__module__.partition(".")[0]
        if package in _MAKERS:
            return package
        if isinstance(one, Mapping) and (inside := package_of(*one.values())):
            return inside
    return ""


def in_kind(result: R, *given: object) -> R:
    """The result, whose frames are of the kind of what was given."""
    package = package_of(*given)
    return replace(result, frames=package) if package else result


A = TypeVar("A")


def with_decisions(found: A, told: Iterable[Decision]) -> A:
    """The answer with these decisions instead of its own about the same."""
    answer: Any = found
    return replace(answer, decisions=together(answer.decisions, tuple(told)))  # type: ignore[no-any-return]


def with_missing(found: A, missing: MissingValues | None, names: Sequence[str]) -> A:
    """The answer with what was missing among its caveats and decisions."""
    if missing is None:
        return found
    answer: Any = with_decisions(found, [missing.decision(names)])
    told = missing.words(names)
    return answer if told in answer.caveats else replace(answer, caveats=(told, *answer.caveats))  # type: ignore[no-any-return]
