package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/models"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/recall/embed"
)

type embedOptions struct {
	model string
	query bool
	nul   bool
}

// NewEmbed makes 'git sage embed'.
func NewEmbed(a *app.App) *cobra.Command {
	var o embedOptions
	c := &cobra.Command{
		Use:   "embed [--model <name>] [--query] [-z] <file>|-",
		Short: "Print embedding vectors for texts",
		Long: `Read texts, one per line, from <file> or standard input (-), and print the
vector of each as a JSON array of numbers, of length 1. The dot product of two
vectors is their cosine. Texts are embedded as documents; give --query for texts
to search with, which models such as e5-small-v2 embed differently. An empty
line has a vector too.

With --json, a line is {"text": ..., "model": ..., "vector": [...]}. The model's
name changes whenever its vectors do.`,
		Example: `printf '%s\n' 'tokens rotate hourly' | git sage embed -
git sage embed --model all-MiniLM-L6-v2 -z - <texts`,
		Args: usage.ExactArgs("file"),
		RunE: func(c *cobra.Command, args []string) error { return runEmbed(c.Context(), a, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.model, "model", models.ProseName, "the `name` of a model: see 'git sage model list'")
	_ = c.RegisterFlagCompletionFunc("model", func(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return completeModels(a)(c, nil, word)
	})
	f.BoolVar(&o.query, "query", false, "embed as queries instead of documents")
	f.BoolVarP(&o.nul, "null", "z", false, "separate texts by NUL instead of line feeds")
	return c
}

// embedding is what embed --json prints.
type embedding struct {
	Text   string    `json:"text"`
	Model  string    `json:"model"`
	Vector []float32 `json:"vector"`
}

// embedAtOnce is how many texts are read before the first is printed: enough to keep
// two processors busy.
const embedAtOnce = 256

func runEmbed(ctx context.Context, a *app.App, name string, o embedOptions) error {
	e, err := a.Models().Named(o.model)
	if err != nil {
		return a.Models().Hint(err)
	}
	in := a.In
	if name != "-" {
		f, err := os.Open(a.Path(name))
		if err != nil {
			return fmt.Errorf("cannot read '%s': %w", name, errors.Unwrap(err))
		}
		defer f.Close()
		in = f
	}
	end := byte('\n')
	if o.nul {
		end = 0
	}
	out := bufio.NewWriter(a.Out)
	r := bufio.NewReader(in)
	for {
		texts, err := readTexts(r, end)
		if err != nil && err != io.EOF {
			return fmt.Errorf("read '%s': %w", name, err)
		}
		if err := printVectors(ctx, out, e, texts, o.query, a.JSON); err != nil {
			return err
		}
		if err == io.EOF {
			return out.Flush()
		}
	}
}

// readTexts reads up to embedAtOnce texts that end in end, the last one at will.
func readTexts(r *bufio.Reader, end byte) (texts []string, err error) {
	for len(texts) < embedAtOnce && err == nil {
		var text string
		if text, err = r.ReadString(end); err == nil || text != "" {
			texts = append(texts, strings.TrimSuffix(text, string(end)))
		}
	}
	return texts, err
}

func printVectors(ctx context.Context, w *bufio.Writer, e embed.Embedder, texts []string, query, asJSON bool) error {
	make := e.Documents
	if query {
		make = e.Queries
	}
	vectors, err := make(ctx, texts)
	if err != nil {
		return err
	}
	to := term.Terminal{Out: w}
	for i, v := range vectors {
		if asJSON {
			err = to.PrintJSON(embedding{texts[i], e.Model().Name, v})
		} else {
			_, err = w.WriteString(vectorLine(v))
		}
		if err != nil {
			return err
		}
	}
	return w.Flush()
}

// vectorLine is v as a JSON array, in as few digits as tell its numbers apart.
func vectorLine(v []float32) string {
	b := []byte{'['}
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	return string(append(b, "]\n"...))
}
