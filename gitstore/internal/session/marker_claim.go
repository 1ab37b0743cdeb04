package session

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A ClaimedMarker is a marker that this process has, and no other one.
type ClaimedMarker struct {
	Marker
	Since string // the checkpoint that the session was at when it got its last marker; "" is none

	s     *Memory
	claim *fsx.Claim
	at    string // where the session is now
}

// ClaimMarker claims the newest marker of the store's session or, if that is newer, the
// one that was left for whoever comes first in the work tree. It is nil if there is
// none, or another process has it.
//
// Exactly one gets it, however many try: the file is locked, and the kernel gives the
// lock up for whoever is killed, so that no process id and no clock has to be believed.
// Who has it says [ClaimedMarker.Delivered] when its text has been handed over, and it
// is gone, or [ClaimedMarker.Release], and it waits on. Who is killed before has not
// delivered it: the next one gets it. Between handing over and saying so lie some
// microseconds; who is killed there leaves a text that comes twice, which costs its
// reader a moment, where one that never comes costs the work.
func (s *Memory) ClaimMarker() (*ClaimedMarker, error) {
	mine, err := s.myMarkers()
	if err != nil {
		return nil, err
	}
	for i, f := range mine {
		c, b, err := fsx.Take(f.path)
		switch {
		case errors.Is(err, fsx.ErrTaken): // what is older is dropped by who has this one
			return nil, nil
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission): // or another user's
			continue
		case err != nil:
			return nil, fmt.Errorf("claim a marker: %w", err)
		}
		m, ok := s.parseMarker(b)
		if !ok { // the disk did that; nobody can make anything of it
			_ = c.Finish()
			continue
		}
		for _, old := range mine[i+1:] {
			old.drop()
		}
		_, at := s.Position()
		return &ClaimedMarker{Marker: m, Since: s.lastInjected(), s: s, claim: c, at: at}, nil
	}
	return nil, nil
}

// Delivered says that the session has what the marker was for: nobody gets it again. It
// needs no open store.
func (c *ClaimedMarker) Delivered() error {
	if err := c.claim.Finish(); err != nil {
		return fmt.Errorf("clear the marker: %w; the context may be restored again", err)
	}
	_ = fsx.SyncDir(c.s.repo.Dir("continuity")) // else a power cut may bring it back
	if c.s.repo.Options.Session == "" || c.at == "" {
		return nil
	}
	c.s.dropOld("continuity", lastExt)
	return fsx.WriteDerived(c.s.lastInjectedFile(), []byte(c.at+"\n"), 0o600)
}

// Release leaves the marker for the next one.
func (c *ClaimedMarker) Release() { c.claim.Release() }

// AddSummary adds a client's summary to the marker that waits for the store's session;
// secrets are taken out. Where there is none, or another process has it, nothing is done.
// Who is killed in between leaves two markers, of which one is brought back.
func (s *Memory) AddSummary(text string) error {
	c, err := s.ClaimMarker()
	if c == nil || err != nil {
		return err
	}
	if c.Session == "" { // it is for whoever comes first in the work tree
		c.Release()
		return nil
	}
	c.Summary = text
	if err := s.mark(c.Marker); err != nil {
		c.Release()
		return err
	}
	return c.claim.Finish()
}

// lastExt ends the name of the file that says where a session was when it got its last
// marker: what it saved since is told with the next one.
const lastExt = ".last"

func (s *Memory) lastInjectedFile() string { return s.repo.Dir("continuity", s.markerKey()+lastExt) }

func (s *Memory) lastInjected() string {
	if s.repo.Options.Session == "" {
		return ""
	}
	b, _ := fsx.ReadOwn(s.lastInjectedFile()) // unreadable: more is told
	if id := git.Text(b); record.IsHex(id) {
		return s.rewritten.StandIn(id)
	}
	return ""
}
