"""A judgement that was kept as JSON is judged again from its evidence: the same words, pictures and page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from verb_options import with_options

import foldwise as fw
from foldwise.comparison import evidence_json, judge
from foldwise.core.errors import InvalidInput
from foldwise.core.result import Recalled

HARNESSES = Path(__file__).parents[1] / "reference" / "harnesses"
LM_EVAL = HARNESSES / "lm_eval"
TABLE = "data,a,b,c\n" + "".join(
    f"d{i},{0.7 + i / 50:.3f},{0.6 + i / 60:.3f},{0.65 + i % 3 / 20:.3f}\n" for i in range(9)
)


def again(judgement):
    return type(judgement).from_dict(json.loads(json.dumps(judgement.to_dict())))


@pytest.mark.parametrize("given", ["one task", "several tasks", "table"])
def test_what_is_read_again_reads_and_looks_the_same(given, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    options = {"one task": {"metric": "acc"}, "several tasks": {}, "table": {"rows": "tasks"}}[given]
    first = judge(tmp_path / "t.csv" if given == "table" else LM_EVAL, **with_options(options))
    second = again(first)
    assert second.to_dict() == first.to_dict()
    assert str(second) == str(first)
    assert [type(v) for v in second.verdicts.values()] == [type(v) for v in first.verdicts.values()]
    if given != "table":  # where a baseline must be named
        assert second.claims() == first.claims()
    assert second.plot().axes
    assert fw.Judgement.from_dict(first.to_dict()).to_html() == first.to_html()


def test_a_changed_number_is_not_drawn():
    content = judge(LM_EVAL, metric="acc").to_dict()
    (verdict,) = content["verdicts"].values()
    verdict["pairs"][0]["pvalue"] = 0.9
    changed = fw.Judgement.from_dict(content)
    assert isinstance(changed, Recalled)


def test_evidence_is_kept_for_all_verdicts_or_for_none(monkeypatch):
    first = judge(LM_EVAL)
    amount = evidence_json.amount(first.to_dict()["evidence"])
    monkeypatch.setattr("foldwise.comparison.judgement.MOST_NUMBERS", amount - 1)
    content = first.to_dict()
    assert "evidence" not in content
    assert again(first).to_dict() == content


def test_items_are_not_exported_from_json(tmp_path):
    second = again(judge(LM_EVAL))
    with pytest.raises(InvalidInput, match="read from JSON"):
        second.export(tmp_path / "x.jsonl")
