"""The two calculators: which test to use, and how much of it. Their whole state is in the address, to keep or send."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from foldwise.comparison.advice import ANSWERS, QUESTIONS, Advice, advise
from foldwise.core.errors import FoldwiseError, InvalidInput
from foldwise.designs import find_procedure
from foldwise.document import document_of
from foldwise.render.html import Page, body_html
from foldwise.render.plot import PICTURE_FILES
from foldwise.web.doors.base import Submission, shell, slider
from foldwise.web.forms import Body, read_entry
from foldwise.web.rendering import attachment, page
from foldwise.web.security import asked_here
from foldwise.web.uploads import plain_name

ADVICE_SLIDERS = (
    slider(name="n", label="Examples", low=10, high=100_000, value="300", step=1, logarithmic=True),
    slider(
        name="runs_affordable", label="Affordable runs of 10-fold cross-validation", low=1, high=20, value="10", step=1,
        hint="more than 10: as many as the verdict needs",
    ),
)  # fmt: skip

TITLES = {
    "jeffreys": "Jeffreys' interval", "kfold": "10-fold cross-validation", "holdout": "a separate test set",
    "delve": "disjoint training sets and one test set", "wilcoxon_signed_rank": "Wilcoxon's signed-rank test",
}  # fmt: skip
"""What is recommended besides the tests of the catalogue."""

TESTS = (
    ("mcnemar", "two classifiers on one test set", "McNemar's test"),
    ("two_rates", "two classifiers on test sets of their own", "two independent rates"),
    ("corrected_repeated_cv_t", "two learners by cross-validation", "corrected repeated k-fold cv t test"),
    ("wilcoxon", "two learners on several data sets", "Wilcoxon's signed-rank test"),
)
WANTED = (
    ("size", "How many are needed?"),
    ("difference", "Which difference is detectable?"),
    ("power", "How likely is it found?"),
)
PLAN_SLIDERS = (
    slider(name="difference", label="True difference", low=0.001, high=0.5, value="0.05", logarithmic=True,
           hint="0.05 is five points of accuracy"),
    slider(name="power", label="Power: the chance of finding it", low=0.5, high=0.99, value="0.8", step=0.01),
    slider(name="size", label="Number of examples, runs or data sets", low=1, high=100_000, value="300", step=1,
           logarithmic=True),
    slider(name="discordance", label="Share of examples that exactly one gets wrong", low=0.01, high=0.99,
           value="0.1", step=0.01, tests=("mcnemar",)),
    slider(name="rate", label="Error rate of the worse classifier", low=0.01, high=0.99, value="0.2", step=0.01,
           tests=("two_rates",)),
    slider(name="sigma", label="Standard deviation of the difference", low=0.001, high=0.5, value="0.05",
           logarithmic=True, hint="between folds, or between data sets",
           tests=("corrected_repeated_cv_t", "wilcoxon")),
    slider(name="folds", label="Folds of each run", low=2, high=20, value="10", step=1,
           tests=("corrected_repeated_cv_t",)),
    slider(name="alpha", label="Significance level", low=0.001, high=0.2, value="0.05", logarithmic=True),
)  # fmt: skip
BEYOND = 10  # What is typed may be so many times what the slider reaches.

WHOLE = ("size", "folds", "n", "runs_affordable")


async def advise_page(request: Request) -> Response:
    """Which of the nine questions is asked, and what answers it."""
    entry = _entry(request, (*((q.name, q.default) for q in QUESTIONS), *((s.name, s.value) for s in ADVICE_SLIDERS)))
    answer, report, problem = None, "", ""
    try:
        answer = _advice(entry)
        report = _advice_html(answer, entry)
    except FoldwiseError as error:
        problem = str(error)
    return page(
        "advise.html",
        here="advise",
        questions=QUESTIONS,
        sliders=ADVICE_SLIDERS,
        nine=[(number, each.asked, _address(number, entry)) for number, each in ANSWERS.items()],
        values=entry.options,
        question=None if answer is None else answer.question,
        report=report,
        problem=problem,
    )


async def plan_page(request: Request) -> Response:
    """How many examples, runs or data sets are needed, or what a number of them can see."""
    defaults = (("test", "mcnemar"), ("find", "size"), *((one.name, one.value) for one in PLAN_SLIDERS))
    entry = _entry(request, defaults)
    report, problem, asked = "", "", asked_here(request)
    try:
        report = "" if not asked else await request.app.state.run("plan_html", _plan_options(entry))
    except FoldwiseError as error:
        problem = str(error)
    except HTTPException as error:
        problem = error.detail
    return page(
        "plan.html", here="plan", tests=TESTS, wanted=WANTED, sliders=PLAN_SLIDERS, values=entry.options,
        report=report, problem=problem, asked=asked,
    )  # fmt: skip


async def plan_picture(request: Request) -> Response:
    name, kind = request.path_params["name"], request.path_params["kind"]
    if kind not in PICTURE_FILES:
        raise HTTPException(404)
    entry, _ = await read_entry(request, Body(request), request.app.state.limits)
    try:
        content = await request.app.state.run("plan_picture", _plan_options(entry), name, kind)
    except FoldwiseError as error:
        raise HTTPException(422, str(error)) from error
    return attachment(content, f"plan-{plain_name(name)}.{kind}", PICTURE_FILES[kind])


def _entry(request: Request, defaults: tuple[tuple[str, str], ...]) -> Submission:
    """The fields of the form, with their defaults where the address does not have them."""
    return Submission(options={name: request.query_params.get(name, default)[:100] for name, default in defaults})


def _advice(entry: Submission) -> Advice:
    options: dict[str, Any] = {question.name: entry.get(question.name) for question in QUESTIONS}
    runs = entry.whole("runs_affordable")
    return advise(n=entry.whole("n"), runs_affordable=10 if runs is None else runs, **options)


def _advice_html(advice: Advice, entry: Submission) -> str:
    """Its report, with the test called as people call it; drawn without plots, so that it takes no time."""
    told = document_of(advice)
    words = [f"--{name.replace('_', '-')}={value}" for name, value in entry.options.items() if value]
    return body_html(
        Page(document=told.replace(headline=f"Use {_title(advice.test)}.", command=shell(["advise", *words])))
    )


def _address(number: int, entry: Submission) -> str:
    """The address at which the page speaks of one of the nine questions."""
    rest = {slider.name: entry.options[slider.name] for slider in ADVICE_SLIDERS}
    if number == 9:
        return f"/advise?{urlencode({**entry.options, 'domains': 'several'})}"
    about, goal, data = (number - 1) // 4, (number - 1) // 2 % 2, (number - 1) % 2
    answers = {
        "domains": "one", "about": ("classifiers", "algorithms")[about], "goal": ("estimate", "choose")[goal],
        "data": ("much", "little")[data],
    }  # fmt: skip
    return f"/advise?{urlencode(answers | rest)}"


def _title(test: str) -> str:
    return TITLES[test] if test in TITLES else f"the {find_procedure(test).title}".replace("the McNemar", "McNemar")


def _plan_options(entry: Submission) -> dict[str, Any]:
    """The arguments of `plan`: those that matter for the test, without the one that is to be found."""
    test = entry.get("test")
    sought = entry.get("find") if entry.get("find") in dict(WANTED) else "size"
    chosen = [one for one in PLAN_SLIDERS if one.name != sought and (not one.tests or test in one.tests)]
    numbers = {s.name: entry.whole(s.name) if s.name in WHOLE else entry.optional(s.name) for s in chosen}
    for one in chosen:
        value = numbers[one.name]
        if value is not None and value > one.high * BEYOND:
            most = f"{one.high * BEYOND:,.10g}"
            raise InvalidInput(f"{one.name} must be at most {most} on this page, got {entry.get(one.name)}")
    return {"test": test, **numbers}
