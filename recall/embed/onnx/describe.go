//go:build hugot

package onnx

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/recall/embed"
)

// options are what the files of a folder say of its model.
type options struct {
	dir     string
	model   embed.Model
	pooling string // mean or start
}

// describe reads the files beside the weights, all as their authors publish them: the
// width and the longest text, how rows become a vector, what stands before texts. The
// name of the vectors holds a checksum of all that they depend on.
func describe(dir, name string) (options, error) {
	o := options{dir: dir, pooling: "mean"}
	o.guess(name)
	for _, read := range []func() error{o.config, o.poolingMode, o.prompts} {
		if err := read(); err != nil {
			return o, err
		}
	}
	sum := sha256.New()
	weights := "model.onnx"
	if _, err := os.Stat(filepath.Join(dir, weights)); errors.Is(err, fs.ErrNotExist) {
		weights = "onnx/model.onnx"
	}
	for _, file := range []string{weights, "tokenizer.json"} {
		f, err := os.Open(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return o, err
		}
		_, err = io.Copy(sum, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return o, err
		}
	}
	fmt.Fprintf(sum, "%d %s %q %q", o.model.MaxTokens, o.pooling, o.model.QueryPrefix, o.model.DocumentPrefix)
	o.model.Name = fmt.Sprintf("%s/onnx-%x", name, sum.Sum(nil)[:4])
	return o, nil
}

// read reads a file of JSON into v; one that is not there changes nothing.
func (o *options) read(file string, v any) error {
	data, err := os.ReadFile(filepath.Join(o.dir, filepath.FromSlash(file)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

func (o *options) config() error {
	var c struct {
		Width  int `json:"hidden_size"`
		Dim    int `json:"dim"` // DistilBERT's word for it
		Places int `json:"max_position_embeddings"`
	}
	var sentence struct {
		Max int `json:"max_seq_length"`
	}
	if err := errors.Join(o.read("config.json", &c), o.read("sentence_bert_config.json", &sentence)); err != nil {
		return err
	}
	o.model.Dim, o.model.MaxTokens = cmp.Or(c.Width, c.Dim), c.Places
	if o.model.Dim < 1 || c.Places < 1 {
		return errors.New("config.json: no hidden_size or no max_position_embeddings")
	}
	if sentence.Max > 0 {
		o.model.MaxTokens = min(c.Places, sentence.Max)
	}
	return nil
}

// families are prefixes that models were trained with and whose files do not name them,
// from their cards: names that begin so, in lower case and without their author's.
var families = []struct{ begin, query, document, pooling string }{
	{"bge-m3", "", "", "start"},
	{"bge-", "Represent this sentence for searching relevant passages: ", "", "start"},
	{"e5-", "query: ", "passage: ", "mean"},
	{"multilingual-e5-", "query: ", "passage: ", "mean"},
}

func (o *options) guess(name string) {
	for _, f := range families {
		if strings.HasPrefix(strings.ToLower(path.Base(name)), f.begin) {
			o.model.QueryPrefix, o.model.DocumentPrefix, o.pooling = f.query, f.document, f.pooling
			return
		}
	}
}

// poolingMode reads how the rows of a text become its vector.
func (o *options) poolingMode() error {
	var modules []struct{ Type string }
	modes := map[string]any{}
	if err := errors.Join(o.read("modules.json", &modules), o.read("1_Pooling/config.json", &modes)); err != nil {
		return err
	}
	for _, m := range modules {
		if kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; kind != "Transformer" && kind != "Pooling" && kind != "Normalize" {
			return fmt.Errorf("modules.json: a step of type %.40q, which this program does not know", kind)
		}
	}
	var chosen []string
	for key, on := range modes {
		if mode, ok := strings.CutPrefix(key, "pooling_mode_"); ok && on == true {
			chosen = append(chosen, strings.TrimSuffix(strings.TrimSuffix(mode, "_tokens"), "_token"))
		}
	}
	if mode, ok := modes["pooling_mode"].(string); ok {
		chosen = []string{mode}
	}
	switch {
	case len(modes) == 0:
	case len(chosen) == 1 && chosen[0] == "mean":
		o.pooling = "mean"
	case len(chosen) == 1 && chosen[0] == "cls":
		o.pooling = "start"
	default:
		return fmt.Errorf("1_Pooling/config.json: pooling by %q, not by mean or cls", chosen)
	}
	return nil
}

// prompts takes the prefixes that sentence-transformers would.
func (o *options) prompts() error {
	var c struct{ Prompts map[string]string }
	if err := o.read("config_sentence_transformers.json", &c); err != nil {
		return err
	}
	if q, d := c.Prompts["query"], cmp.Or(c.Prompts["document"], c.Prompts["passage"]); q != "" || d != "" {
		o.model.QueryPrefix, o.model.DocumentPrefix = q, d
	}
	return nil
}
