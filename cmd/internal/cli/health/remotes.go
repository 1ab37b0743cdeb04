package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/wire"
	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// remotesOf is what stands between this memory and its remotes, and starts what is due with
// them.
func remotesOf(ctx context.Context, m *recall.Memory) (out []wire.RemoteStatus) {
	s := m.Store.Remotes
	if auto := gitstore.Auto(m.Stores.Settings().SyncAuto); m.Stores.Sync != nil && s.DueToFetch(auto) {
		m.Stores.Sync()
	}
	noticed, lately := s.Noticed(ctx), s.Lately()
	for _, n := range noticed {
		out = append(out, wire.RemoteStatus{Remote: n.Remote, Waiting: n.Checkpoints, Text: hint.Note(m.Stores.NoticeOf(n))})
	}
	for _, said := range s.Said() {
		at := slices.IndexFunc(out, func(r wire.RemoteStatus) bool { return r.Remote == said.Remote })
		if at < 0 {
			at, out = len(out), append(out, wire.RemoteStatus{Remote: said.Remote})
		}
		r, state := &out[at], lately[said.Remote]
		if r.Shared = len(said.Push) > 0; r.Shared {
			plan, _ := s.Unpushed(ctx, said.Remote)
			r.Unsent, r.Names = len(plan), lists.Map(plan, gitstore.Sent.Name)
		}
		r.Failed = state.Why
		for _, ref := range lists.Sorted(state.Reasons) {
			r.Refused = append(r.Refused, gitstore.Sent{Ref: ref}.Name()+": "+state.Reasons[ref])
		}
	}
	return out
}

// writeRemotes says what waits to come or to go, and which lines never go.
func writeRemotes(a *app.App, b *strings.Builder, list []wire.RemoteStatus, private []string) {
	for _, r := range list {
		name := term.Visible(r.Remote)
		if r.Text != "" {
			fmt.Fprintf(b, "\n%s\n", term.Visible(a.Typed(r.Text)))
		}
		if r.Unsent > 0 {
			them := "it"
			if r.Unsent > 1 {
				them = "them"
			}
			a.Fprintf(b, "\nNot sent to %s yet: %s; 'git sage sync %s' sends %s\n", name, term.Visible(term.Some(r.Names)), gitstore.InShell(r.Remote), them)
		}
		if r.Failed != "" {
			fmt.Fprintf(b, "\nThe last try to reach %s failed: %s\n", name, term.Visible(strings.TrimPrefix(r.Failed, "remote '"+r.Remote+"': ")))
		}
		for _, why := range r.Refused {
			fmt.Fprintf(b, "\nNot taken by %s: %s\n", name, term.Visible(why))
		}
	}
	if len(private) > 0 {
		fmt.Fprintf(b, "\nPrivate lines, which are never sent: %s\n", term.Visible(term.Some(private)))
	}
}

// remotesWell is what doctor says of remotes; nothing where there is none.
func remotesWell(ctx context.Context, a *app.App, m *recall.Memory) (all []gitstore.Diagnosis) {
	for _, r := range remotesOf(ctx, m) {
		name := "remote " + term.Visible(r.Remote)
		sync := remedy.Typed("git sage sync " + gitstore.InShell(r.Remote))
		switch {
		case r.Failed != "":
			all = append(all, part.Oddity(name, r.Failed, sync))
		case len(r.Refused) > 0:
			all = append(all, part.Oddity(name, "it did not take "+strings.Join(r.Refused, "; "), sync))
		case r.Text != "":
			text, _, _ := strings.Cut(r.Text, "; ")
			all = append(all, gitstore.Diagnosis{Name: name, State: gitstore.StateOK, Detail: text, Cure: []remedy.Remedy{sync}})
		case r.Unsent > 0:
			all = append(all, gitstore.Diagnosis{Name: name, State: gitstore.StateOK, Detail: "not sent yet: " + term.Some(r.Names), Cure: []remedy.Remedy{sync}})
		case r.Shared:
			all = append(all, part.OK(name, "shared, and has all that may go"))
		default:
			all = append(all, part.OK(name, "all that it has is here; nothing is sent to it"))
		}
	}
	return all
}
