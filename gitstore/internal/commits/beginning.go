package commits

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/objects"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// mostBeginning is how much is read of the front matter, and of the body, of a checkpoint
// that came from elsewhere where its beginning will do. Of three of 5 to 8 MB, with two
// million entries in their lists, a search read 9 s.
const mostBeginning = 64 << 10

// LoadBeginning is Load for who wants no more of a checkpoint than what it is about: of one
// that came from elsewhere, and that nobody here stands for, long lists and texts end early.
func (cs *Commits) LoadBeginning(ctx context.Context, rev string) (c *sage.Checkpoint, err error) {
	r, err := cs.Record(ctx, rev)
	if err != nil {
		return nil, err
	}
	err = cs.Beginnings(ctx, []record.Record{r}, func(_ record.Record, found *sage.Checkpoint, why error) error {
		c = found
		return why
	})
	return c, err
}

// Beginnings is LoadBeginning of many, which records tell of, for a tenth of what one after
// the other takes. It gives fn each in turn, or why it cannot be read, until fn fails.
func (cs *Commits) Beginnings(ctx context.Context, records []record.Record, fn func(record.Record, *sage.Checkpoint, error) error) error {
	const atOnce = 1000 // git goes on to answer whoever gave up
	for len(records) > 0 {
		part := records[:min(atOnce, len(records))]
		records = records[len(part):]
		if err := cs.beginnings(ctx, part, fn); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (cs *Commits) beginnings(ctx context.Context, records []record.Record, fn func(record.Record, *sage.Checkpoint, error) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var failed error
	at := 0
	take := func(_ string, o git.Object, err error) {
		r := records[at]
		at++
		if failed != nil {
			return
		}
		c, err := parseBeginning(r, o, err)
		if err != nil { // git may have lost it, or was ended: Load looks in the backup, and says why
			c, err = cs.Load(ctx, r.ID)
		}
		if failed = ctx.Err(); failed == nil {
			failed = fn(r, c, err)
		}
	}
	names := make([]string, len(records))
	for i, r := range records {
		names[i] = r.ID + ":checkpoint.md"
	}
	if len(names) < objects.FewAsked { // from here on the git that answers is another than that of Load
		for _, name := range names {
			o, err := cs.repo.Object(name)
			take(name, o, err)
		}
		return failed
	}
	err := cs.repo.Batch.Each(names, take)
	for err != nil && at < len(records) && failed == nil { // of a git that was ended
		take("", git.Object{}, err)
	}
	return failed
}

func parseBeginning(r record.Record, o git.Object, err error) (*sage.Checkpoint, error) {
	if err != nil {
		return nil, err
	}
	if r.Kind == record.KindTombstone {
		return nil, fmt.Errorf("%w: '%s' is a tombstone", repo.ErrNotFound, record.Short(r.ID))
	}
	parse := codec.Parse
	if !r.Own {
		parse = func(b []byte) (*sage.Checkpoint, error) { return codec.ParseBeginning(b, mostBeginning) }
	}
	c, err := parse(o.Data)
	if err != nil {
		return nil, err
	}
	dress(c, r)
	c.CodeRefs = sage.RefsInside(c.CodeRefs)
	return c, nil
}
