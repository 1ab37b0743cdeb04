package session

import (
	"encoding/json"
	"os"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/prose/cut"
)

// MaxSummary is how much of a client's summary is kept, in bytes: what a marker holds of it
// as well.
const MaxSummary = 8 << 10

type summary struct {
	Time time.Time `json:"time"`
	Text string    `json:"text"` // at most MaxSummary bytes, without secrets
}

// NoteSummary keeps the client's own summary of what it took out of the conversation last.
// It holds no secrets any more.
func (s State) NoteSummary(text string, now time.Time) error {
	return s.keep(summaryPart, summary{now.UTC().Truncate(time.Second), cut.Bytes(text, MaxSummary)})
}

// Summary is what the client said to a hook of what it took out of the conversation last,
// and when; "" if it said nothing.
func (s State) Summary() (text string, at time.Time) {
	var last summary
	s.read(summaryPart, &last)
	return last.Text, last.Time
}

// A compaction is the last that was dealt with: by the watcher, or by a hook, which runs
// before the summary is written. Where that will stand the hook cannot know, only that it is
// behind all that is there.
type compaction struct {
	Summary string `json:"summary,omitempty"` // uuid
	Before  int64  `json:"before,omitempty"`  // bytes of the transcript that were dealt with
}

func (s State) compaction() (c compaction) {
	s.read(compactedPart, &c)
	return c
}

// NoteCompacting notes that a hook dealt with a compaction of all that is in the transcript.
func (s State) NoteCompacting(transcript string) error {
	st, err := os.Stat(transcript)
	if err != nil {
		return err
	}
	c := s.compaction()
	c.Before = st.Size()
	return s.keep(compactedPart, c)
}

// NoteCompacted notes that the watcher dealt with the compaction whose summary stands at an
// offset of the transcript.
func (s State) NoteCompacted(summary string, at int64) error {
	return s.keep(compactedPart, compaction{summary, at})
}

// Compacted is how much of the transcript the compactions were about that were dealt with,
// in bytes.
func (s State) Compacted() int64 { return s.compaction().Before }

// DealtWith reports whether somebody dealt with the compaction whose summary stands at an
// offset of the transcript: the watcher, or a hook, which ran behind the summary before it,
// at -1 if there was none.
func (s State) DealtWith(summary string, at, before int64) bool {
	c := s.compaction()
	return c.Summary == summary || c.Before > 0 && before < c.Before && c.Before <= at
}

type refusal struct {
	After string `json:"after"` // id; "" is none
}

// NoteRefused notes that a compaction was refused behind a checkpoint, "" for none.
func (s State) NoteRefused(checkpoint string) error {
	return s.keep(refusedPart, refusal{checkpoint})
}

// WasRefused reports whether the last compaction that was refused was one behind that
// checkpoint.
func (s State) WasRefused(checkpoint string) bool {
	var before refusal
	return s.read(refusedPart, &before) && before.After == checkpoint
}

// An end is how much of a transcript was there when its session had ended and was looked at.
type end struct {
	Size int64 `json:"size"` // bytes
}

// NoteEnd notes that a transcript was looked at up to its end.
func (s State) NoteEnd(transcript string) error {
	st, err := os.Stat(transcript)
	if err != nil {
		return err
	}
	return s.keep(endPart, end{st.Size()})
}

// EndKnown reports whether the transcript of a session was looked at up to its end, which is
// at size bytes now.
func EndKnown(s *gitstore.Store, session string, size int64) bool {
	var seen end
	return json.Unmarshal(s.Session.KeptOf(session, endPart), &seen) == nil && seen.Size == size
}

type distilled struct {
	Until int64 `json:"until"` // bytes of the transcript
}

// NoteDistilled notes how far a model was asked about the conversation.
func (s State) NoteDistilled(until int64) error { return s.keep(distilledPart, distilled{until}) }

// Distilled is how far a model was asked about the conversation, in bytes of the transcript.
func (s State) Distilled() int64 {
	var d distilled
	s.read(distilledPart, &d)
	return d.Until
}
