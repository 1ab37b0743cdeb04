package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/models"
)

func newModelCmd(a *app, args []string) *cobra.Command {
	if len(args) > 0 {
		args = args[1:]
	}
	return group("model", "List, fetch and choose the models that compare meanings", `Knowledge is found by its words and by its meaning, which an embedding model turns
into vectors. Two models are built in: e5-small-v2 for prose, all-MiniLM-L6-v2 for
code. Others lie in ~/.sage/models once you have fetched them; nothing is ever
fetched unasked. Vectors of one model are never compared with another's.`,
		wanted(a, args, []entry{
			{"list", newModelListCmd},
			{"info", newModelInfoCmd},
			{"pull", newModelPullCmd},
			{"use", newModelUseCmd},
			{"calibrate", newModelCalibrateCmd},
			{"rm", newModelRmCmd},
		})...,
	)
}

// modelFolder is where the models lie that a person fetched.
func (a *app) modelFolder() models.Folder {
	return models.Folder{Dir: filepath.Join(a.home(), "models")}
}

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
func (a *app) modelNames() ([]string, error) {
	var names []string
	for _, name := range []string{proseName, codeName} {
		if a.builtIn()[name] != "" {
			names = append(names, name)
		}
	}
	brought, err := a.modelFolder().Names()
	return append(names, slices.DeleteFunc(brought, func(name string) bool { return a.builtIn()[name] != "" })...), err
}

// modelNamed opens one of modelNames; the error wraps models.ErrNone for others.
func (a *app) modelNamed(name string) (embed.Embedder, error) {
	if weights := a.builtIn()[name]; weights != "" {
		return embed.OpenBert(weights)
	}
	return a.modelFolder().Open(name)
}

// completeModels offers the names of models, for the first argument only.
func (a *app) completeModels(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var offers []string
	names, _ := a.modelNames()
	for _, name := range names {
		if len(args) == 0 {
			offers = append(offers, offer(name, a.modelKind(name)))
		}
	}
	return matching(offers, "", word), cobra.ShellCompDirectiveNoFileComp
}

func (a *app) modelKind(name string) string {
	if a.builtIn()[name] != "" {
		return "built in"
	}
	return "fetched"
}

func newModelListCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the models that are here",
		Long: `Lists the models that are built in and those you fetched: in a table on a terminal,
separated by tabs in a pipe (name, kind, numbers in a vector, layers, megabytes,
licence, what the settings here use it for), as objects with --json.`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.modelList(c.Context()) },
	}
}

// modelJSON is what model list and info print with --json.
type modelJSON struct {
	models.Info
	BuiltIn bool     `json:"built_in"`
	UsedFor []string `json:"used_for"`
}

func (a *app) modelList(ctx context.Context) error {
	names, err := a.modelNames()
	if err != nil {
		return err
	}
	_, c, err := a.openConfig(ctx)
	if err != nil {
		return err
	}
	t := table{head: []string{"name", "kind", "dim", "layers", "MB", "licence", "used for"}}
	for _, name := range names {
		info, err := a.modelInfo(name, c)
		if err != nil {
			a.warn("%v", err)
			continue
		}
		if a.json {
			if err := a.printJSON(info); err != nil {
				return err
			}
			continue
		}
		t.add(name, a.modelKind(name), fmt.Sprint(info.Dim), fmt.Sprint(info.Layers), fmt.Sprint((info.Bytes+5e5)/1e6), info.License, strings.Join(info.UsedFor, ", "))
	}
	return t.print(a)
}

// modelInfo is what is known of a model, and what the settings use it for.
func (a *app) modelInfo(name string, c *config.Config) (modelJSON, error) {
	out := modelJSON{BuiltIn: a.builtIn()[name] != "", UsedFor: []string{}}
	var err error
	if out.BuiltIn {
		out.Info, err = models.InfoOf(name, a.builtIn()[name])
	} else {
		out.Info, err = a.modelFolder().Info(name)
	}
	for _, use := range []struct{ key, what string }{{proseKey, "prose"}, {codeKey, "code"}} {
		if c.String(use.key) == name {
			out.UsedFor = append(out.UsedFor, use.what)
		}
	}
	return out, err
}
