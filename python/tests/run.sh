#!/usr/bin/env bash
# The tests of the Python package against what cargo built, without training packages. Those are in `stacks/`.
set -euo pipefail
cd "$(dirname "$0")/../.."
library=${1:-target/debug/lib_native.so}
export SLOPE_BIN=${SLOPE_BIN:-$PWD/target/debug/slope} PYTHONDONTWRITEBYTECODE=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/env"
"$work/env/bin/pip" install --quiet pytest==9.2.0 pytest-xdist==3.8.0 mypy==2.4.1
python3 python/stage.py --library "$library" "$work/package"
export PYTHONPATH=$work/package:python/tests
"$work/env/bin/python" -m mypy --strict --ignore-missing-imports --allow-subclassing-any \
    --cache-dir "$work/mypy" -p codeslope
"$work/env/bin/python" -m pytest -q -p no:cacheprovider --ignore python/tests/stacks python/tests
