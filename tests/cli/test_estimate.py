from __future__ import annotations


def test_disjoint_training_sets_of_a_size(run):
    code, out, err = run("estimate", "nb", "--data", "breast_cancer", "--method", "delve", "--train-size", "50")
    assert (code, err) == (0, "")
    assert "5 disjoint training sets of 50 examples" in out
    assert "95 % interval" in out
    code, _, err = run("estimate", "nb", "--data", "breast_cancer", "--train-size", "50")
    assert code == 2
    assert "train_size must go with method 'delve'" in err or "--train-size must go with" in err
