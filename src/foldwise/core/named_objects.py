"""Objects named in text: ``name(param=value)``, ``module:name`` or ``file.py:name``."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
import sys
import sysconfig
import typing
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.core.process import prints_to_stderr

# ---- Things named in text with parameters: ``name(param=value, …)``.

_SPEC = re.compile(r"\s*+(?P<name>[\w.:/\\~-]++)\s*+(?:\((?P<arguments>.*)\))?+\s*+", re.DOTALL)

LONGEST = 10_000  # Characters of a specification.


def parse_spec(spec: str, kind: str) -> tuple[str, dict[str, object]]:
    """Split ``name(param=value, …)`` into its name and parameters; values are literals, nothing is evaluated.

    >>> parse_spec("two-kinds(error=0.2)", "population")
    ('two-kinds', {'error': 0.2})
    """
    if len(spec) > LONGEST:
        raise InvalidInput(f"a {kind} must be at most {LONGEST:,} characters, got {len(spec):,}: {spec[:40]!r}…")
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise InvalidInput(f"a {kind} must be written name or name(param=value), got {spec!r}")
    try:
        return match["name"], _arguments(match["arguments"] or "")
    except (RecursionError, MemoryError):  # the parser's words for too many brackets
        raise InvalidInput(f"parameters of {kind} {spec[:40]!r}… are nested too deeply") from None
    except (SyntaxError, ValueError) as error:
        raise InvalidInput(f"parameters of {kind} {spec!r} must be name=value with literal values: {error}") from error


def _arguments(text: str) -> dict[str, object]:
    call = ast.parse(f"f({text})", mode="eval").body
    if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
        raise ValueError("parameters must be written name=value")
    return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}


# ---- What a user names as ``module:name`` or ``file.py:name``: importing it runs it, so little more is done before.


def import_named(path: str, kind: str) -> object:
    """The object that ``module:name`` or ``file.py:name`` says; importing the module runs it.

    Modules of the working folder are found too; `kind` says in messages what it is to be.

    >>> import_named("math:pi", "number")
    3.141592653589793
    """
    try:
        with prints_to_stderr():
            return getattr(import_module(_reachable(_module(path))), path.rpartition(":")[2])
    except MissingDependency:
        raise
    except (Exception, SystemExit) as error:  # a module of the user's can end in any error
        raise InvalidInput(f"{kind} {path!r} can't be imported: {reason(error)}") from error


def is_own_function(found: object, path: str) -> bool:
    """Whether `found` is a Python function that the user wrote in the module that `path` names.

    Functions of the standard library and of installed packages are not: many of them run a program (``os.system``),
    delete files or load code (``joblib.load``) when they are called.

    >>> import os
    >>> is_own_function(os.system, "os:system"), is_own_function(os.popen, "os:popen")
    (False, False)
    """
    if not isinstance(found, FunctionType):
        return False
    name = Path(_module(path)).stem if _module(path).endswith(".py") else _module(path)
    home = sys.modules.get(name)
    standard = name.partition(".")[0] in sys.stdlib_module_names and name != "__main__"
    return found.__module__ == name and home is not None and not standard and not _is_installed(home)


def returned_class(function: Callable[..., object]) -> type | None:
    """The class that a function says it returns, or None where it says nothing."""
    if not isinstance(function, FunctionType):
        return None
    try:
        said = typing.get_type_hints(function).get("return")
    except Exception:  # noqa: BLE001  # an annotation may name what is not there
        return None
    return said if inspect.isclass(said) else None


def reason(error: BaseException) -> str:
    r"""What an error of foreign code says, in one line; its type where it says nothing or can't be asked.

    >>> reason(ValueError("no such file\nsecond line")), reason(KeyError())
    ('no such file', 'KeyError')
    """
    try:
        lines = str(error).strip().splitlines()
    except Exception:  # noqa: BLE001  # its __str__ is foreign code too
        lines = []
    return lines[0][:300] if lines else type(error).__name__


def _module(path: str) -> str:
    return path.rpartition(":")[0]


def _reachable(module: str) -> str:
    """The name under which a module, or the module of a file, can be imported here and by workers."""
    if module.endswith(".py"):
        file = Path(module).expanduser()
        if not file.is_file():
            raise FileNotFoundError(f"there is no file {module} in {Path.cwd()}")
        _make_importable(file.stem, file.resolve().parent)
        return file.stem
    top, here = module.partition(".")[0], Path.cwd()
    is_here = bool(top) and ((here / f"{top}.py").is_file() or (here / top).is_dir())
    if is_here and top not in sys.modules and importlib.util.find_spec(top) is None:
        _make_importable(top, here)  # installed commands do not look into the working folder
    return module


def _make_importable(name: str, folder: Path) -> None:
    """Let a folder's modules be imported under their names; refuses a name that means another module already."""
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded is not None and Path(loaded).resolve().parent not in (folder, folder / name):
        raise ImportError(f"a module called {name} is loaded already from {loaded}: give the file another name")
    if str(folder) in sys.path:
        return
    sys.path.append(str(folder))  # behind all others: what else lies there must not stand for a library
    found = importlib.util.find_spec(name) if loaded is None else None
    if found is not None and found.origin is not None and Path(found.origin).parent not in (folder, folder / name):
        sys.path.insert(0, sys.path.pop())  # another is called like what was named


def _is_installed(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    if file is None:
        return module.__name__ != "__main__"
    places = {sysconfig.get_path(key) for key in ("purelib", "platlib", "stdlib", "platstdlib")}
    return any(Path(file).resolve().is_relative_to(Path(place).resolve()) for place in places)
