"""The papers' data sets: file names, class columns, OpenML ids, and which paper uses what."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["KNOWN", "Known", "canonical"]

_ALPAYDIN, _BOUCKAERT_FRANK = "alpaydin1999", "bouckaertfrank2004"
_DIETTERICH, _MARTIN_HIRSCHBERG = "dietterich1998", "martinhirschberg1996"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a data set before it is read.

    Attributes
    ----------
    name
        The name on the command line; the file is this name with ``.arff`` or ``.arff.gz``.
    target
        The class column.
    openml
        Its id on OpenML, or None if it isn't known.
    verified
        Whether the id was checked against a stored answer of OpenML; the others are from the literature.
    aliases
        What the papers call it.
    papers
        Keys of the papers that use it.
    """

    name: str
    target: str
    openml: int | None = None
    verified: bool = False
    aliases: tuple[str, ...] = ()
    papers: tuple[str, ...] = (_BOUCKAERT_FRANK,)


_ALL = (
    # OpenML 2 keeps the missing values that Weka's anneal turns into a category; OpenML 1 is Weka's, but withdrawn
    Known(name="anneal", target="class", openml=2, verified=True),
    Known(name="arrhythmia", target="class", openml=5),
    Known(name="audiology", target="class", openml=7),
    Known(name="autos", target="symboling", openml=9),
    Known(name="balance-scale", target="class", openml=11),
    Known(name="breast-cancer", target="Class", openml=13),
    Known(name="breast-w", target="Class", openml=15, aliases=("wisconsin breast cancer",)),
    Known(name="colic", target="surgical_lesion", openml=27, aliases=("horse-colic",)),
    Known(name="credit-a", target="class", openml=29, aliases=("credit-rating",)),
    Known(name="credit-g", target="class", openml=31, aliases=("german credit",)),
    Known(
        name="diabetes",
        target="class",
        openml=37,
        aliases=("pima-diabetes", "pima"),
        papers=(_BOUCKAERT_FRANK, _DIETTERICH),
    ),
    Known(name="ecoli", target="class", openml=39),
    Known(name="glass", target="Type", openml=41, papers=(_BOUCKAERT_FRANK, _ALPAYDIN)),
    Known(name="heart-h", target="num", openml=51, aliases=("hungarian heart disease",)),
    Known(name="heart-statlog", target="class", openml=53),
    Known(name="hepatitis", target="Class", openml=55),
    Known(name="ionosphere", target="class", openml=59),
    Known(name="iris", target="class", openml=61, verified=True, papers=(_BOUCKAERT_FRANK, _ALPAYDIN)),
    Known(name="labor", target="class", openml=4),
    Known(name="lymph", target="class", openml=10, aliases=("lymphography",)),
    Known(name="primary-tumor", target="class", openml=171),
    Known(name="sonar", target="Class", openml=40),
    Known(name="soybean", target="class", openml=42),
    Known(name="vehicle", target="Class", openml=54),
    Known(name="vote", target="Class", openml=56),
    Known(name="vowel", target="Class", openml=307, papers=(_BOUCKAERT_FRANK, _ALPAYDIN)),
    Known(name="zoo", target="type", openml=62, verified=True),
    Known(name="zoo-noanimal", target="type"),
    Known(name="letter", target="class", openml=6, aliases=("letter recognition",), papers=(_DIETTERICH,)),
    Known(name="wine", target="class", openml=187, papers=(_ALPAYDIN,)),
    Known(name="optdigits", target="class", openml=28, papers=(_ALPAYDIN,)),
    Known(name="pendigits", target="class", openml=32, papers=(_ALPAYDIN,)),
    Known(name="ann-thyroid", target="class", aliases=("thyroid",), papers=(_ALPAYDIN,)),
    Known(name="contact-lenses", target="contact-lenses", aliases=("contact lenses",), papers=(_MARTIN_HIRSCHBERG,)),
)

KNOWN: dict[str, Known] = {known.name: known for known in _ALL}
"""The data sets by name."""

_ALIASES = {alias.replace(" ", "-"): known.name for known in _ALL for alias in known.aliases}


def canonical(name: str) -> str:
    """The registry's name for what a paper calls `name`; an unknown name comes back as it is.

    Examples
    --------
    >>> canonical("German Credit"), canonical("mine")
    ('credit-g', 'mine')
    """
    lowered = name.lower()
    return _ALIASES.get(lowered.replace(" ", "-"), lowered if lowered in KNOWN else name)
