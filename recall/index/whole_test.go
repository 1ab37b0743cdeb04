package index

import (
	"os"
	"path/filepath"
	"testing"
)

// That nothing lacks a vector is known to the next process, until a file is damaged or
// gone: then what it held is missing.
func TestNothingMissingIsKnownUntilDamage(t *testing.T) {
	for name, damage := range map[string]func(file string) error{
		"emptied": func(f string) error { return os.Truncate(f, 0) },
		"cut":     func(f string) error { return os.Truncate(f, 100) },
		"gone":    os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			missing := func() int {
				x := open(t, dir, testOptions())
				defer x.Close()
				_, n, err := x.Missing(t.Context(), 1)
				if err != nil {
					_, n, err = x.Missing(t.Context(), 1) // behind what was found damaged
				}
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			must(t, small(t, dir, testOptions()).Close())
			whole := func() []string { f, _ := filepath.Glob(filepath.Join(dir, "*.whole")); return f }
			if n := missing(); n != 0 || len(whole()) != 1 {
				t.Fatalf("%d are missing, noted in %q", n, whole())
			}
			x := open(t, dir, testOptions())
			if _, err := x.Tips(); err != nil || !x.isWhole([2]string{x.docsIn.Raw, x.vecsIn.Raw}) {
				t.Errorf("the next process does not know it: %v", err)
			}
			_ = x.Close()
			files, _ := filepath.Glob(filepath.Join(dir, "vectors*.seg"))
			for _, f := range files {
				must(t, damage(f))
			}
			if n := missing(); n == 0 {
				t.Error("nothing is missing, it says")
			}
		})
	}
}
