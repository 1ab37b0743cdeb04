package commits

import (
	"fmt"
	"strings"
	"sync"
	"unicode"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// dateWords are the words that git reads in a date, besides months and days of the week
// and what abbreviates any of them to three letters.
var dateWords = sync.OnceValue(func() []string {
	return strings.Fields(`second seconds minute minutes hour hours day days week weeks month months year years
	ago last now today yesterday noon midnight tea never at on am pm utc gmt est edt cst cdt mst mdt pst pdt cet cest bst jst z t
	one two three four five six seven eight nine ten
	january february march april may june july august september october november december
	monday tuesday wednesday thursday friday saturday sunday st nd rd th`)
})

// IsDate reports whether git can make something of a date: it takes what it does not
// know for now, and says nothing.
func IsDate(s string) bool {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		known := false
		for _, d := range dateWords() {
			known = known || w == d || len(w) >= 3 && strings.HasPrefix(d, w)
		}
		if !known {
			return false
		}
	}
	return len(words) > 0 || strings.ContainsAny(s, "0123456789")
}

// checkDates refuses a --since or --until that git would take for now, so that a slip
// of the hand is not read as "nothing is that new". "" is none.
func checkDates(since, until string) error {
	for _, d := range [][2]string{{"since", since}, {"until", until}} {
		if d[1] != "" && !IsDate(d[1]) {
			return &record.FilterError{Field: d[0], Err: fmt.Errorf("'%s' is not a date, such as 2026-03-01, yesterday or 2.weeks.ago", legible.OneLine(d[1]))}
		}
	}
	return nil
}
