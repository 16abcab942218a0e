"""Populations by name: where the lab's data sets come from."""

from __future__ import annotations

from importlib import import_module

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.named_objects import import_named, is_own_function, parse_spec
from foldwise.lab.populations.population import Null, Population, PopulationSpec, Sample, SimulatedLearners, Source

__all__ = ["Null", "Population", "Sample", "SimulatedLearners", "Source", "find_population", "population_names"]

# name -> module:class
_NAMES = {
    "two-kinds": "foldwise.lab.populations.two_kinds:TwoKinds",
    "independent-binary": "foldwise.lab.populations.bayes_net:IndependentBinary",
    "bayes-net": "foldwise.lab.populations.bayes_net:BayesNet",
    "gaussian": "foldwise.lab.populations.artificial:Gaussian",
    "contact-lenses": "foldwise.lab.populations.artificial:ContactLenses",
    "exp6": "foldwise.lab.populations.artificial:Exp6", "finite": "foldwise.lab.populations.from_data:Finite",
    "exchange": "foldwise.lab.populations.from_data:Exchange", "seeds": "foldwise.lab.populations.marks:Seeds",
    "marks": "foldwise.lab.populations.marks:MarksOfItems", "seed-marks": "foldwise.lab.populations.marks:MarksOfSeeds",
    "symmetric-halves": "foldwise.lab.populations.symmetric_halves:SymmetricHalves",
    "regression-halves": "foldwise.lab.populations.symmetric_halves:RegressionHalves",
}  # fmt: skip


def population_names() -> tuple[str, ...]:
    """Names of all populations."""
    return tuple(_NAMES)


def population_class(name: str) -> type[Population]:
    """The class behind a name; its docstring says what it is and where it comes from."""
    if name not in _NAMES:
        raise UnknownName("population", name, _NAMES)
    module, _, attribute = _NAMES[name].partition(":")
    found: type[Population] = getattr(import_module(module), attribute)
    return found


def find_population(spec: PopulationSpec) -> Population:
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
        return population_class(name)(**parameters)
    except TypeError as error:
        raise InvalidInput(f"population {spec!r} does not take these parameters: {error}") from error


def _from_object(value: object) -> Population:
    if isinstance(value, Population):
        return value
    if isinstance(value, type) or not callable(value):
        raise InvalidInput(
            "population must be a name, a function f(n, rng) or an object of a class derived from Source or "
            f"SimulatedLearners, got {value!r}"
        )
    from foldwise.lab.populations.from_data import FromFunction

    return FromFunction(function=value)


def _imported(path: str) -> object:
    """A function is refused before it is called where it is not the user's: a call may do anything."""
    found = import_named(path, "population")
    if callable(found) and not isinstance(found, (type, Population)) and not is_own_function(found, path):
        raise InvalidInput(
            f"population {path!r} must be a function of your own module, but it is a {type(found).__name__} of an "
            "installed one; it was not called"
        )
    return found
