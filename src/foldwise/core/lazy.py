"""What is loaded when it is first used: the public names of a package, and what rooms above do for rooms below."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any


def public_names(
    package: str, files: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """What a package needs to load its public names from their files: `__getattr__`, `__dir__` and `__all__`.

    Code that is type-checked imports a name from its file. No file may be called as one of its names: importing it
    would hide the name behind the module.

    `files` has the public names of each file of the package; a file in another room goes by its whole name.

    >>> __getattr__, __dir__, __all__ = public_names("foldwise.core", {"random": ["stream"], "types": ["Json"]})
    >>> __dir__()
    ['Json', 'stream']
    """
    place = {name: file if file.startswith("foldwise.") else f"{package}.{file}"
             for file, names in files.items() for name in names}  # fmt: skip

    def load(name: str) -> Any:
        if name not in place:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = import_module(place[name])
        return found if place[name] == f"{package}.{name}" else getattr(found, name)

    names = sorted(place)
    return load, lambda: sorted(names), names


_providers: dict[str, str] = {}


def provide(**modules: str) -> None:
    """Say which module does a task that rooms below hand to rooms above; `foldwise/__init__.py` does, for all rooms."""
    _providers.update(modules)


def provided(task: str) -> ModuleType:
    return import_module(_providers[task])
