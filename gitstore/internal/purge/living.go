package purge

import (
	"context"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A LivingFile is a file of the knowledge that is there until it is purged.
type LivingFile struct {
	Path, Name, Title string // Name as "item 'deploys'"; no title where it has none
}

// living are the files of the knowledge that are there until some moves are made.
func (p *purge) living(moves []journal.Move) (out []LivingFile, err error) {
	if p.req.Path == "" {
		return nil, nil
	}
	for _, m := range moves {
		if m.Old == "" || m.Ref != refname.KnowledgeRef && m.Ref != refname.PrivateRef {
			continue
		}
		lost, err := p.clean.Loses(m.Old)
		if err != nil {
			return nil, err
		}
		for _, path := range slices.Sorted(maps.Keys(lost)) {
			out = append(out, p.livingFile(path, lost[path]))
		}
	}
	return out, nil
}

func (p *purge) livingFile(path, blob string) LivingFile {
	f := LivingFile{Path: path, Name: "'" + legible.OneLine(path) + "'"}
	key, isItem := knowledge.ItemKeyOf(path)
	if !isItem {
		return f
	}
	f.Name = knowledge.ItemName(key)
	if o, err := p.clean.Get(blob); err == nil {
		if it, err := codec.ParseItem(o.Data); err == nil {
			f.Title = it.Title()
		}
	}
	return f
}

// left is the version of an item that is shown as this user left it, since somebody elsewhere
// changed or removed it; "" if there is none.
func (pu *Purger) left(ctx context.Context, path string) string {
	key, isItem := knowledge.ItemKeyOf(path)
	if !isItem {
		return ""
	}
	if e, err := pu.knowledge.Item(ctx, key); err == nil && (e.IsAsLeft() || e.IsRemoved()) {
		return pu.ownership.Versions().Of(key)
	}
	return ""
}
