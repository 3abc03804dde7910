#!/usr/bin/env bash
# Runs the gate for the GitHub Action: annotations on standard output, SARIF and a comment in files.
set -uo pipefail
folder=${SLOPE_PATH:-.}
if [ ! -d "$folder" ]; then folder=$(dirname -- "$folder"); fi
default=refs/remotes/origin/${DEFAULT_BRANCH:-HEAD}

has() { git -C "$folder" rev-parse --verify --quiet "$1^{commit}" >/dev/null; }

is_shallow() { [ "$(git -C "$folder" rev-parse --is-shallow-repository 2>/dev/null)" = true ]; }

# Most hosts give a commit that no branch holds to those who ask for it by name.
fetches() { git -C "$folder" fetch --quiet --no-tags origin "$1" 2>/dev/null && has "$1"; }

is_default() {
    local tip
    tip=$(git -C "$folder" rev-parse --verify --quiet "$default^{commit}") &&
        [ "$tip" = "$(git -C "$folder" rev-parse HEAD)" ]
}

# The commit before a push. The first push of a branch has none, and a clone lacks the one of a forced push.
base_of_push() {
    # In a shallow clone any commit may be missing: the message of slope names the remedy.
    if has "$1" || is_shallow || fetches "$1"; then
        base=$1
    elif is_default && has HEAD^; then
        # Compared with itself it would pass in any case.
        base=HEAD^
        echo "::notice::The commit before this push, $1, is not available (a forced push of the default branch), so only its last commit is judged."
    else
        echo "::notice::The commit before this push, $1, is not available (a forced push), so the change is compared with the default branch."
    fi
}

# By its own rules a change could allow itself anything.
choose_policy() {
    if [ -n "$base" ]; then
        arguments+=(--policy "$base")
    elif has "$default"; then
        arguments+=(--policy "$default")
    else
        echo "::notice::The default branch is not in this clone, so the change is judged by its own rules."
    fi
}

# A pull request of a fork has no secrets, so it sends nothing.
choose_server() {
    export SLOPE_TOKEN=$SLOPE_SECRET
    arguments+=(--push --change "pr-$NUMBER" --server "$SLOPE_ADDRESS")
    if [ -n "${SLOPE_PROJECT:-}" ]; then arguments+=(--project "$SLOPE_PROJECT"); fi
    if [ -n "${TITLE:-}" ]; then arguments+=(--title "${TITLE:0:400}"); fi
    if [ -n "${LINK:-}" ]; then arguments+=(--link "$LINK"); fi
}

write_outputs() {
    if [ "$1" -eq 0 ]; then passes=true; else passes=false; fi
    if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "passes=$passes" >>"$GITHUB_OUTPUT"; fi
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "${COMMENT:-}" ]; then cat "$COMMENT" >>"$GITHUB_STEP_SUMMARY"; fi
}

base=${SLOPE_BASE:-${PULL_BASE:-}}
if [ -z "$base" ] && [[ ${PUSH_BASE:-} =~ [1-9a-f] ]]; then base_of_push "$PUSH_BASE"; fi
arguments=(check "${SLOPE_PATH:-.}" --format github)
if [ -n "$base" ]; then arguments+=(--base "$base"); fi
if [ "${SLOPE_POLICY:-base}" = base ]; then choose_policy; fi
if [ -n "${SLOPE_SARIF:-}" ]; then arguments+=(-o "sarif=$SLOPE_SARIF"); fi
if [ -n "${COMMENT:-}" ]; then arguments+=(-o "markdown=$COMMENT"); fi
if [ -n "${SLOPE_ADDRESS:-}" ] && [ -n "${NUMBER:-}" ] && [ -n "${SLOPE_SECRET:-}" ]; then choose_server; fi
read -r -a further <<<"${SLOPE_ARGS:-}"
"${SLOPE:-slope}" "${arguments[@]}" ${further[@]+"${further[@]}"}
code=$?
if [ "$code" -eq 4 ]; then
    echo "::warning::slope: the judgement was not sent to the server. The change passes. The log has the reason."
    code=0
fi
if [ "$code" -le 1 ]; then write_outputs "$code"; fi
exit "$code"
