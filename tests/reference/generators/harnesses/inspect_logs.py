"""Writes the logs in tests/reference/harnesses/inspect with the real inspect_ai, version 0.3.285, and its mock model.

    pip install inspect_ai==0.3.285
    python inspect_logs.py OUT

Twelve questions about four passages, three epochs each; some answers are not scored. Two models in ``.eval``
(Zstandard members), the same two in ``.json`` (packed here, because they are long), and one that was killed.
"""

import gzip
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import tiktoken


class _Words:
    """Splits at blanks: the real encodings are downloads."""

    def encode(self, text, **_):
        return text.split()

    def decode(self, tokens):
        return " ".join(tokens)


tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_, **__: _Words()

from inspect_ai import Epochs, Task  # noqa: E402
from inspect_ai import eval as run  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402
from inspect_ai.scorer import Score, accuracy, mean, scorer, stderr  # noqa: E402
from inspect_ai.solver import generate  # noqa: E402


@scorer(metrics=[accuracy(), stderr()])
def letter():
    async def score(state, target):
        said = state.output.completion.strip()
        if said == "?":
            return Score(value=math.nan, answer=said)
        return Score(value="C" if said == target.text else "I", answer=said)

    return score


@scorer(metrics={"tone": [mean()], "length": [mean()]})
def style():
    async def score(state, target):
        return Score(value={"tone": 0.5 + 0.1 * len(state.output.completion), "length": 1})

    return score


def answers(skill, seed):
    rng = random.Random(seed)
    said = [("A" if rng.random() < skill else rng.choice("BCD?")) for _ in range(12 * 3)]
    return [ModelOutput.from_content("mockllm/model", text) for text in said]


def evaluate(name, outputs, folder, form, **options):
    samples = [
        Sample(
            id=f"passage{i // 3}-q{i % 3}", input=f"Question {i}?", target="A", metadata={"passage": f"passage{i // 3}"}
        )
        for i in range(12)
    ]
    run(
        Task(
            dataset=MemoryDataset(samples, name="ferry"),
            solver=generate(),
            scorer=[letter(), style()],
            epochs=Epochs(3, "mean"),
            name="ferry",
        ),
        model=get_model("mockllm/" + name, custom_outputs=outputs, memoize=False),
        log_dir=str(folder),
        log_format=form,
        display="none",
        **options,
    )


def write(folder: Path) -> None:
    for form in ("eval", "json"):
        for name, skill, seed in (("alpha", 0.8, 1), ("beta", 0.4, 2)):
            evaluate(name, answers(skill, seed), folder / form, form)
    for log in (folder / "json").rglob("*.json"):
        log.with_suffix(".json.gz").write_bytes(gzip.compress(log.read_bytes(), mtime=0))
        log.unlink()


def write_killed(folder: Path) -> None:
    """A run that is killed in the second epoch, while it writes its journal."""

    def until_killed():
        yield from answers(0.6, 3)[:20]
        os._exit(9)

    evaluate("gamma", until_killed(), folder / "killed", "eval", log_buffer=1, max_samples=1, max_connections=1)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write_killed(Path(sys.argv[1]))
    else:
        write(Path(sys.argv[1]))
        subprocess.run([sys.executable, __file__, sys.argv[1], "killed"], check=False)
