"""Where a test of all learners together and the tests of the pairs say different things."""

from __future__ import annotations

__all__ = ["omnibus_caveats"]


def omnibus_caveats(pvalue: float, alpha: float, differing: int) -> list[str]:
    """What a reader who looks at both should know; nothing where they agree.

    Parameters
    ----------
    pvalue
        Of the test that all are the same.
    alpha
        The level of both.
    differing
        How many pairs are shown to differ.

    Examples
    --------
    >>> omnibus_caveats(0.01, 0.05, 2)
    []
    """
    if pvalue < alpha and not differing:
        return [
            "the test of all together shows that not all are the same, but none of the pairs compared is shown to "
            "differ: two questions, each answered by its own test"
        ]
    if pvalue >= alpha and differing:
        return [
            "the test of all together does not show that any differ, the pairs do: two questions, each answered by its "
            "own test at its own level; a close call"
        ]
    return []
