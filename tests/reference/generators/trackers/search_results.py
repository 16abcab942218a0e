"""Writes tests/reference/searches with scikit-learn's own searches: their ``cv_results_`` as pandas saves them.

    python search_results.py OUT

A grid with two scorers, a randomized search with a candidate that can't be fitted, and a halving search, all on iris.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

X, Y = load_iris(return_X_y=True)
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def searches():
    grid = {"C": [0.001, 0.1, 10.0]}
    both = ["accuracy", "neg_log_loss"]
    depths = {"max_depth": [1, 2, 3], "criterion": ["gini", "entropy", "nonsense"]}
    tree = DecisionTreeClassifier(random_state=0)
    return {
        "grid": GridSearchCV(LogisticRegression(max_iter=500), grid, cv=FOLDS, scoring=both, refit="accuracy"),
        "randomized": RandomizedSearchCV(tree, depths, n_iter=6, cv=FOLDS, random_state=1, error_score=np.nan),
        "halving": HalvingGridSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, cv=FOLDS, random_state=0, factor=2),
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, search in searches().items():
        pd.DataFrame(search.fit(X, Y).cv_results_).to_csv(Path(sys.argv[1], f"{name}.csv"))
