package model

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/exit"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
)

func newModelInfoCmd(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "info <name>",
		Short: "Show a model's shape, source and licence",
		Long: `Show a model's shape, source and licence, and the prefix it puts before queries
and documents. The weights of a built-in model are verified: exit with status 1
if they are damaged.`,
		Args:              usage.ExactArgs("name"),
		ValidArgsFunction: completeModels(a),
		RunE:              func(c *cobra.Command, args []string) error { return showModel(c.Context(), a, args[0]) },
	}
}

func showModel(ctx context.Context, a *app.App, name string) error {
	e, err := a.Models().Named(name)
	if err != nil {
		return a.Models().Hint(err)
	}
	_, c, err := a.OpenConfig(ctx)
	if err != nil {
		return err
	}
	info, err := infoOf(a, name, c)
	if err != nil {
		return err
	}
	if a.JSON {
		err = a.PrintJSON(info)
	} else {
		err = a.Print(func(w io.Writer) { writeModel(w, info) })
	}
	if v, ok := e.(interface{ Verify() error }); ok && err == nil {
		if bad := v.Verify(); bad != nil {
			a.Warn("%v", bad)
			a.Hint("install git-sage anew")
			return exit.ErrNo
		}
	}
	return err
}

func writeModel(w io.Writer, m modelJSON) {
	row := func(key, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); text != "" {
			fmt.Fprintf(w, "%-12s %s\n", key, term.Visible(text))
		}
	}
	row("name", "%s", m.Name)
	row("used for", "%s", strings.Join(m.UsedFor, ", "))
	row("vectors", "%s, %d numbers", m.Vectors, m.Dim)
	if m.BuiltIn {
		row("shape", "%d layers, %d heads, %d tokens at most, pooling by %s", m.Layers, m.Heads, m.MaxTokens, m.Pooling)
	} else {
		row("shape", "as its ONNX file has it, %d tokens at most", m.MaxTokens)
	}
	row("queries", "%s", prefixText(m.QueryPrefix))
	row("documents", "%s", prefixText(m.DocumentPrefix))
	row("licence", "%s", m.License)
	row("source", "%s", m.Source)
	if m.BuiltIn {
		row("size", "%.1f MB", float64(m.Bytes)/1e6)
	}
}

func prefixText(prefix string) string {
	if prefix == "" {
		return ""
	}
	return fmt.Sprintf("begin with %q", prefix)
}
