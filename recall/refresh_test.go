package recall_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/prompts"
	"github.com/git-sage/git-sage/recall/save"
)

// unreachable is a model that cannot be asked.
type unreachable struct{ bag }

func (*unreachable) Documents(context.Context, []string) ([][]float32, error) {
	return nil, errors.New("nobody answers")
}

// The background is begun where there is something to do: not beside one that is at work,
// not when the last one left nothing, and after one that failed not for ten minutes, unless
// something changed.
func TestBackgroundIsBegunWhereThereIsWork(t *testing.T) {
	m := newMemory(t, "")
	withBag(m)
	now := noon
	m.Stores.Options.Now = func() time.Time { return now }
	begun := 0
	asks := func(what string, want int) {
		t.Helper()
		begun = 0
		m.Stores.Background = func() { begun++ }
		defer func() { m.Stores.Background = nil }()
		for range 3 {
			if _, err := m.Prompts.Recall(t.Context(), "which rule?", prompts.RecallOptions{Quick: true}); err != nil {
				t.Fatal(err)
			}
		}
		if begun != want {
			t.Errorf("%s: begun %d times, want %d", what, begun, want)
		}
	}
	adds := func(from int) {
		t.Helper()
		var all []recall.ItemChange
		for i := range 100 {
			all = append(all, item(fmt.Sprint("rule-", from+i), sage.Knowledge, fmt.Sprintf("Rule %d of the house is number %d.", from+i, i)))
		}
		m.Stores.Background = func() {}
		defer func() { m.Stores.Background = nil }()
		write(t, m, all...)
	}
	adds(0)
	asks("vectors are missing, and nobody took note that it began", 3)

	sources, err := m.Stores.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer sources.Close()
	end, err := sources[0].Index.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asks("another one is at work", 0)
	end()

	m.Stores.Options.Embedder = func() (embed.Embedder, error) { return &unreachable{}, nil }
	if _, err := m.Stores.Refresh(t.Context(), nil); err == nil {
		t.Error("a model that nobody can ask made vectors")
	}
	asks("it failed", 0)
	now = now.Add(9 * time.Minute)
	asks("it failed 9 minutes ago", 0)
	now = now.Add(2 * time.Minute)
	asks("it failed 11 minutes ago", 3)
	now = noon
	adds(1000)
	asks("it failed, and there is more", 3)

	withBag(m)
	if _, err := m.Stores.Refresh(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	asks("all is done", 0)

	// what is begun for another reason than a missing vector is held to the same
	m.Stores.Background = func() { begun++ }
	sources, err = m.Stores.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer sources.Close()
	for _, src := range sources {
		begun = 0
		src.Wake(t.Context())
		if begun != 0 {
			t.Error("the last one found nothing to do, and it is begun again")
		}
	}
	adds(2000)
	sources[0].Wake(t.Context())
	if begun != 1 {
		t.Errorf("there is more: begun %d times", begun)
	}
}

// A server or hook has read in the background what it saved: the prompt of another session
// may come next. A process of one command leaves that to who looks for it.
func TestSavedCheckpointIsReadBehindTheSave(t *testing.T) {
	m := newMemory(t, "s")
	begun := 0
	m.Stores.Background = func() { begun++ }
	saves := func(n save.Note, want int) {
		t.Helper()
		begun = 0
		_, err := m.Save.Checkpoint(t.Context(), n)
		if failed := n.Draft.Checkpoint.Thesis == ""; failed != (err != nil) {
			t.Errorf("%v", err)
		}
		if begun != want {
			t.Errorf("%q: begun %d times, want %d", n.Draft.Checkpoint.Thesis, begun, want)
		}
	}
	saves(note("Sessions live in Postgres."), 0)
	m.Stores.ReadAhead = func(start func()) { start() }
	saves(note("Sessions live in Redis."), 1)
	saves(note(""), 0)

	sources, err := m.Stores.Sources(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer sources.Close()
	end, err := sources[0].Index.Turn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	saves(note("Sessions live in memory, beside one that reads."), 0)
	end()
	m.Stores.Background = nil
	saves(note("Sessions live where nothing may be started."), 0)
}

// meanwhile is a model that has something done while it is asked for the first time.
type meanwhile struct {
	bag
	do func()
}

func (m *meanwhile) Documents(ctx context.Context, texts []string) ([][]float32, error) {
	if do := m.do; do != nil {
		m.do = nil
		do()
	}
	return m.bag.Documents(ctx, texts)
}

// Who saves while the background is at work begins no other one: that one reads what was
// saved, too.
func TestBackgroundReadsWhatIsSavedMeanwhile(t *testing.T) {
	m := newMemory(t, "s")
	begun := 0
	m.Stores.ReadAhead = func(start func()) { start() }
	saveNote(t, m, note("Sessions live in Postgres."))
	model := &meanwhile{do: func() {
		m.Stores.Background = func() { begun++ }
		saveNote(t, m, note("Retries are capped at three."))
		m.Stores.Background = nil
	}}
	m.Stores.Options.Embedder = func() (embed.Embedder, error) { return model, nil }
	r, err := m.Stores.Refresh(t.Context(), nil)
	if err != nil || r.Documents != 2 || r.Missing != 0 || begun != 0 {
		t.Errorf("%+v, %v; begun %d times", r, err, begun)
	}
}
