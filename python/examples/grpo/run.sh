#!/usr/bin/env bash
# Trains the three arms and compares them: `run.sh OUT [--quick | --plan FILE]`. It makes an environment in OUT/env with
# Python 3.12 (5.6 GB), and needs the library: `cargo build --release -p slope-python`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: run.sh OUT [--quick]}
library=${SLOPE_LIBRARY:-$here/../../../target/release/lib_native.so}
[ -f "$library" ] || { echo "$library is missing: cargo build --release -p slope-python" >&2; exit 1; }

mkdir -p "$out"
if [ ! -f "$out/env/ready" ]; then
    "${PYTHON:-python3.12}" -m venv "$out/env"
    "$out/env/bin/pip" install --quiet uv==0.13.9
    "$out/env/bin/uv" pip install --quiet --python "$out/env/bin/python" --requirement "$here/requirements.txt"
    touch "$out/env/ready"
fi
"$out/env/bin/python" "$here/../../stage.py" --library "$library" "$out/package"
PYTHONPATH=$out/package exec "$out/env/bin/python" -W ignore -B "$here/run.py" --out "$out/results" "${@:2}"
