"""Every kind of evidence, and every test by name.

The same names serve ``test=``, ``--tests`` and JSON. A repeated-cv variant may carry its degrees of freedom:
``use_all_data:calibrated`` or ``use_all_data:df=10``; ``five_by_two_cv_t:runs=10`` is 10×2cv.
"""

from __future__ import annotations

from typing import Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.designs import (
    cross_validation,
    crossed,
    examples,
    human_labels,
    marks,
    metrics,
    random_splits,
    readers,
    right_wrong,
    round_robin,
    time_order,
    votes,
)
from foldwise.designs.kind import Kind, Procedure
from foldwise.evidence.evidence import Evidence

_MODULES = (
    human_labels,
    marks,
    time_order,
    right_wrong,
    crossed,
    metrics,
    random_splits,
    cross_validation,
    round_robin,
    examples,
    votes,
    readers,
)
"""Where the kinds are, with their tests."""

KINDS: tuple[Kind[Any], ...] = tuple(kind for module in _MODULES for kind in module.KINDS)
"""Every kind of evidence about models on the same units."""

_CATALOGUE: dict[str, Procedure] = {procedure.name: procedure for module in _MODULES for procedure in module.PROCEDURES}


def find_procedure(spec: str) -> Procedure:
    """Return the test of that name; ``name:calibrated`` and ``name:df=10`` set a variant's degrees of freedom.

    Examples
    --------
    >>> find_procedure("corrected_repeated_cv_t").kind.name
    'repeated_cv'
    >>> find_procedure("use_all_data:df=10").title
    'repeated cv test, use all data, 10 df'
    """
    name, _, option = str(spec).partition(":")
    if name not in _CATALOGUE:
        raise UnknownName("test", spec, _CATALOGUE)
    procedure = _CATALOGUE[name]
    if not option:
        return procedure
    if procedure.with_option is None:
        raise InvalidInput(
            "only the repeated-cv variants and round_robin take degrees of freedom, and five_by_two_cv_t runs, got "
            f"{spec!r}"
        )
    return procedure.with_option(procedure, option)


def procedure_names() -> tuple[str, ...]:
    """Names of all tests, in the order of the catalogue."""
    return tuple(_CATALOGUE)


def kind_of(evidence: Evidence) -> Kind[Any]:
    """The kind that the evidence is by itself."""
    return next(kind for kind in KINDS if kind.natural(evidence))
