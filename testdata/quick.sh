#!/bin/sh
# Test what was changed: the packages that differ from a commit, with what is not committed
# yet, then as many of those that import them as fit into the time; says which it leaves out.
# No race detector. Ends with 1 if one fails, and with 3 if the time was too short for those
# that differ themselves.
#
#   sh testdata/quick.sh [<commit>]
#
# Without one it is where this branch left the one that it follows, or else the commit
# before this one. QUICK is how many seconds there are for all of it.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go} seconds=${QUICK:-50}
end=$(($(date +%s) + seconds))
base=${1:-$(git merge-base HEAD '@{upstream}' 2>/dev/null || true)}
[ -n "$base" ] && { [ -n "${1:-}" ] || [ "$base" != "$(git rev-parse HEAD)" ] || [ -n "$(git status --porcelain)" ]; } ||
	base=$(git rev-parse -q --verify HEAD~) || base=$(git hash-object -t tree /dev/null)
base=$(git rev-parse -q --verify "$base^{tree}") || { echo "quick: no such commit: $1" >&2; exit 2; }
tmp=$(mktemp -d) && : >"$tmp/said" && trap 'rm -rf "$tmp"' EXIT

{ git diff --name-only --no-renames "$base" && git ls-files --others --exclude-standard; } | sort -u >"$tmp/files"
"$go" list -e -f '{{.ImportPath}} {{.Dir}}' ./... | sed "s| $(pwd)$| .|; s| $(pwd)/| |" >"$tmp/packages"
# A file is of the package in whose folder it is, or in the next one above that has one;
# one that is of none, a script say, or what all of them share, is of those named here.
awk -v files="$tmp/files" '
	{ of[$2] = $1 }
	END {
		while ((getline f < files) > 0) {
			if (f ~ /^testdata\/(script|store|mcp|facts|trigger)\//) { want["cmd/internal/cli"] }
			if (f ~ /^(docs\/|[A-Z]*\.md$)/) { want["cmd/internal/cli"] } # its tests play the pages
			if (f ~ /^testdata\/(mcp)\//) { want["mcp"] }
			d = f
			while (sub(/\/[^\/]*$/, "", d)) if (d in of) { want[d]; break }
			if (f !~ /\//) want["."]
			if (f ~ /^go\.(mod|sum)$/) for (p in of) want[p]
		}
		for (d in want) if (d in of) print of[d]
	}' "$tmp/packages" | sort -u >"$tmp/changed"
if grep -q '^cmd/internal/lab/' "$tmp/files"; then "$go" -C cmd/internal/lab test ./...; fi # a module of its own
[ -s "$tmp/changed" ] || { echo 'quick: no package differs'; exit 0; }

"$go" list -e -f '{{$p := .ImportPath}}{{range .Deps}}{{.}} {{$p}}
{{end}}{{range .TestImports}}{{.}} {{$p}}
{{end}}{{range .XTestImports}}{{.}} {{$p}}
{{end}}' ./... | awk 'NR == FNR { changed[$1]; next } $1 in changed && !($2 in changed) { print $2 }' "$tmp/changed" - | sort -u >"$tmp/importing"

# in_time tests packages with what is left of the time: 0 well, 1 failed, 2 out of time,
# with nothing that failed until then.
in_time() {
	left=$((end - $(date +%s)))
	[ "$left" -gt 1 ] || return 2
	status=0
	GO=$go timeout -k 5 -s INT "$left" sh testdata/trap.sh "$go" test "$@" >"$tmp/said" 2>&1 || status=$?
	if [ "$status" -eq 0 ]; then
		grep -a '^ok ' "$tmp/said" || true
	elif { [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; } && ! grep -aqE '^ *--- FAIL|^panic:|^FAIL.*\[' "$tmp/said"; then
		grep -a '^ok ' "$tmp/said" || true
		return 2 # what was under way says FAIL, for it was interrupted
	else
		grep -av 'no test files' "$tmp/said"
		return 1
	fi
}

left_out=0
for list in changed importing; do
	status=0
	# shellcheck disable=SC2046
	[ ! -s "$tmp/$list" ] || in_time $(cat "$tmp/$list") || status=$?
	case $status in
	1) exit 1 ;;
	2)
		echo "quick: in $seconds seconds not all of these were tested; make test does:"
		awk -v said="$tmp/said" 'BEGIN { while ((getline l < said) > 0) { split(l, f); if (f[1] == "ok") ok[f[2]] } } !($1 in ok) { print "  " $1 }' "$tmp/$list"
		[ "$list" = importing ] || left_out=3
		;;
	esac
done
exit "$left_out"
