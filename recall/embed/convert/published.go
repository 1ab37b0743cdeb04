package convert

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
)

// Published is a sentence model as its authors publish it, in the files that Hugging
// Face's libraries made the custom:
//
//	config.json                       the shape; wanted
//	model.safetensors or model.onnx   the weights, also onnx/model.onnx; wanted
//	tokenizer.json or vocab.txt       the vocabulary; wanted
//	tokenizer_config.json             whether case matters, the longest text
//	modules.json, */config.json       how the rows of a text become its vector
//	sentence_bert_config.json         the longest text
//	config_sentence_transformers.json what stands before queries and documents
//	README.md                         the licence, in its front matter
type Published struct {
	About   About
	Tensors map[string]Tensor
	Vocab   []string
	Files   []SourceFile // what was read, and its checksums

	Left func(steps int) // told by File how many steps are to be done yet; nil is nobody
}

// SourceFile is a file that a model was read from.
type SourceFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// ErrUnsupported is wrapped by errors for models that are sound but not of the kind
// that the encoder computes.
var ErrUnsupported = errors.New("not a model that the built-in encoder can run")

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}

// Read reads the model in a folder that is known by a name, from which a prefix is
// guessed where no file names one. Its errors say which file is wrong, and in what.
func Read(dir, name string) (*Published, error) {
	r := &reader{dir: dir, name: name}
	p := &Published{About: About{Name: name}}
	steps := []func(*Published) error{r.config, r.lengths, r.pooling, r.prompts, r.vocab, r.weights, fit}
	for _, step := range steps {
		if err := step(p); err != nil {
			return nil, err
		}
	}
	p.Files = r.files
	p.About.Name = versioned(name, p)
	p.About.License = r.license()
	return p, nil
}

// versioned is a name that changes whenever vectors do: it holds the start of a
// checksum of the weights and of all that is done with them.
func versioned(name string, p *Published) string {
	sum := sha256.New()
	for _, f := range p.Files {
		fmt.Fprintln(sum, f.SHA256)
	}
	a := p.About
	fmt.Fprintf(sum, "%d %d %s %s %q %q", a.Heads, a.MaxTokens, a.NormEpsilon, a.Pooling, a.QueryPrefix, a.DocumentPrefix)
	return fmt.Sprintf("%s/int8-1-%x", name, sum.Sum(nil)[:4])
}

// fit refuses shapes that the kernels do not take before hours are spent on them, and
// leaves off the rows that pad the word embeddings beyond the vocabulary.
func fit(p *Published) error {
	const words = "embeddings.word_embeddings.weight"
	t, ok := p.Tensors[words]
	switch {
	case !ok:
		return unsupported("%s has no tensor %s: it may be quantised, or no BERT", p.About.Source, words)
	case t.Rows < len(p.Vocab):
		return fmt.Errorf("%s: %d rows of word embeddings for %d tokens", p.About.Source, t.Rows, len(p.Vocab))
	case p.About.Heads < 1 || t.Cols%64 != 0 || t.Cols%p.About.Heads != 0 || t.Cols/p.About.Heads%32 != 0:
		return unsupported("it is %d numbers wide with %d heads; widths are multiples of 64, heads of 32", t.Cols, p.About.Heads)
	case len(p.Vocab) > 0xffff:
		return unsupported("%d tokens, more than 65,535", len(p.Vocab))
	}
	if !t.turned {
		t.Rows = len(p.Vocab)
		p.Tensors[words] = t
	}
	return nil
}

// Prefixes sets what stands before queries and documents, where they are not nil.
func (p *Published) Prefixes(query, document *string) {
	name := strings.TrimSuffix(p.About.Name, versioned("", p))
	if query != nil {
		p.About.QueryPrefix = *query
	}
	if document != nil {
		p.About.DocumentPrefix = *document
	}
	p.About.Name = versioned(name, p)
}

// File makes the file of weights: 5 to 10 seconds for 6 layers of width 384 on two
// cores, and as much more as a model has more weights.
func (p *Published) File() ([]byte, error) {
	return file(writer{tensors: p.Tensors, vocab: p.Vocab, left: p.Left}, p.About)
}

// Check reads all but the weights of the model in a folder and refuses what Read would.
func Check(dir, name string) error {
	r := &reader{dir: dir, name: name}
	p := &Published{About: About{Name: name}}
	for _, step := range []func(*Published) error{r.config, r.lengths, r.pooling, r.prompts, r.vocab} {
		if err := step(p); err != nil {
			return err
		}
	}
	return nil
}

// Describe reads what the files beside the weights say, also of a model that the
// encoder cannot run: how its rows are pooled, how long a text may be, what stands
// before texts. The name is that of its vectors, which holds a checksum of sum, too.
func Describe(dir, name, sum string) (About, error) {
	r := &reader{dir: dir, name: name}
	p := &Published{About: About{Name: name}}
	for i, step := range []func(*Published) error{r.config, r.lengths, r.pooling, r.prompts} {
		if err := step(p); err != nil && (i > 1 || !errors.Is(err, ErrUnsupported)) {
			return About{}, err
		}
	}
	p.Files = append(r.files, SourceFile{SHA256: sum})
	p.About.License = r.license()
	p.About.Name = strings.Replace(versioned(name, p), "/int8-1-", "/onnx-", 1)
	return p.About, nil
}
