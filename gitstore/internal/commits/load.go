package commits

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/identity"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// Load returns the checkpoint that rev means, with all its fields, but for code references
// that lead out of the repository. A text that git lost comes back from the backup.
func (cs *Commits) Load(ctx context.Context, rev string) (*sage.Checkpoint, error) {
	id, err := cs.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	c, err := cs.loadInside(id)
	if errors.Is(err, errNoText) {
		if _, terr := cs.backup.Recover(ctx, true); terr == nil { // or another process did
			c, err = cs.loadInside(id)
		}
	}
	return c, err
}

// errNoText says that git lacks what a commit of ours names.
var errNoText = repo.Unsoundf("its text is missing")

// LoadAll is Load of the checkpoints with these ids, in their order.
func (cs *Commits) LoadAll(ctx context.Context, ids []string) ([]*sage.Checkpoint, error) {
	out := make([]*sage.Checkpoint, 0, len(ids))
	for _, id := range ids {
		c, err := cs.loadInside(id)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, ctx.Err()
}

func (cs *Commits) loadInside(id string) (*sage.Checkpoint, error) {
	c, err := cs.AsStored(id)
	if err == nil {
		c.CodeRefs = sage.RefsInside(c.CodeRefs)
	}
	return c, err
}

// AsStored reads a checkpoint as it is stored, as a merge has to: whoever joins the same makes
// the same of it.
func (cs *Commits) AsStored(id string) (*sage.Checkpoint, error) {
	r, err := cs.CommitRecord(id)
	if err != nil {
		return nil, err
	}
	if r.Kind == record.KindTombstone {
		return nil, fmt.Errorf("%w: '%s' is a tombstone", repo.ErrNotFound, record.Short(id))
	}
	o, err := cs.repo.Object(id + ":checkpoint.md")
	if errors.Is(err, git.ErrMissing) {
		err = errNoText
	}
	if err != nil {
		return nil, cs.repo.Unread(id, err)
	}
	c, err := codec.Parse(o.Data)
	if err != nil && r.Format > record.FormatVersion {
		err = fmt.Errorf("format %d was %w", r.Format, repo.ErrNewer)
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", record.Short(id), err)
	}
	dress(c, r)
	return c, nil
}

// dress adds to a checkpoint what its commit tells.
func dress(c *sage.Checkpoint, r record.Record) {
	c.ID, c.Parents, c.Author = r.ID, r.Parents, identity.Person{Name: r.Author, Mail: r.Email}.String()
	c.Elsewhere, c.Mixed, c.Unconfirmed = !r.Own, r.Mixed, r.Unconfirmed
}
