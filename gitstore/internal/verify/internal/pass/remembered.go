package pass

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// A Value is the last one of a ref that is remembered somewhere.
type Value struct {
	ID     string
	When   time.Time     // zero where nobody says
	Source string        // who remembers: "the journal", "the log of the ref", ...
	Entry  journal.Entry // of the journal
}

// Remembered are the last readable values of a ref, newest source first, without
// those that a later one contains. One is what the ref should be; with several
// only a person can tell.
func (rf *Refs) Remembered(name string) []Value {
	var all []Value
	add := func(w Value) bool {
		if w.ID == "" || !rf.Fits(name, w.ID) {
			return false
		}
		if !slices.ContainsFunc(all, func(o Value) bool { return o.ID == w.ID }) {
			all = append(all, w)
		}
		return true
	}
	add(rf.Known[name])
	for _, w := range rf.objects.values(name) { // newest first: the first that can be read
		if add(w) {
			break
		}
	}
	add(rf.backedUp(name))
	add(Value{ID: rf.Packed(name), Source: "packed-refs"})
	add(Value{ID: rf.beneath(name), Source: "the history of its tip"})
	return slices.DeleteFunc(slices.Clone(all), func(w Value) bool {
		return slices.ContainsFunc(all, func(o Value) bool { return o.ID != w.ID && rf.Contains(o.ID, w.ID) })
	})
}

// foreignMost bounds how many commits of others are looked under.
const foreignMost = 100

// beneath is the newest commit of ours that a foreign one on a ref was put upon,
// or "".
func (rf *Refs) beneath(name string) string {
	at := rf.IDOf(name)
	for range foreignMost {
		o, err := rf.objects.Anywhere(at)
		if err != nil || o.Type != "commit" || rf.Fits(name, at) {
			break
		}
		r := record.Record{ID: at}
		if r.ParseCommit(o.Data); len(r.Parents) == 0 {
			return ""
		}
		at = r.Parents[0]
	}
	return at
}

// Fits reports whether id is a commit that a ref of this name may point to.
func (rf *Refs) Fits(name, id string) bool {
	if rf.rooms.Rewritten.StandIn(id) != id { // a purge took it away for good
		return false
	}
	o, err := rf.objects.Anywhere(id)
	r := record.Record{ID: id}
	return err == nil && o.Type == "commit" && r.ParseCommit(o.Data) && (r.Kind == record.KindKnowledge) == refname.IsKnowledge(name)
}

// Contains reports whether history from id leads to old, also where parts of it
// lie elsewhere.
func (rf *Refs) Contains(id, old string) bool {
	seen := map[string]bool{}
	for todo := []string{id}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == old {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		if o, err := rf.objects.Anywhere(at); err == nil {
			r := record.Record{ID: at}
			r.ParseCommit(o.Data)
			todo = append(todo, r.Parents...)
		}
	}
	return false
}

// Packed is the value that packed-refs has for a ref, or "".
func (rf *Refs) Packed(name string) string {
	b, _ := fsx.ReadFile(filepath.Join(rf.rooms.Repo.Where.CommonDir, "packed-refs"))
	for line := range bytes.Lines(b) {
		if id, n, ok := strings.Cut(git.Text(line), " "); ok && n == name && rf.objects.IsID(id) {
			return id
		}
	}
	return ""
}

// backedUp is the value that the backup has for a ref.
func (rf *Refs) backedUp(name string) Value {
	if id := rf.rooms.Backup.BackupRefs(rf.rooms.Backup.BackupDir())[name]; id != "" {
		return Value{ID: id, Source: "the backup"}
	}
	return Value{}
}

// Remember reads what refs were last, and what was made here.
func (rf *Refs) Remember() {
	rf.Known = map[string]Value{}
	r, jo, ow := rf.rooms.Repo, rf.rooms.Journal, rf.rooms.Ownership
	entries, err := jo.Journaled()
	if err != nil {
		rf.UnreadJournal = err
		rf.found.Warn("journal", "sage/journal", wording.PlainError(err)+"; lost refs go unnoticed", remedy.Typed(asideCure(r, jo.JournalFile())))
	}
	for name, e := range entries {
		if refname.IsAcknowledged(name) {
			rf.Known[name] = Value{ID: e.New, When: e.At, Source: "the journal", Entry: e}
		}
	}
	if rf.Own, err = ow.OwnIDs(); err != nil {
		rf.found.Warn("own", "sage/own", wording.PlainError(err)+"; checkpoints made here show as unconfirmed", remedy.Typed(asideCure(r, ow.OwnFile())))
	}
}
