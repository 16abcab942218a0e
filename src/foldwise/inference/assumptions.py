"""What each test takes for granted, and where it is written, for people to read."""

from __future__ import annotations

from foldwise.inference.catalogue import Needs, find_procedure

__all__ = ["assumptions", "full_reference"]

_BY_NEEDS: dict[Needs, tuple[str, ...]] = {
    "table": (
        "the test examples are independent draws from the source that matters, and none was trained on",
        "both models were fixed before they saw the test examples: nothing was tuned on them",
    ),
    "clusters": (
        "clusters are independent of each other; examples within one may resemble each other in any way",
        "both models were fixed before they saw the test examples: nothing was tuned on them",
    ),
    "splits": (
        "the examples are independent draws from one source",
        "two random splits correlate by the share of examples that is tested, n_test/(n_train + n_test)",
        "the mean difference over the splits is about normally distributed",
    ),
    "kfold": (
        "the examples are independent draws from one source",
        "the differences on the folds are independent, which overlapping training sets do not quite grant",
        "the mean difference over the folds is about normally distributed",
    ),
    "five_by_two": (
        "the examples are independent draws from one source",
        "the two halves of each replication give independent differences",
        "what holds for training on half of the data holds for training on all of it",
    ),
    "repeated_cv": (
        "the examples are independent draws from one source",
        "the differences of any two folds correlate by the share of examples that is tested, 1/folds",
        "the mean difference over runs and folds is about normally distributed",
    ),
}

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
}


def assumptions(test: str) -> tuple[str, ...]:
    """Sentences that must hold for the test's p-value to mean what it says.

    Examples
    --------
    >>> assumptions("mcnemar")[1]
    'both models were fixed before they saw the test examples: nothing was tuned on them'
    """
    return _BY_NEEDS[find_procedure(test).needs]


def full_reference(short: str) -> str:
    """The entry of a bibliography for a short reference such as "Nadeau & Bengio (2003), Machine Learning 52".

    Examples
    --------
    >>> full_reference("Bouckaert (2003), ICML, section 3")[:24]
    'Bouckaert, R. R. (2003).'
    """
    return next((full for start, full in _FULL.items() if short.startswith(start)), short)
