"""What a killed process left in the folder for temporary files is removed by the next one; what others use is not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from foldwise.core import files
from foldwise.core.files import temporary_folder

HOLD = (
    "from foldwise.core.files import temporary_folder\n"
    "with temporary_folder() as folder:\n"
    "    (folder / 'large').write_bytes(bytes(1000))\n"
    "    print(folder, flush=True)\n"
    "    input()\n"
)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(files, "_YOUNG", -1.0)
    return tmp_path


def holding(folder):
    own = {**os.environ, "TMPDIR": str(folder)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, "-c", HOLD], env=own, **pipes)
    return process, Path(process.stdout.readline().strip())


@pytest.mark.skipif(sys.platform == "win32", reason="needs flock")
def test_the_next_one_removes_what_a_killed_process_left_and_nothing_else(temporary):
    (temporary / "foldwise-of-somebody").mkdir()
    (temporary / "foldwise-file").write_text("x")
    killed, left = holding(temporary)
    living, used = holding(temporary)
    assert left.exists()  # both were alive
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    try:
        with temporary_folder() as own:
            assert not left.exists()
            assert (used / "large").exists()
            assert own.parent == temporary
        assert not own.exists()
        assert (temporary / "foldwise-of-somebody").exists()
        assert (temporary / "foldwise-file").exists()
    finally:
        living.communicate("\n")
    assert not used.exists()


def test_a_young_folder_is_left_alone(temporary, monkeypatch):
    monkeypatch.setattr(files, "_YOUNG", 60.0)
    (temporary / "foldwise-new").mkdir()
    (temporary / "foldwise-new" / ".lock").write_text("")
    with temporary_folder():
        assert (temporary / "foldwise-new").exists()
