"""Columns as a table of the frame library that people gave, or of whichever is installed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from foldwise.core.errors import MissingDependency

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
