from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldwise.core.errors import InvalidInput
from foldwise.core.named_objects import parse_spec

values = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text("ab ,()='")
)


@given(st.dictionaries(st.sampled_from("abcde"), values))
def test_literals_survive_the_round_trip(parameters):
    text = ", ".join(f"{name}={value!r}" for name, value in parameters.items())
    assert parse_spec(f"thing({text})", "thing") == ("thing", parameters)


@pytest.mark.parametrize("spec", ["nb", " nb ", "nb()"])
def test_a_bare_name_has_no_parameters(spec):
    assert parse_spec(spec, "learner") == ("nb", {})


@pytest.mark.parametrize(("spec", "message"), [
    ("", "must be written name"),
    ("a b", "must be written name"),
    ("nb(3)", "name=value"),
    ("nb(**{})", "name=value"),
    ("nb(k=__import__('os'))", "literal values"),
    ("nb(k=)", "literal values"),
])  # fmt: skip
def test_anything_else_is_refused_and_nothing_is_evaluated(spec, message):
    with pytest.raises(InvalidInput, match=message):
        parse_spec(spec, "learner")
