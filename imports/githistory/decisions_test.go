package githistory

import (
	"strings"
	"testing"
)

func TestDecisions(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		// decided outright(), with or without a reason
		{"We decided to keep the firing log in one file rather than in a database.", "same"},
		{"I chose \"release\" here and not \"discard\" because every kiln is released in the end.", "same"},
		{"We have settled on a single space per level to keep the firing plan narrow.", "same"},
		// one thing and not another, for a reason
		{"The log uses one file rather than a database because backups are then a copy.", "same"},
		{"Use $(bindir) instead of $(libdir) because $(libdir) is set by the kiln itself.", "same"},
		{"We prefer link and unlink to a rename for files that hold firings, whatever is faster.", "same"},
		{"We now read the log once a day, so that the disk of the kiln may sleep.", "same"},
		// a rule(), a deprecation
		{"Callers must never write to the log of another kiln, because locks are held by kiln.", "same"},
		{"The option cone is deprecated in favour of the option temperature for all kilns.", "same"},
		// one that leans on the sentence before takes it along, and its reason
		{"The old reader is slow with large logs. Therefore we decided to stay with small files.", "same"},
		{"We deliberately append to the list and never prepend to it. This is because users come first.", "same"},
		// lines are broken anywhere
		{"We decided to keep\nthe firing log in one file,\nbecause backups are then a copy.", "We decided to keep the firing log in one file, because backups are then a copy."},

		// what only looks like one
		{"We have settled on a single space per level in the plans of all kilns.", ""},
		{"is deprecated in favour of the option temperature for all kilns since then.", ""},
		{"Python 3.10 has deprecated distutils in favour of setuptools, which the kiln imports.", ""},
		{"The lid fixes itself instead of falling, because the hinge is held by the kiln.", ""},
		{"Since we no longer read the log, change the counter of the kiln to a bit.", ""},
		{"The kiln reads the list of firings above, instead of the log, because it is short.", ""},
		{"The flag says whether we decided to wait for the kiln or not in the run.", ""},
		{"The user decided to fire the kiln at night because power is cheap then.", ""},
		{"We went with the second option here, which has no chance of changing the kiln.", ""},
		{"At that time, we chose to ignore the status of the kiln without a reason.", ""},
		{"The reader crashed because it read the database instead of the file in the kiln.", ""},
		{"Fix a typo in the documentation of the kiln, because it was wrong before.", ""},
		{"Therefore we decided to stay with small files for the logs of all kilns.", ""},
		{"Bump the version of the kiln to 1.2.3 and update all of the dependencies.", ""},
		{"Should we use one file instead of a database because backups are a copy?", ""},
		{"We use an array instead of a list because of what follows:", ""},
	} {
		got := ""
		for _, d := range decisions(tt.text, false) {
			got += d.text
		}
		want := tt.want
		if want == "same" {
			want = tt.text
		}
		if got != want {
			t.Errorf("%s\ndecides %q, want %q", tt.text, got, want)
		}
	}
}

func TestReverted(t *testing.T) {
	body := "This reverts commit 1234567890abcdef.\n\nThe new kiln broke all firings on cone 6, because its lid never closed.\n"
	if got := reverted(`Revert "kiln: a new lid"`, body); !strings.HasPrefix(got, "The new kiln broke") || strings.Contains(got, "1234567") {
		t.Errorf("%q", got)
	}
	for _, subject := range []string{`Revert "kiln: a new lid"`, "revert: tell apart what was reverted"} {
		if got := reverted(subject, "This reverts commit 1234567890abcdef."); got != "" {
			t.Errorf("%s: %q", subject, got)
		}
	}
}

// What a fix chooses is how, unless it says outright that it decides.
func TestFixesDecideLittle(t *testing.T) {
	for text, want := range map[string]int{
		"Use a copy instead of the entry, because the kiln may be gone by then.":            0,
		"We decided to use a copy instead of the entry, because the kiln may be gone then.": 1,
	} {
		if got := decisions(text, faulty().MatchString("log: fix a crash of the reader")); len(got) != want {
			t.Errorf("%s\ndecides %v", text, got)
		}
	}
}

func TestWhatWasTakenBack(t *testing.T) {
	newer := map[string]bool{`Revert "kiln: a new lid"`: true, `Revert "log: rotate"`: true, `Reapply "log: rotate"`: true, "oven: preheat": true}
	for subject, want := range map[string]bool{
		"kiln: a new lid (#12)":          true,
		`Revert "kiln: a new lid" (#14)`: false,
		"log: rotate":                    false,
		`Revert "log: rotate"`:           true,
		`Revert "oven: preheat"`:         true, // it was made again
		"oven: preheat":                  false,
	} {
		if got := isUndone(subject, newer); got != want {
			t.Errorf("%s: %v", subject, got)
		}
	}
	for _, body := range []string{"The tests fail on Windows since then, because its paths are longer there.", "The lid never closed and all firings on cone 6 were broken."} {
		if got := reverted(`Revert "kiln: a new lid"`, body); got != "" {
			t.Errorf("%q", got)
		}
	}
}
