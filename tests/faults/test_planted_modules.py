"""Code that lies in the working folder is not run unless it is named: no process takes it for a module of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = ("foldwise", "numpy", "scipy", "sklearn", "numba", "click", "joblib", "cloudpickle", "narwhals", "matplotlib",
          "starlette", "uvicorn", "anyio", "jinja2", "usercustomize", "sitecustomize")  # fmt: skip


def plant(folder, names):
    """Put a module of each name into a folder; each notes that it was run, and ends the process."""
    for name in names:
        note = f"with open({str(folder / 'ran')!r}, 'a') as file: file.write({name!r} + '\\n')"
        (folder / f"{name}.py").write_text(f"import os\n{note}\nos._exit(9)\n")
    for name in ("predictions", "scores"):
        (folder / f"{name}.csv").write_text((EXAMPLES / f"{name}.csv").read_text())
    return folder


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A folder with a module of every name that Python or a package of ours has."""
    return plant(tmp_path_factory.mktemp("planted"), {*sys.stdlib_module_names, *OTHERS})


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The command as pip installs it: a script in a folder of its own."""
    path = tmp_path_factory.mktemp("bin") / "foldwise"
    path.write_text(
        "import sys\nfrom foldwise.cli.start import main\nif __name__ == '__main__':\n    sys.exit(main())\n"
    )
    return [sys.executable, str(path)]


@pytest.mark.parametrize(
    "words",
    [
        "compare nb c45 --data iris --jobs 2 --runs 1 --folds 3",  # a process that compiles ahead
        "compare sklearn.ensemble:RandomForestClassifier(n_estimators=2,n_jobs=2) nb --data iris --runs 1 --folds 3",
        "lab examine --help",
        "lab type1 --trials 25 --jobs 2 --tests mcnemar",  # workers
        "estimate nb --data iris --jobs 2",
        "scores scores.csv --html out.html",
        "predictions predictions.csv --kit kit",
    ],
)
def test_no_process_of_a_command_runs_them(planted, program, words, tmp_path):
    # an empty cache, so that kernels are compiled
    own = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([*program, *words.split()], cwd=planted, env=own, capture_output=True, text=True, timeout=500)
    assert not (planted / "ran").exists(), (planted / "ran").read_text()
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr


def test_a_module_that_is_named_brings_no_others_that_are_called_like_libraries(tmp_path, program):
    there = {name for name in (*sys.stdlib_module_names, *OTHERS) if find_spec(name) is not None}
    plant(tmp_path, there - {"__main__"})
    (tmp_path / "own.py").write_text("from sklearn.naive_bayes import GaussianNB\nclass Own(GaussianNB):\n    pass\n")
    words = "compare own:Own nb --data iris --jobs 2 --runs 1 --folds 3"
    done = subprocess.run([*program, *words.split()], cwd=tmp_path, capture_output=True, text=True, timeout=500)
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()
    assert done.returncode == 0, done.stderr


def test_no_process_of_the_page_runs_them(planted, program):
    pytest.importorskip("starlette")
    page = subprocess.Popen(
        [*program, "serve", "--port", "0", "--no-open"], cwd=planted, stdout=subprocess.PIPE, text=True
    )
    try:
        address = page.stdout.readline().split()[3]
        with urllib.request.urlopen(f"{address}plan", timeout=300) as answer:
            assert answer.status == 200
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and page.poll() is None:  # workers start meanwhile
            time.sleep(0.1)
        assert page.poll() is None
        assert not (planted / "ran").exists(), (planted / "ran").read_text()
    finally:
        page.send_signal(signal.SIGINT)
        page.communicate(timeout=60)
