package gitsage_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// chapters are the lists of faults in testdata/cases, one file each, with the
// first and the last number in it.
var chapters = []struct {
	letter      string
	first, last int
}{
	{"A", 1, 17},    // crash and durability
	{"B", 18, 29},   // resources and permissions
	{"C", 30, 45},   // concurrency, gc, worktrees
	{"D", 46, 58},   // corruption and repair
	{"F", 74, 89},   // hostile repository, config, environment
	{"L", 168, 174}, // text, terminals, ids
}

// TestCases holds the lists to the tests: every number has a row, every row says
// what must hold, and names a test that exists and says in its file which case it
// is, or the reason why there is none. A row is
//
//	| A4 | what must hold | `TestName`, `folder/script.txtar`, `make target` |
//	| A4 | what must hold | -: why nothing is tested |
func TestCases(t *testing.T) {
	known := knownTests(t)
	for _, ch := range chapters {
		name := filepath.Join("testdata", "cases", strings.ToLower(ch.letter)+".md")
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for i, line := range strings.Split(string(b), "\n") {
			if !strings.HasPrefix(line, "|") {
				continue
			}
			n, bad := checkRow(line, ch.letter, known)
			if n != 0 && (n < ch.first || n > ch.last || seen[n]) {
				bad = append(bad, "a number twice, or none of this letter")
			}
			seen[n] = true
			for _, why := range bad {
				t.Errorf("%s:%d: %s", name, i+1, why)
			}
		}
		for n := ch.first; n <= ch.last; n++ {
			if !seen[n] {
				t.Errorf("%s: no row for %s%d", name, ch.letter, n)
			}
		}
	}
}

var numbered = regexp.MustCompile(`^[A-Z]?(\d+)$`)

// checkRow returns the number of a row, 0 for one of the head, and what is wrong
// with it.
func checkRow(line, letter string, known map[string]string) (number int, bad []string) {
	cell := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i := range cell {
		cell[i] = strings.TrimSpace(cell[i])
	}
	m := numbered.FindStringSubmatch(cell[0])
	switch {
	case m == nil && (cell[0] == "number" || strings.Trim(cell[0], "-: ") == ""):
		return 0, nil
	case m == nil:
		return 0, []string{fmt.Sprintf("%q is no number of a case", cell[0])}
	case len(cell) != 3 || cell[1] == "" || cell[2] == "":
		return 0, []string{"want three cells: number, what must hold, test"}
	}
	number, _ = strconv.Atoi(m[1])
	if why, ok := strings.CutPrefix(cell[2], "-:"); ok {
		if strings.TrimSpace(why) == "" {
			bad = append(bad, "no test and no reason")
		}
		return number, bad
	}
	for _, name := range named(cell[2]) {
		if why := checkTest(name, letter+strconv.Itoa(number), known); why != "" {
			bad = append(bad, why)
		}
	}
	return number, bad
}

// named are the tests in a cell: apart by commas, with or without back quotes.
// What follows a semicolon is a remark.
func named(cell string) []string {
	cell, _, _ = strings.Cut(cell, ";")
	list := strings.Split(strings.ReplaceAll(cell, "`", ""), ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func checkTest(name, number string, known map[string]string) string {
	text, ok := known[name]
	switch {
	case !ok:
		return fmt.Sprintf("no test %q (a Go test, folder/script.txtar, or make target)", name)
	case strings.HasPrefix(name, "make "):
	case !regexp.MustCompile(`\b` + number + `\b`).MatchString(text):
		return fmt.Sprintf("the file of %s does not say which case it is: write 'case %s' into the comment", name, number)
	}
	return ""
}

var (
	testFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	makeTarget = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)
)

// knownTests are the texts of the files that tests are in, by the names that a
// row may give. Of two tests with one name in different packages both count.
func knownTests(t *testing.T) map[string]string {
	t.Helper()
	known := map[string]string{}
	add := func(text string, names ...string) {
		for _, n := range names {
			known[n] += text
		}
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		rel, inScripts := strings.CutPrefix(filepath.ToSlash(path), "testdata/script/")
		isTest := strings.HasSuffix(path, "_test.go")
		if d.IsDir() || !isTest && !inScripts && path != "Makefile" {
			return nil
		}
		b, err := os.ReadFile(path)
		text := string(b)
		switch {
		case isTest:
			add(text, submatches(testFunc, text, "")...)
		case inScripts:
			add(text, rel)
		default:
			add(text, submatches(makeTarget, text, "make ")...)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}

func submatches(re *regexp.Regexp, text, before string) (out []string) {
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		out = append(out, before+m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
