"""instability: the stability meter against its formula, and what it must not depend on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from foldwise.core.errors import InvalidInput
from foldwise.inference import instability

tables = hnp.arrays(float, st.tuples(st.integers(2, 5), st.integers(1, 8)), elements=st.integers(-1, 1).map(float))


@settings(max_examples=25)
@given(d=tables)
def test_it_is_the_formula_written_out_whatever_the_order(d):
    found = instability(d)
    within = np.mean([np.var(d[:, i], ddof=1) for i in range(d.shape[1])])
    assert found == pytest.approx(within / np.var(d) if np.var(d) else 0.0)
    assert instability(-d) == found
    assert instability(d[::-1, ::-1]) == pytest.approx(found)
    assert instability(np.stack([d, d])) == pytest.approx([found, found])


def test_from_nothing_to_all():
    same = np.tile([1.0, 0, 0, -1], (3, 1))
    assert instability(same) == 0
    assert instability(np.zeros((3, 4))) == 0
    noise = np.random.default_rng(0).normal(size=(10, 3000))
    assert instability(noise) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize(("d", "message"), [
    (np.zeros((1, 4)), "at least 2 runs"),
    (np.zeros(4), "must have at least 2 axes"),
    ([[np.nan, 1], [0, 1]], "must be finite"),
])  # fmt: skip
def test_bad_input_is_one_sentence(d, message):
    with pytest.raises(InvalidInput, match=message):
        instability(d)
