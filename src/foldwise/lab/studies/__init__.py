"""All studies: those of the papers, paper by paper, and our own."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from foldwise.core.errors import UnknownName

if TYPE_CHECKING:
    from foldwise.lab.papers.study import Study

__all__ = ["PAPERS", "all_studies", "find_studies"]


# Each is a package of `foldwise.lab.papers`, whose STUDIES lists one line per study; "all" are those of this room.
PAPERS = {
    "dietterich1998": "Dietterich (1998), Approximate statistical tests for comparing supervised classification "
    "learning algorithms, Neural Computation 10",
    "bouckaert2003": "Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests, ICML",
    "alpaydin1999": "Alpaydın (1999), Combined 5×2 cv F test for comparing supervised classification learning "
    "algorithms, Neural Computation 11",
    "bouckaertfrank2004": "Bouckaert & Frank (2004), Evaluating the replicability of significance tests for comparing "
    "learning algorithms, PAKDD",
    "martinhirschberg1996": "Martin & Hirschberg (1996), Small sample statistics for classification error rates II, "
    "UC Irvine technical report 96-22",
    "urbano2019": "Urbano, Lima & Hanjalic (2019), Statistical significance testing in information retrieval: an "
    "empirical analysis of Type I, Type II and Type III errors, SIGIR",
    "all": "All papers together",
}


def all_studies() -> tuple[Study, ...]:
    rooms = ("studies.by_population" if paper == "all" else f"papers.{paper}" for paper in PAPERS)
    return tuple(study for room in rooms for study in import_module(f"foldwise.lab.{room}").STUDIES)


def find_studies(key: str) -> tuple[Study, ...]:
    """The study of that key; a paper's key gives all of its studies, "all" gives every one.

    >>> [study.title for study in find_studies("dietterich1998/figure5")]
    ['Type I error of five tests on simulated learners']
    """
    studies = {study.key: study for study in all_studies()}
    if key in studies:
        return (studies[key],)
    chosen = tuple(study for study in studies.values() if key == "all" or study.paper == key)
    if not chosen:
        raise UnknownName("study", key, [*studies, *PAPERS])
    return chosen
