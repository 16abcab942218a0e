"""`advise`: which of Dietterich's nine questions is asked, and what answers it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.core.metric import metric_words, repeated_runs
from foldwise.core.result import Result
from foldwise.core.units import capital
from foldwise.core.validation import integer, one_of
from foldwise.designs import find_procedure, procedure_names
from foldwise.designs.cross_validation import REPEATED_CV
from foldwise.designs.data_sets import PAIR_TESTS
from foldwise.designs.guarantee import interval_guarantee
from foldwise.inference.measured import (
    Stored,
    behaviour,
    in_words,
    measured_rows,
    metric_behaviour,
    metric_in_words,
    metric_rows,
    verb_rows,
)
from foldwise.metrics.catalogue import known_metric, metric_names
from foldwise.metrics.counts import asks_for_counts
from foldwise.metrics.item_means import pinball
from foldwise.metrics.ranking import partial_auc
from foldwise.metrics.retrieval import ranking_metric
from foldwise.metrics.survival import asks_for_survival

Amount = Literal["much", "little"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One of the questions that decide which of the nine is asked: at every door the same words and answers."""

    name: str  #: The parameter of `advise`, and the option of the command
    text: str
    answers: tuple[tuple[str, str], ...]  #: What is given, and what it says
    default: str


QUESTIONS = (
    Question(
        name="domains", text="Is the answer to hold on one domain, or on several new ones?", default="one",
        answers=(("one", "on one domain"), ("several", "on several new ones")),
    ),
    Question(
        name="about", text="Is it about fitted classifiers, or about the algorithms that learn them?",
        default="algorithms", answers=(("classifiers", "these fitted classifiers"), ("algorithms", "the algorithms")),
    ),
    Question(
        name="goal", text="Do you want to estimate one error rate, or choose between two?", default="choose",
        answers=(("estimate", "estimate one"), ("choose", "choose between two")),
    ),
    Question(
        name="data", text="Is there much data (enough for a separate test set), or little?", default="little",
        answers=(("much", "much"), ("little", "little")),
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice(Result):
    """What to do, and why; the questions are those of Dietterich (1998), Neural Computation 10, section 1."""

    page: ClassVar[str] = "advice"

    #: question, asked: The number of the question, and the question in words
    question: int
    asked: str
    test: str  #: Name of the recommended procedure
    why: str  #: Why this one
    cost: int  #: Trainings, of all learners together
    command: str  #: What to run
    measured: str  #: How the procedure behaved where the truth is known, in words
    #: The stored rows behind it, ready for JSON: rates with Monte-Carlo intervals and numbers of trials
    figures: tuple[Stored, ...]
    guarantee: str  #: What the procedure guarantees, in a few words
    caveats: tuple[str, ...]  #: What to know besides


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    asked: str
    test: str
    why: str
    command: str
    caveats: tuple[str, ...] = ()


_CONVERTED = "With little data there is no separate test set: the question is answered for the algorithm instead."
_CROSSED = (
    "The full answer crosses disjoint training sets with test examples: foldwise compare A B --data FILE --test "
    "crossed_trainings does, on training sets of a tenth of the data; marks of trainings of your own on the same "
    "examples go to foldwise predictions --seed-column (test crossed). The corrected test on random splits trains on "
    "more."
)
_FREE = (
    "With learners about which nothing is known, a small training size can be tested without any assumption about "
    "them: foldwise compare A B --data FILE --test disjoint --train-size M."
)
_CURVE = (
    "Cross-validation trains on somewhat fewer examples than there are; does accuracy still rise at that size? "
    "foldwise lab curve LEARNER --data FILE tells."
)
_GRADED = "Graded answers and losses go in with --truth none: paired_t, and clustered_t where they come in clusters."

_ELSEWHERE = (
    "Votes, human labels beside a judge's scores, several runs of each item, many models, costs and slices have "
    "answers of their own: foldwise advise --have votes (labels, runs, board, costs, slices)."
)

_OF_ITEMS = "Where items come in clusters (passages, patients, repositories), name them with --groups."

HAVE = {
    "votes": _Answer(
        asked="whose answers are preferred, given votes between pairs of models?", test="bradley_terry",
        why="strengths join the votes of all pairs; annotators and items that gave several votes count once each.",
        command="foldwise votes FILE…   (of folders: foldwise judge or foldwise leaderboard)",
        caveats=(
            "Name annotators and items: votes that share one are correlated, and ten annotators are ten pieces of "
            "evidence, however many votes they gave.",
            "The answer is about preferences; how few votes, left out, would change the first place stands in it.",
        ),
    ),
    "labels": _Answer(
        asked="which model is better for people, given a judge's scores of all items and human labels of some?",
        test="ppi", why="it corrects the judge by the labels, and is never much less precise than the labels alone.",
        command="foldwise judge FILE   (a column human; how many labels: foldwise plan --labels OUT)",
        caveats=("The labelled items must be a random sample of all: foldwise plan --labels draws one.",),
    ),
    "runs": _Answer(
        asked="which model or agent is better, given several runs of each item?", test="paired_t",
        why="the runs of an item become one number, its mean, pass@k or pass^k, so that the items are the sample.",
        command="foldwise judge FILE… --metric pass^3   (more runs or more items: foldwise plan --test paired_t)",
        caveats=("Runs of one item are never independent items.", _OF_ITEMS),
    ),
    "board": _Answer(
        asked="which of many models may be the best, and where does a new one enter?", test="paired_t",
        why="all pairs are tested on the same items and adjusted together; ranks are ranges, and ties share a place.",
        command="foldwise leaderboard PATH…   (a new submission: --new MODEL)", caveats=(_OF_ITEMS,),
    ),
    "costs": _Answer(
        asked="which models are on the frontier of cost and quality, and which is the cheapest that is good enough?",
        test="paired_t",
        why="means of quality and cost vary together over the items, and all statements hold together.",
        command="foldwise frontier PATH… --margin 2pt", caveats=(_OF_ITEMS,),
    ),
    "readers": _Answer(
        asked="which modality is read better, by other readers and on other cases?", test="obuchowski_rockette",
        why="readers and cases are both samples, and all readers saw the same cases.",
        command="foldwise judge FILE.csv   (columns reader, case, modality, score, truth)",
        caveats=("With fewer than five readers hardly anything is known of how much readers vary.",),
    ),
    "slices": _Answer(
        asked="is a model that is better overall worse on some kinds of items?", test="paired_t",
        why="verdicts by slice are adjusted for their number, and a test says whether the difference depends on them.",
        command="foldwise judge FILE… --slice COLUMN",
        caveats=("A slice with a verdict and one without are no reason to say that they differ: read the test.",),
    ),
}  # fmt: skip
"""By what somebody has, besides the nine questions."""

ANSWERS = {
    1: _Answer(
        asked="how often will this classifier be wrong, given a test set?", test="jeffreys",
        why="an exact interval that also holds for few errors, where the textbook one does not.",
        command="foldwise interval ERRORS N",
    ),
    2: _Answer(
        asked="how often will the classifier learned from this small data set be wrong?", test="kfold",
        why="stratified 10-fold cross-validation estimates it with little bias.",
        command="foldwise estimate LEARNER --data FILE", caveats=(_CONVERTED,),
    ),
    3: _Answer(
        asked="which of these two classifiers is more accurate, given a test set?", test="mcnemar",
        why="both see the same examples, so only those on which they disagree carry information.",
        command="foldwise predictions FILE.csv",
        caveats=("If examples come in clusters, give a group column: the test is then cluster-robust.", _GRADED,
                 _ELSEWHERE),
    ),
    4: _Answer(
        asked="which of the two classifiers learned from this small data set is more accurate?",
        test="corrected_repeated_cv_t",
        why="repeated cross-validation uses all the data, and the variance is corrected for its overlap.",
        command="foldwise compare A B --data FILE", caveats=(_CONVERTED,),
    ),
    5: _Answer(
        asked="how often will classifiers that this algorithm learns from training sets of this size be wrong?",
        test="delve",
        why="disjoint training sets of that size and one test set show how both vary, and the interval counts both.",
        command="foldwise estimate LEARNER --data FILE --method delve --train-size M",
    ),
    6: _Answer(
        asked="how often will classifiers that this algorithm learns from data sets of this size be wrong?",
        test="kfold", why="stratified 10-fold cross-validation estimates it with little bias.",
        command="foldwise estimate LEARNER --data FILE", caveats=(_CURVE,),
    ),
    7: _Answer(
        asked="which algorithm learns better from training sets of this size, given much data?",
        test="corrected_resampled_t",
        why="random splits of the wanted sizes, with the variance corrected for their overlap.",
        command="foldwise compare A B --data FILE --test corrected_resampled_t", caveats=(_CROSSED, _FREE),
    ),
    8: _Answer(
        asked="which algorithm learns better from data sets of this size, given only one?",
        test="corrected_repeated_cv_t",
        why="the most replicable of the tests that keep their level for most learners (Bouckaert & Frank 2004).",
        command="foldwise compare A B --data FILE", caveats=(_CURVE,),
    ),
    9: _Answer(
        asked="which algorithm is better on new domains?", test="wilcoxon_signed_rank",
        why="data sets are the sample; signed ranks need no equal scales, and a pair does not depend on the others.",
        command="foldwise compare A B C --data D1 D2 …   (or: foldwise table FILE.csv)",
        caveats=("Five or fewer data sets can't show anything at 0.05.",),
    ),
}  # fmt: skip


def advise(
    question: int | None = None,
    *,
    domains: Literal["one", "several"] = "one",
    about: Literal["classifiers", "algorithms"] = "algorithms",
    goal: Literal["estimate", "choose"] = "choose",
    data: Amount = "little",
    metric: str | None = None,
    have: str | None = None,
    n: int | None = None,
    runs_affordable: int = 10,
) -> Advice:
    """Which procedure answers my question?

    Parameters
    ----------
    question
        One of Dietterich's nine questions by number; without it, the next four say which it is.
    domains
        Whether the answer is to hold on "one" domain or on new ones ("several").
    about
        Whether it is about fitted "classifiers" or about the "algorithms" that learn them.
    goal
        Whether to "estimate" one error rate or to "choose" between two.
    data
        Whether there is enough data for a separate test set ("much") or not ("little").
    metric
        By which of foldwise's metrics two fitted classifiers are compared on a test set ("f1", "roc_auc" …); it makes
        the question the third.
    have
        What there is besides right and wrong answers: "votes", "labels" of people beside a judge's scores, "runs" of
        each item, a "board" of many models, "costs", "readers" or "slices"; it makes the question the third.
    n
        Number of examples, where known.
    runs_affordable
        Runs of 10-fold cross-validation that can be paid for; with 1 a cheaper test is recommended, with 0 one for
        which each learner is trained once.

    Returns
    -------
    Advice
        ``print`` it.

    Examples
    --------
    >>> advise(question=8, n=300, runs_affordable=10).test, advise(question=8, runs_affordable=5).test
    ('influence', 'corrected_repeated_cv_t')
    >>> advise(about="classifiers", data="much").question
    3
    """
    if have is not None:
        return _by_evidence(one_of(have, "have", tuple(HAVE)))
    if repeated_runs(metric) is not None:
        return _by_evidence("runs")
    if metric is not None:
        return _by_metric(metric, question)
    given = {"domains": domains, "about": about, "goal": goal, "data": data}
    for one in QUESTIONS:
        one_of(given[one.name], one.name, dict(one.answers))
    number = _question(domains, about, goal, data) if question is None else integer(question, "question", minimum=1)
    if number not in ANSWERS:
        raise InvalidInput(f"question must be from 1 to 9, got {number}")
    runs = integer(runs_affordable, "runs_affordable", minimum=0)
    if n is not None:
        integer(n, "n", minimum=2)
    answer = ANSWERS[number]
    test, why, command = _resampled(answer, runs)
    measured = in_words(test)
    assert measured is not None  # every answer was measured
    return Advice(
        question=number,
        asked=answer.asked,
        test=test,
        why=why,
        cost=2 if test == "mcnemar" and number in (4, 7, 8) else _cost(test, runs),
        command=command,
        measured=measured,
        figures=tuple(measured_rows(test)),
        guarantee=_guarantee(test),
        caveats=(*answer.caveats, *_caveats(number, test, n)),
    )


def _on_a_test_set(
    asked: str, test: str, why: str, command: str, measured: str, *caveats: str, figures: Sequence[Stored] = ()
) -> Advice:
    """Question 3, by another metric than accuracy or with something else than right and wrong answers."""
    return Advice(
        question=3, asked=asked, test=test, why=why, cost=0, command=command, measured=measured,
        figures=tuple(figures), guarantee=_guarantee(test), caveats=caveats,
    )  # fmt: skip


_ON_DESIGNS_OF_OURS = "Measured through the verb on simulated designs: see the explanation of the test."


def _by_evidence(have: str) -> Advice:
    answer = HAVE[have]
    figures = verb_rows(answer.test)
    most = max((row["type1"]["rate"] for row in figures), default=0.0)
    told = f"Type I error at 0.05: at most {most:.3f} in {len(figures)} simulated designs"
    return _on_a_test_set(
        answer.asked, answer.test, answer.why, answer.command, told if figures else _ON_DESIGNS_OF_OURS,
        *answer.caveats, figures=figures,
    )  # fmt: skip


def _by_metric(metric: str, question: int | None) -> Advice:
    if question not in (None, 3):
        raise InvalidInput(f"metric must go with question 3, two classifiers on a test set, got question {question}")
    known = known_metric(metric)
    measured = None if known is None else metric_in_words(known.name)
    if known is not None and measured is not None:
        rows, figures = metric_behaviour(known.name), metric_rows(known.name)
        words, test, command = rows[0].metric, rows[0].test, f"foldwise predictions FILE.csv --metric {metric}"
        missed = [f"With {row.case}: {'; '.join(row.misses)}." for row in rows if row.misses]
        caveats = [ANSWERS[3].caveats[0], *missed]
    else:
        field = next((of for asks, *of in _OTHER_FIELDS if asks(metric)), None)
        if field is None:
            raise UnknownName("metric", metric, metric_names())
        test, form, *caveats = field
        words, measured, figures = metric_words(metric), _ON_DESIGNS_OF_OURS, []
        command = f"foldwise {form.format(shlex.quote(metric))}"
    why = find_procedure(test).kind.because.rstrip(".") + "."
    asked = f"which of these two models has the better {words}, given a test set?"
    return _on_a_test_set(asked, test, why, command, measured, *caveats, figures=figures)


_OTHER_FIELDS: tuple[tuple[Callable[[str], object], str, str, str], ...] = (
    (asks_for_counts, "swap_permutation", "judge FILE.csv --metric {}",
     "Give columns of counts for each item, or texts (foldwise predictions); where items come from one speaker, "
     "document or patient, name it with --groups."),
    (ranking_metric, "paired_t", "judge QRELS A.run B.run --metric {}",
     "The query is the unit; check the share of unjudged documents before you trust a difference."),
    (pinball, "diebold_mariano", "predictions FILE.csv --metric {} --time DATE",
     "Columns hold forecasts of that quantile. Series that share dates are averaged by date; nested models by squared "
     "error need --test clark_west."),
    (asks_for_survival, "rank_jackknife_t", "predictions FILE.csv --metric {}",
     "Columns time and event (1 happened, 0 censored), and one of risk scores for each model."),
    (partial_auc, "rank_jackknife_t", "predictions FILE.csv --metric {}",
     "Only the examples near the limit carry the metric: it needs many more than the whole area."),
)  # fmt: skip
"""Metrics whose data have forms of their own: test, command, and what to know."""


def _resampled(answer: _Answer, runs: int) -> tuple[str, str, str]:
    """Test, reason and command; where cross-validation is repeated, by what can be paid for."""
    test, why, command = answer.test, answer.why, answer.command
    if runs == 0 and test.startswith("corrected"):
        why = (
            "with one training of each learner it is the only test that keeps its level (Dietterich 1998); it does not "
            "account for the variation between training sets."
        )
        return "mcnemar", why, f"{command.partition(' --test')[0]} --test mcnemar"
    if test != "corrected_repeated_cv_t":
        return test, why, command
    if runs == 1:
        why = (
            "it costs no more than one 10-fold cross-validation and keeps its level better than the test on its folds."
        )
        return "five_by_two_cv_f", why, f"{command} --test five_by_two_cv_f"
    if runs < REPEATED_CV.usual_runs:
        return test, why, f"{command} --runs {runs}"
    why = (
        "it reads from the same trainings how much single training examples matter, and keeps its level with most "
        "learners for which the corrected test finds too many differences."
    )
    return "influence", why, f"{command} --runs auto" if runs > REPEATED_CV.usual_runs else command


def _guarantee(test: str) -> str:
    """What the procedure guarantees: a test, or the interval of one rate."""
    if test in procedure_names():
        return find_procedure(test).guaranteed
    if test == "wilcoxon_signed_rank":
        return PAIR_TESTS["wilcoxon"].guaranteed
    if test == "delve":
        return "approximate; effects of training sets and of test examples are taken as normal"
    return "heuristic; the training sets of the folds overlap" if test == "kfold" else interval_guarantee("jeffreys")


def _question(domains: str, about: str, goal: str, data: str) -> int:
    if domains == "several":
        return 9
    return 1 + 4 * (about == "algorithms") + 2 * (goal == "choose") + (data == "little")


def _cost(test: str, runs: int) -> int:
    costs = {"jeffreys": 0, "mcnemar": 0, "kfold": 10, "delve": 5, "five_by_two_cv_f": 20, "wilcoxon_signed_rank": 20}
    return costs.get(test, 20 * runs)


def _caveats(question: int, test: str, n: int | None) -> list[str]:
    caveats = []
    above = [row.source.short for row in behaviour(test) if row.exceeds]
    if above:
        caveats.append(
            f"With {', '.join(above)} this test rejects a true null hypothesis too often; check your learners with: "
            "foldwise lab type1 --data FILE --learners A B"
        )
    if question in (4, 7, 8) and n is not None and n < 100:
        caveats.append(f"With {n} examples only large differences can be seen: foldwise plan tells how large.")
    if test == "influence":
        caveats.append(f"{capital(find_procedure(test).note or '')}. {in_words(test)}.")
    besides = {3: "clustered_t", 7: "crossed"}.get(question)
    if besides is not None:
        caveats.append(f"Measured of {besides}: {in_words(besides)}.")
    if question == 9:
        caveats.append("The cost is that of one 10-fold cross-validation per data set and pair.")
    return caveats
