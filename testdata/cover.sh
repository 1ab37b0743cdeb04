#!/bin/sh
# Print which part of the store's lines its own tests run, by package, and fail if
# it is less than so many percent of all. Lines count, so that a long branch that
# nothing reaches weighs what it is; what only other systems have is not built here.
# Without a profile the tests are run for one; what they say then is shown only if
# they fail.
#
#   sh testdata/cover.sh 90 [<profile>]
set -eu
least=$1 go=${GO:-go}
profile=${2:-}
if [ -z "$profile" ]; then
	dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
	profile=$dir/profile
	"$go" test -timeout 30m -coverpkg=./gitstore/... -coverprofile="$profile" ./gitstore/... >"$dir/said" 2>&1 || {
		grep -v '^ok ' "$dir/said"
		exit 1
	}
fi
# A block is <file>:<line>.<column>,<line>.<column> <statements> <times>. It stands
# there once for each test binary, and is run if any of them ran it.
awk -v least="$least" '
	NR > 1 && $1 !~ /storetest\// {
		if (!($1 in ran)) { ran[$1] = 0 }
		if ($3 > 0) { ran[$1] = 1 }
	}
	END {
		for (b in ran) {
			split(b, f, ":"); split(f[2], at, /[.,]/)
			dir = f[1]; sub(/\/[^\/]*$/, "", dir); sub(/^.*git-sage\/git-sage\//, "", dir)
			n = at[3] - at[1] + 1
			for (l = at[1]; l <= at[3]; l++) {
				k = f[1] ":" l
				# the line on which a block begins or ends belongs to the block around it, too
				if (ran[b]) { hit[k] = 1 } else if (!(k in hit)) { hit[k] += 0 }
				of[k] = dir
			}
		}
		for (k in hit) { all[of[k]]++; total++; if (hit[k]) { got[of[k]]++; sum++ } }
		for (d in all) { printf "%6.1f%%  %5d lines  %s\n", 100 * got[d] / all[d], all[d], d | "sort -k4" }
		close("sort -k4")
		printf "%6.1f%%  %5d lines in all\n", 100 * sum / total, total
		if (total == 0 || 100 * sum / total < least) { printf "less than %s%%\n", least; exit 1 }
	}' "$profile"
