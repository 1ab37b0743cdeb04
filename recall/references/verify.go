package references

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/write"
)

// A Scope says which references are checked. The zero Scope is those of the items that hold
// and of the checkpoints, but for what was only read.
type Scope struct {
	Checkpoints bool // these alone, and
	Knowledge   bool // these alone; both and neither are both
	All         bool // also what a checkpoint refers to as context
}

// A Checked is a reference to code, and how that is now.
type Checked struct {
	ID         string // of what refers to it
	Checkpoint bool
	Type       string // of an item
	Ref        sage.CodeRef
	Now        sage.RefState
	Fixed      bool   // it was moved to where the code is
	Unfixed    string // why it was not, of one that moved
}

// errNoWorkTree says that there is no code to compare with.
var errNoWorkTree = errors.New("the repository has no work tree")

// Verify checks references against the work tree, and returns all of them in the order of
// files. With fix, those of items are moved to where their code is now, in one commit.
func (cl *Collection) Verify(ctx context.Context, scope Scope, fix bool) (list []Checked, err error) {
	if cl.stores.Store.Repo.Top() == "" {
		return nil, errNoWorkTree
	}
	known := map[string]knowledge.Known{}
	if scope.Knowledge || !scope.Checkpoints {
		if list, err = cl.ofItems(ctx, known); err != nil {
			return nil, err
		}
	}
	if scope.Checkpoints || !scope.Knowledge {
		more, err := cl.ofCheckpoints(ctx, scope.All)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	slices.SortStableFunc(list, func(a, b Checked) int { // a version of a file is compared once
		return cmp.Or(strings.Compare(a.Ref.File, b.Ref.File), strings.Compare(a.Ref.Blob, b.Ref.Blob), cmp.Compare(a.Ref.Lines[0], b.Ref.Lines[0]))
	})
	refs := make([]sage.CodeRef, len(list))
	for i := range list {
		refs[i] = list[i].Ref
	}
	for i, now := range cl.stores.Store.Repo.CheckRefs(ctx, refs) {
		list[i].Now = now
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if fix {
		err = cl.fix(ctx, list, known)
	}
	return list, err
}

// ofItems are the references of the items of the repository that hold.
func (cl *Collection) ofItems(ctx context.Context, known map[string]knowledge.Known) (list []Checked, err error) {
	items, err := cl.stores.Store.Knowledge.Items(ctx)
	for _, e := range items {
		if e.Err != nil || !knowledge.Holds(e.Item.Status) {
			continue
		}
		known[e.Item.ID] = knowledge.Known{ItemEntry: e, Own: cl.stores.IsOwn()}
		for _, r := range sage.RefsInside(e.Item.CodeRefs) {
			list = append(list, Checked{ID: e.Item.ID, Type: e.Item.Type.Kind(), Ref: r})
		}
	}
	return list, err
}

// ofCheckpoints are the references of the checkpoints of all lines.
func (cl *Collection) ofCheckpoints(ctx context.Context, all bool) (list []Checked, err error) {
	records, err := cl.stores.Store.Commits.Log(ctx, gitstore.Query{All: true})
	if err != nil {
		return nil, err
	}
	err = cl.stores.Store.Commits.Beginnings(ctx, records, func(r gitstore.Record, c *sage.Checkpoint, err error) error {
		if err != nil {
			return nil // fsck tells of it
		}
		for _, ref := range c.CodeRefs {
			if all || ref.Relevance != "context" {
				list = append(list, Checked{ID: r.ID, Checkpoint: true, Ref: ref})
			}
		}
		return nil
	})
	return list, err
}

// fix moves the references of items whose code moved. History does not change, and what came
// from elsewhere would count as made here.
func (cl *Collection) fix(ctx context.Context, list []Checked, known map[string]knowledge.Known) error {
	byItem := map[string][]*Checked{}
	for i := range list {
		c := &list[i]
		switch {
		case c.Now.State != sage.RefMoved:
		case c.Checkpoint:
			c.Unfixed = "checkpoints do not change"
		case known[c.ID].Changed != nil || !cl.provenance.IsTrusted(known[c.ID]):
			c.Unfixed = "it came from elsewhere: confirm it first"
		default:
			byItem[c.ID] = append(byItem[c.ID], c)
		}
	}
	var changes []write.ItemChange
	for id, moved := range byItem {
		changes = append(changes, write.ItemChange{ItemChange: gitstore.ItemChange{Key: id, Edit: func(it *sage.Item) error {
			it.CodeRefs = slices.Clone(it.CodeRefs)
			for i, r := range it.CodeRefs {
				for _, c := range moved {
					if r == c.Ref {
						it.CodeRefs[i] = cl.movedTo(r, c.Now)
					}
				}
			}
			return nil
		}}})
	}
	if len(changes) == 0 {
		return nil
	}
	slices.SortFunc(changes, func(a, b write.ItemChange) int { return strings.Compare(a.Key, b.Key) })
	if _, err := cl.write.Items(ctx, "", changes...); err != nil {
		return err
	}
	for _, moved := range byItem {
		for _, c := range moved {
			c.Fixed = true
		}
	}
	return nil
}

// movedTo is a reference to where its code is now.
func (cl *Collection) movedTo(r sage.CodeRef, now sage.RefState) sage.CodeRef {
	if r.File = now.To; now.Lines != [2]int{} {
		r.Lines = now.Lines
	}
	if r.Blob != "" {
		r.Blob = cl.stores.Store.Repo.FileBlob(r.File)
	}
	return r
}
