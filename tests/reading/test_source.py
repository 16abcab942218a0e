"""Files with results: found, looked at, opened within limits."""

import gzip
import os

import pytest

from foldwise.core.errors import DataNotFound, InvalidInput, LimitExceeded
from foldwise.reading import find_sources, source


def test_folders_globs_and_files_give_each_file_once(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("a.jsonl", "deep/b.jsonl", ".hidden"):
        (tmp_path / name).write_text("{}")
    found = find_sources([tmp_path, tmp_path / "a.jsonl", str(tmp_path / "*.jsonl")])
    assert [one.name for one in found] == ["a.jsonl", "deep/b.jsonl"]


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "secret.jsonl"
    inside.mkdir()
    outside.write_text("{}")
    (inside / "real.jsonl").write_text("{}")
    (inside / "link.jsonl").symlink_to(outside)
    assert [one.name for one in find_sources([inside])] == ["real.jsonl"]


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(DataNotFound, match="no file or folder"):
        find_sources([tmp_path / "nothing"])
    with pytest.raises(DataNotFound, match="no file with results"):
        find_sources([tmp_path])


def test_a_folder_of_too_many_files_is_refused_before_any_is_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "MOST_FILES", 3)
    for i in range(5):
        (tmp_path / f"{i}.json").write_text("{}")
    with pytest.raises(LimitExceeded, match="more than 3 files"):
        find_sources([tmp_path])


def test_packed_files_are_read_within_the_limit(tmp_path, monkeypatch):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(b"line\n" * 1000))
    (found,) = find_sources([path])
    assert len(list(found.lines())) == 1000
    assert found.stem == "log.jsonl"
    monkeypatch.setattr(source, "MOST_UNPACKED", 100)
    with pytest.raises(LimitExceeded, match="unpacks to more than"):
        list(found.lines())


def test_a_damaged_packed_file_is_one_sentence(tmp_path):
    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(gzip.compress(os.urandom(5000))[:2000])
    (found,) = find_sources([path])
    with pytest.raises(InvalidInput, match="whole gzip file"):
        found.content()


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"fine\n\xff\xfe\n")
    (found,) = find_sources([path])
    with pytest.raises(InvalidInput, match=r"text in UTF-8, got byte 0xff"):
        list(found.lines())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1 << 18])
def test_lines_come_whole_however_they_are_cut(tmp_path, monkeypatch, size):
    monkeypatch.setattr(source, "BLOCK", size)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "é one\r\n\n😀 two\nlast".encode())
    (found,) = find_sources([path])
    assert list(found.lines()) == ["é one\r\n", "\n", "😀 two\n", "last\n"]
    assert all(block.endswith("\n") for block in found.blocks())
