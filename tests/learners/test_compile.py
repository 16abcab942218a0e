from __future__ import annotations

import importlib
import io
import os
import subprocess
import sys

import numba
import pytest
from numba.core import caching

from foldwise.core import compile as compiling
from foldwise.core import kernels


def compiled(module, learnt=lambda x: 2 * x):
    """A function of its own, as a module has it."""
    function = type(learnt)(learnt.__code__, {}, learnt.__name__)
    function.__module__ = module
    return numba.njit(function)


@pytest.fixture
def listener():
    """Whoever listens now is put back afterwards."""
    before = kernels._writers[-1]
    yield
    kernels.announce_compilation(before)


def test_the_notice_comes_once_and_only_when_a_kernel_of_ours_is_compiled(listener):
    seen = []
    kernels.announce_compilation(seen.append)
    compiling._listen()
    tree, bayes = compiled("foldwise.learners.tree.grow"), compiled("foldwise.learners.naive_bayes_cv")
    foreign = compiled("somewhere.else")
    assert foreign(3) == 6
    assert seen == []
    assert (tree(3), tree(1.5), bayes(5)) == (6, 3.0, 10)
    assert seen == [kernels.NOTICE]


@pytest.mark.parametrize("notebook", [False, True])
def test_the_notice_goes_to_stderr_also_where_that_is_no_terminal(notebook, monkeypatch):
    own, shown = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "__stderr__", own)
    monkeypatch.setattr(sys, "stderr", shown)
    if notebook:
        monkeypatch.setitem(sys.modules, "ipykernel", sys)
    else:
        monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    kernels._to_stderr("compiling")
    said, silent = (shown, own) if notebook else (own, shown)
    assert (said.getvalue(), silent.getvalue()) == ("compiling\n", "")


class TestOutdatedCode:
    INNER = "from foldwise.core.compile import inner_kernel\n\n@inner_kernel\ndef one():\n    return {}\n"
    OUTER = (
        "from compiled_inner import one\nfrom foldwise.core.compile import kernel\n\n"
        "@kernel\ndef two():\n    return 2 * one()\n"
    )

    def value(self):
        for name in ("compiled_inner", "compiled_outer"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module("compiled_outer").two()

    @pytest.mark.parametrize("place", ["", "elsewhere"])
    def test_a_change_in_another_file_is_noticed(self, place, tmp_path, monkeypatch):
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / place) if place else "")
        inner, outer = tmp_path / "compiled_inner.py", tmp_path / "compiled_outer.py"
        outer.write_text(self.OUTER)
        inner.write_text(self.INNER.format(10))
        assert self.value() == 20
        assert not compiling.lacks_code(sys.modules["compiled_outer"].two)
        kept = [path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbi")]
        assert len(kept) == 1
        assert compiling.lacks_code(compiling.kernel(self.value.__func__))
        assert self.value() == 20
        assert [path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbi")] == kept  # loaded, not compiled again
        inner.write_text(self.INNER.format(1))
        os.utime(inner, ns=(kept[0] + 10**9, kept[0] + 10**9))
        assert self.value() == 2
        for name in ("compiled_inner", "compiled_outer"):
            sys.modules.pop(name, None)


def test_kernels_work_where_nothing_can_be_written(monkeypatch):
    def refuse(*_):
        raise OSError("read-only")

    for locator in caching.CompileResultCacheImpl._locator_classes:
        monkeypatch.setattr(locator, "ensure_cache_path", refuse)

    def double(x):
        return 2 * x

    for decorate in (compiling.kernel, compiling.bare_kernel):
        assert decorate(double)(4) == 8


def test_the_binary_trees_compile_before_any_other_kernel(tmp_path):
    # kernels that make no arrays pass their way of compiling on to the kernels that they are the first to call
    program = (
        "import numpy as np; from foldwise.learners.binary import cross_validate; "
        "X = np.tile([[0, 1], [1, 0]], (10, 1))[None]; "
        "print(cross_validate(X, X[..., 0], ['c45'], runs=1, folds=5, seeds=[1])['c45'].tolist())"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["NUMBA_OPT"] = "0"  # how fast the code is does not matter here
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "[[[4, 4, 4, 4, 4]]]\n", done.stderr
