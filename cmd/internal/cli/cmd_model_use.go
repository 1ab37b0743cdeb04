package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/config"
)

// The keys that say which model answers.
const (
	proseKey = "embedding_model"
	codeKey  = "code_embedding_model"
)

type useOptions struct {
	code        bool
	url, keyEnv string
}

func newModelUseCmd(a *app) *cobra.Command {
	var o useOptions
	c := &cobra.Command{
		Use:   "use <name> [--code | --url <address> [--key-env <variable>]]",
		Short: "Choose the model that answers",
		Long: `Writes the model's name to tuning.yaml in ~/.sage: embedding_model, or with --code
code_embedding_model. Then the vectors of the store at hand are made anew; those of
other repositories are when they are next searched, or by 'git sage admin
rebuild-embeddings' there. Until a text has its new vector it is found by its words.
Vectors of the model before stay until maintenance removes them, so that changing
back costs nothing. 'none' switches meaning off.

With --url a server embeds that speaks OpenAI's protocol: every text that is saved
and every prompt is sent to it. It is tried at once. Only your own settings may name
it, not a repository's. A prompt waits a second for it, then words alone answer;
prompts of the next minute do not wait.`,
		Example: `git sage model use all-MiniLM-L6-v2
git sage model use --url https://ai.example/v1 --key-env KEY small`,
		Args:              exactArgs("name"),
		ValidArgsFunction: a.completeModels,
		RunE:              func(c *cobra.Command, args []string) error { return a.modelUse(c.Context(), args[0], o) },
	}
	f := c.Flags()
	f.BoolVar(&o.code, "code", false, "for code, not for prose")
	f.StringVar(&o.url, "url", "", "the `address` of a server that embeds")
	f.StringVar(&o.keyEnv, "key-env", "", "the environment `variable` that holds its key")
	c.MarkFlagsMutuallyExclusive("code", "url")
	return c
}

func (a *app) modelUse(ctx context.Context, name string, o useOptions) error {
	if o.url != "" {
		return a.endpointUse(ctx, name, o)
	}
	if o.keyEnv != "" {
		return usagef("--key-env goes with --url")
	}
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
	if o.code {
		key = codeKey
	}
	file := config.File{Path: a.userTuning()}
	if err := file.Set(key, name); err != nil {
		return err
	}
	if !o.code {
		if _, err := file.Reset(embedderKey); err != nil {
			return err
		}
	}
	a.say("%s is %s now, in %s", key, name, file.Path)
	if err := a.overruled(ctx, key, name); err != nil || o.code || name == noModel {
		return err
	}
	return a.revector(ctx)
}

// overruled warns if something stronger than the user's file names another model.
func (a *app) overruled(ctx context.Context, key, name string) error {
	_, c, err := a.openConfig(ctx)
	if err != nil {
		return err
	}
	if e := c.Entry(key); e.Text() != name {
		a.warn("%s is still %s here, from %s", key, e.Text(), a.sourceText(e.Source))
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
