#!/usr/bin/env bash
# Runs the gate for the GitHub Action: annotations on standard output, SARIF and a comment in files.
set -uo pipefail
base=${SLOPE_BASE:-}
if [ -z "$base" ]; then base=${PULL_BASE:-}; fi
# The first push of a branch has no commit before it, and a forced one has one that no branch holds
# any more, so that a clone lacks it.
if [ -z "$base" ] && [[ ${PUSH_BASE:-} =~ [1-9a-f] ]]; then
    folder=${SLOPE_PATH:-.}
    if [ ! -d "$folder" ]; then folder=$(dirname -- "$folder"); fi
    # In a shallow clone any commit may be missing: what slope says of that names the remedy.
    if git -C "$folder" cat-file -e "$PUSH_BASE^{commit}" 2>/dev/null ||
        [ "$(git -C "$folder" rev-parse --is-shallow-repository 2>/dev/null)" = true ]; then
        base=$PUSH_BASE
    else
        echo "::notice::The commit before this push, $PUSH_BASE, is not in the clone (a forced push), so the change is compared with the default branch."
    fi
fi
arguments=(check "${SLOPE_PATH:-.}" --format github)
if [ -n "$base" ]; then arguments+=(--base "$base"); fi
if [ -n "${SLOPE_SARIF:-}" ]; then arguments+=(-o "sarif=$SLOPE_SARIF"); fi
if [ -n "${COMMENT:-}" ]; then arguments+=(-o "markdown=$COMMENT"); fi
read -r -a further <<<"${SLOPE_ARGS:-}"
"${SLOPE:-slope}" "${arguments[@]}" ${further[@]+"${further[@]}"}
code=$?
if [ "$code" -le 1 ]; then
    if [ "$code" -eq 0 ]; then passes=true; else passes=false; fi
    if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "passes=$passes" >>"$GITHUB_OUTPUT"; fi
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "${COMMENT:-}" ]; then cat "$COMMENT" >>"$GITHUB_STEP_SUMMARY"; fi
fi
exit "$code"
