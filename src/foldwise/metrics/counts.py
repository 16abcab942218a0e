"""Metrics of counts: word error rate, span F1, IoU and BLEU are functions of sums of what each item adds.

The counts of all items are added first and the ratio is taken of the sums; a mean of ratios would be another metric, in
which a sentence of two words weighs as much as one of two hundred.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from foldwise.core.decisions import Decision
from foldwise.core.errors import InvalidInput
from foldwise.core.metric import metric_words, resolve_direction
from foldwise.core.roles import normalised
from foldwise.core.types import Array
from foldwise.metrics.metric import Bounds, Inexact, Needs, Output, SumMetric, Truth, ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class CountMetric(SumMetric):
    """A function of the sums of several counts of each item."""

    columns: tuple[str, ...]  #: The counts, as the data call them; a model's output has one column for each
    says: str  #: The function, for people to read
    #: The same, of the counts' own names: equal where two metrics are the same function of the same counts
    formula: str
    of_counts: Callable[[Sequence[Inexact]], Inexact]  #: The function, of one array for each count

    def parts(self, truth: Truth) -> tuple[str, ...]:
        return self.columns

    def contributions(self, truth: Truth, output: Output) -> Array:
        return np.asarray(output, dtype=np.float64)

    def of_sums(self, sums: Inexact, truth: Truth) -> Inexact:
        return np.asarray(self.of_counts([sums[..., place] for place in range(len(self.columns))]))


def undefined(metric: CountMetric, sums: Array) -> str:
    """What the metric divides by, where that is 0 in all items together; empty where it has a value."""
    if "/" not in metric.formula or " of [" in metric.formula:
        return ""
    ratio_of = _formula(metric.formula)
    names = dict(zip(_names(ratio_of), sums, strict=True))
    below = [node.right for node in ast.walk(ratio_of) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)]
    found = next((one for one in below if float(_evaluated(one, names)) == 0), None)
    return "" if found is None else _said(found, dict(zip(names, metric.columns, strict=True)))


def no_truth(n: int) -> Truth:
    """What is known of n items whose truth went into counts: nothing."""
    return Truth(values=np.zeros(n))


# ---- Names that the columns of counts go by, and the functions of them that have a name.

_ALIASES = {
    "errors": (
        "errors", "errs", "n_errors", "num_errors", "word_errors", "edits", "n_edits", "num_edits", "edit_distance",
    ),
    "edits": ("edits", "n_edits", "num_edits"),
    "words": (
        "words", "n_words", "num_words", "ref_words", "reference_words", "n_ref_words", "ref_length", "ref_len",
        "reference_length", "n_ref",
    ),
    "characters": (
        "characters", "chars", "n_characters", "n_chars", "num_chars", "ref_chars", "ref_characters", "reference_chars",
    ),
    "substitutions": ("substitutions", "subs", "sub", "n_sub", "num_sub"),
    "deletions": ("deletions", "dels", "del", "n_del", "num_del"),
    "insertions": ("insertions", "ins", "n_ins", "num_ins"),
    "hits": ("hits", "correct_words", "n_cor", "cor", "corr"),
    "tp": ("tp", "true_positives", "true_positive", "n_tp"),
    "fp": ("fp", "false_positives", "false_positive", "n_fp"),
    "fn": ("fn", "false_negatives", "false_negative", "n_fn"),
    "matched": ("matched", "n_correct", "correct_spans", "correct"),
    "predicted": ("predicted", "n_predicted", "pred", "guessed", "predicted_spans"),
    "gold": ("gold", "n_gold", "true_spans", "gold_spans"),
    "intersection": ("intersection", "inter"),
    "union": ("union",),
    "sys_len": ("sys_len", "hyp_len", "sys_length", "hyp_length"),
    "ref_len": ("ref_len", "ref_length"),
    **{f"correct_{n}": (f"correct_{n}", f"counts_{n}", f"match_{n}", f"correct{n}") for n in range(1, 5)},
    **{f"total_{n}": (f"total_{n}", f"totals_{n}", f"total{n}") for n in range(1, 5)},
}  # fmt: skip

_WHOLE = "(substitutions + deletions + hits)"
_EDITS = "(substitutions + deletions + insertions)"
_SPANS = {
    "f1": ("2 * tp / (2 * tp + fp + fn)", "2 * matched / (predicted + gold)"),
    "precision": ("tp / (tp + fp)", "matched / predicted"),
    "recall": ("tp / (tp + fn)", "matched / gold"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    formulas: tuple[str, ...]  #: Functions of counts, of which the first whose counts are there is taken
    higher_is_better: bool = True
    #: bounds, higher_is_better: As those of any metric
    bounds: Bounds = (0.0, 1.0)
    #: Whether each class has counts of its own (``tp_road``), and the metric is the mean over classes
    by_class: bool = False


BLEU = ("sys_len", "ref_len", *(f"correct_{n}" for n in range(1, 5)), *(f"total_{n}" for n in range(1, 5)))
"""sacrebleu's statistics of a text."""

CHARACTER_GRAMS = tuple(f"{which}_{n}" for n in range(1, 7) for which in ("chr_hyp", "chr_ref", "chr_match"))
"""Of n-grams of characters how many the text has, how many the reference has, and how many both."""

WORD_GRAMS = tuple(f"{which}_{n}" for n in (1, 2) for which in ("word_hyp", "word_ref", "word_match"))
"""The same of words."""

NAMED: dict[str, Named] = {
    "wer": Named(formulas=("errors / words", f"{_EDITS} / {_WHOLE}"), higher_is_better=False, bounds=(0.0, None)),
    "cer": Named(formulas=("errors / characters", f"{_EDITS} / {_WHOLE}"), higher_is_better=False, bounds=(0.0, None)),
    "ter": Named(formulas=("100 * edits / ref_len",), higher_is_better=False, bounds=(0.0, None)),
    **{
        f"{what}_{name}": Named(formulas=formulas)
        for what in ("span", "entity")
        for name, formulas in _SPANS.items()
    },
    "iou": Named(formulas=("intersection / union", "tp / (tp + fp + fn)")),
    "dice": Named(formulas=("2 * tp / (2 * tp + fp + fn)", "2 * intersection / (union + intersection)")),
    "miou": Named(formulas=("intersection / union", "tp / (tp + fp + fn)"), by_class=True),
    "mdice": Named(formulas=("2 * tp / (2 * tp + fp + fn)",), by_class=True),
    **{name: Named(formulas=(name,), bounds=(0.0, 100.0)) for name in ("bleu", "chrf", "chrf++")},
}  # fmt: skip
"""Metrics of counts by name."""


def asks_for_counts(metric: object) -> bool:
    """Whether a name may ask for a metric of counts: one of `NAMED`, or a formula such as ``errors / words``.

    >>> [asks_for_counts(name) for name in ("wer", "errors / words", "accuracy", "n/a (none)")]
    [True, True, False, False]
    """
    if not isinstance(metric, str):
        return False
    return metric in NAMED or ("/" in metric and _parsed(metric) is not None)


def count_metric(name: str, columns: Iterable[str], *, higher_is_better: bool | None = None) -> CountMetric:
    """The metric of counts that a name or formula asks for, on data with these columns.

    `name`: one of `NAMED`, or a formula of columns with ``+ - * /`` and brackets. `columns`: what the data have.
    `higher_is_better`: the direction, where the name does not tell.

    >>> metric = count_metric("wer", ["ref_words", "errors"])
    >>> metric.columns, metric.says, float(metric.of_sums(np.array([3.0, 20.0]), no_truth(1)))
    (('errors', 'ref_words'), 'errors / ref_words', 0.15)
    """
    columns = list(columns)
    found = count_metric_in(name, columns, higher_is_better=higher_is_better)
    if found is not None:
        return found
    if name in NAMED:
        needed = " or ".join(_needed(formula, by_class=NAMED[name].by_class) for formula in NAMED[name].formulas)
    else:
        needed = ", ".join(_names(_formula(name)))
    raise InvalidInput(f"metric {name!r} needs columns of counts ({needed}), got {', '.join(columns[:12]) or 'none'}")


def count_metric_in(name: str, columns: Sequence[str], *, higher_is_better: bool | None = None) -> CountMetric | None:
    """As `count_metric`; None where the data lack the columns."""
    if name not in NAMED:
        formula = _formula(name)
        higher, _ = resolve_direction(name, higher_is_better)
        return _of_formula(name, formula, columns, bounds=(None, None), higher=higher, checked=True)
    named = NAMED[name]
    higher = named.higher_is_better if higher_is_better is None else higher_is_better
    for text in named.formulas:
        if text in _SPECIAL:
            found = _special(name, columns, higher)
        elif named.by_class:
            found = _mean_of_classes(name, _formula(text), columns, higher)
        else:
            found = _of_formula(name, _formula(text), columns, bounds=named.bounds, higher=higher)
        if found is not None:
            return found
    return None


def counted_metrics(columns: Sequence[str]) -> list[str]:
    """The named metrics that columns can give; first the one whose counts are all of them, if there is one.

    >>> counted_metrics(["errors", "words"]), counted_metrics(["accuracy", "f1"])
    (['wer'], [])
    """
    found = {name: metric for name in NAMED if (metric := count_metric_in(name, columns)) is not None}
    return sorted(found, key=lambda name: (set(found[name].columns) != set(columns), list(NAMED).index(name)))


def counts_by_model(metric: str, columns: Iterable[str]) -> dict[str, dict[str, str]]:
    """By model its columns by count, from names such as ``a_errors``, ``errors_a`` or ``a:errors``; none where no
    column is so called. A count without a model (``words``) is every model's.

    >>> counts_by_model("wer", ["item", "words", "new_errors", "old_errors"])["old"]
    {'words': 'words', 'errors': 'old_errors'}
    """
    formulas = NAMED[metric].formulas if metric in NAMED else (metric,)
    counts = [name for text in formulas for name in _counts_in(text)]
    words = sorted({word for name in counts for word in (normalised(name), *_ALIASES.get(name, ()))}, key=len)[::-1]
    of_model: dict[str, dict[str, str]] = {}
    shared: dict[str, str] = {}
    for column in columns:
        name, (model, colon, count) = normalised(column), column.rpartition(":")
        if metric in NAMED and NAMED[metric].by_class and not colon:
            inner = re.fullmatch(rf"(.+)_((?:{'|'.join(words)}|confusion|cm)_.+)", name)
            if inner is not None:
                of_model.setdefault(column[: len(inner[1])], {})[inner[2]] = column
        elif name in words:
            shared[name] = column
        elif colon and model.strip():
            of_model.setdefault(model.strip(), {})[count.strip()] = column
        elif (word := next((w for w in words if name.endswith(f"_{w}")), None)) is not None:
            of_model.setdefault(column[: -len(word) - 1], {})[word] = column
        elif (word := next((w for w in words if name.startswith(f"{w}_")), None)) is not None:
            of_model.setdefault(column[len(word) + 1 :], {})[word] = column
    whole = {model: {**shared, **parts} for model, parts in of_model.items()}
    return {model: parts for model, parts in whole.items() if count_metric_in(metric, list(parts)) is not None}


def only_counts(columns: Sequence[str]) -> str | None:
    """The metric of which all the columns are counts, of one model or by model; None where some are not.

    >>> only_counts(["a_errors", "b_errors", "words"]), only_counts(["a_errors", "b_errors"]), only_counts(["a", "b"])
    ('wer', None, None)
    """
    for name in NAMED:
        found = count_metric_in(name, columns)
        by_model = counts_by_model(name, columns)
        used = {column for parts in by_model.values() for column in parts.values()} or set(
            found.columns if found else ()
        )
        if used and used == {*columns}:
            return name
    return None


def assumed_counts(metric: CountMetric) -> Decision:
    """That what is compared is the metric whose counts all columns are."""
    value = f"what is compared is {metric_words(metric.name)}, {metric.says} of the sums over items"
    return Decision(what="metric", value=value, how="assumed", change="metric='COLUMN' (--metric COLUMN)")


def _counts_in(text: str) -> tuple[str, ...]:
    return _SPECIAL[text][0] if text in _SPECIAL else _names(_formula(text))


def _needed(formula: str, *, by_class: bool) -> str:
    return ", ".join(f"{name}_CLASS" if by_class else name for name in _counts_in(formula))


def _column(name: str, columns: Sequence[str]) -> str | None:
    """The column of a count: the one called so, or by another of its names."""
    words = {normalised(column): column for column in reversed(columns)}
    return next((words[word] for word in (normalised(name), *_ALIASES.get(name, ())) if word in words), None)


def _of_formula(
    name: str, formula: ast.expr, columns: Sequence[str], *, bounds: Bounds, higher: bool, checked: bool = False
) -> CountMetric | None:
    names = _names(formula)
    found = {one: _column(one, columns) for one in names}
    if any(column is None for column in found.values()):
        return None
    says = _said(formula, {one: str(column) for one, column in found.items()})

    def of_counts(counts: Sequence[Inexact]) -> Inexact:
        return _evaluated(formula, dict(zip(names, counts, strict=True)))

    if checked:
        # a metric must not depend on how many items there are: twice the counts are the same ratio
        k = len(names)
        counts = [np.asarray(float(prime)) for prime in (3, 5, 7, 11, 13, 17, 19, 23, 29, 31)[:k]]
        value = of_counts(counts)
        if k > 10 or value == 0 or not np.isclose(value, of_counts([2 * count for count in counts])):
            raise InvalidInput(
                f"metric must be a ratio of sums, which stays the same where all counts are doubled, got {name!r}"
            )
    return CountMetric(
        name=name, needs=Needs.COUNTS, higher_is_better=higher, bounds=bounds, columns=tuple(map(str, found.values())),
        says=says, formula=ast.unparse(formula), of_counts=of_counts,
    )  # fmt: skip


def _mean_of_classes(name: str, formula: ast.expr, columns: Sequence[str], higher: bool) -> CountMetric | None:
    """Mean over the classes of a function of the counts of each; classes that occur nowhere have none."""
    names = _names(formula)
    by_class: dict[str, dict[str, str]] = {}
    for column in columns:
        for count in names:
            for alias in _ALIASES[count]:
                if normalised(column).startswith(f"{alias}_"):
                    by_class.setdefault(normalised(column).removeprefix(f"{alias}_"), {})[count] = column
    whole = {label: by_class[label] for label in sorted(by_class) if len(by_class[label]) == len(names)}
    if not whole:
        return _of_confusions(name, formula, columns, higher)
    k = len(names)

    def of_counts(counts: Sequence[Inexact]) -> Inexact:
        parts = [counts[at : at + k] for at in range(0, len(counts), k)]
        return _class_mean(formula, [dict(zip(names, part, strict=True)) for part in parts])

    return CountMetric(
        name=name, needs=Needs.COUNTS, higher_is_better=higher, bounds=(0.0, 1.0),
        columns=tuple(parts[count] for parts in whole.values() for count in names),
        says=f"mean over {len(whole)} classes of {ast.unparse(formula)}", of_counts=of_counts,
        formula=f"{ast.unparse(formula)} of {list(whole)}",
    )  # fmt: skip


def _class_mean(formula: ast.expr, classes: Sequence[Mapping[str, Inexact]]) -> Inexact:
    """The mean of a function of each class's counts; classes that occur nowhere have none."""
    there = [1.0 * (_sum(list(parts.values())).real > 0) for parts in classes]
    return ratio(_sum([_evaluated(formula, parts) * t for parts, t in zip(classes, there, strict=True)]), _sum(there))


_CONFUSION = re.compile(r"(?:confusion|confusion_matrix|cm|conf)_(.+)")


def confusion_columns(columns: Sequence[str]) -> tuple[list[str], list[list[str]]] | None:
    """The classes of columns ``confusion_TRUE_SAID`` and the columns by class that is true and class that was said.

    >>> confusion_columns(["image", "cm_a_a", "cm_a_b", "cm_b_a", "cm_b_b"])
    (['a', 'b'], [['cm_a_a', 'cm_a_b'], ['cm_b_a', 'cm_b_b']])
    """
    found = {match[1]: column for column in columns if (match := _CONFUSION.fullmatch(normalised(column)))}
    # a class is what stands twice, a_a; names may have underscores of their own
    halves = ((pair[: len(pair) // 2], pair) for pair in found)
    classes = [half for half, pair in halves if pair == f"{half}_{half}"]
    rows = [[found.get(f"{true}_{said}", "") for said in classes] for true in classes]
    return (classes, rows) if len(classes) > 1 and all(map(all, rows)) else None


def _of_confusions(name: str, formula: ast.expr, columns: Sequence[str], higher: bool) -> CountMetric | None:
    """Mean over classes from a confusion matrix of each item."""
    found = confusion_columns(columns) if set(_names(formula)) <= {"tp", "fp", "fn"} else None
    if found is None:
        return None
    classes, rows = found
    k = len(classes)

    def of_counts(counts: Sequence[Inexact]) -> Inexact:
        cells = [counts[at : at + k] for at in range(0, k * k, k)]
        said = [_sum([row[c] for row in cells]) for c in range(k)]
        return _class_mean(
            formula,
            [{"tp": row[c], "fn": _sum(row) - row[c], "fp": said[c] - row[c]} for c, row in enumerate(cells)],
        )

    return CountMetric(
        name=name, needs=Needs.COUNTS, higher_is_better=higher, bounds=(0.0, 1.0),
        columns=tuple(column for row in rows for column in row), of_counts=of_counts,
        says=f"mean over {k} classes of {ast.unparse(formula)}, from the sum of the confusion matrices",
        formula=f"{ast.unparse(formula)} of confusions of {classes}",
    )  # fmt: skip


def _sum(parts: Sequence[Inexact]) -> Inexact:
    return np.asarray(np.sum(np.stack([np.asarray(part) for part in parts]), axis=0))


def _special(name: str, columns: Sequence[str], higher: bool) -> CountMetric | None:
    """A metric whose function is no formula."""
    needed, says, of_counts = _SPECIAL[name]
    found = [_column(one, columns) for one in needed]
    if any(column is None for column in found):
        return None
    return CountMetric(
        name=name, needs=Needs.COUNTS, higher_is_better=higher, bounds=(0.0, 100.0), columns=tuple(map(str, found)),
        says=says, formula=name, of_counts=of_counts,
    )  # fmt: skip


def _corpus_bleu(counts: Sequence[Inexact]) -> Inexact:
    """Corpus BLEU as sacrebleu has it: n-grams that never match count as half, a quarter … of one (its "exp")."""
    system, reference = counts[:2]
    short = (system.real < reference.real) & (system.real > 0)
    penalty = np.exp(np.where(short, 1 - ratio(reference, system), 0))
    logs, smooth = np.zeros_like(np.asarray(system)), np.ones(np.shape(system))
    for correct, total in zip(counts[2:6], counts[6:10], strict=True):
        never = correct.real <= 0
        smooth = np.where(never, smooth * 2, smooth)
        precision = np.where(never, ratio(np.ones_like(total), smooth * total), ratio(correct, total))
        logs = logs + np.log(np.where(precision.real > 0, precision, 1))
    some = np.logical_and.reduce([total.real > 0 for total in counts[6:10]]) & (_sum(counts[2:6]).real > 0)
    return np.asarray(np.where(some & (system.real > 0), 100 * penalty * np.exp(logs / 4), 0))


def _corpus_chrf(counts: Sequence[Inexact]) -> Inexact:
    """F2 of mean precision and recall over the orders of n-grams that both sides have, as sacrebleu has it."""
    orders = [counts[at : at + 3] for at in range(0, len(counts), 3)]
    there = [1.0 * ((said.real > 0) & (true.real > 0)) for said, true, _ in orders]
    some = _sum(there)
    precision, recall = (
        ratio(_sum([t * ratio(order[2], order[side]) for t, order in zip(there, orders, strict=True)]), some)
        for side in (0, 1)
    )
    return np.asarray(100 * ratio(5 * precision * recall, 4 * precision + recall))


_SPECIAL: dict[str, tuple[tuple[str, ...], str, Callable[[Sequence[Inexact]], Inexact]]] = {
    "bleu": (BLEU, "brevity penalty × geometric mean of the precisions of 1- to 4-grams", _corpus_bleu),
    "chrf": (CHARACTER_GRAMS, "F2 of 1- to 6-grams of characters", _corpus_chrf),
    "chrf++": ((*CHARACTER_GRAMS, *WORD_GRAMS), "F2 of n-grams of characters (6) and words (2)", _corpus_chrf),
}
"""Of metrics that no formula says their counts, what they are in words, and the function."""


# ---- Formulas: names of columns, numbers, + - * / and brackets, and nothing else.

_OPERATORS: dict[type, Callable[[Inexact, Inexact], Inexact]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: ratio,
}  # fmt: skip
_LONGEST = 500


def _formula(text: str) -> ast.expr:
    found = _parsed(text)
    if found is None:
        raise InvalidInput(
            f"metric must be a formula of columns with + - * / and brackets, such as 'errors / words', got {text!r}"
        )
    return found


def _parsed(text: str) -> ast.expr | None:
    if len(text) > _LONGEST or re.search(r"[^\w\s.+*/()-]", text):
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if all(_plain(node) for node in ast.walk(tree)) and _names(tree) else None


def _plain(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if isinstance(node, ast.BinOp):
        return type(node.op) in _OPERATORS
    kinds = (ast.Name, ast.Load, ast.UnaryOp, ast.USub, *_OPERATORS)
    return isinstance(node, kinds)


def _names(formula: ast.expr) -> tuple[str, ...]:
    """The columns of a formula, in the order in which they stand."""
    nodes = [node for node in ast.walk(formula) if isinstance(node, ast.Name)]
    return tuple(dict.fromkeys(node.id for node in sorted(nodes, key=lambda node: node.col_offset)))


def _evaluated(node: ast.expr, counts: Mapping[str, Inexact]) -> Inexact:
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](
            np.asarray(_evaluated(node.left, counts)), np.asarray(_evaluated(node.right, counts))
        )
    if isinstance(node, ast.UnaryOp):
        return np.asarray(-_evaluated(node.operand, counts))
    if isinstance(node, ast.Name):
        return counts[node.id]
    assert isinstance(node, ast.Constant)
    return np.asarray(node.value, dtype=np.float64)


def _said(formula: ast.expr, named: Mapping[str, str]) -> str:
    return re.sub(r"[^\W\d]\w*", lambda word: named.get(word[0], word[0]), ast.unparse(formula))
