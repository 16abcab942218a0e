#!/usr/bin/env bash
# Ask the gate with the inputs of the action, which are in the environment; ends with the gate's exit code.
set -uo pipefail

beside=${REPORT%.html}
options=(--candidate "$CANDIDATE" --baseline "$BASELINE"
    --html "$REPORT" "--json=$beside.json" "--markdown=$beside.md")
[ -z "${MARGIN:-}" ] || options+=(--margin "$MARGIN")
[ -z "${TASK_MARGIN:-}" ] || options+=(--task-margin "$TASK_MARGIN")
[ -z "${HISTORY:-}" ] || options+=(--history "$HISTORY")
while IFS= read -r line; do [ -z "$line" ] || options+=(--fail-if "$line"); done <<<"${FAIL_IF:-}"

# as a shell would split them, without anything else that a shell does
further=$(python -c 'import os, shlex; print("\n".join(shlex.split(os.environ.get("ARGUMENTS", ""))))') || exit 2
while IFS= read -r line; do [ -z "$line" ] || options+=("$line"); done <<<"$further"

paths=()
while IFS= read -r line; do [ -z "$line" ] || paths+=("$line"); done <<<"${PATHS:-}"

python -m foldwise gate "${options[@]}" -- ${paths[@]+"${paths[@]}"}
code=$?
if [ "$code" -eq 3 ] && [ "${INCONCLUSIVE:-fail}" = pass ]; then
    code=0
fi
exit "$code"
