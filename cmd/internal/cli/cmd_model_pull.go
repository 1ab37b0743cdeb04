package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/recall/embed/models"
)

type pullOptions struct {
	from            string
	query, document string
}

func newModelPullCmd(a *app) *cobra.Command {
	var o pullOptions
	c := &cobra.Command{
		Use:   "pull <name> --from <dir> [--query-prefix <text>] [--document-prefix <text>]",
		Short: "Take in a sentence model",
		Long: `Takes a sentence model of the BERT family from a folder and keeps it, rounded to 8
bits, as ~/.sage/models/<name>. The folder holds what such models are published as:
config.json, tokenizer.json or vocab.txt, model.safetensors or model.onnx, and with
them, where there are, modules.json, 1_Pooling/config.json, tokenizer_config.json,
sentence_bert_config.json and config_sentence_transformers.json. They say how a
text's vector is pooled, how long it may be, and what stands before queries and
documents; for bge, e5 and their kin that is known, otherwise --query-prefix and
--document-prefix say it.

Supported are uncased WordPiece models with GELU and absolute positions, of any
number of layers and any width that is a multiple of 64. A model of that name is
replaced. 'git sage model use <name>' lets it answer.`,
		Example: `git sage model pull BAAI/bge-small-en-v1.5 --from ~/bge-small`,
		Args:    exactArgs("name"),
		RunE:    func(c *cobra.Command, args []string) error { return a.modelPull(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.from, "from", "", "take it from this `folder`")
	f.StringVar(&o.query, "query-prefix", "", "the `text` that stands before queries")
	f.StringVar(&o.document, "document-prefix", "", "the `text` that stands before documents")
	return c
}

func (a *app) modelPull(c *cobra.Command, name string, o pullOptions) error {
	if err := models.CheckName(name); err != nil {
		return usagef("%v", err)
	}
	if a.builtIn()[name] != "" || name == noModel {
		return usagef("'%s' is built in", name)
	}
	if o.from == "" {
		return usagef("'%s' from where? --from <dir> says it", name)
	}
	p := models.Parcel{Name: name, Dir: a.path(o.from)}
	if c.Flags().Changed("query-prefix") {
		p.QueryPrefix = &o.query
	}
	if c.Flags().Changed("document-prefix") {
		p.DocumentPrefix = &o.document
	}
	return a.takeIn(c.Context(), p)
}

// takeIn converts a model and says what became of it.
func (a *app) takeIn(ctx context.Context, p models.Parcel) error {
	debug.SetMemoryLimit(math.MaxInt64) // a large model has gigabytes
	bar := a.progress("converting")
	p.Left, p.Added = bar.left, a.now().UTC()
	info, err := a.modelFolder().Install(ctx, p)
	bar.end()
	if errors.Is(err, models.ErrUnsupported) {
		return withHint(err, "BERT models with a lower-case WordPiece tokenizer work, such as BAAI/bge-small-en-v1.5")
	}
	if err != nil {
		return fmt.Errorf("pull '%s': %w", p.Name, err)
	}
	if a.json {
		return a.printJSON(modelJSON{Info: info, UsedFor: []string{}})
	}
	a.say("%s is here: %d layers, vectors of %d numbers, %.1f MB", info.Name, info.Layers, info.Dim, float64(info.Bytes)/1e6)
	a.hint("'git sage model use %s' lets it answer", info.Name)
	return nil
}
