#!/usr/bin/env bash
# Runs the gate for the GitHub Action: annotations on standard output, SARIF and a comment in files.
set -uo pipefail
base=${SLOPE_BASE:-}
if [ -z "$base" ]; then base=${PULL_BASE:-}; fi
folder=${SLOPE_PATH:-.}
if [ ! -d "$folder" ]; then folder=$(dirname -- "$folder"); fi
# The first push of a branch has no commit before it, and a forced one has one that no branch holds
# any more, so that a clone lacks it; most hosts still give it to those who ask for it by name.
if [ -z "$base" ] && [[ ${PUSH_BASE:-} =~ [1-9a-f] ]]; then
    has() { git -C "$folder" cat-file -e "$1^{commit}" 2>/dev/null; }
    is_default() {
        local default
        default=$(git -C "$folder" rev-parse --verify --quiet "refs/remotes/origin/${DEFAULT_BRANCH:-HEAD}^{commit}") &&
            [ "$default" = "$(git -C "$folder" rev-parse HEAD)" ]
    }
    # In a shallow clone any commit may be missing: what slope says of that names the remedy.
    if has "$PUSH_BASE" || [ "$(git -C "$folder" rev-parse --is-shallow-repository 2>/dev/null)" = true ] ||
        { git -C "$folder" fetch --quiet --no-tags origin "$PUSH_BASE" 2>/dev/null && has "$PUSH_BASE"; }; then
        base=$PUSH_BASE
    elif is_default && has HEAD^; then
        # Compared with itself it would pass whatever it holds.
        base=HEAD^
        echo "::notice::The commit before this push, $PUSH_BASE, is not to be had (a forced push of the default branch), so only its last commit is judged."
    else
        echo "::notice::The commit before this push, $PUSH_BASE, is not to be had (a forced push), so the change is compared with the default branch."
    fi
fi
arguments=(check "${SLOPE_PATH:-.}" --format github)
if [ -n "$base" ]; then
    arguments+=(--base "$base")
    # By its own rules a change could allow itself anything.
    if [ "${SLOPE_POLICY:-base}" = base ]; then arguments+=(--policy "$base"); fi
elif [ "${SLOPE_POLICY:-base}" = base ]; then
    # slope compares with the default branch, so the rules are those of it.
    default=refs/remotes/origin/${DEFAULT_BRANCH:-HEAD}
    if git -C "$folder" rev-parse --verify --quiet "$default^{commit}" >/dev/null; then
        arguments+=(--policy "$default")
    else
        echo "::notice::The default branch is not in this clone, so the change is judged by its own rules."
    fi
fi
if [ -n "${SLOPE_SARIF:-}" ]; then arguments+=(-o "sarif=$SLOPE_SARIF"); fi
if [ -n "${COMMENT:-}" ]; then arguments+=(-o "markdown=$COMMENT"); fi
# A pull request of a fork has no secrets, so it sends nothing.
if [ -n "${SLOPE_ADDRESS:-}" ] && [ -n "${NUMBER:-}" ] && [ -n "${SLOPE_SECRET:-}" ]; then
    export SLOPE_TOKEN=$SLOPE_SECRET
    arguments+=(--push --change "pr-$NUMBER" --server "$SLOPE_ADDRESS")
    if [ -n "${SLOPE_PROJECT:-}" ]; then arguments+=(--project "$SLOPE_PROJECT"); fi
    if [ -n "${TITLE:-}" ]; then arguments+=(--title "${TITLE:0:400}"); fi
    if [ -n "${LINK:-}" ]; then arguments+=(--link "$LINK"); fi
fi
read -r -a further <<<"${SLOPE_ARGS:-}"
"${SLOPE:-slope}" "${arguments[@]}" ${further[@]+"${further[@]}"}
code=$?
if [ "$code" -eq 4 ]; then
    echo "::warning::slope: the judgement was not sent to the server. The change passes. The log has the reason."
    code=0
fi
if [ "$code" -le 1 ]; then
    if [ "$code" -eq 0 ]; then passes=true; else passes=false; fi
    if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "passes=$passes" >>"$GITHUB_OUTPUT"; fi
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "${COMMENT:-}" ]; then cat "$COMMENT" >>"$GITHUB_STEP_SUMMARY"; fi
fi
exit "$code"
