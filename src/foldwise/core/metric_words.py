"""Names of metrics as people write them: ROC AUC for ``roc_auc``, macro F1 for ``f1_macro``."""

from __future__ import annotations

import re

__all__ = ["metric_words"]

_WHOLE = {
    "brier": "Brier score",
    "matthews_corrcoef": "Matthews correlation",
    "cohen_kappa": "Cohen's kappa",
}
_WORDS = {
    "ap": "AP", "auc": "AUC", "auprc": "AUPRC", "auroc": "AUROC", "bleu": "BLEU", "brier": "Brier", "cer": "CER",
    "d2": "D²", "dcg": "DCG", "f1": "F1", "f2": "F2", "iou": "IoU", "mae": "MAE", "mape": "MAPE", "mcc": "MCC",
    "mrr": "MRR", "mse": "MSE", "ndcg": "NDCG", "neg": "negative", "ovo": "one-vs-one", "ovr": "one-vs-rest",
    "r2": "R²", "rmse": "RMSE", "roc": "ROC", "rouge": "ROUGE", "wer": "WER",
}  # fmt: skip
_IN_FRONT = frozenset({"macro", "micro", "ovo", "ovr", "samples", "weighted"})
_CODED = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


def metric_words(name: str) -> str:
    """The metric as a person would write it; names that somebody wrote with blanks or capitals stay as they are.

    Examples
    --------
    >>> [metric_words(name) for name in ("roc_auc", "f1_macro", "neg_log_loss", "r2", "accuracy", "Dice (mean)")]
    ['ROC AUC', 'macro F1', 'negative log loss', 'R²', 'accuracy', 'Dice (mean)']
    """
    if name in _WHOLE:
        return _WHOLE[name]
    if not _CODED.fullmatch(name):
        return name
    parts = name.split("_")
    front = [part for part in reversed(parts) if part in _IN_FRONT and len(parts) > 1]
    rest = [part for part in parts if part not in front]
    return " ".join(_WORDS.get(part, part) for part in (*front, *rest))
