package provenance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/briefing"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/suspect"
)

// What came from elsewhere, and nobody here stands for, waits for a person before an agent is
// given it:
//
//   - What its user refused is left out, for a person as well, who may ask for it by its id; an
//     item of theirs that was made of is as they left it.
//   - What breaks a rule of recall/suspect is withheld, title and all, and counted.
//   - Of what nobody reviewed an agent is told the title, as review_required says.
//
// What this user wrote, or confirmed, is never held back; a person is shown everything.

// forAgent reports whether what is read is for an agent: whoever is known to be a person may
// see everything.
func (la *Labeller) forAgent() bool { return !la.stores.Store.Repo.Options.Person }

// Admit returns items as whoever asks may see them, in their order. An item that is withheld
// says nothing but why.
func (la *Labeller) Admit(ctx context.Context, list []knowledge.Known) []knowledge.Known {
	agent := la.forAgent()
	if !agent && len(la.refused()) == 0 || !slices.ContainsFunc(list, la.waits) {
		return list
	}
	if !agent {
		out := slices.Clone(list)
		for i, k := range out {
			if la.IsRefused(k) {
				out[i] = withoutRefused(k, k.Item)
			}
		}
		return out
	}
	out, rest := slices.Clone(list), slices.DeleteFunc(slices.Clone(list), func(k knowledge.Known) bool { return !la.waits(k) })
	authors := la.writers(ctx, rest)
	isNew := la.isNew()
	for i, k := range out {
		if !la.waits(k) {
			continue
		}
		author := authors[k.Key]
		if author == aModel && !k.Own {
			by, err := la.stores.Store.Knowledge.AuthorOf(ctx, k.ItemEntry)
			la.stores.Complain(err)
			if author = by.Name(); by.Here && by.Elsewhere == "" { // made here, and nobody's
				continue
			}
		}
		if la.IsRefused(k) {
			out[i] = withoutRefused(k, stub(k.Item, refusedText))
		} else if rules := suspect.Rules(la.Suspect(k, author)); len(rules) > 0 {
			out[i].Item, out[i].Withheld = stub(k.Item, withheldText(rules)), rules
		} else if isNew(author) && !la.stores.Store.Ownership.IsTaken(gitstore.ItemSum(k.Key, k.Sent())) {
			out[i].Item, out[i].Titled = stub(k.Item, titled(k.Item.Title())), true
		}
	}
	return out
}

// withoutRefused is an item that says what its user refused, as it may be seen: shown says what to
// who asks for it. One that they left before somebody made that of it is as they left it.
func withoutRefused(k knowledge.Known, shown *sage.Item) knowledge.Known {
	if k.Changed != nil {
		k.Item = k.Changed.Left
	} else {
		k.Item, k.Withheld = shown, []string{knowledge.Refused}
	}
	return k
}

// waits reports whether an item says what nobody here said or stands for.
func (la *Labeller) waits(k knowledge.Known) bool {
	return k.Err == nil && !k.IsAsLeft() && len(k.Withheld) == 0 && !k.Titled && !la.IsTrusted(k)
}

// titled is what an agent is shown of what nobody reviewed.
func titled(title string) string {
	return brief.Line(title, 120) + "\n[Title only: not reviewed yet. A person reads the rest with `git sage review`.]"
}

// refusedText is what is shown in the place of what the user refused.
const refusedText = "Withheld: the user refused it."

// withheldText is what is shown in the place of what breaks some rules.
func withheldText(rules []string) string {
	return "Withheld: it reads as if it were to steer you (" + strings.Join(rules, ", ") + "). A person reviews it with `git sage review`."
}

// IsWithheld reports whether that is what a text is.
func IsWithheld(text string) bool { return strings.HasPrefix(text, "Withheld: ") }

// WithheldNote counts what was left out of an answer; "" is of nothing.
func WithheldNote(n int) string {
	if n == 0 {
		return ""
	}
	return "\n" + legible.Count(n, "suspect text") + " from elsewhere withheld: a person reviews it with `git sage review`."
}

// stub is an item with another text, of which only what lists need is kept.
func stub(it *sage.Item, text string) *sage.Item {
	return &sage.Item{ID: it.ID, Type: it.Type, Status: it.Status, Added: it.Added, Updated: it.Updated, Scope: sage.Scope{Paths: it.Scope.Paths, Skills: it.Scope.Skills}, Content: text}
}

// isNew tells whose texts an agent is shown the titles of alone.
func (la *Labeller) isNew() func(author string) bool {
	switch la.stores.Settings().Review {
	case "none":
		return func(string) bool { return false }
	case "all":
		return func(string) bool { return true }
	}
	known, err := la.stores.Store.Ownership.Trusted()
	la.stores.Complain(err)
	return func(author string) bool { // of several people each counts who wrote elsewhere
		p := peopleOf(author)
		return len(p.here)+len(p.there)+len(p.first) == 0 || slices.ContainsFunc(slices.Concat(p.there, p.first), func(name string) bool {
			return !slices.Contains(known, gitstore.TrustedSource{Kind: gitstore.TrustAuthor, Name: legible.OneLine(name)})
		})
	}
}

// Suspect is what an item has that breaks a rule, in its texts, its names and its author's.
func (la *Labeller) Suspect(k knowledge.Known, author string) []suspect.Finding {
	it := k.Sent()
	texts := slices.Concat([]string{author, it.Text(), it.Source, it.Reason, it.Replacement, string(it.Type), string(it.Status)}, it.Keywords, it.Patterns, it.When, it.Scope.Paths, it.Scope.Skills)
	for _, l := range it.Links {
		texts = append(texts, string(l.Kind), l.To)
	}
	for _, r := range it.CodeRefs {
		texts = append(texts, r.File, r.Symbol, r.Snippet, r.Relevance)
	}
	found := suspect.Find(strings.Join(append(texts, strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(it.ID)), "\n\n"))
	if mine := la.mine()[suspect.Skeleton(k.Key)]; mine != "" && mine != k.Key {
		found = append(found, suspect.Finding{Rule: suspect.Alphabet, What: it.ID + " looks like your " + mine})
	}
	return found
}

// skeletons are the ids of items that this user left, by how they look.
func (la *Labeller) skeletons() map[string]string {
	out := map[string]string{}
	la.stores.Store.Ownership.Versions().Each(func(v gitstore.Version) {
		if strings.Trim(v.Blob, "0") != "" {
			out[suspect.Skeleton(v.Key)] = v.Key
		}
	})
	return out
}

// AdmitCheckpoint is what an agent is shown in the place of what a checkpoint says, "" if that
// may be shown.
func (la *Labeller) AdmitCheckpoint(ctx context.Context, c *sage.Checkpoint) string {
	if !la.forAgent() || !c.Elsewhere {
		return ""
	}
	if la.IsRefusedCheckpoint(ctx, c) {
		return refusedText
	}
	if rules := suspect.Rules(SuspectCheckpoint(c)); len(rules) > 0 {
		return withheldText(rules)
	}
	if !la.stores.Store.Ownership.IsTaken(c.ID) && slices.ContainsFunc(la.authorsOf(ctx, c), la.isNew()) {
		return titled(cmp.Or(c.Thesis, c.CoreQuestion, c.Description))
	}
	return ""
}

// AdmitWhole is nil if whoever asks may read all of a checkpoint, and else says why not: for forms
// that have no room for what stands in its place.
func (la *Labeller) AdmitWhole(ctx context.Context, c *sage.Checkpoint) error {
	said := la.AdmitCheckpoint(ctx, c)
	switch {
	case said == "":
		return nil
	case IsWithheld(said):
		return errors.New(strings.ToLower(said[:1]) + strings.TrimSuffix(said[1:], "."))
	}
	return fmt.Errorf("withheld: %s is not reviewed yet. A person reads it with `git sage review`", brief.ShortID(c.ID))
}

// authorsOf are those of a checkpoint that came from elsewhere; of a join, which is by nobody,
// those of what it was made of.
func (la *Labeller) authorsOf(ctx context.Context, c *sage.Checkpoint) (names []string) {
	if c.Trigger != gitstore.SyncTrigger {
		return []string{c.Author}
	}
	const most = 50
	for todo, n := slices.Clone(c.Parents), 0; len(todo) > 0; n++ {
		r, err := la.stores.Store.Commits.Record(ctx, todo[0])
		switch todo = todo[1:]; {
		case err != nil || n == most:
			return append(names, "")
		case r.Trigger == gitstore.SyncTrigger:
			todo = append(todo, r.Parents...)
		case !r.Own && !la.stores.Store.Ownership.IsTaken(r.ID):
			names = append(names, r.Author+" <"+r.Email+">")
		}
	}
	return names
}

// SuspectCheckpoint is what a checkpoint has that breaks a rule.
func SuspectCheckpoint(c *sage.Checkpoint) []suspect.Finding {
	texts := slices.Concat([]string{c.Author, c.Description, c.Thesis, c.CoreQuestion, c.Skill, c.Project, c.ReasoningTrace}, c.KeyEvidence, c.OpenQuestions, c.FilesExplored, c.FilesChanged)
	return suspect.Find(strings.Join(append(texts, briefing.Write(c, briefing.Options{Full: true})), "\n\n"))
}

// Admitted is a record as whoever asks may see it in a list: of what is suspect or was refused,
// and came from elsewhere, an agent reads that it is.
func (la *Labeller) Admitted(r gitstore.Record) gitstore.Record {
	switch {
	case la.forAgent() && r.Refused:
		r.Description, r.Thesis, r.Question = Refused, "", ""
	case la.forAgent():
		r.Description, r.Thesis, r.Question = Said(r.Own, r.Description), Said(r.Own, r.Thesis), Said(r.Own, r.Question)
	}
	return r
}

// AdmittedLine is a line whose newest record is as [Labeller.Admitted] has it.
func (la *Labeller) AdmittedLine(l gitstore.Line) gitstore.Line {
	l.Latest = la.admittedTip(l.Latest)
	return l
}

func (la *Labeller) admittedTip(r *gitstore.Record) *gitstore.Record {
	if r == nil {
		return nil
	}
	out := la.Admitted(*r)
	return &out
}

// AdmittedStatus is where one stands, with each record as [Labeller.Admitted] has it.
func (la *Labeller) AdmittedStatus(st gitstore.Status) gitstore.Status {
	st.Parent = la.admittedTip(st.Parent)
	st.Forks, st.Unsettled = lists.Map(st.Forks, la.AdmittedLine), lists.Map(st.Unsettled, la.Admitted)
	st.Merged = lists.Map(st.Merged, func(l gitstore.MergedLine) gitstore.MergedLine {
		l.Line = la.AdmittedLine(l.Line)
		return l
	})
	st.Unmerged = lists.Map(st.Unmerged, func(l gitstore.UnmergedLine) gitstore.UnmergedLine {
		l.Line = la.AdmittedLine(l.Line)
		return l
	})
	return st
}

// AdmittedText is a text beside a checkpoint or item, as whoever asks may see it: what came from
// elsewhere and is suspect is withheld from an agent.
func (la *Labeller) AdmittedText(own bool, text string) string {
	return Said(own || !la.forAgent(), text)
}

// WithholdsCore reports whether a core file is withheld from whoever asks.
func (la *Labeller) WithholdsCore(f gitstore.CoreFile) bool {
	return f.Path != "" && !f.Own && la.forAgent() && !MayQuote(f.Path, f.Summary)
}

// What stands in a list for a text that is withheld.
const (
	Suspect = "[withheld: suspect]"
	Refused = "[withheld: refused]"
)

// Said is a text of a checkpoint in a list, unless it is suspect and came from elsewhere.
func Said(own bool, text string) string {
	if own || len(suspect.Find(text)) == 0 {
		return text
	}
	return Suspect
}
