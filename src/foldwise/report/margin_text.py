"""What was concluded about a margin, in words."""

from __future__ import annotations

from foldwise.inference.conclusion import Conclusion

__all__ = ["conclusion_sentence"]


def conclusion_sentence(found: Conclusion, candidate: str, baseline: str, margin: str) -> str:
    """A conclusion as a sentence.

    Parameters
    ----------
    found
        The conclusion about the candidate against the baseline.
    candidate, baseline
        What they are called.
    margin
        The margin with its unit.

    Examples
    --------
    >>> conclusion_sentence("non-inferior", "nb", "c45", "1 point")
    'nb is non-inferior to c45: worse by less than 1 point, if at all.'
    """
    words = {
        "superior": f"{candidate} is superior to {baseline}: better by more than {margin}.",
        "non-inferior": f"{candidate} is non-inferior to {baseline}: worse by less than {margin}, if at all.",
        "equivalent": f"{candidate} is equivalent to {baseline}: they differ by less than {margin}.",
        "inferior": f"{candidate} is inferior to {baseline}: worse by more than {margin}.",
        "undecided": f"Undecided: {candidate} may be worse than {baseline} by {margin} or more.",
    }
    return words[found]
