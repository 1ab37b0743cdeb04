package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app/apptest"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// An interrupter interrupts a command when it shows how far it is.
type interrupter struct {
	bytes.Buffer
	cancel func()
}

func (w *interrupter) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "Indexing [") {
		w.cancel()
	}
	return w.Buffer.Write(b)
}

func TestInterruptedIndexSaysWhatIsKept(t *testing.T) {
	w := storetest.New(t)
	w.Repo("repo")
	for i := range 40 { // beside one that is there
		if err := os.WriteFile(w.Path(fmt.Sprintf("repo/f%d.go", i)), fmt.Appendf(nil, "package f\n\nfunc F%d() {}\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := func(ctx context.Context, cancel func()) (said string, err error) {
		a := apptest.New(filepath.Dir(w.Path("repo")))
		defer a.Done()
		now := a.Now()
		a.Now = func() time.Time { now = now.Add(time.Second); return now } // every moment the bar is shown
		out := &interrupter{cancel: cancel}
		a.Err, a.ErrTTY, a.Inside = out, true, true
		c := NewIndex(a)
		c.SilenceUsage, c.SilenceErrors = true, true
		c.SetArgs([]string{"--no-embed", "--jobs", "1"})
		err = c.ExecuteContext(ctx)
		return out.String(), err
	}
	ctx, cancel := context.WithCancel(t.Context())
	said, err := run(ctx, cancel)
	if !errors.Is(err, context.Canceled) || !strings.Contains(said, "interrupted: kept what was indexed, ") || !strings.Contains(said, "goes on from there\n") {
		t.Errorf("%q: %v", said, err)
	}
	if said, err = run(t.Context(), func() {}); err != nil || strings.Contains(said, "indexed 41 new files") || !strings.Contains(said, " new files of 41 files: ") {
		t.Errorf("%q: %v", said, err)
	}
}
