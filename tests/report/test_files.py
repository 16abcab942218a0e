from __future__ import annotations

import errno
from pathlib import Path

import pytest

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole


@pytest.mark.usefixtures("without_pictures")
def test_reports_are_written_as_a_whole(tmp_path, scored):
    path = tmp_path / "out.html"
    path.write_text("before")
    path.chmod(0o640)
    scored.report(path)
    assert path.read_text(encoding="utf-8") == scored.to_html()
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in tmp_path.iterdir()] == ["out.html"]


def test_a_failure_leaves_what_was_there(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "out.html"
    path.write_text("before")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(InvalidInput, match="No space left on device"):
        write_whole(path, "half of it")
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["out.html"]


@pytest.mark.parametrize(("place", "reason"), [(".", "folder"), ("missing/out.html", "No such file")])
def test_bad_places_are_refused_in_one_sentence(tmp_path, place, reason):
    with pytest.raises(InvalidInput, match=f"must go to a file that can be written, got .*: .*{reason}"):
        write_whole(tmp_path / place, "text")
