"""One error rate: how uncertain is it?"""

from __future__ import annotations

from foldwise.core.errors import FoldwiseError, InvalidInput, UnknownName
from foldwise.data.formats import read_sheet
from foldwise.data.predictions import PredictionFile, read_predictions
from foldwise.inference.error_rates import INTERVAL_METHODS, RECOMMENDED, IntervalSurvey, interval_survey
from foldwise.web.doors.base import Door, Field, Preview, Submission, describe, python_lines


def look(entry: Submission) -> Preview:
    """The errors and test examples, typed or counted in a file."""
    options = _options(entry)
    if not entry.text.strip():
        errors, n = _typed(entry)
        return Preview(facts=_facts(errors, n), options=options)
    sheet = read_sheet(entry.table)
    try:
        file = _file(entry)
        chosen = _classifier(file, entry)
    except FoldwiseError as error:
        return Preview(**describe(sheet, {}), fields=_fields(sheet.header, None, "", entry), problem=error.said("page"))
    parts = describe(sheet, file.roles)
    parts["facts"] += _facts(*_counted(file, chosen))
    return Preview(**parts, fields=_fields(sheet.header, file, chosen, entry), options=options)


def answer(entry: Submission) -> IntervalSurvey:
    """Every interval for it, as the command makes them."""
    errors, n = _numbers(entry)
    method = entry.get("method") or RECOMMENDED
    if method not in INTERVAL_METHODS:
        raise UnknownName("method", method, INTERVAL_METHODS)
    return interval_survey(errors, n, method=method, confidence_level=entry.number("confidence", 0.95))


def command(entry: Submission) -> list[str]:
    errors, n = _numbers(entry)
    words = ["interval", str(errors), str(n)]
    if (entry.get("method") or RECOMMENDED) != RECOMMENDED:
        words.append(f"--method={entry.get('method')}")
    if (entry.get("confidence") or "0.95") != "0.95":
        words.append(f"--confidence={entry.get('confidence')}")
    return words


def python(entry: Submission) -> str:
    errors, n = _numbers(entry)
    method, level = entry.get("method") or RECOMMENDED, entry.number("confidence", 0.95)
    words = f"{errors}, {n}, method={method!r}, confidence_level={level:g}"
    return python_lines(f"result = fw.inference.interval_survey({words})")


def _numbers(entry: Submission) -> tuple[int, int]:
    if not entry.text.strip():
        return _typed(entry)
    file = _file(entry)
    return _counted(file, _classifier(file, entry))


def _typed(entry: Submission) -> tuple[int, int]:
    errors, n = entry.whole("errors"), entry.whole("n")
    if errors is None or n is None:
        raise InvalidInput("the page needs the number of errors and of test examples, or a table of predictions")
    if not 0 <= errors <= n or n < 1:
        raise InvalidInput(f"errors must be from 0 to the number of test examples, got {errors} of {n}")
    return errors, n


def _file(entry: Submission) -> PredictionFile:
    return read_predictions(entry.table, truth=entry.get("truth"))


def _classifier(file: PredictionFile, entry: Submission) -> str:
    chosen = entry.get("a") or file.names[0]
    if chosen not in file.names:
        raise UnknownName("classifier", chosen, file.names)
    return chosen


def _counted(file: PredictionFile, chosen: str) -> tuple[int, int]:
    if file.truth is None:
        raise InvalidInput("the page needs a column with the true labels to count the errors, or their number")
    return file.rows - file.predictions[chosen].agreeing(file.truth), file.rows


def _facts(errors: int, n: int) -> tuple[tuple[str, str], ...]:
    return ("errors", f"{errors:,}"), ("test examples", f"{n:,}"), ("error rate", f"{100 * errors / n:.4g} %")


def _fields(header: tuple[str, ...], file: PredictionFile | None, chosen: str, entry: Submission) -> tuple[Field, ...]:
    names = tuple((name, name) for name in header if name)
    roles = {} if file is None else file.roles
    told = entry.get("truth") or ""
    found = next((name for name, role in roles.items() if role == "truth"), "none")
    classifiers = names if file is None else tuple((name, name) for name in file.names)
    return (
        Field(name="truth", label="True labels", value=told, choices=(("", f"found: {found}"), *names)),
        Field(name="a", label="Classifier", value=chosen, choices=classifiers),
    )


def _options(entry: Submission) -> tuple[Field, ...]:
    methods = tuple((name, name.replace("_", " ")) for name in INTERVAL_METHODS)
    return (
        entry.field("method", "Interval", default=RECOMMENDED, choices=methods),
        entry.field("confidence", "Confidence level", default="0.95", kind="number"),
    )


DOOR = Door(
    name="interval", title="One error rate", short="Error rate",
    question="A classifier made some errors on a test set: how often will it be wrong?",
    takes="The number of errors and of test examples; or a table with a column of true labels and one of predictions.",
    example="errors=3&n=50", placeholder="truth,prediction\nyes,yes\nno,yes\n…",
    numbers=(
        Field(name="errors", label="Errors", kind="number"), Field(name="n", label="Test examples", kind="number"),
    ),
    look=look, answer=answer, command=command, python=python,
)  # fmt: skip
