package cli

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

// newRoot builds the tree of commands, or, of a command line that names one, the
// branch that leads to it: all of them cost 0.6 ms, at every start.
func newRoot(a *app, args ...string) *cobra.Command {
	root := usage.Group("git-sage", "A memory for coding agents that lives inside git", rootLong)
	addCommands(a, root, args)
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "git sage"}
	root.Use = "git-sage [-C <dir>] <command> [<options>]"
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetHelpCommand(&cobra.Command{Use: "no-help", Hidden: true})
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { _ = a.Print(func(w io.Writer) { usage.WriteHelp(w, c) }) })
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if errors.Is(err, errShortHelp) {
			_ = a.Print(func(w io.Writer) { usage.WriteUsage(w, c) })
			return exit.Status(exit.Usage)
		}
		if words := wordsOf(args); !c.HasParent() && len(words) > 0 { // a mistaken command comes before its options
			return unknownCommand(a, c, words[:1])
		} else if c.HasParent() && c.HasSubCommands() && len(words) > 1 && len(wordsOf(words[1:])) > 0 {
			return usage.UnknownVerb(c, words[1:2])
		}
		return usage.FlagError(c, err)
	})
	globalFlags(a, root)
	completeIDs(a, root)
	root.PersistentPreRun = func(c *cobra.Command, args []string) { a.reads = isReader(c, args) }
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, args []string) error {
		if *version {
			return printVersion(a)
		}
		if len(args) == 0 {
			return printOverview(a, c)
		}
		return unknownCommand(a, c, args)
	}
	return root
}

// An entry is a command that is built when it is wanted.
type entry struct {
	name string
	make func(*app) *cobra.Command
}

// A section is a group of commands under a heading of 'git sage help'.
type section struct {
	title   string
	entries []entry
}

// sections are all commands, in the order in which help shows them. A command that
// stands here and under a noun is built twice: cobra commands have one parent.
func sections(args []string) []section {
	return []section{
		{"Get started", []entry{
			{"init", newInitCmd},
			{"status", newStatusCmd},
			{"help", newHelpCmd},
		}},
		{"Remember and recall", []entry{
			{"remember", newRememberCmd},
			{"recall", newRecallCmd},
			{"forget", func(a *app) *cobra.Command { return takesShortIDs(a, newForgetCmd(a)) }},
			{"list", newKnowledgeListCmd},
			{"search", newSearchCmd},
			{"review", newReviewCmd},
			{"undo", newUndoCmd},
		}},
		{"Record conclusions", []entry{
			{"save", newSaveCmd},
			{"log", newLogCmd},
			{"show", newShowCmd},
			{"diff", newDiffCmd},
			{"handoff", newHandoffCmd},
			{"import", newImportCmd},
			{"export", newExportCmd},
			{"checkpoint", func(a *app) *cobra.Command {
				return usage.Group("checkpoint", "Save, list, show and remove checkpoints", "", checkpointVerbs(a, args)...)
			}},
			{"templates", newTemplatesCmd},
		}},
		{"Explore alternatives", []entry{
			{"branch", newBranchCmd},
			{"switch", newSwitchCmd},
			{"merge", newMergeCmd},
			{"tag", newTagCmd},
			{"rev-parse", newRevParseCmd},
		}},
		{"Kinds of knowledge", []entry{
			{"knowledge", func(a *app) *cobra.Command { return newKnowledgeCmd(a, args) }},
			{"todo", newTodoCmd},
			{"failure", newFailureCmd},
			{"note", newNoteCmd},
			{"core", newCoreCmd},
			{"skill", func(a *app) *cobra.Command { return newSkillCmd(a, args) }},
			{"confirm", func(a *app) *cobra.Command { return takesShortIDs(a, newConfirmCmd(a)) }},
		}},
		{"Connect agents", []entry{
			{"hooks", newHooksCmd},
			{"mcp", newMCPCmd},
			{"agent-skills", newAgentSkillsCmd},
			{"continuity", newContinuityCmd},
			{"watcher", newWatcherCmd},
		}},
		{"Check, repair and clean up", []entry{
			{"doctor", newDoctorCmd},
			{"fsck", newFsckCmd},
			{"purge", newPurgeCmd},
			{"redact", newRedactCmd},
			{"admin", newAdminCmd},
		}},
		{"Set up", []entry{
			{"config", newConfigCmd},
			{"model", func(a *app) *cobra.Command { return newModelCmd(a, args) }},
			{"embed", newEmbedCmd},
			{"completion", newCompletionCmd},
			{"version", newVersionCmd},
			{"hook", newHookCmd},
			{"man", newManCmd},
		}},
	}
}

// addCommands adds to root the command that args name, or all of them, each to its section.
func addCommands(a *app, root *cobra.Command, args []string) {
	var all []entry
	titles := map[string]string{}
	for _, s := range sections(args) {
		root.AddGroup(&cobra.Group{ID: s.title, Title: s.title})
		for _, e := range s.entries {
			titles[e.name] = s.title
		}
		all = append(all, s.entries...)
	}
	for _, c := range wanted(a, args, all) {
		c.GroupID = titles[c.Name()]
		root.AddCommand(c)
	}
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
		{"show", func(a *app) *cobra.Command { return skillFirst(a, newShowCmd(a), -1, "show privacy") }},
		{"search", newCheckpointSearchCmd},
		{"restore", func(a *app) *cobra.Command { return skillFirst(a, newRestoreCmd(a), 1, "restore privacy 3f2a91c0") }},
		{"branch", func(a *app) *cobra.Command {
			return skillFirst(a, newCheckpointBranchCmd(a), 1, "branch privacy 3f2a91c0 --name <name>")
		}},
		{"diff", func(a *app) *cobra.Command { return skillFirst(a, newDiffCmd(a), 2, "diff privacy 3f2a91c0 a2d41b77") }},
		{"confirm", newCheckpointConfirmCmd},
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

const rootLong = `git sage keeps conclusions and the reasons for them as checkpoints: commits on
refs under refs/sage of this repository, with branches, merges and diffs as in
git. What stays true it keeps as knowledge: facts, preferences, todos, failures.

Use -C <dir> before the command to run as if started in <dir>.`

// globalFlags defines the options that every command has.
func globalFlags(a *app, root *cobra.Command) {
	f := root.PersistentFlags()
	f.SortFlags = false
	f.BoolVar(&a.JSON, "json", false, "print one JSON object per line")
	f.BoolVar(&a.global, "global", false, "use your own store instead of the repository's")
	f.StringVar(&a.session, "session", a.session, "act for this agent `session` ($SAGE_SESSION)")
	f.Var((*term.ColorWhen)(&a.Color), "color", "colour the output: `when` is always, never or auto")
	f.Lookup("color").NoOptDefVal = "always"
	f.BoolVar(&a.NoPager, "no-pager", false, "do not pipe the output into a pager")
	f.VarPF(shortHelp{}, "h", "h", "print the usage and exit").NoOptDefVal = "true"
	f.Bool("help", false, "explain the command")
}

// shortHelp is the value of -h. Setting it is an error on purpose: so it is
// seen before any argument is judged.
type shortHelp struct{}

var errShortHelp = errors.New("usage is asked for")

func (shortHelp) Set(string) error { return errShortHelp }
func (shortHelp) String() string   { return "false" }
func (shortHelp) Type() string     { return "bool" }

// wordsOf are the arguments from the first that is no option on, if none comes
// before it.
func wordsOf(args []string) []string {
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		return nil
	}
	return args
}

// Commands stand in the order that was given, which is that of a day's work.
func init() { cobra.EnableCommandSorting = false }
