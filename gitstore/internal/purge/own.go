package purge

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/confirm"
	"github.com/git-sage/git-sage/gitstore/internal/contents"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/ownership"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// keepOwn has this user stand for what the purge made of what was theirs, if it says
// nothing that the old did not say: what a record names in the place of something may be
// anybody's.
func (p *purge) keepOwn(ctx context.Context, moves []journal.Move) error {
	s, isOwn, isMade := p.s, p.s.ownership.Owner(), p.s.ownership.Maker()
	var own, made []string
	for old, now := range p.clean.Commits {
		switch {
		case len(now) != 1 || now[0] == old || !isOwn(old) || isMade(now[0]) || !p.clean.SaysNoMore(old, now[0]):
		case isMade(old):
			made = append(made, now[0])
		case !isOwn(now[0]):
			own = append(own, now[0])
		}
	}
	slices.Sort(own)
	slices.Sort(made)
	for _, m := range moves {
		if refname.IsKnowledge(m.Ref) && m.Old != "" && m.New != "" {
			own = append(own, p.ownItems(m.Old, m.New)...)
		}
	}
	s.ownership.Claim(ownership.Making{Versions: p.ownVersions()})
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.ownership.Remake(made...); err != nil {
		return err
	}
	return s.ownership.Vouch(own...)
}

// ownItems are the sums of the items at a new tip that were this user's at the old one.
func (p *purge) ownItems(old, now string) (sums []string) {
	before := map[string]string{}
	for _, f := range p.itemsAt(old) {
		before[f.Name] = f.ID
	}
	for _, f := range p.itemsAt(now) {
		id, ok := before[f.Name]
		if !ok || id == f.ID {
			continue
		}
		a, err := p.clean.Get(id)
		b, err2 := p.clean.Get(f.ID)
		if err != nil || err2 != nil || !cleanse.AreLess(f.Name, a.Data, b.Data) {
			continue
		}
		was, is := knowledge.ReadItem(f.Name, git.Object{ID: id, Data: a.Data}), knowledge.ReadItem(f.Name, git.Object{ID: f.ID, Data: b.Data})
		if p.s.knowledge.IsOwnItem(was) && is.Err == nil {
			sums = append(sums, ownership.SumsOf(is.Key, is.Item, p.s.ownership.Vouched(confirm.AlwaysSum(was)))...)
		}
	}
	return sums
}

// ownVersions are what takes the place of versions that this user left; what is listed of
// them is written anew when history is, see ForgetVersions. What somebody else's record puts in
// the place of one must bring it back as before: a record can name any file.
func (p *purge) ownVersions() (list []ownership.Version) {
	p.s.ownership.Versions().Each(func(v ownership.Version) {
		became, byRecord := p.clean.Did[v.Blob], false
		if !became.Old() {
			became, byRecord = p.clean.Known[v.Blob], true
		}
		if became.Gone || len(became.Now) != 1 {
			return
		}
		path := knowledge.ItemPath(v.Key)
		a, err := p.clean.Get(v.Blob)
		b, err2 := p.clean.Get(became.Now[0])
		if err != nil || err2 != nil || a.Type != "blob" || b.Type != "blob" || !cleanse.AreLess(path, a.Data, b.Data) {
			return
		}
		if byRecord {
			was, is := knowledge.ReadItem(path, git.Object{ID: v.Blob, Data: a.Data}), knowledge.ReadItem(path, git.Object{ID: became.Now[0], Data: b.Data})
			if was.Err != nil || is.Err != nil || ownership.Hides(was.Item, is.Item) {
				return
			}
		}
		list = append(list, ownership.Version{Blob: became.Now[0], Key: v.Key})
	})
	return list
}

// itemsAt are the files of items, notes and skills at a tip of the knowledge.
func (p *purge) itemsAt(tip string) (files []gittree.Entry) {
	root, err := p.clean.Get(tip)
	if err != nil {
		return nil
	}
	for _, e := range p.folder(cleanse.ParseRaw(tip, root.Data).Tree) {
		if e.Mode == gittree.ModeDir && (e.Name == contents.ItemsDir || e.Name == contents.SystemDir || e.Name == contents.SkillsDir || e.Name == contents.PrivateDir) {
			files = append(files, p.filesIn(e.Name, e.ID, 0)...)
		}
	}
	return files
}

func (p *purge) folder(tree string) []gittree.Entry {
	o, err := p.clean.Get(tree)
	if err != nil {
		return nil
	}
	return gittree.Parse(o.Data, p.s.repo.IDSize())
}

func (p *purge) filesIn(dir, tree string, depth int) (files []gittree.Entry) {
	for _, e := range p.folder(tree) {
		e.Name = dir + "/" + e.Name
		switch {
		case e.Mode == gittree.ModeDir && depth < contents.MaxDepth:
			files = append(files, p.filesIn(e.Name, e.ID, depth+1)...)
		case contents.IsItemPath(e.Name):
			files = append(files, e)
		}
	}
	return files
}

// forgetVouched returns what is left of a line of sage/vouched behind a purge: of sums
// those of what is here now, since a sum of what was taken out would let it be guessed.
func (pu *Purger) forgetVouched(ctx context.Context) (func(ownership.LedgerLine) ownership.LedgerLine, error) {
	now := map[string]bool{}
	items, err := pu.knowledge.EveryItem(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range items {
		if e.Err == nil {
			now[ownership.SumOf(e.Key, e.Item, false)], now[ownership.SumOf(e.Key, e.Item, true)], now[ownership.Version{Blob: e.Blob, Key: e.Key}.Claim()] = true, true, true
		}
	}
	core, err := pu.knowledge.CoreFiles(ctx)
	for _, c := range core {
		now[ownership.SumOfCore(c.Path, c.Summary)] = true
	}
	return func(l ownership.LedgerLine) ownership.LedgerLine {
		if len(l.ID) == ownership.SumSize && !now[l.ID] {
			if _, err := pu.commits.CommitRecord(l.ID); err != nil {
				return ownership.LedgerLine{}
			}
		}
		if id, gone := pu.rewritten.Purged(l.ID); id != l.ID || gone {
			return ownership.LedgerLine{}
		}
		return l
	}, err
}
