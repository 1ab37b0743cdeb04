package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/format"
	"github.com/git-sage/git-sage/recall/embed/onnx"
)

func newModelCmd(a *app, args []string) *cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	return usage.Group("model", "List and choose embedding models", `Knowledge is found by words and by meaning. An embedding model turns texts into
vectors to compare meanings. Two models are built in: e5-small-v2 for prose and
all-MiniLM-L6-v2 for code. To use another from a server, see
'git sage model use --url'. A git-sage built with -tags hugot also runs
published ONNX models from ~/.sage/models/<name>. Nothing is ever downloaded.
Vectors of different models are never compared.`,
		wanted(a, args, []entry{
			{"list", newModelListCmd},
			{"info", newModelInfoCmd},
			{"use", newModelUseCmd},
			{"calibrate", newModelCalibrateCmd},
		})...,
	)
}

// modelFolder is where the ONNX models of a person lie, and what is known of endpoints.
func (a *app) modelFolder() string { return filepath.Join(a.home(), "models") }

// builtIn are the models in the program, with their weights.
func (a *app) builtIn() map[string]string {
	all := map[string]string{}
	if a.weights.Prose != "" {
		all[proseName] = a.weights.Prose
	}
	if a.weights.Code != "" {
		all[codeName] = a.weights.Code
	}
	return all
}

// modelNames are all that can be chosen, those that are built in first.
func (a *app) modelNames() []string {
	var names []string
	for _, name := range []string{proseName, codeName} {
		if a.builtIn()[name] != "" {
			names = append(names, name)
		}
	}
	if !onnx.Available {
		return names
	}
	var own []string
	for _, pattern := range []string{"*", "*/*"} { // <name>, <author>/<name>
		files, _ := filepath.Glob(filepath.Join(a.modelFolder(), filepath.FromSlash(pattern), "tokenizer.json"))
		for _, file := range files {
			name, err := filepath.Rel(a.modelFolder(), filepath.Dir(file))
			if name = filepath.ToSlash(name); err == nil && a.builtIn()[name] == "" && isModelName(name) {
				own = append(own, name)
			}
		}
	}
	slices.Sort(own)
	return append(names, own...)
}

// isModelName says whether settings take it.
func isModelName(name string) bool {
	k, err := config.Lookup(proseKey)
	if err != nil {
		return false
	}
	_, err = k.Parse(name)
	return err == nil
}

// errNoModel is wrapped by errors for models that are neither built in nor a folder that
// this program could run.
var errNoModel = errors.New("no model")

// modelNamed opens one of modelNames; the error wraps errNoModel for others.
func (a *app) modelNamed(name string) (embed.Embedder, error) {
	if weights := a.builtIn()[name]; weights != "" {
		return embed.OpenBert(weights)
	}
	if !slices.Contains(a.modelNames(), name) {
		return nil, fmt.Errorf("%w '%s'", errNoModel, name)
	}
	dir := a.onnxFolder(name)
	if err := plainfile.CheckFolder(a.home(), dir); err != nil {
		return nil, err
	}
	e, err := onnx.Open(dir, name)
	return onnxEmbedder{e, dir}, err
}

func (a *app) onnxFolder(name string) string {
	return filepath.Join(a.modelFolder(), filepath.FromSlash(name))
}

// onnxEmbedder keeps its calibration beside the model.
type onnxEmbedder struct {
	embed.Embedder
	dir string
}

func (e onnxEmbedder) CalibrationFile() string { return filepath.Join(e.dir, "calibration.json") }

// completeModels offers the names of models, for the first argument only.
func (a *app) completeModels(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	for _, name := range a.modelNames() {
		if len(args) == 0 {
			offers = append(offers, usage.Offer(name, a.modelKind(name)))
		}
	}
	return usage.Matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) modelKind(name string) string {
	if a.builtIn()[name] != "" {
		return "built in"
	}
	return "ONNX"
}

func newModelListCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the models that run here",
		Long: `List the models that run here: as a table on a terminal, separated by tabs in a
pipe (name, kind, vector size, layers, megabytes, licence, what the settings use
it for), or as objects with --json.`,
		Args: usage.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.modelList(c.Context()) },
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

func (a *app) modelList(ctx context.Context) error {
	_, c, err := a.openConfig(ctx)
	if err != nil {
		return err
	}
	t := term.Table{Head: []string{"name", "kind", "dim", "layers", "MB", "licence", "used for"}}
	for _, name := range a.modelNames() {
		info, err := a.modelInfo(name, c)
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
		t.Add(name, a.modelKind(name), fmt.Sprint(info.Dim), layers, size, info.License, strings.Join(info.UsedFor, ", "))
	}
	return t.Print(&a.Terminal)
}

// modelInfo is what is known of a model, and what the settings use it for.
func (a *app) modelInfo(name string, c *config.Config) (modelJSON, error) {
	out := modelJSON{Name: name, UsedFor: []string{}}
	for _, use := range []struct{ key, what string }{{proseKey, "prose"}, {codeKey, "code"}} {
		if c.String(use.key) == name {
			out.UsedFor = append(out.UsedFor, use.what)
		}
	}
	if weights := a.builtIn()[name]; weights != "" {
		h, err := format.Parse(weights)
		if err != nil {
			return out, fmt.Errorf("model '%s': %w", name, err)
		}
		out.BuiltIn, out.Source, out.License, out.Vectors, out.Layers, out.Dim, out.Heads = true, h.Source, h.License, h.Name, h.Layers, h.Hidden, h.Heads
		out.MaxTokens, out.Pooling, out.QueryPrefix, out.DocumentPrefix, out.Bytes = h.MaxTokens, h.Pooling, h.QueryPrefix, h.DocumentPrefix, int64(len(weights))
		return out, nil
	}
	e, err := a.modelNamed(name)
	if err != nil {
		return out, err
	}
	m := e.Model()
	out.Source, out.Vectors, out.Dim, out.MaxTokens = a.onnxFolder(name), m.Name, m.Dim, m.MaxTokens
	out.QueryPrefix, out.DocumentPrefix = m.QueryPrefix, m.DocumentPrefix
	return out, nil
}
