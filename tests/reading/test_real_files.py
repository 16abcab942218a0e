"""Files that the real tools wrote: MLflow, Optuna, Weka's Experimenter, scikit-learn's searches."""

import csv
import gzip
import shutil
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from foldwise.comparison import explain, judge
from foldwise.core.errors import InvalidInput

REFERENCE = Path(__file__).parents[1] / "reference"
MLFLOW, SEARCHES = REFERENCE / "trackers" / "mlflow", REFERENCE / "searches"
WEKA = REFERENCE / "experimenter"


def test_mlflow_child_runs_bear_the_name_of_their_parent():
    found = judge(MLFLOW / "children.csv", metric="accuracy")
    assert set(found.understanding.models) == {"logistic", "tree"}
    runs = pd.read_csv(MLFLOW / "children.csv").dropna(subset=["params.fold"])
    assert sorted(found.main.means.values()) == pytest.approx(
        sorted(runs.groupby("tags.mlflow.parentRunId")["metrics.accuracy"].mean())
    )
    assert found.understanding.left_out == ("children.csv: 2 runs that are the parents of others, which are taken",)


def test_three_ways_to_log_folds_give_one_verdict():
    ways = [MLFLOW / "children.csv", MLFLOW / "names.csv", MLFLOW / "steps"]
    found = [judge(way, metric="accuracy", rows="splits", models=["logistic", "tree"]).main for way in ways]
    assert {round(one.pvalue, 12) for one in found} == {round(found[0].pvalue, 12)}
    assert {one.design for one in found} == {"5-fold cross-validation"}


def test_mlflows_database_has_its_experiments_as_tasks(tmp_path):
    database = MLFLOW / "mlflow.db.gz"
    whole = explain(database, rows="splits")
    assert whole.formats == {"MLflow database": 1}
    assert set(whole.tasks) == {"children", "names", "steps"}
    for task in whole.tasks:
        found = judge(database, metric="accuracy", rows="splits", tasks=[task]).main
        assert found.pvalue == pytest.approx(judge(MLFLOW / "names.csv").main.pvalue, rel=1e-12)
        assert set(found.names) == {"logistic", "tree"}
    unpacked = tmp_path / "mlflow.db"
    unpacked.write_bytes(gzip.decompress(database.read_bytes()))
    before = unpacked.read_bytes()
    assert explain(tmp_path, rows="splits").tasks == whole.tasks
    assert (list(tmp_path.iterdir()), unpacked.read_bytes()) == ([unpacked], before)


def test_a_database_that_is_no_store_or_damaged_is_one_sentence(tmp_path):
    place = tmp_path / "mlflow.db"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("create view metrics as select 1")
    with pytest.raises(InvalidInput, match=r"mlflow\.db must have the tables experiments, .* got no experiments"):
        judge(place)
    whole = gzip.decompress((MLFLOW / "mlflow.db.gz").read_bytes())
    for damaged in (whole[:5000], whole[:100] + bytes(len(whole) - 100)):
        place.write_bytes(damaged)
        with pytest.raises(InvalidInput, match=r"mlflow\.db must be a whole SQLite file, but it is damaged"):
            judge(place)


def test_runs_that_were_deleted_do_not_count(tmp_path):
    place = tmp_path / "mlflow.db"
    place.write_bytes(gzip.decompress((MLFLOW / "mlflow.db.gz").read_bytes()))
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("update experiments set lifecycle_stage = 'deleted' where name <> 'names'")
        connection.execute("pragma wal_checkpoint(truncate)")
    found = judge(place)
    assert set(found.verdicts) == {""}
    assert any("-wal" in note for note in found.understanding.left_out)


def test_mlflow_frames_with_their_times_are_taken_as_they_are():
    frame = pd.read_csv(MLFLOW / "children.csv", parse_dates=["start_time", "end_time"])
    assert judge(frame, metric="accuracy").main.pvalue == judge(MLFLOW / "children.csv", metric="accuracy").main.pvalue


def test_steps_may_be_folds_or_those_of_one_training(tmp_path):
    with pytest.raises(
        InvalidInput, match=r"may be splits of one data set \(rows='splits'\), or steps of one training"
    ):
        judge(MLFLOW / "steps")
    (tmp_path / "chart.csv").write_text(
        "Run,Run ID,metric,step,timestamp,value\n"
        + "\n".join(f"{m},{m}0,auc,{s},17,{0.8 + s / 100 + (m == 'a') * s / 50}" for m in "ab" for s in range(4))
    )
    assert judge(tmp_path, rows="splits").main.design == "4-fold cross-validation"
    with pytest.raises(InvalidInput, match="one value per task says"):
        judge(tmp_path, rows="last")


def test_mlflow_tables_of_answers_are_joined_by_the_question(tmp_path):
    found = judge(MLFLOW / "answers")
    assert (found.understanding.rows, found.main.better) == ("items", "logistic")
    assert found.main.means == pytest.approx({"logistic": 11 / 12, "tree": 5 / 12})
    for i, table in enumerate(sorted(MLFLOW.rglob("eval_results_table.json"))):
        shutil.copy(table, tmp_path / f"model{i}.json")
    assert judge(tmp_path).main.pvalue == found.main.pvalue
    text = (tmp_path / "model1.json").read_text()
    (tmp_path / "model1.json").write_text(text.replace('"What is 3 + 3?","6"', '"What is 3 + 3?","7"'))
    with pytest.raises(InvalidInput, match="is not the same question for 'model0' and 'model1'"):
        judge(tmp_path)


def test_a_metric_file_that_was_cut_off_is_one_sentence(tmp_path):
    shutil.copytree(MLFLOW / "steps", tmp_path / "mlruns")
    path = next((tmp_path / "mlruns").rglob("metrics/accuracy"))
    path.write_text(path.read_text()[:-16])
    with pytest.raises(InvalidInput, match=r"line 5 must be a time, a value and a step, but it is cut off"):
        judge(tmp_path, rows="splits")


def test_optuna_trials_with_folds_are_candidates_and_others_are_refused():
    frame = pd.read_csv(MLFLOW.parent / "optuna.csv")
    found = judge(MLFLOW.parent / "optuna.csv")
    done = frame[frame.state == "COMPLETE"]
    np.testing.assert_allclose(list(found.main.means.values()), done.value)
    assert "optuna.csv: 2 trials that were pruned or failed" in found.understanding.left_out
    assert any("the best of 6 candidates" in text for text in found.understanding.left_out)
    with pytest.raises(InvalidInput, match="trials of one Optuna study, which adapt"):
        judge(MLFLOW.parent / "optuna_values.csv")


def test_weka_experimenter_csv_and_arff_are_the_same_experiment():
    plain, arff = judge(WEKA / "experiment.csv.gz"), judge(WEKA / "experiment.arff.gz")
    assert plain.understanding.models == ("J48", "NaiveBayes", "IBk")
    assert len(plain.verdicts) == 8
    # Weka writes six decimals into ARFF files
    np.testing.assert_allclose(plain.overall.table.values, arff.overall.table.values, atol=1e-6)
    means = defaultdict(list)
    with gzip.open(WEKA / "experiment.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if row["Key_Dataset"] == "iris":
                means[row["Key_Scheme"].rpartition(".")[2]].append(float(row["Percent_correct"]))
    assert plain.verdicts["iris"].means == pytest.approx({name: np.mean(found) for name, found in means.items()})
    assert plain.verdicts["iris"].evidence.n_test == pytest.approx(30)


def test_searches_of_scikit_learn():
    grid = pd.read_csv(SEARCHES / "grid.csv")
    found = judge(SEARCHES / "grid.csv", metric="neg_log_loss")
    np.testing.assert_allclose(list(found.main.means.values()), grid.mean_test_neg_log_loss)
    randomized = explain(SEARCHES / "randomized.csv")
    assert len(randomized.models) == 3
    assert "randomized.csv: 3 candidates that could not be fitted on some split" in randomized.left_out
    assert explain(SEARCHES / "halving.csv").models == ("max_depth=3", "max_depth=4")
