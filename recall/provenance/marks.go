package provenance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/internal/stores"
	"github.com/git-sage/git-sage/recall/suspect"
)

// What came from elsewhere, and nobody here stands for, is marked wherever it is shown; so
// is what git-sage took out of a conversation, until somebody confirms it. The mark stands
// before or behind what others can choose, so that nobody can leave it out; who is named in
// it is who the commit names, which proves nothing.

// ByModel is the mark of what a model wrote out of a conversation.
const ByModel = "written by a model, unconfirmed"

// changedBy and removedBy stand before who changed or removed an item of somebody here, which
// is shown as they left it; aModel is in the place of a name. No author of a commit has a
// line end.
const (
	changedBy = "\nchanged by "
	removedBy = "\nremoved by "
	aModel    = "\nby a model"
)

// Unconfirmed is the mark of what came from elsewhere; author may be "", or be one of
// [Labeller.Foreign].
func Unconfirmed(author string) string {
	by := signedBy(author, 60)
	if _, did := parted(author); by != "" && did == "" && author != aModel {
		by = "by " + by
	}
	what := "from elsewhere, unconfirmed"
	if isMixed(author) {
		what = "in part " + what
	}
	return brief.Joined(by, ", ", what)
}

// Writer is who wrote a checkpoint that came from elsewhere, for the marks: what was made here of
// that came from elsewhere in part.
func Writer(author string, mixed bool) string {
	if mixed {
		return gitstore.AuthorHere + author
	}
	return author
}

// isMixed reports whether somebody here wrote something of what came from elsewhere.
func isMixed(author string) bool { return strings.HasPrefix(author, gitstore.AuthorHere) }

// standing is what a mark with little room ends in.
func standing(author string) string {
	if p := peopleOf(author); isMixed(author) && len(p.there)+len(p.first) == 0 {
		return "in part unconfirmed"
	}
	return "unconfirmed"
}

// Name is how an author is named in a text of ours, in about n letters.
func Name(author string, n int) string {
	return cmp.Or(signedBy(author, n), "somebody")
}

// RefName is the name of a line or fork, which somebody elsewhere may have chosen; the id of its
// tip, by which it is merged as well, if that name reads as a suspect text.
func RefName(name, tip string) string {
	if MayQuote(strings.NewReplacer("-", " ", "_", " ", ".", " ", "/", ". ").Replace(name)) {
		return name
	}
	return brief.ShortID(tip)
}

// MayQuote reports whether texts from elsewhere may be quoted to an agent in a line of ours.
func MayQuote(texts ...string) bool { return len(suspect.Find(strings.Join(texts, "\n\n"))) == 0 }

// signedBy is who a mark names, in about n letters, and what they did. What they chose for a
// name ends no mark, and stands in quotes where it sounds like one; who calls themselves
// something suspect is somebody, here too.
func signedBy(foreign string, n int) string {
	author, did := parted(foreign)
	if foreign == aModel {
		return strings.TrimPrefix(author, "\n")
	}
	name := peopleOf(author).said(func(name string) string { return quoted(name, n) })
	if did != "" {
		return did + " by " + name
	}
	return name
}

// quoted is a name as it stands in a mark, see signedBy.
func quoted(author string, n int) string {
	if author != "" && !MayQuote(author) {
		author = "somebody"
	}
	name := brief.Defuse(brief.Line(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`(),;"`, r) {
			return -1
		}
		return r
	}, author), n))
	if low := strings.ToLower(name); slices.Contains(strings.Fields(low), "by") || strings.Contains(low, "confirmed") {
		name = `"` + name + `"`
	}
	return name
}

// people are those who have to do with an item that nobody here stands for.
type people struct{ here, there, first []string }

// peopleOf takes apart what [gitstore.ItemAuthor] has for a name; one author alone wrote it there.
func peopleOf(author string) (p people) {
	if !strings.HasPrefix(author, "\n") {
		return people{there: []string{author}}
	}
	for _, l := range strings.Split(author[1:], "\n") {
		for prefix, list := range map[string]*[]string{gitstore.AuthorHere: &p.here, gitstore.AuthorThere: &p.there, gitstore.AuthorFirst: &p.first} {
			if name, ok := strings.CutPrefix("\n"+l, prefix); ok {
				*list = append(*list, name)
			}
		}
	}
	return p
}

// said names them: who wrote it as it is, at most four, and who wrote what that was made of.
func (p people) said(name func(string) string) string {
	list, more := slices.Concat(p.here, p.there), ""
	if len(list) > 4 {
		list, more = list[:4], " and others"
	}
	for i, x := range list {
		list[i] = name(x)
	}
	out := strings.Join(list, " and ") + more
	for _, x := range p.first {
		out += ", before that " + name(x)
	}
	return out
}

// Author is who a value of [Labeller.Foreign] names, and what they did to what was written
// here, which is shown as it was before: changed, removed or nothing.
func Author(foreign string) (author, did string) {
	author, did = parted(foreign)
	if foreign == aModel {
		return strings.TrimPrefix(author, "\n"), did
	}
	return peopleOf(author).said(func(name string) string { return name }), did
}

// parted is Author with the people as [gitstore.ItemAuthor] has them.
func parted(foreign string) (author, did string) {
	for _, by := range []string{changedBy, removedBy} {
		if author, ok := strings.CutPrefix(foreign, by); ok {
			did, _, _ := strings.Cut(by[1:], " ")
			return author, did
		}
	}
	return foreign, ""
}

// changer is who changed or removed an item that is shown as it was before; "" is nobody.
func (la *Labeller) changer(ctx context.Context, k knowledge.Known) string {
	if !k.IsAsLeft() {
		return ""
	}
	return did(k) + cmp.Or(la.authorOf(ctx, k), "somebody")
}

// did is what somebody elsewhere did to an item that is shown as it was before.
func did(k knowledge.Known) string {
	if k.IsRemoved() {
		return removedBy
	}
	return changedBy
}

// UnconfirmedShort is Unconfirmed where there is little room.
func UnconfirmedShort(author string) string {
	return brief.Joined(signedBy(author, 40), ", ", standing(author))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// Trust says of an item, a pinned note, a skill or a text of one who wrote it, if that
// was not here and nobody here stands for it; "" is that an agent may rely on it as on
// what its user says. What a model wrote out of a conversation is nobody's, too.
func (la *Labeller) Trust(ctx context.Context, k knowledge.Known) string {
	if la.IsTrusted(k) {
		return ""
	}
	if by := la.changer(ctx, k); by != "" {
		return Unconfirmed(by) + "; the version before that is shown"
	}
	if IsDistilled(k) {
		return ByModel
	}
	return Unconfirmed(la.authorOf(ctx, k))
}

// TrustShort is Trust where there is little room.
func (la *Labeller) TrustShort(ctx context.Context, k knowledge.Known) string {
	if la.IsTrusted(k) {
		return ""
	}
	if by := la.changer(ctx, k); by != "" {
		return UnconfirmedShort(by)
	}
	if IsDistilled(k) {
		return UnconfirmedShort(aModel)
	}
	return UnconfirmedShort(la.authorOf(ctx, k))
}

// IsDistilled reports whether a model wrote an item, of which nobody's name says more.
func IsDistilled(k knowledge.Known) bool { return k.Item != nil && sage.IsDistilled(k.Item.Extra) }

func (la *Labeller) IsTrusted(k knowledge.Known) bool {
	return k.Own || la.stores.Store.Knowledge.IsOwnItem(k.ItemEntry)
}

// authorOf is who wrote what came from elsewhere, as far as that is known.
func (la *Labeller) authorOf(ctx context.Context, k knowledge.Known) string {
	if k.Doc != nil && k.Doc.Author != "" {
		return k.Doc.Author
	}
	if namespace, _, ok := strings.Cut(k.Key, "/"); ok {
		all, err := la.stores.Store.Knowledge.ShelfAuthors(ctx, namespace)
		la.stores.Complain(err)
		return all[k.Key].Name()
	}
	from, err := la.stores.Store.Knowledge.AuthorOf(ctx, k.ItemEntry)
	la.stores.Complain(err)
	return from.Name()
}

// Foreign are those of a list for which nobody here stands as they are, by key, each with who
// wrote or changed it, see [Author]. Of many it asks the sidecar, and git once for those that it lacks.
func (la *Labeller) Foreign(ctx context.Context, list []knowledge.Known) map[string]string {
	out := la.writers(ctx, list)
	for _, k := range list {
		if _, ok := out[k.Key]; ok && k.IsAsLeft() {
			out[k.Key] = did(k) + cmp.Or(out[k.Key], "somebody")
		}
	}
	return out
}

// writers is Foreign without what they did.
func (la *Labeller) writers(ctx context.Context, list []knowledge.Known) map[string]string {
	out := map[string]string{}
	shelves := map[string]map[string]gitstore.ItemAuthor{} // each is read once: it may be long
	var rest []knowledge.Known
	for _, k := range list {
		shelf, _, onShelf := strings.Cut(k.Key, "/")
		switch {
		case la.IsTrusted(k):
		case IsDistilled(k) && !k.IsAsLeft():
			out[k.Key] = aModel
		case k.Doc != nil && k.Doc.Author != "":
			out[k.Key] = k.Doc.Author
		case onShelf:
			if _, ok := shelves[shelf]; !ok {
				var err error
				shelves[shelf], err = la.stores.Store.Knowledge.ShelfAuthors(ctx, shelf)
				la.stores.Complain(err)
			}
			out[k.Key] = shelves[shelf][k.Key].Name()
		default:
			rest = append(rest, k)
		}
	}
	if len(rest) == 0 {
		return out
	}
	src := la.stores.SourceOf(la.stores.Store, la.stores.IsOwn(), nil)
	if src.Open() == nil {
		defer stores.Sources{src}.Close()
	}
	var all map[string]gitstore.ItemAuthor
	for _, k := range rest {
		if src.Index != nil && (!k.IsAsLeft() || la.reflects(ctx, src.Index)) {
			if d, err := src.Index.Get(doc.ItemKey(k.Key)); err == nil && d != nil && d.Blob == k.Blob && d.Author != "" {
				out[k.Key] = d.Author
				continue
			}
		}
		if len(rest) == 1 {
			out[k.Key] = la.authorOf(ctx, k)
			continue
		}
		if all == nil {
			var err error
			if all, err = la.stores.Store.Knowledge.ItemAuthors(ctx, "", ""); all == nil {
				all = map[string]gitstore.ItemAuthor{}
			}
			la.stores.Complain(err)
		}
		out[k.Key] = all[k.Key].Name()
	}
	return out
}

// reflects reports whether an index is of the knowledge as it is. Of an item that somebody
// changed or removed since, it knows who wrote what is shown, and not who did that.
func (la *Labeller) reflects(ctx context.Context, x *index.Index) bool {
	tips, err := x.Tips()
	tip, err2 := la.stores.Store.History.StateTip(ctx)
	return err == nil && err2 == nil && tips[gitstore.KnowledgeRef] == tip
}

// TrustAside is a heading in brackets, with what Trust says.
func (la *Labeller) TrustAside(ctx context.Context, k knowledge.Known, what string) string {
	if t := la.Trust(ctx, k); t != "" {
		what = brief.Joined(what, ", ", t)
	}
	if what == "" {
		return ""
	}
	return " (" + what + ")"
}

// Provenance stands before a brief: what has to be known of where it came from.
func Provenance(c *sage.Checkpoint) string {
	switch {
	case c.Elsewhere:
		return fmt.Sprintf("[%s]\n\n", Unconfirmed(Writer(c.Author, c.Mixed)))
	case c.Unconfirmed && sage.IsDistilled(c.Extra):
		return fmt.Sprintf("[%s]\n\n", ByModel)
	case c.Unconfirmed:
		return "[unconfirmed: verbatim sentences, picked automatically]\n\n"
	}
	return ""
}

// By names who wrote a checkpoint whose brief follows, which says whether it is confirmed.
func By(r gitstore.Record) string {
	switch {
	case !r.Own:
		return Unconfirmed(Writer(r.Author, r.Mixed))
	case r.Unconfirmed:
		return "saved automatically"
	}
	return "by " + brief.Line(r.Author, 60)
}

// Aside is what stands in brackets, behind a blank, beside a checkpoint of which there is
// no room to say who wrote it; "" if it was made here. Where nothing else says how old it is,
// age does; else it is "".
func Aside(r gitstore.Record, age string) string {
	return prefixed(" ", mark(!r.Own, r.Unconfirmed, Writer(r.Author, r.Mixed), age))
}

// AsideOf is Aside of a checkpoint that was loaded.
func AsideOf(c *sage.Checkpoint) string {
	return prefixed(" ", mark(c.Elsewhere, c.Unconfirmed, Writer(c.Author, c.Mixed), ""))
}

// Byline is what stands in brackets, with a blank behind, before what a checkpoint says
// that came from elsewhere; "" if it was made here.
func Byline(r gitstore.Record) string {
	return byline(!r.Own, r.Unconfirmed, Writer(r.Author, r.Mixed), "")
}

// DatedByline is Byline where nothing else says how old it is.
func DatedByline(r gitstore.Record, now time.Time) string {
	return byline(!r.Own, r.Unconfirmed, Writer(r.Author, r.Mixed), brief.Age(now.Sub(r.Time)))
}

// BylineOf is Byline of a checkpoint that was loaded.
func BylineOf(c *sage.Checkpoint) string {
	return byline(c.Elsewhere, c.Unconfirmed, Writer(c.Author, c.Mixed), "")
}

// ItemByline is Byline of an item of a list, of which [Labeller.Foreign] says who wrote what
// came from elsewhere. Where nothing else says how old it is, age does; else it is "".
func ItemByline(k knowledge.Known, foreign map[string]string, age string) string {
	author, ok := foreign[k.Key]
	return byline(ok && !k.Own, false, author, age)
}

func byline(foreign, unconfirmed bool, author, age string) string {
	if m := mark(foreign, unconfirmed, author, age); m != "" {
		return m + " "
	}
	return ""
}

// mark is what stands in brackets beside what came from elsewhere, or what rules made; age
// may be "".
func mark(foreign, unconfirmed bool, author, age string) string {
	switch {
	case foreign:
		return "(" + brief.Joined(signedBy(author, 40), ", ", brief.Joined(age, ", ", standing(author))) + ")"
	case unconfirmed:
		return "(unconfirmed)"
	}
	return ""
}

// ByShort is By where there is little room.
func ByShort(r gitstore.Record) string {
	switch {
	case !r.Own:
		return UnconfirmedShort(Writer(r.Author, r.Mixed))
	case r.Unconfirmed:
		return "unconfirmed"
	}
	return brief.Line(r.Author, 40)
}
