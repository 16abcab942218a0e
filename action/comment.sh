#!/usr/bin/env bash
# Write the answer into one comment of the pull request: made once, then edited. Where that is not allowed (a pull request
# from a fork), the job goes on: its summary has the answer.
set -uo pipefail

summary="${REPORT%.html}.md"
if [ ! -s "$summary" ]; then
    echo "there is no answer to comment on" >&2
    exit 0
fi
name=${NAME:-gate}
marker="<!-- foldwise ${name//[^[:alnum:] ._-]/_} -->"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{
    echo "$marker"
    head -c 60000 "$summary" | iconv -c -f utf-8 -t utf-8 # a sign that was cut in two would be refused
} >"$body"

found=$(gh api --paginate "repos/$REPOSITORY/issues/$PULL_REQUEST/comments" \
    --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [ -n "$found" ]; then
    gh api --silent --method PATCH "repos/$REPOSITORY/issues/comments/$found" --field "body=@$body"
else
    gh api --silent --method POST "repos/$REPOSITORY/issues/$PULL_REQUEST/comments" --field "body=@$body"
fi || echo "::warning title=foldwise gate::the comment could not be written: see the summary of the job" >&2
exit 0
