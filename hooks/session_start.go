package hooks

import (
	"context"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall"
)

// sessionStart puts the brief of the line's latest checkpoint in front of the
// session, with what is known of the project, and records which line that is. Behind a
// compaction it brings back what was in front of the session before. Where nothing is to
// be injected the session is known, and told of nothing.
func (e *event) sessionStart(ctx context.Context) (string, error) {
	e.agent.CatchUp(ctx, e.input.Source == "startup" || e.input.Source == "resume")
	e.noteClient()
	if e.input.Source == "compact" {
		e.behindCompaction(ctx)
	}
	beginErr := e.mem.Store.Session.Begin(ctx) // a read-only repository can still be read
	if e.input.Source != "resume" {            // what was given before is not in front of the agent any more
		e.mem.Store.Session.ForgetGiven()
	}
	askRemotes(e.mem)
	if !e.mem.Continuity.Injects() {
		return "", beginErr
	}
	var o recall.Opening
	open := e.opener(ctx)
	text, err := fitting(func(chars int) (_ string, err error) {
		o, err = open(ctx, chars)
		return o.Text, err
	})
	if e.input.Source == "startup" {
		text = withNotices(e.mem.Stores.RemoteNotices(ctx), text)
	}
	looked := e.mem.Opening.Looked
	if e.back != nil { // it was not told what others did
		looked = func() error { return nil }
	}
	switch {
	case err != nil:
		return "", first(err, beginErr)
	case text == "":
		return "", first(looked(), beginErr)
	}
	e.report(beginErr)
	e.noteGiven(o.Recalled, nil)
	e.after = append(e.after, func() { e.report(first(e.mem.Prompts.NoteShown(o.Shown...), looked())) })
	return addContext("SessionStart", text)
}

// askRemotes asks remotes what they have, beside all else, if it is time.
func askRemotes(m *recall.Memory) {
	if start := m.Stores.Sync; start != nil && m.Store.Remotes.DueToFetch(gitstore.Auto(m.Stores.Settings().SyncAuto)) {
		start()
	}
}

// withNotices puts what remotes have before what a session is shown.
func withNotices(notices []remedy.Note, text string) string {
	lines := lists.Map(notices, hint.Note)
	if text != "" {
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// opener is what the session is shown with.
func (e *event) opener(ctx context.Context) func(context.Context, int) (recall.Opening, error) {
	if e.input.Source != "compact" {
		return e.mem.Opening.Open
	}
	back, err := e.mem.Continuity.Claim(ctx)
	if back == nil { // another one had it already
		e.report(err)
		return e.mem.Opening.Open
	}
	e.back = back
	return back.Open
}
