package gitstore

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// An ItemOrigin says who wrote an item as it is.
type ItemOrigin struct {
	Commit string
	Author string // "Name <mail>", which anybody can claim to be
	Time   time.Time
	Own    bool // it was made here, and not of what others wrote; all else came from elsewhere, whoever it names
}

// ItemOrigins are the origins of the items that were written since the knowledge tree
// went from old ("" is ever) to tip ("" is now), by key. It is for whoever keeps them beside what it derives
// from items, see [Store.ItemsSince]: it walks over the commits between, some 40 µs
// each; of one commit that changed items of knowledge it asks no git. What two sides
// made in a merge is of the merge.
func (s *Store) ItemOrigins(ctx context.Context, old, tip string) (map[string]ItemOrigin, error) {
	out := map[string]ItemOrigin{}
	var err error
	if tip == "" {
		tip, err = s.KnowledgeTip(ctx)
	}
	if err != nil || tip == "" || tip == old {
		return out, err
	}
	own, err := s.ownIDs()
	if err != nil {
		return nil, err
	}
	if s.lastItems(out, own[tip], old, tip) {
		return out, nil
	}
	revs := tip
	if old != "" {
		revs = old + ".." + tip
	}
	b, err := s.git.Run(ctx, "log", "--topo-order", "-c", "--name-only", "--no-renames", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-notes", "--no-decorate",
		"--format=%x01%H%x1f%an%x1f%ae%x1f%at%x1f%P", "--end-of-options", revs, "--", itemsDir, systemDir, skillsDir)
	if err != nil {
		return nil, fmt.Errorf("look for who wrote items: %w", logError(err))
	}
	var at ItemOrigin
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if head, ok := strings.CutPrefix(l, "\x01"); ok {
			f := strings.SplitN(head, "\x1f", 5)
			at = ItemOrigin{f[0], person{f[1], f[2]}.String(), unix(f[3]), own[f[0]] && !strings.Contains(f[4], " ")}
		} else if key := itemKey(l); isItemPath(l) && out[key].Commit == "" {
			out[key] = at
		}
	}
	return out, nil
}

// lastItems fills in the origins of what the one commit between old and tip changed; false
// if there are several, or it changed other things than items of knowledge.
func (s *Store) lastItems(out map[string]ItemOrigin, own bool, old, tip string) bool {
	r, err := s.commitRecord(tip)
	if err != nil || len(r.Parents) != 1 || r.Parents[0] != old {
		return false
	}
	was, err := s.shards(old)
	if err != nil {
		return false
	}
	now, err := s.shards(tip)
	if err != nil {
		return false
	}
	changed, _, err := s.changedItems(was, now)
	for _, f := range changed {
		out[itemKey(f.name)] = ItemOrigin{tip, person{r.Author, r.Email}.String(), r.Time, own}
	}
	return err == nil && len(changed) > 0
}
