"""Text and tables for LaTeX, with everything escaped that LaTeX would take for a command."""

from __future__ import annotations

from collections.abc import Sequence

from foldwise.document.document import Document

COLUMN, PAGE = 229.0, 345.0
"""Points of a column, and of a page with one, in LaTeX's own class article; journals' are a little wider."""

_GAP = 12.0  # Points between two columns of a table.
_LONG = 28  # Letters of a cell from which on it is broken into lines.

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "∞": r"$\infty$",
    "χ": r"$\chi$",
    "²": "$^2$",
    "–": "--",
    "…": r"\dots{}",
    "|": r"\textbar{}",
    '"': "''",
}


def latex(text: object) -> str:
    r"""Text as LaTeX prints it unchanged.

    >>> latex("50 % of c4.5_A & −1")
    '50\\,\\% of c4.5\\_A \\& $-$1'
    """
    escaped = "".join(_SPECIAL.get(c, c if c.isprintable() else " ") for c in str(text))
    return escaped.replace(r" \%", r"\,\%")


def latex_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, label: str = "tab:foldwise"
) -> str:
    r"""A floating table in the style of the package booktabs; all cells are escaped.

    >>> print(latex_table(["learner", "accuracy"], [["c4.5", "72.4 %"]], caption="Accuracy"))
    \begin{table}
      \centering
      \caption{Accuracy}
      \label{tab:foldwise}
      \sbox0{%
        \begin{tabular}{lr}
          \toprule
          learner & accuracy \\
          \midrule
          c4.5 & 72.4\,\% \\
          \bottomrule
        \end{tabular}%
      }%
      \ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi
    \end{table}
    """
    if len(rows) == 1 and _width([columns, *rows]) > COLUMN:  # one line of many numbers stands upright
        columns, rows = [columns[0], rows[0][0]], list(zip(columns[1:], rows[0][1:], strict=True))
    lines = [" & ".join(map(latex, row)) + r" \\" for row in (columns, *rows)]
    body = [lines[0], r"\midrule", *lines[1:]]
    return floating(body, columns=_alignment(rows, len(columns)), caption=latex(caption), label=label)


def document_table(document: Document) -> str | None:
    """The table of a document that goes into a paper; None where there is none."""
    table = document.paper_table
    if table is None:
        return None
    return latex_table(table.columns, table.rows, caption=table.caption or f"{document.title}, {document.subtitle}.")


def floating(lines: Sequence[str], *, columns: str, caption: str, label: str) -> str:
    """Lines of a table, ready for LaTeX, between their rules, with a caption and a label to refer to."""
    table = [
        rf"\begin{{tabular}}{{{columns}}}",
        *(f"  {line}" for line in (r"\toprule", *lines, r"\bottomrule")),
        r"\end{tabular}",
    ]
    inner = [r"\centering", rf"\caption{{{caption}}}", rf"\label{{{label}}}", *at_most_as_wide(table)]
    return "\n".join([r"\begin{table}", *(f"  {line}" for line in inner), r"\end{table}"])


def at_most_as_wide(lines: Sequence[str]) -> list[str]:
    """A table or picture at its own size where the column it stands in is wide enough, and shrunk to it where not."""
    fit = r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"
    return [r"\sbox0{%", *(f"  {line}" for line in lines[:-1]), f"  {lines[-1]}%", "}%", fit]


def heads_that_fit(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Heads of a table for LaTeX, all but the first upright where a page would be too narrow for them side by side."""
    first, *others = map(latex, heads)
    if _width([heads, *rows]) <= PAGE:
        return [first, *others]
    return [first, *(rf"\rotatebox{{90}}{{{head}}}" for head in others)]


def width_of(text: str) -> float:
    """Points that a text takes at most, or nearly so, in Computer Modern at ten points.

    >>> round(width_of("naive Bayes"), 1)
    58.1
    """
    return sum(next((width for letters, width in _WIDTHS if letter in letters), 5.6) for letter in text)


_WIDTHS = (("ilj.,:;'|!", 3.1), ("rstf()[]- ", 4.0), ("ABCDEFGHJKLNOPQRSTUVXYZmw&", 7.8), ("MW−×±≤≥%", 10.3))


def _width(rows: Sequence[Sequence[str]]) -> float:
    widest = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    return sum(widest) + _GAP * len(widest)


def _alignment(rows: Sequence[Sequence[str]], columns: int) -> str:
    """Names on the left, numbers on the right, sentences in lines."""
    cells = list(zip(*rows, strict=True)) or [()] * columns
    wordy = [any(len(cell) > _LONG for cell in column) for column in cells]
    return "l" + "".join(r"p{0.3\linewidth}" if long else "r" for long in wordy[1:])
