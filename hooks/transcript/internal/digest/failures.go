package digest

import (
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/attempt"
	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
	"github.com/git-sage/git-sage/prose"
)

// fail notes that a call came to nothing.
func (d *Digest) fail(r *record.Record, c call, why string) {
	d.Failures = newest(append(d.Failures, Failure{
		Tool: c.Tool, What: c.What, Text: d.clean(why, maxAnswer), Offset: r.Offset, Test: c.Check.Tests, Check: c.Check, Tries: c.Tries,
	}), maxFailures)
}

// fix notes that what failed before works now.
func (d *Digest) fix(c attempt.Check, at int64) {
	for i, f := range d.Failures {
		if f.Fixed == 0 && c.Covers(f.Check) {
			d.Failures[i].Fixed = at
		}
	}
}

// judge takes up that a line succeeded: with it what it tried, unless only what tests
// print tells how they ended.
func (d *Digest) judge(r *record.Record, c call, b record.Block) {
	if !c.Check.Hidden {
		d.fix(c.Check, r.Offset)
		return
	}
	switch printed := b.Text(); {
	case says(printed, failedWords()):
		d.fail(r, c, printed)
	case says(printed, passedWords()):
		d.fix(c.Check, r.Offset)
	}
}

// What the usual runners of tests print. That some tests passed is no word of success
// where others failed.
var (
	failedWords = prose.WordSet("FAIL FAILED failed failing Failed Failures failures panic error")
	passedWords = prose.WordSet("ok PASS PASSED passed passing Passed OK")
)

// says reports whether one of the words is in a text, on its own, and does not count
// nothing, as in "0 failed" and "Failures: 0".
func says(s string, words map[string]bool) bool {
	list := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n()[]=,.;:!*", r) })
	for i, w := range list {
		if words[strings.TrimLeft(w, "-")] && !none(list, i-1) && !none(list, i+1) {
			return true
		}
	}
	return false
}

func none(list []string, i int) bool {
	return i >= 0 && i < len(list) && (list[i] == "0" || list[i] == "no")
}
