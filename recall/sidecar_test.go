package recall_test

import (
	"context"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
)

// A bag is an embedder that one can follow: a text is the sum of its words, each of
// which points somewhere of its own, and words that mean the same point alike.
type bag struct{ calls int }

var alike = map[string]string{"deploy": "release", "ship": "release", "rollout": "release", "colour": "color"}

func (b *bag) Model() embed.Model { return embed.Model{Name: "bag", Dim: 64, MaxTokens: 512} }
func (b *bag) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	return b.embed(texts), ctx.Err()
}
func (b *bag) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	b.calls += len(texts)
	return b.embed(texts), ctx.Err()
}

func (b *bag) embed(texts []string) (out [][]float32) {
	for _, text := range texts {
		v := make([]float32, 64)
		for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if a := alike[w]; a != "" {
				w = a
			}
			h := fnv.New64a()
			h.Write([]byte(w))
			for i, x := 0, h.Sum64(); i < 64; i, x = i+1, x*6364136223846793005+1442695040888963407 {
				v[i] += float32(int64(x)) / math.MaxInt64
			}
		}
		sum := float32(1e-9)
		for _, x := range v {
			sum += x * x
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(float64(sum)))
		}
		out = append(out, v)
	}
	return out
}

func withBag(m *recall.Memory) *bag {
	b := &bag{}
	m.Stores.Options.Embedder = func() (embed.Embedder, error) { return b, nil }
	return b
}

// held lists what the sidecar of a memory holds, brought up to date.
func held(t *testing.T, m *recall.Memory) (out []string) {
	t.Helper()
	sources, err := m.Stores.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer sources.Close()
	for _, src := range sources {
		must(t, src.CatchUp(t.Context(), true))
		if err := src.Index.Each(func(d *index.Meta) bool { out = append(out, d.Key); return true }); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(out)
	return out
}

// It is case A3.
func TestSidecarFollowsGit(t *testing.T) {
	m := newMemory(t, "")
	if got := held(t, m); got != nil {
		t.Errorf("an empty store has %q", got)
	}
	write(t, m, item("a", sage.Knowledge, "one"), item("b", sage.Knowledge, "two"), item("mine", sage.Preference, "three"))
	first := saveNote(t, m, note("the first"))
	second := saveNote(t, m, note("the second"))
	want := []string{doc.CheckpointKey(first.ID), doc.CheckpointKey(second.ID), "k/a", "k/b", "k/mine"}
	slices.Sort(want)
	if got := held(t, m); !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
	write(t, m, recall.ItemChange{ItemChange: gitstore.ItemChange{Key: "a", Remove: true}})
	third := saveNote(t, m, note("the third"))
	if _, err := m.Store.Checkpoints.Remove(t.Context(), []string{second.ID}); err != nil {
		t.Fatal(err)
	}
	want = []string{doc.CheckpointKey(first.ID), doc.CheckpointKey(third.ID), "k/b", "k/mine"}
	slices.Sort(want)
	if got := held(t, m); !slices.Equal(got, want) {
		t.Errorf("behind a removal: %q instead of %q", got, want)
	}
}

func TestVectorsAreMadeOnce(t *testing.T) {
	m := newMemory(t, "")
	b := withBag(m)
	write(t, m, item("a", sage.Knowledge, "one"), item("b", sage.Knowledge, "two"))
	for range 2 {
		sources, err := m.Stores.Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		src := sources[0]
		must(t, src.CatchUp(t.Context(), false))
		must(t, src.Fill(t.Context(), false))
		sources.Close()
	}
	if b.calls != 2 {
		t.Errorf("%d texts were embedded", b.calls)
	}
}
