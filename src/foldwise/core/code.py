"""What code a function or a class consists of: the modules of the user, their globals, and what they reach."""

from __future__ import annotations

import ast
import dis
import functools
import hashlib
import importlib.util
import inspect
import site
import sys
import sysconfig
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

# ---- Which modules are the user's own, what they and the modules they import contain, and which versions others
# have.

OWN_NAMES = ("__main__", "__mp_main__")
"""A script or a notebook: it has no version, and is edited all the time, so that only what is reached in it counts."""


def is_own(name: str) -> bool:
    """Whether a module is the user's: neither Python's, nor installed under a version, nor foldwise.

    >>> is_own("__main__"), is_own("numpy.linalg"), is_own("json"), is_own("foldwise.core")
    (True, False, False, False)
    """
    top = name.partition(".")[0]
    if top in OWN_NAMES:
        return True
    if top == "foldwise":
        return False
    file = _file(name)
    if file is None:
        return top not in sys.stdlib_module_names and package_version(top) is None
    if not any(file.is_relative_to(folder) for folder in _installed()):
        return True
    return top not in sys.stdlib_module_names and package_version(top) is None


def package_version(top: str) -> str | None:
    """Version of an installed package by the name it is imported under; None if it has none."""
    said = getattr(sys.modules.get(top), "__version__", None)
    if said is not None:
        return str(said)
    if top in sys.stdlib_module_names:
        return None
    from importlib.metadata import version  # it loads what reads e-mail, and most comparisons can do without

    names = _distributions().get(top, ())
    return version(names[0]) if names else None


def sources(name: str) -> dict[str, str]:
    """Digest of the file of a module of the user's, and of each of the user's modules that it imports, by name.

    Imports are read from the source, wherever they stand in it, and followed. A script itself is left out.
    """
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        file = _file(module)
        if module in found or module in OWN_NAMES or file is None or not is_own(module):
            continue
        try:
            content = file.read_bytes()
        except OSError:  # a module whose file is gone has its loaded code, which is walked in any case
            continue
        found[module] = hashlib.blake2b(content, digest_size=16).hexdigest()
        is_package = file.name == "__init__.py"
        package = module if is_package else module.rpartition(".")[0]
        if file.suffix == ".py":
            waiting += [n for n in _imports(content, package) if n not in found]
    return found


def imported_name(name: str, level: int, package: str) -> str:
    """The absolute name of what ``from ..name import`` means inside a package; empty if it leads nowhere."""
    if not level:
        return name
    try:
        return importlib.util.resolve_name("." * level + name, package)
    except ImportError:
        return ""


@functools.lru_cache(maxsize=4096)
def _imports(content: bytes, package: str) -> tuple[str, ...]:
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return ()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(parent for alias in node.names for parent in _parents(alias.name))
        elif isinstance(node, ast.ImportFrom):
            start = imported_name(node.module or "", node.level, package)
            names.update(_parents(start))
            names.update(f"{start}.{alias.name}" for alias in node.names if start)
    return tuple(sorted(names))


def _parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[: i + 1]) for i in range(len(parts)) if name)


def _file(name: str) -> Path | None:
    """The file of a module, loaded or not; no module is imported to find it."""
    module = sys.modules.get(name)
    if module is not None:
        file = getattr(module, "__file__", None)
        return Path(file).resolve() if file else None
    spec = _find(name)
    return Path(spec.origin).resolve() if spec is not None and spec.origin and spec.has_location else None


def _find(name: str) -> ModuleSpec | None:
    parent, _, _ = name.rpartition(".")
    path = None
    if parent:
        above = sys.modules[parent].__spec__ if parent in sys.modules else _find(parent)
        path = None if above is None else above.submodule_search_locations
        if path is None:
            return None
    try:
        return PathFinder.find_spec(name, path)
    except (ImportError, ValueError, AttributeError):
        return None


@functools.cache
def _installed() -> tuple[Path, ...]:
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    return tuple({Path(path).resolve() for path in [*paths, *site.getsitepackages(), site.getusersitepackages()]})


@functools.cache
def _distributions() -> dict[str, list[str]]:
    from importlib.metadata import packages_distributions

    return dict(packages_distributions())


# ---- Which class attributes and globals are a record of runs, not part of what the code is: counters, logs, caches.
#
# A learner that counts its fits (``Mine.fits += 1``) is the same learner after a fit. What its own methods change
# while they run is therefore no part of its identity; the value it is declared with is. Whatever else sets a class
# attribute, a class method or a line of the script, makes it another learner.

CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft", "remove",
    "setdefault", "update",
}  # fmt: skip
"""Methods of Python's containers that change them."""


def changed_attributes(kind: type) -> dict[str, str]:
    """Attributes of a class that its methods change when they run, with the source of the value they start from.

    Methods with an instance count; class methods and static methods are how a class is set up. Without source, as in
    ``python -c``, none is found.
    """
    tree = _parsed(kind)
    if tree is None or not isinstance(tree.body[0], ast.ClassDef):
        return {}
    body = tree.body[0].body
    of_class = ("classmethod", "staticmethod")
    methods = [
        node for node in body if isinstance(node, ast.FunctionDef)
        and not any(isinstance(d, ast.Name) and d.id in of_class for d in node.decorator_list)
    ]  # fmt: skip
    names = {name for method in methods for name in _attributes_changed(method)}
    return {name: _declared(body, name) for name in sorted(names & vars(kind).keys())}


def changed_globals(function: FunctionType, module: ModuleType | None) -> dict[str, str]:
    """Globals that a function changes when it runs, with the source of the value they start from."""
    tree = _parsed(function)
    if tree is None:
        return {}
    stated = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    names = {node.id for node in _changed(tree) if isinstance(node, ast.Name)} - set(function.__code__.co_varnames)
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    top = None if module is None else _parsed(module)
    found = sorted((names | (stated & stored)) & function.__globals__.keys())
    return {name: "" if top is None else _declared(top.body, name) for name in found}


@functools.lru_cache(maxsize=1024)
def _parsed(thing: type | FunctionType | ModuleType) -> ast.Module | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(thing)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return None
    return tree if tree.body else None


def _attributes_changed(method: ast.FunctionDef) -> Iterator[str]:
    first = method.args.args[0].arg if method.args.args else ""
    yield from (node.attr for node in _changed(method) if isinstance(node, ast.Attribute))
    for node in ast.walk(method):
        # `self.rate = …` gives the instance an attribute of its own and leaves the class's alone
        stores = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if stores and not (isinstance(node.value, ast.Name) and node.value.id == first):  # type: ignore[attr-defined]
            yield node.attr  # type: ignore[attr-defined]


def _changed(tree: ast.AST) -> Iterator[ast.expr]:
    """What is changed in place: ``here[key] = …``, ``here.append(…)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            yield node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            yield node.func.value


def _declared(body: Iterable[ast.stmt], name: str) -> str:
    """The last assignment to a name among these statements, as source; empty if there is none."""
    found = ""
    for node in body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found = ast.unparse(node)
    return found


# ---- What code a function or a class consists of, and what else it reaches.

# what Python, abc and scikit-learn's metadata routing put into a class on their own
BOOKKEEPING = ("_abc_impl", "_sklearn_auto_wrap_output_keys")


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that a function looks up when it runs: a global by name, or a module it imports."""

    name: str
    value: object
    imports: bool = False


def code_parts(code: CodeType) -> list[object]:
    """Byte code, names and constants, those of inner functions included; lines and file names do not count."""
    constants = [code_parts(c) if isinstance(c, CodeType) else c for c in code.co_consts]
    return [code.co_code, code.co_names, code.co_freevars, code.co_flags, code.co_exceptiontable, constants]


def class_members(kind: type) -> Iterator[tuple[str, object]]:
    """What a class defines itself, by name: methods and attributes, without Python's bookkeeping."""
    for name, value in sorted(vars(kind).items()):
        if name in BOOKKEEPING or isinstance(value, (GetSetDescriptorType, MemberDescriptorType)):
            continue
        if isinstance(value, (staticmethod, classmethod)):
            yield name, value.__func__
        elif isinstance(value, property):
            yield from ((f"{name}.{part}", getattr(value, part)) for part in ("fget", "fset", "fdel"))
        elif isinstance(value, FunctionType) or not (name.startswith("__") and name.endswith("__")):
            yield name, value


def references(function: FunctionType) -> Iterator[Reference]:
    """The globals that a function names and the modules it imports, in the order of their names.

    Of a module only the attributes that the function names count: ``helper.scale(x)`` leads to ``scale``.
    """
    known = function.__globals__
    names: set[str] = set()
    modules: set[str] = set()
    for code in _codes(function.__code__):
        names.update(code.co_names)
        modules.update(_code_imports(code, str(known.get("__package__") or "")))
    yield from (Reference(name, None, imports=True) for name in sorted(modules))
    for name in sorted(names & known.keys()):
        value = known[name]
        yield Reference(name, value)
        if isinstance(value, ModuleType):
            yield from (Reference(f"{name}.{n}", value.__dict__[n]) for n in sorted(names & value.__dict__.keys()))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code_imports(code: CodeType, package: str) -> Iterator[str]:
    constants: list[Any] = []  # byte code knows no types
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
            constants.append(step.argval)
        elif step.opname == "IMPORT_NAME":
            # the two constants before are the level of a relative import and the names that follow it
            level, names = constants[-2:]
            start = imported_name(str(step.argval), int(level), package)
            yield start
            yield from (f"{start}.{name}" for name in names or ())
