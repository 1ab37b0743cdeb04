package undo

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/ledger"
	"github.com/git-sage/git-sage/gitstore/internal/reflog"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// A refStep is one move of a ref that somebody remembers.
type refStep struct {
	journal.Move
	at        time.Time
	says      string // what the log of the ref says of it, with "sage: " before it; "" if nothing does
	journaled bool   // by a line that says with which others it was made
	joins     bool   // the step before it, in one transaction
	told      bool   // by a line of the journal, too
}

// steps are the moves of lines, forks, tags and the knowledge that the journal and the
// logs of the refs tell of, oldest first. The journal has the order among refs, and the
// moves of refs that are gone, whose logs went with them; the logs have the order of each
// ref, the reasons, what was before the journal was last shortened, and the moves of who was
// killed before it could say so. Where no log does, an announcement tells of those if the
// ref stands where it says.
func (u *Undoer) steps(ctx context.Context) ([]refStep, error) {
	old, now, err := u.journal.ReadJournal()
	if err != nil {
		return nil, err
	}
	refs, err := u.repo.Refs(ctx, refname.HeadsPrefix, refname.ForksPrefix, refname.TagsPrefix, refname.KnowledgeRef, refname.PrivateRef)
	if err != nil {
		return nil, err
	}
	tips, logs := map[string]string{}, map[string][]*refStep{}
	for _, r := range refs {
		tips[r.Name] = r.ID
		for _, st := range u.loggedSteps(r.Name) {
			logs[r.Name] = append(logs[r.Name], &st)
		}
	}
	lines := journal.LastOfEqual(journal.JournalLines(append(old, now...), ""), func(l journal.JournalLine) string { return l.Text })
	lines = slices.DeleteFunc(lines, func(l journal.JournalLine) bool { return !refname.IsAcknowledged(l.Ref) })
	out := weave(matchLogs(lines, logs), logs)
	out = announced(out, lines, tips)
	list := make([]refStep, 0, len(out))
	for _, st := range out {
		if st.Old != st.New && !u.isPurgeStep(st.Move) {
			list = append(list, *st)
		}
	}
	return list, nil
}

// matchLogs makes steps of the lines of a journal. One that a log tells of is the step of the
// log, with what the line knows better. What was written before a ref was last deleted is not
// in its log, which begins anew, and comes before that. Steps that the journal has no order
// of are not returned: a line of one that was written anew, or behind one that follows it.
func matchLogs(lines []journal.JournalLine, logs map[string][]*refStep) (out []*refStep) {
	bound, deleted := map[string]int{}, map[string]bool{}
	for ref, log := range logs {
		bound[ref] = len(log)
	}
	for _, l := range slices.Backward(lines) {
		if l.Begun {
			continue
		}
		st := &refStep{Move: l.Move(), at: l.At, says: l.Why, journaled: l.Why != "", joins: l.Joins}
		deleted[l.Ref] = deleted[l.Ref] || l.New == ""
		if i := likeliest(logs[l.Ref], bound[l.Ref], st); i >= 0 && !deleted[l.Ref] {
			of := logs[l.Ref][i]
			st.says = cmp.Or(st.says, of.says)
			inOrder := i < bound[l.Ref]
			*of = *st
			if of.told = true; inOrder {
				bound[l.Ref] = i
			} else {
				of.journaled, of.joins = false, false
			}
			st = of
		} else { // it is older than the log
			logs[l.Ref] = slices.Insert(logs[l.Ref], 0, st)
			st.told = true
			bound[l.Ref]++
		}
		if st.journaled {
			out = append(out, st)
		}
	}
	slices.Reverse(out)
	return out
}

// likeliest is which entry of a log a line of the journal tells of, -1 is none: of those
// with its move and of its time the last before the one that the next line tells of.
func likeliest(log []*refStep, bound int, st *refStep) int {
	best, rank := -1, -1
	for i, of := range log {
		if of.told || of.Move != st.Move {
			continue
		}
		r := 0
		if i < bound {
			r += 2
		}
		if d := st.at.Unix() - of.at.Unix(); -1 <= d && d <= 2 { // the line is written behind the log
			r++
		}
		if r >= rank {
			best, rank = i, r
		}
	}
	return best
}

// weave puts the steps of each ref that the journal has no order of between those that it
// has: behind the one that it follows and before the one that follows it, and there by the
// time. Refs of one transaction stay together.
func weave(out []*refStep, logs map[string][]*refStep) []*refStep {
	for _, ref := range slices.Sorted(maps.Keys(logs)) {
		log := logs[ref]
		from := 0
		for i, st := range log {
			if st.journaled {
				from = max(from, slices.Index(out, st)+1)
				continue
			}
			if i > 0 && st.at.Before(log[i-1].at) && st.at.Unix() == log[i-1].at.Unix() {
				st.at = log[i-1].at // a log knows seconds
			}
			to := len(out)
			for _, next := range log[i+1:] {
				if next.journaled {
					to = slices.Index(out, next)
					break
				}
			}
			at := placeOf(out, st.at, from, to)
			out = slices.Insert(out, at, st)
			from = at + 1
		}
	}
	return out
}

// placeOf is where a step of that time goes, from and to included, and not between two of
// one transaction.
func placeOf(out []*refStep, when time.Time, from, to int) int {
	for from < to && out[from].joins {
		from++
	}
	at := from
	for at < to && (out[at].joins || out[at].at.Before(when)) {
		at++
	}
	for at > from && at < len(out) && out[at].joins {
		at--
	}
	return at
}

// announced adds moves that were announced, and that nothing else tells of, where the ref
// was last what they leave and is now what they go to.
func announced(out []*refStep, lines []journal.JournalLine, tips map[string]string) []*refStep {
	last := map[string]string{}
	for _, st := range out {
		last[st.Ref] = st.New
	}
	for _, l := range slices.Backward(lines) {
		was, known := last[l.Ref]
		if !l.Begun || !known || was != l.Old || tips[l.Ref] != l.New || was == l.New {
			continue
		}
		last[l.Ref] = l.New
		st := &refStep{Move: l.Move(), at: l.At, says: l.Why}
		at := len(out)
		for i, o := range out {
			if o.says == st.says && !o.journaled && !o.at.Before(st.at.Truncate(time.Second)) && o.at.Sub(st.at) < ledger.UndoWait {
				st.at, at = o.at, i+1 // of the same transaction
			}
		}
		if at == len(out) {
			behind := 1 + lastIndex(out, func(o *refStep) bool { return o.Ref == st.Ref })
			at = placeOf(out, st.at, behind, len(out))
		}
		out = slices.Insert(out, at, st)
	}
	return out
}

func lastIndex[T any](list []T, is func(T) bool) int {
	for i, v := range slices.Backward(list) {
		if is(v) {
			return i
		}
	}
	return -1
}

// isPurgeStep reports whether a purge took what a move came from or went to.
func (u *Undoer) isPurgeStep(m journal.Move) bool {
	return m.Old != "" && u.rewritten.StandIn(m.Old) != m.Old || m.New != "" && u.rewritten.StandIn(m.New) != m.New
}

// loggedSteps are the last entries of ours in the log of a ref, without moves that failed
// and were taken back. A log knows seconds; when the last entry was written, the file says.
func (u *Undoer) loggedSteps(name string) (out []refStep) {
	zero := u.repo.Objects.Zero()
	file := filepath.Join(u.repo.Where.CommonDir, "logs", filepath.FromSlash(name))
	entries := reflog.Tail(file)
	for i, e := range entries {
		old, _, _ := strings.Cut(e.Stamp, " ")
		st := refStep{Move: journal.Move{Ref: name, Old: idOrNone(old, zero), New: idOrNone(e.ID, zero)}, at: reflog.At(e.Stamp).UTC(), says: e.Says}
		if i == len(entries)-1 {
			if info, err := fsx.Stat(file); err == nil && info.ModTime().Unix() == st.at.Unix() {
				st.at = info.ModTime().UTC()
			}
		}
		switch n := len(out); {
		case !strings.HasPrefix(e.Says, "sage: "):
		case e.Says == journal.FailedSays && n > 0 && out[n-1].New == st.Old && out[n-1].Old == st.New:
			out = out[:n-1]
		default:
			out = append(out, st)
		}
	}
	return out
}

func idOrNone(id, zero string) string {
	if id == zero {
		return ""
	}
	return id
}
