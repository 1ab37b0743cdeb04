package sagetest

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sage/git-sage/gitstore/sage"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Golden compares got with a file under testdata.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		t.Log("wrote", file)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func Ptr(f float64) *float64 { return &f }

func Unsettled() *sage.Checkpoint {
	return &sage.Checkpoint{
		CoreQuestion: "Stripe or Square?",
		Thesis:       sage.NeedsSynthesis,
		ComponentTheses: []sage.ComponentThesis{
			{From: "0123456789abcdef0123456789abcdef01234567", Thesis: "Stripe is better for the US"},
			{From: "cp_agent_b", Thesis: "Square has better coverage\nabroad"},
		},
	}
}

// Seeds are bytes for properties to draw from: enough for one case each.
func Seeds(f *testing.F) {
	for seed := range uint64(8) {
		source := rand.NewChaCha8([32]byte{byte(seed)})
		b := make([]byte, 1<<16)
		if _, err := source.Read(b); err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}
