package pass

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/internal/verify/internal/fixes"
	"github.com/git-sage/git-sage/gitstore/remedy"
)

// PurgedInto reports whether a ref is at what a purge made of a commit, also by records
// that have not come to the index: the purge was ended behind its move.
func (rf *Refs) PurgedInto(name, id, tip string) bool {
	now, _ := rf.purges().Follow(id)
	return now != id && (now == "" || now == tip || rf.rooms.History.Contains(rf.ctx, name, tip, now))
}

// purges is what purges did. Records that cannot be read are named by purges.
func (rf *Refs) purges() rewritten.Replacements {
	if rf.purged == nil {
		rf.purged = rewritten.Replacements{}
		at, err := rf.rooms.Repo.Tip(rf.ctx, refname.KnowledgeRef)
		if all, err2 := rf.rooms.Rewritten.PurgeRecords(rf.ctx, at); err == nil && err2 == nil {
			rf.purged = all
		}
		for old, x := range rf.rooms.Rewritten.Purges() {
			rf.purged.Add(old, x)
		}
	}
	return rf.purged
}

// OrAccept adds to the last finding that the loss can be accepted.
func (rf *Refs) OrAccept(name string) {
	last := rf.found.Last()
	last.Cure = append(last.Cure, remedy.AcceptLoss.On(refname.ShortName(name)).To("accepts the loss"))
}

// FixTo sets a ref, which is at old, to what it was; the zero Value sets nothing.
func (rf *Refs) FixTo(name string, to Value, old string) *fixes.Ref {
	f := &fixes.Ref{Name: name, To: to.ID, Source: to.Source, Old: old, Journal: rf.Known[name].ID, Since: rf.Known[name].When}
	if to.ID != "" {
		f.Title = rf.objects.Title(to.ID)
	}
	return f
}

// Reset lets a repair set a ref to the value that is remembered of it, if there
// is exactly one. The last finding is about the ref.
func (rf *Refs) Reset(name string) {
	switch all := rf.Remembered(name); len(all) {
	case 0:
	case 1:
		rf.found.Mend(rf.FixTo(name, all[0], rf.IDOf(name)))
	default:
		rf.EitherOf(name, all)
	}
}

// Replace is Reset for a file that holds no id at all. Where nothing is
// remembered either, the file is put aside.
func (rf *Refs) Replace(name string, raw []byte) {
	switch all := rf.Remembered(name); len(all) {
	case 0:
		f := rf.FixTo(name, Value{}, "")
		f.Raw, f.HasRaw = raw, true
		rf.found.Mend(f)
	case 1:
		f := rf.FixTo(name, all[0], rf.Packed(name))
		f.Raw, f.HasRaw = raw, true
		rf.found.Mend(f)
	default:
		rf.EitherOf(name, all)
	}
}

// StepBack says how a line goes on whose commit is lost. What was saved there is given
// up by a person alone, since a clone may have it; what never was, by a repair.
func (rf *Refs) StepBack(name, lost string) {
	last := rf.found.Last()
	last.ID, last.Cure = lost, []remedy.Remedy{FetchCure()}
	if refname.Kind(name) == "local" && !rf.found.Bad[lost] {
		rf.found.Report.Checkpoints++
	}
	rf.found.Bad[lost] = true
	if w := rf.Known[name]; w.ID != "" && w.ID != lost {
		rf.Reset(name)
		last.Cure = append(last.Cure, FetchCure())
		return
	}
	for _, w := range rf.Remembered(name) {
		last.Cure = append(last.Cure, remedy.SetRef.On(refname.ShortName(name), record.Short(w.ID)).To("abandons it and returns to "+rf.objects.Title(w.ID)))
	}
}

// EitherOf says what the choices are where a ref may be one of several values.
func (rf *Refs) EitherOf(name string, all []Value) {
	var words []string
	var sets []remedy.Remedy
	for _, w := range all {
		words = append(words, rf.objects.Title(w.ID)+" ("+w.Source+")")
		sets = append(sets, remedy.SetRef.On(refname.ShortName(name), record.Short(w.ID)))
	}
	last := rf.found.Last()
	last.Detail += "; it may be " + strings.Join(words, " or ")
	last.Cure = sets
}
