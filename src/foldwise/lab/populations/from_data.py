"""What the populations that are made from a data set share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from foldwise.core.decisions import Decision
from foldwise.core.digest import array_digest, digest
from foldwise.core.errors import InvalidInput
from foldwise.lab.populations.population import Sample, Source

if TYPE_CHECKING:
    from foldwise.data import Dataset

__all__ = ["FromData"]


@dataclass(frozen=True, kw_only=True, repr=False)
class FromData(Source):
    """A population made from a data set.

    Attributes
    ----------
    data
        Name or path of the data set, a `Dataset`, or a pair (X, y).
    data_dir
        Folder to look in; None for the environment's.
    target
        The class column, where it has to be said.
    keep
        Columns that stay although they look like identifiers or dates, as in `foldwise.load`.
    """

    data: Any
    data_dir: str | None = None
    target: str | None = None
    keep: tuple[str, ...] = ()

    name: ClassVar[str] = "data"

    @cached_property
    def whole(self) -> Sample:
        """The whole data set; classes are numbered as they are declared."""
        return self._read[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """Which columns were left out."""
        return tuple(map(str, self._read[1]))

    @cached_property
    def _read(self) -> tuple[Sample, tuple[Decision, ...]]:
        if isinstance(self.data, tuple):
            return _from_arrays(self.data, self.keep)
        dataset = self._dataset()
        if dataset.classes is None:
            raise InvalidInput(
                f"population '{self.name}' needs a data set with classes, but {dataset.name!r} has a numeric target"
            )
        codes = {label: code for code, label in enumerate(dataset.classes)}
        y = np.array([codes[label] for label in dataset.y.tolist()], dtype=np.int64)
        return Sample(X=dataset.X, y=y), dataset.decisions

    @property
    def size(self) -> int:
        """Number of examples in the whole data set."""
        return len(self.whole.y)

    @property
    def classes(self) -> int:
        """Number of classes that occur in the data set."""
        return len(np.unique(self.whole.y))

    @property
    def content(self) -> str:
        """Digest of the data, so that a store never mixes two files of one name."""
        return digest([array_digest(self.whole.X.values), array_digest(self.whole.y), self.whole.X.categories])

    @property
    def title(self) -> str:
        """What to call the data set."""
        return str(self.data) if isinstance(self.data, (str, Path)) else str(getattr(self.data, "name", "data"))

    def _dataset(self) -> Dataset:
        from foldwise.data import Dataset, load

        if isinstance(self.data, Dataset):
            if self.keep:
                raise InvalidInput(f"keep must be given to load where data is a data set, got {self.keep!r}")
            return self.data
        return load(self.data, data_dir=self.data_dir, target=self.target, keep=self.keep)

    def __repr__(self) -> str:
        where = "" if self.data_dir is None else f", data_dir={self.data_dir!r}"
        what = "" if self.target is None else f", target={self.target!r}"
        kept = f", keep={self.keep!r}" if self.keep else ""
        return f"{type(self).__name__}(data={self.title!r}{where}{what}{kept})"

    def __getstate__(self) -> dict[str, object]:
        """Workers load a named data set themselves rather than receive it with every task."""
        return {"data": self.data, "data_dir": self.data_dir, "target": self.target, "keep": self.keep}


def _from_arrays(pair: tuple[object, ...], keep: Sequence[str]) -> tuple[Sample, tuple[Decision, ...]]:
    from foldwise.core.tables import as_table
    from foldwise.engine.attributes import choose_attributes
    from foldwise.engine.examples import as_attributes

    if len(pair) != 2:
        raise InvalidInput(f"data must be a name, a path, a Dataset or a pair (X, y), got {len(pair)} things")
    chosen = choose_attributes(as_attributes(pair[0]), {}, keep)
    table, labels = as_table(chosen.X) if chosen.table is None else chosen.table, np.asarray(pair[1])
    if labels.shape != (len(table),):
        raise InvalidInput(f"y must have one label for each of the {len(table)} rows of X, got shape {labels.shape}")
    return Sample(X=table, y=np.unique(labels, return_inverse=True)[1].astype(np.int64)), chosen.decisions
