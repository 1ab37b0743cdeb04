package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose/terms"
)

// Difference names the kind of difference between two texts that makes them two
// statements; "" if each says what the other says, as far as words tell.
//
//	numbers   other numbers, dates, days
//	negation  more or fewer words that deny
//	opposite  one word of a pair of opposites here, the other there
//	strength  "may" here, "must" there; "some" here, "all" there
//	names     other names, or the same ones in another order
//	turned    two words have changed places
//	words     a word in the place of another, or a third of them new
func Difference(a, b string) string {
	x, y := wordsOf(a), wordsOf(b)
	if slices.Equal(x, y) {
		return ""
	}
	switch {
	case !slices.Equal(sortedNumbers(x), sortedNumbers(y)):
		return "numbers"
	case countOf(x, denying()) != countOf(y, denying()):
		return "negation"
	case haveOpposites(x, y):
		return "opposite"
	case differInClass(x, y, demanding(), allowing()), differInClass(x, y, allOf(), someOf()):
		return "strength"
	case namesDiffer(a, b):
		return "names"
	case areTurned(x, y):
		return "turned"
	case saysElse(a, b, x, y):
		return "words"
	}
	return ""
}

func countOf(words []string, class map[string]bool) (n int) {
	for _, w := range words {
		if class[w] || strings.HasSuffix(w, "n't") || strings.HasSuffix(w, "n’t") {
			n++
		}
	}
	return n
}

// differInClass reports whether one text has words of a class only, the other of its
// counterpart only.
func differInClass(x, y []string, class, other map[string]bool) bool {
	in := func(words []string, c map[string]bool) bool {
		return slices.ContainsFunc(words, func(w string) bool { return c[w] })
	}
	strong := func(words []string) bool { return in(words, class) && !in(words, other) }
	weak := func(words []string) bool { return in(words, other) && !in(words, class) }
	return strong(x) && weak(y) || weak(x) && strong(y)
}

// haveOpposites reports whether one text lost a word of a pair and got the other.
func haveOpposites(x, y []string) bool {
	sx, sy := stemsOf(x), stemsOf(y)
	fresh, gone := lacking(sy, sx), lacking(sx, sy)
	has := func(s map[string]int, words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return s[w] > 0 })
	}
	for _, p := range opposites() {
		if has(gone, p[0]) && has(fresh, p[1]) || has(gone, p[1]) && has(fresh, p[0]) {
			return true
		}
	}
	return false
}

// areTurned reports whether two texts are one but for two words that have changed
// places: who calls whom, what comes before what.
func areTurned(x, y []string) bool {
	if len(x) != len(y) {
		return false
	}
	var at []int
	for i := range x {
		if x[i] != y[i] {
			at = append(at, i)
		}
	}
	return len(at) == 2 && x[at[0]] == y[at[1]] && x[at[1]] == y[at[0]]
}

// saysElse reports whether b has words of its own: in the place of others where the
// sentence stayed the same, or more than a third of all.
func saysElse(a, b string, x, y []string) bool {
	ours, theirs := countsOf(terms.Of(a)), countsOf(terms.Of(b))
	fresh, gone := lacking(theirs, ours), lacking(ours, theirs)
	if len(fresh) > max(1, len(theirs)/3) {
		return true
	}
	return len(fresh) > 0 && len(gone) > 0 && 10*common(x, y) >= 6*max(len(x), len(y))
}

func countsOf(words []string) map[string]int {
	out := map[string]int{}
	for _, w := range words {
		out[w]++
	}
	return out
}

// lacking are the words that a has more often than b.
func lacking(a, b map[string]int) map[string]int {
	out := map[string]int{}
	for w, n := range a {
		if n > b[w] {
			out[w] = n - b[w]
		}
	}
	return out
}

// common is the length of the longest common subsequence.
func common(x, y []string) int {
	prev := make([]int, len(y)+1)
	for i := range x {
		row := make([]int, len(y)+1)
		for j := range y {
			if x[i] == y[j] {
				row[j+1] = prev[j] + 1
			} else {
				row[j+1] = max(row[j], prev[j+1])
			}
		}
		prev = row
	}
	return prev[len(y)]
}

// sortedNumbers are the numbers, months and days of a text.
func sortedNumbers(words []string) []string {
	var out []string
	for _, w := range words {
		if n, ok := numberWords[w]; ok {
			out = append(out, n)
		} else if strings.ContainsAny(w, "0123456789") {
			out = append(out, strings.ReplaceAll(w, ",", ""))
		}
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}
