"""How notebooks show a result object: a small table of its fields.

Results that have a report of their own (`Comparison` …) show more; these need nothing but the standard library.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.core.formatting import LEAST_PVALUE, number_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MOST = 50  # Rows of a table in a notebook.

_ARRAY = np.ndarray


class OwnText:
    """Base of what has a text for IPython: every class below it gets its ``_repr_pretty_`` itself.

    IPython takes the first of a class and its bases that has either that or ``__repr__``, which each dataclass has.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if hasattr(cls, "_repr_pretty_"):
            cls._repr_pretty_ = cls._repr_pretty_


class Shown(OwnText):
    """Base of results: gives them ``_repr_html_``, and the same as text where IPython shows text.

    Of one experiment a result has numbers, of a batch arrays: what was computed as an array without axes becomes one.
    A p-value that is too small for a number is the smallest; 0 is only where there is no variance, and so no statistic.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        # every result is a dataclass; there are as many of some as there are pairs of hundreds of models
        for name in type(self).__dataclass_fields__:  # type: ignore[attr-defined]
            value = getattr(self, name)
            if value.__class__ is _ARRAY and not value.ndim:
                object.__setattr__(self, name, value[()])
            if "pvalue" in name and "pvalues" not in name:
                self._floor(name)

    def _floor(self, name: str) -> None:
        """The least number for a p-value of 0 of a finite statistic: ``quasi_f_pvalue`` is of ``quasi_f``."""
        places = (name.replace("pvalue", "statistic"), name.removesuffix("_pvalue"), "statistic")
        statistic = next((getattr(self, place) for place in places if place != name and hasattr(self, place)), None)
        pvalue = getattr(self, name)
        vanished = False if statistic is None else (pvalue == 0) & np.isfinite(statistic)
        if np.any(vanished):
            floored = np.where(vanished, LEAST_PVALUE, pvalue)[()]
            object.__setattr__(self, name, float(floored) if type(pvalue) is float else floored)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(fields_text(self))

    def _repr_html_(self) -> str:
        return fields_html(self)


def fields_html(result: object) -> str:
    """The fields of a dataclass as an HTML table; a field of several dataclasses becomes a table of its own.

    >>> from foldwise.core.types import Interval
    >>> fields_html(Interval(low=0.25, high=0.5)).splitlines()[2]
    '<tr><th style="text-align: left">low</th><td style="text-align: left">0.25</td></tr>'
    """
    values = {name: getattr(result, name) for name in _shown(result)}
    tables = {
        key: value for key, value in values.items()
        if isinstance(value, tuple) and value and all(is_dataclass(item) for item in value)
    }  # fmt: skip
    rows = [_row(key.replace("_", " "), _text(value)) for key, value in values.items() if key not in tables]
    lines = ["<table>", f"<caption>{escape(type(result).__name__)}</caption>", *rows, "</table>"]
    return "\n".join(lines + [_table(value) for value in tables.values()])


def fields_text(result: object) -> str:
    """The fields of a dataclass below each other.

    >>> from foldwise.core.types import Interval
    >>> print(fields_text(Interval(low=0.25, high=1.48e-17)))
    Interval
      low    0.25
      high   0
    """
    names = _shown(result)
    width = max(map(len, names), default=0)
    rows = [f"  {name.replace('_', ' '):<{width}}   {_text(getattr(result, name))}" for name in names]
    return "\n".join([type(result).__name__, *rows])


def _shown(result: Any) -> list[str]:
    return [field.name for field in fields(result) if not field.name.startswith("_")]


def _row(label: str, value: str) -> str:
    left = 'style="text-align: left"'
    return f"<tr><th {left}>{escape(label)}</th><td {left}>{escape(value)}</td></tr>"


def _table(rows: tuple[DataclassInstance, ...]) -> str:
    names = _shown(rows[0])
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = ["".join(f"<td>{escape(_text(getattr(row, name)))}</td>" for name in names) for row in rows[:MOST]]
    more = [f"<tr><td>… and {len(rows) - MOST} more</td></tr>"] if len(rows) > MOST else []
    return "\n".join(["<table>", f"<tr>{head}</tr>", *(f"<tr>{cells}</tr>" for cells in body), *more, "</table>"])


def _plain(value: Any) -> str:
    return number_text(float(value), 4)


def _text(value: object) -> str:
    """A value in a few words: numbers to four digits, long lists by their beginning."""
    if isinstance(value, (float, np.floating)):
        return number_text(float(value), 4)
    if isinstance(value, np.ndarray):
        words = np.array2string(value, threshold=12, edgeitems=3, separator=", ", formatter={"float_kind": _plain})
        return words if value.size <= 1 else f"{words}  (shape {value.shape})"
    if isinstance(value, (tuple, list)):
        shown = ", ".join(_text(item) for item in value[:6])
        return shown if len(value) <= 6 else f"{shown}, … ({len(value)} values)"
    if is_dataclass(value) and not isinstance(value, type):
        parts = [f"{field.name.replace('_', ' ')} {_text(getattr(value, field.name))}" for field in fields(value)[:4]]
        return ", ".join(parts + ["…"] * (len(fields(value)) > 4))
    return str(value)
