"""What data sets, curves, listings and results read from JSON say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from foldwise.core.formatting import number_text
from foldwise.core.result import Recalled, Result
from foldwise.core.types import Json
from foldwise.document.document import Document, Drawing, Facts, Grid, Text
from foldwise.document.plots import CAPTIONS

if TYPE_CHECKING:
    from foldwise.data.dataset import Dataset, Description
    from foldwise.designs.findings import Curve

_STEP = 10  # Every how many points of a curve one is in the table.


def data_set(data: Dataset) -> Document:
    return description(data.describe())


def data_set_plots(data: Dataset) -> dict[str, Drawing]:
    return description_plots(data.describe())


def description(d: Description) -> Document:
    facts = (
        *((("kept as", d.file),) if d.file else ()),
        ("attributes", f"{d.attributes} ({d.numeric} numeric, {d.nominal} nominal)"),
        ("missing values", str(d.missing)),
        ("target", f"{d.target} ({d.task})"),
        *(("column", str(decision)) for decision in d.decisions),
        ("source", d.provenance),
        ("SHA-256", d.hash),
    )
    classes, grids = "", ()
    if d.class_counts is not None:
        total = max(sum(d.class_counts.values()), 1)
        rows = tuple((label, str(n), f"{100 * n / total:.1f} %") for label, n in d.class_counts.items())
        grids = (Grid(columns=("class", "examples", "share"), rows=rows),)  # type: ignore[assignment]
        classes = f" in {sum(n > 0 for n in d.class_counts.values())} classes"
    return Document(
        title=d.name,
        subtitle=f"{d.examples} examples{classes}",
        blocks=(Facts(rows=facts), *grids),
        methods=f"The data set {d.name} has {d.examples} examples{classes} with {d.attributes} attributes ({d.numeric} "
        f"numeric, {d.nominal} nominal) and {d.missing} missing values (SHA-256 {d.hash[:16]}…).",
    )


def description_plots(d: Description) -> dict[str, Drawing]:
    if d.class_counts is None:
        return {}
    return {"classes": Drawing(plot="classes", shows=d, caption=CAPTIONS["classes"])}


def curve(c: Curve) -> Document:
    """The curve as a table."""
    points = list(zip(c.difference, c.height, strict=True))[::_STEP]
    rows = tuple((number_text(float(x), 4), number_text(float(y), 4)) for x, y in points)
    return Document(
        title=c.title,
        subtitle=f"{len(c.difference)} points",
        blocks=(Grid(columns=("difference a − b", c.axis), rows=rows),),
    )


def curve_plots(c: Curve) -> dict[str, Drawing]:
    return {"curve": Drawing(plot="curve", shows=c, caption=f"{c.title}.")}


def listing(found: Listing) -> Document:
    """All rows; of one thing what it is called and what it is."""
    if not found.key:
        pairs = tuple((name, value) for name, value in found.rows)
        return Document(title=found.title, subtitle=found.subtitle, blocks=(Facts(rows=pairs),))
    grid = Grid(columns=found.columns, rows=found.rows, words=found.columns, unfolded=True)
    return Document(
        title=found.title, subtitle=found.subtitle, blocks=(grid if found.rows else Text(text=found.empty),)
    )


def recalled(kept: Recalled) -> Document:
    """What its keys say, where its evidence was not kept."""
    rows = tuple((name, _brief(value)) for name, value in kept.content.items() if value is not None)
    return Document(title=f"{kept.kind.replace('_', ' ')}, read from JSON", blocks=(Facts(rows=rows),))


def _brief(value: object, longest: int = 90) -> str:
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(Result):
    """Rows with what they are called."""

    page: ClassVar[str] = "listing"

    #: title, subtitle: What is listed, and where from
    title: str
    subtitle: str = ""
    key: str  #: Name of the rows in JSON; empty for one thing, whose `content` is its own object
    content: Sequence[Json] | Mapping[str, Json]  #: The rows as JSON has them; for one thing a dictionary
    #: columns, rows: The same for people; a table, or pairs of name and value
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str = "nothing there yet"  #: What to say when there is nothing

    def _content(self) -> dict[str, Json]:
        if isinstance(self.content, Mapping) and not self.key:
            return dict(self.content)
        return {self.key: self.content}
