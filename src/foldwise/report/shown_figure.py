"""A Matplotlib figure that notebooks show by itself, without pyplot and without a magic command."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

__all__ = ["ShownFigure"]

DOTS_PER_INCH = 144
"""Twice the usual: notebooks are read on fine screens."""


class ShownFigure(Figure):
    """As `matplotlib.figure.Figure`, with a picture for notebooks."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=DOTS_PER_INCH, facecolor="white")
        return buffer.getvalue()
