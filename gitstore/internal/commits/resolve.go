package commits

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// MinPrefix is the shortest prefix of an id, as in git.
const MinPrefix = 4

// Resolve returns the id of the checkpoint that rev means: a line, a fork
// (main/3f2a91c0), a tag, an id or a unique prefix of one, an id that it had
// elsewhere, @ for what the session last saw, <line>@{yesterday} for what a line
// was; each followed by any of ~n and ^n. It never looks at the user's own refs.
func (cs *Commits) Resolve(ctx context.Context, rev string) (string, error) {
	base, steps, err := splitRev(rev)
	if err != nil {
		return "", err
	}
	id, err := cs.base(ctx, base)
	if err != nil {
		return "", err
	}
	for _, st := range steps {
		if id, err = cs.step(ctx, id, st); err != nil {
			return "", fmt.Errorf("'%s': %w", rev, err)
		}
	}
	return id, nil
}

// A step goes from a checkpoint to an ancestor: n generations back (~n), or to
// its n-th parent (^n).
type step struct {
	back bool
	n    int
}

func splitRev(rev string) (base string, steps []step, err error) {
	at := strings.IndexAny(rev, "~^")
	if at < 0 {
		return rev, nil, nil
	}
	base = rev[:at]
	for rest := rev[at:]; rest != ""; {
		st := step{back: rest[0] == '~', n: 1}
		end := 1
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if end > 1 {
			if st.n, err = strconv.Atoi(rest[1:end]); err != nil || st.n > 1<<20 {
				return "", nil, &NotFoundError{Name: rev}
			}
		}
		if rest = rest[end:]; rest != "" && rest[0] != '~' && rest[0] != '^' {
			return "", nil, &NotFoundError{Name: rev}
		}
		steps = append(steps, st)
	}
	return base, steps, nil
}

// step walks over checkpoints; tombstones do not count.
func (cs *Commits) step(ctx context.Context, id string, st step) (string, error) {
	if !st.back {
		return cs.nthParent(id, st.n)
	}
	var err error
	for range st.n {
		if id, err = cs.nthParent(id, 1); err != nil {
			return "", err
		}
	}
	return id, ctx.Err()
}

func (cs *Commits) nthParent(id string, n int) (string, error) {
	if n == 0 {
		return id, nil
	}
	r, err := cs.CommitRecord(id)
	if err != nil {
		return "", err
	}
	if n > len(r.Parents) {
		has := "no parent"
		if len(r.Parents) > 0 {
			has = "only " + legible.Count(len(r.Parents), "parent")
		}
		return "", fmt.Errorf("%w: %s has %s", repo.ErrNotFound, record.Short(id), has)
	}
	return cs.SkipTombstones(r.Parents[n-1])
}

func (cs *Commits) SkipTombstones(id string) (string, error) {
	for {
		r, err := cs.CommitRecord(id)
		if err != nil || r.Kind != record.KindTombstone {
			return id, err
		}
		if len(r.Parents) == 0 {
			return "", repo.ErrNotFound
		}
		id = r.Parents[0]
	}
}

func (cs *Commits) base(ctx context.Context, base string) (string, error) {
	switch {
	case base == "@" || base == "":
		return cs.at(ctx)
	case strings.Contains(base, "@{") && strings.HasSuffix(base, "}"):
		return cs.formerly(ctx, base)
	case strings.HasPrefix(base, "refs/sage/"):
		return cs.ofRef(ctx, base)
	case cs.repo.IsID(base): // a whole id: nothing to look up
		return cs.wholeID(ctx, base)
	}
	if refname.ReadsAsID(strings.ToLower(base)) { // also where a line that was fetched is called so
		if id, err := cs.prefix(ctx, strings.ToLower(base)); id != "" || err != nil {
			return id, err
		}
	}
	if id, err := cs.named(ctx, base); id != "" || err != nil {
		return id, err
	}
	if p := strings.ToLower(base); len(p) >= MinPrefix && record.IsHex(p) {
		if id, err := cs.prefix(ctx, p); id != "" || err != nil {
			return id, err
		}
	}
	return cs.alias(ctx, base)
}

// wholeID is the checkpoint with this id, or what a purge made of it.
func (cs *Commits) wholeID(ctx context.Context, id string) (string, error) {
	now, gone := cs.rewritten.Purged(id)
	if gone {
		return "", fmt.Errorf("%w: '%s'", rewritten.ErrPurged, record.Short(id))
	}
	_, err := cs.CommitRecord(now)
	if errors.Is(err, repo.ErrNotFound) && now == id && cs.rewritten.IndexPurges(ctx) == nil { // the index may be lost
		if now, gone = cs.rewritten.Purged(id); now != id && !gone {
			_, err = cs.CommitRecord(now)
		}
	}
	return now, err
}
