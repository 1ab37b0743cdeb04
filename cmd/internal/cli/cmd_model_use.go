package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/config"
)

// The keys that say which model answers.
const (
	proseKey = "embedding_model"
	codeKey  = "code_embedding_model"
)

func newModelUseCmd(a *app) *cobra.Command {
	var code bool
	c := &cobra.Command{
		Use:   "use <name> [--code]",
		Short: "Choose the model that answers",
		Long: `Writes the model's name to tuning.yaml in ~/.sage: embedding_model, or with --code
code_embedding_model. Then the vectors of the store at hand are made anew; those of
other repositories are when they are next searched, or by 'git sage admin
rebuild-embeddings' there. Until a text has its new vector it is found by its words.
Vectors of the model before stay until maintenance removes them, so that changing
back costs nothing. 'none' switches meaning off.`,
		Example:           "git sage model use BAAI/bge-small-en-v1.5",
		Args:              exactArgs("name"),
		ValidArgsFunction: a.completeModels,
		RunE:              func(c *cobra.Command, args []string) error { return a.modelUse(c.Context(), args[0], code) },
	}
	c.Flags().BoolVar(&code, "code", false, "for code, not for prose")
	return c
}

func (a *app) modelUse(ctx context.Context, name string, code bool) error {
	if name != noModel {
		e, err := a.modelNamed(name)
		if err != nil {
			return a.hintModels(err)
		}
		if err := calibrated(ctx, e); err != nil {
			return err
		}
	}
	key := proseKey
	if code {
		key = codeKey
	}
	file := config.File{Path: a.userTuning()}
	if err := file.Set(key, name); err != nil {
		return err
	}
	a.say("%s is %s now, in %s", key, name, file.Path)
	if err := a.overruled(ctx, key, name); err != nil || code || name == noModel {
		return err
	}
	return a.revector(ctx)
}

// overruled warns if something stronger than the user's file names another model.
func (a *app) overruled(ctx context.Context, key, name string) error {
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	c, err := a.config(m.Store)
	if err != nil {
		return err
	}
	if e := c.Entry(key); e.Text() != name {
		a.warn("here %s is %s all the same, by %s", key, e.Text(), e.Source)
	}
	return nil
}

// revector makes the vectors that the model of the settings lacks in the store at hand.
func (a *app) revector(ctx context.Context) error {
	bar := a.progress("embedding")
	r, err := a.mem.Refresh(ctx, bar.left)
	bar.end()
	if err != nil {
		return withHint(err, "'git sage admin rebuild-embeddings' makes the vectors; until then words alone are compared")
	}
	if r.Busy {
		a.say("another process makes the vectors")
		return nil
	}
	_, err = fmt.Fprintln(a.out, refreshed(r))
	return err
}

func newModelRmCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:               "rm <name>",
		Short:             "Remove a model that was fetched",
		Long:              "Removes a model from ~/.sage/models. One that your tuning.yaml names is kept: choose\nanother with 'git sage model use' before.",
		Args:              exactArgs("name"),
		ValidArgsFunction: a.completeModels,
		RunE:              func(_ *cobra.Command, args []string) error { return a.modelRm(args[0]) },
	}
}

func (a *app) modelRm(name string) error {
	if a.builtIn()[name] != "" {
		return usagef("'%s' is built in and cannot be removed", name)
	}
	c, err := config.Load(config.Sources{User: a.userTuning()})
	if err != nil {
		return err
	}
	for key, instead := range map[string]string{proseKey: proseName, codeKey: codeName + " --code"} {
		if strings.EqualFold(c.String(key), name) {
			return withHint(fmt.Errorf("'%s' is in use: %s in %s names it", name, key, a.userTuning()), "'git sage model use %s' chooses another", instead)
		}
	}
	if err := a.modelFolder().Remove(name); err != nil {
		return a.hintModels(err)
	}
	a.say("removed %s", name)
	return nil
}
