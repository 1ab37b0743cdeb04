package codeindex_test

import (
	"context"
	"hash/maphash"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/storetest"
	"github.com/git-sage/git-sage/recall/embed"
)

// BenchmarkCalls asks for a symbol, and by words and vectors, in Go's own sources, 130,000
// chunks, with an index that is opened for each call, as a server does: its time beside that
// of git, which lists the files. To encode a question is not in it.
func BenchmarkCalls(b *testing.B) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip(err)
	}
	w := storetest.New(b)
	w.Repo("r")
	if err := os.CopyFS(w.Path("r/src"), os.DirFS(filepath.Join(strings.TrimSpace(string(out)), "src"))); err != nil {
		b.Skip(err)
	}
	w.Git("r", "add", ".")
	w.Git("r", "commit", "-q", "-m", "all")
	s, err := gitstore.Open(b.Context(), gitstore.Options{Dir: w.Path("r"), Home: w.Home, Env: w.Env})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	git := &timed{git: s.Repo.Git}
	o := codeindex.Options{Git: git, Top: s.Repo.Top(), Dir: b.TempDir(), Cache: b.TempDir(), ID: "id", Model: hashing{}, Kept: new(codeindex.Kept),
		Blob: func(oid string) ([]byte, error) { return s.Repo.Git.Run(b.Context(), "cat-file", "blob", oid) }}
	x := codeindex.Open(o)
	if _, err := x.Update(b.Context(), codeindex.UpdateRequest{}); err != nil {
		b.Fatal(err)
	}
	if err := x.ReadHistory(b.Context(), "", false); err != nil {
		b.Fatal(err)
	}
	if _, _, err := x.Embed(b.Context(), codeindex.EmbedRequest{}); err != nil {
		b.Fatal(err)
	}
	_ = x.Close()
	for name, call := range map[string]func(*codeindex.Index) error{
		"symbol": func(x *codeindex.Index) error {
			_, err := x.Symbols(b.Context(), codeindex.Query{Text: "NewReader"})
			return err
		},
		"search": func(x *codeindex.Index) error {
			_, err := x.Search(b.Context(), codeindex.Query{Text: "where is a header parsed into fields?"})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			git.took = 0
			for b.Loop() {
				x := codeindex.Open(o)
				if err := call(x); err != nil {
					b.Fatal(err)
				}
				_ = x.Close()
			}
			n := float64(b.N) * 1e6
			b.ReportMetric((float64(b.Elapsed())-float64(git.took))/n, "ms-own/op")
			b.ReportMetric(float64(git.took)/n, "ms-git/op")
		})
	}
}

// A timed git adds up how long it lists files.
type timed struct {
	git interface {
		Records(ctx context.Context, fn func([]byte) bool, args ...string) error
	}
	took time.Duration
}

func (g *timed) Records(ctx context.Context, fn func([]byte) bool, args ...string) error {
	if strings.Contains(strings.Join(args, " "), "ls-files") {
		defer func(began time.Time) { g.took += time.Since(began) }(time.Now())
	}
	return g.git.Records(ctx, fn, args...)
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
