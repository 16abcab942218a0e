from __future__ import annotations

import pytest

from foldwise.core.kernels import PATIENCE


@pytest.fixture(autouse=True, scope="module")
def kernels():
    """Here the kernels are tested; what does without them is compared with them in `test_plain.py`."""
    before, PATIENCE.seconds = PATIENCE.seconds, 0.0
    yield
    PATIENCE.seconds = before
