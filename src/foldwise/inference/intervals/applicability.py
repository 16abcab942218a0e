"""May the textbook interval be used at all? Three rules of thumb, and the one about small counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from foldwise.core.display import Shown
from foldwise.core.errors import InvalidInput
from foldwise.core.types import Answers, Array
from foldwise.core.validation import counts

__all__ = ["Applicability", "applicability", "checked_counts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicability(Shown):
    """Whether each rule of thumb allows the textbook interval.

    Attributes
    ----------
    hodges_lehmann
        Mε(1−ε) ≥ 10.
    anderson_sclove
        Mε ≥ 5 and M(1−ε) ≥ 5.
    mendenhall
        ε ± 2√(ε(1−ε)/M) lies strictly between 0 and 1.
    enough_errors
        At least 10 errors: with fewer the textbook form must not be the answer.
    """

    hodges_lehmann: Answers
    anderson_sclove: Answers
    mendenhall: Answers
    enough_errors: Answers

    @property
    def textbook(self) -> Answers:
        """Whether all of them allow it."""
        return self.hodges_lehmann & self.anderson_sclove & self.mendenhall & self.enough_errors


def applicability(errors: ArrayLike, n: ArrayLike) -> Applicability:
    """Apply the rules to m errors in M test examples.

    References
    ----------
    .. [1] Martin & Hirschberg (1996), Small sample statistics for classification error rates II, section 2.1.

    Examples
    --------
    >>> rules = applicability(6, 100)
    >>> bool(rules.hodges_lehmann), bool(rules.anderson_sclove), bool(rules.mendenhall), bool(rules.textbook)
    (False, True, True, False)
    """
    m, size = checked_counts(errors, n)
    # in counts rather than rates, so that exact ties stay exact: M·ε(1−ε) = m(M−m)/M
    product = m * (size - m)
    spread = 2 * np.sqrt(product / size)
    return Applicability(
        hodges_lehmann=(product >= 10 * size)[()],
        anderson_sclove=((m >= 5) & (size - m >= 5))[()],
        mendenhall=((m > spread) & (size - m > spread))[()],
        enough_errors=(m >= 10)[()],
    )


def checked_counts(errors: ArrayLike, n: ArrayLike, names: tuple[str, str] = ("errors", "n")) -> tuple[Array, Array]:
    """Errors and sizes as arrays of one shape, with 0 ≤ errors ≤ n and n ≥ 1."""
    given = counts(errors, names[0]), counts(n, names[1])
    try:
        m, size = np.broadcast_arrays(*given)
    except ValueError as error:
        shapes = f"{given[0].shape} and {given[1].shape}"
        raise InvalidInput(f"{names[0]} and {names[1]} must broadcast to one shape, got {shapes}") from error
    if (size < 1).any():
        raise InvalidInput(f"{names[1]} must be at least 1, got 0")
    if (m > size).any():
        where = tuple(int(i) for i in np.argwhere(m > size)[0])
        raise InvalidInput(f"{names[0]} must be at most {names[1]}, got {m[where]:g} errors in {size[where]:g}")
    return m, size
