"""Where the tests are written, as a bibliography has it."""

from __future__ import annotations

__all__ = ["full_reference"]

_FULL = {
    "Dietterich (1998)": "Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised "
    "classification learning algorithms. Neural Computation, 10(7), 1895–1923.",
    "Nadeau & Bengio (2003)": "Nadeau, C., & Bengio, Y. (2003). Inference for the generalization error. Machine "
    "Learning, 52(3), 239–281.",
    "Bouckaert & Frank (2004)": "Bouckaert, R. R., & Frank, E. (2004). Evaluating the replicability of significance "
    "tests for comparing learning algorithms. PAKDD 2004, LNCS 3056, 3–12.",
    "Bouckaert (2003)": "Bouckaert, R. R. (2003). Choosing between two learning algorithms based on calibrated tests. "
    "ICML 2003, 51–58.",
    "Alpaydın (1999)": "Alpaydın, E. (1999). Combined 5 × 2 cv F test for comparing supervised classification learning "
    "algorithms. Neural Computation, 11(8), 1885–1892.",
    "Bell & McCaffrey (2002)": "Bell, R. M., & McCaffrey, D. F. (2002). Bias reduction in standard errors for linear "
    "regression with multi-stage samples. Survey Methodology, 28(2), 169–181.",
    "Student (1908)": "Student (1908). The probable error of a mean. Biometrika, 6(1), 1–25.",
}


def full_reference(short: str) -> str:
    """The entry of a bibliography for a short reference such as "Nadeau & Bengio (2003), Machine Learning 52".

    Examples
    --------
    >>> full_reference("Bouckaert (2003), ICML, section 3")[:24]
    'Bouckaert, R. R. (2003).'
    """
    return next((full for start, full in _FULL.items() if short.startswith(start)), short)
