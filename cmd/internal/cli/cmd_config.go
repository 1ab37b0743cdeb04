package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/config"
)

func newConfigCmd(a *app) *cobra.Command {
	return group("config", "List and change the settings", configLong,
		newConfigListCmd(a), newConfigGetCmd(a), newConfigSetCmd(a), newConfigResetCmd(a))
}

const configLong = `A setting comes from the first of these that has it: SAGE_<KEY> in the
environment, sage.<key> in git's configuration, .sage/tuning.yaml in the
repository, tuning.yaml in ~/.sage, the default.`

func newConfigListCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list [<key>...]",
		Short: "List the settings and where each comes from",
		Long: `Lists every setting, or those named, with its value and where that comes from.
Unknown keys and bad values are warned of. These there are:

` + settingsText(),
		RunE:              func(c *cobra.Command, args []string) error { return a.configList(c.Context(), args) },
		ValidArgsFunction: completeKeys,
	}
}

func newConfigGetCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "get <key>",
		Short:             "Print the value of a setting",
		Long:              "Prints the value that holds here, and nothing else.",
		Example:           "git sage config get recall_threshold",
		Args:              exactArgs("key"),
		RunE:              func(c *cobra.Command, args []string) error { return a.configGet(c.Context(), args[0]) },
		ValidArgsFunction: completeKeys,
	}
}

func newConfigSetCmd(a *app) *cobra.Command {
	var project, quiet bool
	c := &cobra.Command{
		Use:               "set [--project] [-q] <key> <value>",
		Short:             "Change a setting",
		Long:              configSetLong,
		Example:           "git sage config set recall_threshold 0.65",
		Args:              exactArgs("key", "value"),
		RunE:              func(c *cobra.Command, args []string) error { return a.configSet(c.Context(), project, quiet, args) },
		ValidArgsFunction: completeKeys,
	}
	c.Flags().BoolVar(&project, "project", false, "for this repository; git config sage.<key>: you, here")
	c.Flags().BoolVarP(&quiet, "quiet", "q", false, "print only warnings")
	return c
}

const configSetLong = `Writes the value to ~/.sage/tuning.yaml, for all your repositories, or with
--project to .sage/tuning.yaml of this one, for all who share that file, and says
so. For you, in this repository alone, it is 'git config sage.<key> <value>', which
counts before both. Comments and other keys stay.`

func newConfigResetCmd(a *app) *cobra.Command {
	var project bool
	c := &cobra.Command{
		Use:               "reset [--project] [<key>...]",
		Short:             "Set settings back to their defaults",
		Long:              "Takes the keys, or all, out of ~/.sage/tuning.yaml, or with --project out of\n.sage/tuning.yaml of the repository. Comments and unknown keys stay.",
		RunE:              func(c *cobra.Command, args []string) error { return a.configReset(c.Context(), project, args) },
		ValidArgsFunction: completeKeys,
	}
	c.Flags().BoolVar(&project, "project", false, "for this repository")
	return c
}

// settingsText says what each setting is, a line each or two.
func settingsText() string {
	var b strings.Builder
	for _, k := range config.Keys() {
		if !k.Ignored {
			fmt.Fprintf(&b, "  %s\n", wrap(k.Name+": "+k.Doc, 68, "      "))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// wrap breaks a text into lines of so many columns, those behind the first indented.
func wrap(text string, columns int, indent string) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		switch {
		case i > 0 && at+1+len(word) > columns:
			b.WriteString("\n" + indent)
			at = len(indent)
		case i > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += len(word)
	}
	return b.String()
}

// completeKeys offers the settings.
func completeKeys(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, k := range config.Keys() {
		if !k.Ignored {
			offers = append(offers, offer(k.Name, k.Doc))
		}
	}
	return matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
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

func (a *app) configList(ctx context.Context, names []string) error {
	_, c, err := a.openConfig(ctx)
	if err != nil {
		return err
	}
	keys, err := chosenKeys(names)
	if err != nil {
		return err
	}
	for _, w := range c.Warnings() {
		a.warn("%s", w)
	}
	t := table{head: []string{"key", "value", "source"}}
	for _, k := range keys {
		e := c.Entry(k.Name)
		if a.json {
			if err := a.printJSON(settingJSON{e.Key, e.Value, k.Default, e.Source, k.Doc, e.Warning}); err != nil {
				return err
			}
			continue
		}
		t.add(e.Key, e.Text(), e.Source)
	}
	return t.print(a)
}

func (a *app) configGet(ctx context.Context, key string) error {
	if a.json {
		return a.configList(ctx, []string{key})
	}
	_, c, err := a.openConfig(ctx)
	if err != nil {
		return err
	}
	keys, err := chosenKeys([]string{key})
	if err != nil {
		return err
	}
	for _, w := range c.Warnings() {
		a.warn("%s", w)
	}
	e := c.Entry(keys[0].Name)
	_, err = fmt.Fprintln(a.out, e.Text())
	return err
}

// chosenKeys are the named keys, or all that still mean something.
func chosenKeys(names []string) (keys []config.Key, err error) {
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
			return withHint(err, "'git sage config list' lists the keys")
		}
	}
	return err
}

// tuning is the file to change: the user's, or the repository's.
func (a *app) tuning(ctx context.Context, project bool) (config.File, error) {
	if !project {
		return config.File{Path: a.userTuning()}, nil
	}
	m, err := a.open(ctx)
	if err != nil {
		return config.File{}, err
	}
	file := projectTuning(m.Store)
	if file == "" {
		return config.File{}, fmt.Errorf("no work tree here that could hold .sage/tuning.yaml")
	}
	return config.File{Path: file, Project: true}, nil
}

func (a *app) configSet(ctx context.Context, project, quiet bool, args []string) error {
	f, err := a.tuning(ctx, project)
	if err != nil {
		return err
	}
	if err := f.Set(args[0], args[1]); err != nil {
		return hintKeys(err, args[0])
	}
	k, err := config.Lookup(args[0])
	if err != nil {
		return err
	}
	if k.Ignored {
		a.warn("%s: %s", k.Name, k.Doc)
	}
	reach := "for all your repositories"
	if project {
		reach = "for this repository"
	}
	if !quiet {
		a.say("set %s=%s in %s, %s", k.Name, args[1], a.homely(f.Path), reach)
	}
	return nil
}

// homely is a path as people write it, with ~ for their home folder.
func (a *app) homely(path string) string {
	home := a.getenv("HOME")
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

func (a *app) configReset(ctx context.Context, project bool, names []string) error {
	f, err := a.tuning(ctx, project)
	if err != nil {
		return err
	}
	removed, err := f.Reset(names...)
	if err != nil {
		return hintKeys(err, names...)
	}
	if len(removed) == 0 {
		a.say("Nothing was set in %s", f.Path)
		return nil
	}
	a.say("Reset %s", strings.Join(removed, ", "))
	return nil
}
