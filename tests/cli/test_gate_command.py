"""``foldwise gate``: by exit code, from files, folders and tables, with settings and in GitHub Actions."""

import json
import sys

import numpy as np
import pytest
import warm

MARGIN = ("--margin", "5pt")


def write(path, share, *, n=400, tasks=1, seed=0):
    """Right and wrong answers of one model; the first `share` of every hundred are right."""
    path.parent.mkdir(exist_ok=True)
    order = np.random.default_rng(seed).permutation(n)
    rows = [f"q{i},t{i % tasks},{int(order[i] % 100 < 100 * share)}" for i in range(n)]
    path.write_text("item,task,correct\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Files of an old model, one as good and one worse."""
    monkeypatch.chdir(tmp_path)
    return {name: write(tmp_path / f"{name}.csv", share)
            for name, share in {"old": 0.80, "same": 0.80, "worse": 0.60, "close": 0.79}.items()}  # fmt: skip


@pytest.mark.parametrize(
    ("new", "margin", "code", "word"),
    [
        ("same", "5pt", 0, "passed"),
        ("worse", "5pt", 1, "failed"),
        ("close", "1.5pt", 3, "inconclusive"),
    ],
)
def test_two_files_pass_fail_or_leave_it_open(run, models, new, margin, code, word):
    found, out, err = run("gate", "--candidate", f"{new}.csv", "--baseline", "old.csv", "--margin", margin)
    assert found == code
    assert f"Gate {word}:" in out
    assert (f"foldwise: Gate {word}:" in err) == (code != 0)  # a gate that passes is quiet
    kept = json.loads(
        run("gate", "--candidate", f"{new}.csv", "--baseline", "old.csv", "--margin", margin, "--json")[1]
    )
    assert (kept["result"], kept["finding"], kept["exit_code"]) == ("gate", word, code)
    assert kept["answer"]["understood"]["models"] == [new, "old"]


def test_what_is_inconclusive_says_how_many_items_would_decide(run, models):
    _, _, err = run("gate", "--candidate", "close.csv", "--baseline", "old.csv", "--margin", "1.5pt")
    assert "times as many items (some " in err
    assert "instead of 400) would decide with a probability of 80 %" in err


def test_folders_and_tables_are_taken_by_place_and_by_name(run, models, tmp_path):
    for name in ("new", "old"):
        write(tmp_path / name / "results.csv", 0.8)
    assert run("gate", "--candidate", "new", "--baseline", "old", *MARGIN)[0] == 0
    assert run("gate", "same.csv", "old.csv", "--candidate", "same", "--baseline", "old", *MARGIN)[0] == 0


def test_files_of_one_name_in_the_folders_of_two_models_are_tasks(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, shares in {"new": (0.9, 0.9), "old": (0.6, 0.7)}.items():
        for task, share in zip(("easy", "hard"), shares, strict=True):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / f"{task}.jsonl").write_text(
                "".join(json.dumps({"id": i, "correct": int(i % 100 < 100 * share)}) + "\n" for i in range(300))
            )
    limits = ("--margin", "1pt", "--task-margin", "3pt")
    code, out, _ = run("gate", "--candidate", "new", "--baseline", "old", *limits)
    assert code == 0
    words = " ".join(out.split())
    assert "not to be worse than old by more than 1 point, and on each of 2 tasks not by more than 3 points" in words
    assert "Assumed: each folder is a model, and each file in it a task." in words
    kept = json.loads(run("judge", tmp_path, "--json")[1])
    assert kept["understood"]["models"] == ["new", "old"]
    assert kept["understood"]["tasks"] == ["easy", "hard"]
    assert run("gate", "--candidate", "old", "--baseline", "new", *limits)[0] == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("gate", "new.csv", "old.csv"), "Try: foldwise gate --candidate new.csv --baseline old.csv"),
        (("gate", "all.csv", "--baseline", "old"), "Try: foldwise gate all.csv --candidate NEW --baseline old"),
        (("leaderboard", "all.csv", "--fail-if", "worse"), "foldwise gate PATH --candidate NEW --baseline OLD"),
    ],
)
def test_a_gate_asked_in_another_way_is_answered_with_the_right_command(run, asked, said):
    code, _, err = run(*asked)
    assert code == 2
    assert said in err


def test_who_is_shown_to_be_better_is_said_to_be(run, models):
    for asked in ((), ("--fail-if", "not-better")):
        code, out, _ = run("gate", "--candidate", "old.csv", "--baseline", "worse.csv", *asked)
        assert code == 0
        assert "Gate passed: old is better than worse (" in " ".join(out.split())
    code, _, err = run("judge", "worse.csv", "old.csv", "--candidate", "worse.csv", "--baseline", "old.csv",
                       "--fail-if", "worse")  # fmt: skip
    assert code == 1
    assert "worse is worse than old" in err


def test_without_a_margin_nothing_passes_that_is_not_shown_to_be_better(run, models):
    words = ("gate", "--candidate", "close.csv", "--baseline", "old.csv")
    code, out, _ = run(*words)
    assert code == 3
    told = " ".join(out.split())
    assert "Gate inconclusive: close is not shown to be better than old" in told
    assert "With a margin (--margin 1pt) the gate asks whether it is not worse by more than that." in told
    assert run("gate", "--candidate", "worse.csv", "--baseline", "old.csv")[0] == 1
    assert run(*words, "--fail-if", "not-better")[0] == 3
    code, out, _ = run(*words, "--fail-if", "worse")  # who asks for this lets pass what is not shown
    assert code == 0
    assert "Gate passed: close is not shown to be worse than old" in " ".join(out.split())


def test_without_a_margin_the_mean_of_tasks_must_be_better_and_no_task_worse(run, tmp_path):
    def asked(old_on_last):
        rows = [f"{model},{task},{i},{int(i < right)}" for model in ("new", "old")
                for task, right in (("a", 90 if model == "new" else 60), ("b", 70 if model == "new" else 68),
                                    ("c", 70 if model == "new" else old_on_last)) for i in range(100)]  # fmt: skip
        (tmp_path / "t.csv").write_text("model,task,item,score\n" + "\n".join(rows) + "\n")
        return run("gate", tmp_path / "t.csv", "--candidate", "new", "--baseline", "old")

    assert asked(70)[0] == 0  # two tasks show nothing alone
    code, _, err = asked(95)
    assert code == 1
    assert "new is worse than old on c" in err


def test_what_is_not_there_and_what_is_compared_with_itself_is_named(run, models):
    (models["old"].parent / "nothing").mkdir()
    (models["old"].parent / "void.csv").touch()
    for candidate, said in (("old.csv", "candidate and baseline must be different models, but both are old.csv"),
                            ("nothing", "there is no file with results in nothing"),
                            ("void.csv", "void.csv is empty")):  # fmt: skip
        code, out, err = run("gate", "--candidate", candidate, "--baseline", "old.csv", *MARGIN)
        assert (code, out) == (2, "")
        assert said in err


@pytest.mark.parametrize(("candidate", "told", "more"), [
    ("lazy", "1 task left out", ("--task", "a")), ("broken", "missing values: 36 items left out", ("--inner",)),
])  # fmt: skip
def test_who_lacks_a_task_or_some_items_does_not_pass_by_that(run, tmp_path, candidate, told, more):
    order = np.random.default_rng(1).permutation(200)
    rows = {"old": [f"{task},{i},{int(order[i] % 100 < 80)}" for task in "ab" for i in range(200)],
            "lazy": [f"a,{i},{int(order[i] % 100 < 95)}" for i in range(200)]}  # fmt: skip
    right = [row for row in rows["old"] if row.endswith(",1")]
    gains = {f"{task},{i},0" for task in "ab" for i in range(200) if order[i] % 5 == 0}  # where old is wrong
    rows["broken"] = [f"{row[:-1]}1" if row in gains else row for row in rows["old"]
                      if row not in {*right[:18], *right[-18:]}]  # fmt: skip
    for name, lines in rows.items():
        (tmp_path / f"{name}.csv").write_text("task,item,score\n" + "\n".join(lines) + "\n")
    words = (
        "gate",
        "--baseline",
        tmp_path / "old.csv",
        "--margin",
        "5pt",
        "--candidate",
        tmp_path / f"{candidate}.csv",
    )
    code, _, err = run(*words)
    assert code == 3
    assert f"{candidate} only passes where something is left out: {told}" in err
    files = (tmp_path / f"{candidate}.csv", tmp_path / "old.csv", "--candidate", candidate, "--baseline", "old")
    judged = ("judge", *files, "--margin", "5pt", "--fail-if", "not-noninferior")
    code, _, err = run(*judged)
    assert code == 3
    assert f"it only passes where something is left out: {told}" in err
    assert run(*judged, "--missing", "drop")[0] == 0
    assert run(*words, "--missing", "drop", *more)[0] == 0
    assert run(*words, "--missing", "worst")[0] in (1, 3)


def test_few_items_are_told_how_many_would_decide(run, tmp_path):
    for name in ("new", "old"):
        (tmp_path / f"{name}.csv").write_text("item,correct\n1,1\n2,1\n")
    code, _, err = run("gate", "--candidate", tmp_path / "new.csv", "--baseline", tmp_path / "old.csv", *MARGIN)
    assert code == 3
    assert "times as many items (some " in err
    assert "instead of 2) would decide" in err


def test_one_bad_task_fails_though_the_mean_passes(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = {"new": [], "old": []}
    for task, (new, old) in {"a": (95, 80), "b": (95, 80), "c": (50, 97)}.items():
        rows["new"] += [f"{task}{i},{task},{int(i % 100 < new)}" for i in range(200)]
        rows["old"] += [f"{task}{i},{task},{int(i % 100 < old)}" for i in range(200)]
    for name, lines in rows.items():
        (tmp_path / f"{name}.csv").write_text("item,task,correct\n" + "\n".join(lines) + "\n")
    words = ("gate", "--candidate", "new.csv", "--baseline", "old.csv", "--margin", "15pt", "--task-margin")
    code, _, err = run(*words, "20pt")
    assert code == 1
    assert "on c (" in err or "points on c" in err
    assert run(*words, "70pt")[0] == 0


def test_looks_share_the_level_and_the_same_evidence_is_one_look(run, models):
    words = ("gate", "--candidate", "same.csv", "--baseline", "old.csv", *MARGIN, "--history", "looks.jsonl", "--json")
    found = [json.loads(run(*words)[1])["look"] for _ in range(2)]
    assert [look["number"] for look in found] == [1, 1]
    assert [look["again"] for look in found] == [False, True]
    write(models["same"], 0.81)
    look = json.loads(run(*words)[1])["look"]
    assert (look["number"], look["alpha"]) == (2, 0.05 / 6)
    rows = [json.loads(line) for line in (models["old"].parent / "looks.jsonl").read_text().splitlines()]
    assert [row["look"] for row in rows] == [1, 2]
    code, _, err = run(*words, "--alpha", "0.1")
    assert code == 2
    assert "was begun with alpha 0.05" in err
    (models["old"].parent / "looks.jsonl").write_text("nonsense\n")
    code, _, err = run(*words)
    assert code == 2
    assert "line 1 has not" in err


def test_looks_at_the_same_time_are_different_looks(models):
    """Each process reads the number, judges, and writes before the next one reads."""
    folder = models["old"].parent
    for i in range(4):
        write(folder / f"n{i}.csv", 0.8, seed=1 + i)
    processes = [
        warm.Process(["-m", "foldwise", "gate", "--candidate", f"n{i}.csv", "--baseline", "old.csv", *MARGIN,
                      "--history", "looks.jsonl", "--json"], cwd=folder) for i in range(4)
    ]  # fmt: skip
    levels = [json.loads(process.communicate(timeout=120)[0])["look"]["alpha"] for process in processes]
    rows = [json.loads(line) for line in (folder / "looks.jsonl").read_text().splitlines()]
    assert [row["look"] for row in rows] == [1, 2, 3, 4]
    assert sorted(levels, reverse=True) == [row["alpha"] for row in rows]


def test_another_test_of_the_same_evidence_is_another_look(run, models):
    words = ("gate", "--candidate", "same.csv", "--baseline", "old.csv", "--history", "looks.jsonl", "--json")
    asked = [(*MARGIN,), (*MARGIN, "--rope", "2pt"), ("--margin", "3pt"), (*MARGIN, "--test", "mcnemar_exact")]
    assert [json.loads(run(*words, *more)[1])["look"]["number"] for more in asked] == [1, 1, 1, 2]


def test_a_history_of_other_models_is_named_and_shares_its_level_all_the_same(run, models):
    words = ("gate", "--baseline", "old.csv", *MARGIN, "--history", "looks.jsonl")
    strange = {"look": 1, "alpha_all": 0.05, "evidence": "x", "candidate": "dog", "baseline": "cat"}
    (models["old"].parent / "looks.jsonl").write_text(json.dumps(strange) + "\n")
    said = "those before are of other models (dog vs cat)"
    code, out, _ = run(*words, "--candidate", "worse.csv")
    assert code == 1
    assert said in " ".join(out.split())
    assert "look 2" in out
    assert said not in " ".join(run(*words, "--candidate", "same.csv")[1].split())  # the baseline was there before


ROW = '{{"look": {}, "alpha_all": 0.05, "evidence": "{}"}}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((ROW.format(look, "x"), "line 1 has not: look") for look in ("0", "-1", "1.5", "1e400", "true", "10000000")),
        (f"{ROW.format(1, 'x')}\n{ROW.format(1, 'y')}", "look 1 twice, of different evidence (the second in line 2)"),
        ("[" * 100_000, "line 1 has not"),
        ('{"look": 1', "line 1 has not"),
        ("[1]", "line 1 has not"),
    ],
)
def test_a_history_that_is_damaged_is_refused_and_kept(run, models, text, message):
    (models["old"].parent / "looks.jsonl").write_text(text)
    words = ("gate", "--candidate", "same.csv", "--baseline", "old.csv", *MARGIN, "--history", "looks.jsonl")
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert "begin another with a smaller alpha" in err.lower()
    assert (models["old"].parent / "looks.jsonl").read_text() == text


def test_a_gate_that_is_refused_leaves_no_history(run, models):
    words = ("gate", "--candidate", "same.csv", "--baseline", "old.csv", "--history", "looks.jsonl")
    assert run(*words, "--margin", "500")[0] == 2
    assert not (models["old"].parent / "looks.jsonl").exists()


def test_on_a_terminal_the_sentence_is_said_once_and_lines_break_between_words(run, models, monkeypatch):
    words = ("gate", "--candidate", "worse.csv", "--baseline", "old.csv", *MARGIN)
    code, out, err = run(*words)
    assert "worse is inferior to old" in " ".join(out.split())
    assert "worse is inferior to old" in err  # the two may go to different places
    monkeypatch.setenv("COLUMNS", "50")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert run(*words)[::2] == (code, "foldwise: gate failed, exit code 1\n")
    lines = run("judge", "old.csv", "worse.csv", "--column", "itm=x")[2].splitlines()
    assert len(lines) > 2
    assert all(len(line) <= 50 for line in lines)


def test_a_fault_of_ours_is_no_failure_of_the_model(run, models, monkeypatch):
    monkeypatch.setattr(sys.modules["foldwise.cli.gate"], "gate", lambda *given, **asked: 1 // 0)
    code, out, err = run("gate", "--candidate", "same.csv", "--baseline", "old.csv")
    assert (code, out) == (2, "")
    assert "ZeroDivisionError" in err
    assert "nothing was decided" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--candidate", "gone.csv", "--baseline", "old.csv"), "there is no gone.csv"),
        (("--candidate", "same.csv", "--baseline", "old.csv", "--margin", "1"), "below 1, the whole range"),
        (("--candidate", "same.csv", "--baseline", "old.csv", "--task-margin", "1pt"), "task_margin is for results on"),
        (("--candidate", "same.csv", "--baseline", "old.csv", "--fail-if", "inferior"), "needs a --margin"),
        (("--candidate", "same.csv"), "--candidate and --baseline must say who"),
        (("same.csv", "old.csv", "--candidate", "gone", "--baseline", "old"), "unknown candidate 'gone'"),
    ],
)
def test_bad_input_is_one_sentence(run, models, words, message):
    code, out, err = run("gate", *words)
    assert (code, out) == (2, "")
    assert message in err


def test_settings_of_the_project_are_used_said_and_overruled(run, models, tmp_path):
    (tmp_path / "foldwise.toml").write_text('[gate]\nmargin = "5pt"\nfail-if = ["not-noninferior"]\n')
    words = ("gate", "--candidate", "same.csv", "--baseline", "old.csv")
    code, out, err = run(*words)
    assert code == 0
    assert "foldwise: settings from foldwise.toml: --margin 5pt, --fail-if not-noninferior" in err
    assert "by more than 5 points" in " ".join(out.split())
    assert run(*words, "--margin", "0.1pt")[0] == 3
    (tmp_path / "foldwise.toml").unlink()
    (tmp_path / "pyproject.toml").write_text('[tool.other]\nx = 1\n[tool.foldwise.gate]\nmargin = "0.1pt"\n')
    assert run(*words)[0] == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gaet]\nmargin = 1", "settings for 'gaet', which is no command: did you mean 'gate'?"),
        ("[gate]\nmargn = 1", "no option --margn: did you mean 'margin'?"),
        ("gate = 3", "must have a table [gate]"),
        ("[gate]\ninner = 3", "must set 'inner' of gate to true or false"),
        ("[gate]\nmargin = [1, 2]", "must set 'margin' of gate to one value"),
        ("[gate", "can't be read"),
    ],
)
def test_settings_that_can_not_be_meant_are_refused(run, models, tmp_path, text, message):
    (tmp_path / "foldwise.toml").write_text(text)
    code, out, err = run("gate", "--candidate", "same.csv", "--baseline", "old.csv")
    assert (code, out) == (2, "")
    assert message in err


def test_a_job_of_github_gets_a_summary_outputs_and_a_line(run, models, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.setenv(name, str(tmp_path / name))
    code, out, err = run("gate", "--candidate", "worse.csv", "--baseline", "old.csv", *MARGIN, "--json")
    assert code == 1
    assert json.loads(out)["finding"] == "failed"
    assert (
        "::error title=foldwise gate%3A worse.csv::Gate failed: worse is inferior to old by more than 5 points" in err
    )
    assert "95 %25 CI" in err
    assert "**Gate failed: worse is inferior" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
    outputs = dict(line.split("=", 1) for line in (tmp_path / "GITHUB_OUTPUT").read_text().splitlines())
    assert outputs["finding"] == "failed"
    assert outputs["sentence"].startswith("Gate failed:")


def test_every_condition_is_told_to_github(run, models, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary"))
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "gone" / "output"))
    code, _, err = run("judge", "close.csv", "old.csv", "--candidate", "close", "--baseline", "old", "--fail-if",
                       "not-better")  # fmt: skip
    assert code == 3
    assert "::warning title=foldwise judge::close is not shown to be better than old" in err
    assert "times as many items (some " in err
    assert "::warning title=foldwise::the file of GITHUB_OUTPUT could not be written: No such file" in err
    assert "close vs old" in (tmp_path / "summary").read_text()


def test_no_name_of_a_model_is_a_command_to_github(run, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.chdir(tmp_path)
    names = ["x\n::error::a", "##[add-mask]b", "::stop-commands::c"]
    rows = [f"q{i},{i % 2},{i % 3 > 0:d},{i % 5 > 0:d}" for i in range(60)]
    (tmp_path / "m.csv").write_text("item," + ",".join(f'"{name}"' for name in names) + "\n" + "\n".join(rows))
    for words in (("judge", "m.csv"), ("judge", "m.csv", "--markdown"), ("judge", "m.csv", "--model", names[0])):
        _, out, err = run(*words)
        assert not [line for line in (out + err).splitlines() if line.lstrip().startswith(("::", "##["))]


def test_several_renderings_are_written_in_one_run(run, models, tmp_path):
    code, out, _ = run("gate", "--candidate", "same.csv", "--baseline", "old.csv", *MARGIN, "--html", "gate.html",
                       "--markdown")  # fmt: skip
    assert code == 0
    assert "**Gate passed:" in out
    assert "Gate passed:" in (tmp_path / "gate.html").read_text()
