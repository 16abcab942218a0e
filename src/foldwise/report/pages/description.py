"""The page of a data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foldwise.report.drawings import Drawing
from foldwise.report.page import Facts, Grid, Page, Section

if TYPE_CHECKING:
    from foldwise.data.dataset import Description

__all__ = ["drawings", "page"]


def page(d: Description) -> Page:
    """How large it is, then its classes."""
    facts = Facts(
        rows=(
            ("attributes", f"{d.attributes} ({d.numeric} numeric, {d.nominal} nominal)"),
            ("missing values", str(d.missing)),
            ("target", f"{d.target} ({d.task})"),
            ("source", d.provenance),
            ("SHA-256", d.hash),
        )
    )
    blocks: tuple[Facts | Grid, ...] = (facts,)
    if d.class_counts is not None:
        total = max(sum(d.class_counts.values()), 1)
        rows = tuple((label, str(n), f"{100 * n / total:.1f} %") for label, n in d.class_counts.items())
        blocks += (Grid(columns=("class", "examples", "share"), rows=rows),)
    return Page(
        title=d.name,
        subtitle=f"{d.examples} examples",
        headline="",
        sections=(Section(blocks=blocks, brief=True),),
        methods=_methods(d),
    )


def drawings(d: Description) -> dict[str, Drawing]:
    """How many examples each class has."""
    if d.class_counts is None:
        return {}
    return {"classes": Drawing(plot="plot_classes", shows=d, caption="How many examples each class has.")}


def _methods(d: Description) -> str:
    classes = "" if d.class_counts is None else f" in {sum(n > 0 for n in d.class_counts.values())} classes"
    return (
        f"The data set {d.name} has {d.examples} examples{classes} with {d.attributes} attributes ({d.numeric} "
        f"numeric, {d.nominal} nominal) and {d.missing} missing values (SHA-256 {d.hash[:16]}…)."
    )
