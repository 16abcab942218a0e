"""AMLB, TabArena and bencheval: long tables with ways of their own."""

import numpy as np
import pytest

from foldwise.comparison import Options, judge
from foldwise.core.errors import InvalidInput

AMLB = "id,task,framework,constraint,fold,type,result,metric,mode,version,seed,info,acc,auc"


def amlb(tasks, failed=(), constraints=("1h8c_gp3",)):
    rng = np.random.default_rng(0)
    rows = [AMLB]
    for t, (task, metric) in enumerate(tasks.items()):
        sign = -1 if metric.startswith("neg") else 1
        for constraint in constraints:
            for framework, skill in (("AutoGluon", 0.05), ("H2O", 0.02), ("flaml", 0.0)):
                for fold in range(10):
                    value = sign * 0.5 + skill + 0.02 * t + 0.01 * rng.random()
                    result, info = ("", "timeout") if (task, framework, fold) in failed else (f"{value:.6f}", "")
                    seed = int(rng.integers(1 << 31))
                    rows.append(
                        f"openml/t/{t},{task},{framework},{constraint},{fold},binary,{result},{metric},aws,v1,{seed},{info},,"
                    )
    return "\n".join(rows)


TASKS = {f"task{i}": "auc" for i in range(8)}


def test_amlb_has_a_verdict_per_task_and_one_over_tasks(tmp_path):
    (tmp_path / "results.csv").write_text(amlb(TASKS))
    found = judge(tmp_path)
    assert found.understanding.formats == {"AMLB": 1}
    assert set(found.verdicts) == set(TASKS)
    assert found.verdicts["task0"].best_set == ("AutoGluon",)
    assert found.overall.best == "AutoGluon"


def test_a_failed_fold_is_missing_and_the_others_of_its_task_are_compared(tmp_path):
    (tmp_path / "results.csv").write_text(amlb(TASKS, failed={("task2", "H2O", 3)}))
    found = judge(tmp_path)
    assert set(found.verdicts) == set(TASKS)
    assert any("H2O 1" in note and "1 split left out for all models" in note for note in found.understanding.left_out)
    with pytest.raises(InvalidInput, match=r"the score of 'H2O' on split .* of task2 is missing"):
        judge(tmp_path, missing="refuse")
    worst = judge(tmp_path, missing="worst")
    assert worst.verdicts["task2"].means["H2O"] < found.verdicts["task2"].means["H2O"]


def test_metrics_of_different_size_are_compared_by_their_signs(tmp_path):
    (tmp_path / "results.csv").write_text(amlb(TASKS | {"multi": "neg_logloss", "cars": "neg_rmse"}))
    found = judge(tmp_path)
    assert found.overall.test == "sign"
    assert found.understanding.higher_is_better
    with pytest.raises(InvalidInput, match="a margin needs tasks with one metric"):
        judge(tmp_path, margin=0.01)


def test_constraints_tell_models_apart(tmp_path):
    (tmp_path / "results.csv").write_text(amlb(TASKS, constraints=("1h", "4h")))
    assert len(judge(tmp_path).understanding.models) == 6


def tabarena(split, metric=True):
    head = ["method", "dataset", split, *(["metric"] if metric else []), "metric_error", "time_train_s"]
    rng = np.random.default_rng(1)
    rows = [
        [m, f"d{d}", str(s), *(["roc_auc"] if metric else []), f"{0.1 + error + 0.01 * rng.random():.5f}", "3.2"]
        for m, error in (("RealMLP", 0.0), ("LightGBM", 0.05))
        for d in range(6)
        for s in range(3)
    ]
    return "\n".join(",".join(row) for row in [head, *rows])


def test_tabarena_errors_are_lower_for_better(tmp_path):
    (tmp_path / "t.csv").write_text(tabarena("fold"))
    found = judge(tmp_path)
    assert found.understanding.measures["d0"] == "roc_auc_error"
    assert not found.understanding.higher_is_better
    assert found.overall.best == "RealMLP"
    assert found.verdicts["d0"].better == "RealMLP"


def test_seeds_alone_are_no_folds(tmp_path):
    (tmp_path / "t.csv").write_text(tabarena("seed", metric=False))
    found = judge(tmp_path)
    assert (found.overall.best, found.verdicts) == ("RealMLP", {})
    assert any("d0: no verdict on its 3 splits" in text for text in found.understanding.left_out)
    with pytest.raises(InvalidInput, match="differ in their seed alone"):
        judge(tmp_path, tasks=["d0"])
    assert judge(tmp_path, tasks=["d0"], options=Options(n_train=90, n_test=10)).main.test == "corrected_resampled_t"
    assert judge(tmp_path, tasks=["d0"], options=Options(runs=1)).main.design == "3-fold cross-validation"
