package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/gitstore"
)

// The words and the rounding are those of git 2.39.
func TestAge(t *testing.T) {
	const hour = time.Hour
	for d, want := range map[time.Duration]string{
		-time.Second:                 "in the future",
		0:                            "0 seconds ago",
		time.Second:                  "1 second ago",
		89 * time.Second:             "89 seconds ago",
		90 * time.Second:             "2 minutes ago",
		60 * time.Minute:             "60 minutes ago",
		89*time.Minute + time.Second: "89 minutes ago",
		90 * time.Minute:             "2 hours ago",
		35 * hour:                    "35 hours ago",
		36 * hour:                    "2 days ago",
		13 * day:                     "13 days ago",
		14 * day:                     "2 weeks ago",
		69 * day:                     "10 weeks ago",
		70 * day:                     "2 months ago",
		364 * day:                    "12 months ago",
		365 * day:                    "1 year ago",
		500 * day:                    "1 year, 4 months ago",
		730 * day:                    "2 years ago",
		1825 * day:                   "5 years ago",
	} {
		now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		if got := age(now, now.Add(-d)); got != want {
			t.Errorf("age of %v = %q, want %q", d, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"log", "show", "branch", "switch", "status", "rev-parse", "checkpoint"}
	for word, want := range map[string]string{
		"lgo": "log", "stauts": "status", "brnach": "branch", "swtich": "switch", "check": "checkpoint",
		"xyz": "", "": "", "l": "", "commit": "",
	} {
		if got := nearest(word, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestEscape(t *testing.T) {
	for color, want := range map[string]string{
		"yellow": "\x1b[33m", "bold blue": "\x1b[1;34m", "red white": "\x1b[31;47m", "brightred": "\x1b[91m",
		"normal red": "\x1b[41m", "208": "\x1b[38;5;208m", "#ff8000": "\x1b[38;2;255;128;0m",
		"reset": "\x1b[0m", "ul": "\x1b[4m", "": "", "normal": "", "nonsense": "", "#zzzzzz": "", "\x00": "",
	} {
		if got := escape(color); got != want {
			t.Errorf("escape(%q) = %q, want %q", color, got, want)
		}
	}
}

// Case L170: columns are counted, not bytes.
func TestClip(t *testing.T) {
	for _, tt := range []struct {
		s     string
		width int
		want  string
	}{
		{"plain", 5, "plain"},
		{"plainly", 5, "plai…"},
		{"日本語の文", 10, "日本語の文"},
		{"日本語の文", 9, "日本語の…"},
		{"日本語の文", 8, "日本語…"}, // half a letter does not fit
		{"👩‍👩‍👧‍👧 family", 4, "👩‍👩‍👧‍👧 …"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
	} {
		if got := clip(tt.s, tt.width); got != tt.want {
			t.Errorf("clip(%q, %d) = %q, want %q", tt.s, tt.width, got, tt.want)
		}
	}
}

// TestTableHidesNothing makes sure that a cell can forge neither a row nor a
// colour, whichever way the table is printed.
// It is case L168.
func TestTableHidesNothing(t *testing.T) {
	for _, tty := range []bool{true, false} {
		var out bytes.Buffer
		tbl := table{head: []string{"a", "b"}}
		tbl.add("one\ttwo\nthree", "\x1b[31mred\u202e")
		if err := tbl.print(&app{out: &out, isTTY: tty, width: 80}); err != nil {
			t.Fatal(err)
		}
		rows := strings.Split(strings.TrimSpace(out.String()), "\n")
		if last := rows[len(rows)-1]; strings.ContainsAny(last, "\x1b\u202e") || !strings.Contains(last, "one two three") {
			t.Errorf("tty %v: %q", tty, out.String())
		}
	}
}

// What is asked for while it runs is begun once more when it has ended, however often.
func TestChildrenAreBegunAgain(t *testing.T) {
	var c children
	for _, tt := range []struct {
		do   string
		want bool
	}{
		{"begin one", true}, {"begin two", true}, {"end two", false},
		{"begin one", false}, {"begin one", false}, {"end one", true}, {"begin one", true}, {"end one", false},
	} {
		do := c.begin
		if strings.HasPrefix(tt.do, "end") {
			do = c.end
		}
		if got := do(tt.do[len(tt.do)-3:]); got != tt.want {
			t.Errorf("%s: %v", tt.do, got)
		}
	}
}

func TestDashNumbers(t *testing.T) {
	for in, want := range map[string]string{
		"log -5":                    "log -n5",
		"log --oneline -12 @":       "log --oneline -n12 @",
		"checkpoint list -3":        "checkpoint list -n3",
		"log -n -3":                 "log -n -3",
		"log -- -5":                 "log -- -5",
		"checkpoint save -m -5 --x": "checkpoint save -m -5 --x",
		"log -":                     "log -",
	} {
		if got := strings.Join(dashNumbers(strings.Fields(in)), " "); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	full := strings.Repeat("3f2a91c0", 5)
	for _, tt := range []struct {
		err    error
		status int
		want   string
	}{
		{nil, 0, ""},
		{errNo, 1, ""},
		{statusError(7), 7, ""},
		{fmt.Errorf("write: %w", syscall.EPIPE), 141, ""},
		{fmt.Errorf("git log: %w", context.Canceled), 130, ""},
		{usagef("no %s", "way"), 129, "error: no way\n"},
		{errors.New("bad\nthing\x1b"), 128, "fatal: bad thing\\u{1b}\n"},
		{withHint(errors.New("bad"), "do %d", 1), 128, "fatal: bad\nhint: do 1\n"},
		{fmt.Errorf("'x': %w", gitstore.ErrNotFound), 128, "fatal: 'x': no such checkpoint\nhint: 'git sage log --all' lists all checkpoints\n"},
		{
			&gitstore.AmbiguousError{Prefix: "3f", Candidates: []gitstore.Record{{ID: full, Description: "one", Own: true}}}, 128,
			"fatal: short id '3f' is ambiguous\nhint: the candidates are:\nhint:   3f2a91c0 one\n",
		},
		{
			&gitstore.AmbiguousError{Prefix: full[:8], Candidates: []gitstore.Record{{ID: full, Description: "one", Own: true}, {ID: full[:9] + "x", Description: "two"}}}, 128,
			"fatal: short id '3f2a91c0' is ambiguous\nhint: the candidates are:\nhint:   3f2a91c03f one\nhint:   3f2a91c03x (unconfirmed) two\n",
		},
		{
			fmt.Errorf("write objects: %w", syscall.ENOSPC), 128,
			"fatal: write objects: no space left on device\nhint: check free space with 'df -h .' and 'df -i .'; nothing that was saved is lost\n",
		},
	} {
		var out bytes.Buffer
		a := &app{err: &out}
		if got := a.report(nil, tt.err); got != tt.status || out.String() != tt.want {
			t.Errorf("%v: status %d, %q; want %d, %q", tt.err, got, out.String(), tt.status, tt.want)
		}
	}
}

// TestABugIsOneLine makes sure that nobody is shown a trace.
func TestABugIsOneLine(t *testing.T) {
	var out bytes.Buffer
	a := &app{in: panics{}, out: &out, err: &out}
	if status := run(a, []string{"redact", "test", "-"}); status != 128 {
		t.Errorf("status %d", status)
	}
	want := "fatal: this is a bug in git-sage: on purpose\nhint: SAGE_TRACE=1 shows where\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("on purpose") }

// TestEveryCommandExplainsItself holds what all commands have in common.
func TestEveryCommandExplainsItself(t *testing.T) {
	root := newRoot(testApp(t.TempDir()))
	var man strings.Builder
	writeMan(&man, root)
	walk(root, func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: no good short text: %q", c.CommandPath(), c.Short)
		}
		if !c.HasSubCommands() && !strings.Contains(man.String(), ".SS "+roff(useLine(c))+"\n") {
			t.Errorf("%s is not in the manual page", c.CommandPath())
		}
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s has no text", c.CommandPath(), f.Name)
			}
			if !f.Hidden && !strings.Contains(man.String(), roff(flagSyntax(f))+"\n") {
				t.Errorf("%s --%s is not in the manual page", c.CommandPath(), f.Name)
			}
		})
		for _, line := range strings.Split(c.Long, "\n") {
			if len(line) > 80 {
				t.Errorf("%s: a line of the help has %d columns: %s", c.CommandPath(), len(line), line)
			}
		}
	})
}

// Of 80 columns, 7 are indent, and 4 more are that of what is to be typed. A line that
// is longer, or begins with a blank outside of that, is broken in odd places.
func TestManualPageFits(t *testing.T) {
	var man strings.Builder
	writeMan(&man, newRoot(testApp(t.TempDir())))
	plain := strings.NewReplacer(`\-`, "-", `\(aq`, "'", `\(ti`, "~", `\(ha`, "^", `\e`, `\`)
	asIs := false
	for _, line := range strings.Split(man.String(), "\n") {
		switch {
		case line == ".nf", line == ".fi":
			asIs = line == ".nf"
		case asIs && len(plain.Replace(line)) > 80-7-4:
			t.Errorf("%d columns: %s", len(plain.Replace(line)), line)
		case !asIs && strings.HasPrefix(line, " "):
			t.Errorf("begins with a blank: %q", line)
		}
	}
}

func walk(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, v := range c.Commands() {
		walk(v, f)
	}
}
