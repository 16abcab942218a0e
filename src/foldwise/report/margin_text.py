"""What was concluded about a margin, in words."""

from __future__ import annotations

from foldwise.inference.margins import Conclusion

__all__ = ["conclusion_sentence"]


def conclusion_sentence(
    found: Conclusion, candidate: str, baseline: str, margin: str, *, better: str | None = None
) -> str:
    """A conclusion as a sentence.

    Parameters
    ----------
    found
        The conclusion about the candidate against the baseline.
    candidate, baseline
        What they are called.
    margin
        The margin with its unit.
    better
        Which of the two is shown to be better, if one is.

    Examples
    --------
    >>> conclusion_sentence("non-inferior", "nb", "c45", "1 point")
    'nb is non-inferior to c45: worse by less than 1 point, if at all.'
    """
    worse = f"worse by less than {margin}, if at all"
    if better == candidate:
        worse = f"better, though not shown to be so by more than {margin}"
    elif better == baseline:
        worse = f"worse, but by less than {margin}"
    words = {
        "superior": f"{candidate} is superior to {baseline}: better by more than {margin}.",
        "non-inferior": f"{candidate} is non-inferior to {baseline}: {worse}.",
        "equivalent": f"{candidate} is equivalent to {baseline}: they differ by less than {margin}.",
        "inferior": f"{candidate} is inferior to {baseline}: worse by more than {margin}.",
        "undecided": f"Undecided: {candidate} may be worse than {baseline} by {margin} or more.",
    }
    return words[found]
