package watcher

import (
	"strings"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/hooks/watch"
)

// Of a stranger that holds the lock the line says that, and no empty names.
func TestWatcherLineOfAStranger(t *testing.T) {
	for pid, want := range map[int]string{7: "process 7 holds '/run/l' but does not answer as a watcher: check it, and stop it yourself", 0: "a process of another container or machine holds '/run/l', "} {
		st := watch.Status{Record: watch.Record{PID: pid}, Running: true, Silent: true, Held: "/run/l"}
		if got := watcherLine((&app.App{}), st); !strings.HasPrefix(got, want) {
			t.Errorf("%q", got)
		}
	}
}
