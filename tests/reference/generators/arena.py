"""Write arena-rank's ratings of the votes of tests/inference/test_votes.py, `votes_by_formula`.

It pins versions of its own, so it has an environment of its own; from the repository's root:

    python -m venv /tmp/arena && /tmp/arena/bin/pip install arena-rank==0.1.1
    /tmp/arena/bin/python tests/reference/generators/arena.py > tests/reference/arena.tsv
"""

import sys
from importlib.metadata import version

import jax.numpy as jnp
import numpy as np
import pandas as pd
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset

r = np.arange(240)
a = r % 4
b = (a + 1 + r // 4 % 3) % 4
score = (r**2 + 5 * r) % 19 + 2 * (b - a)
winner = np.where(score > 10, "model_a", np.where(score > 7, "tie", "model_b"))
votes = pd.DataFrame({"model_a": a.astype(str), "model_b": b.astype(str), "winner": winner})

print(f"# arena-rank {version('arena-rank')}, jax {version('jax')}, Python {sys.version.split()[0]}")
for part, some in (("decided", votes[votes.winner != "tie"]), ("all", votes)):
    data = PairDataset.from_pandas(some)
    # ratings as log-strengths around 0, and with next to no ridge
    model = BradleyTerry(
        len(data.competitors), scale=1.0, base=float(np.e), init_rating=0.0, hessian_reg=1e-7, ftol=1e-16, gtol=1e-13
    )
    found = model.compute_ratings_and_cis(data)
    ratings = jnp.asarray(found["ratings"])
    for i, value in enumerate(ratings - ratings.mean()):
        print(f"{part}.strengths[{i}]\t{float(value):.17g}")
    for i, value in enumerate(found["variances"]):
        print(f"{part}.variances[{i}]\t{float(value):.17g}")
