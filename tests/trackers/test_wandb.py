"""Answers written to Weights & Biases, offline: what is kept in its folder is what would be sent."""

from __future__ import annotations

import json
import warnings

import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its dependencies
    wandb = pytest.importorskip("wandb", reason="wandb is not installed (pip install 'foldwise[wandb]')")

from foldwise.trackers import log_to_wandb

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]


def test_pairs_are_a_table_and_numbers_a_summary(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    result = fw.compare_predictions(None, {"a": [1, 1, 0, 1], "b": [1, 0, 0, 1], "c": [0, 0, 1, 1]})
    with wandb.init(mode="offline", dir=tmp_path, project="p", settings=wandb.Settings(silent=True)) as run:
        table = log_to_wandb(result, run)
        summary = dict(run.summary)
    assert [row[table.columns.index("b")] for row in table.data] == ["b", "c", "c"]
    assert table.columns[:3] == ["metric", "a", "b"]
    assert summary["foldwise.verdict"] == result.verdict
    assert summary["foldwise/accuracy/a vs b/estimate"] == pytest.approx(0.25)
    (kept,) = tmp_path.rglob("*.table.json")
    assert json.loads(kept.read_text())["columns"] == table.columns


def test_without_a_run_it_is_said():
    with pytest.raises(InvalidInput, match=r"run must be what wandb\.init gave"):
        log_to_wandb(fw.compare_predictions(None, {"a": [1, 0], "b": [1, 1]}))
