#!/usr/bin/env bash
# Updates the comment of an earlier run, known by the mark in its first line, or makes one.
set -euo pipefail
if [ ! -s "$COMMENT" ]; then exit 0; fi
mark=$(head -n 1 "$COMMENT")
filter=".[] | select(.body | startswith(\"$mark\")) | .id"
known=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" --jq "$filter" | head -n 1)
if [ -n "$known" ]; then
    gh api --method PATCH "repos/$REPOSITORY/issues/comments/$known" -F "body=@$COMMENT" >/dev/null
else
    gh api --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" -F "body=@$COMMENT" >/dev/null
fi
