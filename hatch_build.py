"""What a package index shows: the project's addresses, and README with links that work there.

The public address stands in pyproject.toml alone (`tool.hatch.metadata.hooks.custom.repository`). As long as there is
none, README's links to files of the repository become plain words, so that no reader meets a broken one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"\[(?P<words>[^\]]+)\]\((?!https?:|#)(?P<path>[^)]+)\)")
"""A link of Markdown to a file of the repository."""
PAGES = {"Documentation": "docs/index.md", "Changelog": "CHANGELOG.md", "Security": "SECURITY.md"}


class CustomMetadataHook(MetadataHookInterface):
    """Fills in the dynamic fields `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set both."""
        repository = self.config.get("repository", "")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_the_index(text, repository)}
        metadata["urls"] = addresses(repository)


def for_the_index(text: str, repository: str) -> str:
    """README with links to files made absolute, or without them where the repository has no public address."""
    return LINK.sub(rf"[\g<words>]({repository}/blob/main/\g<path>)" if repository else r"\g<words>", text)


def addresses(repository: str) -> dict[str, str]:
    """The project's links beside its description; none where the repository has no public address."""
    if not repository:
        return {}
    pages = {name: f"{repository}/blob/main/{page}" for name, page in PAGES.items()}
    return {"Repository": repository, "Issues": f"{repository}/issues", **pages}
