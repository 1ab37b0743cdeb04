package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

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

// TestABugIsOneLine makes sure that nobody is shown a trace.
func TestABugIsOneLine(t *testing.T) {
	var out bytes.Buffer
	a := &app.App{Terminal: term.Terminal{In: panics{}, Out: &out, Err: &out}}
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
	root := newRoot(apptest.New(t.TempDir()))
	var man strings.Builder
	writeMan(&man, root)
	walk(root, func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: no good short text: %q", c.CommandPath(), c.Short)
		}
		if !c.HasSubCommands() && !strings.Contains(man.String(), ".SS "+roff(usage.Line(c))+"\n") {
			t.Errorf("%s is not in the manual page", c.CommandPath())
		}
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s has no text", c.CommandPath(), f.Name)
			}
			if !f.Hidden && !strings.Contains(man.String(), roff(usage.FlagSyntax(f))+"\n") {
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
	writeMan(&man, newRoot(apptest.New(t.TempDir())))
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
