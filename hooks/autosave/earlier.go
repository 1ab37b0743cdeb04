package autosave

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/hooks/salience"
	"github.com/git-sage/git-sage/hooks/session"
	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/hooks/transcript/sessions"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall"
	"github.com/git-sage/git-sage/recall/save"
)

// EarlierLine is the line on which records of earlier sessions stand.
const EarlierLine = "sessions"

// An EarlierRecord is what a session came to that ended before there was a memory of it.
type EarlierRecord struct {
	*sage.Checkpoint        // nil if the session holds nothing that is worth a record
	Lost             int    // lines of the transcript that cannot be read
	ID               string // as which it was saved; "" if it was not
	Repeats          bool   // it says nothing that another record does not

	after  string // the record of the session that it continues; "" is none
	from   sessions.Earlier
	digest *transcript.Digest
}

// ReadEarlier reads what a session came to by now, as the end of a session is read. Of one
// that was imported before, as before tells, it reads what was said since; if the transcript
// is not the one that was read then, anew is true and all of it is read.
func ReadEarlier(ctx context.Context, m *recall.Memory, from sessions.Earlier, before gitstore.Import, now time.Time) (r EarlierRecord, anew bool, err error) {
	s := m.Store
	o := transcript.Options{Root: from.Root, SHA256: s.Repo.SHA256(), Redact: s.Session.Redactor()}
	d := transcript.New(o)
	r = EarlierRecord{from: from, digest: d}
	if err := d.UpdateContext(ctx, from.File); err != nil {
		return r, false, err
	}
	was := salience.Session{}
	if before.Record != "" {
		if was, anew, err = sinceImport(ctx, m, from, before); err != nil {
			return r, anew, err
		}
		if !anew {
			r.after = before.Record
		}
	}
	r.Lost = d.Skipped.Broken + d.Skipped.Long
	if len(d.Texts) == 0 {
		return r, anew, nil
	}
	was.Digest, was.Threshold = d, threshold(m)
	if was.Texts, err = transcript.Said(ctx, from.File, was.From, o); err != nil || was.From > 0 && len(was.Texts) == 0 {
		return r, anew, err
	}
	if n := len(d.Summaries); n > 0 && d.Summaries[n-1].Offset >= was.From {
		was.Summary = summaryIn(d)
	}
	r.Checkpoint = salience.Checkpoint(was, sage.SessionEnd)
	if c := r.Checkpoint; c != nil {
		c.Time, c.Session = d.Last, from.Session
		if c.Time.Unix() <= 0 || c.Time.After(now) { // no time at which anything was said
			c.Time = from.Changed
		}
	}
	return r, anew, nil
}

// sinceImport is what is known of a session whose transcript went on behind an import: its
// record, and from where it went on. anew is true where the file begins otherwise than then.
func sinceImport(ctx context.Context, m *recall.Memory, from sessions.Earlier, before gitstore.Import) (s salience.Session, anew bool, err error) {
	if from.Size < before.Size {
		return s, true, nil
	}
	f, err := os.Open(from.File)
	if err != nil {
		return s, false, err
	}
	defer f.Close()
	at := transcript.Behind(f, before.Size)
	if before.Sum != "" && at.Sum != before.Sum {
		return s, true, nil
	}
	c, err := m.Store.Commits.Load(ctx, before.Record)
	if err != nil {
		return s, false, err
	}
	return salience.Session{Recovery: c, Since: c.Time, From: at.Offset}, false, nil
}

// summaryIn is the client's last summary in a transcript; "" if there is none.
func summaryIn(d *transcript.Digest) string {
	if len(d.Summaries) == 0 {
		return ""
	}
	return cut.Bytes(transcript.SummaryBody(d.Summaries[len(d.Summaries)-1].Text), session.MaxSummary)
}

// lastSummary is what the client said of what it took out of the conversation last, if
// that was after since: to a hook, or in the transcript, which alone tells of a compaction
// that a person typed. It is "" if it did not. One behind which nothing was said yet has
// nothing to add to what it sums up.
func lastSummary(s *gitstore.Store, d *transcript.Digest, since time.Time) string {
	text, at := session.Of(s).Summary()
	if n, m := len(d.Summaries), len(d.Texts); n > 0 && m > 0 && d.Summaries[n-1].Time.After(at) && d.Summaries[n-1].Offset < d.Texts[m-1].Offset {
		text, at = summaryIn(d), d.Summaries[n-1].Time
	}
	if !at.After(since) {
		return ""
	}
	return text
}

// SaveEarlier saves the record of an earlier session on [EarlierLine], at the time of the
// session, and notes that its transcript was imported. If the session is resumed, it
// continues that record. m is nobody's session: a save moves where a session stands.
func SaveEarlier(ctx context.Context, m *recall.Memory, r *EarlierRecord) error {
	if r.Checkpoint != nil {
		draft := gitstore.Draft{Checkpoint: *r.Checkpoint, Line: EarlierLine, Automatic: true, NoCode: true}
		saved, err := m.Save.Checkpoint(ctx, save.Note{Draft: draft, Unasked: true})
		switch {
		case save.Declined(err):
			r.Checkpoint, r.Repeats = nil, true
		case err != nil:
			return err
		default:
			r.ID = saved.ID
		}
	}
	if err := m.Store.Review.NoteImported(r.from.Session, gitstore.Import{Size: r.from.Size, Record: cmp.Or(r.ID, r.after), Sum: r.digest.Position.Sum}); err != nil || r.ID == "" {
		return err
	}
	d := r.digest
	at := session.Mark{Checkpoint: r.ID, Offset: d.Position.Offset, Turns: d.Turns, Output: d.Output}
	return session.NoteImported(m.Store, r.from.Session, r.from.File, at)
}
