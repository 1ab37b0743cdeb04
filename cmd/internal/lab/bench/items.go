package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/weights"
	"github.com/git-sage/git-sage/recall/index"
)

// A shelf is a store with many items, whose sidecar is full.
//
// The items are made of a fixed seed, in one commit. Their words are real to the index,
// but no language, and their vectors are random: 100,000 of the model's would take
// minutes, and what is timed does not depend on what they are.
type shelf struct {
	dir   string
	items int
}

// askable is the keyword of an item, so that what is asked is found and read.
func askable(i int) string { return fmt.Sprintf("gadget%d", i) }

// shelf makes one.
func (w *world) shelf(items int) (shelf, error) {
	s := shelf{filepath.Join(cmp.Or(w.made, w.dir), fmt.Sprintf("items-%d", items)), items}
	if _, err := os.Stat(s.dir); err == nil {
		return s, nil // of an earlier run
	}
	if _, err := w.git(w.dir, "", "init", "-q", s.dir); err != nil {
		return s, err
	}
	if err := w.importing(s.dir, func(to io.Writer) { feedItems(to, items) }); err != nil {
		return s, err
	}
	return s, w.index(s)
}

// index brings the search of a store up to date, with vectors.
func (w *world) index(s shelf) error {
	quiet := w.sage("knowledge", "match", askable(1)).in(s.dir)
	quiet.env = []string{"SAGE_EMBEDDING_MODEL=none"} // else the background begins to make vectors
	if w.time(quiet); w.err != nil {
		return w.err
	}
	return s.embed()
}

// feedItems writes n items of some 40 words in one commit.
func feedItems(to io.Writer, n int) {
	const message = "import\n\nSage-Format: 1\nSage-Kind: knowledge\n"
	fmt.Fprintf(to, "commit refs/sage/knowledge\ncommitter Bench <bench@example.com> 1790000000 +0000\ndata %d\n%s", len(message), message)
	words := newWords()
	for i := range n {
		id := fmt.Sprintf("item-%06d", i)
		text := fmt.Sprintf("---\nid: %s\ntype: knowledge\nkeywords: [%s, trace-%d]\nadded: 2026-01-01T00:00:00Z\n---\n\n%s: %s.\n", id, askable(i), i, words.text(6), words.text(30))
		fmt.Fprintf(to, "M 100644 inline %s\ndata %d\n%s\n", itemFile(id), len(text), text)
	}
}

// itemFile is where an item lies, as the format has it.
func itemFile(id string) string {
	sum := sha256.Sum256([]byte(id))
	return fmt.Sprintf("knowledge/%x/%s.md", sum[:1], id)
}

// words is a vocabulary as uneven as a language is.
type words struct {
	r *rand.Rand
	z *rand.Zipf
}

func newWords() *words {
	r := rand.New(rand.NewPCG(1, 2))
	return &words{r, rand.NewZipf(r, 1.1, 100, 60000)}
}

func (w *words) text(n int) string {
	var b strings.Builder
	for range n {
		k := w.z.Uint64()
		fmt.Fprintf(&b, "%c%c%c%d ", 'b'+rune(k%19), 'a'+rune(k/19%26), 'f'+rune(k/494%17), k)
	}
	return strings.TrimSpace(b.String())
}

// embed gives every piece a vector of the model's name, at random.
func (s shelf) embed() error {
	model, err := embed.OpenBert(weights.Prose)
	if err != nil {
		return err
	}
	id, err := os.ReadFile(filepath.Join(s.dir, ".git", "sage", "id"))
	if err != nil {
		return err
	}
	m := model.Model()
	x, err := index.Open(filepath.Join(s.dir, ".git", "sage", "cache", "search"), index.Options{Store: strings.TrimSpace(string(id)), Model: m.Name, Dim: m.Dim})
	if err != nil {
		return err
	}
	defer x.Close()
	r := rand.New(rand.NewPCG(3, 4))
	for {
		some, all, err := x.Missing(context.Background(), 50_000)
		if err != nil || all == 0 {
			return errors.Join(err, x.Compact(context.Background()))
		}
		add := make([]index.Vector, len(some))
		for i, c := range some {
			add[i] = index.Vector{ID: c.ID, V: direction(r, m.Dim)}
		}
		if err := x.AddVectors(context.Background(), add); err != nil {
			return err
		}
	}
}

// direction is a random vector of length 1.
func direction(r *rand.Rand, dim int) []float32 {
	v, sum := make([]float32, dim), 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
