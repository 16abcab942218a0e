"""Which modules are the user's own, what they and the modules they import contain, and which versions others have."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import site
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

__all__ = ["imported_name", "is_own", "package_version", "sources"]

OWN_NAMES = ("__main__", "__mp_main__")
"""A script or a notebook: it has no version, and is edited all the time, so that only what is reached in it counts."""


def is_own(name: str) -> bool:
    """Whether a module is the user's: neither Python's, nor installed under a version, nor foldwise.

    Examples
    --------
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
