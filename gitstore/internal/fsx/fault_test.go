package fsx_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// failing makes one operation fail, counted among those of its kind.
func failing(t *testing.T, op fsx.Op, err error) {
	t.Helper()
	t.Cleanup(fsx.Inject(func(o fsx.Op, _ string) error {
		if o == op {
			return err
		}
		return nil
	}))
}

// Whatever step of replacing a file fails, the old content is there or the new,
// whole, and nothing is left beside it.
func TestReplaceIsWhole(t *testing.T) {
	for _, op := range []fsx.Op{fsx.OpCreate, fsx.OpWrite, fsx.OpChmod, fsx.OpSync, fsx.OpClose, fsx.OpRename, fsx.OpSyncDir} {
		t.Run(string(op), func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "f")
			if err := fsx.WriteFile(name, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
			failing(t, op, syscall.EIO)
			err := fsx.WriteFile(name, []byte("new, and longer"), 0o644)
			if !errors.Is(err, syscall.EIO) {
				t.Errorf("error: %v", err)
			}
			want := "old"
			if op == fsx.OpSyncDir { // it has its name, but may lose it
				want = "new, and longer"
			}
			if b, err := os.ReadFile(name); err != nil || string(b) != want {
				t.Errorf("content: %q %v", b, err)
			}
			if files, err := os.ReadDir(filepath.Dir(name)); err != nil || len(files) != 1 {
				t.Errorf("left: %v %v", files, err)
			}
		})
	}
}

// A fault says what was done to which file, and is what the system would say.
func TestFaultReads(t *testing.T) {
	failing(t, fsx.OpRename, syscall.ENOSPC)
	err := fsx.Rename("a", "b")
	var p *fs.PathError
	if !errors.As(err, &p) || p.Path != "b" || err.Error() != "rename b: no space left on device" {
		t.Errorf("error: %v", err)
	}
}

func TestInjectIsUndone(t *testing.T) {
	restore := fsx.Inject(func(fsx.Op, string) error { return syscall.EIO })
	if _, err := fsx.Stat("."); !errors.Is(err, syscall.EIO) {
		t.Errorf("injected: %v", err)
	}
	restore()
	if _, err := fsx.Stat("."); err != nil {
		t.Errorf("restored: %v", err)
	}
}

// direct are the functions that a fault could not reach.
var direct = regexp.MustCompile(`^(os\.(Open|OpenFile|OpenInRoot|OpenRoot|Create|CreateTemp|Read[A-Z]\w*|WriteFile|L?stat|Stat|Mkdir\w*|Remove\w*|Rename|Link|Symlink|Ch[a-z]\w*|Truncate)|filepath\.Walk\w*)$`)

// TestOneDoorToFiles holds the store to this package: what goes around it is
// tested by no fault. Templates are a row below and read the user's own files.
func TestOneDoorToFiles(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "fsx" || d.Name() == "storetest" || d.Name() == "sagetest" || d.Name() == "template") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		seen++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && direct.MatchString(x.Name+"."+s.Sel.Name) {
					t.Errorf("%s: %s.%s: use fsx.%s", path, x.Name, s.Sel.Name, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 50 {
		t.Fatalf("%d files: %v", seen, err)
	}
}
