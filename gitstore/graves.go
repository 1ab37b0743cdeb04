package gitstore

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// A grave is a tombstone commit, as the cache keeps it.
type grave struct {
	ID       string   `json:"id"`
	Removes  []string `json:"removes,omitempty"`
	Restores []string `json:"restores,omitempty"`
}

// A graveyard is every tombstone reachable from some tips. It is derived from
// git and may be deleted at any time; it says what it was derived from.
type graveyard struct {
	Format int               `json:"format"`
	Tips   map[string]string `json:"tips"`
	Graves []grave           `json:"graves"`
	Gone   []string          `json:"gone"` // the ids that are removed
}

const graveyardFormat = 1

// removed returns the ids that a tombstone holds for: one that no restoring
// commit came after, or came beside without either knowing of the other.
func (s *Store) removed(ctx context.Context, refs []ref) (map[string]bool, error) {
	now := map[string]string{}
	for _, r := range refs {
		if !strings.HasPrefix(r.name, tagsPrefix) {
			now[r.name] = r.id
		}
	}
	y, ok := s.readGraves()
	if !ok || !maps.Equal(y.Tips, now) {
		var err error
		y, err = s.dig(ctx, y, now)
		if isUnreadable(err) {
			y, err = s.digAround(ctx, slices.Collect(maps.Values(now)))
		} else if err == nil {
			s.keepGraves(y)
		}
		if err != nil {
			return nil, err
		}
	}
	gone := make(map[string]bool, len(y.Gone))
	for _, id := range y.Gone {
		gone[id] = true
	}
	return gone, nil
}

func (s *Store) graveFile() string { return s.dir("cache", "removed.json") }

func (s *Store) readGraves() (y graveyard, ok bool) {
	b, err := fsx.ReadOwn(s.graveFile())
	if err != nil || json.Unmarshal(b, &y) != nil || y.Format != graveyardFormat {
		return graveyard{}, false
	}
	return y, true
}

func (s *Store) keepGraves(y graveyard) {
	y.Format = graveyardFormat
	if b, err := json.Marshal(y); err == nil {
		_ = fsx.WriteDerived(s.graveFile(), b, 0o644) // derived: the next reader does it again
	}
}

// advanceCache tells the cache that a ref moved by one checkpoint, so that the
// next list need not find out. What the checkpoint continues must be in the cache:
// a new fork may leave from where tombstones are that nobody has listed yet.
func (s *Store) advanceCache(ref, old, id string, parents []string) {
	y, ok := s.readGraves()
	if !ok || y.Tips[ref] != old {
		return
	}
	for _, p := range parents {
		if !slices.Contains(slices.Collect(maps.Values(y.Tips)), p) {
			return
		}
	}
	y.Tips[ref] = id
	s.keepGraves(y)
}

// dig brings the graveyard up to date: what is new since it was made, or all
// of it when history was rewritten or a tip is gone.
func (s *Store) dig(ctx context.Context, y graveyard, now map[string]string) (graveyard, error) {
	news := slices.Collect(maps.Values(now))
	var olds []string
	for _, id := range y.Tips {
		olds = append(olds, "^"+id)
	}
	fresh := graveyard{Tips: now}
	if len(news) == 0 {
		return fresh, nil
	}
	if len(olds) > 0 && s.reaches(ctx, news, y.Tips) {
		found, err := s.graves(ctx, append(news, olds...))
		if err == nil {
			fresh.Graves = append(y.Graves, found...)
			fresh.Gone, err = s.judge(ctx, fresh.Graves)
			return fresh, err
		}
	}
	var err error
	if fresh.Graves, err = s.graves(ctx, news); err == nil {
		fresh.Gone, err = s.judge(ctx, fresh.Graves)
	}
	return fresh, err
}

// digAround is dig where some history cannot be read: a list of what can be shows
// rather what a tombstone there removed than nothing. It is not kept.
func (s *Store) digAround(ctx context.Context, tips []string) (y graveyard, err error) {
	found := map[string]grave{}
	if err = s.findGraves(ctx, tips, found); err != nil {
		return y, err
	}
	y.Graves = slices.Collect(maps.Values(found))
	y.Gone, err = s.judge(ctx, y.Graves)
	return y, err
}

// findGraves collects the tombstones behind those tips whose history can be read.
func (s *Store) findGraves(ctx context.Context, tips []string, found map[string]grave) error {
	list, err := s.graves(ctx, tips)
	if isUnreadable(err) && len(tips) > 1 {
		half := len(tips) / 2
		return cmp.Or(s.findGraves(ctx, tips[:half], found), s.findGraves(ctx, tips[half:], found))
	}
	if err != nil && !isUnreadable(err) {
		return err
	}
	for _, g := range list { // of one that breaks off: those above
		found[g.ID] = g
	}
	return nil
}

// reaches reports whether every old tip is still part of history.
func (s *Store) reaches(ctx context.Context, news []string, olds map[string]string) bool {
	args := []string{"rev-list", "--max-count=1", "--end-of-options"}
	args = append(args, slices.Collect(maps.Values(olds))...)
	for _, id := range news {
		args = append(args, "^"+id)
	}
	out, err := s.git.Run(ctx, args...)
	return err == nil && len(out) == 0
}

func (s *Store) graves(ctx context.Context, revs []string) (out []grave, err error) {
	args := []string{"log", "-z", "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-color", "--no-decorate",
		"-F", "--grep=Sage-Kind: tombstone", logFormat + "\x1f%B", "--end-of-options"}
	err = s.git.Records(ctx, func(b []byte) bool {
		var r Record
		if r.parse(b) && r.Kind == KindTombstone {
			out = append(out, grave{r.ID, r.Removes, r.Restores})
		}
		return true
	}, append(args, revs...)...)
	return out, logError(err)
}

// judge returns what is removed. An id is removed if some tombstone removes it
// that every restoring one is older than: is an ancestor of.
func (s *Store) judge(ctx context.Context, all []grave) ([]string, error) {
	removers, restorers := map[string][]string{}, map[string][]string{}
	for _, g := range all {
		for _, id := range g.Removes {
			if id, lost := s.purged(id); !lost {
				removers[id] = append(removers[id], g.ID)
			}
		}
		for _, id := range g.Restores {
			if id, lost := s.purged(id); !lost {
				restorers[id] = append(restorers[id], g.ID)
			}
		}
	}
	var gone []string
	for id, rs := range removers {
		for _, r := range rs {
			if s.olderAll(ctx, restorers[id], r) {
				gone = append(gone, id)
				break
			}
		}
	}
	slices.Sort(gone)
	return gone, ctx.Err()
}

func (s *Store) olderAll(ctx context.Context, ids []string, than string) bool {
	for _, id := range ids {
		if !s.isAncestor(ctx, id, than) {
			return false
		}
	}
	return true
}

func (s *Store) isAncestor(ctx context.Context, a, b string) bool {
	_, err := s.git.Run(ctx, "merge-base", "--is-ancestor", a, b)
	return err == nil
}
