"""What all doors share: what came in, what was understood, and the fields of a form."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeAlias

from foldwise.comparison.options import Options
from foldwise.core.amounts import check_amount
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import resolve_direction
from foldwise.core.result import Result
from foldwise.core.roles import NO_COLUMN, ROLES, assign_roles
from foldwise.core.validation import one_of
from foldwise.data.formats import find_format, read_sheet
from foldwise.data.sheet import Sheet, parse_number
from foldwise.data.text import Content
from foldwise.designs import Kind, find_procedure, procedure_names
from foldwise.evidence.missing import POLICIES, Policy
from foldwise.web.uploads import Upload

SHOWN_COLUMNS = 30
SHOWN_ROWS = 5
SHOWN_VALUES = 4
LONGEST = 60
MOST = 1e12  # No number that somebody types is larger.
PASTED = "data.csv"  # What a text is called that came without a file.

NUMBERS = ("alpha", "rope", "margin", "n_train", "n_test")
"""Fields where people may type a decimal comma, which the command line does not take."""


Kinds: TypeAlias = Literal["choice", "number", "words", "slider"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What somebody brought through a door: the text of a table, its file's name, and the fields of the form.

    A door that takes several files has these instead, and while it reads them the `folder` in which they are; `packed`
    are the same files as one field of a form. `refused` says why no reader may take the data apart, if that is so.
    """

    text: str = ""
    filename: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    files: tuple[Upload, ...] = ()
    folder: str = ""
    packed: str = ""
    refused: str = ""

    @property
    def brought(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self.text or self.options or self.files)

    @property
    def name(self) -> str:
        """What people call the data: the file, the folder of all files, or how many there are."""
        if not self.files:
            return self.filename
        tops = {upload.name.partition("/")[0] for upload in self.files}
        return tops.pop() if len(tops) == 1 else f"{len(self.files):,} files"

    @property
    def table(self) -> Content:
        """The text so that no reader can take it for the name of a file; the name may tell the format."""
        source = "the text" if self.filename in ("", PASTED) else self.filename
        return Content(text=self.text, source=source, name=self.filename)

    def get(self, name: str) -> str | None:
        """A field, None where it is empty."""
        return self.options.get(name, "").strip() or None

    def optional(self, name: str) -> float | None:
        """A field that must be a number, with a point or a comma; None where it is empty."""
        given = self.get(name)
        if given is None:
            return None
        value = parse_number(given, decimal_comma=True)
        if value is None:
            raise InvalidInput(f"{name.replace('_', ' ')} must be a number, got {clip(given)!r}")
        if not abs(value) <= MOST:
            raise InvalidInput(f"{name.replace('_', ' ')} must be a number up to {MOST:,.0f}, got {clip(given)!r}")
        return value

    def amount(self, name: str) -> str | None:
        """A field that is a difference as people write it, checked; None where it is empty."""
        given = self.get(name)
        if given is not None:
            value, _ = check_amount(given, name, above=name == "margin")
            if not value <= MOST:
                raise InvalidInput(f"{name} must be a number up to {MOST:,.0f}, got {clip(given)!r}")
        return given

    def number(self, name: str, default: float) -> float:
        """As `optional`, but `default` where it is empty."""
        value = self.optional(name)
        return default if value is None else value

    def field(
        self, name: str, label: str, *, default: str = "", kind: Kinds = "choice",
        choices: tuple[tuple[str, str], ...] = (), hint: str = "",
    ) -> Field:  # fmt: skip
        """A field of the form, with what was entered there."""
        return Field(name=name, label=label, value=self.get(name) or default, kind=kind, choices=choices, hint=hint)

    def whole(self, name: str) -> int | None:
        """A field that must be a whole number; None where it is empty."""
        value = self.optional(name)
        if value is None:
            return None
        if value != int(value):
            raise InvalidInput(f"{name.replace('_', ' ')} must be a whole number, got {self.get(name)!r}")
        return int(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a form: a choice, a number, some words, or an amount with a slider.

    A slider goes from `low` to `high`; `suffix` is the unit that it writes behind the number, a blank where there is
    none and zero leaves the field empty. `tests` are the tests for which it matters, all where there are none.
    """

    name: str
    label: str
    value: str = ""
    kind: Kinds = "choice"
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    logarithmic: bool = False
    suffix: str = ""
    tests: tuple[str, ...] = ()


slider = partial(Field, kind="slider")  # A number with a slider beside it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What was made of the data, for people to check."""

    facts: tuple[tuple[str, str], ...] = ()  #: In words: rows, separator, layout
    #: columns, more_columns: The first columns (name, called, role, content), and how many there are besides
    columns: tuple[dict[str, str], ...] = ()
    more_columns: int = 0
    #: header, rows: The beginning of the table as it stands
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    fields: tuple[Field, ...] = ()  #: Which columns and learners to take
    options: tuple[Field, ...] = ()  #: How to judge
    needs: str = ""  #: What must still be told before there can be an answer, in a sentence
    problem: str = ""  #: Why there can be no answer, in a sentence

    @property
    def nothing(self) -> bool:
        """Whether there is a problem, and nothing to be seen or chosen."""
        return bool(self.problem) and not (self.fields or self.header)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """One kind of data: how it is understood, how it is answered, and the command that does the same."""

    name: str  #: Its address, and the command's name
    #: title, short, question, takes: What it is called, in full and in the menu, what it answers, and what data it
    #: wants
    title: str
    short: str
    question: str
    takes: str
    example: str  #: The example's file, or the numbers of the form
    #: look, answer, command: What was understood; the result object; the words after ``foldwise``
    look: Callable[[Submission], Preview]
    answer: Callable[[Submission], Result]
    command: Callable[[Submission], list[str]]
    #: The same in Python, empty where the verbs do not read such a file
    python: Callable[[Submission], str] = lambda entry: ""
    placeholder: str = ""
    numbers: tuple[Field, ...] = ()
    several: bool = False  #: Whether it takes any number of files of any kind, not one table


def pasted_name(text: str) -> str:
    r"""What a file with this text would be called: some readers ask the name.

    Examples
    --------
    >>> pasted_name('{"a": 1}\n{"a": 2}\n'), pasted_name("truth,a\n1,1\n")
    ('data.jsonl', 'data.csv')
    """
    found = find_format(Content(text=text.removeprefix("\ufeff")))
    return f"data{found.suffixes[0]}"


def describe(sheet: Sheet, roles: Mapping[str, str]) -> dict[str, Any]:
    """The part of an understanding that every table has."""
    decimals = "written 0.5 or 0,5" if sheet.decimal_comma else "written 0.5"
    columns = tuple(
        {
            "name": clip(name or "(no name)"),
            "called": name,
            "role": roles.get(name, "not used"),
            "content": _content(sheet, name),
        }
        for name in sheet.header[:SHOWN_COLUMNS]
    )
    facts = (("rows", f"{len(sheet):,}"), ("columns", f"{len(sheet.header):,}, {sheet.layout}"), ("decimals", decimals))
    return {
        "facts": facts,
        "columns": columns,
        "more_columns": max(0, len(sheet.header) - SHOWN_COLUMNS),
        "header": tuple(clip(name) for name in sheet.header[:SHOWN_COLUMNS]),
        "rows": tuple(tuple(clip(cell) for cell in row[:SHOWN_COLUMNS]) for row in sheet.cells.rows(SHOWN_ROWS)),
    }


def _content(sheet: Sheet, name: str) -> str:
    cells = sheet.categories(name)
    counts = Counter(dict(zip(cells.labels, cells.counts().tolist(), strict=True)))
    if len(counts) > SHOWN_VALUES and sheet.is_numeric(name):
        values = sheet.numbers(name)
        return f"{len(values):,} numbers from {values.min():.4g} to {values.max():.4g}"
    shown = ", ".join(
        (clip(value, 24) or "(empty)") + (f" ({count:,})" if len(counts) < len(cells) else "")
        for value, count in counts.most_common(SHOWN_VALUES)
    )
    return shown if len(counts) <= SHOWN_VALUES else f"{len(counts):,} different: {shown} …"


def clip(text: str, limit: int = LONGEST) -> str:
    """Text that is not longer than fits into a cell."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def tests_for(kinds: Iterable[Kind[Any]], chosen: str | None) -> Field:
    """The choice of a test among those for some kinds of evidence, sound ones first."""
    wanted = set(kinds)
    found = [find_procedure(name) for name in procedure_names() if find_procedure(name).kind in wanted]
    found.sort(key=lambda procedure: procedure.warning is not None)
    words = [(p.name, p.title + (" – unsound, for study" if p.warning else "")) for p in found]
    return Field(name="test", label="Test", value=chosen or "auto", choices=(("auto", "the recommended one"), *words))


_MISSING: dict[Policy, str] = {
    "refuse": "must not be missing",
    "drop": "leave out for all models if one lacks it",
    "worst": "count as the worst possible value",
}


def missing_field(entry: Submission) -> Field:
    return Field(name="missing", label="Missing values", value=missing_policy(entry), choices=tuple(_MISSING.items()))


def missing_policy(entry: Submission) -> Policy:
    """The policy that was chosen; without one missing values are refused."""
    chosen = one_of(entry.get("missing") or "refuse", "missing", POLICIES)
    return next(policy for policy in POLICIES if policy == chosen)


def direction_field(metric: str, entry: Submission) -> Field:
    """Which direction is better: by the metric's name unless somebody says otherwise."""
    higher, how = resolve_direction(metric, None)
    told = f"{'higher' if higher else 'lower'} is better"
    first = f"assumed: {told}" if how == "assumed" else f"by the metric's name: {told}"
    choices = (("", first), ("higher", "higher is better"), ("lower", "lower is better, as for errors and losses"))
    return entry.field("direction", "Direction", choices=choices)


def higher_is_better(entry: Submission) -> bool | None:
    """The direction that was chosen; None where the metric's name is to tell."""
    direction = entry.get("direction")
    return None if direction is None else direction == "higher"


def direction_word(entry: Submission) -> list[str]:
    direction = entry.get("direction")
    return [] if direction is None else [f"--{direction}-is-better"]


def judging(entry: Submission) -> tuple[Field, Field, Field]:
    """Significance level, what does not matter in practice (left empty, it follows the scores' unit), a margin."""
    return (
        slider(name="alpha", label="Significance level", value=entry.get("alpha") or "0.05", low=0.001,
               high=0.2, logarithmic=True),
        entry.field(
            "rope",
            "Differences up to this do not matter",
            kind="words",
            hint="1pt is a point of a rate; a number alone is in the score's own unit; left empty, it is one point of "
            "a rate",
        ),
        entry.field(
            "margin",
            "Margin",
            kind="words",
            hint="by how much the candidate may be worse than the baseline, as 1pt or 0.01: is it non-inferior, "
            "equivalent, superior? Left empty, it is not asked",
        ),
    )  # fmt: skip


def judged(entry: Submission) -> dict[str, Any]:
    """What was entered there, as the verbs take it."""
    return {"alpha": entry.number("alpha", 0.05), **{name: entry.amount(name) for name in ("rope", "margin")}}


def with_slider(options: Sequence[Field], result: Result) -> tuple[Field, ...]:
    """The same fields, the margin with a slider as far as margins make sense for what was found."""
    main = getattr(result, "main", result)
    units = {part.unit for part in getattr(main, "parts", ())}
    spans = [pair.interval for pair in getattr(main, "pairs", ()) if pair.interval is not None]
    if units and units <= {"fraction", "percent"}:
        high, step, suffix = 10.0, 0.5, "pt"
    elif len(units) == 1 and spans:
        high = float(f"{2 * max(max(abs(span.low), abs(span.high)) for span in spans):.1g}")
        step, suffix = high / 50, " "
    else:
        return tuple(options)
    ranged: dict[str, Any] = {"kind": "slider", "high": high, "step": step, "suffix": suffix}
    return tuple(replace(one, **ranged) if one.name == "margin" and high else one for one in options)


def role_fields(names: Sequence[str], entry: Submission) -> tuple[Field, Field]:
    """Who is compared with whom, for what ``--candidate`` and ``--baseline`` say on the command line."""
    usual = ("every other one", "none: all pairs") if len(names) > 2 else ("the first", "the second")
    chosen, listed = roles_of(names, entry), tuple((name, clip(name)) for name in names)
    candidate, baseline = (
        Field(name=role, label=role.title(), value=chosen[role] or "", choices=(("", first), *listed), hint=hint)
        for role, first, hint in zip(chosen, usual, ("the model in question", "what it is compared with"), strict=True)
    )
    return candidate, baseline


def roles_of(names: Sequence[str], entry: Submission) -> dict[str, str | None]:
    """The candidate and the baseline that were chosen; who is no longer among the models is neither."""
    given = {role: entry.get(role) for role in ("candidate", "baseline")}
    return {role: name if name in names else None for role, name in given.items()}


def role_words(names: Sequence[str], entry: Submission) -> list[str]:
    return [f"--{role}={name}" for role, name in roles_of(names, entry).items() if name is not None]


def role_columns(roles: Mapping[str, str]) -> dict[str, str]:
    """The column of each role that a single column has."""
    counts = Counter(roles.values())
    return {role: column for column, role in roles.items() if counts[role] == 1}


def command_words(entry: Submission, defaults: Mapping[str, str], names: Sequence[str]) -> list[str]:
    """The options of a command that differ from its defaults, or from what it guesses, as ``--name=value``."""
    words = []
    for name in names:
        given = entry.get(name)
        if given is not None and given != defaults.get(name):
            value = given.replace(",", ".") if name in NUMBERS else given
            words.append(f"--{name.replace('_', '-')}={value}")
    return words


def column_fields(header: Sequence[str], roles: Iterable[str], entry: Submission) -> tuple[Field, ...]:
    """For each role a drop-down of the columns, for what ``--column ROLE=NAME`` says on the command line."""
    names = [name for name in header if name]
    told = assign_roles(header, source="the table")
    return tuple(
        entry.field(
            f"column_{role}",
            f"Column: {role}",
            choices=(
                ("", f"by its name: {told.get(role) or 'none'}"),
                (NO_COLUMN, "no column"),
                *((name, clip(name)) for name in names),
            ),
            hint=ROLES[role].meaning,
        )
        for role in roles
    )


def declared_columns(entry: Submission) -> dict[str, str]:
    return {role: name for role in ROLES if (name := entry.get(f"column_{role}")) is not None}


def column_words(entry: Submission) -> list[str]:
    return [f"--column={role}={name}" for role, name in declared_columns(entry).items()]


def shell(words: Iterable[str]) -> str:
    return shlex.join(["foldwise", *words])


# ---- The same in Python.


AMOUNTS = ("rope", "margin")  # Numbers in the metric's own unit, unless they have a unit.


class Code(str):
    """A piece of Python, in a call as it is."""

    __slots__ = ()


def python_call(verb: str, *given: object, **options: object) -> str:
    """A call to copy into a notebook; options that are None or the verb's own defaults are left out."""
    import inspect

    import foldwise

    own = inspect.signature(getattr(foldwise, verb)).parameters
    options = {name: Code(_python(value)) if isinstance(value, Options) else value for name, value in options.items()}
    words = [_python(one) for one in given]
    words += [
        f"{name}={value if name in AMOUNTS and _is_number(value) else _python(value)}"
        for name, value in options.items()
        if value not in (None, (), [], {}, "", "fw.Options()") and not (name in own and own[name].default == value)
    ]
    return f"result = fw.{verb}({', '.join(words)})"


def _is_number(value: object) -> bool:
    return isinstance(value, str) and parse_number(value) is not None


def _python(value: object) -> str:
    if isinstance(value, Options):
        return f"fw.{value!r}"
    return str(value) if isinstance(value, Code) else repr(value)


def read_frame(entry: Submission, **options: object) -> str:
    """The line that reads a table with pandas; empty where pandas has no function for its format."""
    sheet = read_sheet(entry.table)
    separators = {"separated by comma": None, "separated by semicolon": ";", "separated by tab": "\t"}
    if sheet.layout not in separators:
        return ""
    told: dict[str, object] = {"sep": separators[sheet.layout]}
    if sheet.decimal_comma and separators[sheet.layout] == ";":
        told["decimal"] = ","
    words = [f"{name}={value!r}" for name, value in (told | options).items() if value is not None]
    return f"table = pd.read_csv({', '.join([repr(entry.filename), *words])})"


def python_lines(*lines: str) -> str:
    """A few lines of Python with what they import."""
    frames = ["import pandas as pd", ""] if any("pd." in line for line in lines) else []
    return "\n".join([*frames[:1], "import foldwise as fw", "", *lines, "print(result)"])
