#!/usr/bin/env bash
# Builds the wheel, with the `slope` command in it. `build.sh [OUT]`; the wheel is in OUT, by default `target/wheels`.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/wheels}

cargo build --release --locked --workspace --bin slope
# maturin installs what is here as commands, and strips only the library.
scripts=python/codeslope.data/scripts
mkdir -p "$scripts"
install -m 755 target/release/slope "$scripts/slope"
strip "$scripts/slope"

tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" install --quiet 'maturin>=1.9,<2'
"$tools/bin/maturin" build --release --locked --manifest-path python/Cargo.toml --out "$out"
