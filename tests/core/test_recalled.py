from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput
from foldwise.core.result import SCHEMA, Result

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def kept():
    scores = [[0.8, 0.9, 0.7], [0.8, 0.8, 0.9]], [[0.7, 0.7, 0.6], [0.7, 0.8, 0.7]]
    return json.loads(json.dumps(fw.compare_scores(list(scores), n_train=60, n_test=30).to_dict()))


def test_what_a_result_said_is_there_again(kept):
    c = fw.Comparison.from_dict(kept)
    assert isinstance(c, fw.Comparison)
    assert (c.pvalue, c.models) == (kept["pvalue"], tuple(kept["models"]))
    assert str(c).startswith("a vs b (2×3-fold cross-validation)")  # judged again from the evidence in it
    without = fw.Comparison.from_dict({name: value for name, value in kept.items() if name != "evidence"})
    assert (without.pvalue, without.models, without.kind) == (kept["pvalue"], kept["models"], "comparison")
    assert "comparison, read from JSON" in str(without)
    assert c.to_dict() == kept


def test_nobody_can_change_it_through_what_it_gives(kept):
    c = Result.from_dict(kept)
    c.to_dict()["models"].append("third")
    assert c.to_dict() == kept


def test_what_is_not_there_is_named(kept):
    without = {name: value for name, value in kept.items() if name != "evidence"}
    with pytest.raises(AttributeError, match="this comparison has no 'pvalu'; it has models, metrics"):
        fw.Comparison.from_dict(without).pvalu  # noqa: B018


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "foldwise/9"}, f"schema must be '{SCHEMA}', which this version reads, got 'foldwise/9'"),
        ({"result": "many"}, "result must be 'comparison' here, got 'many'"),
        ({"result": None}, "must be a dictionary with the keys 'schema' and 'result'"),
    ],
)
def test_other_schemas_and_kinds_are_refused(kept, change, message):
    with pytest.raises(InvalidInput, match=re.escape(message)):
        fw.Comparison.from_dict({**kept, **change})


def test_the_version_stands_in_one_place():
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert cited[1] == fw.__version__
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dynamic"]
