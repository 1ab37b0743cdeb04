package faults_test

import (
	"context"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

var ctx = context.Background()

// open opens the store of the repository of w, with changes to the options.
func open(t testing.TB, w *storetest.World, change ...func(*gitstore.Options)) *gitstore.Store {
	t.Helper()
	o := gitstore.Options{Dir: w.Path("r"), Home: w.Path("home/.sage"), Env: w.Env}
	stopped(&o)
	for _, f := range change {
		f(&o)
	}
	s, err := gitstore.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// stopped stops the clock, so that the same act makes the same commit each time.
func stopped(o *gitstore.Options) { o.Now = func() time.Time { return storetest.Epoch } }

func session(id string) func(*gitstore.Options) {
	return func(o *gitstore.Options) { o.Session, o.Agent = id, "tester" }
}

func thesis(s string) gitstore.Draft {
	return gitstore.Draft{Checkpoint: sage.Checkpoint{Thesis: s}}
}

func save(t testing.TB, s *gitstore.Store, text string) gitstore.Saved {
	t.Helper()
	got, err := s.Checkpoints.Save(ctx, thesis(text))
	if err != nil {
		t.Fatalf("save %q: %v", text, err)
	}
	return got
}
