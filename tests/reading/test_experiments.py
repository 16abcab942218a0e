"""Files of Weka's Experimenter and searches of scikit-learn."""

import gzip

import numpy as np
import pandas as pd
import pytest

from foldwise.comparison import judge
from foldwise.reading import SplitRows, find_sources, read_sources

HEAD = (
    "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Date_time,"
    "Number_of_training_instances,Number_of_testing_instances,Number_correct,Percent_correct"
)
SCHEMES = {"weka.classifiers.trees.J48": "'-C 0.25 -M 2'", "weka.classifiers.bayes.NaiveBayes": "''"}


def weka_rows():
    return [
        [
            data,
            run,
            fold,
            scheme,
            options,
            1,
            20260903.12,
            135,
            15,
            14,
            f"{90 + fold / 10 + (scheme[-1] == '8') * 3:.4f}",
        ]
        for data in ("iris", "wine")
        for scheme, options in SCHEMES.items()
        for run in (1, 2)
        for fold in range(1, 6)
    ]


def read(path):
    return read_sources(find_sources([path]))


def test_weka_csv_has_many_data_sets_and_the_sizes(tmp_path):
    (tmp_path / "exp.csv").write_text("\n".join([HEAD, *(",".join(map(str, row)) for row in weka_rows())]))
    reading = read(tmp_path)
    assert reading.formats == {"Weka Experimenter": 1}
    assert {(one.task, one.model) for one in reading.series} == {
        (data, model) for data in ("iris", "wine") for model in ("J48", "NaiveBayes")
    }
    rows = reading.series[0].rows
    assert isinstance(rows, SplitRows)
    assert (rows.n_train, rows.n_test, rows.count) == (135, 15, 10)
    found = judge(tmp_path)
    assert found.verdicts["iris"].test == "corrected_repeated_cv_t"
    assert found.verdicts["iris"].estimate == pytest.approx(3)


def test_weka_arff_is_the_same_as_its_csv(tmp_path):
    names = HEAD.split(",")
    kinds = ["{iris,wine}", "{1,2}", "{1,2,3,4,5}", f"{{{','.join(SCHEMES)}}}", "{'-C 0.25 -M 2',''}", *["numeric"] * 6]
    head = "".join(f"@attribute {name} {kind}\n" for name, kind in zip(names, kinds, strict=True))
    rows = "\n".join(",".join(map(str, row)) for row in weka_rows())
    (tmp_path / "exp.arff.gz").write_bytes(
        gzip.compress(f"@relation InstanceResultListener\n\n{head}\n@data\n{rows}\n".encode())
    )
    (tmp_path / "exp.csv").write_text("\n".join([HEAD, rows]))
    arff, plain = (read(tmp_path / name).series for name in ("exp.arff.gz", "exp.csv"))
    assert [(a.task, a.model, a.metric, a.values.tolist()) for a in arff] == [
        (b.task, b.model, b.metric, b.values.tolist()) for b in plain
    ]


def test_one_scheme_with_two_options_is_two_learners(tmp_path):
    rows = [[*row[:4], f"'-C {c}'", *row[5:]] for row in weka_rows() if row[3].endswith("J48") for c in (0.1, 0.25)]
    (tmp_path / "exp.csv").write_text("\n".join([HEAD, *(",".join(map(str, row)) for row in rows)]))
    assert {one.model for one in read(tmp_path).series} == {"J48 -C 0.1", "J48 -C 0.25"}


@pytest.fixture(scope="module")
def search():
    from sklearn.datasets import load_iris
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV

    X, y = load_iris(return_X_y=True)
    scoring = ["accuracy", "neg_log_loss"]
    grid = GridSearchCV(LogisticRegression(max_iter=500), {"C": [0.01, 1.0]}, cv=5, scoring=scoring, refit="accuracy")
    return grid.fit(X, y)


def test_a_search_saved_as_csv_is_candidates_on_shared_folds(tmp_path, search):
    pd.DataFrame(search.cv_results_).to_csv(tmp_path / "search.csv")
    reading = read(tmp_path)
    assert {(one.model, one.metric) for one in reading.series} == {
        (f"C={c}", metric) for c in ("0.01", "1.0") for metric in ("accuracy", "neg_log_loss")
    }
    for one in reading.series:
        at = 0 if one.model == "C=0.01" else 1
        expected = [search.cv_results_[f"split{i}_test_{one.metric}"][at] for i in range(5)]
        np.testing.assert_allclose(one.values, expected, rtol=1e-15)


def test_only_the_last_iteration_of_a_halving_search_is_compared(tmp_path, search):
    frame = pd.DataFrame(search.cv_results_)
    halved = pd.concat([frame.assign(iter=0), frame.assign(iter=1)])
    halved.to_csv(tmp_path / "search.csv")
    reading = read(tmp_path)
    assert len(reading.series) == 4
    assert any("2 rows of other iterations are not" in text for text in reading.left_out)
