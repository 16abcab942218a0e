"""Which class attributes and globals are a record of runs, not part of what the code is: counters, logs, caches.

A learner that counts its fits (``Mine.fits += 1``) is the same learner after a fit. What its own methods change while
they run is therefore no part of its identity; the value it is declared with is. Whatever else sets a class attribute,
a class method or a line of the script, makes it another learner.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType

__all__ = ["changed_attributes", "changed_globals"]

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
    methods = [node for node in body if isinstance(node, ast.FunctionDef) and not _is_of_class(node)]
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


def _is_of_class(method: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id in ("classmethod", "staticmethod") for d in method.decorator_list)


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
