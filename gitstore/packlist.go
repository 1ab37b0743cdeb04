package gitstore

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

// maxPacks is how many packs of ours may lie beside each other: 5,000 saves.
const maxPacks = 10

// ourPacks are the names, without ending, of the packs on our list, the oldest
// first. Git may have removed some.
func (s *Store) ourPacks() (names []string) {
	b, err := fsx.ReadOwn(s.dir("packs"))
	if err != nil {
		return nil
	}
	for l := range strings.Lines(string(b)) {
		l = strings.TrimSuffix(l, "\n")
		if sum, ok := strings.CutPrefix(l, "pack-"); ok && s.isID(sum) && !slices.Contains(names, l) {
			names = append(names, l)
		}
	}
	return names
}

// keepPacks writes the list anew, without packs that are gone.
func (s *Store) keepPacks(names []string) error {
	var b strings.Builder
	for i, name := range names {
		_, err := fsx.Lstat(filepath.Join(s.where.objects, "pack", name+".pack"))
		if err == nil || i == len(names)-1 {
			b.WriteString(name + "\n")
		}
	}
	return fsx.WriteFile(s.dir("packs"), []byte(b.String()), 0o644)
}

// join makes one pack of ours when there are more than maxPacks, and says of how
// many.
func (p *packer) join(ctx context.Context) (int, error) {
	names := p.joinable()
	if len(names) <= maxPacks {
		return 0, nil
	}
	var all []*packs.Index
	for _, name := range names {
		x, err := packs.Read(p.path(name)+".idx", p.s.idSize())
		if err != nil {
			return 0, err
		}
		all = append(all, x)
	}
	objects, err := p.paths(ctx, all)
	if err != nil {
		return 0, err
	}
	name, err := p.pack(ctx, inOrder(objects), all)
	if err != nil || name == "" {
		return 0, err
	}
	for _, old := range names {
		if old != name {
			_ = removePack(p.path(old)) // what cannot be removed goes with the next join
		}
	}
	return len(names), p.s.keepPacks(p.s.ourPacks())
}

// joinable are the packs of ours that may go when a newer one holds what they
// do: none that somebody marked, or that an index of several packs names.
func (p *packer) joinable() (out []string) {
	several, known := p.several()
	if !known {
		return nil
	}
next:
	for _, name := range p.s.ourPacks() {
		for _, ext := range []string{".keep", ".promisor", ".mtimes", ".bitmap"} {
			if p.has(name, ext) {
				continue next
			}
		}
		if p.has(name, ".idx") && p.has(name, ".pack") && !bytes.Contains(several, []byte(name+".idx\x00")) {
			out = append(out, name)
		}
	}
	return out
}

// several is what indexes of several packs say, which hold their names; known is
// false where one cannot be read.
func (p *packer) several() (all []byte, known bool) {
	err := fsx.WalkDir(p.dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), "multi-pack-index") || strings.HasSuffix(d.Name(), ".lock") {
			return err
		}
		b, err := fsx.ReadFile(path)
		all = append(all, b...)
		return err
	})
	return all, err == nil
}
