from __future__ import annotations

import numpy as np
import pytest

from foldwise.lab.papers import alpaydin1999 as tables
from foldwise.lab.papers.alpaydin1999 import HIDDEN, TABLE_1, TABLE_2, TABLE_3, _rareness


def test_tables_speak_of_the_same_nets():
    nets = {(name, hidden) for name, sizes in HIDDEN.items() for hidden in sizes}
    assert set(TABLE_3) == nets
    assert set(TABLE_2) == nets | {(name, 0) for name in HIDDEN}


def test_every_net_has_its_number_of_steps():
    for name in {*HIDDEN, *TABLE_1}:
        assert set(tables.EPOCHS[name]) == {0, *HIDDEN.get(name, (20,))}


def test_printed_power_follows_the_printed_errors():
    # section 4: F rejects more where the error rates differ much, less where they are similar
    for (name, hidden), (_, _, t, f) in TABLE_3.items():
        gap = float(TABLE_2[name, 0][0]) - float(TABLE_2[name, hidden][0])
        if gap > 2 * float(TABLE_2[name, hidden][1]):
            assert float(f) > float(t)


@pytest.fixture(scope="module")
def iris():
    return tables._start("iris", None, (3,), 0)


def test_a_run_has_five_times_two_errors_of_each_net(iris):
    errors = iris(0)["errors"]
    assert errors.shape == (3, 5, 2)
    assert ((errors >= 0) & (errors < 0.2)).all()
    # errors are counted on 75 examples
    np.testing.assert_allclose(errors * 75, np.round(errors * 75), atol=1e-9)


def test_runs_are_reproducible_and_differ(iris):
    first, again, other = iris(0)["errors"], iris(0)["errors"], iris(1)["errors"]
    assert (first == again).all()
    assert (first != other).any()


def test_two_nets_of_one_size_start_from_different_weights(iris):
    errors = np.array([iris(number)["errors"] for number in range(3)])
    assert (errors[:, 1] != errors[:, 2]).any()


def test_nets_are_tested_on_the_half_they_were_not_trained_on(monkeypatch):
    import foldwise.learners.perceptrons as perceptrons

    seen = []
    whole = perceptrons.train_many

    def train(X, codes, rows, **options):
        nets = whole(X, codes, rows, **options)
        seen.append(rows)
        return nets

    monkeypatch.setattr(perceptrons, "train_many", train)
    tables._start("iris", None, (), 0)(0)
    (trained,) = seen
    for first, second in zip(trained[::2], trained[1::2], strict=True):
        assert sorted([*first, *second]) == list(range(150))


def test_rareness_is_the_share_of_runs_with_an_outcome_at_most_as_frequent():
    steady = np.full((5, 2), 0.1) + np.array([[0.001, -0.001]] * 5)  # all ten statistics reject, and so does F
    noise = np.array([[0.1, -0.1]] * 5)  # none does
    x = np.stack([steady, *[noise] * 9])
    assert _rareness(x, 0, False) == 1.0
    assert _rareness(x, 10, True) == pytest.approx(2 / 11)  # with the printed one that is two of eleven
    assert _rareness(x, 5, True) == pytest.approx(2 / 11)  # it, and the one that is as rare


def test_the_lowest_error_is_that_of_the_best_moment():
    from foldwise.learners.perceptrons import train_many

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(700, 3)), rng.integers(0, 3, 700)
    train, test = np.arange(100), np.arange(100, 700)
    options = {"n_classes": 3, "seeds": [4], "hidden": 3, "learning_rate": 0.1}
    errors = [
        float((train_many(X, y, [train], epochs=e, **options).predict(X, [test])[0] != y[test]).mean())
        for e in range(1, 31)
    ]
    watched = train_many(X, y, [train], epochs=30, tested=[test], **options)
    assert watched.lowest.tolist() == [min(errors)]
    assert (watched.weights == train_many(X, y, [train], epochs=30, **options).weights).all()
    assert train_many(X, y, [train], epochs=30, **options).lowest is None


def test_the_error_of_a_mean_over_cases_counts_the_runs_of_one_data_set_once():
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 4000))
    apart = tables._error_of_mean([("iris", one), ("wine", other)])
    assert apart == pytest.approx(tables.Z * (2 / 4000) ** 0.5 / 2, rel=0.05)
    # the same verdicts twice on one data set tell no more than once
    assert tables._error_of_mean([("iris", one), ("iris", one)]) == pytest.approx(
        tables._error_of_mean([("iris", one)])
    )
