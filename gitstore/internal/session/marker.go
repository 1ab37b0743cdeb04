package session

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// A Marker says that a session has lost what was in front of it, by a compaction say,
// and what brings it back. It is a file of its owner's alone, in sage/continuity, which
// one process gets once: see [Memory.ClaimMarker].
//
// The name of the file is a number that grows with each marker, whose it is, and a
// random word, so that a name is never used again and no clock says which is newer.
type Marker struct {
	Session    string    `json:"session,omitempty"` // whose; "" is of whoever comes first in the work tree
	Worktree   string    `json:"worktree"`          // the git directory of the work tree in which it was made
	Reason     string    `json:"reason,omitempty"`  // one line, at most 200 characters
	Time       time.Time `json:"time"`              // when it was made, for people
	Checkpoint string    `json:"checkpoint,omitempty"`
	Summary    string    `json:"summary,omitempty"` // the client's own of the conversation, at most 8 KB
}

// Cause is the reason of a marker as a person reads it: hooks write words of their own.
func (m Marker) Cause() string {
	switch m.Reason {
	case "precompact-auto":
		return "automatic compaction"
	case "precompact-manual":
		return "typed /compact"
	case "precompact":
		return "compaction"
	}
	return m.Reason
}

const (
	maxReason  = 200     // characters
	maxSummary = 8 << 10 // bytes: twice what an injection has room for
	mostMarked = 200     // of sessions that never came back; the oldest go
	markerExt  = ".json"
)

// Mark leaves a marker for the store's session, in place of one that nobody has got
// yet. Session, Worktree and Time are filled in, secrets taken out.
func (s *Memory) Mark(m Marker) error {
	if err := s.repo.Enabled(); err != nil {
		return err
	}
	m.Session, m.Worktree, m.Time = s.repo.Options.Session, s.repo.Where.GitDir, s.repo.Options.Now().UTC().Truncate(time.Second)
	return s.mark(m)
}

func (s *Memory) mark(m Marker) error {
	var err, err2 error
	m.Reason, _, err = s.repo.Options.Redact.Head(legible.OneLine(m.Reason), 8*maxReason)
	m.Summary, _, err2 = s.repo.Options.Redact.Head(m.Summary, 8*maxSummary)
	if err := cmp.Or(err, err2); err != nil {
		return fmt.Errorf("look for secrets: %w; nothing was marked", err)
	}
	m.Reason, m.Summary = cut.Runes(m.Reason, maxReason), record.ClipBytes(m.Summary, maxSummary)
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return s.keepMarker(s.markerKey(), append(b, '\n'))
}

// keepMarker writes a marker and takes those away whose place it takes.
func (s *Memory) keepMarker(key string, b []byte) error {
	there, err := s.markerFiles()
	if err != nil {
		return err
	}
	next := uint64(1)
	if len(there) > 0 {
		next = there[0].n + 1
	}
	name := fmt.Sprintf("%08d-%s-%s%s", next, key, strings.ToLower(rand.Text()[:8]), markerExt)
	if err := fsx.WriteFile(s.repo.Dir("continuity", name), b, 0o600); err != nil {
		return fmt.Errorf("write the marker: %w", err)
	}
	for i, f := range there {
		if f.key == key || i >= mostMarked || s.isStray(f) {
			f.drop()
		}
	}
	return nil
}

// Markers are the markers that wait, the newest first: the one that the session would
// get next, or all in the repository, whosever they are.
func (s *Memory) Markers(all bool) (out []Marker, err error) {
	list := s.myMarkers
	if all {
		list = s.markerFiles
	}
	files, err := list()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := fsx.ReadOwn(f.path)
		if errors.Is(err, fs.ErrNotExist) || len(b) == 0 && err == nil {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read a marker: %w", err)
		}
		if m, ok := s.parseMarker(b); ok {
			out = append(out, m)
		}
		if !all && len(out) == 1 {
			break
		}
	}
	return out, nil
}

func (s *Memory) parseMarker(b []byte) (m Marker, ok bool) {
	if json.Unmarshal(b, &m) != nil || m.Checkpoint != "" && !record.IsHex(m.Checkpoint) {
		return Marker{}, false
	}
	m.Summary, m.Reason = record.ClipBytes(m.Summary, maxSummary), cut.Runes(legible.OneLine(m.Reason), maxReason)
	m.Checkpoint = s.rewritten.StandIn(m.Checkpoint)
	return m, true
}

// ClearMarkers takes markers away: those that the session would get, but for one that
// is being brought back just now; with all also that, and those of everybody.
func (s *Memory) ClearMarkers(all bool) (n int, err error) {
	list := s.myMarkers
	if all {
		list = s.markerFiles
	}
	files, err := list()
	for _, f := range files {
		gone := f.drop()
		if !gone && all {
			rerr := fsx.Remove(f.path)
			gone = rerr == nil
			if rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
				err = fmt.Errorf("clear a marker: %w", rerr)
			}
		}
		if gone {
			n++
		}
	}
	return n, err
}
