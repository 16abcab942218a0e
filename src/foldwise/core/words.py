"""Words that stand for right, for wrong and for nothing, in lower case: the same at every door."""

from __future__ import annotations

__all__ = ["MISSING", "RIGHT", "WRONG"]

RIGHT = frozenset({"1", "1.0", "true", "right", "correct", "pass", "passed"})
WRONG = frozenset({"0", "0.0", "false", "wrong", "incorrect", "fail", "failed"})
"""What stands for a right and a wrong answer."""

MISSING = frozenset({"", "?", "na", "n/a", "nan", "none", "null"})
"""What stands for "no value"."""
