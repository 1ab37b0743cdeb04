#!/bin/sh
# The whole loop with Claude Code's own client; see testdata/e2e/run.mjs.
set -eu
command -v node >/dev/null || { echo "e2e: node is needed, 20 or newer" >&2; exit 1; }
exec node "$(dirname "$0")/e2e/run.mjs" "$@"
