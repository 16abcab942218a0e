from __future__ import annotations

import importlib
import os
import subprocess
import sys

import numba
import pytest
from numba.core import caching

from foldwise.learners import compile as compiling


def test_notice_comes_once_and_only_when_something_is_compiled():
    seen = []
    compiling.announce_compilation(seen.append)

    @numba.njit
    def double(x):
        return 2 * x

    assert seen == []
    assert double(3) == 6
    assert double(1.5) == 3.0  # another compilation
    assert seen == [compiling.NOTICE]


def test_no_notice_without_a_terminal(capsys):
    compiling.announce_compilation()

    @numba.njit
    def triple(x):
        return 3 * x

    assert triple(2) == 6
    assert capsys.readouterr().err == ""


def test_notebooks_get_the_notice(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr(compiling, "_installed", [])
    compiling.announce_compilation()

    @numba.njit
    def quadruple(x):
        return 4 * x

    assert quadruple(2) == 8
    assert capsys.readouterr().err == compiling.NOTICE + "\n"


class TestOutdatedCode:
    INNER = "from foldwise.learners.compile import inner_kernel\n\n@inner_kernel\ndef one():\n    return {}\n"
    OUTER = (
        "from compiled_inner import one\nfrom foldwise.learners.compile import kernel\n\n"
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
        kept = [path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbi")]
        assert len(kept) == 1
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
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout == "[[[4, 4, 4, 4, 4]]]\n", done.stderr
