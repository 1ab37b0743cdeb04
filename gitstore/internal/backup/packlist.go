package backup

import (
	"bytes"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
)

// MaxPacks is how many packs of ours may lie beside each other: 5,000 saves.
const MaxPacks = 10

// OurPacks are the names, without ending, of the packs on our list, the oldest
// first. Git may have removed some.
func (bk *Backup) OurPacks() (names []string) {
	b, err := fsx.ReadOwn(bk.repo.Dir("packs"))
	if err != nil {
		return nil
	}
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if sum, ok := strings.CutPrefix(l, "pack-"); ok && bk.repo.IsID(sum) && !slices.Contains(names, l) {
			names = append(names, l)
		}
	}
	return names
}

// keepPacks writes the list anew, without packs that are gone.
func (bk *Backup) keepPacks(names []string) error {
	var b strings.Builder
	for i, name := range names {
		_, err := fsx.Lstat(filepath.Join(bk.repo.Where.Objects, "pack", name+".pack"))
		if err == nil || i == len(names)-1 {
			b.WriteString(name + "\n")
		}
	}
	return fsx.WriteFile(bk.repo.Dir("packs"), []byte(b.String()), 0o644)
}

// join makes one pack of ours when there are more than MaxPacks, and says of how
// many.
func (p *Packer) join(ctx context.Context) (int, error) {
	names := p.joinable()
	if len(names) <= MaxPacks {
		return 0, nil
	}
	var all []*packs.Index
	for _, name := range names {
		x, err := packs.Read(p.Path(name)+".idx", p.S.repo.IDSize())
		if err != nil {
			return 0, err
		}
		all = append(all, x)
	}
	objects, err := p.paths(ctx, all)
	if err != nil {
		return 0, err
	}
	name, err := p.Pack(ctx, inOrder(objects), all)
	if err != nil || name == "" {
		return 0, err
	}
	for _, old := range names {
		if old != name {
			_ = RemovePack(p.Path(old)) // what cannot be removed goes with the next join
		}
	}
	return len(names), p.S.keepPacks(p.S.OurPacks())
}

// joinable are the packs of ours that may go when a newer one holds what they
// do: none that somebody marked, or that an index of several packs names.
func (p *Packer) joinable() (out []string) {
	several, known := p.several()
	if !known {
		return nil
	}
next:
	for _, name := range p.S.OurPacks() {
		for _, ext := range []string{".keep", ".promisor", ".mtimes", ".bitmap"} {
			if p.Has(name, ext) {
				continue next
			}
		}
		if p.Has(name, ".idx") && p.Has(name, ".pack") && !bytes.Contains(several, []byte(name+".idx\x00")) {
			out = append(out, name)
		}
	}
	return out
}

// several is what indexes of several packs say, which hold their names; known is
// false where one cannot be read.
func (p *Packer) several() (all []byte, known bool) {
	err := fsx.WalkDir(p.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), "multi-pack-index") || strings.HasSuffix(d.Name(), ".lock") {
			return err
		}
		b, err := fsx.ReadFile(path)
		all = append(all, b...)
		return err
	})
	return all, err == nil
}
