package knowledge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/index"
)

// A Known is an item as the memory knows it.
type Known struct {
	gitstore.ItemEntry
	Own bool // it lies in the user's own store, which belongs to no project

	Doc *index.Meta `json:"-"` // what the sidecar has of it, where somebody looked

	Withheld []string `json:"-"` // why an agent is not shown it: the rules of recall/suspect that it breaks
	Titled   bool     `json:"-"` // an agent is shown its title alone, since nobody reviewed it
}

// An ItemQuery says which items are wanted; the zero ItemQuery is all that hold:
// neither archived nor replaced by others, nor older than knowledge_max_age_days says.
type ItemQuery struct {
	Types    []sage.ItemType
	Statuses []sage.Status // "" for the ones that hold
	Skill    string        // those of this skill alone
	All      bool          // whatever the status, and also what is hidden for its age
	Hidden   *int          // counts what is left out for its age alone; may be nil
	Withheld *int          // counts what is left out since it is suspect; may be nil
}

// Items lists what is known here and what the person knows everywhere, by id. Of
// equal ids the repository's counts.
func (kn *Collection) Items(ctx context.Context, q ItemQuery) ([]Known, error) {
	var out []Known
	var oldest time.Time
	if !q.All && len(q.Statuses) == 0 {
		oldest = kn.Oldest()
	}
	seen := map[string]bool{}
	err := kn.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		items, err := s.Knowledge.Items(ctx)
		for _, e := range items {
			switch k := (Known{ItemEntry: e, Own: own}); {
			case seen[e.Item.ID] || !q.takes(k):
			case !k.IsAged(oldest):
				out = append(out, k)
			case q.Hidden != nil:
				*q.Hidden++
			}
			seen[e.Item.ID] = true
		}
		return err
	})
	out, withheld := kn.admitted(ctx, out)
	if q.Withheld != nil {
		*q.Withheld += withheld
	}
	slices.SortFunc(out, func(a, b Known) int { return strings.Compare(a.Item.ID, b.Item.ID) })
	return out, err
}

// holding are the statuses of what counts.
var holding = []sage.Status{sage.Active, sage.Pending, sage.Done, ""}

// Holds reports whether an item of a status counts.
func Holds(s sage.Status) bool { return slices.Contains(holding, s) }

// Holds reports whether the item counts.
func (k Known) Holds() bool { return Holds(k.Item.Status) }

func (q ItemQuery) takes(k Known) bool {
	statuses := q.Statuses
	if len(statuses) == 0 {
		statuses = holding
	}
	it := k.Item
	return (q.All || k.Err != nil || slices.Contains(statuses, it.Status)) &&
		(len(q.Types) == 0 || slices.Contains(q.Types, it.Type)) &&
		(q.Skill == "" || slices.Contains(it.Scope.Skills, q.Skill))
}

// Item returns an item of the repository or, if there is none of that id, of the
// person. The error is a [gitstore.NoItemError] if neither has it.
func (kn *Collection) Item(ctx context.Context, id string) (Known, error) {
	_, k, err := kn.Keeper(ctx, id)
	if errors.Is(err, gitstore.ErrNotFound) && !strings.Contains(id, "@{") {
		k, err = kn.formerly(ctx, id, err)
	}
	if err == nil && kn.Admit != nil {
		k = kn.Admit(ctx, []Known{k})[0]
	}
	return k, err
}

// formerly is the item that had an id before it was imported; missing is the answer if there
// is none, or are several.
func (kn *Collection) formerly(ctx context.Context, id string, missing error) (k Known, err error) {
	n := 0
	err = kn.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		list, err := s.Knowledge.ItemsNaming(ctx, id)
		for _, e := range list {
			if e.Err == nil && slices.Contains(e.Item.Aliases, id) {
				k = Known{ItemEntry: e, Own: own}
				n++
			}
		}
		return err
	})
	if err == nil && n != 1 {
		err = missing
	}
	return k, err
}

// Keeper is the store in which an item lies, with the item as it is, for whoever writes. A commit is one of one store,
// so that it is unknown only if no store knows it.
func (kn *Collection) Keeper(ctx context.Context, id string) (*gitstore.Store, Known, error) {
	return kn.KeeperBy(ctx, id, func(s *gitstore.Store) (gitstore.ItemEntry, error) { return s.Knowledge.Item(ctx, id) })
}

// KeeperBy is keeper that looks into a store in one of its ways.
func (kn *Collection) KeeperBy(ctx context.Context, id string, item func(*gitstore.Store) (gitstore.ItemEntry, error)) (store *gitstore.Store, k Known, err error) {
	missing := &gitstore.NoItemError{ID: id} // the store's own says at what time, too
	var unknown error
	known := false
	err = kn.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		if store != nil {
			return nil
		}
		e, err := item(s)
		if err == nil {
			store, k = s, Known{ItemEntry: e, Own: own}
		}
		switch {
		case errors.Is(err, gitstore.ErrNoCommit):
			unknown = err
			return nil
		case errors.Is(err, gitstore.ErrNotFound):
			known = true
			errors.As(err, &missing)
			return nil
		}
		return err
	})
	switch {
	case err != nil || store != nil:
	case unknown != nil && !known:
		err = unknown
	default:
		err = missing
	}
	return store, k, err
}

// AddedAt is when it was written first; zero of one that cannot be read.
func (k Known) AddedAt() time.Time {
	if k.Err != nil {
		return time.Time{}
	}
	return k.Item.Added
}
