"""A Matplotlib figure that notebooks show by itself, without pyplot and without a magic command."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

SCREEN = 96  # Dots per inch in which browsers count; a figure is as large as on a page.
FINE = 2  # Dots of the picture for one of these: notebooks are read on fine screens.


class ShownFigure(Figure):
    """As `matplotlib.figure.Figure`, with a picture for notebooks."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """The picture, and how large it is to be shown."""
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=FINE * SCREEN, facecolor="white")
        width, height = (round(SCREEN * float(side)) for side in self.get_size_inches())
        return buffer.getvalue(), {"width": width, "height": height}
