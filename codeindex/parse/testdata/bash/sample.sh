#!/usr/bin/env bash
set -euo pipefail
source ./lib.sh
. "$HOME/.profile"

LIMIT=10
readonly NAME="a b"
export -x OTHER=1

# Prints the usage.
# To standard error.
usage() {
  local name=$1
  echo "usage: $(basename "$0")" >&2
  for x in "$@"; do
    run_all "$x" | sort
  done
}

function main {
  if [[ $# -eq 0 ]]; then
    usage "$@"
  fi
  cat <<TEXT
  $LIMIT
TEXT
}

alias ll='ls -l'
main "$@"
