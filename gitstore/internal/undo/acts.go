package undo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/follow"
	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/knowledge"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// An Act is one thing that was done here: what was saved, merged, removed, named or
// confirmed at a time. [Undoer.Undo] takes one back, and is an act itself.
type Act struct {
	ID    string // eight digits, the same as long as the act is listed: of the commit, if it made one
	At    time.Time
	Kind  ActKind
	What  string   // in words: "saved checkpoint 3f2a91c0 on main: Ship ARC"
	Refs  []string // full names of the refs that it moved; none of a confirmation
	Along bool     // it came by itself with the act before it, which is the last one that somebody did
	moves []journal.Move
	says  string                // what the log of the refs says, "" if nothing does
	stood knowledge.ConfirmLine // of a confirmation

	journaled bool // the journal says which moves it has
}

// An ActKind says what sort of act it is.
type ActKind string

// The kinds of acts.
const (
	ActSave      ActKind = "save"      // a checkpoint on a line or fork
	ActMerge     ActKind = "merge"     // of lines, forks or checkpoints
	ActRemove    ActKind = "remove"    // of checkpoints, or their return
	ActLine      ActKind = "line"      // a line was made
	ActTag       ActKind = "tag"       // a tag was made, moved or deleted
	ActKnowledge ActKind = "knowledge" // items, notes, skills, core files, templates, names of lines
	ActConfirm   ActKind = "confirm"   // somebody stood for what came from elsewhere
	ActUndo      ActKind = "undo"      // a ref went back, or came again, by an undo
	ActOther     ActKind = "other"     // what another program or a repair did to a ref
)

const (
	undoSays = "sage: undo: "
	redoSays = "sage: redo: "
)

// List lists what was done here, newest first; max bounds their number, 0 is all that
// the journal and the logs of the refs still tell. What a purge did, and what was before
// it, is not listed: there is no way back behind one.
func (u *Undoer) List(ctx context.Context, max int) ([]Act, error) {
	steps, err := u.steps(ctx)
	if err != nil {
		return nil, err
	}
	acts := groupSteps(steps)
	for _, c := range u.confirmActs() {
		acts = insertByTime(acts, c, func(a Act) bool { return !a.At.After(c.At) })
	}
	nameActs(acts)
	if max > 0 {
		acts = acts[:min(len(acts), max)]
	}
	for i := range acts {
		a := &acts[i]
		for _, m := range a.moves {
			a.Refs = append(a.Refs, m.Ref)
		}
	}
	u.describeActs(acts)
	return acts, ctx.Err()
}

// groupSteps puts the steps of one transaction together, and those of one merge of what
// was fetched, which takes several. They come oldest first and go newest first.
func groupSteps(steps []refStep) (acts []Act) {
	fetched := map[time.Time]int{} // merges, by the time that all steps of each have
	for _, st := range steps {
		at := len(acts) - 1
		if i, ok := fetched[st.together()]; ok && st.says == journal.FetchedSays {
			at = i
		}
		if at >= 0 && acts[at].takes(st) {
			a := &acts[at]
			a.moves, a.says = append(a.moves, st.Move), cmp.Or(a.says, st.says)
			continue
		}
		if acts = append(acts, Act{At: st.at, moves: []journal.Move{st.Move}, says: st.says, journaled: st.journaled}); st.says == journal.FetchedSays {
			fetched[st.together()] = len(acts) - 1
		}
	}
	slices.Reverse(acts)
	return acts
}

// insertByTime puts one into a list in front of the first element that is not behind it.
func insertByTime[T any](list []T, one T, isNext func(T) bool) []T {
	i := slices.IndexFunc(list, isNext)
	if i < 0 {
		i = len(list)
	}
	return slices.Insert(list, i, one)
}

// nameActs gives acts their ids, the oldest first: that of the commit that it made, else
// one of its moves. A save that is undone and redone are three acts, also within a second.
func nameActs(acts []Act) {
	taken := map[string]bool{}
	for i := range slices.Backward(acts) {
		a := &acts[i]
		a.ID = record.Short(a.madeCommit())
		for text := a.text(); a.ID == "" || taken[a.ID]; text += "again\n" {
			sum := sha256.Sum256([]byte(text))
			a.ID = hex.EncodeToString(sum[:4])
		}
		taken[a.ID] = true
	}
}

// madeCommit is the commit that an act made, "" if it made none: a line that begins at a
// checkpoint, or comes back to it, did not make that.
func (a *Act) madeCommit() string {
	if a.isFetched() {
		return ""
	}
	for _, m := range a.moves {
		if refname.IsKnowledge(m.Ref) {
			return m.New
		}
	}
	if strings.HasPrefix(a.says, journal.FastForwardSays) {
		return ""
	}
	for _, kind := range []record.Kind{record.KindCheckpoint, record.KindMerge, record.KindTombstone} {
		if strings.HasPrefix(a.says, "sage: "+string(kind)+": ") {
			return a.moves[0].New
		}
	}
	return ""
}

// text is what an id is made of. It knows seconds only, as the logs of the refs do.
func (a *Act) text() string {
	var b strings.Builder
	for _, m := range a.moves {
		fmt.Fprintf(&b, "%s %s %s\n", m.Ref, record.Dash(m.Old), record.Dash(m.New))
	}
	if len(a.stood.IDs) > 0 {
		fmt.Fprintln(&b, a.stood.Back, a.stood.IDs, a.stood.What)
	}
	fmt.Fprintln(&b, a.At.Unix())
	return b.String()
}

// together is the time that a step shares with the others of a merge of what was fetched:
// exactly where the journal has them, else by the second.
func (st *refStep) together() time.Time { return together(st.at, st.journaled) }

func (a *Act) together() time.Time { return together(a.At, a.journaled) }

func together(at time.Time, exact bool) time.Time {
	if exact {
		return at
	}
	return at.Truncate(time.Second)
}

// takes reports whether a step belongs to the act before it. The journal says so. Of what
// only the logs of the refs tell, refs of one transaction have one reason at one time. Two
// saves, lines or tags may have that, too, and are two acts; a fork that is folded, and a
// line that an undo deletes, have lost their logs.
func (a *Act) takes(st refStep) bool {
	if a.isFetched() && st.says == journal.FetchedSays {
		return a.together().Equal(st.together()) && !a.moved(st.Ref)
	}
	if a.journaled || st.journaled {
		return st.joins && a.journaled && a.At.Equal(st.at) && a.says == st.says
	}
	first := a.moves[0].Ref
	if a.At.Unix() != st.at.Unix() || strings.HasPrefix(first, refname.TagsPrefix) || a.moved(st.Ref) {
		return false
	}
	isLine := strings.HasPrefix(st.Ref, refname.HeadsPrefix)
	if st.New == "" {
		return strings.HasPrefix(st.Ref, refname.ForksPrefix) && !refname.IsKnowledge(first) || isLine && a.isUndo()
	}
	if st.says == "" || st.says != a.says {
		return false
	}
	if refname.IsKnowledge(first) && refname.IsKnowledge(st.Ref) { // an item went from one half to the other
		return true
	}
	return a.isUndo() || slices.ContainsFunc([]string{"sage: rename line ", journal.AbortSays}, func(p string) bool { return strings.HasPrefix(st.says, p) })
}

func (a *Act) moved(ref string) bool {
	return slices.ContainsFunc(a.moves, func(m journal.Move) bool { return m.Ref == ref })
}

// isFetched reports whether an act brought what others did elsewhere.
func (a *Act) isFetched() bool { return a.says == journal.FetchedSays }

func (a *Act) isUndo() bool {
	return strings.HasPrefix(a.says, undoSays) || strings.HasPrefix(a.says, redoSays)
}

// describeActs says in words what each did.
func (u *Undoer) describeActs(acts []Act) {
	var ids []string
	for _, a := range acts {
		for _, m := range a.moves {
			ids = append(ids, m.Old, m.New)
		}
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
	known := u.commits.CommitRecords(ids)
	for i := range acts {
		if a := &acts[i]; len(a.moves) > 0 {
			a.Kind, a.What = a.words(known)
			a.Along = a.Kind == ActKnowledge && follow.IsBound(a.What)
		}
	}
}

// words names an act by its first move, which is that of the line; a rename is told by
// what the knowledge says of it.
func (a *Act) words(known map[string]record.Record) (ActKind, string) {
	if a.isFetched() {
		return ActMerge, a.fetchedWords()
	}
	m := a.moves[0]
	if i := slices.IndexFunc(a.moves, func(m journal.Move) bool { return refname.IsKnowledge(m.Ref) }); i >= 0 {
		m = a.moves[i]
	}
	now, was := known[m.New], known[m.Old]
	where := refname.ShortRef(m.Ref)
	switch {
	case a.isUndo() && !refname.IsKnowledge(m.Ref):
		verb, of, _ := strings.Cut(strings.TrimPrefix(a.says, "sage: "), ": ")
		return ActUndo, past(verb) + ": " + of
	case refname.IsKnowledge(m.Ref):
		return ActKnowledge, past(cmp.Or(now.Description, "changed the knowledge"))
	case strings.HasPrefix(m.Ref, refname.TagsPrefix):
		return ActTag, tagWords(m, strings.TrimPrefix(m.Ref, refname.TagsPrefix), now, was)
	case m.New == "":
		return ActOther, "deleted " + where + " at " + titled(was, m.Old)
	case m.Old == "" && (len(now.Parents) > 0 || a.says != "") && !strings.HasPrefix(a.says, "sage: "+string(now.Kind)+": "):
		return ActLine, "created line " + where + " at " + titled(now, m.New)
	case strings.HasPrefix(a.says, journal.FastForwardSays):
		return ActMerge, "merged into " + where + ": " + titled(now, m.New)
	case slices.Contains(was.Parents, m.New):
		return ActUndo, "rolled back " + titled(was, m.Old) + " on " + where
	}
	if words := a.importedWords(where, now); words != "" {
		return ActSave, words
	}
	return stepWords(m, where, now)
}

// importedWords names checkpoints that were imported in one move; "" if a save made it, of which
// the log of the ref says what its commit does.
func (a *Act) importedWords(where string, now record.Record) string {
	said, ok := strings.CutPrefix(a.says, "sage: "+string(record.KindCheckpoint)+": ")
	count, from, isImport := strings.Cut(said, journal.ImportedFrom)
	n, err := strconv.Atoi(count)
	if !ok || !isImport || err != nil || said == now.Description {
		return ""
	}
	return "imported " + legible.Count(n, "checkpoint") + " from " + from + " on " + where
}

// fetchedWords names a merge of what was fetched by the refs that it brought forward: what
// others did there is not listed here.
func (a *Act) fetchedWords() string {
	const most = 5
	var names []string
	for _, m := range a.moves[:min(len(a.moves), most)] {
		names = append(names, refname.ShortRef(m.Ref))
	}
	words := "merged fetched changes: " + strings.Join(names, ", ")
	if n := len(a.moves) - most; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return words
}

// stepWords names a move of a line or fork by the commit that it went to.
func stepWords(m journal.Move, where string, now record.Record) (ActKind, string) {
	switch {
	case m.Old != "" && !slices.Contains(now.Parents, m.Old):
		return ActOther, "moved " + where + " to " + titled(now, m.New)
	case now.Kind == record.KindTombstone:
		return ActRemove, past(now.Description)
	case now.Kind == record.KindMerge:
		return ActMerge, "merged into " + where + ": " + titled(now, m.New)
	}
	return ActSave, "saved checkpoint " + record.Short(m.New) + " on " + where + ": " + now.Description
}

func tagWords(m journal.Move, where string, now, was record.Record) string {
	switch {
	case m.New == "":
		return "deleted tag " + where + " of " + titled(was, m.Old)
	case m.Old == "":
		return "tagged " + titled(now, m.New) + " as " + where
	}
	return "moved tag " + where + " from " + record.Short(m.Old) + " to " + titled(now, m.New)
}

// titled is a commit's short id with its description, as far as it can be read.
func titled(r record.Record, id string) string {
	return strings.TrimSpace(record.Short(id) + " " + r.Description)
}

// past puts the verb that a subject begins with into the past: subjects say what a
// commit does, and the list of acts what was done.
func past(subject string) string {
	verb, rest, spaced := strings.Cut(subject, " ")
	bare, colon := strings.CutSuffix(verb, ":")
	did, ok := map[string]string{
		"add": "added", "edit": "edited", "remove": "removed", "restore": "restored", "archive": "archived",
		"deprecate": "deprecated", "mark": "marked", "close": "closed", "rename": "renamed", "undo": "undid", "redo": "redid",
		"link": "linked", "merge": "merged", "open": "opened", "update": "updated", "set": "set", "make": "made", "share": "shared",
		"import": "imported", "purge": "purged", "keep": "kept", "refuse": "refused", "replace": "replaced",
	}[bare]
	if !ok {
		return subject
	}
	if colon {
		did += ":"
	}
	if spaced {
		did += " " + rest
	}
	return did
}

// confirmActs are the confirmations, newest first.
func (u *Undoer) confirmActs() (acts []Act) {
	b, _, err := fsx.ReadEnd(u.knowledge.ConfirmsFile(), knowledge.ConfirmsTail)
	if err != nil {
		return nil
	}
	for raw := range strings.Lines(string(b)) {
		raw = strings.TrimSuffix(raw, "\n")
		l, ok := knowledge.ParseConfirmLine(raw)
		if !ok {
			continue
		}
		a := Act{At: l.At, Kind: ActConfirm, What: "confirmed " + l.What, stood: l}
		if l.Back {
			a.Kind, a.What = ActUndo, "undid: "+a.What
		}
		acts = append(acts, a)
	}
	slices.Reverse(acts)
	return acts
}
