"""The measured table's rows through the verbs are cases of the generator that they name."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from foldwise.inference.measured import measured_table

FILE = Path(__file__).parents[3] / "benchmarks" / "levels_at_the_verbs.py"
ROWS = measured_table()["verbs"]["rows"]


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("levels_at_the_verbs", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_row_is_a_case_of_its_generator(generator):
    for row in ROWS:
        part = re.fullmatch(r"python benchmarks/levels_at_the_verbs.py (\w+)", row["made by"])[1]
        assert row["case"] in {words for words, _ in generator.PARTS[part][0]()}, row["case"]
        assert row["test"] == generator.TESTS[part](row["case"])
    assert {row["made by"].split()[-1] for row in ROWS} == set(generator.TESTS)


@pytest.mark.parametrize(("part", "trials"), [("clusters", 60), ("votes", 30)])
def test_a_small_new_measurement_agrees(generator, part, trials):
    stored = {row["case"]: row["type1"] for row in ROWS}
    words, trial = next((words, trial) for words, trial in generator.PARTS[part][0]() if words in stored)
    rng = np.random.default_rng(99)
    found = sum(trial(rng)[0] for _ in range(trials))
    share = stored[words]["rate"]
    assert abs(found / trials - share) < 4 * np.sqrt(share * (1 - share) * (1 / trials + 1 / stored[words]["trials"]))
