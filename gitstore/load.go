package gitstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Load returns the checkpoint that rev means, with all its fields, but for code references
// that lead out of the repository. A text that git lost comes back from the backup.
func (s *Store) Load(ctx context.Context, rev string) (*sage.Checkpoint, error) {
	id, err := s.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	c, err := s.loadInside(id)
	if errors.Is(err, errNoText) {
		if _, terr := s.takeBack(ctx, true); terr == nil { // or another process did
			c, err = s.loadInside(id)
		}
	}
	return c, err
}

// errNoText says that git lacks what a commit of ours names.
var errNoText = errors.New("its text is missing; run 'git sage fsck'")

// LoadAll is Load of the checkpoints with these ids, in their order.
func (s *Store) LoadAll(ctx context.Context, ids []string) ([]*sage.Checkpoint, error) {
	out := make([]*sage.Checkpoint, 0, len(ids))
	for _, id := range ids {
		c, err := s.loadInside(id)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, ctx.Err()
}

func (s *Store) loadInside(id string) (*sage.Checkpoint, error) {
	c, err := s.load(id)
	if err == nil {
		c.CodeRefs = sage.RefsInside(c.CodeRefs)
	}
	return c, err
}

// load reads a checkpoint as it is stored, as a merge has to: whoever joins the same makes
// the same of it.
func (s *Store) load(id string) (*sage.Checkpoint, error) {
	r, err := s.commitRecord(id)
	if err != nil {
		return nil, err
	}
	if r.Kind == KindTombstone {
		return nil, fmt.Errorf("%w: '%s' is a tombstone", ErrNotFound, short(id))
	}
	o, err := s.object(id + ":checkpoint.md")
	if errors.Is(err, git.ErrMissing) {
		err = errNoText
	}
	if err != nil {
		return nil, s.unread(id, err)
	}
	c, err := sage.Parse(o.Data)
	if err != nil && r.Format > formatVersion {
		err = fmt.Errorf("format %d was %w", r.Format, ErrNewer)
	}
	if err != nil {
		return nil, fmt.Errorf("read checkpoint %s: %w", short(id), err)
	}
	dress(c, r)
	return c, nil
}

// dress adds to a checkpoint what its commit tells.
func dress(c *sage.Checkpoint, r Record) {
	c.ID, c.Parents, c.Author = r.ID, r.Parents, person{r.Author, r.Email}.String()
	c.Elsewhere, c.Unconfirmed = !r.Own, r.Unconfirmed
}
