#!/bin/sh
# Fuzz every target: the named ones for so long, two at a time with a worker each,
# the others so many times, beside the first of the named.
#
#   sh testdata/fuzz.sh <time of the named> <runs of the others>
#
# Go's fuzzing may end a timed run, in which nothing was found, in the error "context
# deadline exceeded": the deadline met a worker on its way. What is found is always
# written into a file below testdata/fuzz, and said. So a run passes that ended well,
# or that ended in that error alone, ran at least once and wrote nothing; and a target
# that does not exist, or has no seeds in testdata, fails.
#
# FUZZSEED is what the mutations start from: the same each time, unless you say another.
set -u
export GODEBUG="fuzzseed=${FUZZSEED:-1}"
long=$1 runs=$2
go=${GO:-go}
named='codec FuzzParse
record FuzzTrailers
commits FuzzSplitRev
contents FuzzPath
template FuzzRender'
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

guided() { # folder, target, time
	"$go" -C "$1" test -vet=off -run '^$' -fuzz "^$2\$" -fuzztime "$3" -fuzzminimizetime 10x -parallel=1
}
one() { # guided, folder, target, time
	log=$tmp/$3.log
	echo "${2#"$PWD"/} $3 $4"
	"$@" >"$log" 2>&1 && return
	if grep -q 'context deadline exceeded' "$log" && grep -q 'execs: [1-9]' "$log" &&
		! grep -qE 'Failing input|panic|_test\.go:|terminated unexpectedly|build failed' "$log"; then
		return
	fi
	cat "$log"
	echo "$3" >>"$tmp/failed"
}

# The targets are read in the sources: to link a test program of every package takes a minute.
for m in . cmd/internal/lab; do
	"$go" -C "$m" list -f '{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}
{{end}}{{range .XTestGoFiles}}{{$d}}/{{.}}
{{end}}' ./...
done | grep . | tr '\n' '\0' | xargs -0 grep '^func Fuzz' /dev/null >"$tmp/targets" # <file>:func <name>(
sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*).*|\2 \1|' "$tmp/targets" | while read -r f dir; do
	list=others
	echo "$named" | grep -qx "${dir##*/} $f" && list=named
	echo "$f $dir" >>"$tmp/$list"
done

touch "$tmp/named"
test "$(grep -c . "$tmp/named")" -eq "$(echo "$named" | wc -l)" || { echo "a named target is gone"; exit 1; }
side= # what has a worker beside what comes next
while read -r f dir; do
	ls "$dir/testdata/fuzz/$f"/* >/dev/null 2>&1 || { echo "$f has no seeds"; echo "$f" >>"$tmp/failed"; }
	one guided "$dir" "$f" "$long" &
	if [ -e "$tmp/others" ]; then
		while read -r f dir; do one guided "$dir" "$f" "$runs" </dev/null; done <"$tmp/others"
		rm "$tmp/others"
	elif [ -z "$side" ]; then
		side=$!
		continue
	fi
	wait
	side=
done <"$tmp/named"
wait
test ! -e "$tmp/failed"
