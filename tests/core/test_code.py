"""The code behind an object: what of it changes its digest, and what does not."""

from __future__ import annotations

import functools
import importlib
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from foldwise.core.code import is_own, package_version, sources
from foldwise.core.digest import digest, identify

FILES = {
    "tools.py": "import inner.deep\nFACTOR = 2\ndef scale(x):\n    return inner.deep.shift(x) * FACTOR\n",
    "inner/__init__.py": "",
    "inner/deep.py": "from . import leaf\ndef shift(x):\n    from late import last\n    return leaf.NUMBER + last(x)\n",
    "inner/leaf.py": "NUMBER = 1\n",
    "late.py": "def last(x):\n    return x\n",
    "lonely.py": "UNUSED = 1\n",
    "learner.py": "import tools\nclass Mine:\n    def fit(self, x):\n        return tools.scale(x)\n",
}
SHOW = """
import sys
sys.path.insert(0, '.')
import learner
from foldwise.core.digest import digest
print(digest(learner.Mine()))
"""


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def fresh(folder: Path, code: str = SHOW) -> str:
    """What a new process prints that runs this code, or the file of this name."""
    command = [sys.executable, code] if code.endswith(".py") else [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_an_edit_anywhere_behind_a_class_changes_its_digest_and_no_other_edit_does(folder):
    edits = {
        "tools.py": ("FACTOR = 2", "FACTOR = 3"),
        "inner/deep.py": ("leaf.NUMBER +", "leaf.NUMBER -"),
        "inner/leaf.py": ("= 1", "= 7"),
        "late.py": ("return x", "return -x"),
        "learner.py": ("tools.scale(x)", "tools.scale(2 * x)"),
    }
    seen = [fresh(folder)]
    assert fresh(folder) == seen[0]
    for name, (old, new) in edits.items():
        file = folder / name
        file.write_text(file.read_text().replace(old, new))
        seen.append(fresh(folder))
    assert len(set(seen)) == len(edits) + 1
    (folder / "lonely.py").write_text("UNUSED = 2\n")
    assert fresh(folder) == seen[-1]


def test_sources_follow_imports_wherever_they_stand(folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    assert set(sources("learner")) >= {"learner", "tools", "inner", "inner.deep", "inner.leaf"}
    assert "late" in sources("learner")
    assert "lonely" not in sources("learner")


SCRIPT = """
    import sys; sys.path.insert(0, '.')
    from foldwise.core.digest import digest
    import tools
    RUNS = {runs}
    POWER = {power}
    def helper(x):
        return x ** POWER {change}
    class Mine:
        rate = {rate}
        def fit(self, x):
            return helper(tools.scale(x)) if x in {{"a", "b", "c", "d"}} else 0
    print(digest(Mine()))
"""


def test_of_a_script_only_what_is_reached_counts(folder):
    def of(**change):
        script = {"runs": 10, "power": 2, "change": "", "rate": 0.5, **change}
        (folder / "script.py").write_text(textwrap.dedent(SCRIPT).format(**script))
        return fresh(folder, "import runpy; runpy.run_path('script.py', run_name='__main__')")

    base = of()
    assert of() == base  # sets of strings have another order in each process
    assert of(runs=20) == base
    changed = [of(power=3), of(change="+ 1"), of(rate=0.6)]
    (folder / "tools.py").write_text(FILES["tools.py"].replace("FACTOR = 2", "FACTOR = 5"))
    assert len({base, *changed, of()}) == 5


def test_what_is_loaded_counts_too_not_only_the_file(folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    for name in ("learner", "tools", "inner", "inner.deep", "inner.leaf", "late"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    learner = importlib.import_module("learner")
    before = digest(learner.Mine())
    monkeypatch.setattr(sys.modules["tools"], "FACTOR", 9)
    assert digest(learner.Mine()) != before


def adder(k):
    return lambda x: x + k


class Holder:
    def __init__(self, call):
        self.call = call

    def score(self, x):
        return self.call(x)


class Slotted:
    __slots__ = ("call",)

    def __init__(self, call):
        self.call = call


def test_functions_inside_objects_count():
    for wrap in (Holder, Slotted, functools.partial, functools.cache, lambda f: Holder(f).score, lambda f: {"a": [f]}):
        assert digest(wrap(adder(1))) == digest(wrap(adder(1)))
        assert digest(wrap(adder(1))) != digest(wrap(adder(2)))


def test_a_function_compiled_by_numba_counts_by_its_source():
    from numba import njit

    assert digest(njit(lambda x: x + 1)) != digest(njit(lambda x: x + 2))
    assert digest(njit(lambda x: x + 1)) == digest(njit(lambda x: x + 1))


def test_what_can_not_be_looked_into_is_named():
    found = identify(Holder(threading.Lock()))
    assert found.unseen == ("_thread:lock",)
    assert identify(Holder(3)).unseen == ()


CALLS = 0
KNOWN: dict[str, int] = {}
OPTIONS = {"k": 1}


def counts(x):
    global CALLS
    CALLS += 1
    KNOWN[x] = CALLS
    return OPTIONS["k"]


class Counting:
    fits = 0
    log: list[int] = []  # noqa: RUF012
    rate = 0.5
    seen = None

    def __init__(self, rate=0.5):
        self.rate = rate

    def fit(self, x):
        Counting.fits += 1
        self.log.append(x)
        type(self).seen = x
        return counts(x)

    @classmethod
    def configure(cls, rate):
        cls.rate = rate


def test_what_an_object_changes_by_running_is_not_what_it_is(monkeypatch):
    before = digest(Counting())
    Counting().fit("a")
    assert (Counting.fits, Counting.log, Counting.seen, KNOWN) == (1, ["a"], "a", {"a": 1})
    assert digest(Counting()) == before
    # but what a class or a script is set to from outside is
    monkeypatch.setattr(Counting, "rate", 0.5)
    Counting.configure(0.9)
    assert digest(Counting(0.5)) != before
    monkeypatch.undo()
    assert digest(Counting()) == before
    monkeypatch.setitem(OPTIONS, "k", 2)
    assert digest(Counting()) != before


STATEFUL = """
    import sys; sys.path.insert(0, '.')
    from foldwise.core.digest import digest
    CALLS = {calls}
    class Mine:
        fits = {fits}
        def fit(self, x):
            global CALLS
            CALLS += 1
            Mine.fits += 1
    before = digest(Mine())
    Mine().fit(1)
    assert digest(Mine()) == before
    print(before)
"""


def test_the_value_that_state_starts_from_counts(folder):
    def of(**change):
        (folder / "script.py").write_text(textwrap.dedent(STATEFUL).format(**{"calls": 0, "fits": 0, **change}))
        return fresh(folder, "script.py")

    assert of() == of()
    assert len({of(), of(calls=5), of(fits=5)}) == 3


def test_an_object_that_holds_itself_ends():
    one = Holder(None)
    one.call = one
    assert digest(one) == digest(one)


def test_packages_go_by_version_and_are_listed():
    from sklearn.metrics import f1_score, make_scorer

    found = identify(make_scorer(f1_score))
    assert found.packages == {"sklearn": package_version("sklearn")}
    assert found.code == {}
    assert not is_own("sklearn.metrics")
    assert is_own(__name__)
