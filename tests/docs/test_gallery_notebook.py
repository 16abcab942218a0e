"""The notebook of the gallery runs from top to bottom in a real kernel, and shows what it promises."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="notebooks need nbclient and ipykernel, of the extra 'test'")
nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient and ipykernel, of the extra 'test'")
pytest.importorskip("ipykernel", reason="notebooks need nbclient and ipykernel, of the extra 'test'")

GALLERY = Path(__file__).parents[2] / "examples" / "gallery.ipynb"
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]  # of Jupyter's packages


class Watched(nbclient.NotebookClient):
    """Keeps what the front end was asked to show meanwhile."""

    def process_message(self, msg, cell, cell_index):
        if msg["msg_type"] in ("display_data", "update_display_data"):
            self.resources.setdefault("shown", []).append(msg["content"]["data"])
        return super().process_message(msg, cell, cell_index)


@pytest.fixture(scope="module")
def played():
    """The notebook with its outputs, and what was shown while cells ran."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        patch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
        notebook = nbformat.read(GALLERY, as_version=4)
        client = Watched(notebook, timeout=300, resources={"metadata": {"path": str(GALLERY.parent)}})
        client.execute()
    return notebook, client.resources["shown"]


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_it_runs_and_shows_answers_in_tabs(played):
    notebook, _ = played
    assert not [one for one in outputs(notebook) if one.output_type == "error" or one.get("name") == "stderr"]
    views = [
        one.data["text/html"] for one in outputs(notebook) if 'name="part"' in one.get("data", {}).get("text/html", "")
    ]
    assert [re.findall(r'name="part" value="(\w+)"', view) for view in views] == [
        ["answer", "plots", "details", "methods"],
        ["answer", "plots", "details", "methods"],
        ["answer", "pairs", "plots", "details", "methods"],
        ["answer", "methods"],
    ]
    assert any("image/png" in one.get("data", {}) for one in outputs(notebook))


def test_progress_is_one_line_that_moves_and_is_gone_in_the_end(played):
    notebook, shown = played
    told = [one["text/plain"] for one in shown]
    counts = [int(found[1]) for one in told if (found := re.match(r"fits.*: (\d+) of 200", one))]
    assert counts[0] == 0
    assert len(counts) > 1
    assert counts == sorted(counts)
    assert told[-1] == ""
    left = [one.data for one in outputs(notebook) if one.output_type == "display_data"]
    assert left == [{"text/plain": "", "text/html": ""}]


def test_it_is_kept_without_outputs():
    """They would have to be made anew with every word that changes."""
    assert outputs(nbformat.read(GALLERY, as_version=4)) == []
