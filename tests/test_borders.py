"""`Any` belongs to borders with foreign code: there may be few of them."""

from pathlib import Path
from tokenize import NAME, generate_tokens

import foldwise

MOST = 10
"""Mentions of `Any` per 1000 lines."""


def test_any_is_rare():
    files = sorted(Path(foldwise.__file__).parent.rglob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in files]
    lines = sum(text.count("\n") for text in texts)
    found = {path: _mentions(text) for path, text in zip(files, texts, strict=True)}
    worst = ", ".join(f"{path.name} {count}" for path, count in sorted(found.items(), key=lambda e: -e[1])[:5])
    rate = 1000 * sum(found.values()) / lines
    assert rate <= MOST, f"Any stands {rate:.1f} times in 1000 lines; give types instead ({worst})"


def _mentions(text):
    numbered = iter(text.splitlines(keepends=True))
    return sum(token.type == NAME and token.string == "Any" for token in generate_tokens(lambda: next(numbered, "")))
