"""The papers' numbers beside ours as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from foldwise.core.formatting import number_text
from foldwise.core.units import span
from foldwise.report.chart import draw_chart
from foldwise.report.html import stylesheet
from foldwise.report.svg import figure_svg

if TYPE_CHECKING:
    from foldwise.lab.papers.rows import Chart, Row
    from foldwise.lab.papers.study import StudyResult

__all__ = ["reproduction_html"]

STYLE = """
.foldwise .grid { font-size: .9rem; }
.foldwise .grid .words { min-width: 7rem; }
.foldwise .differs > * { font-weight: 650; }
.foldwise figure { max-width: 50rem; margin-bottom: 1rem; }
"""
COLUMNS = ("", "printed", "ours", "99 % interval", "agrees if", "verdict", "note")
WORDS = ("", "agrees if", "verdict", "note")


def reproduction_html(results: Iterable[StudyResult], *, heading: str) -> str:
    """Return the page."""
    sections = "\n".join(_section(result) for result in results)
    title = "The papers' tables and figures, ours beside theirs"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{stylesheet()}{STYLE}</style></head>\n'
        f'<body class="foldwise-page"><main class="foldwise"><h1 class="title">{title}</h1>\n'
        f'<p class="subtitle">{escape(heading)}</p>\n{sections}\n</main></body></html>\n'
    )


def _section(result: StudyResult) -> str:
    head = "".join(f'<th scope="col"{_kind(column)}>{column}</th>' for column in COLUMNS)
    rows = "\n".join(_row(row) for row in result.rows)
    notes = "".join(f"<p>{escape(note)}</p>" for note in result.notes)
    figures = "\n".join(f"<figure>{_drawn(chart, result.key)}</figure>" for chart in result.charts)
    where = f"{result.key}: {result.reference}; {result.scale} scale, seed {result.seed}, {result.seconds:.1f} s"
    return (
        f'<section><h2 class="heading">{escape(result.title)}</h2><p class="note">{escape(where)}</p>{notes}'
        f'<div class="wide"><table class="grid"><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table></div>\n'
        f"{figures}</section>"
    )


def _row(row: Row) -> str:
    ours = "" if row.ours is None else number_text(row.ours, 4)
    limits = span(row.low, row.high)
    cells = (row.printed, ours, limits, row.rule, row.judgement, row.note)
    mark = ' class="differs"' if row.verdict == "differs" else ""
    rest = "".join(f"<td{_kind(name)}>{escape(cell)}</td>" for name, cell in zip(COLUMNS[1:], cells, strict=True))
    return f'<tr{mark}><th scope="row" class="words">{escape(row.label)}</th>{rest}</tr>'


def _kind(column: str) -> str:
    return ' class="words"' if column in WORDS else ""


def _drawn(chart: Chart, key: str) -> str:
    return figure_svg(draw_chart(chart), f"{key}-{chart.name}", description=chart.title)
