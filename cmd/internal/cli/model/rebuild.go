package model

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/background"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall"
)

// NewRebuild makes 'git sage admin rebuild-embeddings'.
func NewRebuild(a *app.App) *cobra.Command {
	var missing, quiet bool
	var of background.Target
	c := &cobra.Command{
		Use:   "rebuild-embeddings [--missing] [-q]",
		Short: "Rebuild the search index from git",
		Long: `Rebuild the index by which items and checkpoints are found: their words, and
their vectors by the model of embedding_model. It is stored beside git's own
caches and has nothing that git does not have. Searches keep working meanwhile.

With --missing, add only what is missing. This also happens by itself: at once
where it is quick, otherwise in the background.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runRebuild(c.Context(), a, of, missing, quiet) },
	}
	f := c.Flags()
	f.BoolVar(&missing, "missing", false, "add only what is missing")
	f.BoolVarP(&quiet, "quiet", "q", false, "print only errors")
	of.Flag(f)
	return c
}

// NewClearCache makes 'git sage admin clear-cache'.
func NewClearCache(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "clear-cache",
		Short: "Remove the search index; the next search rebuilds it",
		Args:  usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := a.Open(c.Context())
			if err != nil {
				return err
			}
			if err := m.Stores.Drop(c.Context()); err != nil {
				return err
			}
			a.Say("removed; the next search rebuilds it")
			return nil
		},
	}
}

func runRebuild(ctx context.Context, a *app.App, of background.Target, missing, quiet bool) error {
	if quiet {
		background.StepBack()
	}
	return a.WorkOn(ctx, of, func(m *recall.Memory) error { return refreshSearch(ctx, a, m, missing, quiet) })
}

func refreshSearch(ctx context.Context, a *app.App, m *recall.Memory, missing, quiet bool) error {
	if !missing {
		if err := m.Stores.Drop(ctx); err != nil {
			return err
		}
	}
	bar := a.Progress("embedding")
	r, err := m.Stores.Refresh(ctx, bar.Left)
	bar.End()
	switch {
	case err != nil || quiet:
		return err
	case a.JSON:
		return a.PrintJSON(map[string]any{"documents": r.Documents, "vectors": r.Vectors, "missing": r.Missing, "model": r.Model, "busy": r.Busy})
	case r.Busy:
		a.Say("another process is rebuilding the index")
		return nil
	}
	_, err = fmt.Fprintln(a.Out, refreshed(r))
	return err
}

// refreshed says in a line what there is to search.
func refreshed(r recall.Refresh) string {
	s := legible.Count(r.Documents, "document") + " can be found by their words"
	if r.Model == "" {
		return s
	}
	return fmt.Sprintf("%s, %d of %d pieces also by meaning (%s)", s, r.Vectors, r.Vectors+r.Missing, r.Model)
}
