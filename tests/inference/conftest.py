from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[1] / "reference"
RATES = REFERENCE / "rates.csv"


@pytest.fixture(scope="session")
def rates() -> Callable[[str], list[tuple[tuple[float, ...], float]]]:
    """Rows of the R transcript tests/reference/rates.csv: the arguments and the value of each row of one case."""
    lines = [line for line in RATES.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    table: dict[str, list[tuple[tuple[float, ...], float]]] = {}
    for row in csv.DictReader(lines):
        arguments = tuple(map(float, row["arguments"].split(";")))
        table.setdefault(row["case"], []).append((arguments, float(row["value"])))
    return table.__getitem__


@pytest.fixture(scope="session")
def marks() -> dict[str, list[float]]:
    """The R transcript tests/reference/marks.tsv: the values of each name."""
    lines = (REFERENCE / "marks.tsv").read_text(encoding="utf-8").splitlines()
    named = (line.split("\t") for line in lines if not line.startswith("#"))
    return {name: [float(value) for value in values.split(";")] for name, values in named}
