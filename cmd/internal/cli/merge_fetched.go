package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/recall"
)

// mergeFetched brings refs forward to what `git fetch` put beside them. Its status
// is 1 if something is left for a person: theses that disagree, a tip that was
// refused.
func (a *app) mergeFetched(ctx context.Context, o *mergeOptions, remotes []string) error {
	if o.abort || o.edit || o.fields.given() {
		return usagef("--fetched takes remotes and no other options but --quiet")
	}
	m, err := a.open(ctx)
	if err != nil {
		return err
	}
	list, err := m.Store.MergeFetched(ctx, remotes...)
	if err != nil {
		return err
	}
	a.keepFetched(ctx, m)
	left := false
	for _, f := range list {
		if err := a.printFetched(f, o.quiet); err != nil {
			return err
		}
		left = left || f.Unsettled || f.Act == gitstore.FetchedRefused
	}
	if len(list) == 0 && !a.json && !o.quiet {
		_, err = fmt.Fprintln(a.out, "Already up to date.")
	}
	if err == nil && left {
		err = errNo
	}
	return err
}

// keepFetched brings what was merged into the backup, or lets somebody do it that
// nobody waits for. What fails is for doctor to say: the merge is done.
func (a *app) keepFetched(ctx context.Context, m *recall.Memory) {
	done, err := m.Store.KeepFetched(ctx)
	if err == nil && !done && m.Upkeep != nil {
		m.Upkeep()
	}
}

// fetchedJSON is a [gitstore.Fetched].
type fetchedJSON struct {
	Ref       string   `json:"ref"`
	Act       string   `json:"act"`
	Old       string   `json:"old,omitempty"`
	New       string   `json:"new,omitempty"`
	Remotes   []string `json:"remotes,omitempty"`
	Detail    string   `json:"detail,omitempty"`
	Unsettled bool     `json:"unsettled,omitempty"`
}

func (a *app) printFetched(f gitstore.Fetched, quiet bool) error {
	if a.json {
		return a.printJSON(fetchedJSON{f.Ref, string(f.Act), f.Old, f.New, f.Remotes, f.Detail, f.Unsettled})
	}
	from := strings.Join(f.Remotes, ", ")
	switch f.Act {
	case gitstore.FetchedRefused:
		fmt.Fprintf(a.err, "error: '%s' of %s is not taken in: %s\n", visible(f.Name()), visible(orElse(from, "our own")), oneLine(f.Detail))
		return nil
	case gitstore.FetchedWaits:
		if !quiet {
			a.say("'%s' %s", f.Name(), f.Detail)
		}
		return nil
	}
	if f.Act == gitstore.FetchedPurged && f.Detail != "" {
		a.hint("'%s': %s", f.Name(), f.Detail)
	}
	if f.Unsettled {
		a.hint("the theses on '%s' disagree: 'git sage switch %s' and 'git sage merge --thesis <synthesis>' settle it", f.Name(), f.Name())
	}
	if quiet {
		return nil
	}
	_, err := fmt.Fprintf(a.out, "%-7s  %s  %s\n", f.Act, f.Name(), a.fetchedIDs(f))
	return err
}

func (a *app) fetchedIDs(f gitstore.Fetched) string {
	switch {
	case f.New == "":
		return a.short(f.Old)
	case f.Old == "":
		return a.short(f.New)
	}
	return a.short(f.Old) + ".." + a.short(f.New)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
