package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed/hub"
	"github.com/git-sage/git-sage/recall/embed/models"
)

type pullOptions struct {
	from, revision  string
	query, document string
}

func newModelPullCmd(a *app) *cobra.Command {
	var o pullOptions
	c := &cobra.Command{
		Use:   "pull <name> [--from <dir> | --revision <rev>] [--query-prefix <text>] [--document-prefix <text>]",
		Short: "Fetch a sentence model",
		Long: `Fetches a sentence model of the BERT family from the Hugging Face hub, or takes it
from a folder, and keeps it, rounded to 8 bits, as ~/.sage/models/<name>. A download
that broke off goes on when the command is run again, and every file is checked
against the hub's checksum. HF_ENDPOINT names another hub, HF_TOKEN a token, and
HF_HUB_OFFLINE=1 forbids it. A folder holds what such models are published as:
config.json, tokenizer.json or vocab.txt, model.safetensors or model.onnx, and with
them, where there are, modules.json, 1_Pooling/config.json, tokenizer_config.json,
sentence_bert_config.json and config_sentence_transformers.json. They say how a
text's vector is pooled, how long it may be, and what stands before queries and
documents; for models like bge and e5 that is known, for others --query-prefix and
--document-prefix say it.

Supported are uncased WordPiece models with GELU and absolute positions, of any
number of layers and any width that is a multiple of 64; a git-sage that is built
with -tags hugot runs other ONNX models from a folder, too, but not in hooks. A model
of that name is replaced. 'git sage model use <name>' lets it answer.`,
		Example: `git sage model pull BAAI/bge-small-en-v1.5
git sage model pull BAAI/bge-small-en-v1.5 --from ~/bge-small`,
		Args: exactArgs("name"),
		RunE: func(c *cobra.Command, args []string) error { return a.modelPull(c, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.from, "from", "", "take it from this `folder`")
	f.StringVar(&o.revision, "revision", "main", "the `rev` of it: a branch, a tag or a commit at the hub")
	f.StringVar(&o.query, "query-prefix", "", "the `text` that stands before queries")
	f.StringVar(&o.document, "document-prefix", "", "the `text` that stands before documents")
	c.MarkFlagsMutuallyExclusive("from", "revision")
	return c
}

func (a *app) modelPull(c *cobra.Command, name string, o pullOptions) error {
	if err := models.CheckName(name); err != nil {
		return usagef("%v", err)
	}
	if a.builtIn()[name] != "" || name == noModel {
		return usagef("'%s' is built in", name)
	}
	p := models.Parcel{Name: name, Dir: a.path(o.from)}
	if c.Flags().Changed("query-prefix") {
		p.QueryPrefix = &o.query
	}
	if c.Flags().Changed("document-prefix") {
		p.DocumentPrefix = &o.document
	}
	if o.from == "" {
		return a.fetchModel(c.Context(), p, o.revision)
	}
	if st, err := os.Stat(p.Dir); err != nil || !st.IsDir() {
		return fmt.Errorf("no folder '%s': --from names one that holds a model's files", visible(o.from))
	}
	return a.takeIn(c.Context(), p)
}

// fetchModel fetches a model into a folder that stays until it is taken in: the next
// call goes on with what is there.
func (a *app) fetchModel(ctx context.Context, p models.Parcel, revision string) error {
	if offline := a.getenv("HF_HUB_OFFLINE"); offline != "" && offline != "0" {
		return errors.New("HF_HUB_OFFLINE forbids to fetch a model; --from <dir> takes one from a folder")
	}
	h := hub.Hub{URL: a.getenv("HF_ENDPOINT"), Token: a.getenv("HF_TOKEN")}
	p.Dir = a.modelFolder().Fetching(p.Name)
	if err := plainfile.MakeFolder(a.home(), p.Dir); err != nil {
		return err
	}
	bars := map[string]*progressBar{}
	h.Left = func(file string, left int64) {
		if bars[file] == nil {
			bars[file] = a.progress("fetching " + file + ", MB")
		}
		bars[file].left(int((left + 5e5) / 1e6))
	}
	commit, err := h.Pull(ctx, p.Name, revision, p.Dir, func() error { return models.Check(p.Dir, p.Name) })
	for _, bar := range bars {
		bar.end()
	}
	if err != nil {
		_ = os.Remove(p.Dir) // if nothing came
		return a.unsupported(err)
	}
	p.Version, p.Source = commit, cmp.Or(h.URL, hub.Public)+"/"+p.Name
	if err := a.takeIn(ctx, p); err != nil {
		return err
	}
	return os.RemoveAll(p.Dir)
}

// unsupported says of a model that cannot be run which ones can.
func (a *app) unsupported(err error) error {
	if errors.Is(err, models.ErrUnsupported) {
		return withHint(err, "BERT models with a lower-case WordPiece tokenizer work, such as BAAI/bge-small-en-v1.5")
	}
	return err
}

// takeIn converts a model and says what became of it.
func (a *app) takeIn(ctx context.Context, p models.Parcel) error {
	debug.SetMemoryLimit(math.MaxInt64) // a large model has gigabytes
	bar := a.progress("converting")
	p.Left, p.Added = bar.left, a.now().UTC()
	info, err := a.modelFolder().Install(ctx, p)
	bar.end()
	if err != nil {
		return a.unsupported(fmt.Errorf("pull '%s': %w", p.Name, err))
	}
	if a.json {
		return a.printJSON(modelJSON{Info: info, UsedFor: []string{}})
	}
	run := fmt.Sprintf("%d layers", info.Layers)
	if info.Kind != "" {
		run = "run by hugot, not in hooks"
	}
	a.say("%s is here: %s, vectors of %d numbers, %.1f MB", info.Name, run, info.Dim, float64(info.Bytes)/1e6)
	a.hint("'git sage model use %s' lets it answer", info.Name)
	return nil
}
