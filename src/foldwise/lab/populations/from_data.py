"""What the populations that are made from a data set share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

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
    """

    data: Any
    data_dir: str | None = None
    target: str | None = None

    name: ClassVar[str] = "data"

    @cached_property
    def whole(self) -> Sample:
        """The whole data set; classes are numbered as they are declared."""
        if isinstance(self.data, tuple):
            return _from_arrays(self.data)
        dataset = self._dataset()
        if dataset.classes is None:
            raise InvalidInput(
                f"population '{self.name}' needs a data set with classes, but {dataset.name!r} has a numeric target"
            )
        codes = {label: code for code, label in enumerate(dataset.classes)}
        return Sample(X=dataset.X, y=np.array([codes[label] for label in dataset.y.tolist()], dtype=np.int64))

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
            return self.data
        return load(self.data, data_dir=self.data_dir, target=self.target)

    def __repr__(self) -> str:
        where = "" if self.data_dir is None else f", data_dir={self.data_dir!r}"
        what = "" if self.target is None else f", target={self.target!r}"
        return f"{type(self).__name__}(data={self.title!r}{where}{what})"

    def __getstate__(self) -> dict[str, object]:
        """Workers load a named data set themselves rather than receive it with every task."""
        return {"data": self.data, "data_dir": self.data_dir, "target": self.target}


def _from_arrays(pair: tuple[object, ...]) -> Sample:
    from foldwise.core.tables import as_table

    if len(pair) != 2:
        raise InvalidInput(f"data must be a name, a path, a Dataset or a pair (X, y), got {len(pair)} things")
    table, labels = as_table(pair[0]), np.asarray(pair[1])
    if labels.shape != (len(table),):
        raise InvalidInput(f"y must have one label for each of the {len(table)} rows of X, got shape {labels.shape}")
    return Sample(X=table, y=np.unique(labels, return_inverse=True)[1].astype(np.int64))
