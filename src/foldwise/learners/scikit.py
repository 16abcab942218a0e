"""scikit-learn's interface to classifiers, spoken without loading scikit-learn.

Loading it takes longer than a comparison of small learners by name, for which the parameters, copies and the way they
are written suffice that are here. As soon as scikit-learn is needed, and for everybody who takes a learner's class
from `foldwise.learners`, the learners derive from its `BaseEstimator` as all its estimators do.
"""

from __future__ import annotations

import copy
import inspect
from typing import Any, Self


class _Alone:
    """Keeps the place of scikit-learn's classes until they are loaded."""


class ScikitClassifier(_Alone):
    """A classifier whose parameters are those of its constructor, which keeps them under their names."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; `deep` changes nothing, for no learner here has another within it."""
        return {name: getattr(self, name) for name in sorted(_defaults(type(self)))}

    def set_params(self, **params: Any) -> Self:
        """Set some of the parameters."""
        known = sorted(_defaults(type(self)))
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {known!r}."
                )  # in scikit-learn's words, by which its searches explain themselves
            setattr(self, name, value)
        return self

    def __sklearn_clone__(self) -> Self:
        """What scikit-learn's `clone` returns: not fitted, with the same parameters."""
        fresh = type(self)(**copy.deepcopy(self.get_params()))
        if "_metadata_request" in vars(self):  # what scikit-learn's routing of metadata was told
            vars(fresh)["_metadata_request"] = copy.deepcopy(vars(self)["_metadata_request"])
        return fresh

    def __repr__(self) -> str:
        defaults = _defaults(type(self))
        # whether a parameter is worth writing; compared as written, for arrays have no truth value
        changed = [
            f"{name}={value!r}" for name, value in self.get_params().items() if (repr(value) != repr(defaults[name]))
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def score(self, X: object, y: object, sample_weight: object = None) -> float:
        """The accuracy of the predictions for `X`."""
        from sklearn.metrics import accuracy_score

        predicted = self.predict(X)  # type: ignore[attr-defined] # of the learner
        return float(accuracy_score(y, predicted, sample_weight=sample_weight))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of every estimator before it does anything with it."""
        derive_from_scikit_learn()
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier", target_tags=TargetTags(required=True), classifier_tags=ClassifierTags(),
            input_tags=InputTags(allow_nan=True, categorical=True, string=True),
        )  # fmt: skip


def derive_from_scikit_learn() -> None:
    """Let the learners derive from scikit-learn's classes from now on, as its checks and others ask by isinstance."""
    from sklearn.base import BaseEstimator, ClassifierMixin

    if _Alone in ScikitClassifier.__bases__:
        ScikitClassifier.__bases__ = (ClassifierMixin, BaseEstimator)
        for kind in _derived(ScikitClassifier):
            super(kind, kind).__init_subclass__()  # gives each class the methods by which metadata are routed


def _derived(kind: type[ScikitClassifier]) -> list[type[ScikitClassifier]]:
    return [kind, *(below for each in kind.__subclasses__() for below in _derived(each))]


def check_fitted(learner: ScikitClassifier, attribute: str) -> None:
    if not hasattr(learner, attribute):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(learner, attribute)


def _defaults(kind: type[ScikitClassifier]) -> dict[str, object]:
    """The parameters of a learner's constructor, with their defaults."""
    return {name: each.default for name, each in inspect.signature(kind).parameters.items()}
