package codeindex_test

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"testing"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index/disk"
)

// Who waits for the process that makes vectors sees how far it is, and makes those that are
// left. What is parsed again keeps them.
func TestVectorsAreWaitedForAndKept(t *testing.T) {
	w := newWorld(t, 3)
	x := codeindex.Of(w.store, hashing{}, nil, nil, nil)
	defer x.Close()
	w.update(x)
	other, err := disk.NewFolder(w.store.Repo.Dir("cache", "code")).Lock(t.Context(), "code1-embed.lock")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Embed(t.Context(), codeindex.EmbedRequest{}); !errors.Is(err, codeindex.ErrBusy) {
		t.Errorf("beside another process: %v", err)
	}
	made, left, err := x.Embed(t.Context(), codeindex.EmbedRequest{Wait: true, Progress: func(done, total int) {
		if done == 0 && total > 0 {
			other.Unlock()
		}
	}})
	if err != nil || made == 0 || left > 0 {
		t.Errorf("after it: %d made, %d left, %v", made, left, err)
	}
	if r, err := x.Update(t.Context(), codeindex.UpdateRequest{Full: true}); err != nil || r.Parsed != 4 || r.Wanting != made || r.Embedded != made {
		t.Errorf("again: %+v, %v", r, err)
	}
}

// A hashing model makes vectors that mean nothing, at once.
type hashing struct{}

var seed = maphash.MakeSeed()

func (hashing) Model() embed.Model { return embed.Model{Name: "hashing", Dim: 384} }

func (h hashing) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	return h.Documents(ctx, texts)
}

func (hashing) Documents(_ context.Context, texts []string) (rows [][]float32, _ error) {
	for _, text := range texts {
		row, bits, norm := make([]float32, 384), maphash.String(seed, text), float32(0)
		for i := range row {
			bits ^= bits << 13
			bits ^= bits >> 7
			bits ^= bits << 17
			row[i] = float32(int32(bits)) / math.MaxInt32
			norm += row[i] * row[i]
		}
		for i := range row {
			row[i] /= float32(math.Sqrt(float64(norm)))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
