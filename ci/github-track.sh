#!/usr/bin/env bash
# Adds a point of the pushed commit and sends it to a server, for the GitHub Action. A verdict never depends on it.
set -uo pipefail
if [ -n "${SLOPE_SECRET:-}" ]; then export SLOPE_TOKEN=$SLOPE_SECRET; fi
arguments=(track add "${SLOPE_PATH:-.}" --push --server "$SLOPE_ADDRESS")
if [ -n "${SLOPE_PROJECT:-}" ]; then arguments+=(--project "$SLOPE_PROJECT"); fi
if [ -n "${SLOPE_SERIES:-}" ]; then arguments+=(--series "$SLOPE_SERIES"); fi
said=$("${SLOPE:-slope}" "${arguments[@]}" 2>&1)
code=$?
printf '%s\n' "$said"
case $code in
0) sent=true ;;
4)
    sent=false
    echo "::warning::slope: the point was not sent to the server. The check is not affected. The log has the reason."
    ;;
*)
    sent=false
    echo "::warning::slope: the server did not take the point (exit code $code). The check is not affected. The log has the reason."
    ;;
esac
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "sent=$sent" >>"$GITHUB_OUTPUT"; fi
