"""Trackers, OpenML, aeon and lighteval, with the traps of their exports."""

import io

import pytest

from foldwise.comparison import judge
from foldwise.core.errors import InvalidInput
from foldwise.reading import SplitRows, find_sources, read_sources

UI = ("Start Time", "Duration", "Run ID", "Name", "Source Type", "User", "Status", "model", "fold", "neg_log_loss")


def quoted(cells):
    return ",".join(f'"{cell}"' for cell in cells)


def read(path):
    return read_sources(find_sources([path]))


def test_mlflow_download_with_its_quoted_minus(tmp_path):
    rows = [
        ("2026-09-01 10:00:00", "4.1s", f"{m}{f}", f"{m}-{f}", "LOCAL", "ana", "FINISHED", m, f, f"'-0.{loss + f % 2}")
        for m, loss in (("rf", 40), ("lgbm", 37))
        for f in range(5)
    ]
    (tmp_path / "runs.csv").write_text("\n".join(map(quoted, [UI, *rows])))
    found = judge(tmp_path, metric="neg_log_loss")
    assert found.understanding.formats == {"experiment tracker": 1}
    assert found.main.pairs[0].means == pytest.approx((-0.404, -0.374))
    assert found.main.higher_is_better


def test_mlflow_search_runs_with_folds_in_the_names_of_metrics(tmp_path):
    folds = ",".join(f"metrics.auc_fold{fold}" for fold in range(3))
    head = f"run_id,experiment_id,status,{folds},params.model,tags.mlflow.runName"
    (tmp_path / "runs.csv").write_text(f"{head}\n1,0,FINISHED,0.8,0.82,0.81,rf,x\n2,0,FINISHED,0.7,0.74,0.72,svm,y\n")
    series = read(tmp_path).series
    assert [(one.model, one.metric, one.values.tolist()) for one in series] == [
        ("rf", "auc", [0.8, 0.82, 0.81]),
        ("svm", "auc", [0.7, 0.74, 0.72]),
    ]


def test_names_of_runs_lose_the_number_of_their_fold(tmp_path):
    rows = [f"{m}-{f},finished,{f}00,{f},0.{8 + (m == 'a')}{f}" for m in "ab" for f in range(3)]
    (tmp_path / "wandb.csv").write_text("Name,State,Runtime,fold,auc\n" + "\n".join(rows))
    series = read(tmp_path).series
    assert {one.model for one in series} == {"a", "b"}
    assert all(isinstance(one.rows, SplitRows) for one in series)
    assert {one.metric for one in series} == {"auc"}


def test_trials_of_one_optuna_study_are_refused_with_a_reason(tmp_path):
    (tmp_path / "o.csv").write_text(
        "number,value,datetime_start,params_C,state\n0,0.5,2026,1,COMPLETE\n1,0.6,2026,2,COMPLETE\n"
    )
    with pytest.raises(InvalidInput, match="trials of one Optuna study, which adapt"):
        read(tmp_path)


def openml(wrong):
    kinds = {"repeat": "numeric", "fold": "numeric", "row_id": "numeric", "prediction": "{x,y}", "correct": "{x,y}"}
    kinds |= {"confidence.x": "numeric", "confidence.y": "numeric"}
    lines = [f"@attribute {name} {kind}" for name, kind in kinds.items()]
    head = "\n".join(["@relation openml_task_3_predictions", *lines, "@data", ""])
    rows = [f"{r},{i % 2},{i},{'y' if i in wrong else 'x'},x,0.5,0.5" for r in range(2) for i in range(30)]
    return head + "\n".join(rows)


def test_two_openml_runs_are_paired_by_row_and_repeats_are_trials(tmp_path):
    (tmp_path / "run1.arff").write_text(openml(range(2)))
    (tmp_path / "run2.arff").write_text(openml(range(12)))
    verdict = judge(tmp_path).main
    assert verdict.evidence.n == 30
    assert verdict.pairs[0].means == pytest.approx((28 / 30, 18 / 30))


def test_aeon_files_are_a_table_over_data_sets(tmp_path):
    for name, gain in (("HC2", 0.1), ("ROCKET", 0.0)):
        rows = [f"data{i},{0.7 + gain + i / 100:.2f},{0.72 + gain + i / 100:.2f}" for i in range(8)]
        (tmp_path / f"{name}_accuracy.csv").write_text("Resamples:,0,1\n" + "\n".join(rows))
    assert judge(tmp_path).main.best == "HC2"


def test_lighteval_details_are_items(tmp_path):
    import pyarrow as pa
    from pyarrow import parquet

    for model, right in (("alpha", 0.9), ("beta", 0.4)):
        folder = tmp_path / "details" / model / "2026-05-05T10-00-00"
        folder.mkdir(parents=True)
        rows = [{"doc": {"id": str(i), "query": f"q{i}"}, "metric": {"acc": float(i / 20 < right)}} for i in range(20)]
        out = io.BytesIO()
        parquet.write_table(pa.Table.from_pylist(rows), out)
        (folder / "details_mmlu_2026-05-05T10-00-00.parquet").write_bytes(out.getvalue())
    found = judge(tmp_path)
    assert found.understanding.tasks == ("mmlu",)
    assert found.main.better == "alpha"
