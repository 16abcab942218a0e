"""Makes the example files of this folder: real scores and predictions of scikit-learn on its breast cancer data, and
the logs of lm-evaluation-harness that the tests keep, in one archive.
"""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
LEARNERS = {"naive bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def write(name, header, rows):
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def scores(X, y):
    """10 runs of 10-fold cross-validation, both learners on the same folds, as a long table."""
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    for name, learner in LEARNERS.items():
        for i, value in enumerate(cross_val_score(learner, X, y, cv=cv)):
            yield name, i // 10, i % 10, round(value, 6)


def predictions(X, y, labels):
    """One test set of a third of the examples."""
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=1 / 3, stratify=y, random_state=0)
    fitted = [learner.fit(X_train, y_train).predict(X_test) for learner in LEARNERS.values()]
    for row in zip(y_test, *fitted, strict=True):
        yield [labels[i] for i in row]


def board():
    """Answers of six invented models to 150 questions of two difficulties, with what each answer cost."""
    rng = np.random.default_rng(2)
    hard = rng.random(150) < 0.4
    for name, chance, price in (
        ("large", 0.84, 4.0), ("medium", 0.8, 1.5), ("tuned", 0.82, 1.8), ("small", 0.62, 0.4), ("tiny", 0.45, 0.1),
        ("old", 0.6, 2.0),
    ):  # fmt: skip
        right = rng.random(150) < chance - 0.25 * hard
        cost = rng.gamma(3, price / 300, 150)
        for i in range(150):
            yield name, f"q{i}", int(right[i]), round(cost[i], 4), "hard" if hard[i] else "easy"


def logs(folder):
    """What lm-evaluation-harness wrote about two models, without dates, so that the same files give the same bytes."""
    with zipfile.ZipFile(HERE / "lm_eval_logs.zip", "w") as archive:
        for path in sorted(folder.rglob("*.json*")):
            name = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    logs(HERE.parent / "tests" / "reference" / "harnesses" / "lm_eval")
    write("board.csv", ["model", "item", "correct", "cost", "difficulty"], board())
    data = load_breast_cancer()
    write("scores.csv", ["learner", "run", "fold", "accuracy"], scores(data.data, data.target))
    write("predictions.csv", ["truth", *LEARNERS], predictions(data.data, data.target, data.target_names))
