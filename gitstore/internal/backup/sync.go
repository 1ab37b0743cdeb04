package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/packs"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// Lend returns a git of the user's repository that reads and writes the objects of
// the backup at dir, and reads those of the repository besides if both, with those of
// the backup where that is made anew: it may have what the repository lost.
func (bk *Backup) Lend(dir string, both bool) *git.Runner {
	env := []string{"GIT_OBJECT_DIRECTORY=" + filepath.Join(dir, "objects")}
	if both {
		from := quotePath(bk.repo.Where.Objects)
		if dir != bk.BackupDir() {
			from += string(filepath.ListSeparator) + quotePath(bk.BackupObjectsDir())
		}
		env = append(env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+from)
	}
	return bk.repo.Git.With(env...)
}

// quotePath writes a path as git reads it in a list of paths.
func quotePath(p string) string {
	if !strings.ContainsAny(p, ":\"") {
		return p
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(p) + `"`
}

// OurTips are the values of all refs of ours that no remote has to answer for.
func (bk *Backup) OurTips(ctx context.Context) ([]refname.Ref, error) {
	return bk.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef, refname.PrivateRef, NotesRef)
}

// SyncBackup makes sure that the backup has all that our refs reach, and packs what
// a save left there loose. It may be stopped anywhere: what is removed there is
// packed there before.
func (bk *Backup) SyncBackup(ctx context.Context) error {
	if err := bk.MakeBackup(bk.BackupDir()); err != nil {
		return fmt.Errorf("update the backup: %w", err)
	}
	if err := bk.sharePacks(ctx); err != nil {
		return fmt.Errorf("update the backup: %w", err)
	}
	if err := bk.fillBackup(ctx, bk.BackupDir()); err != nil {
		return fmt.Errorf("update the backup: %w", err)
	}
	return nil
}

func (bk *Backup) fillBackup(ctx context.Context, dir string) error {
	refs, err := bk.OurTips(ctx)
	if err != nil {
		return err
	}
	ids, err := bk.Reached(ctx, bk.Lend(dir, true), refs, slices.Sorted(maps.Values(bk.BackupRefs(dir))))
	if err != nil {
		return err
	}
	if ids, err = bk.unpacked(dir, ids); err != nil {
		return err
	}
	if _, err := bk.PackInto(ctx, dir, ids); err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for _, r := range refs {
		b.WriteString(r.ID + " " + r.Name + "\n")
	}
	if err := fsx.WriteFile(filepath.Join(dir, "packed-refs"), []byte(b.String()), 0o644); err != nil {
		return err
	}
	if err := bk.joinBackup(ctx, dir); err != nil {
		return err
	}
	_, err = bk.Lend(dir, false).Run(ctx, "prune-packed", "--quiet")
	return err
}

// BackupRefs are the refs of the backup, by name: what they reach is in it. Of a file
// that cannot be read there are none.
func (bk *Backup) BackupRefs(dir string) map[string]string {
	refs := map[string]string{}
	b, _ := fsx.ReadOwn(filepath.Join(dir, "packed-refs"))
	for l := range strings.Lines(string(b)) {
		if id, name, ok := strings.Cut(strings.TrimSpace(l), " "); ok && bk.repo.IsID(id) {
			refs[name] = id
		}
	}
	return refs
}

// Reached lists the objects that refs reach and none of not does. What is missing
// is left out: a backup of all the rest is better than none. More options limit which
// commits are looked at.
func (bk *Backup) Reached(ctx context.Context, run *git.Runner, refs []refname.Ref, not []string, more ...string) ([]string, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	var in strings.Builder
	in.WriteString(IDLines(refs))
	for _, id := range not {
		in.WriteString("^" + id + "\n")
	}
	args := append([]string{"rev-list", "--objects", "--ignore-missing", "--missing=allow-any", "--stdin"}, more...)
	out, err := run.Feed(ctx, []byte(in.String()), args...)
	if err != nil {
		return nil, err
	}
	return firstWords(out, len(bk.repo.Objects.Zero())), nil
}

// IDLines are the values of refs as git takes them on standard input.
func IDLines(refs []refname.Ref) string {
	var b strings.Builder
	for _, r := range refs {
		b.WriteString(r.ID + "\n")
	}
	return b.String()
}

func firstWords(out []byte, n int) (ids []string) {
	for l := range bytes.Lines(out) {
		if len(l) > n && record.IsHex(string(l[:n])) {
			ids = append(ids, string(l[:n]))
		}
	}
	return ids
}

// PackInto packs objects into the backup, durably, and returns the names of the
// packs: one, unless the user's git has a limit to their size.
func (bk *Backup) PackInto(ctx context.Context, dir string, ids []string) (names []string, err error) {
	have, err := bk.Present(ctx, bk.Lend(dir, true), ids)
	if err != nil || len(have) == 0 {
		return nil, err
	}
	pack := filepath.Join(dir, "objects", "pack")
	if err := fsx.Mkdir(pack); err != nil {
		return nil, err
	}
	out, err := bk.Lend(dir, true).Feed(ctx, []byte(strings.Join(have, "\n")+"\n"), "-c", "core.fsync=pack,pack-metadata",
		"pack-objects", "--quiet", "--non-empty", filepath.Join(pack, "pack"))
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(string(out)) {
		names = append(names, filepath.Join(pack, "pack-"+name))
	}
	return names, fsx.SyncDir(pack)
}

// Present returns those of ids that run can read.
func (bk *Backup) Present(ctx context.Context, run *git.Runner, ids []string) (have []string, err error) {
	err = eachKind(ctx, run, ids, func(id, _ string) { have = append(have, id) })
	return have, err
}

// EachKind calls fn with each of ids that is here, and what it is.
func (bk *Backup) EachKind(ctx context.Context, ids []string, fn func(id, typ string)) error {
	return eachKind(ctx, bk.repo.Git, ids, fn)
}

// manyAsked is from how many ids on all objects are listed instead: git looks through the
// folder of packs again for each that is not here.
const manyAsked = 20_000

func eachKind(ctx context.Context, run *git.Runner, ids []string, fn func(id, typ string)) error {
	if len(ids) == 0 {
		return nil
	}
	if len(ids) >= manyAsked {
		asked := map[string]bool{}
		for _, id := range ids {
			asked[id] = true
		}
		return git.Lines(func(out io.Writer) error {
			return run.Pipe(ctx, nil, out, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname) %(objecttype)")
		}, func(l []byte) {
			if id, typ, ok := strings.Cut(string(l), " "); ok && asked[id] {
				fn(id, typ)
			}
		})
	}
	out, err := run.Feed(ctx, []byte(strings.Join(ids, "\n")+"\n"), "cat-file", "--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return err
	}
	for l := range strings.Lines(string(out)) {
		if id, typ, ok := strings.Cut(strings.TrimSuffix(l, "\n"), " "); ok && typ != "missing" {
			fn(id, typ)
		}
	}
	return nil
}

// joinBackup makes one pack of more than MaxPacks that are the backup's alone. It
// has all that they had, reached or not.
func (bk *Backup) joinBackup(ctx context.Context, dir string) error {
	files, err := bk.unshared(dir)
	if err != nil || len(files) <= MaxPacks {
		return err
	}
	ids := map[string]bool{}
	for _, file := range files {
		x, err := packs.Read(file+".idx", bk.repo.IDSize())
		if err != nil {
			return err
		}
		for i := range x.Len() {
			ids[x.ID(i)] = true
		}
	}
	joined, err := bk.PackInto(ctx, dir, slices.Sorted(maps.Keys(ids)))
	if err != nil || len(joined) == 0 {
		return err
	}
	for _, file := range files {
		if !slices.Contains(joined, file) {
			if err := RemovePack(file); err != nil {
				return err
			}
		}
	}
	return nil
}

// PacksIn lists the packs of a repository, without their ending.
func PacksIn(dir string) (packs []string, err error) {
	files, err := fsx.ReadDir(filepath.Join(dir, "objects", "pack"))
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), ".pack"); ok {
			packs = append(packs, filepath.Join(dir, "objects", "pack", name))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return packs, err
}

// bring copies those of ids that the repository lacks and the backup has.
func (bk *Backup) bring(ctx context.Context, ids []string) error {
	here, err := bk.Present(ctx, bk.repo.Git, ids)
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for _, id := range here {
		has[id] = true
	}
	lacking := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return has[id] })
	there, err := bk.Present(ctx, bk.Lend(bk.BackupDir(), false), lacking)
	if err != nil || len(there) == 0 {
		return err
	}
	pack, err := bk.Lend(bk.BackupDir(), false).Feed(ctx, []byte(strings.Join(there, "\n")+"\n"), "pack-objects", "--quiet", "--stdout")
	if err != nil {
		return err
	}
	if _, err := bk.repo.Git.Feed(ctx, pack, "-c", "core.fsync=pack,pack-metadata", "index-pack", "--stdin"); err != nil {
		return err
	}
	_ = bk.repo.Batch.Close() // it may not look for packs that came behind its back
	return fsx.SyncDir(filepath.Join(bk.repo.Where.Objects, "pack"))
}

// RebuildBackup makes the backup anew from what our refs reach now: what a purge
// took out of them is not in it. It is made beside and takes the place of the old
// one; whoever is stopped in between does it again. As long as a ref lacks what was
// acknowledged on it, as nothingLost says, the old one stays: nothing else may have that.
func (bk *Backup) RebuildBackup(ctx context.Context, nothingLost func(context.Context) error) error {
	if err := bk.remakeBackup(ctx, nothingLost); err != nil {
		return fmt.Errorf("rebuild the backup: %w", err)
	}
	return nil
}

func (bk *Backup) remakeBackup(ctx context.Context, nothingLost func(context.Context) error) error {
	fresh, gone := bk.BackupDir()+".new", bk.BackupDir()+".gone"
	for _, left := range []string{fresh, gone} {
		if err := fsx.RemoveAll(left); err != nil {
			return err
		}
	}
	if err := bk.MakeBackup(fresh); err != nil {
		return err
	}
	if err := bk.fillBackup(ctx, fresh); err != nil {
		return err
	}
	done := bk.repo.Queue(ctx) // who saves now gives what it writes to the old one
	defer done()
	if err := bk.fillBackup(ctx, fresh); err != nil {
		return err
	}
	if all, err := bk.hasAll(ctx, fresh); err != nil {
		return err
	} else if !all {
		if err := nothingLost(ctx); err != nil {
			return err
		}
	}
	err := fs.ErrExist
	for try := 0; try < 100 && errors.Is(err, fs.ErrExist); try++ { // a save may make one in between
		if err := fsx.Rename(bk.BackupDir(), gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err = fsx.Rename(fresh, bk.BackupDir())
		if e := fsx.RemoveAll(gone); e != nil {
			return e
		}
	}
	return err
}

// hasAll reports whether a backup has all that was acknowledged.
func (bk *Backup) hasAll(ctx context.Context, dir string) (bool, error) {
	known, err := bk.journal.Journaled()
	if err != nil {
		return false, err
	}
	want := map[string]bool{}
	for name, e := range known {
		if e.New != "" && refname.IsAcknowledged(name) {
			want[e.New] = true
		}
	}
	have, err := bk.Present(ctx, bk.Lend(dir, false), slices.Collect(maps.Keys(want)))
	return len(have) == len(want), err
}
