package settings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/connect"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore"
)

// New makes 'git sage config'.
func New(a *app.App) *cobra.Command {
	c := usage.Group("config", "List and change settings", configLong,
		newConfigListCmd(a), newConfigGetCmd(a), newConfigSetCmd(a), newConfigResetCmd(a))
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage.UnknownVerb(c, args)
		}
		if _, err := config.Lookup(args[0]); err != nil {
			return usage.UnknownVerb(c, args)
		}
		return &usage.Error{Msg: usage.NotACommand(c, args[0]), Hints: []string{
			fmt.Sprintf("'git sage config get %[1]s' shows it, 'git sage config set %[1]s <value>' changes it", args[0])}}
	}
	return c
}

const configLong = `A setting comes from the first of these that has it: SAGE_<KEY> in the
environment, sage.<key> in git's configuration, .sage/tuning.yaml in the
repository, tuning.yaml in ~/.sage, the default. 'git sage config list <key>'
shows which.`

func newConfigListCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use: "list [<key>...]",
		Example: `git sage config list
git sage config list autosave`,
		Short: "List settings and where each comes from",
		Long: `List all settings, or those named, with value and origin, and warn about unknown
keys and bad values. The settings are:

` + settingsText(),
		RunE:              func(c *cobra.Command, args []string) error { return listSettings(c.Context(), a, args) },
		ValidArgsFunction: completeKeys,
	}
}

func newConfigGetCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:               "get <key>",
		Short:             "Print the value of a setting",
		Long:              "Print the value that applies here, and nothing else.",
		Example:           "git sage config get recall_threshold",
		Args:              usage.ExactArgs("key"),
		RunE:              func(c *cobra.Command, args []string) error { return getSetting(c.Context(), a, args[0]) },
		ValidArgsFunction: completeKeys,
	}
}

// A Reach is for whom a setting is written, from the narrowest on.
type Reach struct{ local, Project bool }

func (r *Reach) flags(a *app.App, c *cobra.Command) {
	c.Flags().SortFlags = false
	c.Flags().BoolVar(&r.local, "local", false, "for you, in this repository (default)")
	c.Flags().BoolVar(&a.Global, "global", false, "for you, in all repositories: ~/.sage/tuning.yaml")
	c.Flags().BoolVar(&r.Project, "project", false, "for everybody on this project: .sage/tuning.yaml")
}

func newConfigSetCmd(a *app.App) *cobra.Command {
	var r Reach
	var quiet bool
	c := &cobra.Command{
		Use:   "set [--local | --global | --project] [-q] <key> <value>",
		Short: "Change a setting",
		Long:  configSetLong,
		Example: `git sage config set recall_threshold 0.65
git sage config set --global autosave ask`,
		Args:              usage.ExactArgs("key", "value"),
		RunE:              func(c *cobra.Command, args []string) error { return setSetting(c.Context(), a, r, quiet, args) },
		ValidArgsFunction: completeKeys,
	}
	r.flags(a, c)
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

const configSetLong = `Set a key for you in this repository, as sage.<key> in its git configuration;
'git config sage.recallMaxItems 5' does the same. With --project, set it for
everybody, in .sage/tuning.yaml of the repository, which an agent may not do;
with --global, for you in all repositories, in ~/.sage/tuning.yaml.

If a key is set in several places, the first of these counts: SAGE_<KEY> in the
environment, git's configuration of the repository, your own git configuration,
the project's file, the file in ~/.sage. If another place overrides the one you
set, a warning names it and the value that applies.

A key may be spelled recall_max_items, recallMaxItems or recall-max-items. Keys
that a repository cannot set (transcripts, endpoint_url, ...) are set as with
--global, and so is everything outside of a repository.`

func newConfigResetCmd(a *app.App) *cobra.Command {
	var r Reach
	c := &cobra.Command{
		Use:     "reset [--local | --global | --project] [<key>...]",
		Example: "git sage config reset recall_threshold",
		Short:   "Remove settings from one place",
		Long: `Remove the keys, or all, from where 'config set' writes them with the same
option: this repository's git configuration, ~/.sage/tuning.yaml or
.sage/tuning.yaml. Keys that a repository cannot set (ask, transcripts, ...) are
removed from ~/.sage/tuning.yaml without an option. Comments and unknown keys
stay. If another place sets a key as well, print the value that applies now.`,
		RunE:              func(c *cobra.Command, args []string) error { return resetSettings(c.Context(), a, r, args) },
		ValidArgsFunction: completeKeys,
	}
	r.flags(a, c)
	return c
}

// settingsText says what each setting is, a line each or two.
func settingsText() string {
	var b strings.Builder
	for _, k := range config.Keys() {
		if !k.Ignored {
			fmt.Fprintf(&b, "  %s\n", term.Wrap(k.Name+": "+k.Doc, 68, "      "))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// completeKeys offers the settings.
func completeKeys(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, k := range config.Keys() {
		if !k.Ignored {
			offers = append(offers, usage.Offer(k.Name, k.Doc))
		}
	}
	return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
}

// settingJSON is what config list --json prints of a setting.
type settingJSON struct {
	Key     string `json:"key"`
	Value   any    `json:"value"`
	Default any    `json:"default"`
	Source  string `json:"source"`
	Doc     string `json:"doc"`
	Warning string `json:"warning,omitempty"`
}

// openChosen reads the settings, warns of what is wrong with them, and finds those of the
// given names.
func openChosen(ctx context.Context, a *app.App, names []string) (*config.Config, []config.Key, error) {
	_, c, err := a.OpenConfig(ctx)
	if err != nil {
		return nil, nil, err
	}
	keys, err := ChosenKeys(names)
	if err != nil {
		return nil, nil, err
	}
	for _, w := range c.Warnings() {
		a.Warn("%s", w)
	}
	return c, keys, nil
}

func listSettings(ctx context.Context, a *app.App, names []string) error {
	c, keys, err := openChosen(ctx, a, names)
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"key", "value", "source"}}
	for _, k := range keys {
		e := c.Entry(k.Name)
		if a.JSON {
			if err := a.PrintJSON(settingJSON{e.Key, e.Value, k.Default, e.Source, k.Doc, e.Warning}); err != nil {
				return err
			}
			continue
		}
		t.Add(e.Key, held(k, e), e.Source)
	}
	return t.Print(&a.Terminal)
}

func getSetting(ctx context.Context, a *app.App, key string) error {
	if a.JSON {
		return listSettings(ctx, a, []string{key})
	}
	c, keys, err := openChosen(ctx, a, []string{key})
	if err != nil {
		return err
	}
	e := c.Entry(keys[0].Name)
	_, err = fmt.Fprintln(a.Out, held(keys[0], e))
	return err
}

// held is the value of a setting as people read it.
func held(k config.Key, e config.Entry) string {
	if e.Source == "default" && k.Unset != "" {
		return k.Unset
	}
	return e.Text()
}

// ChosenKeys are the named keys, or all that still mean something.
func ChosenKeys(names []string) (keys []config.Key, err error) {
	for _, name := range names {
		k, err := config.Lookup(name)
		if err != nil {
			return nil, hintKeys(err, name)
		}
		keys = append(keys, k)
	}
	if len(names) > 0 {
		return keys, nil
	}
	for _, k := range config.Keys() {
		if !k.Ignored {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// hintKeys says of a key that there is not where to find those that there are.
func hintKeys(err error, names ...string) error {
	for _, name := range names {
		if _, unknown := config.Lookup(name); unknown != nil {
			return exit.WithHint(err, "'git sage config list' lists the keys")
		}
	}
	return err
}

var errProjectSetting = errors.New("an agent cannot change the settings of the project: run this in a terminal of your own")

// A Destination is where settings are written: a tuning file, or git's configuration.
type Destination struct {
	File  config.File
	store *gitstore.Store // nil is the file
	who   string          // for whom
}

// userTuning is the file of the user's own settings.
func userTuning(a *app.App) Destination {
	return Destination{File: config.File{Path: a.UserTuning()}, who: "for you, in all repositories"}
}

// DestinationOf is the one for a reach.
func DestinationOf(ctx context.Context, a *app.App, r Reach) (Destination, error) {
	own := userTuning(a)
	switch {
	case r.Project && (r.local || a.Global) || r.local && a.Global:
		return own, usage.Errorf("use only one of --local, --global and --project")
	case a.Global:
		return own, nil
	case r.Project && !a.IsPerson():
		return own, errProjectSetting
	}
	m, err := a.Open(ctx)
	switch {
	case err != nil:
		return own, err
	case !r.Project && a.IsOutside(m.Store):
		return own, nil
	case !r.Project:
		return Destination{store: m.Store, who: "for you, in this repository"}, nil
	}
	file := app.ProjectTuning(m.Store)
	if file == "" {
		return own, fmt.Errorf("no work tree here for .sage/tuning.yaml")
	}
	return Destination{File: config.File{Path: file, Project: true}, who: "for everybody on this project"}, nil
}

func setSetting(ctx context.Context, a *app.App, r Reach, quiet bool, args []string) error {
	k, err := config.Lookup(args[0])
	if err != nil {
		return hintKeys(err, args[0])
	}
	s, err := DestinationOf(ctx, a, r)
	if err != nil {
		return err
	}
	if s.store != nil && k.UserOnly {
		if r.local {
			return fmt.Errorf("a repository cannot set %s; use 'git sage config set --global %s %s'", k.Name, k.Name, gitstore.InShell(args[1]))
		}
		s = userTuning(a)
		s.who += ", as a repository cannot set this key"
	}
	in := a.Homely(s.File.Path)
	if s.store != nil {
		in = "git's configuration"
		err = setHere(ctx, s.store, k, args[1])
	} else {
		err = s.File.Set(k.Name, args[1])
	}
	if err != nil {
		return err
	}
	if k.Ignored {
		a.Warn("%s: %s", k.Name, k.Doc)
	}
	if !quiet {
		a.Say("set %s=%s in %s, %s", k.Name, args[1], in, s.who)
	}
	if k.Name == "autosave" {
		connect.HintHooks(ctx, a)
	}
	if k.Ignored {
		return nil
	}
	now, err := settingsNow(ctx, a)
	if err != nil {
		return err
	}
	if e := now.Entry(k.Name); !s.isSource(e.Source) {
		a.Warn("%s is still %s here, from %s", k.Name, e.Text(), a.SourceText(e.Source))
	}
	if err := a.Models().Replaced(now); err != nil && k.Name == models.ProseKey {
		a.Warn("%v", err)
	}
	return nil
}

// setHere writes a setting into git's configuration.
func setHere(ctx context.Context, s *gitstore.Store, k config.Key, value string) error {
	v, err := k.Parse(value)
	if err != nil {
		return err
	}
	return s.Repo.SetConfig(ctx, k.GitName(), config.Entry{Value: v}.Text())
}

// settingsNow are the settings that hold in the folder at hand, whatever was read before.
func settingsNow(ctx context.Context, a *app.App) (*config.Config, error) {
	here := *a
	here.Global = false
	m, err := here.OpenAsIs(ctx)
	a.Temporary = here.Temporary // which go with the command
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return here.Config(m.Store)
}

// isSource reports whether a setting that comes from there is the one in this place.
func (d Destination) isSource(source string) bool {
	switch {
	case d.store != nil:
		return strings.HasPrefix(source, "git config ") && strings.HasSuffix(source, " (local)")
	case d.File.Project:
		return strings.HasPrefix(source, "project ")
	}
	return strings.HasPrefix(source, "user ")
}

func resetSettings(ctx context.Context, a *app.App, r Reach, names []string) error {
	keys, err := ChosenKeys(names)
	if err != nil {
		return err
	}
	s, err := DestinationOf(ctx, a, r)
	if err != nil {
		return err
	}
	if len(names) > 0 && s.store != nil && !r.local && !slices.ContainsFunc(keys, func(k config.Key) bool { return !k.UserOnly }) {
		s = userTuning(a) // where 'config set' writes them
	}
	in := "git's configuration of this repository"
	var removed []string
	if s.store != nil {
		removed, err = resetHere(ctx, s.store, names)
	} else {
		in = a.Homely(s.File.Path)
		removed, err = s.File.Reset(names...)
	}
	if err != nil {
		return hintKeys(err, names...)
	}
	if len(removed) > 0 {
		return sayReset(ctx, a, removed)
	}
	a.Say("nothing was set in %s", in)
	return hintElsewhere(a, names)
}

// sayReset says which settings were reset, and of those that another place sets, too, what
// they are now.
func sayReset(ctx context.Context, a *app.App, removed []string) error {
	slices.Sort(removed)
	removed = slices.Compact(removed) // it may be spelled in several ways
	a.Say("reset %s", strings.Join(removed, ", "))
	now, err := settingsNow(ctx, a)
	if err != nil {
		return err
	}
	for _, name := range removed {
		if k, err := config.Lookup(name); err != nil || k.Ignored {
			continue
		}
		if e := now.Entry(name); e.Source != "default" {
			a.Say("%s is %s now, from %s", name, e.Text(), a.SourceText(e.Source))
		}
	}
	return nil
}

// resetHere takes settings out of git's configuration of the repository, however they
// are spelled there.
func resetHere(ctx context.Context, s *gitstore.Store, names []string) (removed []string, err error) {
	wanted := map[string]bool{}
	for _, name := range names {
		if k, err := config.Lookup(name); err == nil {
			wanted[k.Name] = true
		}
	}
	for _, key := range s.Repo.ConfigKeys("sage.") {
		k, err := config.Lookup(strings.TrimPrefix(key, "sage."))
		if _, scope, _ := s.Repo.Config(key); err != nil || scope != "local" || len(wanted) > 0 && !wanted[k.Name] {
			continue
		}
		if err := s.Repo.UnsetConfig(ctx, key); err != nil {
			return removed, err
		}
		removed = append(removed, k.Name)
	}
	return removed, nil
}

// hintElsewhere says of a key that is set somewhere else how it is reset there.
func hintElsewhere(a *app.App, names []string) error {
	if len(names) != 1 || a.Store == nil {
		return nil
	}
	c, err := a.Config(a.Store)
	if err != nil {
		return err
	}
	k, err := config.Lookup(names[0])
	if err != nil {
		return err
	}
	switch e := c.Entry(k.Name); {
	case e.Reset() != "":
		a.Hint("'%s' removes %s from %s", e.Reset(), e.Text(), a.SourceText(e.Source))
	case e.Source != "default":
		a.Hint("%s is %s, from %s", k.Name, e.Text(), a.SourceText(e.Source))
	}
	return nil
}
