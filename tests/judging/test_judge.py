"""One door: files in, what was understood and a verdict out, in Python and on the command line."""

import json
from pathlib import Path

import numpy as np
import pytest

import foldwise as fw
from foldwise.cli.main import main
from foldwise.comparison import explain, judge
from foldwise.core.errors import InvalidInput, UnknownName

HARNESSES = Path(__file__).parents[1] / "reference" / "harnesses"
LM_EVAL, INSPECT = HARNESSES / "lm_eval", HARNESSES / "inspect" / "eval"


@pytest.fixture
def run(capsys):
    """Call the command; returns (exit code, stdout, stderr)."""

    def call(*words):
        code = 0
        try:
            main(["judge", *map(str, words)])
        except SystemExit as left:
            code = left.code
        return code, *capsys.readouterr()

    return call


def test_right_and_wrong_of_a_harness_is_mcnemar_on_its_own_means():
    found = judge(LM_EVAL, metric="acc")
    verdict = found.main
    assert (verdict.test, verdict.better) == ("mcnemar", "acme/alpha-7b")
    reported = [
        json.loads(path.read_text())["results"]["ferry_choice"]["acc,none"]
        for path in sorted(LM_EVAL.rglob("results*"))
    ]
    assert list(verdict.pairs[0].means) == pytest.approx(reported)


def test_several_tasks_have_a_verdict_each_and_one_together():
    found = judge(LM_EVAL)
    assert set(found.verdicts) == {"ferry_choice", "sums_free"}
    assert found.overall is found.main
    n = {task: len(verdict.evidence.differences) for task, verdict in found.verdicts.items()}
    assert len(found.overall.evidence.differences) == sum(n.values()) == 70
    estimates = [verdict.estimate for verdict in found.verdicts.values()]
    assert found.overall.estimate == pytest.approx(np.mean(estimates))  # each task counts once
    weighed = sum(n[task] * verdict.estimate for task, verdict in found.verdicts.items()) / 70
    assert judge(LM_EVAL, options=fw.Options(over="items")).overall.estimate == pytest.approx(weighed)


def test_clusters_of_a_harness_are_taken_when_asked_for():
    assert judge(LM_EVAL, metric="acc", groups="passage").main.test == "clustered_difference"
    with pytest.raises(UnknownName, match="Known: passage"):
        judge(LM_EVAL, metric="acc", groups="topic")


def test_epochs_are_averaged_within_the_sample():
    verdict = judge(INSPECT, missing="worst").main
    assert verdict.evidence.n == 12
    assert verdict.test == "paired_t"
    (missing,) = (one for one in verdict.reading if one.what == "missing")
    assert missing.how == "declared"
    assert "each missing value counts as the worst possible value, 0" in missing.value
    assert "alpha 1, mockllm/beta 10" in missing.value
    complete = judge(
        INSPECT, options=fw.Options(inner=True)
    ).main  # an item counts where all its epochs have a score for both
    assert complete.evidence.n == 5


def test_the_order_of_paths_turns_the_sign_only():
    alpha, beta = sorted(INSPECT.glob("*.eval"))
    one, other = (judge(paths, missing="worst").main for paths in ([alpha, beta], [beta, alpha]))
    assert one.estimate == pytest.approx(-other.estimate)
    assert one.pvalue == pytest.approx(other.pvalue)
    assert one.better == other.better


def test_a_killed_run_has_too_few_items_in_common_only_by_its_trials(tmp_path):
    found = judge([HARNESSES / "inspect" / "killed", sorted(INSPECT.glob("*.eval"))[0]], options=fw.Options(inner=True))
    assert any("ended as 'started'" in text for text in found.understanding.left_out)


def test_fewer_trials_are_not_missing_ones(tmp_path):
    rows = [f"{m},q{q},{t},{(q + t) % 3 / 2}" for m in "ab" for q in range(12) for t in range(1 + q % 2)]
    (tmp_path / "items.csv").write_text("model,item,trial,score\n" + "\n".join(rows))
    verdict = judge(tmp_path).main
    assert verdict.estimate == 0
    assert not any("are left out" in text for text in verdict.caveats)


def test_splits_of_a_long_table_are_scores(tmp_path):
    rng = np.random.default_rng(0)
    rows = [
        f"{data},{model},{run},{fold},{0.8 + 0.1 * (model == 'a') + 0.01 * rng.normal():.4f}"
        for data in ("iris", "wine", "glass", "vowel", "zoo", "sonar")
        for model in "ab"
        for run in (1, 2)
        for fold in range(5)
    ]
    (tmp_path / "long.csv").write_text("dataset,model,run,fold,accuracy\n" + "\n".join(rows))
    found = judge(tmp_path / "long.csv")
    assert set(found.verdicts) == {"iris", "wine", "glass", "vowel", "zoo", "sonar"}
    assert found.verdicts["iris"].test == "corrected_repeated_cv_t"
    assert found.overall.best == "a"


def test_one_value_per_task_is_a_table(tmp_path):
    rows = [f"d{i},{model},{0.5 + i / 100 + (model == 'b') / 50}" for i in range(8) for model in "abc"]
    (tmp_path / "t.csv").write_text("dataset,model,accuracy\n" + "\n".join(rows))
    assert judge(tmp_path).main.best == "b"
    (tmp_path / "t.csv").write_text("dataset,model,accuracy\nd,a,0.5\nd,b,0.4\n")
    with pytest.raises(InvalidInput, match="at least two tasks"):
        judge(tmp_path)


def test_three_models_are_compared_together(tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        f"{m},q{q},{int(rng.random() < skill)}"
        for m, skill in zip("abc", (0.9, 0.5, 0.9), strict=True)
        for q in range(200)
    ]
    (tmp_path / "items.csv").write_text("model,item,correct\n" + "\n".join(rows))
    found = judge(tmp_path).main
    assert found.best_set == ("a", "c")
    assert {(pair.a, pair.b) for pair in judge(tmp_path, options=fw.Options(control="b")).main.pairs} == {
        ("b", "a"),
        ("b", "c"),
    }


def test_public_names():
    assert fw.judge is judge
    assert explain(LM_EVAL).tasks == ("ferry_choice", "sums_free")


def test_the_command_says_the_verdict_and_then_what_it_understood(run):
    code, out, _ = run(LM_EVAL, "--metric", "acc")
    assert code == 0
    verdict, understood = out.split("What was understood:")
    assert "lm-evaluation-harness (6 files)" in understood
    assert "acc_norm" in understood
    assert verdict.startswith("acme/alpha-7b vs acme/beta-7b on ferry_choice")


def test_explain_stops_before_the_verdict(run):
    code, out, _ = run(LM_EVAL, "--explain")
    assert code == 0
    assert " vs " not in out


def test_json_has_all_verdicts(run):
    content = json.loads(run(LM_EVAL, "--json")[1])
    assert content["schema"] == "foldwise/2"
    assert set(content["verdicts"]) == {"ferry_choice", "sums_free"}
    assert content["understood"]["models"] == ["acme/alpha-7b", "acme/beta-7b"]


ROLES = ("--candidate", "acme/alpha-7b", "--baseline", "acme/beta-7b")


def test_a_pipeline_stops_at_the_door_too(run):
    words = ("--margin", "1pt", "--fail-if", "not-better", "--markdown")
    code, out, err = run(LM_EVAL, "--metric", "acc", *ROLES, *words)
    assert (code, err) == (0, "")
    assert "acme/alpha-7b" in out
    assert "| --- |" in out.replace(":", "") or "|---" in out.replace(" ", "")
    turned = ["--model", ROLES[3], "--model", ROLES[1]]
    code, _, err = run(LM_EVAL, "--metric", "acc", *turned, "--fail-if", "worse")
    assert code == 1
    assert "acme/beta-7b" in err


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["nowhere"], "no file or folder nowhere"),
        ([LM_EVAL, "--metric", "blue"], "unknown metric 'blue'"),
        ([LM_EVAL, "--model", "acme/alpha-7b"], "got only 'acme/alpha-7b'"),
        ([LM_EVAL, "--control", "acme/alpha-7b"], "control is for three and more models"),
        ([LM_EVAL, "--explain", "--fail-if", "worse"], "has nothing to judge"),
        ([LM_EVAL, "--fail-if", "inferior"], "needs --margin"),
        ([INSPECT, "--missing", "refuse"], "is missing (in all: mockllm/alpha 1"),
    ],
)
def test_bad_input_is_one_sentence(run, words, match):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert match in err
