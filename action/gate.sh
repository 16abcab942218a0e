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

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
python -m foldwise gate "${options[@]}" -- ${paths[@]+"${paths[@]}"} 2>"$errors"
code=$?
cat "$errors" >&2
case $code in 0 | 1 | 3) ;; *)
    # so that the comment of an earlier run does not go on saying that the gate passed
    printf '### The gate could not be judged\n\n```text\n%s\n```\n' \
        "$(tail -c 2000 "$errors" | iconv -c -f utf-8 -t utf-8 | tr '`' "'")" >"$beside.md"
    ;;
esac
if [ "$code" -eq 3 ] && [ "${INCONCLUSIVE:-fail}" = pass ]; then
    code=0
fi
exit "$code"
