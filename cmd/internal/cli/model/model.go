package model

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/recall/embed/format"
)

// New makes 'git sage model'.
func New(a *app.App, args []string) *cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	return usage.Group("model", "List and choose embedding models", `Knowledge is found by words and by meaning. An embedding model turns texts into
vectors to compare meanings. Two models are built in: e5-small-v2 for prose and
all-MiniLM-L6-v2 for code. To use another from a server, see
'git sage model use --url'. A git-sage built with -tags hugot also runs
published ONNX models from ~/.sage/models/<name>. Nothing is ever downloaded.
Vectors of different models are never compared.`,
		app.Build(a, args, []app.Entry{
			app.Verb("list", newModelListCmd),
			app.Verb("info", newModelInfoCmd),
			app.Verb("use", newModelUseCmd),
			app.Verb("calibrate", newModelCalibrateCmd),
		})...,
	)
}

// completeModels offers the names of models, for the first argument only.
func completeModels(a *app.App) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		var offers []string
		for _, name := range a.Models().Names() {
			if len(args) == 0 {
				offers = append(offers, usage.Offer(name, a.Models().Kind(name)))
			}
		}
		return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
	}
}

func newModelListCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the models that run here",
		Long: `List the models that run here: as a table on a terminal, separated by tabs in a
pipe (name, kind, vector size, layers, megabytes, licence, what the settings use
it for), or as objects with --json.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return listModels(c.Context(), a) },
	}
}

// modelJSON is what model list and info print with --json.
type modelJSON struct {
	Name           string   `json:"name"`
	Source         string   `json:"source"` // where it came from
	License        string   `json:"license,omitempty"`
	Vectors        string   `json:"vectors"` // the name that its vectors have: it changes with them
	Layers         int      `json:"layers"`
	Dim            int      `json:"dim"`
	Heads          int      `json:"heads"`
	MaxTokens      int      `json:"max_tokens"`
	Pooling        string   `json:"pooling"`
	QueryPrefix    string   `json:"query_prefix"`
	DocumentPrefix string   `json:"document_prefix"`
	Bytes          int64    `json:"bytes"`
	BuiltIn        bool     `json:"built_in"`
	UsedFor        []string `json:"used_for"`
}

func listModels(ctx context.Context, a *app.App) error {
	_, c, err := a.OpenConfig(ctx)
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"name", "kind", "dim", "layers", "MB", "licence", "used for"}}
	for _, name := range a.Models().Names() {
		info, err := infoOf(a, name, c)
		if err != nil {
			a.Warn("%v", err)
			continue
		}
		if a.JSON {
			if err := a.PrintJSON(info); err != nil {
				return err
			}
			continue
		}
		layers, size := fmt.Sprint(info.Layers), fmt.Sprint((info.Bytes+5e5)/1e6)
		if !info.BuiltIn { // nobody counted
			layers, size = "", ""
		}
		t.Add(name, a.Models().Kind(name), fmt.Sprint(info.Dim), layers, size, info.License, strings.Join(info.UsedFor, ", "))
	}
	return t.Print(&a.Terminal)
}

// infoOf is what is known of a model, and what the settings use it for.
func infoOf(a *app.App, name string, c *config.Config) (modelJSON, error) {
	out := modelJSON{Name: name, UsedFor: []string{}}
	for _, use := range []struct{ key, what string }{{models.ProseKey, "prose"}, {models.CodeKey, "code"}} {
		if c.String(use.key) == name {
			out.UsedFor = append(out.UsedFor, use.what)
		}
	}
	if weights := a.Models().BuiltIn()[name]; weights != "" {
		h, err := format.Parse(weights)
		if err != nil {
			return out, fmt.Errorf("model '%s': %w", name, err)
		}
		out.BuiltIn, out.Source, out.License, out.Vectors, out.Layers, out.Dim, out.Heads = true, h.Source, h.License, h.Name, h.Layers, h.Hidden, h.Heads
		out.MaxTokens, out.Pooling, out.QueryPrefix, out.DocumentPrefix, out.Bytes = h.MaxTokens, h.Pooling, h.QueryPrefix, h.DocumentPrefix, int64(len(weights))
		return out, nil
	}
	e, err := a.Models().Named(name)
	if err != nil {
		return out, err
	}
	m := e.Model()
	out.Source, out.Vectors, out.Dim, out.MaxTokens = a.Models().ONNXFolder(name), m.Name, m.Dim, m.MaxTokens
	out.QueryPrefix, out.DocumentPrefix = m.QueryPrefix, m.DocumentPrefix
	return out, nil
}
