package model

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

type useOptions struct {
	code        bool
	url, keyEnv string
}

func newModelUseCmd(a *app.App) *cobra.Command {
	var o useOptions
	c := &cobra.Command{
		Use:   "use <name> [--code | --url <address> [--key-env <variable>]]",
		Short: "Choose the embedding model",
		Long: `Set embedding_model, or with --code code_embedding_model, in
~/.sage/tuning.yaml, and rebuild the vectors of this store. Those of other
repositories are rebuilt when they are next searched, or by
'git sage admin rebuild-embeddings'. Until then their texts are found by words.
Old vectors stay until maintenance removes them, so switching back is free.
'none' turns off meaning.

With --url, use a server that speaks OpenAI's embeddings protocol: every text
that is saved and every prompt is sent to it. It is tried at once. Only your own
settings may name a server, never a repository's. A prompt waits a second for an
answer; then, and for the next minute, only words are compared.`,
		Example: `git sage model use all-MiniLM-L6-v2
git sage model use --url https://ai.example/v1 --key-env KEY small`,
		Args:              usage.ExactArgs("name"),
		ValidArgsFunction: completeModels(a),
		RunE:              func(c *cobra.Command, args []string) error { return runUse(c.Context(), a, args[0], o) },
	}
	f := c.Flags()
	f.BoolVar(&o.code, "code", false, "set the model for code instead of prose")
	f.StringVar(&o.url, "url", "", "the `address` of a server that embeds")
	f.StringVar(&o.keyEnv, "key-env", "", "the environment `variable` that holds the server's key")
	c.MarkFlagsMutuallyExclusive("code", "url")
	return c
}

func runUse(ctx context.Context, a *app.App, name string, o useOptions) error {
	if o.url != "" {
		return endpointUse(ctx, a, name, o)
	}
	if o.keyEnv != "" {
		return usage.Errorf("--key-env goes with --url")
	}
	if name != models.None {
		e, err := a.Models().Named(name)
		if err != nil {
			return a.Models().Hint(err)
		}
		if err := models.Calibrate(ctx, e); err != nil {
			return err
		}
	}
	key := models.ProseKey
	if o.code {
		key = models.CodeKey
	}
	file := config.File{Path: a.UserTuning()}
	if err := file.Set(key, name); err != nil {
		return err
	}
	if !o.code {
		if _, err := file.Reset(models.EmbedderKey); err != nil {
			return err
		}
	}
	a.Say("%s is %s now, in %s", key, name, file.Path)
	if err := overruled(ctx, a, key, name); err != nil || o.code || name == models.None {
		return err
	}
	return revector(ctx, a)
}

// overruled warns if something stronger than the user's file names another model.
func overruled(ctx context.Context, a *app.App, key, name string) error {
	_, c, err := a.OpenConfig(ctx)
	if err != nil {
		return err
	}
	if e := c.Entry(key); e.Text() != name {
		a.Warn("%s is still %s here, from %s", key, e.Text(), a.SourceText(e.Source))
	}
	return nil
}

// revector makes the vectors that the model of the settings lacks in the store at hand.
func revector(ctx context.Context, a *app.App) error {
	bar := a.Progress("embedding")
	r, err := a.Memory.Stores.Refresh(ctx, bar.Left)
	bar.End()
	if err != nil {
		return exit.WithHint(err, "'git sage admin rebuild-embeddings' makes the vectors; until then only words are compared")
	}
	if r.Busy {
		a.Say("another process makes the vectors")
		return nil
	}
	_, err = fmt.Fprintln(a.Out, refreshed(r))
	return err
}
