"""Populations by name: where the lab's data sets come from."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.spec import parse_spec
from foldwise.lab.populations.population import Population, Sample, SimulatedLearners, Source

__all__ = ["Population", "Sample", "SimulatedLearners", "Source", "find_population", "population_names"]

# name -> module:class
_NAMES = {
    "two-kinds": "foldwise.lab.populations.two_kinds:TwoKinds",
    "independent-binary": "foldwise.lab.populations.independent_binary:IndependentBinary",
    "bayes-net": "foldwise.lab.populations.bayes_net:BayesNet",
    "gaussian": "foldwise.lab.populations.gaussian:Gaussian",
    "contact-lenses": "foldwise.lab.populations.contact_lenses:ContactLenses",
    "exp6": "foldwise.lab.populations.exp6:Exp6",
    "finite": "foldwise.lab.populations.finite:Finite",
}


def population_names() -> tuple[str, ...]:
    """Names of all populations."""
    return tuple(_NAMES)


def population_class(name: str) -> Any:
    """The class behind a name; its docstring says what it is and where it comes from."""
    if name not in _NAMES:
        raise UnknownName("population", name, _NAMES)
    module, _, attribute = _NAMES[name].partition(":")
    return getattr(import_module(module), attribute)


def find_population(spec: str | Population) -> Population:
    """The population that ``name`` or ``name(param=value)`` says; a population object is returned as it is.

    Examples
    --------
    >>> find_population("two-kinds(error=0.2)").error
    0.2
    """
    if not isinstance(spec, str):
        if not isinstance(spec, (Source, SimulatedLearners)):
            raise InvalidInput(f"population must be a name or have draw(n, rng) or simulate(…), got {spec!r}")
        return spec
    name, parameters = parse_spec(spec, "population")
    try:
        population: Population = population_class(name)(**parameters)
    except TypeError as error:
        raise InvalidInput(f"population {spec!r} does not take these parameters: {error}") from error
    return population
