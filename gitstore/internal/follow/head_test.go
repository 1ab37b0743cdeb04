package follow

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/discover"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// The name of a branch is read whole or not at all: its beginning is another branch.
func TestBranchUnderWorkOfALongName(t *testing.T) {
	for name, want := range map[string]string{
		strings.Repeat("long/", 60) + "end": strings.Repeat("long/", 60) + "end",
		strings.Repeat("long/", 2000):       "",
	} {
		for _, file := range []string{"rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"} {
			dir := t.TempDir()
			text := name
			if file != "BISECT_START" {
				text = headsOfUser + name
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			s := &branches{repo: &repo.Repo{Where: discover.Place{GitDir: dir}}}
			if got := s.branchUnderWork(); got != want {
				t.Errorf("%s: %d bytes of %d", file, len(got), len(name))
			}
		}
	}
}
