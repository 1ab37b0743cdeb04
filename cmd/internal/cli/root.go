package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/admin"
	"github.com/git-sage/git-sage/cmd/internal/cli/ask"
	"github.com/git-sage/git-sage/cmd/internal/cli/checkpoint"
	"github.com/git-sage/git-sage/cmd/internal/cli/code"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/cli/export"
	"github.com/git-sage/git-sage/cmd/internal/cli/health"
	"github.com/git-sage/git-sage/cmd/internal/cli/importing"
	"github.com/git-sage/git-sage/cmd/internal/cli/knowledge"
	"github.com/git-sage/git-sage/cmd/internal/cli/line"
	"github.com/git-sage/git-sage/cmd/internal/cli/model"
	"github.com/git-sage/git-sage/cmd/internal/cli/notes"
	"github.com/git-sage/git-sage/cmd/internal/cli/page"
	"github.com/git-sage/git-sage/cmd/internal/cli/remote"
	"github.com/git-sage/git-sage/cmd/internal/cli/review"
	"github.com/git-sage/git-sage/cmd/internal/cli/search"
	"github.com/git-sage/git-sage/cmd/internal/cli/serve"
	"github.com/git-sage/git-sage/cmd/internal/cli/settings"
	"github.com/git-sage/git-sage/cmd/internal/cli/tally"
	"github.com/git-sage/git-sage/cmd/internal/cli/team"
	"github.com/git-sage/git-sage/cmd/internal/cli/watcher"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/item"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
)

// newRoot builds the tree of commands, or, of a command line that names one, the
// branch that leads to it: all of them cost 0.6 ms, at every start.
func newRoot(a *app.App, args ...string) *cobra.Command {
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
			return unknownCommand(c, words[:1])
		} else if c.HasParent() && c.HasSubCommands() && len(words) > 1 && len(wordsOf(words[1:])) > 0 {
			return usage.UnknownVerb(c, words[1:2])
		}
		return usage.FlagError(c, err)
	})
	globalFlags(a, root)
	completeIDs(a, root)
	root.PersistentPreRun = func(c *cobra.Command, args []string) {
		a.Reads = isReader(c, args)
		if f := root.PersistentFlags(); f.Changed("global") && a.Global {
			a.TypedStore += "--global "
		}
		if f := root.PersistentFlags(); f.Changed("session") {
			a.TypedStore += "--session " + gitstore.InShell(a.Session) + " "
		}
	}
	version := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, args []string) error {
		if *version {
			return printVersion(a)
		}
		if len(args) == 0 {
			return printOverview(a, c)
		}
		return unknownCommand(c, args)
	}
	return root
}

// A section is a group of commands under a heading of 'git sage help'.
type section struct {
	title   string
	entries []app.Entry
}

// sections are all commands, in the order in which help shows them. A command that
// stands here and under a noun is built twice: cobra commands have one parent.
func sections(args []string) []section {
	return []section{
		{"Get started", []app.Entry{
			app.Verb("init", connect.NewInit),
			app.Verb("status", health.NewStatus),
			app.Verb("ui", page.NewUI),
			app.Verb("help", newHelpCmd),
		}},
		{"Remember and recall", []app.Entry{
			app.Verb("remember", knowledge.NewRemember),
			app.Verb("recall", search.NewRecall),
			app.Verb("forget", func(a *app.App) *cobra.Command { return item.TakeShortIDs(a, knowledge.NewForget(a)) }),
			app.Verb("list", knowledge.NewList),
			app.Verb("search", search.New),
			app.Verb("ask", ask.New),
			app.Verb("chat", ask.NewChat),
			app.Verb("review", review.New),
			app.Verb("undo", admin.NewUndo),
		}},
		{"Record conclusions", []app.Entry{
			app.Verb("save", checkpoint.NewSave),
			app.Verb("log", checkpoint.NewLog),
			app.Verb("activity", team.NewActivity),
			app.Verb("show", checkpoint.NewShow),
			app.Verb("diff", checkpoint.NewDiff),
			app.Verb("notes", notes.New),
			app.Verb("handoff", checkpoint.NewHandoff),
			app.Verb("import", importing.NewImport),
			app.Verb("export", export.New),
			app.Verb("checkpoint", func(a *app.App) *cobra.Command {
				return checkpoint.New(a, args, app.Verb("search", search.NewOfCheckpoints), app.Verb("branch", line.NewBranchAt), app.Verb("confirm", review.NewConfirmCheckpoint))
			}),
			app.Verb("templates", checkpoint.NewTemplates),
		}},
		{"Find code", []app.Entry{
			app.Verb("index", code.NewIndex),
			app.Verb("search-code", code.NewSearch),
			app.Verb("grep", code.NewGrep),
			app.Verb("outline", code.NewOutline),
			app.Verb("analyze", code.NewAnalyze),
			app.Verb("related", code.NewRelated),
			app.Verb("why", code.NewWhy),
			app.Verb("blame", code.NewBlame),
			app.Verb("verify", code.NewVerify),
		}},
		{"Explore alternatives", []app.Entry{
			app.Verb("branch", line.NewBranch),
			app.Verb("switch", line.NewSwitch),
			app.Verb("merge", line.NewMerge),
			app.Verb("tag", line.NewTag),
			app.Verb("rev-parse", line.NewRevParse),
		}},
		{"Work with others", []app.Entry{
			app.Verb("sync", remote.NewSync),
			app.Verb("share", remote.NewShare),
			app.Verb("fetch", remote.NewFetch),
			app.Verb("pull", remote.NewPull),
			app.Verb("push", remote.NewPush),
			app.Verb("remote", remote.New),
			app.Verb("trust", review.NewTrust),
			app.Verb("refuse", func(a *app.App) *cobra.Command { return item.TakeShortIDs(a, review.NewRefuse(a)) }),
		}},
		{"Kinds of knowledge", []app.Entry{
			app.Verb("knowledge", func(a *app.App) *cobra.Command {
				return knowledge.New(a, args, app.Verb("match", search.NewMatch), app.Verb("search", search.NewOfKnowledge), app.Verb("confirm", review.NewConfirmItem))
			}),
			app.Verb("todo", knowledge.NewTodo),
			app.Verb("failure", knowledge.NewFailure),
			app.Verb("note", knowledge.NewNote),
			app.Verb("core", knowledge.NewCore),
			app.Verb("skill", func(a *app.App) *cobra.Command { return knowledge.NewSkill(a, args) }),
			app.Verb("confirm", func(a *app.App) *cobra.Command { return item.TakeShortIDs(a, review.NewConfirm(a)) }),
		}},
		{"Connect agents", []app.Entry{
			app.Verb("hooks", connect.NewHooks),
			app.Verb("mcp", serve.NewMCP),
			app.Verb("agent-skills", connect.NewAgentSkills),
			app.Verb("continuity", admin.NewContinuity),
			app.Verb("usage", tally.NewUsage),
			app.Verb("watcher", watcher.New),
		}},
		{"Check, repair and clean up", []app.Entry{
			app.Verb("doctor", health.NewDoctor),
			app.Verb("fsck", health.NewFsck),
			app.Verb("purge", admin.NewPurge),
			app.Verb("redact", admin.NewRedact),
			app.Verb("admin", func(a *app.App) *cobra.Command {
				return admin.New(a, model.NewRebuild(a), model.NewClearCache(a), model.NewEmbedTest(a))
			}),
		}},
		{"Set up", []app.Entry{
			app.Verb("config", settings.New),
			app.Verb("model", func(a *app.App) *cobra.Command { return model.New(a, args) }),
			app.Verb("embed", model.NewEmbed),
			app.Verb("completion", newCompletionCmd),
			app.Verb("version", newVersionCmd),
			app.Verb("hook", serve.NewHook),
			app.Verb("man", newManCmd),
			app.Verb("uninstall", connect.NewUninstall),
		}},
	}
}

// addCommands adds to root the command that args name, or all of them, each to its section.
func addCommands(a *app.App, root *cobra.Command, args []string) {
	var all []app.Entry
	titles := map[string]string{}
	for _, s := range sections(args) {
		root.AddGroup(&cobra.Group{ID: s.title, Title: s.title})
		for _, e := range s.entries {
			titles[e.Name] = s.title
		}
		all = append(all, s.entries...)
	}
	for _, c := range app.Build(a, args, all) {
		c.GroupID = titles[c.Name()]
		root.AddCommand(c)
	}
}

const rootLong = `git sage keeps conclusions and the reasons for them as checkpoints: commits on
refs under refs/sage of this repository, with branches, merges and diffs as in
git. What stays true it keeps as knowledge: facts, preferences, todos, failures.

Use -C <dir> before the command to run as if started in <dir>.`

// globalFlags defines the options that every command has.
func globalFlags(a *app.App, root *cobra.Command) {
	f := root.PersistentFlags()
	f.SortFlags = false
	f.BoolVar(&a.JSON, "json", false, "print one JSON object per line")
	f.BoolVar(&a.Global, "global", false, "use your own store instead of the repository's")
	f.StringVar(&a.Session, "session", a.Session, "act for this agent `session` ($SAGE_SESSION)")
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
