package verify

import (
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// noJournal names a journal that is gone, or was while saves went on. Whoever adds to
// sage/own adds to the journal first, so one without the other is no store that is new,
// cloned or older than both. Where both are gone the logs of refs, which no clone has,
// tell that git-sage was at work. What the backup has and git lacks is named, and a person
// chooses: the journal could have said whether it was deleted on purpose.
func (k *checker) noJournal() {
	gone := !repo.There(k.s.journal.JournalFile()) && !repo.There(k.s.journal.OldJournal())
	moved := gone && len(k.own) == 0 && slices.ContainsFunc(k.refs, func(r typedRef) bool { return repo.IsAcknowledged(r.Name) && k.movedByUs(r.Name, "") })
	gone = gone && (len(k.own) > 0 || moved)
	f := &journalFix{at: map[string]string{}}
	for _, r := range k.refs {
		if _, known := k.known[r.Name]; !known && repo.IsAcknowledged(r.Name) && r.symref == "" && !k.told(r.Name) && (gone || k.own[r.ID] && k.movedByUs(r.Name, r.ID)) {
			f.at[r.Name] = r.ID
		}
	}
	switch {
	case moved:
		k.warn("journal", "sage/journal", "missing, and so is sage/own, although reflogs show that git-sage moved refs here; lost refs go unnoticed", "")
	case gone:
		k.warn("journal", "sage/journal", "missing, although this repository made "+repo.Count(len(k.own), "commit")+"; lost refs go unnoticed", "")
	case len(f.at) > 0 && k.unreadJournal == nil:
		k.warn("journal", "sage/journal", "lacks "+someNames(f.at)+", whose checkpoints were made here; losses there go unnoticed", "")
	default:
		return
	}
	k.mend(f)
	kept := k.s.backup.BackupRefs(k.s.backup.BackupDir())
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		id, tip := kept[name], k.idOf(name)
		if _, known := k.known[name]; known || !repo.IsAcknowledged(name) || tip == id || k.told(name) || !k.fits(name, id) || k.s.history.Contains(k.ctx, name, tip, id) || k.purgedInto(name, id, tip) {
			continue
		}
		delete(f.at, name)
		has := "the ref is gone"
		if tip != "" {
			has = "the ref is at " + k.title(tip) + ", which does not contain it"
		}
		k.warn("maybe-lost", name, "the backup has "+k.title(id)+", but "+has, "'git sage fsck --repair --set "+repo.ShortName(name)+"="+record.Short(id)+"' restores it if that was not intended")
	}
}

// movedByUs reports whether the log of a ref says that git-sage gave it a value, "" is
// any. A person may give a commit of ours another name, which nobody acknowledged.
func (k *checker) movedByUs(name, id string) bool {
	b, _ := fsx.ReadFile(filepath.Join(k.s.repo.Where.CommonDir, "logs", filepath.FromSlash(name)))
	for line := range bytes.Lines(b) {
		head, said, _ := strings.Cut(repo.Text(line), "\t")
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
		names = append(names, "'"+repo.ShortName(name)+"'")
	}
	if more := len(names) - most; more > 0 {
		names = append(names[:most], strconv.Itoa(more)+" more")
	}
	return strings.Join(names, ", ")
}

// A journalFix notes in the journal the refs that it does not know, as they are.
type journalFix struct{ at map[string]string }

func (f *journalFix) about() string { return "sage/journal" }
func (f *journalFix) will() string  { return "records the refs as they are" }
func (f *journalFix) did() string   { return "recorded the refs as they are" }

func (f *journalFix) plan(k *checker, r *repair) error {
	return (&fileFix{file: k.s.journal.JournalFile()}).plan(k, r)
}

func (f *journalFix) do(ctx context.Context, r *repair) error {
	return r.s.journal.RewriteJournal(func(known map[string]journal.Entry) error {
		for name, id := range f.at {
			if _, told := known[name]; told {
				continue
			}
			if tip, err := r.s.repo.Tip(ctx, name); err == nil && tip == id {
				known[name] = journal.Entry{New: id, At: r.writerRecord.At}
			}
		}
		return ctx.Err()
	})
}
