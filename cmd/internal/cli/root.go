package cli

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// newRoot builds the tree of commands, or, of a command line that names one, the
// branch that leads to it: all of them cost 0.6 ms, at every start.
func newRoot(a *app, args ...string) *cobra.Command {
	root := group("git-sage", "A memory for coding agents that lives inside git", rootLong, commands(a, args)...)
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "git sage"}
	root.Use = "git-sage [-C <dir>] <command> [<options>]"
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _ = a.write(func(w io.Writer) { writeHelp(w, c) }) })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if errors.Is(err, errShortHelp) {
			_ = a.write(func(w io.Writer) { writeUsage(w, c) })
			return statusError(exitUsage)
		}
		if words := wordsOf(args); !c.HasParent() && len(words) > 0 { // a mistaken command comes before its options
			return a.unknown(c, words[:1])
		} else if c.HasParent() && c.HasSubCommands() && len(words) > 1 && len(wordsOf(words[1:])) > 0 {
			return unknownVerb(c, words[1:2])
		}
		return flagError(c, err)
	})
	a.globalFlags(root)
	a.completeIDs(root)
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, args []string) error {
		if *version {
			return a.version()
		}
		return a.unknown(c, args)
	}
	return root
}

// An entry is a command that is built when it is wanted.
type entry struct {
	name string
	make func(*app) *cobra.Command
}

// commands are all commands, in the order in which help shows them. A command
// that stands here and under a noun is built twice: cobra commands have one
// parent.
func commands(a *app, args []string) []*cobra.Command {
	return wanted(a, args, []entry{
		{"init", newInitCmd},
		{"status", newStatusCmd},
		{"log", newLogCmd},
		{"show", newShowCmd},
		{"diff", newDiffCmd},
		{"branch", newBranchCmd},
		{"switch", newSwitchCmd},
		{"merge", newMergeCmd},
		{"tag", newTagCmd},
		{"rev-parse", newRevParseCmd},
		{"export", newExportCmd},
		{"handoff", newHandoffCmd},
		{"search", newSearchCmd},
		{"checkpoint", func(a *app) *cobra.Command {
			return group("checkpoint", "Save, list, show and remove checkpoints", "", checkpointVerbs(a, args)...)
		}},
		{"knowledge", func(a *app) *cobra.Command { return newKnowledgeCmd(a, args) }},
		{"todo", newTodoCmd},
		{"failure", newFailureCmd},
		{"note", newNoteCmd},
		{"core", newCoreCmd},
		{"skill", func(a *app) *cobra.Command { return newSkillCmd(a, args) }},
		{"fsck", newFsckCmd},
		{"doctor", newDoctorCmd},
		{"purge", newPurgeCmd},
		{"templates", newTemplatesCmd},
		{"hooks", newHooksCmd},
		{"mcp", newMCPCmd},
		{"skills", newSkillsCmd},
		{"continuity", newContinuityCmd},
		{"watcher", newWatcherCmd},
		{"admin", newAdminCmd},
		{"redact", newRedactCmd},
		{"embed", newEmbedCmd},
		{"model", func(a *app) *cobra.Command { return newModelCmd(a, args) }},
		{"config", newConfigCmd},
		{"completion", newCompletionCmd},
		{"help", newHelpCmd},
		{"hook", newHookCmd},
		{"man", newManCmd},
		{"version", newVersionCmd},
	})
}

// checkpointVerbs are the commands under "git sage checkpoint".
func checkpointVerbs(a *app, args []string) []*cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	return wanted(a, args, []entry{
		{"save", newSaveCmd},
		{"edit", newEditCmd},
		{"list", newListCmd},
		{"show", newShowCmd},
		{"search", newCheckpointSearchCmd},
		{"restore", newRestoreCmd},
		{"branch", newCheckpointBranchCmd},
		{"rm", newRmCmd},
		{"prune", newPruneCmd},
		{"export", newExportCmd},
	})
}

// wanted builds the command that args begin with, or all when they begin with
// none: help, completion and mistakes need to know every name.
func wanted(a *app, args []string, all []entry) []*cobra.Command {
	var built []*cobra.Command
	for _, e := range all {
		if len(args) > 0 && args[0] == e.name && !slices.Contains(args, "--help") && e.name != "man" && e.name != "completion" && e.name != "help" {
			return []*cobra.Command{e.make(a)}
		}
	}
	for _, e := range all {
		built = append(built, e.make(a))
	}
	return built
}

const rootLong = `git sage keeps what was concluded, and why, as checkpoints: commits on refs
under refs/sage of the repository at hand. Branches, merges, diffs and lineage
of reasoning are git's own. What is true for good it keeps as knowledge.

Before the command, -C <dir> runs as if started in <dir>.`

// globalFlags defines the options that every command has.
func (a *app) globalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.SortFlags = false
	f.BoolVar(&a.json, "json", false, "print one JSON object a line")
	f.BoolVar(&a.global, "global", false, "use the store of the user, not of the repository")
	f.StringVar(&a.session, "session", a.session, "act for this `session` of an agent ($SAGE_SESSION)")
	f.Var((*colorWhen)(&a.color), "color", "colour the output: `when` is always, never or auto")
	f.Lookup("color").NoOptDefVal = "always"
	f.BoolVar(&a.noPager, "no-pager", false, "do not pipe the output into a pager")
	f.VarPF(shortHelp{}, "h", "h", "print the usage and exit").NoOptDefVal = "true"
	f.Bool("help", false, "explain the command")
}

// colorWhen is the value of --color.
type colorWhen string

func (w *colorWhen) Set(s string) error {
	if !slices.Contains([]string{"always", "never", "auto"}, s) {
		return errors.New("want always, never or auto")
	}
	*w = colorWhen(s)
	return nil
}
func (w *colorWhen) String() string { return string(*w) }
func (*colorWhen) Type() string     { return "string" }

// shortHelp is the value of -h. Setting it is an error on purpose: so it is
// seen before any argument is judged.
type shortHelp struct{}

var errShortHelp = errors.New("usage is asked for")

func (shortHelp) Set(string) error { return errShortHelp }
func (shortHelp) String() string   { return "false" }
func (shortHelp) Type() string     { return "bool" }

// group makes a command that only holds others.
func group(use, short, long string, verbs ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use: use, Short: short, Long: long, DisableFlagsInUseLine: true,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return unknownVerb(c, args) },
	}
	c.AddCommand(verbs...)
	return c
}

// unknownVerb says that the word after a group is none of its commands.
func unknownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &usageError{msg: "'" + c.CommandPath() + "' needs a command: " + strings.Join(verbs(c), ", ")}
	}
	u := &usageError{msg: notACommand(c, args[0])}
	if under := nounOf(c, args[0]); under != nil {
		u.hints = []string{"did you mean '" + under.CommandPath() + "'?"}
	} else if near := cmp.Or(sameVerb(args[0], verbs(c)), nearest(args[0], verbs(c))); near != "" {
		u.hints = []string{"did you mean '" + c.CommandPath() + " " + near + "'?"}
	}
	return u
}

// sameVerb is the one of verbs that does what other programs call word; "" is none.
func sameVerb(word string, verbs []string) string {
	for _, v := range map[string][]string{"status": {"list"}, "ls": {"list"}, "unset": {"reset"}, "delete": {"rm", "clear"}, "remove": {"rm", "uninstall"}}[word] {
		if slices.Contains(verbs, v) {
			return v
		}
	}
	return ""
}

func notACommand(c *cobra.Command, word string) string {
	return "'" + word + "' is not a command of '" + c.CommandPath() + "'"
}

// wordsOf are the arguments from the first that is no option on, if none comes
// before it.
func wordsOf(args []string) []string {
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		return nil
	}
	return args
}

// nounOf is the command word under one of the nouns of c: who types "git sage
// save" means "git sage checkpoint save".
func nounOf(c *cobra.Command, word string) *cobra.Command {
	for _, noun := range c.Commands() {
		for _, v := range noun.Commands() {
			if v.Name() == word && v.IsAvailableCommand() && (noun.Name() == "checkpoint" || noun.Name() == "knowledge") {
				return v
			}
		}
	}
	return nil
}

// verbs are the names of the commands of c that a person may type.
func verbs(c *cobra.Command) []string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			names = append(names, v.Name())
		}
	}
	return names
}

// exactArgs takes one argument for each name.
func exactArgs(names ...string) cobra.PositionalArgs {
	return rangeArgs(len(names), len(names), names...)
}

// rangeArgs takes from least to most arguments; most < 0 is any number. names
// are what the first ones are called.
func rangeArgs(least, most int, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usagef("<%s> is missing", names[len(args)])
		case most >= 0 && len(args) > most:
			return usagef("too many arguments: '%s'", args[most])
		case len(names) == 0 || slices.Contains([]string{"id", "rev", "line"}, names[0]):
			return noEmpty(args)
		}
		return nil
	}
}

// noEmpty refuses a revision without a letter: it is what a script passes whose
// variable is not set, and would mean where one stands.
func noEmpty(revs []string) error {
	if slices.Contains(revs, "") {
		return usagef("a revision is empty; '@' is where you stand")
	}
	return nil
}

// noArgs takes none.
func noArgs(_ *cobra.Command, args []string) error {
	return rangeArgs(0, 0)(nil, args)
}

// Commands stand in the order that was given, which is that of a day's work.
func init() { cobra.EnableCommandSorting = false }
