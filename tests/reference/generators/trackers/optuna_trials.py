"""Writes tests/reference/trackers/optuna*.csv with the real Optuna (5.0.0) and scikit-learn.

    pip install optuna==5.0.0 pandas scikit-learn
    python optuna_trials.py OUT

A study of a tree on five folds of breast cancer data, each trial with its folds as user attributes; one trial is
pruned, one fails. The same study without the attributes is what `trials_dataframe` gives most people.
"""

import sys
from pathlib import Path

import optuna
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

X, Y = load_breast_cancer(return_X_y=True)
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def objective(trial):
    depth = trial.suggest_int("max_depth", 1, 6)
    leaf = trial.suggest_int("min_samples_leaf", 1, 60, log=True)
    if trial.number == 3:
        raise optuna.TrialPruned
    if trial.number == 5:
        return float("nan")
    scores = cross_val_score(
        DecisionTreeClassifier(max_depth=depth, min_samples_leaf=leaf, random_state=0), X, Y, cv=FOLDS
    )
    for fold, score in enumerate(scores.tolist()):
        trial.set_user_attr(f"fold{fold}", score)
    return float(scores.mean())


if __name__ == "__main__":
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=0))
    study.optimize(objective, n_trials=8)
    out = Path(sys.argv[1])
    study.trials_dataframe().to_csv(out / "optuna.csv", index=False)
    study.trials_dataframe(
        attrs=("number", "value", "datetime_start", "datetime_complete", "duration", "params", "state")
    ).to_csv(out / "optuna_values.csv", index=False)
