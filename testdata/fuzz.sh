#!/bin/sh
# Fuzz every target: the named ones for so long, the others so many times.
#
#   sh testdata/fuzz.sh <time of the named> <runs of the others>
#
# Go's fuzzing may end a timed run, in which nothing was found, in the error "context
# deadline exceeded": the deadline met a worker on its way. What is found is always
# written into a file below testdata/fuzz, and said. So a run passes that ended well,
# or that ended in that error alone, ran at least once and wrote nothing; and a target
# that does not exist, or has no seeds in testdata, fails.
set -u
long=$1 runs=$2
go=${GO:-go}
named='sage FuzzParse
gitstore FuzzTrailers
gitstore FuzzSplitRev
gitstore FuzzPath
template FuzzRender'
log=$(mktemp) && trap 'rm -f "$log"' EXIT
failed=0 count=0

one() { # package, target, time
	echo "$1 $2 $3"
	"$go" test -run '^$' -fuzz "^$2\$" -fuzztime "$3" -fuzzminimizetime 10x "$1" >"$log" 2>&1 && return
	if grep -q 'context deadline exceeded' "$log" && grep -q 'execs: [1-9]' "$log" &&
		! grep -qE 'Failing input|panic|_test\.go:|terminated unexpectedly|build failed' "$log"; then
		return
	fi
	cat "$log"
	failed=1
}

for p in $("$go" list ./...); do
	for f in $("$go" test -list '^Fuzz' "$p" | grep '^Fuzz'); do
		if echo "$named" | grep -qx "${p##*/} $f"; then
			count=$((count + 1))
			dir=$("$go" list -f '{{.Dir}}' "$p")/testdata/fuzz/$f
			ls "$dir"/* >/dev/null 2>&1 || { echo "$f has no seeds in $dir"; failed=1; }
			one "$p" "$f" "$long"
		else
			one "$p" "$f" "$runs"
		fi
	done
done
test "$count" -eq "$(echo "$named" | wc -l)" || { echo "a named target is gone"; failed=1; }
exit $failed
