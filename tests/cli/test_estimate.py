from __future__ import annotations

import re


def test_disjoint_training_sets_of_a_size(run):
    code, out, err = run("estimate", "nb", "--data", "breast_cancer", "--method", "delve", "--train-size", "50")
    assert (code, err) == (0, "")
    assert "5 disjoint training sets of 50 examples" in out
    assert "95 % CI" in out
    assert re.search(r"training sets +5\n +train size +50\n", out)
    code, _, err = run("estimate", "nb", "--data", "breast_cancer", "--train-size", "50")
    assert code == 2
    assert "train_size must go with method 'delve'" in err or "--train-size must go with" in err
