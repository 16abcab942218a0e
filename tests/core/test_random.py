from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.core.random import stream

keys = st.lists(st.text(max_size=5) | st.integers(0, 2**40), max_size=4)


@given(st.integers(0, 2**64), keys)
def test_seed_and_key_determine_the_stream(seed, key):
    assert stream(seed, *key).random() == stream(seed, *key).random()


def test_different_keys_and_seeds_give_different_streams():
    draws = {stream(seed, *key).random() for seed in (0, 1) for key in ((), ("a",), ("b",), ("a", 0), ("a", 1))}
    assert len(draws) == 10


def test_text_keys_do_not_depend_on_the_process():
    # Python's own hash of text does, unless PYTHONHASHSEED is set
    code = "from foldwise.core.random import stream; print(stream(3, 'folds', 7).integers(2**60))"
    environment = {**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": os.pathsep.join(sys.path)}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert int(other.stdout) == stream(3, "folds", 7).integers(2**60)


@pytest.mark.parametrize("seed", [-1, 1.5, "zero", None, True])
def test_bad_seeds_are_named(seed):
    with pytest.raises(InvalidInput, match="seed must be a whole number of at least 0"):
        stream(seed)
