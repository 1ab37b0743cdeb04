package gitstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Act is one thing that was done here: what was saved, merged, removed, named or
// confirmed at a time. [Store.Undo] takes one back, and is an act itself.
type Act struct {
	ID    string // eight digits, the same as long as the act is listed: of the commit, if it made one
	At    time.Time
	Kind  ActKind
	What  string   // in words: "saved checkpoint 3f2a91c0 on main: Ship ARC"
	Refs  []string // full names of the refs that it moved; none of a confirmation
	moves []move
	says  string      // what the log of the refs says, "" if nothing does
	stood confirmLine // of a confirmation

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

// Acts lists what was done here, newest first; max bounds their number, 0 is all that
// the journal and the logs of the refs still tell. What a purge did, and what was before
// it, is not listed: there is no way back behind one.
func (s *Store) Acts(ctx context.Context, max int) ([]Act, error) {
	steps, err := s.steps(ctx)
	if err != nil {
		return nil, err
	}
	acts := groupSteps(steps)
	for _, c := range s.confirmActs() {
		acts = insertByTime(acts, c, func(a Act) bool { return !a.At.After(c.At) })
	}
	nameActs(acts)
	if max > 0 {
		acts = acts[:min(len(acts), max)]
	}
	for i := range acts {
		a := &acts[i]
		for _, m := range a.moves {
			a.Refs = append(a.Refs, m.ref)
		}
	}
	s.describeActs(acts)
	return acts, ctx.Err()
}

// groupSteps puts the steps of one transaction together, and those of one merge of what
// was fetched, which takes several. They come oldest first and go newest first.
func groupSteps(steps []refStep) (acts []Act) {
	fetched := map[time.Time]int{} // merges, by the time that all steps of each have
	for _, st := range steps {
		at := len(acts) - 1
		if i, ok := fetched[st.together()]; ok && st.says == fetchedSays {
			at = i
		}
		if at >= 0 && acts[at].takes(st) {
			a := &acts[at]
			a.moves, a.says = append(a.moves, st.move), cmp.Or(a.says, st.says)
			continue
		}
		if acts = append(acts, Act{At: st.at, moves: []move{st.move}, says: st.says, journaled: st.journaled}); st.says == fetchedSays {
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
		a.ID = short(a.madeCommit())
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
		if m.ref == KnowledgeRef {
			return m.new
		}
	}
	if strings.HasPrefix(a.says, fastForwardSays) {
		return ""
	}
	for _, kind := range []Kind{KindCheckpoint, KindMerge, KindTombstone} {
		if strings.HasPrefix(a.says, "sage: "+string(kind)+": ") {
			return a.moves[0].new
		}
	}
	return ""
}

// text is what an id is made of. It knows seconds only, as the logs of the refs do.
func (a *Act) text() string {
	var b strings.Builder
	for _, m := range a.moves {
		fmt.Fprintf(&b, "%s %s %s\n", m.ref, dash(m.old), dash(m.new))
	}
	if len(a.stood.ids) > 0 {
		fmt.Fprintln(&b, a.stood.back, a.stood.ids, a.stood.what)
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
	if a.isFetched() && st.says == fetchedSays {
		return a.together().Equal(st.together()) && !a.moved(st.ref)
	}
	if a.journaled || st.journaled {
		return st.joins && a.journaled && a.At.Equal(st.at) && a.says == st.says
	}
	first := a.moves[0].ref
	if a.At.Unix() != st.at.Unix() || strings.HasPrefix(first, tagsPrefix) || a.moved(st.ref) {
		return false
	}
	isLine := strings.HasPrefix(st.ref, headsPrefix)
	if st.new == "" {
		return strings.HasPrefix(st.ref, forksPrefix) && first != KnowledgeRef || isLine && a.isUndo()
	}
	if st.says == "" || st.says != a.says {
		return false
	}
	return a.isUndo() || slices.ContainsFunc([]string{"sage: rename line ", abortSays}, func(p string) bool { return strings.HasPrefix(st.says, p) })
}

func (a *Act) moved(ref string) bool {
	return slices.ContainsFunc(a.moves, func(m move) bool { return m.ref == ref })
}

// isFetched reports whether an act brought what others did elsewhere.
func (a *Act) isFetched() bool { return a.says == fetchedSays }

func (a *Act) isUndo() bool {
	return strings.HasPrefix(a.says, undoSays) || strings.HasPrefix(a.says, redoSays)
}

// describeActs says in words what each did.
func (s *Store) describeActs(acts []Act) {
	var ids []string
	for _, a := range acts {
		for _, m := range a.moves {
			ids = append(ids, m.old, m.new)
		}
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
	known := s.commitRecords(ids)
	for i := range acts {
		if a := &acts[i]; len(a.moves) > 0 {
			a.Kind, a.What = a.words(known)
		}
	}
}

// words names an act by its first move, which is that of the line; a rename is told by
// what the knowledge says of it.
func (a *Act) words(known map[string]Record) (ActKind, string) {
	if a.isFetched() {
		return ActMerge, a.fetchedWords()
	}
	m := a.moves[0]
	if i := slices.IndexFunc(a.moves, func(m move) bool { return m.ref == KnowledgeRef }); i >= 0 {
		m = a.moves[i]
	}
	now, was := known[m.new], known[m.old]
	where := shortRef(m.ref)
	switch {
	case a.isUndo() && m.ref != KnowledgeRef:
		verb, of, _ := strings.Cut(strings.TrimPrefix(a.says, "sage: "), ": ")
		return ActUndo, past(verb) + ": " + of
	case m.ref == KnowledgeRef:
		return ActKnowledge, past(cmp.Or(now.Description, "changed the knowledge"))
	case strings.HasPrefix(m.ref, tagsPrefix):
		return ActTag, tagWords(m, strings.TrimPrefix(m.ref, tagsPrefix), now, was)
	case m.new == "":
		return ActOther, "deleted " + where + " at " + titled(was, m.old)
	case m.old == "" && (len(now.Parents) > 0 || a.says != "") && !strings.HasPrefix(a.says, "sage: "+string(now.Kind)+": "):
		return ActLine, "made line " + where + " at " + titled(now, m.new)
	case strings.HasPrefix(a.says, fastForwardSays):
		return ActMerge, "merged into " + where + ": " + titled(now, m.new)
	case slices.Contains(was.Parents, m.new):
		return ActUndo, "took back " + titled(was, m.old) + " on " + where
	}
	return stepWords(m, where, now)
}

// fetchedWords names a merge of what was fetched by the refs that it brought forward: what
// others did there is not listed here.
func (a *Act) fetchedWords() string {
	const most = 5
	var names []string
	for _, m := range a.moves[:min(len(a.moves), most)] {
		names = append(names, shortRef(m.ref))
	}
	words := "merged what was fetched: " + strings.Join(names, ", ")
	if n := len(a.moves) - most; n > 0 {
		words += fmt.Sprintf(" and %d more", n)
	}
	return words
}

// stepWords names a move of a line or fork by the commit that it went to.
func stepWords(m move, where string, now Record) (ActKind, string) {
	switch {
	case m.old != "" && !slices.Contains(now.Parents, m.old):
		return ActOther, "moved " + where + " to " + titled(now, m.new)
	case now.Kind == KindTombstone:
		return ActRemove, past(now.Description)
	case now.Kind == KindMerge:
		return ActMerge, "merged into " + where + ": " + titled(now, m.new)
	}
	return ActSave, "saved checkpoint " + short(m.new) + " on " + where + ": " + now.Description
}

func tagWords(m move, where string, now, was Record) string {
	switch {
	case m.new == "":
		return "deleted tag " + where + " of " + titled(was, m.old)
	case m.old == "":
		return "tagged " + titled(now, m.new) + " as " + where
	}
	return "moved tag " + where + " from " + short(m.old) + " to " + titled(now, m.new)
}

// titled is a commit's short id with its description, as far as it can be read.
func titled(r Record, id string) string {
	return strings.TrimSpace(short(id) + " " + r.Description)
}

// past puts the verb that a subject begins with into the past: subjects say what a
// commit does, and the list of acts what was done.
func past(subject string) string {
	verb, rest, spaced := strings.Cut(subject, " ")
	bare, colon := strings.CutSuffix(verb, ":")
	did, ok := map[string]string{
		"add": "added", "edit": "edited", "remove": "removed", "restore": "restored", "archive": "archived",
		"deprecate": "deprecated", "mark": "marked", "close": "closed", "rename": "renamed", "undo": "undid", "redo": "redid",
		"link": "linked", "merge": "merged", "open": "opened", "update": "updated", "set": "set",
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
