"""Text and tables for LaTeX, with everything escaped that LaTeX would take for a command."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["floating", "latex", "latex_table"]

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

    Examples
    --------
    >>> latex("50 % of c4.5_A & −1")
    '50\\,\\% of c4.5\\_A \\& $-$1'
    """
    escaped = "".join(_SPECIAL.get(c, c if c.isprintable() else " ") for c in str(text))
    return escaped.replace(r" \%", r"\,\%")


def latex_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, caption: str, label: str = "tab:foldwise"
) -> str:
    r"""A floating table in the style of the package booktabs; all cells are escaped.

    Examples
    --------
    >>> print(latex_table(["learner", "accuracy"], [["c4.5", "72.4 %"]], caption="Accuracy"))
    \begin{table}
      \centering
      \caption{Accuracy}
      \label{tab:foldwise}
      \begin{tabular}{lr}
        \toprule
        learner & accuracy \\
        \midrule
        c4.5 & 72.4\,\% \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    lines = [" & ".join(map(latex, row)) + r" \\" for row in (columns, *rows)]
    return floating([lines[0], r"\midrule", *lines[1:]], columns=len(columns), caption=latex(caption), label=label)


def floating(lines: Sequence[str], *, columns: int, caption: str, label: str) -> str:
    """Lines of a table, ready for LaTeX, between their rules, with a caption and a label to refer to."""
    inner = [
        r"\centering",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{l{'r' * (columns - 1)}}}",
        *(f"  {line}" for line in (r"\toprule", *lines, r"\bottomrule")),
        r"\end{tabular}",
    ]
    return "\n".join([r"\begin{table}", *(f"  {line}" for line in inner), r"\end{table}"])
