"""What an object is, as text that is the same in every process and on every machine.

Used wherever results are kept under the identity of what produced them: splitters, learners, scorers, data.
"""

from __future__ import annotations

import functools
import hashlib
import json
import pickle
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["array_digest", "canonical", "digest"]


def digest(value: Any) -> str:
    """32 hexadecimal digits that stand for `value`.

    Examples
    --------
    >>> digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    True
    """
    text = json.dumps(canonical(value), sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def canonical(value: Any) -> Any:
    """`value` in terms of what JSON knows; objects become their class and parameters, arrays a digest.

    Notes
    -----
    Estimators are taken by ``get_params``, other objects by their attributes, functions by name; a function that
    may change under the same name (a lambda, a local one, one of a script) also by its byte code.

    Examples
    --------
    >>> canonical((1, "x", None, {2: 0.5}))
    [1, 'x', None, {'2': 0.5}]
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return canonical(value.item())
    if isinstance(value, np.ndarray):
        return {"array": array_digest(value)}
    if isinstance(value, dict):
        return {str(k): canonical(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [canonical(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted((canonical(v) for v in value), key=repr)
    return _object(value)


def array_digest(array: NDArray[Any]) -> str:
    """Digest of an array's type, shape and content."""
    maker = hashlib.blake2b(f"{array.dtype.kind}{array.shape}".encode(), digest_size=16)
    if array.dtype == object:
        for item in array.ravel():
            maker.update(f"{type(item).__name__}:{item!r};".encode())
    else:
        maker.update(np.ascontiguousarray(array).tobytes())
    return maker.hexdigest()


def _object(value: Any) -> Any:
    if isinstance(value, type):
        return _name(value)
    if isinstance(value, FunctionType):
        return _function(value)
    if isinstance(value, functools.partial):
        return {"partial": canonical(value.func), "args": canonical(value.args), "keywords": canonical(value.keywords)}
    if hasattr(value, "get_params"):
        return {"class": _name(type(value)), "params": canonical(value.get_params(deep=False))}
    if hasattr(value, "__dict__"):
        return {"class": _name(type(value)), "state": canonical(vars(value))}
    if hasattr(value, "__qualname__"):
        return f"{getattr(value, '__module__', '')}:{value.__qualname__}"
    state = hashlib.blake2b(pickle.dumps(value, protocol=5), digest_size=16).hexdigest()
    return {"class": _name(type(value)), "pickle": state}


def _name(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _function(function: FunctionType) -> Any:
    name = f"{function.__module__}:{function.__qualname__}"
    if function.__module__ != "__main__" and "<" not in function.__qualname__:
        return name
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return {
        "function": name,
        "code": _code(function.__code__),
        "closure": canonical(cells),
        "defaults": canonical([function.__defaults__, function.__kwdefaults__]),
    }


def _code(code: CodeType) -> list[Any]:
    constants = [_code(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return [code.co_code.hex(), list(code.co_names), constants]
