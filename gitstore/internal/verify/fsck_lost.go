package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/part"
)

// lostRefs compares what the journal knows with the refs that git has. What
// others did to a ref of ours is no mistake of theirs, but it must not go unseen.
func (k *checker) lostRefs() {
	var names []string
	for name := range k.known {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, tip := k.known[name], k.idOf(name)
		if w.id == "" || tip == w.id || k.told(name) {
			continue
		}
		switch {
		case w.may.Agrees(tip) || k.s.history.Contains(k.ctx, name, tip, w.id) || k.purgedInto(name, w.id, tip): // as guard judges
		case tip == "":
			k.gone(name, w)
		default:
			k.movedAway(name, w, tip)
		}
	}
}

// purgedInto reports whether a ref is at what a purge made of a commit, also by records
// that have not come to the index: the purge was ended behind its move.
func (k *checker) purgedInto(name, id, tip string) bool {
	now, _ := k.purged().Follow(id)
	return now != id && (now == "" || now == tip || k.s.history.Contains(k.ctx, name, tip, now))
}

// purged is what purges did. Records that cannot be read are named by purges.
func (k *checker) purged() rewritten.Replacements {
	if k.fates == nil {
		k.fates = rewritten.Replacements{}
		at, err := k.s.repo.Tip(k.ctx, repo.KnowledgeRef)
		if all, err2 := k.s.rewritten.PurgeRecords(k.ctx, at); err == nil && err2 == nil {
			k.fates = all
		}
		for old, x := range k.s.rewritten.Purges() {
			k.fates.Add(old, x)
		}
	}
	return k.fates
}

// told reports whether a finding speaks of the ref already.
func (k *checker) told(name string) bool {
	return slices.ContainsFunc(k.Report.Findings, func(f part.Finding) bool { return f.Subject == name && !f.Warning })
}

// gone names a ref that somebody deleted.
func (k *checker) gone(name string, w was) {
	k.add("lost-ref", name, fmt.Sprintf("the ref is gone, but %s was saved%s", k.title(w.id), onDay(w)), k.fetchCure())
	k.reset(name)
	k.orAccept(name)
}

// movedAway names a ref that somebody moved back or aside, so that what we
// acknowledged is not on it any more.
func (k *checker) movedAway(name string, w was, tip string) {
	k.add("moved-ref", name, fmt.Sprintf("lost %s, saved%s; the ref was moved to %s", k.title(w.id), onDay(w), k.title(tip)), k.fetchCure())
	switch {
	case !k.fits(name, w.id): // only a clone may have it
	case k.own[tip] && !k.contains(w.id, tip): // both are ours: only a person can tell
		k.eitherOf(name, []was{w, {id: tip, source: "the current ref"}})
	default:
		k.mend(&refFix{name: name, to: w, old: tip, title: k.title(w.id)})
	}
	k.orAccept(name)
}

func (k *checker) orAccept(name string) {
	last := &k.Report.Findings[len(k.Report.Findings)-1]
	last.Cure += "; 'git sage fsck --accept " + repo.ShortName(name) + "' accepts the loss"
}

// reset lets a repair set a ref to the value that is remembered of it, if there
// is exactly one. The last finding is about the ref.
func (k *checker) reset(name string) {
	switch all := k.remembered(name); len(all) {
	case 0:
	case 1:
		k.mend(&refFix{name: name, to: all[0], old: k.idOf(name), title: k.title(all[0].id)})
	default:
		k.eitherOf(name, all)
	}
}

// replace is reset for a file that holds no id at all. Where nothing is
// remembered either, the file is put aside.
func (k *checker) replace(name string, raw []byte) {
	switch all := k.remembered(name); len(all) {
	case 0:
		k.mend(&refFix{name: name, raw: raw, hasRaw: true})
	case 1:
		k.mend(&refFix{name: name, to: all[0], old: k.packed(name), raw: raw, hasRaw: true, title: k.title(all[0].id)})
	default:
		k.eitherOf(name, all)
	}
}

// stepBack says how a line goes on whose commit is lost. What was saved there is given
// up by a person alone, since a clone may have it; what never was, by a repair.
func (k *checker) stepBack(name, lost string) {
	last := &k.Report.Findings[len(k.Report.Findings)-1]
	last.ID, last.Cure = lost, k.fetchCure()
	if repo.RefKind(name) == "local" && !k.bad[lost] {
		k.Report.Checkpoints++
	}
	k.bad[lost] = true
	if w := k.known[name]; w.id != "" && w.id != lost {
		k.reset(name)
		last.Cure += "; " + k.fetchCure()
		return
	}
	for _, w := range k.remembered(name) {
		last.Cure += fmt.Sprintf("; 'git sage fsck --repair --set %s=%s' abandons it and returns to %s", repo.ShortName(name), record.Short(w.id), k.title(w.id))
	}
}

// eitherOf says what the choices are where a ref may be one of several values.
func (k *checker) eitherOf(name string, all []was) {
	var words, cmds []string
	for _, w := range all {
		words = append(words, k.title(w.id)+" ("+w.source+")")
		cmds = append(cmds, "'git sage fsck --repair --set "+repo.ShortName(name)+"="+record.Short(w.id)+"'")
	}
	last := &k.Report.Findings[len(k.Report.Findings)-1]
	last.Detail += "; it may be " + strings.Join(words, " or ")
	last.Cure = strings.Join(cmds, " or ")
}

func onDay(w was) string {
	if w.when.IsZero() {
		return ""
	}
	return " on " + w.when.UTC().Format("2006-01-02 15:04") + " UTC"
}
