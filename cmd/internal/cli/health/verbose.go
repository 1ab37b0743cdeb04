package health

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/hooks"
	"github.com/git-sage/git-sage/hooks/install"
	"github.com/git-sage/git-sage/recall"
)

// told are the checks of doctor of which status -v tells also when all is well.
var told = []struct{ check, head string }{
	{"memory", "Store"}, {"search", "Search"}, {"model", "Model"}, {"hooks", "Claude Code"}, {"clients", "Clients"}, {"watcher", "Watcher"},
}

func healthOf(ctx context.Context, a *app.App, m *recall.Memory) wire.Health {
	version, _ := a.Version()
	h := wire.Health{Version: version, Called: hooks.Calls(m.Store.Repo.Folder()), Checks: []wire.Diagnosis{}}
	for _, d := range wellOf(ctx, a, m, install.Claude) {
		h.Checks = append(h.Checks, wire.DiagnosisOf(d))
	}
	return h
}

// writeHealth prints a line for each thing that is looked at.
func writeHealth(a *app.App, w io.Writer, st gitstore.Status, h wire.Health) {
	line := func(head, text string) { fmt.Fprintf(w, "%-14s%s\n", head, term.Visible(a.Typed(text))) }
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
	line("Hooks called", cmp.Or(lastCall(a, h.Called), "none here yet"))
	for _, d := range h.Checks {
		if d.State != string(gitstore.StateOK) {
			line(d.State+":", d.Check+": "+d.Detail)
			if d.Cure != "" {
				line("", d.Cure)
			}
		}
	}
}

// lastCall says how many of the client's events called a hook here, and which last; "" if
// none did.
func lastCall(a *app.App, called map[string]time.Time) string {
	last := ""
	for event, at := range called {
		if last == "" || at.After(called[last]) {
			last = event
		}
	}
	if last == "" {
		return ""
	}
	return fmt.Sprintf("%s seen, last %s %s", legible.Count(len(called), "event"), install.Event(last), term.Age(a.Now(), called[last]))
}
