"""BibTeX of what an answer cites, from the entries of the bibliography."""

from __future__ import annotations

import re
import unicodedata

import foldwise
from foldwise.document.references import bibliography, citation

SOFTWARE = "foldwise"  # Key of the entry of this package.

_ENTRY = re.compile(r"(?P<authors>.+?) \((?P<year>\d{4})\)\. (?P<title>.+?)(?P<end>[.?]) (?P<venue>.+)\.")
_JOURNAL = re.compile(r"(?P<journal>[^\d]+?), (?P<volume>\d+)(\((?P<number>[^)]+)\))?, (?P<pages>[\d–]+)")
_PROCEEDINGS = re.compile(r"(?P<booktitle>[A-Z]+ \d{4})(, (?P<series>LNCS \d+))?, (?P<pages>[\d–]+)")
_SMALL = frozenset({"a", "an", "and", "for", "in", "of", "on", "the", "time", "better", "exact", "some"})
_ACCENTS = {"ı": r"{\i}", "×": r"$\times$", "–": "--", "“": "``", "”": "''", "&": r"\&"}
_COMBINING = {"\u0301": "'", "\u0300": "`", "\u0308": '"', "\u030c": "v ", "\u0327": "c ", "\u0303": "~", "\u0302": "^"}


def cited_in(*texts: str) -> list[str]:
    """The entries of the bibliography that texts cite, by authors and year or in full, in the bibliography's order.

    Examples
    --------
    >>> [entry[:11] for entry in cited_in("by the test (Bouckaert & Frank, 2004), Holm (1979)")]
    ['Bouckaert, ', 'Holm, S. (1']
    """
    together = " ".join(texts)
    return [
        full
        for short, full in bibliography().items()
        if full in together or _named(short, together) or _named(citation(f"{short},"), together)
    ]


def entry_key(full: str) -> str:
    """First author, year and first telling word of the title.

    Examples
    --------
    >>> entry_key("Holm, S. (1979). A simple sequentially rejective multiple test procedure. X, 6(2), 65–70.")
    'holm1979simple'
    """
    found = _parsed(full)
    words = re.findall(r"[a-z]+", _ascii(found["title"]).lower())
    author = "".join(re.findall(r"[a-z]+", _ascii(found["authors"].split(",")[0]).lower()))
    return f"{author}{found['year']}{next((word for word in words if word not in _SMALL), '')}"


def bibtex_entry(full: str) -> str:
    r"""One entry.

    Examples
    --------
    >>> print(bibtex_entry("Holm, S. (1979). A simple procedure. Scandinavian Journal of Statistics, 6(2), 65–70."))
    @article{holm1979simple,
      author = {Holm, S.},
      title = {A simple procedure},
      journal = {Scandinavian Journal of Statistics},
      volume = {6},
      number = {2},
      pages = {65--70},
      year = {1979},
    }
    """
    found = _parsed(full)
    kind, where = _venue(found["venue"])
    title = found["title"] + ("?" if found["end"] == "?" else "")
    fields = {"author": _authors(found["authors"]), "title": title, **where, "year": found["year"]}
    lines = [f"  {name} = {{{_tex(value)}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{entry_key(full)},", *lines, "}"])


def software_entry() -> str:
    return "\n".join([
        f"@misc{{{SOFTWARE},",
        "  author = {{The foldwise developers}},",
        "  title = {foldwise: is one learner better than another?},",
        f"  version = {{{foldwise.__version__}}},",
        "  year = {2026},",
        "}",
    ])  # fmt: skip


def bibtex(*texts: str) -> str:
    """BibTeX of all that the texts cite, and of this package."""
    return "\n\n".join([*map(bibtex_entry, cited_in(*texts)), software_entry()]) + "\n"


def with_cites(latex_text: str) -> str:
    r"""Text for LaTeX in which citations have become ``\cite`` commands.

    Examples
    --------
    >>> with_cites(r"the test (Bouckaert \& Frank, 2004)")
    'the test~\\cite{bouckaert2004evaluating}'
    >>> with_cites("max-T (Westfall & Young, 1993; Holm, 1979)".replace("&", r"\&"))
    'max-T~\\cite{westfall1993resampling,holm1979simple}'
    """
    keys = {citation(f"{short},").replace("&", r"\&"): entry_key(full) for short, full in bibliography().items()}

    def cite(found: re.Match[str]) -> str:
        named = found[1].split("; ")
        return rf"~\cite{{{','.join(keys[one] for one in named)}}}" if set(named) <= set(keys) else found[0]

    latex_text = re.sub(r" \(([^()]+)\)", cite, latex_text)
    return latex_text.replace(
        f"foldwise {foldwise.__version__}", rf"foldwise {foldwise.__version__}~\cite{{{SOFTWARE}}}"
    )


def _named(short: str, text: str) -> bool:
    """Whether the short form stands in the text, and not as the end of a longer list of authors."""
    return re.search(rf"(?<!& )(?<!\w, )(?<!\w){re.escape(short)}", text) is not None


def _parsed(full: str) -> re.Match[str]:
    found = _ENTRY.fullmatch(full)
    assert found is not None, full  # tests hold every entry of the bibliography to this form
    return found


def _venue(venue: str) -> tuple[str, dict[str, str]]:
    if found := _JOURNAL.fullmatch(venue):
        return "article", {name: found[name] or "" for name in ("journal", "volume", "number", "pages")}
    if found := _PROCEEDINGS.fullmatch(venue):
        return "inproceedings", {name: found[name] or "" for name in ("booktitle", "series", "pages")}
    if venue.startswith("arXiv:"):
        return "misc", {"eprint": venue.removeprefix("arXiv:"), "archiveprefix": "arXiv"}
    return ("book", {"publisher": venue}) if venue.isalpha() else ("misc", {"howpublished": venue})


def _authors(authors: str) -> str:
    """``Last, F., & Last, F.`` as BibTeX joins them; one name without initials stays one name."""
    if "," not in authors:
        return f"{{{authors}}}"
    return " and ".join(re.findall(r"[^,&]+, (?:[^,&]+\.)", authors.replace(", & ", ", "))).replace(" and  ", " and ")


def _ascii(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text.replace("ı", "i")) if c.isascii())


def _tex(text: str) -> str:
    """Accents as TeX writes them, so that any BibTeX takes them."""
    out: list[str] = []
    for character in text:
        base, *marks = list(unicodedata.normalize("NFD", character))
        if marks and marks[0] in _COMBINING:
            out.append(f"{{\\{_COMBINING[marks[0]]}{base}}}")
        else:
            out.append(_ACCENTS.get(character, character))
    return "".join(out)
