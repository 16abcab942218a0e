"""The names that users and other code rely on; a change here is a change of the public surface."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path

import pytest

import foldwise as fw
from foldwise import inference

SURFACE = Path(__file__).with_name("public_surface.txt")
"""Every public name on a line of its own, sorted."""

ROOMS = (
    "foldwise", "foldwise.data", "foldwise.engine", "foldwise.comparison", "foldwise.inference", "foldwise.designs",
    "foldwise.lab", "foldwise.learners", "foldwise.resampling",
)  # fmt: skip

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
HEAVY = ("numpy", "scipy", "sklearn", "pandas", "matplotlib", "numba", "distributed", "rich", "jinja2")


def loaded_by(code):
    """The heavy packages that a fresh process has loaded after this code."""
    check = f"{code}\nimport sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return eval(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("room", ROOMS)
def test_the_public_names_are_exactly_these(room):
    module = import_module(room)
    found = {name for name in module.__all__ if not name.startswith("__")}
    written = {
        name for where, _, name in (line.rpartition(".") for line in SURFACE.read_text().split()) if where == room
    }
    advice = "a change of the public surface is written into tests/public_surface.txt and CHANGELOG.md"
    assert sorted(found - written) == [], f"{room} has these names besides: {advice}"
    assert sorted(written - found) == [], f"{room} has these names no more: {advice}"
    assert len(set(module.__all__)) == len(module.__all__), f"{room}.__all__ has a name twice"
    assert all(getattr(module, name) is not None for name in module.__all__)


def undocumented(place, thing):
    """What users can reach of a public name without a word of explanation; inherited words count."""
    if not (inspect.isclass(thing) or inspect.isroutine(thing)):
        return []
    lacking = [] if inspect.getdoc(thing) else [place]
    if inspect.isclass(thing):
        own = {name for base in thing.__mro__ if base.__module__.startswith("foldwise") for name in vars(base)}
        parts = {name: inspect.getattr_static(thing, name) for name in own if not name.startswith("_")}
        spoken = [
            n for n, part in parts.items() if inspect.isroutine(part) or isinstance(part, property | cached_property)
        ]
        lacking += [f"{place}.{name}" for name in spoken if not inspect.getdoc(getattr(thing, name, parts[name]))]
    return lacking


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_documented(room):
    module = import_module(room)
    lacking = [place for name in module.__all__ for place in undocumented(f"{room}.{name}", getattr(module, name))]
    assert lacking == []


@pytest.mark.parametrize("room", ["foldwise", "foldwise.inference", "foldwise.lab", "foldwise.learners"])
def test_completion_offers_the_public_names_only(room):
    module = import_module(room)
    assert dir(module) == sorted(module.__all__)


def test_the_written_surface_is_sorted_and_of_known_rooms():
    lines = SURFACE.read_text().split()
    assert lines == sorted(set(lines))
    assert {line.rpartition(".")[0] for line in lines} == set(ROOMS)


def test_every_file_of_a_procedure_has_its_line():
    room = Path(inference.__file__).parent
    files = {".".join(path.relative_to(room).with_suffix("").parts) for path in room.rglob("_[a-z]*.py")}
    assert files <= set(inference._FILES), f"inference/__init__.py lacks the line of {files - set(inference._FILES)}"
    for file, names in inference._FILES.items():
        module = import_module(file if file.startswith("foldwise.") else f"foldwise.inference.{file}")
        lost = set(names.split()) - set(vars(module))
        assert not lost, f"inference/{file}.py lacks {lost}"


def test_importing_foldwise_loads_nothing_heavy():
    assert loaded_by("import foldwise") == []


def test_the_inference_room_needs_numpy_and_scipy_only():
    code = "import foldwise.inference as inf\nfor name in inf.__all__: getattr(inf, name)"
    assert loaded_by(code) == ["numpy", "scipy"]


def test_help_loads_nothing_heavy():
    code = "import sys, foldwise.cli.main as m\ntry:\n    m.main(['--help'])\nexcept SystemExit:\n    pass"
    assert loaded_by(code) == []


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(fw, "no_such_name")


def test_predictions_loads_few_of_our_modules(tmp_path):
    file = tmp_path / "p.csv"
    file.write_text("truth,a,b\n" + "x,x,y\ny,y,y\n" * 10)
    code = (
        f"import sys; from foldwise.cli.main import main; main(['predictions', {str(file)!r}, '--json', "
        f"{str(tmp_path / 'out.json')!r}]); "
    )
    count = "print('loaded', sum(name.startswith('foldwise') for name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", f"import atexit, sys; atexit.register(lambda: {count}); {code}"],
        env=ENVIRONMENT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout.rpartition("loaded ")[2]) <= 200
