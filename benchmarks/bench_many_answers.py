"""Votes, judges checked by people and leaderboards at the sizes people have them: wall and processor seconds.

Goals: 1,000,000 votes among 200 models in 10 s; PPI on 1,000,000 items in 2 s, beside ppi-python's estimate where it is
installed; a board of 500 models on 2,000 items in 20 tasks in seconds.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import foldwise as fw
from foldwise import inference as inf
from foldwise.cli.main import cli


def timed(what: str, call: Callable[[], object]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    print(
        f"{what:60s} {time.perf_counter() - wall:7.2f} s wall {time.process_time() - cpu:7.2f} s processor", flush=True
    )


def votes(rng: np.random.Generator, n: int = 1_000_000, k: int = 200) -> dict[str, list[object]]:
    strength = rng.normal(0, 0.6, k)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    first = rng.random(n) < 1 / (1 + np.exp(strength[b] - strength[a]))
    winner = np.where(rng.random(n) < 0.15, "tie", np.where(first, "model_a", "model_b"))
    names = np.array([f"m{i}" for i in range(k)])
    who = rng.integers(0, 20_000, n)
    return {
        "model_a": names[a].tolist(),
        "model_b": names[b].tolist(),
        "winner": winner.tolist(),
        "annotator": who.tolist(),
    }


def board(rng: np.random.Generator, k: int = 500, n: int = 2000, tasks: int = 20) -> pd.DataFrame:
    hard, skill = rng.normal(size=n), np.linspace(-1, 1.5, k)
    marks = (rng.random((k, n)) < 1 / (1 + np.exp(hard - skill[:, None]))).astype(int)
    return pd.DataFrame({"item": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)]}).join(
        pd.DataFrame(marks.T, columns=[f"m{i}" for i in range(k)])
    )


def main() -> None:
    rng = np.random.default_rng(0)
    fw.compare_votes(
        {"model_a": ["x"] * 9, "model_b": ["y"] * 9, "winner": ["x"] * 5 + ["y"] * 4}
    )  # loads what is needed
    given = votes(rng)
    timed("1,000,000 votes among 200 models", lambda: fw.compare_votes(given))
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "votes.csv"), Path(folder, "votes.json")
        pd.DataFrame(given).to_csv(file, index=False)
        asked = ["votes", str(file), f"--json={out}"]
        timed("  as a file, at the command line with --json", lambda: cli(asked, standalone_mode=False))
    truth = rng.normal(size=1_000_000)
    judge = truth + rng.normal(0.2, 0.5, truth.size)
    human = np.where(np.arange(truth.size) < 10_000, truth, np.nan)
    timed("ppi on 1,000,000 items, 10,000 labels", lambda: inf.ppi(judge, human))
    try:
        from ppi_py import ppi_mean_ci
    except ImportError:
        print("ppi-python is not installed")
    else:
        own = np.isfinite(human)
        timed("  ppi-python's plug-in interval", lambda: ppi_mean_ci(human[own], judge[own], judge[~own]))
    for tasks in (1, 20):
        table = board(rng, tasks=tasks)
        timed(f"board of 500 models, 2,000 items in {tasks} tasks", lambda table=table: fw.leaderboard(table))


if __name__ == "__main__":
    main()
