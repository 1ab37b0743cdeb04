package repo

import (
	"os"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

func FuzzParseIndex(f *testing.F) {
	w := storetest.New(f)
	w.Repo("r")
	b, err := os.ReadFile(w.Path("r/.git/index"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00TREE\x00\x00\x00\x0400000000000000000000"))
	f.Fuzz(func(t *testing.T, b []byte) { parseIndex(b) })
}
