"""Bad input at the one door: one sentence, exit code 2, nothing executed, nothing opened that was not given."""

import gzip
import io
import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from foldwise.cli.main import main
from foldwise.reading import inspect_ai, source

HARNESSES = Path(__file__).parents[1] / "reference" / "harnesses"
LM_EVAL, INSPECT = HARNESSES / "lm_eval", HARNESSES / "inspect"


@pytest.fixture
def logs(tmp_path):
    """A copy of real logs, to be damaged."""
    return Path(shutil.copytree(LM_EVAL, tmp_path / "logs"))


def samples(folder, model="alpha", task="ferry_choice"):
    return next(folder.glob(f"*{model}*/samples_{task}_*"))


def test_a_log_that_was_cut_off_names_its_line(logs, refused):
    path = samples(logs)
    path.write_text(path.read_text()[:-300])
    assert "line 40 must be whole JSON, but it is cut off or damaged" in refused(logs)


def test_an_archive_that_was_cut_off(tmp_path, refused):
    path = tmp_path / "log.eval"
    path.write_bytes(next((INSPECT / "eval").glob("*.eval")).read_bytes()[:-400])
    assert "log.eval must be a whole archive, but it is cut off or damaged" in refused(path)


def test_a_packed_log_that_was_cut_off(tmp_path, refused):
    path = tmp_path / "log.json.gz"
    path.write_bytes(next((INSPECT / "json").glob("*.gz")).read_bytes()[:-400])
    assert "must be a whole gzip file, but it is damaged" in refused(path)


def test_a_results_file_that_was_cut_off(logs, refused):
    path = next(logs.glob("*alpha*/results*"))
    path.write_text(path.read_text()[:-50])
    assert "must be whole JSON, but it is cut off or damaged" in refused(logs)


def test_mixed_versions_are_told(logs, capsys):
    path = next(logs.glob("*alpha*/results*"))
    content = json.loads(path.read_text())
    content["versions"]["ferry_choice"] = 7.0
    content["lm_eval_version"] = "0.4.2"
    path.write_text(json.dumps(content, indent=2))
    main(["judge", str(logs), "--task", "ferry_choice", "--explain"])
    out = capsys.readouterr().out
    assert "version: 7.0 (acme/alpha-7b), 1.0 (acme/beta-7b)" in out
    assert "lm_eval_version: 0.4.2 (acme/alpha-7b)" in out


def test_models_that_answered_different_items(logs, refused, capsys):
    path = samples(logs)
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:30]))
    err = refused(logs, "--task", "ferry_choice")
    assert "every model must have at least 90% of its values, but 'acme/alpha-7b' lacks 10 of 40 on ferry_choice" in err
    main(["judge", str(logs), "--task", "ferry_choice", "--inner"])
    assert (
        "missing values: acme/alpha-7b 10, acme/beta-7b 0; 10 items left out for all models" in capsys.readouterr().out
    )


def test_content_that_differs_under_one_key(logs, refused):
    path = samples(logs)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[3]["target_hash"] = "0" * 64
    path.write_text("\n".join(map(json.dumps, lines)))
    assert "is not the same question for 'acme/alpha-7b' and 'acme/beta-7b'" in refused(logs, "--task", "ferry_choice")


def test_an_archive_that_unpacks_to_gigabytes(tmp_path, refused, monkeypatch):
    monkeypatch.setattr(inspect_ai, "MOST_MEMBER", 10_000)
    monkeypatch.setattr(inspect_ai, "MOST_MEMBER_BYTES", 15_000)
    with zipfile.ZipFile(tmp_path / "bomb.eval", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("header.json", "{}")
        file.writestr("summaries.json", " " * 50_000)
    assert "summaries.json unpacks to more than" in refused(tmp_path / "bomb.eval")
    with zipfile.ZipFile(tmp_path / "many.eval", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_journal/start.json", "{}")
        for part in range(4):
            file.writestr(f"_journal/summaries/{part}.json", "[" + " " * 8000 + "]")
    assert "unpacks to more than" in refused(tmp_path / "many.eval")


def test_zstandard_that_unpacks_to_more_than_it_says(tmp_path, refused, monkeypatch):
    zstandard = pytest.importorskip("zstandard")
    monkeypatch.setattr(inspect_ai, "MOST_MEMBER", 1 << 20)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("header.json", "{}")
        file.writestr("summaries.json", zstandard.compress(bytes(100 << 20)))  # a few kilobytes, and says so
    raw = bytearray(buffer.getvalue())
    for sign, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        raw[raw.rfind(sign) + place] = 93
    (tmp_path / "bomb.eval").write_bytes(raw)
    assert len(raw) < 20_000
    assert "summaries.json unpacks to more than 1 MB, the limit" in refused(tmp_path / "bomb.eval")


def test_a_packed_file_that_unpacks_to_gigabytes(tmp_path, refused, monkeypatch):
    monkeypatch.setattr(source, "MOST_LINE", 100_000)
    path = tmp_path / "samples_x_2026-11-16T01-44-21.236066.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"doc_id": 1, "filter": "' + b"x" * 5_000_000))
    assert "unpacks to a line of more than" in refused(path)


def test_a_folder_of_too_many_files_is_not_even_listed(tmp_path, refused, monkeypatch):
    monkeypatch.setattr(source, "MOST_FILES", 50)
    for i in range(60):
        (tmp_path / f"{i}.json").touch()
    monkeypatch.setattr(source.SourceFile, "head", property(lambda self: pytest.fail("opened")))
    assert "holds more than 50 files, the limit: name fewer" in refused(tmp_path)


def test_folders_count_too(tmp_path, refused, monkeypatch):
    monkeypatch.setattr(source, "MOST_FILES", 20)
    for i in range(30):
        (tmp_path / f"d{i}").mkdir()
    assert "holds more than 20 files" in refused(tmp_path)


@pytest.mark.parametrize("glob", [False, True])
def test_no_link_leads_out_of_the_folder(logs, tmp_path, refused, monkeypatch, glob):
    secret = tmp_path / "secret"
    shutil.move(next(logs.glob("*alpha*")), secret)
    (logs / "acme__alpha-7b").symlink_to(secret)
    for path in secret.iterdir():
        (logs / path.name).symlink_to(path)
    opened = []
    monkeypatch.setattr(source.SourceFile, "_opened", _recording(opened))
    assert "at least two models" in refused(str(logs / "*") if glob else logs, "--explain")
    assert opened
    assert not [path for path in opened if path.resolve().is_relative_to(secret)]


def _recording(opened):
    original = source.SourceFile._opened

    def record(self):
        opened.append(self.path)
        return original(self)

    return record


def test_pipes_are_not_opened(logs, capsys):
    os.mkfifo(logs / "pipe.jsonl")
    main(["judge", str(logs), "--explain"])
    assert "6 files" in capsys.readouterr().out


def test_nothing_is_read_twice(logs, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(source.SourceFile, "_opened", _recording(opened))
    main(["judge", str(logs), str(logs / "*"), str(samples(logs)), "--explain"])
    # once to see what it is, and once to read it as a whole
    assert max(opened.count(path) for path in opened) <= 2
    opened.clear()
    table = tmp_path / "t.csv"
    table.write_text("dataset,a,b\n" + "\n".join(f"d{i},0.{i},0.{i + 1}" for i in range(1, 8)))
    main(["judge", str(table), "--explain"])
    assert len(opened) == 1


def test_no_code_in_a_file_is_executed(tmp_path, capsys):
    code = f"{{'C': __import__('pathlib').Path({str(tmp_path / 'ran')!r}).touch()}}"
    rows = [f'{i},"{code} # {i}",0.8,0.{80 + i},0.79' for i in range(2)]
    (tmp_path / "s.csv").write_text(",params,split0_test_score,split1_test_score,split2_test_score\n" + "\n".join(rows))
    main(["judge", str(tmp_path / "s.csv"), "--explain"])
    assert "scikit-learn search" in capsys.readouterr().out
    assert not (tmp_path / "ran").exists()


def test_pickles_are_of_no_known_format(tmp_path, refused):
    (tmp_path / "results.pkl").write_bytes(b"cos\nsystem\n(S'touch ran'\ntR.")
    assert "format not recognised, and no table" in refused(tmp_path)
