"""The live example on the first screen: a small answer that follows two sliders."""

from __future__ import annotations

import numpy as np
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from foldwise.comparison.predictions import compare_predictions
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.document import document_of
from foldwise.document.document import Drawing
from foldwise.document.plots import CAPTIONS
from foldwise.web.doors.base import Submission, slider
from foldwise.web.forms import Body, read_entry
from foldwise.web.rendering import page

SLIDERS = (
    slider(name="n", label="Test examples", low=50, high=5000, value="400", step=10, logarithmic=True),
    slider(name="points", label="Points ahead", low=0, high=10, value="3", step=0.5),
)
FIRST_ANSWER = (400, 3.0)

DIFFERING, BOTH_RIGHT = 0.14, 0.8
"""Shares of the examples on which the two classifiers of the live example differ, and on which both are right."""


async def live_example(request: Request) -> Response:
    try:
        entry, _ = await read_entry(request, Body(request), request.app.state.limits)
        found, refused = await request.app.state.run("small_answer", *_asked(entry)), ""
    except FoldwiseError as error:
        found, refused = None, str(error)
    except HTTPException as error:
        found, refused = None, error.detail
    return page("live_example.html", status=422 if refused else 200, small=found, refused=refused)


def small_answer(n: int, points: float) -> dict[str, str]:
    """Two classifiers on `n` examples, the first ahead by so many points: sentence, numbers, tone and picture (SVG)."""
    from foldwise.render.plot import alone, figure_svg

    ahead = round(n * points / 100)
    only_second = max(0, round((n * DIFFERING - ahead) / 2))
    counts = [only_second, only_second + ahead, round(n * BOTH_RIGHT)]
    outcomes = [(0, 1), (1, 0), (1, 1), (0, 0)]
    marks = np.repeat(outcomes, [*counts, n - sum(counts)], axis=0)
    c = compare_predictions(None, {"new": marks[:, 0], "old": marks[:, 1]}, metric="accuracy")
    told = document_of(c)
    drawing = Drawing(plot="effect", shows=c, caption=CAPTIONS["effect"])
    svg = figure_svg(alone(drawing), "live_example", description=drawing.caption)
    return {"headline": told.headline, "detail": told.detail, "tone": told.tone, "svg": svg}


def _asked(entry: Submission) -> tuple[int, float]:
    n, points = entry.whole("n"), entry.optional("points")
    for one, value in zip(SLIDERS, (n, points), strict=True):
        if value is None or not one.low <= value <= one.high:
            raise InvalidInput(f"{one.name} must be from {one.low:g} to {one.high:g}, got {entry.get(one.name)}")
    assert n is not None
    assert points is not None
    return n, points
