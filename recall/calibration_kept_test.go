package recall_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	encoder "github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/rank"
)

// counting is a model that nothing is built in for, and how often it was measured.
type counting struct {
	*bag
	runs *int
}

func (c counting) Queries(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) > 50 {
		*c.runs++
	}
	return c.bag.Queries(ctx, texts)
}

// A model that is not built in is measured once, and again when the file is damaged.
func TestCalibrationIsKeptBesideTheSidecar(t *testing.T) {
	m := newMemory(t, "")
	runs := 0
	m.Stores.Options.Embedder = func() (encoder.Embedder, error) { return counting{bag: &bag{}, runs: &runs}, nil }
	ask := func() *rank.Calibration {
		l, err := m.Stores.Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		return l[0].Calibration(t.Context(), false)
	}
	if c := ask(); c == nil || c.Model != "bag" {
		t.Fatalf("calibration: %+v", c)
	}
	if ask(); runs > 2 { // sidecar's folder may come with its first document
		t.Errorf("measured %d times", runs)
	}
	before := runs
	files, _ := filepath.Glob(filepath.Join(m.Store.Knowledge.SidecarDir(), "calibration-*"))
	for _, f := range files {
		must(t, os.WriteFile(f, []byte("{"), 0o644))
	}
	if c := ask(); c == nil || runs != before+1 {
		t.Errorf("behind damage: %+v, measured %d times more", c, runs-before)
	}
}

// kept is a model that keeps its own.
type kept struct {
	counting
	file string
}

func (k kept) CalibrationFile() string { return k.file }

// The user's models keep theirs; who is in a hurry does not wait for it.
func TestCalibrationIsKeptWithTheModel(t *testing.T) {
	m := newMemory(t, "")
	runs := 0
	model := kept{counting{bag: &bag{}, runs: &runs}, filepath.Join(t.TempDir(), "calibration.json")}
	m.Stores.Options.Embedder = func() (encoder.Embedder, error) { return model, nil }
	told := 0
	m.Stores.Warn = func(error) { told++ }
	l, err := m.Stores.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if c := l[0].Calibration(t.Context(), true); c != nil || runs != 0 || told != 1 {
		t.Errorf("in a hurry: %+v, %d runs, told %d times", c, runs, told)
	}
	if c := l[0].Calibration(t.Context(), false); c == nil || runs != 1 {
		t.Errorf("%+v, %d runs", c, runs)
	}
	if c := l[0].Calibration(t.Context(), true); c == nil || runs != 1 {
		t.Errorf("once it is there: %+v, %d runs", c, runs)
	}
}
