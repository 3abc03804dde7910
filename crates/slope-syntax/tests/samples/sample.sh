#!/usr/bin/env bash
# A script.
set -euo pipefail
readonly DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
declare -A map=([one]=1 [two]="2")
export PATH=$PATH:/opt/bin LANG

usage() {
  cat <<EOF
Usage: ${0##*/} [-h] $DIR
  text
EOF
}

function main {
  local name=${1:-world} count=0 i
  if [[ -z $name && $name != a* ]] || [ "$name" = b ]; then
    echo "no" >&2
    return 1
  elif ((count > 1 && count < 3)); then
    count=$((count + 1))
  else
    if test -f "$name"; then exit 2; fi
  fi
  for i in "$@" {1..3}; do
    case "$i" in
      -h | --help) usage; exit 0 ;;
      [0-9]*) continue ;;
      *) break 2 ;;
    esac
  done
  for ((i = 0; i < 3; i++)); do :; done
  while read -r line; do
    printf '%s\n' "${line//a/b}" | sed -e 's/x/y/' || true
  done < <(sort "$name")
  until false; do break; done
  select i in a b; do echo "$i"; done
  ! grep -q x <<<"$name" && unset count
  (cd / && ls) &
  { echo a; echo b; } >/dev/null 2>&1
  trap 'rm -f "$tmp"' EXIT
  [ -a x -o -b y ] && x=$(( i ? 1 : 2 ))
}
inner() ( echo sub )
main "$@"
