package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/part"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// What is left of a disk before doctor says so. A checkpoint takes about 12 KiB
// and 3 inodes loose; a pack of 10,000 some 15 MB, which upkeep writes beside the
// old ones.
const (
	scarceBytes, lowBytes   = 20 << 20, 500 << 20
	scarceInodes, lowInodes = 200, 5000
)

func (ex *Examiner) diskWell(context.Context) []part.Diagnosis {
	dir := ex.repo.Where.CommonDir
	for _, d := range []string{dir, ex.repo.Where.Objects} {
		if err := fsx.Writable(d); errors.Is(err, syscall.EROFS) {
			return []part.Diagnosis{part.Failure("files", "'"+d+"' is on a read-only file system; you can read, but not save", remedy.Typed("remount it writable"))}
		} else if err != nil {
			return []part.Diagnosis{part.Failure("files", "'"+d+"': "+wording.PlainError(err)+": nothing can be saved", remedy.Typed("fix the permissions of '"+d+"'"))}
		}
	}
	kind, local := fsx.Kind(dir)
	all := []part.Diagnosis{}
	if kind == "" {
		kind = "unknown file system"
	}
	if !local {
		all = append(all, part.Oddity("files", kind+": locks and the order of writes do not hold between machines that write here", remedy.Typed("move the repository to a local disk")))
	}
	d, known := fsx.Space(dir)
	if !known {
		if local {
			return ok("files", kind)
		}
		return all
	}
	left := fmt.Sprintf("%s: %s free", kind, wording.Bytes(d.Free))
	if d.Files > 0 {
		left += fmt.Sprintf(", room for %d files", d.Inodes)
	}
	cure := "free space on the disk of " + dir
	switch {
	case d.Free < scarceBytes || d.Files > 0 && d.Inodes < scarceInodes:
		return append(all, part.Failure("files", left+"; saves will soon fail", remedy.Typed(cure)))
	case d.Free < lowBytes || d.Files > 0 && d.Inodes < lowInodes:
		return append(all, part.Oddity("files", left, remedy.Typed(cure)))
	case !local:
		return all
	}
	return ok("files", left)
}

// skew is how far a clock may be off before doctor says so.
const skew = 5 * time.Minute

// clockWell compares the clock with the newest checkpoints and with the file
// system. Nothing here is ordered by dates, but people read them.
func (ex *Examiner) clockWell(ctx context.Context) []part.Diagnosis {
	now := ex.repo.Options.Now()
	if now.Year() < 2024 {
		return []part.Diagnosis{part.Oddity("clock", "shows "+now.UTC().Format("2006-01-02 15:04")+" UTC, which is wrong", remedy.Typed("set this machine's clock"))}
	}
	var all []part.Diagnosis
	if id, at := ex.newest(ctx); at.After(now.Add(skew)) {
		all = append(all, part.Oddity("clock", fmt.Sprintf("checkpoint %s is dated %s in the future: this clock is slow, or the other was fast", record.Short(id), legible.Lasted(at.Sub(now))), remedy.Typed("check this machine's clock; nothing is ordered by dates")))
	}
	for _, file := range []string{ex.journal.JournalFile(), ex.ownership.OwnFile(), filepath.Join(ex.repo.Where.CommonDir, "HEAD")} {
		if st, err := fsx.Stat(file); err == nil && st.ModTime().After(time.Now().Add(skew)) {
			all = append(all, part.Oddity("clock", fmt.Sprintf("'%s' is dated %s in the future by its file system", file, legible.Lasted(time.Until(st.ModTime()))), remedy.Typed("compare this machine's clock with the file system's")))
			break
		}
	}
	if len(all) > 0 {
		return all
	}
	return ok("clock", now.UTC().Format("2006-01-02 15:04")+" UTC; no checkpoint or file is dated later")
}

// newest is the commit that was recorded last, among as many as are read here: git
// goes by dates, so that one which is ahead comes first of those it has got to. Of
// what cannot be walked through the zero time is returned; memoryWell tells.
func (ex *Examiner) newest(ctx context.Context) (id string, at time.Time) {
	refs, err := ex.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix)
	if err != nil {
		return "", at
	}
	var tips strings.Builder
	for _, r := range refs {
		tips.WriteString(r.ID + "\n")
	}
	out, _ := ex.repo.Git.Feed(ctx, []byte(tips.String()), "rev-list", "--timestamp", fmt.Sprintf("--max-count=%d", doctorReads), "--ignore-missing", "--stdin")
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 && record.Unix(f[0]).After(at) {
			id, at = f[1], record.Unix(f[0])
		}
	}
	return id, at
}

// backupWell says whether the backup has what our refs reach: all tips, and of the
// newest commits behind what it was packed with everything.
func (ex *Examiner) backupWell(ctx context.Context) []part.Diagnosis {
	refs, err := ex.backup.OurTips(ctx)
	if err != nil || len(refs) == 0 {
		return ok("backup", "nothing to back up yet")
	}
	p, err := ex.backup.OpenSpare("")
	if err != nil || len(p) == 0 {
		return []part.Diagnosis{part.Oddity("backup", "no backup yet", remedy.Maintain.On())}
	}
	defer p.Close()
	if lacks := p.Lacks(refs); lacks > 0 {
		return []part.Diagnosis{part.Oddity("backup", fmt.Sprintf("lacks the tips of %d of %s", lacks, legible.Count(len(refs), "ref")), remedy.Maintain.On())}
	}
	if ids, err := ex.backup.Lacking(ctx, doctorReads); err != nil {
		return []part.Diagnosis{part.Oddity("backup", err.Error(), remedy.Check.On())}
	} else if len(ids) > 0 {
		return []part.Diagnosis{part.Oddity("backup", "lacks "+legible.Count(len(ids), "object")+" that were fetched, or saved by another version", remedy.Maintain.On())}
	}
	st, err := fsx.Stat(ex.backup.BackupDir("packed-refs"))
	if err != nil {
		return ok("backup", "up to date, not packed yet")
	}
	return ok("backup", "up to date; packed on "+st.ModTime().UTC().Format("2006-01-02 15:04")+" UTC")
}

// manyLoose is when doctor recommends packing: git's own gc.auto is 6,700.
const manyLoose = 6700

// upkeepWell estimates the loose objects as git does: by one folder of 256.
func (ex *Examiner) upkeepWell(context.Context) []part.Diagnosis {
	list, _ := fsx.ReadDir(filepath.Join(ex.repo.Where.Objects, "17"))
	if n := len(list) * 256; n > manyLoose {
		return []part.Diagnosis{part.Oddity("upkeep", fmt.Sprintf("about %d loose objects, which slow git down", n), remedy.PackAll.On())}
	}
	return ok("upkeep", "few loose objects"+ex.lastOutcome())
}

// lastOutcome is what became of the last upkeep: "<made> <unix> <outcome>".
func (ex *Examiner) lastOutcome() string {
	b, err := fsx.ReadOwn(ex.repo.Dir("upkeep"))
	f := strings.SplitN(git.Text(b), " ", 3)
	if err != nil || len(f) != 3 {
		return ""
	}
	return fmt.Sprintf("; on %s UTC: %s", record.Unix(f[1]).UTC().Format("2006-01-02 15:04"), legible.OneLine(f[2]))
}
