"""The names that users and other code rely on; a change here is a change of the public surface."""

from __future__ import annotations

import subprocess
import sys

import foldwise as fw

PUBLIC = {
    "Comparison", "Dataset", "ErrorEstimate", "FoldwiseError", "InvalidInput", "ManyComparison", "ScoreTable",
    "compare", "compare_many", "compare_marks", "compare_on_data_sets", "compare_predictions", "compare_scores",
    "estimate_error", "advise", "inference", "lab", "load", "plan",
}  # fmt: skip

PROCEDURES = {
    "mcnemar", "difference_of_proportions", "resampled_t", "kfold_cv_t", "corrected_resampled_t",
    "corrected_repeated_cv_t", "five_by_two_cv_t", "five_by_two_cv_f", "repeated_cv_test", "error_interval",
    "two_rates", "replicability", "friedman", "iman_davenport", "friedman_aligned", "quade", "nemenyi",
    "wilcoxon_signed_rank", "sign_test", "adjust", "shaffer", "bergmann_hommel",
}  # fmt: skip

HEAVY = ("numpy", "scipy", "sklearn", "pandas", "matplotlib", "numba", "distributed", "rich", "jinja2")


def loaded_by(code):
    """The heavy packages that a fresh process has loaded after this code."""
    check = f"{code}\nimport sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", check], env=environment, capture_output=True, text=True, check=True)
    return eval(done.stdout.splitlines()[-1])


def test_the_public_names_are_these_and_all_can_be_loaded():
    assert {name for name in fw.__all__ if not name.startswith("_")} >= PUBLIC
    assert all(getattr(fw, name) is not None for name in fw.__all__)
    assert set(dir(fw)) >= PUBLIC


def test_the_procedures_have_their_names():
    assert set(fw.inference.__all__) >= PROCEDURES


def test_importing_foldwise_loads_nothing_heavy():
    assert loaded_by("import foldwise") == []


def test_the_inference_room_needs_numpy_and_scipy_only():
    assert loaded_by("import foldwise.inference") == ["numpy", "scipy"]


def test_help_loads_nothing_heavy():
    code = "import sys, foldwise.cli.main as m\ntry:\n    m.main(['--help'])\nexcept SystemExit:\n    pass"
    assert loaded_by(code) == []


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(fw, "no_such_name")
