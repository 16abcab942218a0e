"""Counts from texts: what a transcript, a translation or tagged spans add to word errors, BLEU and span F1."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from foldwise.core.errors import InvalidInput, MissingDependency
from foldwise.core.types import Array
from foldwise.metrics.counts import BLEU, CHARACTER_GRAMS, WORD_GRAMS, count_metric, no_truth

FROM_TEXTS = ("wer", "cer", "bleu", "chrf", "chrf++", "ter", "span_f1", "span_precision", "span_recall")
"""Metrics of counts that texts give."""

EXTRA = "text"
Texts: TypeAlias = Sequence[Any]  # Texts, lists of texts, or tags.

_Maker: TypeAlias = Callable[[Texts, Texts], list[dict[str, float]]]
_TAG = re.compile(r"O|[BIESLU](-.+)?")


def text_counts(metric: str, references: Texts, said: Texts, name: str) -> dict[str, Array]:
    """The counts of each item by the names of their columns.

    `metric`: one of `FROM_TEXTS`. `references`, `said`: the true text of each item and what a model made of it; for
    spans the tags of its tokens (``B-PER I-PER O``). Several true texts of one item are a list. `name`: what messages
    call what the model said.

    >>> counts = text_counts("span_f1", ["B-PER I-PER O B-LOC"], ["B-PER I-PER O O"], "a")
    >>> {column: values.tolist() for column, values in counts.items()}
    {'tp': [1.0], 'fp': [0.0], 'fn': [1.0]}
    """
    if len(references) != len(said):
        raise InvalidInput(f"{name} must have a text for each of the {len(references)} references, got {len(said)}")
    for row, text in enumerate(said):
        if not isinstance(text, str) and not (metric.startswith("span_") and isinstance(text, list | tuple)):
            raise InvalidInput(f"{name} must be texts for metric {metric!r}, got {text!r} for item {row}")
    makers: dict[str, _Maker] = {
        "wer": _words, "cer": _characters, "bleu": _bleu, "ter": _edits, "chrf": _grams, "chrf++": _grams_and_words,
    }  # fmt: skip
    of = makers.get(metric, _spans)
    rows = of(references, said)
    return {column: np.array([row[column] for row in rows], dtype=np.float64) for column in rows[0]}


def _single(reference: object) -> str:
    if isinstance(reference, str):
        return reference
    raise InvalidInput(f"truth must be one text for each item, got {reference!r}")


def _words(references: Texts, said: Sequence[str]) -> list[dict[str, float]]:
    return _aligned("process_words", "WER", references, said)


def _characters(references: Texts, said: Sequence[str]) -> list[dict[str, float]]:
    return _aligned("process_characters", "CER", references, said)


def _aligned(function: str, what: str, references: Texts, said: Sequence[str]) -> list[dict[str, float]]:
    try:
        import jiwer
    except ImportError:
        raise MissingDependency(f"{what} from texts", EXTRA) from None
    rows = []
    for reference, hypothesis in zip(references, said, strict=True):
        if not (true := _single(reference)).strip():  # jiwer has no rate of an empty reference
            length = len(hypothesis.split() if what == "WER" else hypothesis.strip())
            rows.append({"substitutions": 0.0, "deletions": 0.0, "insertions": float(length), "hits": 0.0})
            continue
        found = getattr(jiwer, function)(true, hypothesis)
        rows.append(
            {part: float(getattr(found, part)) for part in ("substitutions", "deletions", "insertions", "hits")}
        )
    return rows


def _sacrebleu(what: str) -> Any:
    try:
        import sacrebleu.metrics
    except ImportError:
        raise MissingDependency(f"{what} from texts", EXTRA) from None
    return getattr(sacrebleu.metrics, what)


def _several(reference: Any) -> list[str]:
    return [reference] if isinstance(reference, str) else [_single(one) for one in reference]


def _bleu(references: Texts, said: Sequence[str]) -> list[dict[str, float]]:
    bleu = _sacrebleu("BLEU")(effective_order=True)  # of a sentence; its counts are those of the corpus
    rows = []
    for reference, hypothesis in zip(references, said, strict=True):
        found = bleu.sentence_score(hypothesis, _several(reference))
        rows.append(dict(zip(BLEU, (found.sys_len, found.ref_len, *found.counts, *found.totals), strict=True)))
    return rows


# ---- n-grams of characters and words, as chrF counts them


def _grams(references: Texts, said: Sequence[str], *, words: bool = False) -> list[dict[str, float]]:
    columns = (*CHARACTER_GRAMS, *(WORD_GRAMS if words else ()))
    metric = count_metric("chrf++" if words else "chrf", columns)
    rows = []
    for reference, hypothesis in zip(references, said, strict=True):
        found = _orders(hypothesis, words=words)
        each = [_common(found, _orders(true, words=words)) for true in _several(reference)]
        best = max(each, key=lambda counts: float(metric.of_sums(np.array(counts), no_truth(1))))
        rows.append(dict(zip(columns, best, strict=True)))
    return rows


def _grams_and_words(references: Texts, said: Sequence[str]) -> list[dict[str, float]]:
    return _grams(references, said, words=True)


def _orders(text: str, *, words: bool) -> list[Counter[tuple[str, ...]]]:
    """The n-grams of a text, of characters without blanks and of words whose outer punctuation stands apart."""
    sequences: list[tuple[Sequence[str], int]] = [("".join(text.split()), 6)]
    if words:
        sequences.append(([part for word in text.split() for part in _punctuation_apart(word)], 2))
    return [
        Counter(tuple(sequence[at : at + n]) for at in range(len(sequence) - n + 1))
        for sequence, most in sequences
        for n in range(1, most + 1)
    ]


def _punctuation_apart(word: str) -> list[str]:
    """One mark behind a word, else one before it: "(hi)" is "(hi" and ")", as chrF++ has it."""
    if len(word) > 1 and word[-1] in string.punctuation:
        return [word[:-1], word[-1]]
    return [word[0], word[1:]] if len(word) > 1 and word[0] in string.punctuation else [word]


def _common(said: Sequence[Counter[tuple[str, ...]]], true: Sequence[Counter[tuple[str, ...]]]) -> list[float]:
    """Of each order how many the text has, how many the reference, and how many both; a text shows nothing of orders
    that the reference lacks.
    """
    counts = ((s.total() if t else 0, t.total(), (s & t).total()) for s, t in zip(said, true, strict=True))
    return [float(count) for order in counts for count in order]


def _edits(references: Texts, said: Sequence[str]) -> list[dict[str, float]]:
    ter = _sacrebleu("TER")()
    found = [ter.sentence_score(text, _several(true)) for true, text in zip(references, said, strict=True)]
    return [{"edits": float(one.num_edits), "ref_len": float(one.ref_length)} for one in found]


def _spans(references: Texts, said: Texts) -> list[dict[str, float]]:
    rows = []
    for row, (reference, tags) in enumerate(zip(references, said, strict=True)):
        true, found = (tuple(one.split()) if isinstance(one, str) else tuple(one) for one in (reference, tags))
        strange = next((tag for tag in (*true, *found) if not _TAG.fullmatch(tag)), None)
        if strange is not None:
            raise InvalidInput(f"item {row} must have tags such as B-PER, I-PER and O, got {strange!r}")
        if len(true) != len(found):
            raise InvalidInput(f"item {row} must have one tag for each of its {len(true)} tokens, got {len(found)}")
        gold, predicted = spans_of(true), spans_of(found)
        both = len(gold & predicted)
        rows.append({"tp": float(both), "fp": float(len(predicted) - both), "fn": float(len(gold) - both)})
    return rows


def spans_of(tags: Sequence[str]) -> set[tuple[str, int, int]]:
    """Spans of BIO, BIOES and BILOU tags, as conlleval reads them: another type or no ``I-`` before begins a new one.

    >>> sorted(spans_of(["B-PER", "I-PER", "I-LOC", "O", "S-ORG"]))
    [('LOC', 2, 3), ('ORG', 4, 5), ('PER', 0, 2)]
    """
    found, start, kind, before = set(), 0, "", "O"
    for place, tag in enumerate([*tags, "O"]):
        mark, _, label = tag.partition("-")
        ends = kind and (mark in "BSUO" or label != kind or before in "ESL")
        if ends:
            found.add((kind, start, place))
            kind = ""
        if mark != "O" and not kind:
            start, kind = place, label or "_"
        before = mark
    return found
