"""Populations by name: where the lab's data sets come from."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.imported import import_named, is_own_function
from foldwise.core.spec import parse_spec
from foldwise.lab.populations.population import Population, Sample, SimulatedLearners, Source

__all__ = ["Population", "Sample", "SimulatedLearners", "Source", "find_population", "pair", "population_names"]

# name -> module:class
_NAMES = {
    "two-kinds": "foldwise.lab.populations.two_kinds:TwoKinds",
    "independent-binary": "foldwise.lab.populations.independent_binary:IndependentBinary",
    "bayes-net": "foldwise.lab.populations.bayes_net:BayesNet",
    "gaussian": "foldwise.lab.populations.gaussian:Gaussian",
    "contact-lenses": "foldwise.lab.populations.contact_lenses:ContactLenses",
    "exp6": "foldwise.lab.populations.exp6:Exp6",
    "finite": "foldwise.lab.populations.finite:Finite",
    "exchange": "foldwise.lab.populations.exchange:Exchange",
    "seeds": "foldwise.lab.populations.seeds:Seeds",
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


def find_population(spec: Any) -> Population:
    """The population that `spec` says.

    Parameters
    ----------
    spec
        ``name`` or ``name(param=value)``; ``module:function``, a function ``f(n, rng)`` that returns (X, y), or a
        population object, which is returned as it is. ``module:function`` imports the module, which runs it.

    Examples
    --------
    >>> find_population("two-kinds(error=0.2)").error
    0.2
    """
    if not isinstance(spec, str):
        return _from_object(spec)
    name, parameters = parse_spec(spec, "population")
    if ":" in name:
        return _from_object(_imported(name))
    try:
        population: Population = population_class(name)(**parameters)
    except TypeError as error:
        raise InvalidInput(f"population {spec!r} does not take these parameters: {error}") from error
    return population


def _from_object(value: Any) -> Population:
    if isinstance(value, type) or not (callable(value) or isinstance(value, (Source, SimulatedLearners))):
        raise InvalidInput(f"population must be a name or have draw(n, rng) or simulate(…), got {value!r}")
    if isinstance(value, (Source, SimulatedLearners)):
        return value
    from foldwise.lab.populations.from_function import FromFunction

    return FromFunction(function=value)


def _imported(path: str) -> Any:
    """A function is refused before it is called where it is not the user's: a call may do anything."""
    found = import_named(path, "population")
    if (
        callable(found)
        and not isinstance(found, (type, Source, SimulatedLearners))
        and not is_own_function(found, path)
    ):
        raise InvalidInput(
            f"population {path!r} must be a function of your own module, but it is a {type(found).__name__} of an "
            "installed one; it was not called"
        )
    return found


def pair(population: Population, learners: tuple[Any, ...]) -> tuple[Any, ...]:
    """The learners of a study: a population that compares a learner with itself is given it once."""
    if not getattr(population, "one_learner", False):
        return learners
    if len(learners) != 1:
        raise InvalidInput(f"population '{population.name}' compares one learner with itself, got {len(learners)}")
    names = learners[0].get_params(deep=True)
    if not any(name.split("__")[-1] == "random_state" for name in names):
        raise InvalidInput(f"population '{population.name}' needs a learner with a random_state, got {learners[0]}")
    return learners * 2
