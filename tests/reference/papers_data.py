"""The papers' data sets: the folder that has them, or those two that anybody can write down.

`balance-scale` is all weights and distances from 1 to 5 with the side that goes down; `contact-lenses` is Cendrowska's
table of 24 cases. Both come out as the files do, row by row, so that Weka's transcripts hold for them.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["AT_HAND", "at_hand", "data_folder", "made_arff"]

_FOLDER = Path(os.environ.get("FOLDWISE_DATA") or Path(__file__).parents[3] / "shared" / "data")

AT_HAND = _FOLDER.is_dir()
"""Whether all of them are there."""

_LENSES = "nsnhnsnhnsnhnsnnnnnhnsnn"
"""Class of each case (none, soft, hard), the cases in the order of their attributes' values."""


def at_hand(*names: str) -> tuple[str, ...]:
    """Those of the data sets that are there, or can be made."""
    return names if AT_HAND else tuple(name for name in names if name in _MADE)


@cache
def data_folder() -> Path:
    """A folder with the data sets `at_hand`."""
    if AT_HAND:
        return _FOLDER
    folder = Path(tempfile.mkdtemp(prefix="foldwise-made-"))
    for name in _MADE:
        (folder / f"{name}.arff").write_text(made_arff(name), encoding="utf-8")
    return folder


def made_arff(name: str) -> str:
    """The file's content."""
    return _MADE[name]()


def _balance_scale() -> str:
    sides = ("left-weight", "left-distance", "right-weight", "right-distance")
    head = ["@relation balance-scale", *(f"@attribute {side} real" for side in sides), "@attribute class { L, B, R}"]
    rows = []
    for a, b, c, d in itertools.product(range(1, 6), repeat=4):
        side = "L" if a * b > c * d else "R" if a * b < c * d else "B"
        rows.append(f"{a},{b},{c},{d},{side}")
    return "\n".join([*head, "@data", *rows, ""])


def _contact_lenses() -> str:
    attributes = {
        "age": ("young", "pre-presbyopic", "presbyopic"),
        "spectacle-prescrip": ("myope", "hypermetrope"),
        "astigmatism": ("no", "yes"),
        "tear-prod-rate": ("reduced", "normal"),
        "contact-lenses": ("soft", "hard", "none"),
    }
    head = ["@relation contact-lenses"]
    head += [f"@attribute {name} {{{', '.join(values)}}}" for name, values in attributes.items()]
    cases = itertools.product(*list(attributes.values())[:-1])
    words = {"n": "none", "s": "soft", "h": "hard"}
    rows = [",".join([*case, words[letter]]) for case, letter in zip(cases, _LENSES, strict=True)]
    return "\n".join([*head, "@data", *rows, ""])


_MADE = {"balance-scale": _balance_scale, "contact-lenses": _contact_lenses}
