"""Writes one of the logs in tests/reference/harnesses/deepeval with the real DeepEval, version 4.3.1.

    pip install deepeval==4.3.1
    python deepeval_runs.py OUT alpha 5
    python deepeval_runs.py OUT beta 3

A model that fails at every so many of twelve sums, and an own metric that ends in an error at one of them.
"""

import os
import sys

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_RESULTS_FOLDER": sys.argv[1]}
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase


class ExactMatch(BaseMetric):
    """1 where the answer is the expected one."""

    threshold, async_mode, strict_mode, verbose_mode, include_reason = 0.5, False, False, False, False
    error = reason = evaluation_model = evaluation_cost = None

    def measure(self, case, *_, **__):
        if case.actual_output == "crash":
            raise ValueError("no answer")
        self.score = float(case.actual_output == case.expected_output)
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, case, *_, **__):
        return self.measure(case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Exact match"


def answer(n, every):
    return str(2 * n) if n % every else "crash" if n == 2 * every else "unsure"


def main(model, every):
    cases = [
        LLMTestCase(
            name=f"sum-{n}", input=f"What is {n} + {n}?", actual_output=answer(n, every), expected_output=str(2 * n)
        )
        for n in range(1, 13)
    ]
    evaluate(
        cases,
        [ExactMatch()],
        async_config=AsyncConfig(run_async=False),
        display_config=DisplayConfig(show_indicator=False, print_results=False),
        cache_config=CacheConfig(write_cache=False),
        error_config=ErrorConfig(ignore_errors=True),
        hyperparameters={"model": model},
    )


if __name__ == "__main__":
    main(sys.argv[2], int(sys.argv[3]))
