package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

func newManCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "Print the manual page, in roff",
		Args:   usage.NoArgs,
		Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			var b strings.Builder
			writeMan(&b, c.Root())
			_, err := io.WriteString(a.Out, b.String())
			return err
		},
	}
}

// writeMan prints git-sage.1: the same words as --help, so that they cannot
// contradict each other. It holds no date and no version, so that it only
// changes when the words do.
func writeMan(w io.Writer, root *cobra.Command) {
	fmt.Fprint(w, ".TH GIT-SAGE 1 \"\" git-sage \"Git Manual\"\n.nh\n.ad l\n")
	fmt.Fprintf(w, ".SH NAME\ngit-sage \\- %s\n", roff(term.LowerFirst(root.Short)))
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff(usage.Line(root)))
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	writeRoffText(w, root.Long)
	fmt.Fprint(w, ".SH OPTIONS\nEvery command has these.\n")
	writeRoffFlags(w, root.PersistentFlags())
	writeRoffFlags(w, root.LocalNonPersistentFlags())
	fmt.Fprint(w, ".SH COMMANDS\n")
	writeManCommands(w, root)
	fmt.Fprint(w, ".SH A DAY WITH CLAUDE CODE\n")
	writeRoffText(w, dayText)
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, s := range exitStatuses {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", s[0], roff(s[1]))
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n")
	for _, s := range environment {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", s[0], roff(s[1]))
	}
	fmt.Fprint(w, ".SH SEE ALSO\n.BR git (1),\n.BR git-log (1),\n.BR gitrevisions (7)\n")
}

var exitStatuses = [...][2]string{
	{"0", "success"},
	{"1", "no: no match, differs, problems found"},
	{"128", "a fatal error; if only the output could not be written, a hint says what was done"},
	{"129", "wrong usage"},
	{"130", "interrupted"},
}

var environment = [...][2]string{
	{"SAGE_HOME", "your own folder; ~/.sage by default"},
	{"SAGE_SESSION", "the agent session to act for; CLAUDE_CODE_SESSION_ID by default"},
	{"SAGE_<KEY>", "the setting <key> of 'git sage config list', in capitals"},
	{"GIT_DIR, GIT_WORK_TREE", "the repository, as for git"},
	{"GIT_PAGER, PAGER, NO_COLOR", "how to show the output, as for git"},
}

func writeManCommands(w io.Writer, c *cobra.Command) {
	for _, v := range c.Commands() {
		if !v.IsAvailableCommand() {
			continue
		}
		if v.HasAvailableSubCommands() && v.Long == "" && !hasOwnUse(v) {
			writeManCommands(w, v)
			continue
		}
		fmt.Fprintf(w, ".SS %s\n%s.\n", roff(usage.Line(v)), roff(v.Short))
		if v.Long != "" {
			fmt.Fprint(w, ".PP\n")
			writeRoffText(w, v.Long)
		}
		writeRoffFlags(w, v.LocalNonPersistentFlags())
		if v.Example != "" {
			writeRoffAsIs(w, strings.Split(v.Example, "\n"))
		}
		writeManCommands(w, v)
	}
}

// hasOwnUse says that a group also does something by itself.
func hasOwnUse(c *cobra.Command) bool { return c.Annotations["runs"] != "" }

func writeRoffFlags(w io.Writer, set *pflag.FlagSet) {
	for _, r := range usage.FlagRows(set) {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(r[0]), roff(r[1]))
	}
}

func roffLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = roff(l)
	}
	return strings.Join(lines, "\n")
}

// roff escapes a line: what begins with a dot or quote would be a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "~", `\(ti`, "^", `\(ha`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}
