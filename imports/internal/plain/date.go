package plain

import (
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
)

// NameOf is a name by which a text is known again, wherever it moves within its file.
func NameOf(file string, parts ...string) string {
	return file + "#" + gitstore.BroughtSum(strings.Join(parts, "\n"))
}

// dateForms are those in which people and tools write a date.
var dateForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04",
	time.DateOnly, "2006/01/02", "02.01.2006", "January 2, 2006", "Jan 2, 2006", "2 January 2006", "2 Jan 2006",
}

// Date reads a date; ok is false if it is none, or before there were computers.
func Date(text string) (at time.Time, ok bool) {
	text = strings.Trim(strings.TrimSpace(text), `"'*_`)
	for _, form := range dateForms {
		if at, err := time.Parse(form, text); err == nil && at.Year() >= 1970 && at.Year() < 10000 {
			return at.UTC().Truncate(time.Second), true
		}
	}
	return time.Time{}, false
}
