package backup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// A Packer is one upkeep at work.
type Packer struct {
	S    *Backup
	Made map[string]bool // packs that this one made, and so has read back

	Unlisted bool            // what it makes takes the place of a pack of the user's
	Without  map[string]bool // what a purge leaves out
}

// Run packs what is loose, removes loose copies, and joins packs when they
// became many.
func (p *Packer) Run(ctx context.Context) (string, error) {
	if err := p.Recover(ctx); err != nil {
		return "", err
	}
	name, err := p.packLoose(ctx)
	if err != nil {
		return "", fmt.Errorf("pack: %w", err)
	}
	if err := p.dropLoose(ctx); err != nil {
		return "", fmt.Errorf("remove packed loose objects: %w", err)
	}
	joined, err := p.join(ctx)
	if err != nil {
		return "", fmt.Errorf("join packs: %w", err)
	}
	return said(name, joined), nil
}

func said(name string, joined int) string {
	switch {
	case name == "":
		return "nothing to pack"
	case joined > 0:
		return fmt.Sprintf("packed into %s, and joined %d packs", name, joined)
	}
	return "packed into " + name
}

// Recover finishes or clears what one left that was killed: files without a
// name, and a pack that had not got its index yet.
func (p *Packer) Recover(ctx context.Context) error {
	files, err := fsx.ReadDir(p.Dir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), tempPack) { // we hold the lock: nobody's
			_ = fsx.Remove(filepath.Join(p.Dir(), f.Name()))
		}
	}
	for _, name := range p.S.OurPacks() {
		if p.Has(name, ".pack") && !p.Has(name, ".idx") {
			p.reindex(ctx, name)
		}
	}
	return nil
}

// reindex makes the index of a pack anew. One that cannot be read is left as it
// is, for fsck to name: nothing that it may hold is removed.
func (p *Packer) reindex(ctx context.Context, name string) {
	file, temp := p.Path(name), p.temp()
	if _, err := p.index(ctx, file+".pack", temp); err == nil {
		_ = fsx.Rename(temp, file+".idx")
	}
	_ = fsx.Remove(temp)
}

// packLoose makes a pack of what our refs reach and no pack holds. It returns
// "" if there is none.
func (p *Packer) packLoose(ctx context.Context) (name string, err error) {
	objects, err := p.reach(ctx, "--unpacked")
	if err != nil || len(objects) == 0 {
		return "", err
	}
	return p.Pack(ctx, inOrder(objects), nil, "--incremental", "--local")
}

// tips are the values of our refs, one a line. What cannot be read is left out:
// fsck names it, and the rest is packed.
func (p *Packer) tips(ctx context.Context) (string, error) {
	refs, err := p.S.repo.Refs(ctx, "refs/sage/", NotesRef)
	var b strings.Builder
	for _, r := range refs {
		if _, err := p.S.repo.Object(r.ID); err == nil {
			b.WriteString(r.ID + "\n")
		}
	}
	return b.String(), err
}

// NotesRef holds notes on the user's own commits.
const NotesRef = "refs/notes/sage"

// tempPack is what files of ours begin with that are not finished. Git's own gc
// clears them, too.
const tempPack = "tmp_sage_"

// Pack lets git make a pack of what in says, and gives it its name when it is
// whole, holds all that must be in it, and is durable.
func (p *Packer) Pack(ctx context.Context, in io.Reader, must []*packs.Index, args ...string) (name string, err error) {
	temp, index := p.temp(), p.temp()
	defer func() { _, _ = fsx.Remove(temp), fsx.Remove(index) }()
	if err := p.write(ctx, in, temp, args); err != nil {
		return "", err
	}
	if st, err := fsx.Stat(temp); err != nil || st.Size() == 0 {
		return "", err
	}
	sum, err := p.index(ctx, temp, index)
	if err != nil {
		return "", err
	}
	if err := p.covers(index, must); err != nil {
		return "", err
	}
	return p.publish("pack-"+sum, temp, index)
}

// write lets git write a pack, with as much memory as a hook's machine can spare.
func (p *Packer) write(ctx context.Context, in io.Reader, temp string, args []string) error {
	f, err := p.create(temp)
	if err != nil {
		return err
	}
	args = append([]string{
		"-c", "pack.threads=1", "-c", "pack.windowMemory=24m", "-c", "pack.deltaCacheSize=8m",
		"pack-objects", "--stdout", "--delta-base-offset", "--non-empty", "--quiet", "--window=10", "--depth=50",
	}, args...)
	err = p.S.repo.Git.Pipe(ctx, in, f, args...)
	if err == nil {
		err = f.Sync()
	}
	return cmp.Or(err, f.Close())
}

// create makes a file that nobody may write, for those whom the folder is for.
func (p *Packer) create(name string) (*fsx.File, error) {
	if err := fsx.MkdirIn(p.Dir()); err != nil {
		return nil, err
	}
	f, err := fsx.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return nil, err
	}
	if err := fsx.ReadableAs(f, p.Dir()); err != nil {
		return nil, cmp.Or(err, f.Close())
	}
	return f, nil
}

// index lets git read a pack back, every object of it, and write its index. It
// returns the checksum that names the pack.
func (p *Packer) index(ctx context.Context, pack, index string) (sum string, err error) {
	out, err := p.S.repo.Git.Run(ctx, "-c", "pack.writeReverseIndex=false", "-c", "pack.threads=1", "index-pack", "-o", index, pack)
	if err != nil {
		return "", err
	}
	if st, err := fsx.Stat(pack); err == nil {
		_ = fsx.Chmod(index, st.Mode().Perm())
	}
	return git.Text(out), fsx.SyncFile(index)
}

// covers fails unless the pack with this index holds all that others hold.
func (p *Packer) covers(index string, others []*packs.Index) error {
	x, err := packs.Read(index, p.S.repo.IDSize())
	if err != nil {
		return err
	}
	for _, o := range others {
		for i := range o.Len() {
			if !x.Has(o.ID(i)) && !p.Without[o.ID(i)] {
				return fmt.Errorf("git left %s out of the new pack", record.Short(o.ID(i)))
			}
		}
	}
	return nil
}

// publish gives a pack its name: on our list first, the index last, by which git
// sees it.
func (p *Packer) publish(name, temp, index string) (string, error) {
	if !p.Unlisted {
		if err := p.S.keepPacks(append(p.S.OurPacks(), name)); err != nil {
			return "", err
		}
	}
	if err := fsx.Rename(temp, p.Path(name)+".pack"); err != nil {
		return "", err
	}
	if err := fsx.Rename(index, p.Path(name)+".idx"); err != nil {
		return "", err
	}
	p.Made[name] = true
	return name, fsx.SyncDir(p.Dir())
}

// dropLoose removes the loose copies of what our packs hold.
func (p *Packer) dropLoose(ctx context.Context) error {
	ids, err := p.S.repo.Objects.IDs()
	if err != nil || len(ids) == 0 {
		return err
	}
	for _, name := range p.S.OurPacks() {
		x, err := packs.Read(p.Path(name)+".idx", p.S.repo.IDSize())
		if err != nil {
			continue // a gc of git's has put it into a pack of its own
		}
		twice := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !x.Has(id) })
		if len(twice) == 0 || !p.sound(ctx, name) {
			continue
		}
		if err := p.drop(name, twice); err != nil {
			return err
		}
	}
	return nil
}

// sound reports whether a pack can be read, all of it.
func (p *Packer) sound(ctx context.Context, name string) bool {
	if !p.Made[name] {
		_, err := p.S.repo.Git.Run(ctx, "verify-pack", p.Path(name)+".idx")
		p.Made[name] = err == nil
	}
	return p.Made[name]
}

func (p *Packer) drop(name string, ids []string) error {
	st, err := fsx.Stat(p.Path(name) + ".pack")
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := p.S.repo.Objects.RemoveOld(id, st.ModTime()); err != nil {
			return err
		}
	}
	return nil
}

func (p *Packer) Dir() string { return filepath.Join(p.S.repo.Where.Objects, "pack") }

func (p *Packer) Path(name string) string { return filepath.Join(p.Dir(), name) }

func (p *Packer) Has(name, ext string) bool {
	_, err := fsx.Lstat(p.Path(name) + ext)
	return err == nil
}

func (p *Packer) temp() string {
	return p.Path(tempPack + strconv.FormatUint(rand.Uint64(), 36))
}
