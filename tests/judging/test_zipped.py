"""A zip archive of results is judged as the folder that was packed, and nothing in it reaches beyond."""

from __future__ import annotations

import io
import json
import stat
import tempfile
import warnings
import zipfile
from pathlib import Path

import pytest

from foldwise.cli.main import main
from foldwise.comparison import explain, judge
from foldwise.core.errors import InvalidInput, LimitExceeded
from foldwise.reading import archives

HARNESSES = Path(__file__).parents[1] / "reference" / "harnesses"
LM_EVAL, INSPECT = HARNESSES / "lm_eval", HARNESSES / "inspect"
TABLE = "item,a,b\n" + "".join(f"i{i},{i % 3},{i % 2}\n" for i in range(20))


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Where temporary files go; nothing may be left there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def packed(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def folder_in(path, folder, prefix=""):
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return packed(path, {prefix + file.relative_to(folder).as_posix(): file.read_bytes() for file in files})


@pytest.mark.parametrize("prefix", ["", "lm_eval/"])
def test_it_is_judged_as_the_folder_that_was_packed(prefix, tmp_path, capsys):
    path = folder_in(tmp_path / "logs.zip", LM_EVAL, prefix)
    assert str(judge(path)) == str(judge(LM_EVAL))
    main(["judge", str(path), "--json"])
    understood = json.loads(capsys.readouterr().out)["understood"]
    assert any("adjusted for 2 tasks" in note for note in understood["left_out"])  # which only a verdict knows
    assert {**understood, "left_out": []} == explain(LM_EVAL).to_dict()


def test_archives_among_other_paths_and_under_a_glob(tmp_path):
    models = sorted(folder for folder in LM_EVAL.iterdir() if folder.is_dir())
    for number, folder in enumerate(models):
        folder_in(tmp_path / f"part{number}.zip", folder, f"{folder.name}/")
    whole = explain(LM_EVAL).to_dict()
    assert explain(tmp_path / "part*.zip").to_dict() == whole
    assert explain([models[0].parent / models[0].name, tmp_path / "part1.zip"]).to_dict()["models"] == whole["models"]


def test_one_table_in_an_archive(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    path = packed(tmp_path / "t.zip", {"t.csv": TABLE, "__MACOSX/t.csv": "x", ".hidden/t.csv": "y", "notes/": ""})
    assert str(judge(path, rows="items")) == str(judge(tmp_path / "t.csv", rows="items"))


def test_logs_and_workbooks_that_are_archives_stay_what_they_are():
    log = next((INSPECT / "eval").glob("*.eval"))
    assert not archives.is_zip_of_files(log)
    assert explain(INSPECT / "eval").formats


def test_archives_in_a_folder_are_passed_over_as_before(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    packed(tmp_path / "more.zip", {"u.csv": TABLE})
    assert explain(tmp_path, rows="items").passed_over == ("more.zip",)


@pytest.mark.parametrize("name", ["../../out.csv", "/out.csv", "C:\\out.csv", "a/../../../out.csv", "..\\out.csv"])
def test_names_lead_nowhere_else(name, tmp_path):
    path, into = packed(tmp_path / "evil.zip", {name: TABLE}), tmp_path / "into"
    folder = archives.unpack(path, into)
    (found,) = [file for file in into.rglob("*") if file.is_file()]
    assert found.is_relative_to(folder)
    assert found.name.endswith("out.csv")
    assert sorted(tmp_path.glob("*.csv")) == []


def test_links_are_not_made_and_equal_names_do_not_overwrite_each_other(tmp_path):
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        for content in ("one", "two"):
            with pytest.warns(UserWarning, match="Duplicate name") if content == "two" else io.BytesIO():
                archive.writestr("same.csv", content)
    folder = archives.unpack(path, tmp_path / "into")
    assert not (folder / "link.csv").is_symlink()
    assert sorted(file.read_text() for file in folder.rglob("same.csv")) == ["one", "two"]


def test_two_archives_of_one_name(tmp_path):
    into = tmp_path / "into"
    folders = {archives.unpack(packed(tmp_path / "x.zip", {"t.csv": str(i)}), into) for i in range(3)}
    assert sorted((folder / "t.csv").read_text() for folder in folders) == ["0", "1", "2"]
    assert {folder.name for folder in folders} == {"x"}


def test_what_it_unpacks_to_is_bounded_whatever_it_says(tmp_path, monkeypatch, refused):
    path = packed(tmp_path / "bomb.zip", {"a.csv": TABLE, "b.csv": "0\n" * 100_000})
    monkeypatch.setattr(archives, "MOST_TOGETHER", 100_000)
    assert "bomb.zip unpacks to more than 0 MB, the limit" in refused(path)
    monkeypatch.setattr(archives, "MOST_MEMBERS", 1)
    assert "bomb.zip holds 2 files, more than the limit of 1" in refused(path)


def test_a_size_that_is_a_lie_is_not_believed(tmp_path):
    path = packed(tmp_path / "lie.zip", {"a.csv": "0\n" * 100_000})
    raw = bytearray(path.read_bytes())
    place = raw.rindex(b"PK\x01\x02") + 24  # the size that the directory states
    raw[place : place + 4] = (10).to_bytes(4, "little")
    path.write_bytes(raw)
    try:
        folder = archives.unpack(path, tmp_path / "into")
    except (InvalidInput, LimitExceeded):
        return
    assert sum(file.stat().st_size for file in folder.rglob("*.csv")) <= 10


@pytest.mark.parametrize(("damage", "message"), [
    (lambda raw: raw[:-30], "x.zip must be a whole archive, but it can't be unpacked"),
    (lambda raw: raw[:60] + bytes(20) + raw[80:], "x.zip must be a whole archive, but it can't be unpacked"),
    (lambda raw: b"PK\x03\x04", "x.zip must be a whole archive, but it can't be unpacked"),
])  # fmt: skip
def test_damaged_archives_are_refused(damage, message, tmp_path, refused):
    path = packed(tmp_path / "x.zip", {"t.csv": TABLE})
    path.write_bytes(damage(path.read_bytes()))
    assert message in refused(path)


def test_a_password_an_empty_archive_and_one_without_results(tmp_path, refused):
    path = packed(tmp_path / "x.zip", {"t.csv": TABLE})
    raw = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(mark) + offset] |= 1
    path.write_bytes(raw)
    assert "password required" in refused(path)
    assert "no file with results" in refused(packed(tmp_path / "empty.zip", {".hidden": "x"}))
    assert "format not recognised, and no table" in refused(packed(tmp_path / "other.zip", {"a.bin": b"\0\1\2"}))


def test_names_that_the_disk_does_not_take_are_a_sentence(tmp_path, refused):
    assert "long.zip can't be unpacked" in refused(packed(tmp_path / "long.zip", {"x" * 300 + ".csv": TABLE}))
    both = packed(tmp_path / "both.zip", {"a": TABLE, "a/b.csv": TABLE})
    assert "both.zip can't be unpacked" in refused(both)


def test_members_of_one_name_are_unpacked_in_proportion_to_their_number(tmp_path, monkeypatch):
    """Each looked for a free name among all before it: 4,000 took a minute."""
    looked = []
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path, **how: looked.append(path) or exists(path, **how))
    counts = []
    for n in (50, 100):
        path = tmp_path / f"{n}.zip"
        with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that names are the same
            for i in range(n):
                archive.writestr("same.csv", str(i))
        before = len(looked)
        folder = archives.unpack(path, tmp_path / str(n))
        counts.append(len(looked) - before)
        assert sorted(int(file.read_text()) for file in folder.rglob("*.csv")) == list(range(n))
    assert counts[1] <= 2.1 * counts[0]
