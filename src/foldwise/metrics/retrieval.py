"""Metrics of rankings per query, as trec_eval computes them: nDCG, AP, RR, precision, recall, success; and RBP."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput
from foldwise.core.types import Array

Run: TypeAlias = Mapping[str, Mapping[str, float]]  # By query the documents that a system found, with their scores.

Qrels: TypeAlias = Mapping[str, Mapping[str, float]]  # By query the documents that were judged, with their relevance.

RANKING_METRICS = ("nDCG@10", "AP", "RR", "recall@100", "P@10", "RBP")
"""What is computed unless something else is asked for; any k can be."""

_KINDS = {
    "ndcg": "nDCG", "ap": "AP", "map": "AP", "rr": "RR", "mrr": "RR", "recip_rank": "RR", "recall": "recall",
    "r": "recall", "p": "P", "precision": "P", "success": "success", "hit": "success", "hits": "success",
    "hit_rate": "success", "rbp": "RBP", "ndcg_cut": "nDCG", "map_cut": "AP",
}  # fmt: skip
_NAME = re.compile(r"([a-z]+(?:_[a-z]+)*)(?:(?:@|_)(\d{1,7}))?(?:\(p=(0?\.\d+)\))?(?:@(\d{1,7}))?", re.IGNORECASE)
_NEEDS_K = ("recall", "P", "success")
_PATIENCE = 0.8
"""How probable it is that a reader who saw a document looks at the next one, by RBP where nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingMetric:
    """One metric of a ranking."""

    name: str  #: As it was asked for
    kind: str  #: nDCG, AP, RR, recall, P, success or RBP
    k: int | None  #: How many of the first documents count; None for all
    patience: float = _PATIENCE  #: The parameter of RBP

    def value(self, gains: Array, judged: Array) -> float:
        """The metric of one query.

        `gains`: relevance of the documents in the order of the ranking; 0 for those that nobody judged. `judged`:
        relevance of all documents that were judged.
        """
        top = gains[: self.k]
        hits = top > 0
        relevant = int((judged > 0).sum())
        if self.kind == "nDCG":
            ideal = np.sort(judged[judged > 0])[::-1][: self.k]
            best = _discounted(ideal)
            return _discounted(np.maximum(top, 0.0)) / best if best else 0.0
        if self.kind == "AP":
            precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
            return float(precision[hits].sum()) / relevant if relevant else 0.0
        if self.kind == "RR":
            return 1 / (1 + int(np.argmax(hits))) if hits.any() else 0.0
        if self.kind == "recall":
            return int(hits.sum()) / relevant if relevant else 0.0
        if self.kind == "P":
            return int(hits.sum()) / (self.k or max(len(top), 1))
        if self.kind == "success":
            return float(hits.any())
        return float((1 - self.patience) * (self.patience ** np.flatnonzero(hits)).sum())


def _discounted(gains: Array) -> float:
    return float((gains / np.log2(np.arange(2, len(gains) + 2))).sum())


def ranking_metric(name: str) -> RankingMetric | None:
    """The metric that a name asks for, spelled as trec_eval, ir-measures or BEIR do; None where it is none.

    >>> [(found.kind, found.k) for found in map(ranking_metric, ("nDCG@10", "ndcg_cut_5", "map", "R@100"))]
    [('nDCG', 10), ('nDCG', 5), ('AP', None), ('recall', 100)]
    >>> ranking_metric("RBP(p=0.5)").patience, ranking_metric("accuracy")
    (0.5, None)
    """
    found = _NAME.fullmatch(name.strip())
    kind = None if found is None else _KINDS.get(found[1].lower())
    if found is None or kind is None:
        return None
    k = found[2] or found[4]
    if k is None and kind in _NEEDS_K:
        raise InvalidInput(f"metric {name!r} must say how many documents count, as in {kind}@10")
    if k is not None and int(k) < 1:
        raise InvalidInput(f"metric {name!r} must be of at least 1 document")
    patience = _PATIENCE if found[3] is None else float(found[3])
    if found[3] is not None and kind != "RBP":
        return None
    return RankingMetric(name=name, kind=kind, k=None if k is None else int(k), patience=patience)


def ranked(scores: Mapping[str, float]) -> list[str]:
    """The documents of a query as trec_eval ranks them: by score, and equal ones by their names from the last on.

    trec_eval keeps scores as single-precision numbers, so that scores which agree in seven digits are equal.

    >>> ranked({"a": 1.0, "b": 2.0, "c": 1.0})
    ['b', 'c', 'a']
    """
    names = sorted(scores, reverse=True)
    order = np.argsort(-np.array([scores[name] for name in names], dtype=np.float32), kind="stable")
    return [names[place] for place in order.tolist()]


def by_query(
    run: Run, qrels: Qrels, metrics: Sequence[RankingMetric], queries: Sequence[str]
) -> tuple[dict[str, Array], float]:
    """Each metric of each query, NaN where the run lacks it; and the share of the first ten documents nobody judged.

    >>> values, unjudged = by_query({"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 1}}, [ranking_metric("RR")], ["q"])
    >>> values["RR"].tolist(), unjudged
    ([0.5], 0.5)
    """
    found = {metric.name: np.full(len(queries), np.nan) for metric in metrics}
    seen, strange = 0, 0
    for place, query in enumerate(queries):
        if query not in run:
            continue
        relevance = qrels[query]
        names = ranked(run[query])
        gains = np.array([relevance.get(name, 0.0) for name in names], dtype=np.float64)
        judged = np.array(list(relevance.values()), dtype=np.float64)
        for metric in metrics:
            found[metric.name][place] = metric.value(gains, judged)
        seen += len(names[:10])
        strange += sum(name not in relevance for name in names[:10])
    return found, strange / seen if seen else 0.0
