"""What code a function or a class consists of, and what else it reaches."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

from foldwise.core.modules import imported_name

__all__ = ["Reference", "class_members", "code_parts", "references"]

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
        modules.update(_imports(code, str(known.get("__package__") or "")))
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


def _imports(code: CodeType, package: str) -> Iterator[str]:
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
