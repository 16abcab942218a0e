"""Three and more models on several tasks: a verdict each and one over tasks, whatever wrote the logs."""

import json

import numpy as np
import pytest

from foldwise.cli.main import main
from foldwise.comparison import judge

SKILLS = {"acme/alpha": 0.9, "acme/beta": 0.5, "acme/gamma": 0.55}


def helm(folder):
    rng = np.random.default_rng(4)
    for model, skill in SKILLS.items():
        for subject in ("law", "art"):
            run = folder / f"mmlu:subject={subject},model={model.replace('/', '_')}"
            run.mkdir()
            spec = {"name": f"mmlu:subject={subject},model={model}", "adapter_spec": {"model": model}}
            (run / "run_spec.json").write_text(json.dumps(spec))
            stats = [
                {
                    "instance_id": f"id{i}",
                    "train_trial_index": 0,
                    "stats": [{"name": {"name": "exact_match", "split": "test"}, "mean": float(rng.random() < skill)}],
                }
                for i in rng.permutation(80)
            ]
            (run / "per_instance_stats.json").write_text(json.dumps(stats))


def openai(folder):
    rng = np.random.default_rng(4)
    for model, skill in SKILLS.items():
        for task in ("law", "art"):
            events = [{"spec": {"completion_fns": [model], "eval_name": task, "base_eval": task}}]
            events += [
                {"run_id": "r", "event_id": i, "sample_id": f"{task}.{i}", "type": "match",
                 "data": {"correct": bool(rng.random() < skill), "expected": "x", "picked": "y"}}
                for i in range(80)
            ]  # fmt: skip
            lines = [*events, {"final_report": {}, "run_id": "r"}]
            (folder / f"{model.replace('/', '_')}-{task}.jsonl").write_text("\n".join(map(json.dumps, lines)))


@pytest.mark.parametrize("write", [helm, openai])
def test_a_verdict_per_task_and_one_over_tasks(tmp_path, write):
    write(tmp_path)
    found = judge(tmp_path)
    assert set(found.understanding.models) == set(SKILLS)
    assert len(found.verdicts) == 2
    for verdict in (*found.verdicts.values(), found.overall):
        assert verdict.best_set == ("acme/alpha",)
    assert found.overall.evidence.values.shape == (3, 160)
    means = np.mean([[verdict.means[name] for name in SKILLS] for verdict in found.verdicts.values()], axis=0)
    assert [found.overall.means[name] for name in SKILLS] == pytest.approx(means.tolist())


def test_fifty_subtasks_are_one_verdict_over_all_items(tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        f"{model},mmlu_{task},q{i},{int(rng.random() < skill)}"
        for model, skill in SKILLS.items()
        for task in range(50)
        for i in range(4)
    ]
    (tmp_path / "items.csv").write_text("model,task,item,correct\n" + "\n".join(rows))
    found = judge(tmp_path)
    assert (len(found.verdicts), found.overall.best_set) == (50, ("acme/alpha",))


def test_rows_that_may_be_two_things_on_the_command_line(tmp_path, capsys):
    (tmp_path / "w.csv").write_text("name,a,b\n" + "\n".join(f"d{i},0.{i}1,0.{i}5" for i in range(1, 9)))
    with pytest.raises(SystemExit) as left:
        main(["judge", str(tmp_path / "w.csv")])
    out, err = capsys.readouterr()
    assert (left.value.code, out) == (2, "")
    assert (
        "may be data sets (--rows tasks), or test items (--rows items), or splits of one data set (--rows splits)"
        in err
    )
    main(["judge", str(tmp_path / "w.csv"), "--rows", "tasks", "--lower-is-better"])
    assert "a is better" in capsys.readouterr().out
