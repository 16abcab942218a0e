"""The papers' numbers beside ours as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from foldwise.report.chart import draw_chart
from foldwise.report.svg import figure_svg

if TYPE_CHECKING:
    from foldwise.papers.rows import Row
    from foldwise.papers.study import StudyResult

__all__ = ["reproduction_html"]

STYLE = """
:root { color-scheme: light dark; --rule: #c9c9c9 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: 0.9rem; display: block; overflow-x: auto }
th, td { text-align: left; padding: 0.15rem 0.7rem 0.15rem 0; border-bottom: 1px solid var(--rule) }
svg { max-width: 100%; height: auto }
.differs { font-weight: 600 }
"""


def reproduction_html(results: Iterable[StudyResult], *, heading: str) -> str:
    """Return the page."""
    sections = "\n".join(_section(result) for result in results)
    title = "The papers' tables and figures, ours beside theirs"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body><h1>{title}</h1>\n<p>{escape(heading)}</p>\n{sections}\n</body></html>\n"
    )


def _section(result: StudyResult) -> str:
    head = "".join(f"<th>{word}</th>" for word in ("", "printed", "ours", "99 % interval", "verdict", "note"))
    rows = "\n".join(_row(row) for row in result.rows)
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    figures = "\n".join(
        figure_svg(draw_chart(chart), f"{result.key}-{chart.name}", description=chart.title) for chart in result.charts
    )
    where = f"{result.key}: {result.reference}; {result.scale} scale, seed {result.seed}, {result.seconds:.1f} s"
    return (
        f"<section><h2>{escape(result.title)}</h2><p>{escape(where)}</p>{notes}"
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>\n{figures}</section>"
    )


def _row(row: Row) -> str:
    ours = "" if row.ours is None else f"{row.ours:.4g}"
    limits = "" if row.low is None or row.high is None else f"{row.low:.4g} to {row.high:.4g}"
    cells = (row.label, row.printed, ours, limits, row.judgement, row.note)
    mark = ' class="differs"' if row.verdict == "differs" else ""
    return f"<tr{mark}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
