package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// minPrefix is the shortest prefix of an id, as in git.
const minPrefix = 4

// Resolve returns the id of the checkpoint that rev means: a line, a fork
// (main/3f2a91c0), a tag, an id or a unique prefix of one, an id that it had
// elsewhere, @ for what the session last saw, <line>@{yesterday} for what a line
// was; each followed by any of ~n and ^n. It never looks at the user's own refs.
func (s *Store) Resolve(ctx context.Context, rev string) (string, error) {
	base, steps, err := splitRev(rev)
	if err != nil {
		return "", err
	}
	id, err := s.base(ctx, base)
	if err != nil {
		return "", err
	}
	for _, st := range steps {
		if id, err = s.step(ctx, id, st); err != nil {
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
				return "", nil, fmt.Errorf("%w: '%s'", ErrNotFound, rev)
			}
		}
		if rest = rest[end:]; rest != "" && rest[0] != '~' && rest[0] != '^' {
			return "", nil, fmt.Errorf("%w: '%s'", ErrNotFound, rev)
		}
		steps = append(steps, st)
	}
	return base, steps, nil
}

// step walks over checkpoints; tombstones do not count.
func (s *Store) step(ctx context.Context, id string, st step) (string, error) {
	if !st.back {
		return s.nthParent(id, st.n)
	}
	var err error
	for range st.n {
		if id, err = s.nthParent(id, 1); err != nil {
			return "", err
		}
	}
	return id, ctx.Err()
}

func (s *Store) nthParent(id string, n int) (string, error) {
	if n == 0 {
		return id, nil
	}
	r, err := s.commitRecord(id)
	if err != nil {
		return "", err
	}
	if n > len(r.Parents) {
		return "", fmt.Errorf("%w: %s has %d parents", ErrNotFound, short(id), len(r.Parents))
	}
	return s.skipTombstones(r.Parents[n-1])
}

func (s *Store) skipTombstones(id string) (string, error) {
	for {
		r, err := s.commitRecord(id)
		if err != nil || r.Kind != KindTombstone {
			return id, err
		}
		if len(r.Parents) == 0 {
			return "", ErrNotFound
		}
		id = r.Parents[0]
	}
}

func (s *Store) base(ctx context.Context, base string) (string, error) {
	switch {
	case base == "@" || base == "":
		return s.at(ctx)
	case strings.Contains(base, "@{") && strings.HasSuffix(base, "}"):
		return s.formerly(ctx, base)
	case strings.HasPrefix(base, "refs/sage/"):
		return s.ofRef(ctx, base)
	case s.isID(base): // a whole id: nothing to look up
		return s.wholeID(ctx, base)
	}
	if readsAsID(strings.ToLower(base)) { // also where a line that was fetched is called so
		if id, err := s.prefix(ctx, strings.ToLower(base)); id != "" || err != nil {
			return id, err
		}
	}
	if id, err := s.named(ctx, base); id != "" || err != nil {
		return id, err
	}
	if p := strings.ToLower(base); len(p) >= minPrefix && isHex(p) {
		if id, err := s.prefix(ctx, p); id != "" || err != nil {
			return id, err
		}
	}
	return s.alias(ctx, base)
}

// wholeID is the checkpoint with this id, or what a purge made of it.
func (s *Store) wholeID(ctx context.Context, id string) (string, error) {
	now, gone := s.purged(id)
	if gone {
		return "", fmt.Errorf("%w: '%s'", ErrPurged, short(id))
	}
	_, err := s.commitRecord(now)
	if errors.Is(err, ErrNotFound) && now == id && s.indexPurges(ctx) == nil { // the index may be lost
		if now, gone = s.purged(id); now != id && !gone {
			_, err = s.commitRecord(now)
		}
	}
	return now, err
}
