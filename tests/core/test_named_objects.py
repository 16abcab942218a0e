from __future__ import annotations

import sys

import pytest

from foldwise.core.errors import InvalidInput
from foldwise.core.named_objects import import_named
from foldwise.learners import create

MODULE = """
from sklearn.dummy import DummyClassifier
def made(strategy="prior"):
    return DummyClassifier(strategy=strategy)
ready = DummyClassifier(strategy="uniform")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with a module of the user's, of which nothing is left behind."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "daily_models.py").write_text(MODULE)
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "daily_other.py").write_text(MODULE)
    yield tmp_path
    for name in ("daily_models", "daily_other"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("spec", "strategy"),
    [
        ("daily_models.py:made()", "prior"),
        ("daily_models.py:made(strategy='stratified')", "stratified"),
        ("daily_models:made", "prior"),
        ("daily_models.py:ready", "uniform"),
        ("deeper/daily_other.py:made()", "prior"),
    ],
)
def test_learners_come_from_files_of_the_working_folder(folder, spec, strategy):
    assert create(spec).strategy == strategy


def test_a_name_that_means_another_module_already_is_refused(folder):
    create("daily_models.py:made()")
    (folder / "deeper" / "daily_models.py").write_text(MODULE)
    with pytest.raises(
        InvalidInput, match=r"a module called daily_models is loaded already from .*give the file another"
    ):
        create("deeper/daily_models.py:made()")


def test_a_file_that_is_not_there_is_named(folder):
    with pytest.raises(InvalidInput, match=r"'nothing.py:f' can't be imported: there is no file nothing.py in "):
        create("nothing.py:f()")


def test_looking_for_a_module_that_is_not_there_leaves_the_path_alone(folder):
    before = list(sys.path)
    with pytest.raises(InvalidInput, match="can't be imported"):
        import_named("no_such_module_at_all:x", "learner")
    assert sys.path == before
