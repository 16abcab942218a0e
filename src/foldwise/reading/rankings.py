"""Rankings of documents: TREC runs and qrels, and the JSON of BEIR and ranx; a number per query and metric."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePath
from typing import Any, TypeGuard

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.metrics.retrieval import RANKING_METRICS, Qrels, Run, by_query, ranking_metric
from foldwise.reading.reader import Reader, is_number, json_object
from foldwise.reading.series import ItemRows, Series, gaps
from foldwise.reading.source import SourceFile, told_apart

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RUN = re.compile(rf"\S+[ \t]+(?:Q?\d+)[ \t]+\S+[ \t]+\d+[ \t]+(?:{_NUMBER}|nan|inf)[ \t]+\S[^\r\n]*")
_QRELS = re.compile(r"\S+[ \t]+(?:Q?0|\d+)[ \t]+\S+[ \t]+-?\d{1,3}[ \t]*")
_BEIR = re.compile(r"query[-_]id\tcorpus[-_]id\tscore")
_NESTED = re.compile(rf'\s*\{{\s*"[^"\n]*"\s*:\s*\{{\s*(?:"(?P<first>[^"\n]*)"\s*:\s*{_NUMBER}\s*[,}}]|\}})')


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedQueries:
    """What rankings come to: by system and metric a value for each query, NaN where it has none."""

    queries: tuple[str, ...]  #: Those that have relevant documents
    values: dict[str, dict[str, Any]]  #: By system, by metric
    left_out: tuple[str, ...]  #: What one should know: queries without relevant documents, documents without judgement


def ranked_queries(qrels: Qrels, runs: Mapping[str, Run], metrics: Sequence[str]) -> RankedQueries:
    """Judge each query of each run; queries without relevant documents are left out, as they show nothing.

    >>> found = ranked_queries({"q": {"d": 1}}, {"a": {"q": {"d": 1.0}}, "b": {"q": {"e": 2.0, "d": 1.0}}}, ["RR"])
    >>> found.values["b"]["RR"].tolist(), found.left_out
    ([0.5], ('documents among the first 10 without a judgement, counted as not relevant: a 0 %, b 50 %',))
    """
    chosen = [found for name in metrics if (found := ranking_metric(name)) is not None]
    queries = tuple(query for query, judged in qrels.items() if any(gain > 0 for gain in judged.values()))
    if not queries:
        raise InvalidInput("no query has a relevant document, so that there is nothing to measure")
    values, unjudged = {}, {}
    for name, run in runs.items():
        if not any(query in run for query in queries):
            raise InvalidInput(f"{name!r} has no query of the relevance judgements: are they of another collection?")
        values[name], unjudged[name] = by_query(run, qrels, chosen, queries)
    strange = {query for run in runs.values() for query in run} - set(qrels)
    left = ((len(qrels) - len(queries), "without a relevant document"), (len(strange), "without judgements"))
    told = [f"{count} {'query' if count == 1 else 'queries'} {which} left out" for count, which in left if count]
    if any(unjudged.values()):
        shares = ", ".join(f"{name} {share:.0%}".replace("%", " %") for name, share in unjudged.items())
        told.append(f"documents among the first 10 without a judgement, counted as not relevant: {shares}")
    return RankedQueries(queries=queries, values=values, left_out=tuple(told))


def is_qrels(truth: object) -> TypeGuard[Qrels]:
    """Whether the truth is relevance judgements: by query the grade of each document."""
    return isinstance(truth, Mapping) and bool(truth) and all(isinstance(one, Mapping) for one in truth.values())


def one_ranking_metric(metric: object) -> str:
    """The metric by which runs are compared; nDCG@10 where nobody said."""
    if metric is None:
        return RANKING_METRICS[0]
    if not isinstance(metric, str) or ranking_metric(metric) is None:
        raise InvalidInput(f"metric must be one of rankings ({', '.join(RANKING_METRICS)}, any k), got {metric!r}")
    return metric


def by_query_and_system(ranked: RankedQueries) -> dict[str, dict[str, float]]:
    """The values of the one metric as marks: by system those of the queries that it has."""
    return {
        name: {query: value for query, value in zip(ranked.queries, next(iter(of.values())).tolist(), strict=True)
               if value == value}
        for name, of in ranked.values.items()
    }  # fmt: skip


def _read(sources: Sequence[SourceFile], left_out: list[str], metric: str | None) -> Iterator[Series]:
    """Every metric of every run, with the one that was asked for among them."""
    kinds = {source: _kind(source) for source in sources}
    nested = {source.name: _nested(source) for source, kind in kinds.items() if kind == "json"}
    judged = [source for source, kind in kinds.items() if kind == "qrels"]
    decisions: tuple[Decision, ...] = ()
    if not judged and nested:
        judged, decisions = _judgements(sources, nested)
    if not judged:
        raise InvalidInput(
            f"{sources[0].name}: rankings need relevance judgements: add the qrels file (qid 0 docid relevance)"
        )
    qrels: dict[str, dict[str, float]] = {}
    for source in judged:
        for query, documents in (nested.get(source.name) or _read_qrels(source)).items():
            qrels.setdefault(query, {}).update(documents)
    files = [source for source in sources if source not in judged]
    if not files:
        raise InvalidInput(f"{judged[0].name}: relevance judgements alone; add the runs of two systems or more")
    runs = [nested.get(source.name) or _read_run(source, left_out) for source in files]
    # the name that a TREC run gives its system
    tags = [_head(source).split("\n", 1)[0].split()[-1] if kinds[source] == "run" else "" for source in files]
    unique = len(set(tags)) == len(files) and all(tags)
    stems = told_apart([PurePath(str(source.path.resolve()).removesuffix(".gz")) for source in files])
    names = tags if unique else stems
    more = metric is not None and metric not in RANKING_METRICS and ranking_metric(metric) is not None
    metrics = (str(metric), *RANKING_METRICS) if more else RANKING_METRICS
    found = ranked_queries(qrels, dict(zip(names, runs, strict=True)), metrics)
    left_out.extend(found.left_out)
    for source, name in zip(files, names, strict=True):
        for measure, values in found.values[name].items():
            yield Series(
                model=name, metric=measure, rows=ItemRows(keys=found.queries, noun="query"), values=values,
                higher_is_better=True, missing=gaps(values, "query not in the run"), source=source.name,
                decisions=decisions,
            )  # fmt: skip


READER = Reader(
    "rankings", "TREC runs (qid Q0 docid rank score tag) and qrels, or {query: {document: score}} of BEIR and ranx",
    lambda source: _kind(source) is not None, read_together=_read,
)  # fmt: skip


def _head(source: SourceFile) -> str:
    return source.head.decode("utf-8-sig", errors="replace")


def _kind(source: SourceFile) -> str | None:
    """run, qrels or json, by how the file begins."""
    try:
        head = source.head[:4096].decode("utf-8-sig", errors="replace")
    except OSError:
        return None
    if (nested := _NESTED.match(head)) is not None:
        return None if nested["first"] == "0" else "json"  # a frame of pandas, whose rows are numbered
    lines = [line for line in head.splitlines()[:4] if line.strip()]
    whole = lines[:-1] if len(lines) > 1 and len(source.head) > 4096 else lines
    if not whole:
        return None
    if _BEIR.fullmatch(whole[0].strip()):
        return "qrels"
    if _RUN.fullmatch(whole[0].strip()) and len(whole[0].split()) == 6:
        return "run"
    return "qrels" if all(_QRELS.fullmatch(line.strip()) for line in whole) else None


def _nested(source: SourceFile) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for query, documents in json_object(source.content(), source.name).items():
        if not isinstance(documents, dict):
            raise InvalidInput(f"{source.name} must map each query to its documents, got {documents!r} for {query!r}")
        for score in documents.values():
            if not is_number(score) or not math.isfinite(score):
                raise InvalidInput(
                    f"{source.name} must have a finite number for each document, got {score!r} for {query!r}"
                )
        found[str(query)] = {str(name): float(score) for name, score in documents.items()}
    return found


def _judgements(
    sources: Sequence[SourceFile], nested: Mapping[str, dict[str, dict[str, float]]]
) -> tuple[list[SourceFile], tuple[Decision, ...]]:
    """The JSON file that is called qrels; else the only one all of whose numbers are grades, which is assumed."""
    called = [one for one in sources if one.name in nested and "qrel" in one.stem.lower()]
    if called:
        return called, ()
    graded = [
        one for one in sources if one.name in nested
        and all(score in range(-2, 11) for query in nested[one.name].values() for score in query.values())
    ]  # fmt: skip
    if len(graded) != 1:
        return [], ()
    told = Decision(
        what="judgements", value=f"{graded[0].name} holds the relevance judgements, because it has nothing but grades",
        how="assumed", change="a file called qrels",
    )  # fmt: skip
    return graded, (told,)


def _lines(source: SourceFile, fields: tuple[int, ...]) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(source.lines(), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) not in fields:
            raise InvalidInput(
                f"{source.name}, line {number}: {' or '.join(map(str, fields))} columns are needed, got {len(cells)}"
            )
        yield number, cells


def _read_run(source: SourceFile, left_out: list[str]) -> dict[str, dict[str, float]]:
    """The scores of documents, and a sentence where the ranks that stand beside them say something else."""
    found: dict[str, dict[str, float]] = {}
    ranks: dict[str, dict[str, float]] = {}
    for number, (query, _, document, rank, score, _) in _lines(source, (6,)):
        try:
            value = float(score)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InvalidInput(f"{source.name}, line {number}: the score must be a finite number, got {score}")
        documents = found.setdefault(query, {})
        if document in documents:
            raise InvalidInput(f"{source.name}, line {number}: document {document!r} of query {query!r} is there twice")
        documents[document] = value
        ranks.setdefault(query, {})[document] = float(rank) if rank.isdigit() else math.nan
    other = sum(_disagree(documents, ranks[query]) for query, documents in found.items())
    if other > FEW_TIES * len(found):
        left_out.append(
            f"{source.name}: ranks and scores order {other} of {len(found)} queries differently; scores count, equal "
            "ones by the document's name, as in trec_eval"
        )
    return found


FEW_TIES = 0.1  # Share of queries in which a score that rounding made equal to another's is no news.


def _disagree(scores: Mapping[str, float], ranks: Mapping[str, float]) -> bool:
    """Whether the documents come in another order by their ranks."""
    by_score = sorted(sorted(scores, reverse=True), key=lambda name: -scores[name])
    by_rank = [ranks[name] for name in by_score]
    return any(first > second for first, second in pairwise(by_rank))


def _read_qrels(source: SourceFile) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    beir = _BEIR.match(_head(source)[:200].strip()) is not None
    for number, cells in _lines(source, (3,) if beir else (4,)):
        if beir and number == 1:
            continue
        query, document, relevance = cells[0], cells[-2], cells[-1]
        try:
            grade = int(relevance)
        except ValueError:
            raise InvalidInput(
                f"{source.name}, line {number}: the relevance must be a whole number, got {relevance}"
            ) from None
        documents = found.setdefault(query, {})
        if documents.setdefault(document, grade) != grade:
            raise InvalidInput(
                f"{source.name}, line {number}: document {document!r} of query {query!r} has two judgements"
            )
    return found
