"""Writes the files in tests/reference/trackers with the real MLflow (3.17.2, mlflow-skinny) and scikit-learn.

    pip install mlflow-skinny==3.17.2 pandas scikit-learn sqlalchemy alembic
    python mlflow_runs.py OUT

Two learners on five folds of iris, logged in the ways that people log folds: one child run per fold, steps of one
metric, and names of metrics. ``search_runs`` is kept as CSV, the steps as the store of files, and a table of answers as
`mlflow.log_table` writes it, which is what ``mlflow.evaluate`` calls. All three are also in one database, as the
tracking server has them, packed by gzip. What tells of the machine and its user is taken out.
"""

import gzip
import os
import shutil
import sqlite3
import sys
from pathlib import Path

os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
import mlflow
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

LEARNERS = {
    "logistic": LogisticRegression(C=0.05, max_iter=500),
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
}
METRICS = {"accuracy": "accuracy", "neg_log_loss": "neg_log_loss"}
RIGHT = {"logistic": {1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12}, "tree": {1, 3, 6, 8, 10}}


def scores():
    X, y = load_iris(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return {name: cross_validate(one, X, y, cv=folds, scoring=METRICS) for name, one in LEARNERS.items()}


def children(found):
    """A run per learner, and under it a run per fold."""
    for name, result in found.items():
        with mlflow.start_run(run_name=name):
            for fold in range(5):
                with mlflow.start_run(run_name=f"fold-{fold}", nested=True):
                    mlflow.log_param("fold", fold)
                    mlflow.log_metrics({metric: float(result[f"test_{metric}"][fold]) for metric in METRICS})


def steps(found):
    """A run per learner, whose metrics have the folds as steps."""
    for name, result in found.items():
        with mlflow.start_run(run_name=name):
            mlflow.log_param("model", name)
            for fold in range(5):
                for metric in METRICS:
                    mlflow.log_metric(metric, float(result[f"test_{metric}"][fold]), step=fold)


def names(found):
    """A run per learner, with a metric per fold."""
    for name, result in found.items():
        with mlflow.start_run(run_name=name):
            for fold in range(5):
                mlflow.log_metric(f"fold_{fold}_accuracy", float(result["test_accuracy"][fold]))


def answers(_):
    """A run per model, with its answers as a table."""
    for name, right in RIGHT.items():
        with mlflow.start_run(run_name=name):
            questions = list(range(1, 13))
            table = {
                "inputs": [f"What is {i} + {i}?" for i in questions],
                "target": [str(2 * i) for i in questions],
                "outputs": [str(2 * i) if i in right else "?" for i in questions],
                "exact_match/v1/score": [float(i in right) for i in questions],
            }
            mlflow.log_table(table, artifact_file="eval_results_table.json")


def main(out):
    found = scores()
    mlflow.set_tracking_uri(f"sqlite:///{out / 'scratch.db'}")
    for way in (children, names):
        experiment = mlflow.create_experiment(way.__name__, artifact_location=str(out / "scratch"))
        mlflow.set_experiment(experiment_id=experiment)
        way(found)
        runs = mlflow.search_runs([experiment])
        own = [name for name in runs.columns if name in ("artifact_uri", "tags.mlflow.user", "tags.mlflow.source.name")]
        runs.drop(columns=own).to_csv(out / f"{way.__name__}.csv", index=False)
    mlflow.set_experiment(experiment_id=mlflow.create_experiment("steps", artifact_location=str(out / "scratch")))
    steps(found)
    pack(out / "scratch.db", out / "mlflow.db.gz")
    for way, folder in ((steps, "steps"), (answers, "answers")):
        mlflow.set_tracking_uri(f"file://{out / folder}")
        mlflow.set_experiment("iris")
        way(found)
        clean(out / folder)


def pack(database, packed):
    """Take out of a database what tells of the machine, and make it small."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute(
        "delete from tags where key in ('mlflow.user', 'mlflow.source.name', 'mlflow.source.git.commit')"
    )
    connection.execute("update runs set user_id = '', source_name = '', artifact_uri = ''")
    connection.execute("update experiments set artifact_location = ''")
    connection.execute("vacuum")
    connection.close()
    packed.write_bytes(gzip.compress(database.read_bytes(), 9, mtime=0))
    database.unlink()


def clean(store):
    """Take out what tells of the machine, and what is empty."""
    shutil.rmtree(store / ".trash")
    shutil.rmtree(store / "0")
    for path in store.rglob("*"):
        if path.name in ("mlflow.user", "mlflow.source.name", "mlflow.source.git.commit"):
            path.unlink()
        elif path.name == "meta.yaml":
            kept = [line for line in path.read_text().splitlines() if not line.startswith(("artifact", "user_id"))]
            path.write_text("\n".join(kept) + "\n")


if __name__ == "__main__":
    where = Path(sys.argv[1]).resolve()
    where.mkdir(parents=True, exist_ok=True)
    main(where)
