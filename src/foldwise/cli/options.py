"""The options that several commands have: name, type and default of each once, and what it means.

A command names those that it takes, in the order of its help, and says what one means to it where that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from foldwise.core.metric import UNITS
from foldwise.core.roles import ROLES
from foldwise.evidence.missing import POLICIES

Decorator = Callable[[Callable[..., object]], Callable[..., object]]


def by_role(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The columns by role; a name with a comma in it was taken for several values, and is put together again."""
    found: dict[str, tuple[str, ...]] = {}
    last = ""
    for part in given:
        role, told, name = part.partition("=")
        role = role.strip()
        if told and (role in ROLES or not last):
            last = role
            found[role] = (*found.get(role, ()), name)
        elif last:
            *before, name = found[last]
            found[last] = (*before, f"{name},{part}")
        else:
            raise click.UsageError(f"--column must be ROLE=NAME, as item=prompt_id, got {part!r}")
    return found


def choice(*names: str) -> dict[str, Any]:
    """Of an option, that it is one of these."""
    return {"type": click.Choice(names)}


MANY: dict[str, Any] = {"multiple": True}
COLUMN, MODEL, AMOUNT = {"metavar": "COLUMN"}, {"metavar": "MODEL"}, {"metavar": "AMOUNT"}
WHOLE, NUMBER, FILE = {"type": int}, {"type": float}, {"type": click.Path(path_type=Path)}

OPTIONS: dict[str, tuple[str, dict[str, Any], str]] = {
    # what is read
    "columns": ("--column", {**MANY, "callback": by_role, "metavar": "ROLE=NAME"},
                "What a column is, if its name does not tell: item=prompt_id; item=none: no column is. May be "
                f"repeated. Roles: {', '.join(ROLES)}."),
    "truth": ("--truth", COLUMN,
              "Column with the true labels; none: the columns are marks, right/wrong or numbers [guessed]."),
    "a": ("--a", COLUMN, "Column of the first classifier [guessed]."),
    "b": ("--b", COLUMN, "Column of the second classifier [guessed]."),
    "groups": ("--groups", COLUMN, "Column with the cluster (patient, document …) of each example, or none [guessed]."),
    "item": ("--item", COLUMN, "Column with the item's id, if several rows are trials of one item, or none [each row "
             "is an item]."),
    "time": ("--time", COLUMN, "Column that says when each row was, or none [one named date, time, ds …]."),
    "slices": ("--slice", COLUMN, "Compare the models on each value of this column, too."),
    "models": ("--model", {**MANY, **MODEL}, "A model to compare; repeat it [all]."),
    "tasks": ("--task", {**MANY, "metavar": "TASK"}, "A task to compare on; repeat it [all]."),
    "data_dir": ("--data-dir", {"metavar": "FOLDER"}, "Where the files are; default: $FOLDWISE_DATA."),
    "target": ("--target", COLUMN, "Column to predict [guessed]; also 'first' or 'last'."),
    "keep": ("--keep", {**MANY, "metavar": "COLUMN …"},
             "Columns to keep although they look like identifiers or dates, which are left out."),
    # what is measured
    "metric": ("--metric", {}, "What the scores measure."),
    "positive": ("--positive", {"metavar": "CLASS"},
                 "The class that F1, precision and the like are about [yes, 1, true]."),
    "lower_is_better": ("--lower-is-better/--higher-is-better", {"default": None},
                        "Direction [by the metric's name]."),
    "unit": ("--unit", choice(*UNITS), "Unit of the scores [percent where a rate by its name goes beyond 1]."),
    "missing": ("--missing", {**choice(*POLICIES), "default": "refuse", "show_default": True},
                "Missing scores: refuse the file, drop the split for all learners, or count the worst possible "
                "value."),
    "bounds": ("--bounds", {"nargs": 2, **NUMBER, "metavar": "LOW HIGH"},
               "Lowest and highest possible value, for --missing worst, if the metric's name does not imply them."),
    "runs": ("--runs", WHOLE, "Runs of the cross-validation, if no column has them."),
    "n_train": ("--n-train", NUMBER, "Training examples in one split (needed for random splits)."),
    "n_test": ("--n-test", NUMBER, "Test examples in one split (needed for random splits)."),
    # how it is judged
    "test": ("--test", {"default": "auto", "show_default": True}, "A test by name."),
    "alpha": ("--alpha", {"default": 0.05, "show_default": True}, "Significance level."),
    "rope": ("--rope", AMOUNT,
             "Differences up to this do not matter in practice: 1pt (of a rate), or a number in the score's own unit "
             "[0.01, or 1 where scores are percentages]."),
    "control": ("--control", MODEL, "Compare the others with this model only."),
    "adjust": ("--adjust", {**choice("holm", "max_t"), "default": "holm", "show_default": True},
               "How p-values are adjusted for the number of pairs."),
    "penalty": ("--penalty", {**NUMBER, "default": 0.0}, "Shrink the strengths of three or more models towards each "
                "other by this much, so that they exist even if a model never loses [0]."),
    "unadjusted": ("--unadjusted", {"is_flag": True}, "Do not adjust for the number of metrics [Holm; Bonferroni for "
                   "three or more models]."),
    "seed": ("--seed", {"default": 0, "show_default": True}, "Random seed of all splits."),
    # how it is run
    "jobs": ("--jobs", {**WHOLE, "metavar": "N"}, "Processes; -1 for all processors."),
    "store": ("--store", FILE, "Results file: makes the work resumable."),
    "cluster": ("--cluster", {"metavar": "ADDRESS"}, "Address of a running Dask scheduler."),
    "fit_seconds": ("--fit-seconds", {**NUMBER, "metavar": "S"},
                    "Seconds that one fit may take; one that takes more is ended and has failed."),
    "fit_memory": ("--fit-memory", {**NUMBER, "metavar": "MB"}, "Megabytes that one fit may take (Linux)."),
}  # fmt: skip
"""By the name of the parameter: how it is written, its type and default, and its help."""


def option(name: str, text: str = "", **attributes: Any) -> Decorator:
    """One of them, with another help or default where that is said."""
    written, known, usual = OPTIONS[name]
    return click.option(written, name, **{**known, "help": text or usual, **attributes})


def takes(*wanted: str | Decorator, **texts: str) -> Decorator:
    """These options, in this order; `texts` are what one of them means to this command."""

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        for one in reversed(wanted):
            function = (option(one, texts.get(one, "")) if isinstance(one, str) else one)(function)
        return function

    return decorate


def those_of(names: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """What these options say, taken out of all that a command was given."""
    return {name: options.pop(name) for name in names if name in options}
