"""Things named in text with parameters: ``name(param=value, …)``."""

from __future__ import annotations

import ast
import re

from foldwise.core.errors import InvalidInput

__all__ = ["parse_spec"]

_SPEC = re.compile(r"\s*(?P<name>[\w.:/\\~-]+)\s*(?:\((?P<arguments>.*)\))?\s*", re.DOTALL)

LONGEST = 10_000
"""Characters of a specification."""


def parse_spec(spec: str, kind: str) -> tuple[str, dict[str, object]]:
    """Split ``name(param=value, …)`` into its name and parameters; values are literals, nothing is evaluated.

    Parameters
    ----------
    spec
        The text.
    kind
        What it names, for messages.

    Examples
    --------
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
