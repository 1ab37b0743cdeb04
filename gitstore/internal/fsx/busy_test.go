package fsx

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Where a file that others have open cannot be replaced or removed, it is tried
// again, and given up in the end.
func TestBusyIsTriedAgain(t *testing.T) {
	errBusy := errors.New("in use")
	busy = func(err error) bool { return errors.Is(err, errBusy) }
	defer func() { busy = isBusy }()
	for _, tt := range []struct {
		failures int
		ok       bool
	}{{0, true}, {3, true}, {1 << 20, false}} {
		name := filepath.Join(t.TempDir(), "f")
		if err := WriteFile(name, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		left := tt.failures
		restore := Inject(func(op Op, _ string) error {
			if left--; (op == OpRename || op == OpRemove) && left >= 0 {
				return errBusy
			} else if op != OpRename && op != OpRemove {
				left++
			}
			return nil
		})
		err := WriteFile(name, []byte("new"), 0o644)
		left = tt.failures
		gone := Remove(name)
		restore()
		if (err == nil) != tt.ok || (gone == nil) != tt.ok {
			t.Errorf("%d failures: %v, %v", tt.failures, err, gone)
		}
		if b, err := os.ReadFile(name); !tt.ok && (err != nil || string(b) != "old") {
			t.Errorf("given up: %q %v", b, err)
		}
	}
}
