"""The same question asked through every door: in Python, on the command line, on the page."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

import numpy as np
from verb_options import with_options

import foldwise as fw

NAMES = ("red", "blue")


@dataclass(frozen=True, kw_only=True)
class Predictions:
    """Two classifiers on one test set."""

    truth: tuple
    first: tuple
    second: tuple
    groups: tuple | None = None
    names: tuple[str, str] = NAMES
    options: dict = field(default_factory=dict)

    door = "predictions"

    @classmethod
    def draw(cls, rng, **options):
        n, classes = int(rng.integers(8, 60)), np.array(["cat", "dog", "owl"][: rng.integers(2, 4)])
        truth = rng.choice(classes, n)
        right = rng.random((2, n)) < rng.uniform(0.4, 0.95, (2, 1))
        guesses = np.where(right, truth, rng.choice(classes, (2, n)))
        groups = tuple(f"g{i}" for i in rng.integers(0, 12, n)) if "clustered" in options.get("test", "") else None
        return cls(
            truth=tuple(truth), first=tuple(guesses[0]), second=tuple(guesses[1]), groups=groups, options=options
        )

    def in_python(self):
        return fw.compare_predictions(
            self.truth,
            dict(zip(self.names, (self.first, self.second), strict=True)),
            groups=self.groups,
            **self.options,
        ).to_dict()

    def columns(self):
        named = {"truth": self.truth, self.names[0]: self.first, self.names[1]: self.second}
        return named if self.groups is None else named | {"group": self.groups}

    def rows(self, order):
        chosen = [tuple(np.asarray(part)[order]) for part in (self.truth, self.first, self.second)]
        groups = None if self.groups is None else tuple(np.asarray(self.groups)[order])
        return replace(self, truth=chosen[0], first=chosen[1], second=chosen[2], groups=groups)


@dataclass(frozen=True, kw_only=True)
class Scores:
    """Two learners on the splits of one data set."""

    first: np.ndarray
    second: np.ndarray
    metric: str = "accuracy"
    names: tuple[str, str] = NAMES
    options: dict = field(default_factory=dict)

    door = "scores"

    @classmethod
    def draw(cls, rng, shape, **options):
        base = rng.uniform(0.5, 0.85)
        first, second = np.clip(
            base + rng.normal(0, 0.05, (2, *shape)) + rng.normal(0, 0.04, (2, *[1] * len(shape))), 0, 1
        )
        return cls(first=np.round(first, 4), second=np.round(second, 4), options=options)

    def in_python(self):
        return fw.compare_scores(
            dict(zip(self.names, (self.first, self.second), strict=True)), metric=self.metric, **self.options
        ).to_dict()

    def columns(self):
        """Wide: one row per split."""
        places = np.indices(self.first.shape).reshape(self.first.ndim, -1)
        keys = ("split",) if self.first.ndim == 1 else ("run", "fold")
        named = dict(zip(keys, places.tolist(), strict=True))
        return named | {self.names[0]: self.first.ravel().tolist(), self.names[1]: self.second.ravel().tolist()}

    def long_columns(self):
        """Long: one row per learner and split."""
        wide = self.columns()
        keys = {name: wide[name] * 2 for name in wide if name not in self.names}
        learner = [name for name in self.names for _ in range(self.first.size)]
        return {"learner": learner} | keys | {self.metric: [*wide[self.names[0]], *wide[self.names[1]]]}


@dataclass(frozen=True, kw_only=True)
class Table:
    """Several learners on several data sets."""

    values: np.ndarray
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    metric: str = "accuracy"
    options: dict = field(default_factory=dict)

    door = "table"

    @classmethod
    def draw(cls, rng, **options):
        rows, columns = int(rng.integers(5, 14)), int(rng.integers(2, 5))
        values = (
            rng.uniform(0.5, 0.9, (rows, 1)) + rng.normal(0, 0.03, (1, columns)) + rng.normal(0, 0.02, (rows, columns))
        )
        return cls(
            values=np.round(np.clip(values, 0, 1), 3),
            learners=tuple(f"learner{i}" for i in range(columns)),
            datasets=tuple(f"set{i}" for i in range(rows)),
            options={"bayes": "none", **options},
        )

    def in_python(self):
        table = fw.ScoreTable.of(self.values, learners=self.learners, datasets=self.datasets, metric=self.metric)
        return fw.compare_table(table, **with_options(self.options)).to_dict()

    def columns(self):
        return {"data": self.datasets} | dict(zip(self.learners, self.values.T.tolist(), strict=True))


def as_csv(columns, order=None):
    lines = list(zip(*columns.values(), strict=True))
    chosen = lines if order is None else [lines[i] for i in order]
    return "\n".join([",".join(columns), *(",".join(map(str, line)) for line in chosen)]) + "\n"


def on_the_command_line(run, tmp_path, problem, text):
    """The answer of ``foldwise DOOR FILE --json``."""
    file = tmp_path / "data.csv"
    file.write_text(text, encoding="utf-8")
    words = [f"--{name.replace('_', '-')}={value}" for name, value in _options(problem).items()]
    code, out, err = run(problem.door, file, "--json", *words)
    assert code == 0, err
    return json.loads(out)


def on_the_page(visitor, problem, text):
    """The answer that the page lets one keep."""
    reply = visitor.post(f"/{problem.door}/report.json", text=text, filename="data.csv", **_options(problem))
    assert reply.status == 200, reply.alert or reply.text
    return json.loads(reply.text)


def _options(problem):
    named = {} if problem.door == "table" else dict(zip("ab", problem.names, strict=True))
    metric = {"metric": problem.metric} if problem.door != "predictions" else {}
    return named | metric | problem.options
