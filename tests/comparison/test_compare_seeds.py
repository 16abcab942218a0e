from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from verb_options import with_options

import foldwise as fw
from foldwise.core.errors import InvalidInput, UnknownName
from foldwise.evidence.seed_marks import SeedMarks
from foldwise.inference import crossed

NAN = float("nan")


def trained(rng, seeds=5, items=60, gain=0.0, of_seeds=0.03):
    """Marks of two models on the same items."""
    item = rng.normal(0.6, 0.2, (1, items))
    a = item + gain + rng.normal(0, 0.1, (1, items)) + rng.normal(0, of_seeds, (seeds, 1))
    b = item + rng.normal(0, of_seeds, (seeds, 1))
    return a + rng.normal(0, 0.1, a.shape), b + rng.normal(0, 0.1, a.shape)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=15)
def test_everything_comes_from_one_distribution_and_mirrors(seed, paired):
    a, b = trained(np.random.default_rng(seed))
    c, back = (
        fw.compare_predictions(None, {"a": a, "b": b}, options=fw.Options(seeds="paired" if paired else "unpaired")),
        fw.compare_predictions(None, {"a": b, "b": a}, options=fw.Options(seeds="paired" if paired else "unpaired")),
    )
    law = stats.t(c.df, c.estimate, c.variance.standard_error)
    assert (c.interval.low, c.interval.high) == pytest.approx(law.interval(0.95))
    assert c.rope_probabilities.a_better == pytest.approx(law.sf(0.01))
    assert c.pvalue == pytest.approx(2 * min(law.cdf(0), law.sf(0)))
    assert (back.estimate, back.pvalue) == pytest.approx((-c.estimate, c.pvalue))
    assert back.rope_probabilities.b_better == pytest.approx(c.rope_probabilities.a_better)


def test_the_components_say_what_more_would_buy():
    a, b = trained(np.random.default_rng(0))
    c = fw.compare_predictions(None, {"a": a, "b": b}, options=fw.Options(seeds="paired"))
    squares = crossed(a - b).squares
    assert [source.name for source in c.variance.sources] == ["seeds", "items", "seeds with items"]
    assert [source.variance for source in c.variance.sources] == pytest.approx(
        [squares.seed_variance, squares.item_variance, squares.rest]
    )
    assert sum(source.adds for source in c.variance.sources) == pytest.approx(c.variance.standard_error**2)
    twice = squares.seed_variance / 10 + squares.item_variance / 60 + squares.rest / 600
    assert c.variance.with_more(seeds=2) == pytest.approx(np.sqrt(twice))
    assert [row["more"] for row in c.to_dict()["variance"]["outlook"]] == ["seeds", "seeds", "items", "items"]


def test_seeds_that_differ_are_no_difference_of_the_models():
    # three seeds of each, of which a's were lucky: over items alone that is a sure difference
    a, b = trained(np.random.default_rng(1), seeds=3, items=400, gain=0.0, of_seeds=0.04)
    lucky = a + 0.05 - (a - b).mean()
    assert fw.compare_predictions(None, {"a": lucky.mean(axis=0), "b": b.mean(axis=0)}).better == "a"
    c = fw.compare_predictions(None, {"a": lucky, "b": b}, options=fw.Options(seeds="paired"))
    assert (c.test, c.better) == ("crossed", None)
    assert any("3 seeds say little about how much seeds vary" in caveat for caveat in c.caveats)


def test_unpaired_seeds_may_be_unequally_many():
    a, b = trained(np.random.default_rng(2), gain=0.2)
    c = fw.compare_predictions(None, {"x": a[:3], "y": b}, options=fw.Options(seeds="unpaired"))
    assert (c.test, c.better, c.design) == ("unpaired_seeds", "x", "3 and 5 seeds × 60 items")
    assert len(c.to_frame("evidence")) == 8 * 60
    assert list(c.to_frame("evidence").columns) == ["model", "seed", "item", "mark"]
    with pytest.raises(InvalidInput, match=r"test 'crossed' needs .* with the same seeds, got 3 and 5 seeds"):
        fw.compare_predictions(None, {"a": a[:3], "b": b}, options=fw.Options(seeds="unpaired"), test="crossed")


def test_a_margin_is_answered():
    a, b = trained(np.random.default_rng(4), gain=0.2)
    assert (
        fw.compare_predictions(None, {"a": a, "b": b}, options=fw.Options(seeds="paired"), margin=0.05).conclusion
        == "superior"
    )
    assert (
        fw.compare_predictions(None, {"a": b, "b": a}, margin=0.05, options=fw.Options(seeds="unpaired")).conclusion
        == "inferior"
    )


def test_the_answer_draws_every_training():
    a, b = trained(np.random.default_rng(3))
    c = fw.compare_predictions(None, {"wide": a, "narrow": b}, options=fw.Options(seeds="paired"), metric="accuracy")
    axes = c.plot("seeds").axes[0]
    assert [len(dots.get_offsets()) for dots in axes.collections[::2]] == [5, 5]
    assert c.evidence.table().rows[0][0] == "1"
    assert len(c.to_frame("evidence")) == 300
    assert "trained anew" in c.estimand
    assert c.guarantee.startswith("approximate; measured Type I error at most")


def test_equal_trainings_can_tell_nothing():
    marks = np.ones((3, 5))
    c = fw.compare_predictions(None, {"a": marks, "b": marks}, options=fw.Options(seeds="paired"))
    assert (c.pvalue, c.better, c.interval, c.rope_probabilities, c.variance) == (1.0, None, None, None, None)
    constant = fw.compare_predictions(None, {"a": marks, "b": marks - 0.5}, options=fw.Options(seeds="unpaired"))
    assert (constant.pvalue, constant.better, constant.interval) == (1.0, None, None)
    assert any("spread is unknown" in caveat for caveat in constant.caveats)


@pytest.mark.parametrize(("policy", "items"), [("drop", 2), ("worst", 3)])
def test_missing_marks_are_dropped_by_item_or_the_worst(policy, items):
    built = SeedMarks.build({"a": [[1, NAN, 0], [1, 1, 0]], "b": [[1, 0, 0], [0, 1, 1]]}, missing=policy)
    assert (built.items, built.missing.counts[0], built.missing.items) == (items, 1, 3 - items)


@pytest.mark.parametrize(("a", "b", "options", "message"), [
    ([1, 0], [1, 0], {}, r"outputs\['a'\] must have shape \(seeds, items\), got \(2,\)"),
    ([[1, 0]], [[1, 0]], {},
     r"outputs\['a'\] must have at least 2 seeds, got 1: one training .* compare_predictions without seeds"),
    ([[1], [0]], [[1], [0]], {}, r"outputs\['a'\] must have at least 2 items, got 1"),
    ([[1, 0], [1, 1]], [[1, 0, 1], [1, 1, 1]], {},
     r"outputs\['b'\] must have as many items as outputs\['a'\] \(2\), got 3"),
    ([[1, 0], [1, 1]], [[1, 0]] * 3, {}, r"as outputs\['a'\] \(2\) where seeds are paired, got 3: .*paired=False"),
    ([[1, NAN], [1, 1]], [[1, 0], [1, 1]], {},
     r"outputs\['a'\]\[0, 1\] is missing \(in all: outputs\['a'\] 1, outputs\['b'\] 0\)"),
    ([[1, NAN], [1, 1]], [[1, 0], [1, 1]], {"missing": "drop"}, "at least 2 items without missing marks, got 1"),
    ([["A", "B"], ["A", "B"]], [[1, 0], [1, 1]], {}, r"outputs\['a'\]\[0, 0\] is A"),
    ([[1, 0], [1, 1]], [[1, 0], [1, 1]], {"seeds": "yes"}, "unknown seeds 'yes'"),
])  # fmt: skip
def test_bad_marks_are_refused_in_a_sentence(a, b, options, message):
    with pytest.raises(InvalidInput, match=message):
        fw.compare_predictions(None, {"a": a, "b": b}, **with_options({"seeds": "paired", **options}))


def test_an_unknown_policy_is_refused():
    with pytest.raises(UnknownName, match="drop"):
        fw.compare_predictions(
            None, {"a": [[1, 0]] * 2, "b": [[1, 0]] * 2}, options=fw.Options(seeds="paired"), missing="away"
        )
