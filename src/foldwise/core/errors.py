"""The errors and warnings foldwise raises.

::

    FoldwiseError
    ├── InvalidInput (also ValueError)      a value the caller gave is not allowed
    │   └── UnknownName                     a name that is in no registry; suggests the nearest
    ├── DegenerateData                      the data leave the question without an answer
    ├── MissingDependency (also ImportError) an optional package is needed
    ├── DataNotFound                        a data set or file is not there
    ├── FitFailed                           a learner failed on a split
    ├── StoreError                          a results store can't be used
    ├── ClusterUnavailable                  no scheduler answers at the address given
    └── LimitExceeded                       a limit of size, time or load was reached

    Interrupted (a KeyboardInterrupt)       the user stopped a study; says how to resume it
    DegenerateVariance (a UserWarning)      a variance estimate is zero, yet the differences are not
    EmptyInterval (a UserWarning)           a test rejects every value, so the interval dual to it is empty

Every message is one sentence that names the parameter, the rule and the value.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Iterable
from typing import Any, Literal

# the reference of the documentation shows these


# ---- How a message names what may be said: a parameter in Python, an option on the command line, a field on the page.
#
# A message is written once, with marks where it names a parameter; whoever shows it chooses the words.

Place = Literal["python", "command", "page"]  # Where a message is read.

_MARK = re.compile(r"⟦(?P<name>\w+)(?::(?P<key>\w+))?=(?P<value>[^⟧]*)⟧")


def parameter(name: str, value: object) -> str:
    """The mark of a parameter with a value.

    >>> spoken(parameter("rows", "models"), "python"), spoken(parameter("rows", "models"), "command")
    ("rows='models'", '--rows models')
    """
    return f"⟦{name}={value}⟧"


def column(role: str, name: str) -> str:
    """The mark of a column that is given a role.

    >>> said = column("item", "prompt id")
    >>> spoken(said, "python"), spoken(said, "command"), spoken(said, "page")
    ("columns={'item': 'prompt id'}", "--column 'item=prompt id'", '“Column: item”')
    """
    return f"⟦column:{role}={name}⟧"


def spoken(message: str, place: Place) -> str:
    """A message with its marks in the words of the place where it is read, and so what it says in both.

    >>> both = "give rope (--rope), or higher_is_better=False (--lower-is-better), of data sets (--rows tasks)"
    >>> spoken(both, "command")
    'give --rope, or --lower-is-better, of data sets (--rows tasks)'
    >>> spoken(both, "python")
    'give rope, or higher_is_better=False, of data sets (--rows tasks)'
    """
    marked = _MARK.sub(lambda mark: _words(mark, place), message) if "⟦" in message else message
    return _BOTH.sub(lambda both: _one_of(both, place), marked) if "--" in marked else marked


_BOTH = re.compile(
    # a parameter, perhaps with its value; bounded, because names from files stand in messages
    r"(?:(?P<lead>[(]|: )|(?<!\w))(?P<said>(?P<name>\w++)(?P<value>=(?:'[^']{0,200}+'|\{[^}]{0,200}+\}|[\w.…-]++))?+)"
    r"(?:(?(lead), (?=[^()]{0,200}+\))|(?!))| (?P<bracket>\())"  # beside the option in brackets, or in front of them
    r"(?P<option>--(?P<flag>[\w-]++)(?:[ =][^(),;]{0,200}+)?+)(?(bracket)\))"
)


def _one_of(both: re.Match[str], place: Place) -> str:
    if both["value"] is None and both["flag"].replace("-", "_") != both["name"]:
        return both[0]  # a word of the sentence, and an option
    return (both["lead"] or "") + (both["option"] if place == "command" else both["said"])


def _words(mark: re.Match[str], place: Place) -> str:
    name, key, value = mark["name"], mark["key"], mark["value"]
    if place == "page":
        return f"“Column: {key}”" if key else f"“{name.replace('_', ' ').capitalize()}”"
    if place == "command":
        said = f"{key}={value}" if key else value
        return f"--{name.replace('_', '-')} {shlex.quote(said)}"
    return f"columns={{{key!r}: {value!r}}}" if key else f"{name}={value!r}"


MOST_NAMES = 60  # Known names that a message lists.


class FoldwiseError(Exception):
    """Root of everything foldwise raises on purpose; its message may have marks of `foldwise.core.errors`."""

    def __str__(self) -> str:
        return self.said("python")

    def said(self, place: Place) -> str:
        """The message in the words of Python, of the command line or of the page."""
        return spoken(super().__str__(), place)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """With the finished message, so that errors of workers arrive whatever they are made of."""
        return _with_message, (type(self), self.args)


class InvalidInput(FoldwiseError, ValueError):
    """A value the caller gave is not allowed."""


class UnknownName(InvalidInput):
    """A name that is in no registry; the message suggests the nearest known one.

    `kind` is what was looked up, as a reader would call it ("learner", "test").

    >>> str(UnknownName("test", "mcnemr", ["mcnemar", "kfold_cv_t"]))
    "unknown test 'mcnemr': did you mean 'mcnemar'? Known: kfold_cv_t, mcnemar"
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        names = sorted(set(known))
        listed = ", ".join(names[:MOST_NAMES]) + (
            f" … and {len(names) - MOST_NAMES:,} more" * (len(names) > MOST_NAMES)
        )
        near = difflib.get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
        hint = f": did you mean {near[0]!r}?" if near else "."
        super().__init__(f"unknown {kind} {name!r}{hint} Known: {listed}")


class DegenerateData(FoldwiseError):
    """The data are valid but leave the question without an answer."""


class MissingDependency(FoldwiseError, ImportError):
    """An optional package is needed for what was asked.

    `purpose` says what needs the package, as the start of a sentence; `extra` installs it.
    """

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional package: pip install 'foldwise[{extra}]'")


class DataNotFound(FoldwiseError):
    """A data set or file is not where it was looked for."""


class FitFailed(FoldwiseError):
    """A learner failed, or returned nonsense, on a split."""


class StoreError(FoldwiseError):
    """A results store can't be read or written."""


class ClusterUnavailable(FoldwiseError):
    """No scheduler answers at the address given."""


class LimitExceeded(FoldwiseError):
    """A limit of size, time or load was reached."""


class Interrupted(KeyboardInterrupt):
    """The user stopped a study; the message says what is kept and how to resume."""


class DegenerateVariance(UserWarning):
    """A variance estimate is zero although the differences are not (all the same value, say)."""


class EmptyInterval(UserWarning):
    """A test rejects every value of its parameter, so the interval dual to it is empty."""


def _with_message(kind: type[FoldwiseError], args: tuple[Any, ...]) -> FoldwiseError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error
