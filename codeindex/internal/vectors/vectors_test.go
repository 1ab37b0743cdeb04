package vectors_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/codeindex/internal/vectors"
	"github.com/git-sage/git-sage/recall/index/disk"
)

const dim = 384

func unit(r *rand.Rand) []float32 {
	v, sum := make([]float32, dim), 0.
	for i := range v {
		x := r.NormFloat64()
		v[i], sum = float32(x), sum+x*x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func file(t *testing.T, rows []vectors.Row) *vectors.File {
	t.Helper()
	var b bytes.Buffer
	if err := vectors.Write(&b, [32]byte{1}, dim, rows); err != nil {
		t.Fatal(err)
	}
	f, err := vectors.Open(disk.Bytes(b.Bytes()), [32]byte{1}, dim)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func exact(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// What is found is what a comparison of all vectors finds, with nearly the same cosines.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	centres := [][]float32{unit(r), unit(r), unit(r), unit(r)}
	var rows []vectors.Row
	for i := range uint32(3000) {
		v := unit(r)
		for k, c := range centres[i%4] {
			v[k] = v[k]*0.7 + c*0.7
		}
		n := float32(math.Sqrt(exact(v, v)))
		for k := range v {
			v[k] /= n
		}
		rows = append(rows, vectors.Row{Chunk: 3 * i, Vector: v})
	}
	q := rows[17].Vector
	may := func(c uint32) bool { return c%2 == 1 }
	want := slices.DeleteFunc(slices.Clone(rows), func(r vectors.Row) bool { return !may(r.Chunk) })
	slices.SortFunc(want, func(a, b vectors.Row) int {
		return int(math.Copysign(1, exact(q, b.Vector)-exact(q, a.Vector)))
	})
	f := file(t, rows)
	got, err := vectors.Nearest([]*vectors.File{nil, f}, q, 10, func(_ int, c uint32) bool { return may(c) })
	if err != nil {
		t.Fatal(err)
	}
	missed := 0
	for i, n := range got {
		if !slices.ContainsFunc(want[:12], func(r vectors.Row) bool { return r.Chunk == n.Chunk }) {
			missed++
		}
		c, ok, err := f.Cosine(q, n.Chunk)
		if err != nil || !ok || c != n.Cosine || math.Abs(c-exact(q, rows[n.Chunk/3].Vector)) > .005 {
			t.Errorf("%d: cosine %v, %v, %v", i, c, ok, err)
		}
	}
	if len(got) != 10 || missed > 0 || got[0].Chunk != 51 {
		t.Errorf("%d found, %d of them far: %v", len(got), missed, got)
	}
}

// What is read and written again is the same file.
func TestRewritten(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rows := []vectors.Row{{Chunk: 5, Vector: unit(r)}, {Chunk: 2, Vector: unit(r)}, {Chunk: 9, Vector: make([]float32, dim)}}
	first := file(t, rows)
	var again []vectors.Row
	if err := first.Each(func(r vectors.Row) { again = append(again, r) }); err != nil {
		t.Fatal(err)
	}
	second := file(t, again)
	q := unit(r)
	for _, chunk := range []uint32{2, 5, 9} {
		a, ok, err := first.Cosine(q, chunk)
		b, ok2, err2 := second.Cosine(q, chunk)
		if !ok || !ok2 || err != nil || err2 != nil || math.Abs(a-b) > 1e-6 {
			t.Errorf("%d: %v and %v", chunk, a, b)
		}
	}
	if first.Has(3) || !first.Has(5) || second.Len() != 3 {
		t.Error("other chunks")
	}
}
