from __future__ import annotations

import numba

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
