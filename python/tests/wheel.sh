#!/usr/bin/env bash
# Builds the wheel, and tests what it installs in a new environment. `wheel.sh [WHEEL]` tests a wheel that is there.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=$PWD/python/tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wheel=${1:-}
if [ -z "$wheel" ]; then
    python/build.sh "$work/wheels"
    wheel=$(echo "$work"/wheels/*.whl)
fi
wheel=$(realpath "$wheel")
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pytest==9.2.0 pytest-xdist==3.8.0 "$wheel"
export SLOPE_BIN=$work/env/bin/slope PYTHONPATH=$tests PYTHONDONTWRITEBYTECODE=1
"$SLOPE_BIN" --version
# Elsewhere, so that Python finds only what the wheel installed.
mkdir "$work/empty" && cd "$work/empty"
"$work/env/bin/python" -m pytest -q -p no:cacheprovider --ignore "$tests/stacks" "$tests"
