package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
	"github.com/git-sage/git-sage/recall/index/internal/vectors"
	"github.com/git-sage/git-sage/recall/index/signs"
)

// proseDim is what vectors of prose have.
const proseDim = 384

// recallOf is how many of the ten nearest of each query the index finds.
func recallOf(t *testing.T, x *Index, all, queries [][]float32) float64 {
	t.Helper()
	found := 0
	for _, q := range queries {
		order := make([]int, len(all))
		scores := make([]float64, len(all))
		for i, v := range all {
			order[i], scores[i] = i, vectors.Dot(q, v)
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		r, err := x.Search(context.Background(), Query{Vector: q, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, h := range r.Hits {
			got[h.Meta.Key] = h.Cosine
		}
		for _, i := range order[:10] {
			if c, ok := got[fmt.Sprint(i)]; ok && c == scores[i] {
				found++
			}
		}
	}
	return float64(found) / float64(10*len(queries))
}

// withVectors is an index of documents that are named by their vectors' numbers.
func withVectors(t testing.TB, o Options, all [][]float32) *Index {
	t.Helper()
	dir := t.TempDir()
	x := open(t, dir, o)
	c := Change{To: tipsOf(1)}
	var add []Vector
	for i, v := range all {
		d := segment.Doc{Meta: segment.Meta{Key: fmt.Sprint(i), Always: i%50 == 0}, Body: fmt.Sprint("text ", i)}
		c.Docs = append(c.Docs, d)
		add = append(add, Vector{x.o.Chunks(&d)[0].ID, v})
	}
	update(t, x, c)
	must(t, x.AddVectors(context.Background(), add))
	return x
}

// The scan of signs loses nothing on vectors as sentence models make them: in groups,
// with little between them, and all in one direction.
func TestScanFindsAll(t *testing.T) {
	for name, c := range map[string]struct{ noise, offset float64 }{
		"groups":            {0.6, 0},
		"one direction":     {0.8, 2},
		"close together":    {1, 4}, // cosines of .94 on average
		"groups that touch": {1.5, 1},
	} {
		t.Run(name, func(t *testing.T) {
			const n, q = 6000, 40
			all := clustered(n+q, n/30, proseDim, c.noise, c.offset)
			o := testOptions()
			o.Dim = proseDim
			x := withVectors(t, o, all[:n])
			if got := recallOf(t, x, all[:n], all[n:]); got < 1 {
				t.Errorf("recall %.4f", got)
			}
		})
	}
}

// A filter that few pass is no reason to find less.
func TestScanBehindFilter(t *testing.T) {
	const n, q = 6000, 20
	all := clustered(n+q, n/30, 128, 0.8, 2)
	o := testOptions()
	o.Dim = 128
	x := withVectors(t, o, all[:n])
	for _, v := range all[n:] {
		r, err := x.Search(context.Background(), Query{Vector: v, Limit: 10, Filter: func(m *segment.Meta) bool { return m.Always }})
		if err != nil || len(r.Hits) != 10 {
			t.Fatal(len(r.Hits), err)
		}
		least := 1.0
		for _, h := range r.Hits {
			least = min(least, h.Cosine)
		}
		better := 0
		for i := 0; i < n; i += 50 {
			if vectors.Dot(v, all[i]) > least {
				better++
			}
		}
		if better != 9 {
			t.Errorf("%d of those that pass are better than the last that is found", better)
		}
	}
}

// A graph answers when it is built, and the scan until then and where it fails.
func TestGraphAnswers(t *testing.T) {
	const n, q = 1500, 30
	all := clustered(n+q, 10, 64, 1.5, 1)
	o := testOptions()
	o.Dim, o.VectorIndex = 64, HNSW
	x := withVectors(t, o, all[:n])
	if got := recallOf(t, x, all[:n], all[n:]); got < 0.95 {
		t.Errorf("recall %.3f while it is built", got)
	}
	g := x.graphs[x.vsegs[0].Name]
	<-g.done
	if errors.Is(g.err, errors.ErrUnsupported) {
		t.Skip(g.err)
	}
	if g.err != nil || g.ready() == nil {
		t.Fatal(g.err)
	}
	calls := 0
	m := &meaningLeg{q: all[n], segs: x.segs, vsegs: x.vsegs, graphs: x.graphs}
	enough, err := m.throughGraph(x.vsegs[0], 10, func(compared) (int, int, error) { calls++; return 1, 1, nil })
	if err != nil || !enough || calls != 20 {
		t.Errorf("through the graph: %v %v, %d rows", enough, err, calls)
	}
	if enough, err := m.throughGraph(x.vsegs[0], 10, func(compared) (int, int, error) { return 0, 0, nil }); err != nil || enough {
		t.Errorf("that none passes is enough: %v", err)
	}
	if got := recallOf(t, x, all[:n], all[n:]); got < 0.95 {
		t.Errorf("recall %.3f", got)
	}
	m.q = m.q[:5] // the library panics
	if enough, err := m.throughGraph(x.vsegs[0], 10, nil); err != nil || enough {
		t.Errorf("a graph that fails is enough: %v", err)
	}
	d := segment.Doc{Meta: segment.Meta{Key: "0"}, Body: "another text"}
	update(t, x, Change{From: tipsOf(1), To: tipsOf(2), Docs: []segment.Doc{d}, Removed: []string{"1"}})
	r, err := x.Search(context.Background(), Query{Vector: all[1], Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Hits {
		if h.Meta.Key == "0" || h.Meta.Key == "1" {
			t.Errorf("%s is found, which has no vector any more", h.Meta.Key)
		}
	}
	if err := x.Compact(context.Background()); err != nil { // another segment: the graph goes
		t.Fatal(err)
	}
	if _, err := ask2(x, all[2]); err != nil || x.graphs[g.file.Name()] != nil || len(x.graphs) != 1 {
		t.Errorf("graphs: %v %v", x.graphs, err)
	}
}

func ask2(x *Index, v []float32) (*Result, error) {
	return x.Search(context.Background(), Query{Vector: v, Limit: 3})
}

// Few documents of a kind among many are found as well as if they were alone, and their
// vectors are all that is compared.
func TestFewOfAKindAreFound(t *testing.T) {
	const n, q, each = 6000, 20, 60 // that is of the kind
	all := clustered(n+q, n/30, proseDim, 0.8, 2)
	o := testOptions()
	o.Dim = proseDim
	x := open(t, t.TempDir(), o)
	c := Change{To: tipsOf(1)}
	var add []Vector
	for i, v := range all[:n] {
		d := segment.Doc{Meta: segment.Meta{Key: fmt.Sprint(i), Kind: "many"}, Body: fmt.Sprint("text ", i)}
		if i%each == 0 {
			d.Kind = "few"
		}
		c.Docs = append(c.Docs, d)
		add = append(add, Vector{x.o.Chunks(&d)[0].ID, v})
	}
	update(t, x, c)
	must(t, x.AddVectors(context.Background(), add))
	for _, query := range all[n:] {
		best, nearest := "", -1.0
		for i := 0; i < n; i += each {
			if c := vectors.Dot(query, all[i]); c > nearest {
				best, nearest = fmt.Sprint(i), c
			}
		}
		r, err := x.Search(context.Background(), Query{Vector: query, Kinds: []string{"few"}, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Hits, func(h Hit) bool { return h.Meta.Key == best && h.Cosine == nearest }) {
			t.Errorf("the nearest of a kind, %s at %.3f, is not found", best, nearest)
		}
	}
	v := x.vsegs[0]
	may := make([]bool, n)
	for doc := range may {
		may[doc] = x.segs[0].Kinds[x.segs[0].Docs[doc].Kind] == "few"
	}
	m := &meaningLeg{q: all[n], segs: x.segs, vsegs: x.vsegs, open: [][]bool{may}}
	far := signs.Distances(m.q, v.Mean, v.Bits)
	if open := m.close(v, far); open != n/each {
		t.Fatalf("%d rows are open, not %d", open, n/each)
	}
	rows, err := m.compared(v, v.Row, far, -1, signs.Within(far, v.Dim, n))
	if err != nil || len(rows) != n/each {
		t.Errorf("%d rows are compared, not %d: %v", len(rows), n/each, err)
	}
}

// clustered is n vectors in groups, all off the origin, as those of sentence models
// are.
func clustered(n, groups, dim int, noise, offset float64) [][]float32 {
	r := rand.New(rand.NewPCG(3, 4))
	normal := func(scale float64) []float64 {
		v := make([]float64, dim)
		for i := range v {
			v[i] = r.NormFloat64() * scale
		}
		return v
	}
	off := normal(offset)
	centres := make([][]float64, groups)
	for i := range centres {
		centres[i] = normal(1)
	}
	out := make([][]float32, n)
	for i := range out {
		v, sum := normal(noise), 0.0
		for j, c := range centres[i%groups] {
			v[j] += c + off[j]
			sum += v[j] * v[j]
		}
		out[i] = make([]float32, dim)
		for j := range v {
			out[i][j] = float32(v[j] / math.Sqrt(sum))
		}
	}
	return out
}
