"""Every test by name: what evidence it needs, what it is called, and what is wrong with it, if anything.

The same names serve ``test=``, ``--tests`` and JSON. A repeated-cv variant may carry its degrees of freedom:
``use_all_data:calibrated`` or ``use_all_data:df=10``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.inference.clustered_outcomes import clustered_outcomes
from foldwise.inference.corrected_repeated_cv_t import corrected_repeated_cv_t
from foldwise.inference.corrected_resampled_t import corrected_resampled_t
from foldwise.inference.difference_of_proportions import difference_of_proportions
from foldwise.inference.five_by_two_cv_f import five_by_two_cv_f
from foldwise.inference.five_by_two_cv_t import five_by_two_cv_t
from foldwise.inference.kfold_cv_t import kfold_cv_t
from foldwise.inference.mcnemar import mcnemar
from foldwise.inference.repeated_cv import VARIANTS, repeated_cv_test
from foldwise.inference.resampled_t import resampled_t

__all__ = ["Needs", "Procedure", "find_procedure", "procedure_names"]

Needs = Literal["table", "clusters", "splits", "kfold", "five_by_two", "repeated_cv"]

PLANS: dict[str, str] = {
    "table": "the predictions of both classifiers on one test set",
    "clusters": "the predictions of both classifiers on one test set, and the cluster of each example",
    "splits": "scores of shape (splits,) from random splits",
    "kfold": "scores of shape (folds,) or (1, folds) from one cross-validation",
    "five_by_two": "scores of shape (5, 2) from five 2-fold cross-validations",
    "repeated_cv": "scores of shape (runs, folds) from repeated cross-validation",
}
"""What each kind of evidence is, for messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """One test of the catalogue.

    Attributes
    ----------
    name
        The name users give.
    title
        What people call it.
    needs
        The kind of evidence it works on.
    run
        For a table of outcomes ``run(n00, n01, n10, n11)``, for clusters ``run(differences, groups)``,
        for scores ``run(differences, test_train_ratio, alpha)`` (calibrated degrees of freedom depend on alpha).
    symbol
        Letter of its statistic.
    reference
        Where it comes from.
    warning
        What is wrong with it; None for a sound test.
    """

    name: str
    title: str
    needs: Needs
    run: Callable[..., Any]
    symbol: str
    reference: str
    warning: str | None = None


def find_procedure(spec: str) -> Procedure:
    """Return the test of that name; ``name:calibrated`` and ``name:df=10`` set a variant's degrees of freedom.

    Examples
    --------
    >>> find_procedure("corrected_repeated_cv_t").needs
    'repeated_cv'
    >>> find_procedure("use_all_data:df=10").title
    'repeated cv test, use all data, 10 df'
    """
    name, _, option = str(spec).partition(":")
    if name not in _CATALOGUE:
        raise UnknownName("test", spec, _CATALOGUE)
    return _with_df(_CATALOGUE[name], option) if option else _CATALOGUE[name]


def procedure_names() -> tuple[str, ...]:
    """Names of all tests, in the order of the catalogue."""
    return tuple(_CATALOGUE)


def _with_df(procedure: Procedure, option: str) -> Procedure:
    if procedure.name not in VARIANTS:
        raise InvalidInput(f"only the repeated-cv variants take degrees of freedom, got '{procedure.name}:{option}'")
    df: float | str = "calibrated"
    if option != "calibrated":
        try:
            df = float(option.removeprefix("df="))
        except ValueError as error:
            raise InvalidInput(
                f"after '{procedure.name}:' must stand 'calibrated' or 'df=NUMBER', got {option!r}"
            ) from error
    words = "calibrated df" if df == "calibrated" else f"{df:g} df"
    return replace(
        procedure,
        name=f"{procedure.name}:{option}",
        title=f"{procedure.title}, {words}",
        run=partial(_run_variant, procedure.name, df),
        warning=None,
    )


def _run_mcnemar(method: Any, n00: Any, n01: Any, n10: Any, n11: Any) -> Any:
    return mcnemar(n01, n10, method=method)


def _run_corrected(test: Callable[..., Any], x: Any, ratio: float, alpha: float) -> Any:
    return test(x, test_train_ratio=ratio)


def _run_plain(test: Callable[..., Any], x: Any, ratio: float, alpha: float) -> Any:
    return test(x)


def _run_variant(variant: Any, df: Any, x: Any, ratio: float, alpha: float) -> Any:
    return repeated_cv_test(x, variant=variant, df=df, alpha=alpha)


_DIETTERICH = "Dietterich (1998), Neural Computation 10"
_BOUCKAERT = "Bouckaert (2003), ICML"
_OVERLAP = (
    "it treats overlapping training sets as independent, so that it finds differences that are not there "
    "far more often than alpha says"
)


def _mcnemar_entry(method: str, title: str) -> Procedure:
    return Procedure(
        name="mcnemar" if method == "midp" else f"mcnemar_{method}",
        title=title,
        needs="table",
        run=partial(_run_mcnemar, method),
        symbol="χ²" if "corrected" in method else "smaller count",
        reference=f"{_DIETTERICH}, section 3.1",
    )


def _score_entry(test: Callable[..., Any], **fields: Any) -> Procedure:
    runner = _run_corrected if "corrected" in test.__name__ else _run_plain
    return Procedure(name=test.__name__, run=partial(runner, test), **fields)


_ENTRIES = (
    _mcnemar_entry("midp", "McNemar's test (mid-p)"),
    _mcnemar_entry("corrected", "McNemar's test (χ² with continuity correction)"),
    _mcnemar_entry("uncorrected", "McNemar's test (χ² without correction)"),
    _mcnemar_entry("exact", "McNemar's test (exact)"),
    Procedure(
        name="clustered_difference",
        title="cluster-robust t test of the paired difference",
        needs="clusters",
        run=clustered_outcomes,
        symbol="t",
        reference="Bell & McCaffrey (2002), Survey Methodology 28",
    ),
    Procedure(
        name="difference_of_proportions",
        title="test for the difference of two proportions",
        needs="table",
        run=difference_of_proportions,
        symbol="z",
        reference=f"{_DIETTERICH}, section 3.2",
        warning="it takes the two error rates as independent although both come from the same test examples, "
        "so that its Type I error is not alpha (dietterich1998, section 3.2)",
    ),
    _score_entry(
        resampled_t,
        title="resampled paired t test",
        needs="splits",
        symbol="t",
        reference=f"{_DIETTERICH}, section 3.3",
        warning=f"{_OVERLAP}, the more the more splits are drawn (dietterich1998, section 3.3: never use it)",
    ),
    _score_entry(
        corrected_resampled_t,
        title="corrected resampled t test",
        needs="splits",
        symbol="t",
        reference="Nadeau & Bengio (2003), Machine Learning 52",
    ),
    _score_entry(
        kfold_cv_t,
        title="k-fold cross-validated paired t test",
        needs="kfold",
        symbol="t",
        reference=f"{_DIETTERICH}, section 3.4",
        warning="the training sets of the folds overlap, so that its Type I error is elevated "
        "(dietterich1998, section 3.4)",
    ),
    _score_entry(
        five_by_two_cv_t,
        title="5×2cv paired t test",
        needs="five_by_two",
        symbol="t",
        reference=f"{_DIETTERICH}, section 3.5",
    ),
    _score_entry(
        five_by_two_cv_f,
        title="combined 5×2cv F test",
        needs="five_by_two",
        symbol="F",
        reference="Alpaydın (1999), Neural Computation 11",
    ),
    _score_entry(
        corrected_repeated_cv_t,
        title="corrected repeated k-fold cv t test",
        needs="repeated_cv",
        symbol="t",
        reference="Bouckaert & Frank (2004), PAKDD",
    ),
    *(
        Procedure(
            name=variant,
            title=f"repeated cv test, {variant.replace('_', ' ')}",
            needs="repeated_cv",
            run=partial(_run_variant, variant, None),
            symbol="t",
            reference=f"{_BOUCKAERT}, section 3",
            warning=f"with its nominal degrees of freedom {_OVERLAP} (bouckaert2003; ask for '{variant}:calibrated')",
        )
        for variant in VARIANTS
    ),
)

_CATALOGUE = {entry.name: entry for entry in _ENTRIES}
