from __future__ import annotations

import pytest

from foldwise.cli.main import main


@pytest.fixture
def refused(capsys):
    """Call the command, which must refuse in one sentence; returns it."""

    def call(*words):
        with pytest.raises(SystemExit) as left:
            main(["judge", *map(str, words)])
        out, err = capsys.readouterr()
        assert (left.value.code, out) == (2, "")
        assert len(err.strip().splitlines()) == 1
        assert "Traceback" not in err
        return err

    return call
