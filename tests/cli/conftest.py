from __future__ import annotations

import pytest

from foldwise.cli.main import main


@pytest.fixture
def run(capsys):
    """Call the command line; returns (exit code, stdout, stderr)."""

    def call(*args):
        code = 0
        try:
            main([str(arg) for arg in args])
        except SystemExit as left:
            code = left.code
        out, err = capsys.readouterr()
        return code, out, err

    return call
