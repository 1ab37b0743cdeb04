package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

const testDim = 70 // two words of signs, the second not full

func testOptions() Options {
	return Options{Store: "4f3a", Model: "test", Dim: testDim, Count: func(s string) int { return len(strings.Fields(s)) }}
}

// must ends the test at an error.
func must(t interface {
	Helper()
	Fatal(...any)
}, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t testing.TB, dir string, o Options) *Index {
	t.Helper()
	x, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func testVector(seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 7))
	v := make([]float32, testDim)
	sum := 0.0
	for i := range v {
		v[i] = float32(r.NormFloat64() + 0.7)
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

var vocabulary = strings.Fields("staging wiped Monday tokens rotate hourly redis cache timeout 30 auth_token parseHTTP the deploy deploys 数据库 C++ key_a key_b zebra")

func sentenceOf(t *rapid.T, label string, least, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), least, most).Draw(t, label), " ")
}

func testDoc(t *rapid.T) segment.Doc {
	body := sentenceOf(t, "body", 0, 12)
	if rapid.IntRange(0, 5).Draw(t, "long") == 0 { // several units and chunks
		var b strings.Builder
		for i := range rapid.IntRange(20, 60).Draw(t, "lines") {
			fmt.Fprintf(&b, "line %d %s\n", i, sentenceOf(t, "line", 3, 9))
		}
		body = b.String()
	}
	return segment.Doc{Meta: segment.Meta{
		Key: fmt.Sprintf("k%d", rapid.IntRange(0, 40).Draw(t, "key")), Kind: rapid.SampledFrom([]string{"knowledge", "checkpoint", ""}).Draw(t, "kind"),
		Type: rapid.SampledFrom([]string{"todo", "fact", ""}).Draw(t, "type"), Status: rapid.SampledFrom([]string{"pending", "done", ""}).Draw(t, "status"),
		Paths: rapid.SliceOfN(rapid.SampledFrom([]string{"a.go", "b/c", "/b/"}), 0, 2).Draw(t, "paths"),
		Blob:  "b", Title: sentenceOf(t, "title", 0, 3), Keywords: rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 3).Draw(t, "keywords"),
		Always: rapid.Bool().Draw(t, "always"), Updated: time.Unix(int64(rapid.IntRange(0, 1<<30).Draw(t, "updated")), 0).UTC(), Tokens: -1, Confidence: 0.25,
	}, Body: body}
}

// world is an index, as two processes see it, beside the reference.
type world struct {
	dir  string
	x    [2]*Index
	ref  reference
	tips int
}

func (w *world) tip(n int) map[string]string {
	if n == 0 {
		return map[string]string{}
	}
	return map[string]string{"refs/sage/knowledge": fmt.Sprint(n), "x \"sum\n": "y"}
}

func (w *world) update(t *rapid.T) {
	c := Change{From: w.tip(w.tips), To: w.tip(w.tips + 1), Rebuild: rapid.IntRange(0, 9).Draw(t, "rebuild") == 0}
	for range rapid.IntRange(0, 6).Draw(t, "docs") {
		c.Docs = append(c.Docs, testDoc(t))
	}
	for range rapid.IntRange(0, 2).Draw(t, "removals") {
		c.Removed = append(c.Removed, fmt.Sprintf("k%d", rapid.IntRange(0, 40).Draw(t, "removed")))
	}
	if c.Rebuild {
		clear(w.ref.docs)
	}
	for _, key := range c.Removed {
		delete(w.ref.docs, key)
	}
	for _, d := range c.Docs {
		w.ref.docs[d.Key] = d
	}
	must(t, w.any(t).Update(context.Background(), c))
	w.tips++
	if err := w.any(t).Update(context.Background(), Change{From: w.tip(w.tips - 1), To: w.tip(99)}); err != ErrMoved && !strings.Contains(fmt.Sprint(err), ErrMoved.Error()) {
		t.Fatalf("from old tips: %v", err)
	}
}

func (w *world) any(t *rapid.T) *Index { return w.x[rapid.IntRange(0, 1).Draw(t, "process")] }

func (w *world) embed(t *rapid.T) {
	some, all, err := w.any(t).Missing(context.Background(), rapid.IntRange(0, 5).Draw(t, "n"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[segment.ChunkID]bool{}
	for _, d := range w.ref.docs {
		for _, c := range w.x[0].o.Chunks(&d) {
			if w.ref.vectors[c.ID] == nil {
				want[c.ID] = true
			}
		}
	}
	if len(want) != all {
		t.Fatalf("%d missing, want %d", all, len(want))
	}
	var add []Vector
	for _, c := range some {
		if !want[c.ID] || segment.HashOf(c.Text).ID() != c.ID {
			t.Fatalf("chunk %x %q is not missing", c.ID, c.Text)
		}
		v := testVector(uint64(c.ID[0]))
		w.ref.vectors[c.ID] = v
		add = append(add, Vector{c.ID, v})
	}
	must(t, w.any(t).AddVectors(context.Background(), add))
}

func (w *world) compact(t *rapid.T) {
	must(t, w.any(t).Compact(context.Background()))
	used := map[segment.ChunkID]bool{}
	for _, d := range w.ref.docs {
		for _, c := range w.x[0].o.Chunks(&d) {
			used[c.ID] = true
		}
	}
	maps.DeleteFunc(w.ref.vectors, func(id segment.ChunkID, _ []float32) bool { return !used[id] })
	st, err := w.any(t).Status(context.Background())
	if err != nil || st.Segments > 2 || st.Docs != len(w.ref.docs) || st.Vectors != len(w.ref.vectors) || st.Damaged != "" {
		t.Fatalf("compacted: %+v %v, want %d documents and %d vectors", st, err, len(w.ref.docs), len(w.ref.vectors))
	}
	if due, err := w.any(t).Due(context.Background()); due || err != nil {
		t.Fatalf("due again: %v", err)
	}
	w.mean(t)
}

func TestNothingOfWhatWasRemovedComesBack(t *testing.T) {
	sage := filepath.Join(t.TempDir(), ".git", "sage")
	must(t, os.MkdirAll(sage, 0o700))
	x := open(t, filepath.Join(sage, "cache", "search"), testOptions())
	change := Change{To: map[string]string{"ref": "1"}, Docs: []segment.Doc{{Meta: segment.Meta{Key: "item:a", Kind: "item"}, Body: "a"}}}
	must(t, x.Update(context.Background(), change))
	must(t, os.RemoveAll(filepath.Dir(sage)))
	change.From, change.To = change.To, map[string]string{"ref": "2"}
	_ = x.Update(context.Background(), change)
	_ = x.Compact(context.Background())
	if _, err := os.Stat(filepath.Dir(sage)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the repository was removed, and is there again: %v", err)
	}
}

func TestDue(t *testing.T) {
	x := open(t, t.TempDir(), testOptions())
	due := func() bool {
		d, err := x.Due(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	put := func(from, to string, docs []segment.Doc, removed ...string) {
		tip := func(s string) map[string]string {
			if s == "" {
				return nil
			}
			return map[string]string{"ref": s}
		}
		must(t, x.Update(context.Background(), Change{From: tip(from), To: tip(to), Docs: docs, Removed: removed}))
	}
	var docs []segment.Doc
	var gone []string
	for i := range 3 * inlineDocs {
		key := fmt.Sprintf("item:%d", i)
		docs = append(docs, segment.Doc{Meta: segment.Meta{Key: key, Kind: "item"}, Body: key})
		if 9*len(gone) < i {
			gone = append(gone, key)
		}
	}
	put("", "1", docs)
	if due() {
		t.Error("due where nothing is dead")
	}
	put("1", "2", nil, gone...)
	if !due() {
		t.Errorf("not due where %d of %d are dead", len(gone), len(docs))
	}
	if err := x.Compact(context.Background()); err != nil || due() {
		t.Errorf("still due behind it: %v", err)
	}
}

func (w *world) reopen(t *rapid.T) {
	i := rapid.IntRange(0, 1).Draw(t, "process")
	w.x[i].Close()
	x, err := Open(w.dir, w.ref.o)
	if err != nil {
		t.Fatal(err)
	}
	w.x[i] = x
}

func (w *world) search(t *rapid.T) {
	q := Query{Text: sentenceOf(t, "query", 0, 8), Limit: rapid.IntRange(1, 8).Draw(t, "limit")}
	if rapid.Bool().Draw(t, "vector") {
		q.Vector = testVector(uint64(rapid.IntRange(0, 255).Draw(t, "seed")))
	}
	if rapid.Bool().Draw(t, "weighed") {
		q.BM25 = &BM25{K1: 0.9, B: 0.4, Title: 2.5, Keywords: 3}
	}
	if rapid.Bool().Draw(t, "some kinds") {
		q.Kinds = []string{"knowledge", "no such"}
	}
	if rapid.IntRange(0, 2).Draw(t, "filter") == 0 {
		q.Filter = func(m *segment.Meta) bool { return m.Always }
	}
	q.Also = []string{"k1", "k2", "no such"}
	got, err := w.any(t).Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	// The mean depends on what was merged already: see mean.
	if d := cmp.Diff(w.ref.search(q), got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Result{}, "Vectors", "Mean")); d != "" {
		t.Fatalf("%q: %s", q.Text, d)
	}
}

// mean holds the mean of all vectors of a compact index against the reference's.
func (w *world) mean(t *rapid.T) {
	got, err := w.any(t).Search(context.Background(), Query{Vector: testVector(1)})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float32, len(testVector(1)))
	for _, v := range w.ref.vectors {
		for i, x := range v {
			want[i] += x / float32(len(w.ref.vectors))
		}
	}
	if got.Vectors != len(w.ref.vectors) || got.Vectors == 0 && got.Mean != nil {
		t.Fatalf("mean of %d vectors, want of %d", got.Vectors, len(w.ref.vectors))
	}
	if got.Vectors > 0 && cmp.Diff(want, got.Mean, cmpopts.EquateApprox(0, 1e-5)) != "" {
		t.Fatalf("mean: %v, want %v", got.Mean, want)
	}
}

// lists compares what is found by its state and its paths.
func (w *world) lists(t *rapid.T, x *Index) {
	pending, err := x.InState(t.Context(), "todo", "pending")
	if err != nil {
		t.Fatal(err)
	}
	pathed, err := x.WithPaths(t.Context(), "knowledge")
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []struct {
		name string
		got  []*segment.Meta
		is   func(segment.Doc) bool
	}{
		{"pending todos", pending, func(d segment.Doc) bool { return d.Type == "todo" && d.Status == "pending" }},
		{"knowledge with paths", pathed, func(d segment.Doc) bool { return d.Kind == "knowledge" && len(d.Paths) > 0 }},
	} {
		var want, got []string
		for key, d := range w.ref.docs {
			if list.is(d) {
				want = append(want, key)
			}
		}
		for _, m := range list.got {
			got = append(got, m.Key)
		}
		slices.Sort(want)
		slices.Sort(got)
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s: %s", list.name, d)
		}
	}
}

func (w *world) read(t *rapid.T) {
	x := w.any(t)
	var all, triggers []string
	if err := x.Each(func(m *segment.Meta) bool { all = append(all, m.Key); return true }); err != nil {
		t.Fatal(err)
	}
	if err := x.Triggers(func(m *segment.Meta) bool { triggers = append(triggers, m.Key); return true }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	slices.Sort(triggers)
	var always []string
	for key, d := range w.ref.docs {
		if d.Always {
			always = append(always, key)
		}
	}
	slices.Sort(always)
	if d := cmp.Diff(slices.Sorted(maps.Keys(w.ref.docs)), all, cmpopts.EquateEmpty()) + cmp.Diff(always, triggers, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
	w.lists(t, x)
	key := fmt.Sprintf("k%d", rapid.IntRange(0, 40).Draw(t, "key"))
	var want *segment.Meta
	if d, ok := w.ref.docs[key]; ok {
		want = &d.Meta
	}
	if got, err := x.Get(key); err != nil || cmp.Diff(want, got, cmpopts.EquateEmpty()) != "" {
		t.Fatal(err, cmp.Diff(want, got, cmpopts.EquateEmpty()))
	}
	if tips, err := x.Tips(); err != nil || !maps.Equal(tips, w.tip(w.tips)) {
		t.Fatal(tips, err)
	}
}

// Whatever is updated, merged and opened again, in two processes, a search finds what
// the plain reference finds, with the same numbers.
func TestEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{dir: tempDir(t), ref: reference{testOptions(), map[string]segment.Doc{}, map[segment.ChunkID][]float32{}}}
		for i := range w.x {
			x, err := Open(w.dir, w.ref.o)
			if err != nil {
				t.Fatal(err)
			}
			w.x[i] = x
		}
		defer func() { w.x[0].Close(); w.x[1].Close() }()
		t.Repeat(map[string]func(*rapid.T){"update": w.update, "embed": w.embed, "compact": w.compact, "reopen": w.reopen, "search": w.search, "read": w.read})
	})
}
