"""What a killed process left in the folder for temporary files is removed by the next one; what others use is not."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import foldwise
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


def without_privileges():
    """Root may write where permissions say no, until it gives that up; nobody else may in the first place."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP: after exec they are gone


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="root gives up what it may on Linux only")
def test_a_package_that_nobody_may_write_to_works_without_a_home(tmp_path):
    package, work = tmp_path / "site" / "foldwise", tmp_path / "work"
    shutil.copytree(Path(foldwise.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    work.mkdir()
    (tmp_path / "home").mkdir()
    for place in (tmp_path / "home", package.parent, package, *package.rglob("*")):
        place.chmod(0o555 if place.is_dir() else 0o444)
    own = {name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    own |= {"PYTHONPATH": str(package.parent), "HOME": str(tmp_path / "home" / "none")}
    code = "import foldwise, sys; print(foldwise.__file__); from foldwise.cli.start import main; sys.exit(main())"
    words = "compare nb c45 --data iris --runs 1 --folds 3 --jobs 2 --html out.html"  # kernels, workers and pictures
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, *words.split()], cwd=work, env=own, preexec_fn=without_privileges,
            capture_output=True, text=True, timeout=500,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(str(package))
        assert "Traceback" not in done.stderr
        assert [path.name for path in work.iterdir()] == ["out.html"]
        assert not list(package.rglob("__pycache__"))  # it could not write there, indeed
    finally:
        for place in (package.parent, package, *(path for path in package.rglob("*") if path.is_dir())):
            place.chmod(0o755)
