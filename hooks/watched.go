package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/autosave"
	"github.com/git-sage/git-sage/hooks/plugin"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/internal/hint"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/brief"
)

// An Order is what the watcher hands to [Watched]: actions on behalf of a session.
type Order struct {
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path,omitempty"`
	Dir        string          `json:"cwd"`                 // where the session is; in a folder that is gone nothing is done
	Compacted  string          `json:"compacted,omitempty"` // uuid of the compaction's summary
	Actions    []plugin.Action `json:"actions"`
}

// A Done is what [Watched] prints of an action as JSON, one a line.
type Done struct {
	Do    string `json:"do"`
	What  string `json:"what,omitempty"`  // came of it; "" is that nothing was to be done
	Error string `json:"error,omitempty"` // why it was not done
}

// A watched event is an order of the watcher's, for a client whose hooks may be off.
type watched struct {
	*event
	found *summary // of the compaction that the order names; nil before it was looked for
}

// answer does what the watcher's plugins asked for, in their order. What fails keeps the
// rest from nothing.
func (e *watched) answer(ctx context.Context) (string, error) {
	var b strings.Builder
	out := json.NewEncoder(&b)
	for _, a := range e.input.Actions {
		what, err := e.act(ctx, a)
		d := Done{Do: a.Do, What: what}
		if err != nil {
			e.report(fmt.Errorf("%s: %w", a.Do, err))
			d.Error = hint.Error(err)
		}
		if err := out.Encode(d); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func (e *watched) act(ctx context.Context, a plugin.Action) (what string, err error) {
	if e.off {
		return "", nil
	}
	switch a.Do {
	case plugin.StartSession:
		return "", e.mem.Store.Session.Meet(ctx)
	case plugin.Queue:
		return "", e.mem.Store.Session.Enqueue(a.Checkpoint)
	case plugin.SaveRecovery:
		return e.recoverCompacted(ctx)
	case plugin.WriteMarker:
		return e.markCompacted(ctx)
	case plugin.EndSession:
		return e.endWatched(ctx)
	}
	return "", fmt.Errorf("'%s' is not an action", a.Do)
}

// recoverCompacted saves what nobody saved before a compaction, unless a hook did.
func (e *watched) recoverCompacted(ctx context.Context) (string, error) {
	if _, was, err := e.compaction(); was || err != nil {
		return "", err
	}
	return recovered(e.agent.SaveUnsaved(ctx, sage.Recovery))
}

func recovered(l *autosave.Loss, err error) (string, error) {
	if err != nil || l == nil {
		return "", err
	}
	return "saved recovery " + brief.ShortID(l.ID), nil
}

// markCompacted marks what a compaction took, unless a hook did, or an earlier order: it
// is brought back once.
func (e *watched) markCompacted(ctx context.Context) (string, error) {
	done := e.mem.Store.Session.Alone(ctx)
	defer done()
	s, was, err := e.compaction()
	if err != nil || was {
		return "", err
	}
	text, err := e.agent.Clean(transcript.SummaryBody(s.text), maxHeard)
	if err != nil {
		return "", err
	}
	e.report(e.state().NoteSummary(text, e.now()))
	err = e.mem.Continuity.Mark(ctx, gitstore.Marker{Reason: "compaction", Summary: text})
	if errors.Is(err, recall.ErrNoContinuity) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return "marked what it lost", e.state().NoteCompacted(e.input.Compacted, s.at)
}

// endWatched saves what nobody saved of a session whose client is gone, unless its end
// was looked at.
func (e *watched) endWatched(ctx context.Context) (string, error) {
	file := e.agent.File()
	if file == "" {
		return "", nil
	}
	st, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if session.EndKnown(e.mem.Store, e.session(), st.Size()) {
		return "", nil
	}
	what, err := recovered(e.agent.SaveUnsaved(ctx, sage.Recovery))
	if err != nil {
		return "", err
	}
	return what, e.state().NoteEnd(file)
}

// A summary is what a compaction put in the place of a conversation.
type summary struct {
	text   string
	at     int64 // where its record begins
	before int64 // where that of the compaction before begins; -1 if there was none
}

// compaction is the summary that the order names, and whether somebody dealt with it.
func (e *watched) compaction() (s summary, was bool, err error) {
	if e.found == nil {
		if s, err = findSummary(e.agent.File(), e.input.Compacted); err != nil {
			return s, false, err
		}
		e.found = &s
	}
	return *e.found, e.state().DealtWith(e.input.Compacted, e.found.at, e.found.before), nil
}

func findSummary(file, id string) (s summary, err error) {
	r, err := transcript.Open(file, transcript.Position{})
	if err != nil {
		return s, err
	}
	defer r.Close()
	for s.before = -1; ; {
		rec, err := r.Next()
		switch {
		case err == io.EOF:
			return s, fmt.Errorf("no summary %s in %s", id, file)
		case err != nil:
			return s, err
		case rec.Summary && rec.UUID == id:
			s.text, s.at = rec.Text(), rec.Offset
			return s, nil
		case rec.Summary:
			s.before = rec.Offset
		}
	}
}
