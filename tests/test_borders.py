"""What every source file keeps to: few `Any`, declared imports, nothing that only some systems have.

All files are parsed once, and all of it is asked in one pass.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import foldwise

SOURCE = Path(foldwise.__file__).parent
ROOT = SOURCE.parents[1]

MOST_ANY = 880
"""Mentions of `Any` in all sources, which belongs to borders with foreign code."""

DISTRIBUTIONS = {"sklearn": "scikit-learn", "python_multipart": "python-multipart", "mlflow": "mlflow-skinny"}
"""Packages that are installed under another name than they are imported."""

POSIX_MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "termios"}
POSIX_NAMES = {"SIGALRM", "SIGHUP", "SIGKILL", "SIGSTOP", "fork", "getpgid", "getuid", "killpg", "mkfifo", "setsid"}


TWICE = {"Evidence", "Findings"}
"""Public classes that the lab has, too: none may be added."""

ONE_EACH = {"cli", "web", "document", "render"}
"""Rooms with a file for each command, page, door, document or plot, which is called as what it is about."""

ROLES = {"__init__.py", "__main__.py", "base.py", "catalogue.py", "result.py"}
"""Files of the same name that have the same role in each room."""


@dataclass
class File:
    """What one pass over a file finds."""

    text: str
    packages: set[str] = field(default_factory=set)  # outside the standard library, imported at run time
    any_mentions: int = 0
    unguarded: list[str] = field(default_factory=list)  # what stops Windows, with nothing before it that asks
    classes: list[str] = field(default_factory=list)  # public, at the top of the file


def read(text: str) -> File:
    found = File(text)
    tree = ast.parse(text)
    found.classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"]
    _visit(tree, found, guarded=False, typing_only=False)
    return found


def _visit(node: ast.AST, found: File, guarded: bool, typing_only: bool) -> None:
    names: set[str] = set()
    if isinstance(node, ast.Name):
        found.any_mentions += node.id == "Any"
    elif isinstance(node, ast.Attribute):
        names = {node.attr} & POSIX_NAMES
    elif isinstance(node, ast.Import | ast.ImportFrom):
        found.any_mentions += sum(alias.name == "Any" for alias in node.names)
        whole = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [str(node.module)]
        names = set(whole) & POSIX_MODULES
        if not typing_only:
            found.packages |= {name.partition(".")[0] for name in whole}
    elif isinstance(node, ast.Try):
        guarded = guarded or any("ImportError" in ast.dump(handler) for handler in node.handlers)
    elif isinstance(node, ast.If | ast.IfExp | ast.BoolOp):
        asked = ast.dump(node.values[0] if isinstance(node, ast.BoolOp) else node.test)
        guarded = guarded or bool(re.search(r"'(POSIX|platform|hasattr)'", asked))
        typing_only = typing_only or "TYPE_CHECKING" in asked
    found.unguarded += [] if guarded else sorted(names)
    for child in ast.iter_child_nodes(node):
        _visit(child, found, guarded, typing_only)


@cache
def files() -> dict[str, File]:
    """All source files by their path within the package."""
    return {path.relative_to(SOURCE).as_posix(): read(path.read_text(encoding="utf-8"))
            for path in sorted(SOURCE.rglob("*.py"))}  # fmt: skip


def test_any_is_rare():
    worst = sorted(files().items(), key=lambda entry: -entry[1].any_mentions)[:5]
    found = sum(file.any_mentions for file in files().values())
    names = ", ".join(f"{path} {file.any_mentions}" for path, file in worst)
    assert found <= MOST_ANY, f"Any stands {found} times; give types instead ({names})"


def test_no_two_public_classes_have_one_name():
    places = defaultdict(list)
    for path, file in files().items():
        for name in file.classes:
            places[name].append(path)
    found = {name: where for name, where in places.items() if len(where) > 1 and name not in TWICE}
    assert not found, f"give each class a name of its own: {found}"


def test_no_file_name_is_in_three_rooms():
    rooms = defaultdict(set)
    for path in files():
        room, _, rest = path.partition("/")
        if rest and room not in ONE_EACH:
            rooms[Path(path).name].add(room)
    found = {name: where for name, where in rooms.items() if len(where) > 2 and name not in ROLES}
    assert not found, f"call the files after what is in them: {found}"


def test_everything_imported_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if name not in ("test", "docs")}
    lines = [*project["dependencies"], *(line for lines in extras.values() for line in lines)]
    declared = {re.split(r"[^\w.-]", line)[0].lower() for line in lines}
    imported = set().union(*(file.packages for file in files().values())) - set(sys.stdlib_module_names)
    imported -= {"foldwise", "pytest"}  # only pytest loads its plugin
    forgotten = sorted(name for name in imported if DISTRIBUTIONS.get(name, name) not in declared)
    assert not forgotten, f"pyproject.toml must declare {', '.join(forgotten)}: it is imported in src"


def test_nothing_that_windows_lacks_is_used_without_asking():
    found = {path: file.unguarded for path, file in files().items() if file.unguarded}
    assert not found, f"guard what Windows lacks by ImportError, sys.platform or POSIX: {found}"


def test_the_search_for_unguarded_names_finds_them():
    assert read("import os\nimport resource\nos.killpg(1, 9)").unguarded == ["resource", "killpg"]
    guarded = "try:\n import resource\nexcept ImportError:\n pass\nif POSIX and signal.SIGKILL: os.fork()"
    assert not read(guarded).unguarded


def test_files_of_text_are_read_and_written_in_utf8_whatever_the_system():
    bare = re.compile(r"\.(?:read|write)_text\((?:[^()]|\([^()]*\))*\)")
    found = [f"{path}: {call}" for path, file in files().items() for call in bare.findall(file.text)
             if "encoding=" not in call]  # fmt: skip
    assert not found, f"name the encoding, which is another one on Windows: {found}"


def test_search_paths_are_joined_as_the_system_does():
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__)]
    found = [path.name for path in tests if '":".join(' in path.read_text(encoding="utf-8")]
    assert not found, f"join search paths by os.pathsep: {found}"
