"""What an object is, as text that is the same in every process and on every machine.

Used wherever results are kept under the identity of what produced them: splitters, learners, scorers, data.
"""

from __future__ import annotations

import functools
import hashlib
import json
import pickle
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import CellType, FunctionType, MethodType, ModuleType

import numpy as np

from foldwise.core.code import (
    changed_attributes,
    changed_globals,
    class_members,
    code_parts,
    is_own,
    package_version,
    references,
    sources,
)
from foldwise.core.types import Json, Labels

MOST_PARTS = 200_000  # Parts of objects that are looked at; a larger object counts as one whose content can't be seen.


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """What an object is."""

    described: Json  #: In terms of what JSON knows: objects are their class and parameters, arrays a digest
    #: Digests of the user's own code that is reached, by name: modules, classes, functions, values they look up
    code: dict[str, str]
    packages: dict[str, str]  #: Versions of the installed packages whose classes and functions are met on the way
    unseen: tuple[str, ...]  #: What can't be looked into, by class: a change there goes unnoticed

    @property
    def digest(self) -> str:
        """32 hexadecimal digits that stand for all of it."""
        return _hash([self.described, self.code, self.packages])


def identify(value: object) -> Identity:
    """What `value` is, with the code behind it.

    Code of the user's own is followed from the classes and functions that are met: the byte code of functions, their
    defaults and closures, the globals they name, and the source of every module of the user's they come from, with
    the modules it imports. Of a script or a notebook only what is reached counts. Installed packages count by their
    version. A class attribute or global that the code itself changes while it runs (a counter, a log, a cache) counts
    by the value it is declared with. Data files that code reads, and what it fetches or looks up by
    a computed name, are not seen.

    >>> identify({"a": 1}).described
    {'a': 1}
    """
    reader = _Reader()
    described = reader.read(value)
    return Identity(
        described=described, code=reader.reached_code(), packages=dict(sorted(reader.packages.items())),
        unseen=tuple(sorted(set(reader.unseen))),
    )  # fmt: skip


def digest(value: object) -> str:
    """32 hexadecimal digits that stand for `value` and the code behind it.

    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    return identify(value).digest


def canonical(value: object) -> Json:
    """`value` in terms of what JSON knows; objects become their class and parameters, arrays a digest.

    >>> canonical((1, "x", None, {2: 0.5}))
    [1, 'x', None, {'2': 0.5}]
    """
    return identify(value).described


def array_digest(array: Labels) -> str:
    """Digest of an array's type, shape and content."""
    maker = hashlib.blake2b(f"{array.dtype.kind}{array.shape}".encode(), digest_size=16)
    if array.dtype == object:
        for item in array.ravel():
            maker.update(f"{type(item).__name__}:{item!r};".encode())
    else:
        maker.update(np.ascontiguousarray(array).tobytes())
    return maker.hexdigest()


class _Reader:
    """One walk over an object: values become JSON, and the code that is met is noted once."""

    def __init__(self) -> None:
        self.code: dict[str, str] = {}
        self.packages: dict[str, str] = {}
        self.unseen: list[str] = []
        self._open: set[int] = set()
        self._met: dict[int, object] = {}
        self._own: dict[str, bool] = {}
        self._parts = 0
        self._starts: dict[str, str] = {}

    def reached_code(self) -> dict[str, str]:
        """Digests by name; of what runs change, of the source it starts from."""
        starts = {name: _hash(source) for name, source in self._starts.items() if name in self.code}
        return dict(sorted({**self.code, **starts}.items()))

    def read(self, value: object) -> Json:
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        self._parts += 1
        if id(value) in self._open:
            return "itself"
        if self._parts > MOST_PARTS:
            return self._hide(value)
        self._open.add(id(value))
        try:
            return self._read(value)
        finally:
            self._open.discard(id(value))

    def _read(self, value: object) -> Json:
        if isinstance(value, np.generic):
            item = value.item()  # of a long double the same: Python has no such number
            return repr(value) if isinstance(item, np.generic) else self.read(item)
        if isinstance(value, np.ndarray):
            return {"array": array_digest(value)}
        if isinstance(value, dict):
            return {str(k): self.read(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.read(v) for v in value]
        if isinstance(value, (set, frozenset)):
            return sorted((self.read(v) for v in value), key=repr)
        if isinstance(value, bytes):
            return {"bytes": hashlib.blake2b(value, digest_size=16).hexdigest()}
        if isinstance(value, type):
            return self._class(value)
        return self._callable(value) if callable(value) else self._object(value)

    def _callable(self, value: object) -> Json:
        if isinstance(value, FunctionType):
            return self._function(value)
        if isinstance(value, functools.partial):
            parts = {"partial": value.func, "args": value.args, "keywords": value.keywords}
            return {name: self.read(part) for name, part in parts.items()}
        if isinstance(value, MethodType):
            return {"method": self.read(value.__func__), "self": self.read(value.__self__)}
        # compiled by Numba, or wrapped by a cache: the function inside is what it does
        inner = getattr(value, "py_func", None) or getattr(value, "__wrapped__", None)
        if isinstance(inner, FunctionType):
            return {"class": self._class(type(value)), "function": self._function(inner)}
        return self._object(value)

    def _object(self, value: object) -> Json:
        if isinstance(value, ModuleType):
            self._module(value.__name__)
            return {"module": value.__name__}
        if hasattr(value, "get_params"):
            return {"class": self._class(type(value)), "params": self.read(value.get_params(deep=False))}
        state = _state(value)
        if state is not None:
            return {"class": self._class(type(value)), "state": self.read(state)}
        if hasattr(value, "__qualname__"):
            self._module(str(getattr(value, "__module__", None) or "builtins"))
            return f"{getattr(value, '__module__', '')}:{value.__qualname__}"
        try:
            content = hashlib.blake2b(pickle.dumps(value, protocol=5), digest_size=16).hexdigest()
        except Exception:  # noqa: BLE001  (whatever a foreign object's pickling raises)
            return self._hide(value)
        return {"class": self._class(type(value)), "pickle": content}

    def _hide(self, value: object) -> Json:
        self.unseen.append(_name(type(value)))
        return {"class": _name(type(value)), "unseen": True}

    def _class(self, kind: type) -> str:
        name = _name(kind)
        if id(kind) in self._met:
            return name
        self._met[id(kind)] = kind
        self._module(kind.__module__)
        if self._own[kind.__module__]:
            for base in (type(kind), *kind.__mro__[1:]):
                self._class(base)
            members = {**dict(class_members(kind)), **changed_attributes(kind)}
            self._note(name, [_name(base) for base in kind.__mro__], members)
        return name

    def _function(self, function: FunctionType) -> Json:
        name = f"{function.__module__}:{function.__qualname__}"
        self._module(str(function.__module__))
        own = self._own[str(function.__module__)]
        if not own and "<" not in function.__qualname__:
            return name
        parts = [
            code_parts(function.__code__),
            [_content(cell) for cell in function.__closure__ or ()],
            [function.__defaults__, function.__kwdefaults__],
        ]
        if own and id(function) not in self._met:
            self._met[id(function)] = function
            self._follow(function)
        return {"function": name, "code": _hash(self.read(parts))}

    def _follow(self, function: FunctionType) -> None:
        changed = changed_globals(function, sys.modules.get(function.__module__))
        self._starts.update((f"{function.__module__}.{name}", source) for name, source in changed.items())
        for reference in references(function):
            if reference.imports:
                self._module(reference.name)
            else:
                self._note(f"{function.__module__}.{reference.name}", reference.value)

    def _module(self, name: str) -> None:
        if name in self._own:
            return
        self._own[name] = is_own(name)
        if not self._own[name]:
            top = name.partition(".")[0]
            version = package_version(top) if top in sys.modules else None
            if version is not None:
                self.packages[top] = version
        else:
            self.code.update((f"file of {module}", content) for module, content in sources(name).items())

    def _note(self, name: str, *values: object) -> None:
        """Note the code or value behind a name; two functions may share one (`<lambda>`), so all are kept."""
        content = _hash([self.read(value) for value in values])
        if content not in self.code.get(name, ""):
            self.code[name] = " ".join(sorted([*self.code.get(name, "").split(), content]))


def _state(value: object) -> Mapping[str, object] | None:
    """The attributes of an object, in a dictionary or in slots."""
    slots = [name for kind in type(value).__mro__ for name in _names(vars(kind).get("__slots__", ()))]
    found = {name: getattr(value, name) for name in slots if not name.startswith("__") and hasattr(value, name)}
    if not hasattr(value, "__dict__"):
        return found or None
    return {**found, **vars(value)}


def _names(slots: str | Iterable[str]) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # a variable that has no value yet
        return "empty"


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _hash(value: Json) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
