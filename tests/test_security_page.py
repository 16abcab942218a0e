"""SECURITY.md: the numbers it states are those of the code, and the tests and options it names are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = " ".join((ROOT / "SECURITY.md").read_text(encoding="utf-8").split())


def test_every_test_file_it_names_is_there():
    named = re.findall(r"`((?:tests/\w+/)?test_\w+\.py)`", TEXT)
    assert len(named) >= 6
    for name in named:
        path = ROOT / (name if "/" in name else f"tests/web/{name}")
        assert path.is_file(), name


def test_every_option_of_the_page_that_it_names_is_one():
    from foldwise.cli.serve import command

    known = {option for parameter in command.params for option in parameter.opts}
    named = set(re.findall(r"`(--[\w-]+)`", TEXT))
    assert len(named) >= 5
    assert named <= known


def test_bounds_of_what_is_unpacked_are_those_of_the_readers():
    from foldwise.data import frames, loading, packed
    from foldwise.reading import archives, source

    stated = re.search(
        r"data set may unpack to (\d+) MB, .* a log to (\d+) GB, .* hold (\d+) million cells and unpack to (\d+) GB",
        TEXT,
    )
    megabytes, log, cells, unpacked = map(int, stated.groups())
    assert megabytes * 10**6 == loading.MOST_UNPACKED
    assert log * 2**30 == packed.MOST_UNPACKED == source.MOST_UNPACKED
    files, together = re.search(r"archive of results, up to ([\d,]+) files of (\d+) GB together", TEXT).groups()
    assert (int(files.replace(",", "")), int(together) * 2**30) == (archives.MOST_MEMBERS, archives.MOST_TOGETHER)
    assert (cells * 10**6, unpacked * 2**30) == (frames.MOST_CELLS, frames.MOST_BYTES)


@pytest.mark.parametrize("learner", ["os:system", "subprocess:check_output", "shutil:rmtree", "builtins:exec"])
def test_what_is_no_learner_is_refused_before_it_is_called(learner, tmp_path, monkeypatch):
    from foldwise.core.errors import FoldwiseError
    from foldwise.learners import create

    monkeypatch.chdir(tmp_path)
    with pytest.raises(FoldwiseError):
        create(f'{learner}("touch x")')
    with pytest.raises(FoldwiseError):
        create(f'{learner}(command="touch x")')
    assert list(tmp_path.iterdir()) == []


def test_data_are_never_code():
    """No reader, store or data set can evaluate or unpickle: the functions are not called in those rooms."""
    source = ROOT / "src" / "foldwise"
    for room in ("data", "reading", "engine/store", "comparison", "web"):
        for path in (source / room).rglob("*.py"):
            found = re.findall(r"(?<![\w.])(?:eval|exec)\(|pickle\.loads?\(|joblib\.load\(", path.read_text("utf-8"))
            assert not found or path.name == "child.py", (path, found)
