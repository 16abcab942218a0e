"""Writes tests/reference/harnesses/promptfoo with the real promptfoo, version 0.121.20 on Node 20.

    npm install promptfoo@0.121.20
    python promptfoo_log.py OUT node_modules/.bin/promptfoo

Two providers that know some of twelve sums, each asked twice; one of them ends in an error once.
"""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

GUESSER = """
class Guesser {
  constructor(options) { this.every = options.config.every; }
  id() { return 'guesser'; }
  async callApi(prompt, context) {
    const n = Number(context.vars.n);
    if (n === 7 && this.every === 3) return { error: 'no answer in time' };
    return { output: n % this.every ? String(2 * n) : 'unsure' };
  }
}
module.exports = Guesser;
"""


def test(n):
    exact = {"type": "equals", "value": str(2 * n), "metric": "exact"}
    return {"description": f"sum {n}", "vars": {"n": n}, "assert": [exact]}


def main(out, promptfoo):
    (out / "guesser.js").write_text(GUESSER)
    models = {"alpha": 5, "beta": 3}
    config = {
        "description": "sums",
        "prompts": ["What is {{n}} + {{n}}?"],
        "providers": [{"id": "file://guesser.js", "label": name, "config": {"every": n}} for name, n in models.items()],
        "tests": [test(n) for n in range(1, 13)],
    }
    (out / "promptfooconfig.json").write_text(json.dumps(config))
    quiet = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_CONFIG_DIR": str(out / "own"),
    }
    words = ["eval", "-c", "promptfooconfig.json", "-o", "out.json", "--no-cache", "--no-table", "--repeat", "2"]
    subprocess.run([promptfoo, *words], cwd=out, env=os.environ | quiet, check=False)  # 100 where a test failed
    (out / "out.json.gz").write_bytes(gzip.compress((out / "out.json").read_bytes(), 9, mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), str(Path(sys.argv[2]).resolve()))
