"""Writes the logs in tests/reference/harnesses/lm_eval with the real lm-evaluation-harness, version 0.4.13.

    pip install lm-eval==0.4.13 torch
    python lm_eval_logs.py OUT

Two models that know the answer with some probability. The tasks are local: one of multiple choice with passages, one
of free answers with two filters. Prompts are short, so that the files stay small.
"""

import json
import os
import random
import sys
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
from lm_eval import evaluator, tasks, utils
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker

CHOICE = """
task: ferry_choice
dataset_path: json
dataset_kwargs: {data_files: {test: %s}}
test_split: test
output_type: multiple_choice
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
doc_to_choice: "{{choices}}"
metric_list:
  - {metric: acc, aggregation: mean, higher_is_better: true}
  - {metric: acc_norm, aggregation: mean, higher_is_better: true}
metadata: {version: 1.0}
"""
FREE = """
task: sums_free
dataset_path: json
dataset_kwargs: {data_files: {test: %s}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\\n"], do_sample: false}
metric_list:
  - {metric: exact_match, aggregation: mean, higher_is_better: true}
filter_list:
  - {name: strict-match, filter: [{function: regex, regex_pattern: "#### ([0-9]+)"}, {function: take_first}]}
  - name: flexible-extract
    filter: [{function: regex, group_select: -1, regex_pattern: "([0-9]+)"}, {function: take_first}]
metadata: {version: 2.0}
"""


class Guesser(LM):
    """Knows the answer with a given probability, else guesses."""

    def __init__(self, skill, seed):
        super().__init__()
        self.skill, self.random = skill, random.Random(seed)

    def loglikelihood(self, requests):
        out, at = [], 0
        while at < len(requests):
            right = int(requests[at].doc["answer"])
            n = len(requests[at].doc["choices"])
            pick = right if self.random.random() < self.skill else self.random.randrange(n)
            out += [(-1.0 - 3 * (i != pick) - self.random.random(), i == pick) for i in range(n)]
            at += n
        return out

    def generate_until(self, requests):
        return [self._free(request.doc["answer"]) for request in requests]

    def _free(self, answer):
        if self.random.random() < self.skill:
            return f"#### {answer}" if self.random.random() < 0.8 else f"it is {answer}"
        return "#### 0"

    def loglikelihood_rolling(self, requests):
        raise NotImplementedError


def write(folder: Path) -> None:
    rng = random.Random(0)
    choice = [
        {"question": f"Q{i}?", "choices": ["fog", "fuel", "fire"], "answer": rng.randrange(3), "passage": f"p{i // 4}"}
        for i in range(40)
    ]
    free = [{"question": f"{i} + {i % 7} =", "answer": str(i + i % 7)} for i in range(30)]
    own = folder / "tasks"
    own.mkdir(parents=True)
    for name, rows, yaml in (("ferry_choice", choice, CHOICE), ("sums_free", free, FREE)):
        data = own / f"{name}.json"
        data.write_text("\n".join(map(json.dumps, rows)))
        (own / f"{name}.yaml").write_text(yaml % data)
    for model, skill, seed in (("acme/alpha-7b", 0.8, 1), ("acme/beta-7b", 0.4, 2)):
        tracker = EvaluationTracker(output_path=str(folder))
        tracker.general_config_tracker.model_source = "guesser"
        tracker.general_config_tracker.model_name = model
        tracker.general_config_tracker.model_name_sanitized = utils.sanitize_model_name(model)
        found = evaluator.simple_evaluate(
            model=Guesser(skill, seed),
            tasks=["ferry_choice", "sums_free"],
            task_manager=tasks.TaskManager(include_path=str(own), include_defaults=False),
            log_samples=True,
            bootstrap_iters=10,
        )
        samples = found.pop("samples")
        for private in ("pretty_env_info", "upper_git_hash"):  # what belongs to the machine, not to the format
            found.pop(private, None)
        tracker.save_results_aggregated(results=found, samples=samples)
        for task in found["configs"]:
            tracker.save_results_samples(task_name=task, samples=samples[task])


if __name__ == "__main__":
    write(Path(sys.argv[1]))
