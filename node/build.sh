#!/usr/bin/env bash
# Builds the npm packages, with the `slope` command in that of this platform. `build.sh [--debug] [OUT]`; the tarballs are
# in OUT, by default `target/npm`. With `--debug` it takes the debug build as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=release
if [ "${1:-}" = --debug ]; then
    profile=debug
    shift
fi
out=${1:-target/npm}

if [ "$profile" = release ]; then
    # In one command, so that both have the same dependencies.
    cargo build --release --locked --workspace --lib --bin slope
fi
npm ci --prefix node --ignore-scripts --silent
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
node node/stage.mjs "target/$profile/libcodeslope.so" "target/$profile/slope" "$stage"
mkdir -p "$out"
npm pack --silent --ignore-scripts --pack-destination "$out" "$stage/codeslope" "$stage"/@codeslope/*
