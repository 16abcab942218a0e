"""The paper kit: methods, references, tables, figures, and the diagram of ranks as TikZ."""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.files import write_whole
from foldwise.core.metric import metric_words
from foldwise.core.result import Result
from foldwise.core.units import capital, fixed, shared_decimals
from foldwise.document import comparison_tables, document_of, plots_of
from foldwise.document.document import Bullets, Document, Text
from foldwise.document.references import bibtex, with_cites
from foldwise.render.latex import (
    COLUMN,
    at_most_as_wide,
    document_table,
    floating,
    heads_that_fit,
    latex,
    latex_table,
    width_of,
)
from foldwise.render.plot import alone, figure_file
from foldwise.render.plots.data_sets import lanes_of, not_shown_to_differ

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from foldwise.comparison.by_metric import MetricComparison
    from foldwise.core.types import Array

RANKS = "ranks.tex"  # The diagram of ranks as TikZ, the one among the texts that is a picture.


def bibtex_of(result: Result) -> str:
    """BibTeX of all that the result's page and its methods paragraph cite, and of this package."""
    return bibtex(*_words(_citing(result)))


def write_paper(result: Result, folder: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write the kit into a folder, which is made if need be; returns the files."""
    place = Path(folder)
    contents = paper_contents(result)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"the paper kit must go to a folder, got '{place}': {error.strerror or error}") from error
    return tuple(write_whole(place / name, content) for name, content in contents.items())


def paper_zip(result: Result) -> bytes:
    """The kit as an archive, the same to the byte for the same result."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in paper_contents(result).items():
            archive.writestr(zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()


def paper_contents(result: Result) -> dict[str, str | bytes]:
    r"""The files of the kit by name.

    ``methods.tex`` (with ``\cite`` commands), ``references.bib``, ``table.tex``, each picture as SVG and PDF; for
    learners on data sets ``scores.tex``, the whole table, ``effects.tex``, how far each is from the best or the
    control, and ``ranks.tex``, the critical-difference diagram as TikZ; and ``paper.tex``, which has all of them in it
    and can be compiled as it is.
    """
    document = _citing(result)
    tables = _tables(result, document)
    drawn = {name: drawing for name, drawing in plots_of(result).items() if drawing.on_page}
    pictures: dict[str, str | bytes] = {}
    for name, drawing in drawn.items():
        figure = alone(drawing)
        pictures |= {f"{name}.svg": figure_file(figure, name), f"{name}.pdf": _pdf(figure)}
    return {
        "methods.tex": with_cites(latex(document.methods)) + "\n",
        "references.bib": bibtex(*_words(document)),
        **tables,
        "paper.tex": _document(list(tables), {name: drawing.caption for name, drawing in drawn.items()}),
        **pictures,
    }


def _document(texts: list[str], captions: dict[str, str]) -> str:
    """A document of all the parts, to see them and to copy its preamble from; what LaTeX can draw itself, it draws."""
    tables = [rf"\input{{{text}}}" for text in texts if text != RANKS]
    figures = [
        _figure(
            rf"\input{{{RANKS}}}" if f"{name}.tex" == RANKS else rf"\includegraphics[width=\linewidth]{{{name}.pdf}}",
            caption=caption,
            label=f"fig:{name}",
        )
        for name, caption in _said_once(captions).items()
    ]
    lines = [
        r"\documentclass{article}",
        *(rf"\usepackage{{{name}}}" for name in ("booktabs", "graphicx", "tikz")),
        r"\setlength{\belowcaptionskip}{6pt} % captions stand above the tables",
        r"\setlength{\emergencystretch}{1em} % citations and numbers can't be hyphenated",
        r"\begin{document}",
        r"\input{methods.tex}",
        *tables,
        *figures,
        r"\nocite{*}",
        r"\bibliographystyle{plain}",
        r"\bibliography{references}",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def _said_once(captions: dict[str, str]) -> dict[str, str]:
    """The captions for LaTeX; sentences that stand below an earlier figure are replaced by a reference to it."""
    first: dict[str, str] = {}
    found = {}
    for name, caption in captions.items():
        new, known = [], ""
        for part in re.split(r"(?<=[.!?]) (?=[A-Z])", caption):
            known = first.get(part, known)
            if part not in first:
                first[part] = name
                new.append(latex(part))
        if known:
            new.append(rf"To be read as Figure~\ref{{fig:{known}}}.")
        found[name] = " ".join(new)
    return found


def _figure(drawn: str, *, caption: str, label: str) -> str:
    inner = [r"\centering", drawn, rf"\caption{{{caption}}}", rf"\label{{{label}}}"]
    return "\n".join([r"\begin{figure}", *(f"  {line}" for line in inner), r"\end{figure}"])


def _citing(result: Result) -> Document:
    document = document_of(result)
    if not document.methods:
        raise InvalidInput(f"there is nothing to write into a paper about this {result.page.replace('_', ' ')}")
    return document


def _words(document: Document) -> list[str]:
    blocks = [block for section in document.details for block in section.blocks]
    listed = [item for block in blocks if isinstance(block, Bullets) for item in block.items]
    return [document.methods, *listed, *(block.text for block in blocks if isinstance(block, Text))]


def _further(result: Any) -> dict[str, str]:
    """Of learners on data sets the whole table of scores, how far each is from the best, and the ranks as TikZ."""
    if result.page != "comparison" or len(result.parts) > 1 or not result.tasks:
        return {}
    result = result.parts[0]
    kit = {"scores.tex": score_table_latex(result), "ranks.tex": critical_difference_tikz(result)}
    if (far := comparison_tables.effects(result)) is not None:
        kit["effects.tex"] = latex_table(far.columns, far.rows, caption=f"{far.caption}.", label="tab:effects")
    return kit


def _tables(result: Result, document: Document) -> dict[str, str]:
    table = document_table(document)
    found = {} if table is None else {"table.tex": table}
    return {name: f"{text}\n" for name, text in {**found, **_further(result)}.items()}


def _pdf(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
    return buffer.getvalue()


WORSE, BETTER = r"$^\bullet$", r"$^\circ$"

"""Marks of learners that are shown to be worse, or better, than the one they are compared with."""


def score_table_latex(c: MetricComparison) -> str:
    """Mean scores by data set, with as many decimals everywhere; below them the means, mean ranks and marks.

    Marks are those of the comparison over all data sets, at its level and adjusted for the number of comparisons:
    against the control, or against the learner with the best mean rank.
    """
    table, against = c.table, c.control if c.control is not None else c.ranking[0]
    decimals = min(shared_decimals(table.means.ravel().tolist(), 4), 4)
    rows = [
        [latex(name), *_cells(scores, decimals, higher_is_better=table.higher_is_better)]
        for name, scores in zip(table.datasets, table.means, strict=True)
    ]
    means = ["mean", *_cells(np.nanmean(table.means, axis=0), decimals, higher_is_better=table.higher_is_better)]
    ranks = ["mean rank", *(cell + _mark(c, name, against) for name, cell in
             zip(c.names, _cells(c.data_sets.mean_ranks, 2, higher_is_better=False), strict=True))]  # fmt: skip
    plain = [
        [name, *(f"{score:.{decimals}f}" for score in scores)]
        for name, scores in zip(table.datasets, table.means, strict=True)
    ]
    head = heads_that_fit(["data set", *c.names], plain)
    lines = [_line(head), r"\midrule", *map(_line, rows), r"\midrule", _line(means), _line(ranks)]
    caption = (
        f"{capital(metric_words(table.metric))} on each data set, the best in bold. {WORSE} worse and {BETTER} better "
        f"than {latex(against)} over all data sets at level {c.alpha:g} ({latex(c.procedure.title)}, "
        f"{latex(c.adjusted_by.title)})."
    )
    return floating(lines, columns="l" + "r" * len(c.names), caption=caption, label="tab:scores")


def _cells(values: Array, decimals: int, *, higher_is_better: bool) -> list[str]:
    """Numbers with the best in bold: all that are equal as shown."""
    shown = ["--" if np.isnan(value) else fixed(float(value), decimals).replace("−", "$-$") for value in values]
    known = [float(value) for value in values if not np.isnan(value)]
    best = fixed((max if higher_is_better else min)(known), decimals).replace("−", "$-$") if known else None
    return [rf"\textbf{{{cell}}}" if cell == best else cell for cell in shown]


def _mark(c: MetricComparison, name: str, against: str) -> str:
    better = next((pair.better for pair in c.pairs if {pair.a, pair.b} == {name, against}), None)
    return "" if better is None else BETTER if better == name else WORSE


def _line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


LANE, LINE = 0.25, 0.5

"""Centimetres between bars, and between names."""

_CENTIMETRE = 72.27 / 2.54

_SMALL = 0.9  # Size of the letters, in tens of points.

_RANK, _SHORTEST, _LONGEST = 0.5, 2.0, 8.0

"""Centimetres that one rank takes at least, and the axis at least and at most."""

_EDGE, _PADDING = 0.2, 0.5

"""Centimetres from an end of the axis to the names beside it, and what TikZ leaves free about both names."""


def critical_difference_tikz(c: MetricComparison, *, width: float = COLUMN) -> str:
    """A ``tikzpicture``: mean ranks from the best on the left, names at its sides, bars over indistinguishable groups.

    The axis takes what the names leave of `width` points, and is never so short that ranks could not be told apart:
    where it would be, the picture is shrunk to the column it stands in.
    """
    order = np.argsort(c.data_sets.mean_ranks, kind="stable")
    names = [c.names[i] for i in order]
    high = max(2.0, float(np.ceil(max(c.data_sets.mean_ranks))))
    axis = _axis_length(names, high, width)
    place = [axis * (float(c.data_sets.mean_ranks[i]) - 1) / (high - 1) for i in order]
    lanes = lanes_of(c, names)
    lines = [r"\begin{tikzpicture}[font=\small]", *_axis(axis, high), *_critical(c, axis / (high - 1))]
    for lane, groups in enumerate(lanes):
        y = -LANE * (lane + 1)
        lines += [
            rf"  \draw[line width=2pt] ({place[g[0]]:.3f},{y:.3f}) -- ({place[g[-1]]:.3f},{y:.3f});" for g in groups
        ]
        # a learner that a bar passes without a tick differs from some member of the group
        lines += [
            rf"  \draw ({place[i]:.3f},{y - 0.08:.3f}) -- ({place[i]:.3f},{y + 0.08:.3f});" for g in groups for i in g
        ]
    lines += _names(c, names, place, axis=axis, top=-LANE * (len(lanes) + 1))
    lines += _legend(c, axis, y=-LANE * (len(lanes) + 1) - LINE * ((len(names) + 1) // 2))
    return "\n".join(at_most_as_wide([*lines, r"\end{tikzpicture}"]))


def _axis_length(names: list[str], high: float, width: float) -> float:
    """Centimetres between the names of the better half and those of the others, which all have their rank with them."""
    half = (len(names) + 1) // 2
    beside = [
        max(_SMALL * width_of(f"{name} 00.00 ") for name in side) for side in (names[:half], names[half:]) if side
    ]
    left = (width - sum(beside)) / _CENTIMETRE - 2 * _EDGE - _PADDING
    return float(np.clip(left, max(_SHORTEST, _RANK * (high - 1)), _LONGEST))


def _axis(axis: float, high: float) -> list[str]:
    step = max(1, int(np.ceil((high - 1) / 10)))
    lines = [rf"  \draw (0,0) -- ({axis:.3f},0);"]
    for tick in np.arange(1, high + 1e-9, step):
        x = axis * (tick - 1) / (high - 1)
        lines.append(rf"  \draw ({x:.3f},0) -- ({x:.3f},0.12) node[above] {{{tick:g}}};")
    return lines


def _critical(c: MetricComparison, rank: float) -> list[str]:
    if c.data_sets.critical_difference is None:
        return []
    said = f"CD = {c.data_sets.critical_difference:.2f}"
    return [
        rf"  \draw[|-|] (0,0.75) -- ({rank * c.data_sets.critical_difference:.3f},0.75) node[midway, above] {{{said}}};"
    ]


def _names(c: MetricComparison, names: list[str], place: list[float], *, axis: float, top: float) -> list[str]:
    """The best half on the left, its best on top; the others on the right, their worst on top: lines never cross."""
    half, lines = (len(names) + 1) // 2, []
    grey = not_shown_to_differ(c)
    for i, name in enumerate(names):
        left = i < half
        y = top - LINE * (i if left else len(names) - 1 - i)
        edge, side = (-_EDGE, "left") if left else (axis + _EDGE, "right")
        rank = f"{c.data_sets.mean_ranks[c.names.index(name)]:.2f}"
        called = rf"\textbf{{{latex(name)}}}" if name == c.control else latex(name)
        said = rf"{called}\enspace {rank}" if left else rf"{rank}\enspace {called}"
        shade = "[gray]" if name in grey else ""
        lines.append(rf"  \draw{shade} ({place[i]:.3f},0) |- ({edge:.3f},{y:.3f}) node[{side}] {{{said}}};")
    return lines


def _legend(c: MetricComparison, axis: float, *, y: float) -> list[str]:
    """What the shades of the names mean where there is a control."""
    if c.control is None:
        return []
    said = rf"\textcolor{{gray}}{{gray: not shown to differ from {latex(c.control)}}}"
    return [rf"  \node at ({axis / 2:.3f},{y:.3f}) {{{said}}};"]
