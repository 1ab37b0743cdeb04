package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/recall"
)

// healthJSON is what status -v --json prints besides.
type healthJSON struct {
	Version string               `json:"version"`
	Checks  []diagnosisJSON      `json:"checks"`
	Called  map[string]time.Time `json:"hooks_called"` // when a session last called which
}

// told are the checks of doctor of which status -v tells also when all is well.
var told = []struct{ check, head string }{
	{"memory", "Store"}, {"search", "Search"}, {"model", "Model"}, {"hooks", "Claude Code"}, {"clients", "Clients"}, {"watcher", "Watcher"},
}

func (a *app) health(ctx context.Context, m *recall.Memory) healthJSON {
	version, _ := buildVersion()
	h := healthJSON{Version: version, Called: hooks.Calls(filepath.Join(m.Store.CommonDir(), "sage")), Checks: []diagnosisJSON{}}
	for _, d := range a.wellOf(ctx, m) {
		h.Checks = append(h.Checks, diagnosisJSON{d.Name, string(d.State), d.Detail, d.Cure})
	}
	return h
}

// writeHealth prints a line for each thing that is looked at.
func (a *app) writeHealth(w io.Writer, st gitstore.Status, h healthJSON) {
	line := func(head, text string) { fmt.Fprintf(w, "%-14s%s\n", head, visible(oneLine(text))) }
	fmt.Fprintln(w)
	line("Version", h.Version)
	line("Repository", st.Repository)
	for _, t := range told {
		for _, d := range h.Checks {
			if d.Check == t.check && d.State == string(gitstore.StateOK) {
				line(t.head, d.Detail)
			}
		}
	}
	events := slices.SortedFunc(maps.Keys(h.Called), func(x, y string) int { return h.Called[y].Compare(h.Called[x]) })
	for i, e := range events {
		events[i] = e + " " + age(a.now(), h.Called[e])
	}
	if len(events) == 0 {
		events = []string{"none here yet"}
	}
	line("Hooks called", strings.Join(events, ", "))
	for _, d := range h.Checks {
		if d.State != string(gitstore.StateOK) {
			line(d.State+":", d.Check+": "+d.Detail)
			if d.Cure != "" {
				line("", d.Cure)
			}
		}
	}
}
