package githistory

import "testing"

func TestChosen(t *testing.T) {
	for _, tt := range []struct{ subject, body, want string }{
		// the subject says why
		{"Use ARC instead of LRU because scans evict everything (#12)", "", "Use ARC instead of LRU because scans evict everything."},
		{"Switch to sqlite: postgres was too slow in CI", "", "Switch to sqlite: postgres was too slow in CI."},
		{"Revert the new lid: it broke all firings on cone 6", "", "Revert the new lid: it broke all firings on cone 6."},
		{"log: rename kiln to oven so that nobody takes it for a fire", "", "log: rename kiln to oven so that nobody takes it for a fire."},
		// the message does
		{"Drop Python 3.8", "It has reached its end of life.\n", "Drop Python 3.8. It has reached its end of life."},
		{"log: use one file instead of many", "A backup copies it as a whole", "log: use one file instead of many. A backup copies it as a whole"},
		{"[kiln] Replace cone with temp", "Cones are gone in most shops.\nThey are no longer sold.\nMore text.", "[kiln] Replace cone with temp. Cones are gone in most shops. They are no longer sold."},

		// nobody says why, or it is no choice, or nothing for later
		{"Drop Python 3.8", "", ""},
		{"Drop Python 3.8", "Drop Python 3.8.", ""},
		{"Drop Python 3.8", "See the ticket.\nCI has one job less.\nOne more.\nIt is no longer supported.", ""},
		{"Add a kiln because the old one was too slow", "", ""},
		{"Use the new lid for now because the kiln is too slow", "", ""},
		{"Fix the lid of the kiln because it was too slow", "", ""},
		{"Remove unused imports since they were too many for the kiln", "", ""},
		{"docs: use cone instead of temp because it is shorter", "", ""},
		{"kiln: stop early when the lid is open", "", ""},
		{`Revert "Use one file instead of many because it is faster"`, "", ""},
		{"Remove special handling", "This means that the kiln no longer waits.", ""},
	} {
		if got := chosen(tt.subject, tt.body); got != tt.want {
			t.Errorf("%s\n%s\nchooses %q, want %q", tt.subject, tt.body, got, tt.want)
		}
	}
}
