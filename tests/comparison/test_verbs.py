"""What all verbs have in common: names of parameters, the options object, random_state, and shapes."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest

import foldwise as fw
from foldwise.core.errors import InvalidInput

VERBS = (
    fw.compare, fw.compare_predictions, fw.compare_scores, fw.compare_table, fw.compare_votes, fw.judge,
    fw.estimate_error,
)  # fmt: skip
OLD = {"scoring", "seed", "y_true", "posthoc", "group", "clusters", "learners", "datasets", "scores_a", "scores_b"}
RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(0.8 + 0.03 * place, 0.02, (3, 5)) for place, name in enumerate("xyz")}


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.__name__)
def test_names_are_the_same_everywhere_and_few(verb):
    names = inspect.signature(verb).parameters
    assert not set(names) & OLD
    assert len([one for one in names.values() if one.kind is one.KEYWORD_ONLY]) <= 16


def test_options_are_refused_where_they_mean_nothing():
    with pytest.raises(InvalidInput, match=r"options of compare_scores are control, .*bounds; max_runs is none of"):
        fw.compare_scores(SCORES, options=fw.Options(max_runs=5))
    with pytest.raises(InvalidInput, match=r"options must be fw.Options\(control=…\), got {'unit': 'percent'}"):
        fw.compare_scores(SCORES, options={"unit": "percent"})
    assert repr(fw.Options(max_runs=5, keep=["id"])) == "Options(keep=['id'], max_runs=5)"


def test_an_option_among_the_parameters_gets_the_right_call():
    with pytest.raises(InvalidInput, match=r"control is one of the options: judge\(…, options=fw.Options\(control"):
        fw.judge("scores.csv", control="x")
    for verb in (fw.compare, fw.compare_scores, fw.compare_table, fw.compare_votes):
        with pytest.raises(InvalidInput, match=rf"adjust is one of the options: {verb.__name__}\(…, options="):
            verb(SCORES, adjust="max_t")
    with pytest.raises(InvalidInput, match=r"seeds is one of the options: compare_predictions\(…, options="):
        fw.compare_predictions(None, SCORES, seeds="paired")
    with pytest.raises(InvalidInput, match="store is one of the options: estimate_error"):
        fw.estimate_error("nb", [[0], [1]], [0, 1], store="x.sqlite")
    with pytest.raises(TypeError, match=r"compare_scores\(\) got an unexpected keyword argument 'colour'"):
        fw.compare_scores(SCORES, colour="red")


def test_scores_of_three_models_are_those_of_each_pair():
    several = fw.compare_scores(SCORES, n_train=80, n_test=20)
    assert several.models == ("x", "y", "z")
    for pair in several.pairs:
        alone = fw.compare_scores({name: SCORES[name] for name in (pair.a, pair.b)}, n_train=80, n_test=20)
        assert (pair.estimate, pair.pvalue) == (pytest.approx(alone.estimate), pytest.approx(alone.pvalue))
    of_two = fw.compare_scores(SCORES, candidate="z", baseline="x", n_train=80, n_test=20)
    assert (of_two.pairs[0].a, of_two.pairs[0].b, len(of_two.pairs)) == ("z", "x", 1)


def test_a_list_of_scores_has_models_by_letters():
    assert fw.compare_scores(list(SCORES.values())).models == ("a", "b", "c")


@pytest.mark.parametrize("scores", [[0.1, 0.2, 0.3], np.ones((2, 3, 4)), "ab", [SCORES["x"]]])
def test_another_shape_gets_the_sentence_that_shows_the_call(scores):
    with pytest.raises(
        InvalidInput, match=r'scores must be a dict, a frame or a list .* compare_scores\({"a": a, "b": b}'
    ):
        fw.compare_scores(scores)
    with pytest.raises(InvalidInput, match=r'compare_scores\({"a": a, "b": b}'):
        fw.compare_scores(SCORES["x"], SCORES["y"])


def test_random_state_is_a_seed_a_generator_or_none():
    def seed(random_state):
        return fw.compare_scores(SCORES, random_state=random_state).to_dict()["settings"]["seed"]

    assert seed(3) == 3
    assert seed(np.random.default_rng(1)) == seed(np.random.default_rng(1)) != seed(np.random.default_rng(2))
    assert seed(None) != seed(None)
    with pytest.raises(InvalidInput, match="random_state must be a whole number of at least 0, a NumPy Generator or"):
        seed("three")


def test_a_dict_a_frame_and_a_list_of_models_are_the_same():
    rng = np.random.default_rng(3)
    truth, given = rng.integers(0, 2, 60), dict(zip("ab", rng.integers(0, 2, (2, 60)), strict=True))
    shapes = [given, pd.DataFrame(given), pl.DataFrame(given), [*given.values()]]
    assert len({fw.compare_predictions(truth, shape).pvalue for shape in shapes}) == 1
    scores = dict(zip("ab", rng.random((2, 10)), strict=True))
    found = [fw.compare_scores(shape) for shape in (scores, pd.DataFrame(scores), [*scores.values()])]
    assert {(one.models, one.pvalue) for one in found} == {(("a", "b"), found[0].pvalue)}
    with pytest.raises(InvalidInput, match="index of truth in another order"):
        fw.compare_predictions(pd.Series(truth), pd.DataFrame(given).sample(frac=1, random_state=1))
