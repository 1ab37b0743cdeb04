package index

import (
	"os"

	"pgregory.net/rapid"
)

func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "index")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
