"""Keyword arguments of a verb from a table of cases, in which every setting stands under its name."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import foldwise as fw

FEW = {one.name for one in fields(fw.Options)} - {"runs", "n_train", "n_test"}  # of other verbs parameters of their own


def with_options(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with those that belong into `options` put there."""
    few = {name: value for name, value in given.items() if name in FEW}
    rest = {name: value for name, value in given.items() if name not in FEW}
    return {**rest, "options": fw.Options(**few)} if few else rest
