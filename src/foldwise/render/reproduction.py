"""The papers' numbers beside ours: a page in Markdown with its figures as SVG files, and one HTML page."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foldwise.core.files import write_whole
from foldwise.core.formatting import number_text
from foldwise.core.types import Json
from foldwise.core.units import span
from foldwise.document import document_of
from foldwise.render.html import Page, Plot, body_html, stylesheet
from foldwise.render.plot import figure_file, figure_svg
from foldwise.render.plots.lab import draw_chart

if TYPE_CHECKING:
    from foldwise.lab.papers.study import StudyResult

MOST_RAW = 50_000  # Bytes of raw results that are kept beside the rows.


def save_study(result: StudyResult, folder: Path) -> None:
    """Write a study's rows as JSON and its figures as SVG; raw results too, where they are small."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{_slug(result.key)}.json"
    found = result.to_dict()
    found["raw"] = _kept(found["raw"])
    found["seconds"] = max(result.seconds, _seconds_before(path, found))
    write_whole(path, json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    for chart in result.figures:
        name = _figure_name(result, chart.name)
        write_whole(folder / f"{name}.svg", figure_file(draw_chart(chart), name))


def _kept(raw: Json) -> Json:
    """Raw results, or their digest where they are many: the seed gives them again, the digest says whether it did."""
    text = json.dumps(raw, allow_nan=False, sort_keys=True).encode()
    if len(text) <= MOST_RAW:
        return raw
    return {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}


def _seconds_before(path: Path, found: Mapping[str, object]) -> float:
    """How long the same numbers took when they were last saved: a repeat may have found its trials in a store."""
    if not path.exists():
        return 0.0
    before = json.loads(path.read_text(encoding="utf-8"))
    same = all(before.get(name) == json.loads(json.dumps(found[name])) for name in ("scale", "seed", "raw"))
    return float(before["seconds"]) if same else 0.0


def read_studies(folder: Path) -> Iterator[dict[str, Any]]:
    """The raw results that `save_study` wrote there."""
    for path in sorted(folder.glob("*.json")):
        saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        yield saved


def reproduction_page(
    results: Iterable[StudyResult], *, papers: Mapping[str, str], figures: str, notes: Iterable[str] = ()
) -> str:
    """Return the whole page.

    `results`: studies that were run, in the order they are to appear. `papers`: full titles by key. `figures`: folder
    of the SVG files, as seen from the page. `notes`: further sentences for the top, such as studies that were left out
    and why.
    """
    done = list(results)
    lines = ["# The papers' tables and figures, ours beside theirs", "", _heading(done), "", *_legend(), ""]
    lines += [f"- {note}" for note in notes]
    lines += ["", *_overview(done), ""]
    for paper in dict.fromkeys(result.key.partition("/")[0] for result in done):
        lines += [f"## {papers.get(paper, paper)}", ""]
        for result in done:
            if result.key.partition("/")[0] == paper:
                lines += _reproduction_section(result, figures)
    return "\n".join(lines).rstrip() + "\n"


def _heading(results: list[StudyResult]) -> str:
    """Whether it was one run, of which commit, when, and what came of it."""
    made = Counter(", ".join(_commits(result)) for result in results)
    several = "; ".join(f"{count} by {by}" for by, count in made.items())
    when = sorted(date for result in results for date in (*sum(result.trials.values(), ()), result.ran) if date)
    what = f"One commit: {next(iter(made), '')}" if len(made) == 1 else f"**Not one run**: {several}"
    dates = f", {when[0]} to {when[-1]}" if when else ""
    seeds = ", ".join(map(str, dict.fromkeys(result.seed for result in results)))
    minutes = sum(result.seconds for result in results) / 60
    counts: Counter[str] = Counter(row.verdict for result in results for row in result.rows)
    said = {
        "agree": "agree", "differs": "differ", "not comparable": "have a printed value that is not comparable",
        "not printed": "are measured with nothing printed beside them",
    }  # fmt: skip
    return (
        f"{what}{dates}, seed {seeds}: {len(results)} studies in {minutes:.1f} minutes. Rows: "
        + ", ".join(f"{counts[verdict]} {words}" for verdict, words in said.items())
        + "."
    )


def _commits(result: StudyResult) -> list[str]:
    """Whose code a study's trials and rows are."""
    return list(dict.fromkeys((*result.trials, result.made_by)))


def _legend() -> list[str]:
    return [
        "Intervals are 99 % Monte-Carlo intervals. *Agrees if* is the rule. A number agrees within half its last digit "
        "and the root of the summed squares of two 99 % Monte-Carlo errors: ours, and the paper's own where its number "
        "of trials is known. So of a hundred rows that are right about one differs by chance. A statement agrees if "
        "what is said there holds. *Not comparable*: printed, but of something else than ours, or our trials are too "
        "few; the note says which. *Not printed*: measured, and in a figure only or nowhere in the paper. Pictures "
        "show the papers' figures as they come out here (our copies of the papers have no numbers of them), and all "
        "printed numbers of a study beside ours where they are eight or more. Studies that are made of the same trials "
        "share them: the first takes the time."
    ]


def _overview(results: list[StudyResult]) -> list[str]:
    lines = [
        "| study | what | scale | agree | differs | not comparable | not printed | seconds | commit |",
        "| --- | --- | --- | --: | --: | --: | --: | --: | --- |",
    ]
    for result in results:
        numbers = " | ".join(map(str, result.verdicts().values()))
        link = f"[{result.key}](#{_slug(result.key)})"
        commits = ", ".join(by.rpartition("commit ")[2] for by in _commits(result))
        lines.append(f"| {link} | {result.title} | {result.scale} | {numbers} | {result.seconds:.1f} | {commits} |")
    return lines


def _reproduction_section(result: StudyResult, figures: str) -> list[str]:
    lines = [f'<a id="{_slug(result.key)}"></a>', "", f"### {result.title}", ""]
    lines += [f"{result.reference}. Repeat: `{_repeat(result)}`", "", f"Made by {result.origin}.", ""]
    lines += [f"{note}\n" for note in result.notes]
    lines += [
        "| | printed | ours | 99 % interval | agrees if | verdict | note |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in result.rows:
        ours = "" if row.ours is None else number_text(row.ours, 4)
        limits = span(row.low, row.high)
        cells = (row.label, row.printed, ours, limits, row.rule, row.judgement, row.note)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines.append("")
    for chart in result.figures:
        lines += [f"![{chart.title}]({figures}/{_figure_name(result, chart.name)}.svg)", ""]
    return lines


def _repeat(result: StudyResult) -> str:
    return f"foldwise reproduce {result.key} --scale {result.scale} --seed {result.seed}"


def _figure_name(result: StudyResult, chart: str) -> str:
    return f"{_slug(result.key)}-{chart}"


def _slug(key: str) -> str:
    return key.replace("/", "-")


def reproduction_html(results: Iterable[StudyResult], *, heading: str) -> str:
    """All studies on one page, each laid out as any other result, with its figures."""
    title = "The papers' tables and figures, ours beside theirs"
    bodies = []
    for result in results:
        plots = tuple(
            Plot(svg=figure_svg(draw_chart(chart), name, description=chart.title), caption=chart.title, name=name)
            for chart in result.figures
            for name in [_figure_name(result, chart.name)]
        )
        document = document_of(result).replace(command=_repeat(result))
        bodies.append(body_html(Page(document=document, plots=plots)))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{stylesheet()}</style></head>\n'
        f'<body class="foldwise-page"><main class="foldwise"><h1 class="title">{title}</h1>\n'
        f'<p class="subtitle">{escape(heading)}</p>\n{"".join(bodies)}\n</main></body></html>\n'
    )
