"""C4.5 decision trees, as Weka's J48 grows and prunes them."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from foldwise.core.errors import InvalidInput
from foldwise.core.table import Table
from foldwise.core.types import Array
from foldwise.core.validation import flag, fraction, integer
from foldwise.learners.base import Codes, Learner, fold_numbers
from foldwise.learners.scikit import check_fitted
from foldwise.learners.tree.arrays import Rule, Tree, TreeData, columns
from foldwise.learners.tree.fit import Tools, cross_decide, fit_tree, seconds_to_fit, seconds_to_predict, tools_for
from foldwise.learners.tree.prune import estimates, fill_estimates
from foldwise.learners.tree.route import tree_text

_SMALL_LEAF = 64  # Up to so many examples the errors expected of a leaf are tabulated.


class C45(Learner):
    """A decision tree by C4.5, release 8, as in Weka's J48.

    Parameters
    ----------
    pruned
        Whether to prune the grown tree by pessimistic error estimates.
    confidence
        One-sided confidence of the error estimates, above 0 and at most 0.5; smaller prunes more.
    min_instances
        At least two branches of every test need this many training examples.
    subtree_raising
        Whether pruning may put a node's largest branch in its place.
    collapse
        Whether to remove subtrees that make no fewer training errors than a leaf would, also without pruning.
    stopping
        None grows by gain ratio. A level in (0, 1] splits and stops by the hypergeometric test instead [2]_.

    Attributes
    ----------
    tree_
        The tree as arrays over nodes. What was pruned is still there, but no node leads to it.

    Notes
    -----
    A node tests the attribute of largest gain ratio among those whose information gain is at least average.
    A nominal attribute has a branch for each declared value. A numeric attribute has one cut, whose gain is reduced
    by log2(number of cuts) / n; either side needs a tenth of the average class size, but at least `min_instances`
    and at most 25 examples; the cut is placed on the largest training value below the midpoint. An example whose
    value is missing goes down every branch, with weights in proportion to the examples of known value; at
    prediction the leaves' class frequencies are averaged with the same weights. Ties between classes go to the
    first.

    dietterich1998 used release 1, of 1993, which is no option here. What is documented as changed since is the use of
    numeric attributes, in release 8 (1996, [1]_): how the cut is chosen, and that its gain pays log2(number of cuts)/n.
    Without that price trees are larger, and numeric attributes win over nominal ones more often. Of other changes
    between these releases we know no description, so that a switch would not be release 1 either. It concerns all rows
    of ``foldwise reproduce dietterich1998`` with C4.5: Letter, Pima and EXP6 have numeric attributes only.

    With `stopping`, a node tests the attribute whose table of branches by classes is least probable by chance,
    that is, has the smallest multiple hypergeometric probability given its margins

        P0 = Π n_c! Π n_b! / (n! Π n_bc!),

    and stays a leaf if the smallest P0 is above the level. For two branches and two classes P0 is the point
    probability of Fisher's exact test. The stopped trees of [2]_, appendix B.2, are
    ``C45(stopping=0.05, pruned=False, collapse=False, min_instances=1)``; a level of 1 gives the unpruned trees
    that they are compared with. Factorials of fractional weights are gamma functions.

    References
    ----------
    .. [1] J. R. Quinlan (1993), C4.5: Programs for Machine Learning, Morgan Kaufmann; (1996), Improved use of
       continuous attributes in C4.5, JAIR 4.
    .. [2] J. K. Martin & D. S. Hirschberg (1996), Small sample statistics for classification error rates II,
       appendix B.2; J. K. Martin (1997), An exact probability metric for decision tree splitting and stopping,
       Machine Learning 28.

    Examples
    --------
    >>> tree = C45().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> print(tree.to_text())
    x0 <= 2: no (2.0)
    x0 > 2: yes (2.0)
    """

    def __init__(
        self, *, pruned: bool = True, confidence: float = 0.25, min_instances: int = 2, subtree_raising: bool = True,
        collapse: bool = True, stopping: float | None = None,
    ) -> None:  # fmt: skip
        self.pruned = pruned
        self.confidence = confidence
        self.min_instances = min_instances
        self.subtree_raising = subtree_raising
        self.collapse = collapse
        self.stopping = stopping

    def to_text(self) -> str:
        """The fitted tree, one line per branch: class, weight of the training examples, and their errors."""
        check_fitted(self, "tree_")
        return tree_text(self.tree_, self.schema_, self.classes_.tolist())

    def _check_parameters(self) -> None:
        if not 0 < fraction(self.confidence, "confidence") <= 0.5:
            raise InvalidInput(f"confidence must be above 0 and at most 0.5, got {self.confidence!r}")
        integer(self.min_instances, "min_instances", minimum=1)
        for name in ("pruned", "subtree_raising", "collapse"):
            flag(getattr(self, name), name)
        if self.stopping is not None and fraction(self.stopping, "stopping", closed=True) == 0:
            raise InvalidInput(f"stopping must be None or above 0 and at most 1, got {self.stopping!r}")

    def _fit(self, table: Table, codes: Codes, n_classes: int) -> None:
        tools = self._tools(seconds_to_fit(*table.shape))
        self.tree_: Tree = fit_tree(_columns(table, codes, n_classes, tools), self._rule(), tools)

    def _predict_proba(self, table: Table) -> Array:
        scores = self._scores(table, self._tools(seconds_to_predict(len(table))))
        return np.asarray(scores / scores.sum(axis=1, keepdims=True))

    def _predict_codes(self, table: Table) -> Codes:
        tools = self._tools(seconds_to_predict(len(table)))
        return np.asarray(tools.decide(self._scores(table, tools)))

    def _cross_predict(self, table: Table, codes: Codes, folds: Codes, n_classes: int) -> Codes:
        fits = sum(len(fold_numbers(ids)) for ids in folds)
        tools = self._tools(fits * seconds_to_fit(*table.shape) + seconds_to_predict(folds.size))
        return cross_decide(_columns(table, codes, n_classes, tools), folds, self._rule(), tools)

    def _tools(self, seconds: float) -> Tools:
        return tools_for(seconds, exact=self.stopping is None)

    def _scores(self, table: Table, tools: Tools) -> Array:
        cells = np.array(table.values.T, order="C")
        # a kernel for arrays that must not be written, as loaded from a memory map, would be compiled separately
        tree = Tree._make(np.require(part, requirements="W") for part in self.tree_)
        scores: Array = tools.probabilities(tree, cells, self.schema_.n_values, np.arange(len(table), dtype=np.uint32))
        return scores

    def _rule(self) -> Rule:
        confidence = np.float32(self.confidence)  # single precision, as in Weka
        z = float(ndtri(float(np.float32(1) - confidence)))
        return Rule(
            min_instances=float(self.min_instances), hypergeometric=self.stopping is not None,
            stopping=float(self.stopping or 0), collapse=bool(self.collapse), prune=bool(self.pruned),
            raising=bool(self.subtree_raising), confidence=float(confidence), z=z,
            estimates=estimates(_SMALL_LEAF, float(confidence), z, fill_estimates),
        )  # fmt: skip


def _columns(table: Table, codes: Codes, n_classes: int, tools: Tools) -> TreeData:
    return columns(table.values, table.n_values, codes, n_classes, tools.survey)
