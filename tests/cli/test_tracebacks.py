"""What once ended in a traceback: one sentence and exit code 2, in a process of its own where the streams matter."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import foldwise as fw
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.inference import error_interval

SCORES = "learner,run,fold,score\n" + "".join(
    f"{name},0,{fold},{value}\n" for name, value in (("ä", 0.1), ("b−", 0.2)) for fold in range(4)
)
X, Y = np.random.default_rng(0).random((40, 2)), np.arange(40) % 2


@pytest.fixture
def command(tmp_path):
    (tmp_path / "s.csv").write_text(SCORES.replace("0,3,0.2", "0,3,0.15"), encoding="utf-8")

    def call(shell, **environment):
        words = f'"{sys.executable}" -m foldwise scores s.csv {shell}'
        known = {"PYTHONPATH": os.pathsep.join(sys.path), **environment}
        return subprocess.run(["sh", "-c", words], cwd=tmp_path, env=os.environ | known, capture_output=True)

    return call


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has /dev/full")  # noqa: PTH110
def test_a_full_disk_is_one_sentence(command):
    done = command("> /dev/full")
    assert (done.returncode, done.stderr) == (2, b"foldwise: No space left on device\n")


def test_closed_output_is_quiet(command):
    done = command(">&-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_answer_that_nobody_reads_is_quiet():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        words = [sys.executable, "-m", "foldwise", "interval", "3", "10"]
        known = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, env=known)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "latin-1"])
def test_an_old_code_page_shows_near_signs_and_json_loses_nothing(command, encoding):
    done = command("", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "b- vs" in done.stdout.decode(encoding) or "vs b-" in done.stdout.decode(encoding)
    assert json.loads(command("--json", PYTHONIOENCODING=encoding).stdout)["models"] == ["ä", "b−"]


@pytest.mark.parametrize("option", ["--data", "--store"])
def test_names_that_are_too_long(run, option):
    data = [] if option == "--data" else ["--data", "iris"]
    code, out, err = run("compare", "nb", "majority", *data, "--runs", 2, "--folds", 2, option, "x" * 300)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_numbers_near_the_end_of_the_range(run, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("data,a,b\nx,1e308,-1e308\ny,1e308,-1e308\nz,-1e308,1e308\n")
    code, _, err = run("table", path, "--json")
    assert code == 2
    assert err.endswith("scores must be at most 1e+100 in size, but scores[0, 0] is 1e+308\n")
    with pytest.raises(InvalidInput, match=r"scores\['a'\] must be at most 1e"):
        fw.compare_scores({"a": [1e308, -1e308, 1], "b": [1, 2, 3]}, n_train=10, n_test=5)
    with pytest.raises(InvalidInput, match="prior must be at most 1e"):
        error_interval(3, 50, method="beta", prior=(1e308, 1e308))


@pytest.mark.parametrize("outputs", ["ab", 5, [1, 0] * 9, None])
def test_what_is_no_dict_gets_the_sentence_that_shows_the_call(outputs):
    with pytest.raises(
        InvalidInput, match=r"outputs must be a dict, a frame or a list of two or more models: compare_predictions\("
    ):
        fw.compare_predictions([1, 0] * 9, outputs)
    with pytest.raises(InvalidInput, match="outputs must be a dict"):
        fw.compare_predictions([1, 0] * 9, [1, 0] * 9, [1, 1] * 9)


def test_names_that_are_numbers_are_shown():
    assert fw.compare_predictions([1, 0] * 9, {1: [1, 0] * 9, 2: [1, 1] * 9}).names == ("1", "2")


def test_an_alpha_that_leaves_no_power_leaves_nothing_to_see():
    c = fw.compare_predictions([1, 0] * 9, {"a": [1, 0] * 9, "b": [1, 1] * 9}, alpha=0.999999999999)
    assert (c.detectable_difference, c.power_curve()) == (None, None)
    assert "detectable" not in str(c)


def test_ragged_rows_and_repeated_columns():
    with pytest.raises(InvalidInput, match="X must have rows of one length"):
        fw.compare(["nb", "majority"], [[1, 2], [3]] * 20, Y, runs=2, folds=2)
    twice = pd.DataFrame(X, columns=["a", "a"])
    with pytest.raises(InvalidInput, match="columns of a frame must have different names"):
        fw.estimate_error("nb", twice, Y)
    with pytest.raises(InvalidInput, match="columns of a frame must have different names"):
        fw.compare_table(twice)


def test_a_learner_that_can_not_say_its_parameters():
    from sklearn.dummy import DummyClassifier

    class Odd(DummyClassifier):
        def get_params(self, deep=True):
            raise RuntimeError("no")

    with pytest.raises(InvalidInput, match="can't say its parameters: get_params raised no"):
        fw.compare([Odd(), "majority"], X, Y, runs=2, folds=2)


def test_a_learner_that_can_not_be_shown_is_called_by_its_class():
    from sklearn.dummy import DummyClassifier

    class Mute(DummyClassifier):
        def __str__(self):
            raise RuntimeError("no")

        __repr__ = __str__

    assert fw.compare([Mute(), "majority"], X, Y, runs=2, folds=2).names == ("Mute", "majority")


def test_a_learner_that_can_not_be_made_a_second_time():
    from sklearn.dummy import DummyClassifier

    class Once(DummyClassifier):
        made = False

        def __init__(self, strategy="prior"):
            if Once.made:
                raise RuntimeError("not again")
            super().__init__(strategy=strategy)

    learner, Once.made = Once(), True
    with pytest.raises(FoldwiseError, match="not again"):
        fw.compare([learner, "majority"], X, Y, runs=2, folds=2)


@pytest.mark.parametrize("size", [2**31, 2**63, 10**30])
def test_a_size_that_no_whole_number_of_the_machine_holds(run, size):
    code, out, err = run("plan", "--test", "mcnemar", "--discordance", 0.1, "--difference", 0.01, "--size", size)
    assert code in (0, 2)
    assert err.count("\n") == (1 if code else 0)
    assert "Traceback" not in out + err


def test_an_encrypted_cluster_without_certificates(run):
    pytest.importorskip("distributed")
    code, out, err = run("compare", "nb", "majority", "--data", "iris", "--cluster", "tls://127.0.0.1:1")
    assert (code, out) == (2, "")
    assert err == (
        "foldwise: cluster 'tls://127.0.0.1:1' needs certificates: name them in Dask's configuration "
        "(distributed.comm.tls)\n"
    )
