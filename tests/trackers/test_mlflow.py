"""Answers written to MLflow, and experiments read from it, by its own client."""

from __future__ import annotations

import json
import warnings

import pytest
from report.samples import from_scores

import foldwise as fw
from foldwise.core.errors import InvalidInput

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its dependencies
    mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed (pip install 'foldwise[mlflow]')")

from foldwise.trackers import log_to_mlflow

pytestmark = pytest.mark.filterwarnings("ignore")  # MLflow's own

SCORES = {"small": [0.81, 0.84, 0.79, 0.83, 0.80], "large": [0.86, 0.88, 0.83, 0.87, 0.86]}


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # the database needs more packages than the client has
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    yield mlflow.MlflowClient()
    while mlflow.active_run() is not None:
        mlflow.end_run()
    mlflow.set_tracking_uri(before)


@pytest.fixture
def runs(client):
    """A run for each model, with its accuracy on each fold."""
    key = client.create_experiment("models")
    for name, scores in SCORES.items():
        run = client.create_run(key, run_name=name)
        for fold, score in enumerate(scores):
            client.log_metric(run.info.run_id, "accuracy", score, step=fold)
        client.log_param(run.info.run_id, "model", name)
    return key


def test_an_experiment_is_read_by_name_and_by_id(runs):
    found = fw.judge("mlflow:models", rows="splits")
    own = fw.compare_scores({name: [scores] for name, scores in SCORES.items()}, metric="accuracy")
    assert found.understanding.formats == {"MLflow experiment": 1}
    assert {found.main.models: found.main.estimate} == {own.models: pytest.approx(own.estimate)}
    assert fw.judge(f"mlflow:{runs}", rows="splits").main.estimate == found.main.estimate


def test_an_unknown_or_empty_experiment_is_said(runs, client):
    with pytest.raises(InvalidInput, match=r"experiment 'model'.*models"):
        fw.judge("mlflow:model")
    client.create_experiment("nothing")
    with pytest.raises(InvalidInput, match="experiment 'nothing' must hold runs"):
        fw.judge("mlflow:nothing")


def test_an_answer_is_a_run_with_numbers_page_and_json(client, tmp_path):
    result = from_scores((2, 5))
    run = client.get_run(log_to_mlflow(result))
    assert run.info.status == "FINISHED"
    assert run.data.metrics["foldwise/estimate"] == pytest.approx(result.estimate)
    assert run.data.metrics["foldwise/pvalue"] == pytest.approx(result.pvalue)
    assert run.data.tags["foldwise.verdict"] == result.verdict
    place = client.download_artifacts(run.info.run_id, "foldwise", str(tmp_path))
    kept = json.loads((tmp_path / "foldwise" / "answer.json").read_text())
    assert place
    assert fw.Comparison.from_dict(kept).pairs[0].pvalue == result.pvalue
    assert "<html" in (tmp_path / "foldwise" / "report.html").read_text()


def test_it_goes_to_the_active_run_which_stays_open(client):
    result = fw.compare_predictions(None, {"a": [1, 1, 0, 1], "b": [1, 0, 0, 1], "c": [0, 0, 1, 1]})
    with mlflow.start_run() as run:
        assert log_to_mlflow(result) == run.info.run_id
        assert mlflow.active_run().info.run_id == run.info.run_id
    names = client.get_run(run.info.run_id).data.metrics
    assert {"foldwise/accuracy/a vs b/estimate", "foldwise/accuracy/b vs c/pvalue"} <= set(names)


def test_a_run_may_be_named(client, runs):
    run = client.create_run(runs)
    gate = fw.not_worse([1, 1, 0, 1] * 9, [1, 0, 0, 1] * 9, margin="5pt", metric="accuracy")
    assert log_to_mlflow(gate, run_id=run.info.run_id) == run.info.run_id
    assert client.get_run(run.info.run_id).data.metrics["foldwise/estimate"] == pytest.approx(0.25)


def test_only_answers_are_logged(client):
    with pytest.raises(InvalidInput, match="result must be a comparison, a judgement or a gate, got"):
        log_to_mlflow(fw.load("iris"))
    assert not client.search_experiments(filter_string="name = 'foldwise'")
