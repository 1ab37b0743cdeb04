package checks

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/history"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/pass"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Journal names a journal that is gone, or was while saves went on. Whoever adds to
// sage/own adds to the journal first, so one without the other is no store that is new,
// cloned or older than both. Where both are gone the logs of refs, which no clone has,
// tell that git-sage was at work. What the backup has and git lacks is named, and a person
// chooses: the journal could have said whether it was deleted on purpose.
type Journal struct {
	Journal *journal.Journal
	Backup  *backup.Backup
	History *history.History
}

func (c Journal) Run(p *pass.Pass) {
	gone := !fsx.There(c.Journal.JournalFile()) && !fsx.There(c.Journal.OldJournal())
	moved := gone && len(p.Own) == 0 && slices.ContainsFunc(p.List, func(r pass.TypedRef) bool { return refname.IsAcknowledged(r.Name) && movedByUs(p, r.Name, "") })
	gone = gone && (len(p.Own) > 0 || moved)
	f := &fixes.Journal{At: map[string]string{}}
	for _, r := range p.List {
		if _, known := p.Known[r.Name]; !known && refname.IsAcknowledged(r.Name) && r.Symref == "" && !p.Broken(r.Name) && (gone || p.Own[r.ID] && movedByUs(p, r.Name, r.ID)) {
			f.At[r.Name] = r.ID
		}
	}
	switch {
	case moved:
		p.Warn("journal", "sage/journal", "missing, and so is sage/own, although reflogs show that git-sage moved refs here; lost refs go unnoticed")
	case gone:
		p.Warn("journal", "sage/journal", "missing, although this repository made "+legible.Count(len(p.Own), "commit")+"; lost refs go unnoticed")
	case len(f.At) > 0 && p.UnreadJournal == nil:
		p.Warn("journal", "sage/journal", "lacks "+someNames(f.At)+", whose checkpoints were made here; losses there go unnoticed")
	default:
		return
	}
	p.Mend(f)
	kept := c.Backup.BackupRefs(c.Backup.BackupDir())
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		id, tip := kept[name], p.IDOf(name)
		if _, known := p.Known[name]; known || !refname.IsAcknowledged(name) || tip == id || p.Broken(name) || !p.Fits(name, id) || c.History.Contains(p.Ctx, name, tip, id) || p.PurgedInto(name, id, tip) {
			continue
		}
		delete(f.At, name)
		has := "the ref is gone"
		if tip != "" {
			has = "the ref is at " + p.Title(tip) + ", which does not contain it"
		}
		p.Warn("maybe-lost", name, "the backup has "+p.Title(id)+", but "+has, remedy.SetRef.On(refname.ShortName(name), record.Short(id)).To("restores it if that was not intended"))
	}
}

// movedByUs reports whether the log of a ref says that git-sage gave it a value, "" is
// any. A person may give a commit of ours another name, which nobody acknowledged.
func movedByUs(p *pass.Pass, name, id string) bool {
	b, _ := fsx.ReadFile(filepath.Join(p.Repo.Where.CommonDir, "logs", filepath.FromSlash(name)))
	for line := range bytes.Lines(b) {
		head, said, _ := strings.Cut(git.Text(line), "\t")
		if f := strings.Fields(head); len(f) > 1 && (id == "" || f[1] == id) && strings.HasPrefix(said, "sage: ") {
			return true
		}
	}
	return false
}

// someNames lists the first refs of a map by their short names.
func someNames(refs map[string]string) string {
	const most = 3
	var names []string
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		names = append(names, "'"+refname.ShortName(name)+"'")
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}
