package convert

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Sizes beyond which a file is not read.
const (
	mostWeights = 4 << 30 // bge-large in float32 has 1.3 GB
	mostText    = 64 << 20
)

// WeightFiles are the names of weights, the first that is there is read; VocabFiles
// those of vocabularies.
var (
	WeightFiles = []string{"model.safetensors", "model.onnx", "onnx/model.onnx"}
	VocabFiles  = []string{"tokenizer.json", "vocab.txt"}
)

// reader reads the files of a folder and keeps what they were.
type reader struct {
	dir, name string
	files     []SourceFile // that were read
}

// read returns a file's bytes.
func (r *reader) read(name string, most int64) ([]byte, error) {
	f, err := os.Open(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", f.Name())
	case info.Size() > most:
		return nil, fmt.Errorf("%s is too large: %d bytes", f.Name(), info.Size())
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	sum := sha256.Sum256(data)
	r.files = append(r.files, SourceFile{name, info.Size(), hex.EncodeToString(sum[:])})
	return data, nil
}

// json reads a file into v; one that is not there changes nothing.
func (r *reader) json(name string, v any) error {
	data, err := r.read(name, mostText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// config reads the shape, and refuses networks that are no BERT.
func (r *reader) config(p *Published) error {
	var c struct {
		Type       string  `json:"model_type"`
		Heads      int     `json:"num_attention_heads"`
		Epsilon    float64 `json:"layer_norm_eps"`
		Activation string  `json:"hidden_act"`
		Places     string  `json:"position_embedding_type"`
		Positions  int     `json:"max_position_embeddings"`
		Original   string  `json:"_name_or_path"`
	}
	if _, err := os.Stat(filepath.Join(r.dir, "config.json")); err != nil {
		return fmt.Errorf("no config.json in %s: it says what shape a model has", r.dir)
	}
	if err := r.json("config.json", &c); err != nil {
		return err
	}
	p.About.Heads, p.About.MaxTokens = c.Heads, c.Positions
	p.About.NormEpsilon = strconv.FormatFloat(cmp.Or(c.Epsilon, 1e-12), 'g', -1, 64)
	guess(&p.About, r.name, c.Original)
	switch {
	case c.Type != "bert":
		return unsupported("config.json: model_type is %.40q, not \"bert\"", c.Type)
	case c.Activation != "gelu":
		return unsupported("config.json: hidden_act is %.40q, not \"gelu\"", c.Activation)
	case c.Places != "" && c.Places != "absolute":
		return unsupported("config.json: position_embedding_type is %.40q, not \"absolute\"", c.Places)
	}
	return nil
}

// lengths bounds the longest text by what the tokenizer's files say.
func (r *reader) lengths(p *Published) error {
	var sentence struct {
		Max int `json:"max_seq_length"`
	}
	var tokens struct {
		Max     float64 `json:"model_max_length"` // 1e30 where there is none
		Lower   *bool   `json:"do_lower_case"`
		Accents *bool   `json:"strip_accents"`
		CJK     *bool   `json:"tokenize_chinese_chars"`
	}
	if err := r.json("sentence_bert_config.json", &sentence); err != nil {
		return err
	}
	if err := r.json("tokenizer_config.json", &tokens); err != nil {
		return err
	}
	for _, n := range []float64{float64(sentence.Max), tokens.Max} {
		if n > 0 && n < float64(p.About.MaxTokens) {
			p.About.MaxTokens = int(n)
		}
	}
	for _, b := range []*bool{tokens.Lower, tokens.Accents, tokens.CJK} {
		if b != nil && !*b {
			return unsupported("tokenizer_config.json: it keeps case or accents, or does not part ideographs")
		}
	}
	return nil
}

// vocab reads the tokens.
func (r *reader) vocab(p *Published) error {
	decode := ReadTokenizer
	data, err := r.read(VocabFiles[0], mostText)
	if errors.Is(err, fs.ErrNotExist) {
		decode = readVocab
		data, err = r.read(VocabFiles[1], mostText)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("neither %s in %s", strings.Join(VocabFiles, " nor "), r.dir)
	}
	if err == nil {
		p.Vocab, err = decode(data)
	}
	return err
}

// weights reads the tensors.
func (r *reader) weights(p *Published) error {
	for _, name := range WeightFiles {
		data, err := r.read(name, mostWeights)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		p.About.Source, p.About.SourceSum = name, r.files[len(r.files)-1].SHA256
		decode := ReadONNX
		if strings.HasSuffix(name, ".safetensors") {
			decode = ReadSafetensors
		}
		tensors, err := decode(data)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.Tensors = plainNames(tensors)
		return nil
	}
	return fmt.Errorf("neither model.safetensors nor model.onnx in %s", r.dir)
}

// license is what the front matter of README.md says, "" if nothing.
func (r *reader) license() string {
	data, err := r.read("README.md", mostText)
	if err != nil {
		return ""
	}
	front, _, _ := strings.Cut(strings.TrimPrefix(string(data), "---"), "\n---")
	if m := regexp.MustCompile(`(?m)^license: *["']?([\w.+-]{1,60})`).FindStringSubmatch(front); m != nil {
		return m[1]
	}
	return ""
}
