package write

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Restore makes rev the parent of the session's next save and returns it. If
// it is the newest of a line or fork, the next save moves that on. Where that cannot be
// written down, as in a repository that may only be read, it is returned with an
// ErrNotKept.
func (li *Lines) Restore(ctx context.Context, rev string) (*sage.Checkpoint, error) {
	c, err := li.commits.Load(ctx, rev)
	if err != nil {
		return nil, err
	}
	t := li.session.Stand()
	if rev == "@" && li.repo.Options.Session == "" && t.Seen == "" { // on the line already, at its tip
		return c, nil
	}
	lines, err := li.List(ctx)
	if err != nil {
		return nil, err
	}
	if t.Begins && t.Seen == c.ID && !commits.HasLine(lines, rev) { // the line of the branch begins there all the same
		t.Seen = ""
		return c, li.session.KeepStand(t)
	}
	if l := headedBy(lines, c.ID, rev, t.Line); l != nil {
		t.Line, t.Ref = l.Of, l.Ref
	} else {
		t.Ref = ""
	}
	t.Seen = c.ID
	if li.repo.Options.Session == "" && rev == t.Line && t.Ref == refname.HeadRef(rev) {
		t.Seen = "" // a person who names a line stands on it as on a branch of git
	}
	return c, li.session.KeepStand(t)
}

// headedBy is the line or fork whose newest checkpoint is id, or nil. Of
// several it is the one that was asked for by name, else the one where the
// session is, else any line before any fork.
func headedBy(lines []commits.Line, id, name, current string) (best *commits.Line) {
	most := -1
	for i, l := range lines {
		rank := 0
		switch {
		case l.Latest == nil || l.Latest.ID != id:
			continue
		case l.Name == name:
			rank = 3
		case l.Name == current:
			rank = 2
		case !l.Fork:
			rank = 1
		}
		if rank > most {
			best, most = &lines[i], rank
		}
	}
	return best
}
