package opening

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
	"github.com/git-sage/git-sage/recall/internal/knowledge"
	"github.com/git-sage/git-sage/recall/provenance"
	"github.com/git-sage/git-sage/recall/rank"
	"github.com/git-sage/git-sage/recall/search"
)

const (
	// smallStore is how many items a store has at most whose titles a session is shown: of 60,
	// 15 tokens each.
	smallStore = 60
	shortTitle = 48 // characters of an id and its title
	longTitle  = 100
	// preferenceTokens is how much of what the person prefers is shown, the newest first.
	preferenceTokens = 300
	preferenceChars  = 600 // of one
)

// startItems are what a session is told of items at its start, without a question.
type startItems struct {
	preferences []knowledge.Known // that somebody here stands for, the newest first
	todos       []knowledge.Known // by id, what came from elsewhere last
	titles      []titled
	withheld    int
	many        bool // a store has too many for their titles
}

// titled is an item of which the title alone is shown.
type titled struct {
	knowledge.Known
	by string // with a blank behind, if that was not here
}

// startInTime is startItems, or nothing when the time is up: to read one item that somebody made to
// be slow takes seconds, and the brief does not wait for it.
func (op *Opener) startInTime(ctx context.Context) (startItems, error) {
	type answer struct {
		items startItems
		err   error
	}
	wait := search.Meanwhile("look at the items", func() (startItems, error) { return op.startItems(ctx) })
	answered := make(chan answer, 1)
	go func() {
		items, err := wait()
		answered <- answer{items, err}
	}()
	select {
	case a := <-answered:
		return a.items, a.err
	case <-ctx.Done():
		return startItems{}, ctx.Err()
	}
}

// startItems looks at all items of a small store, and of a large one at those that the sidecar
// names. Of equal ids the repository's counts.
func (op *Opener) startItems(ctx context.Context) (out startItems, err error) {
	oldest := sync.OnceValue(op.knowledge.Oldest)
	skill := sync.OnceValue(func() string { return op.session.Skill(ctx) })
	seen := map[string]bool{}
	var rest []knowledge.Known
	err = op.stores.EachStore(ctx, func(s *gitstore.Store, own bool) error {
		items, few, err := op.items(ctx, s, own)
		out.many = out.many || !few
		for _, k := range items {
			if k.Err != nil || seen[k.Item.ID] {
				continue
			}
			if len(k.Withheld) > 0 {
				if !k.IsRefused() {
					out.withheld++
				}
				continue
			}
			seen[k.Item.ID] = true
			switch skills := k.Item.Scope.Skills; {
			case !knowledge.Holds(k.Item.Status), k.Item.Status == sage.Done, k.IsAged(oldest()):
			case knowledge.PendingTodo.Has(k):
				if s == op.stores.Store || op.lacks(ctx, k) {
					out.todos = append(out.todos, k)
				}
			case len(skills) > 0 && !slices.Contains(skills, skill()):
			case knowledge.ActivePreference.Has(k) && op.provenance.IsTrusted(k) && !provenance.IsDistilled(k):
				out.preferences = append(out.preferences, k)
			case few:
				rest = append(rest, k)
			}
		}
		return err
	})
	slices.SortFunc(out.preferences, newestItem)
	slices.SortFunc(out.todos, func(a, b knowledge.Known) int { return strings.Compare(a.Item.ID, b.Item.ID) })
	slices.SortFunc(rest, func(a, b knowledge.Known) int { return cmp.Or(costOf(a)-costOf(b), newestItem(a, b)) })
	out.todos, rest = op.knowledge.OursFirst(out.todos), op.knowledge.OursFirst(rest)
	var foreign map[string]string
	if len(rest) > 0 {
		foreign = op.provenance.Foreign(ctx, rest)
	}
	for _, k := range rest {
		out.titles = append(out.titles, titled{k, provenance.ItemByline(k, foreign, brief.Age(op.stores.Now().Sub(k.Item.Updated)))})
	}
	return out, err
}

// items are all of a store that has few, else those of which more than the title is shown.
func (op *Opener) items(ctx context.Context, s *gitstore.Store, own bool) (out []knowledge.Known, few bool, err error) {
	list, few, err := s.Knowledge.FewItems(ctx, smallStore)
	if err == nil && !few {
		out, err = op.knowledge.InState(ctx, s, own, knowledge.PendingTodo, knowledge.ActivePreference)
		return out, false, err
	}
	for _, e := range list {
		out = append(out, knowledge.Known{ItemEntry: e, Own: own})
	}
	return op.provenance.Admit(ctx, out), few, err
}

// lacks reports whether the repository has no item of that id.
func (op *Opener) lacks(ctx context.Context, k knowledge.Known) bool {
	_, err := op.stores.Store.Knowledge.Item(ctx, k.Key)
	return errors.Is(err, gitstore.ErrNotFound)
}

func newestItem(a, b knowledge.Known) int {
	return cmp.Or(b.Item.Updated.Compare(a.Item.Updated), strings.Compare(a.Item.ID, b.Item.ID))
}

// costOf orders items by what it costs not to know of them: what failed is tried again, what
// is so is found out again, and a reference says where to look.
func costOf(k knowledge.Known) int {
	switch k.Item.Type {
	case sage.Failure:
		return 0
	case sage.Reference:
		return 2
	}
	return 1
}

// preferences adds what the person prefers, whole.
func (o *opening) preferences(list []knowledge.Known) {
	left := min(o.room, preferenceTokens*brief.CharsPerToken)
	for i, k := range list {
		text := fmt.Sprintf("- %s: %s", k.Item.ID, brief.Line(k.Item.Text(), preferenceChars))
		if i == 0 {
			text = "\nThe user's preferences:\n" + text
		}
		n := utf8.RuneCountInString(brief.Harmless(text)) + 1
		if n > left || !o.add(text) {
			o.add(fmt.Sprintf("- and %d more: git sage list --kind preference", len(list)-i))
			return
		}
		left -= n
		o.recalled = append(o.recalled, search.Recalled{Known: k, Scored: rank.Scored{Hit: &index.Hit{Meta: &index.Meta{Key: doc.ItemKey(k.Item.ID), Blob: k.Blob}}}})
	}
}

// isBack reports whether an item stands beside the checkpoint, with all it says.
func (o *opening) isBack(t titled) bool {
	return slices.ContainsFunc(o.back, func(r search.Recalled) bool { return r.Item.ID == t.Item.ID })
}

const indexHead = "\nAlso known, by id and title (sage_recall_knowledge with an id shows all of it):"

// waits is how many characters the titles take, if they are short.
func (o *opening) waits() (n int) {
	for i, t := range o.titles {
		if i == 0 {
			n = len(indexHead) + 1
		}
		n += utf8.RuneCountInString(t.line(shortTitle)) + len("- \n")
	}
	return n
}

// line is the title in so many characters.
func (t titled) line(n int) string {
	return t.by + brief.Line(t.Item.ID+": "+t.Item.Title(), n)
}

// index adds the titles, as long as there is room for.
func (o *opening) index() {
	if len(o.titles) == 0 || !o.add(indexHead) {
		return
	}
	for i, t := range o.titles {
		more := fmt.Sprintf("- and %d more", len(o.titles)-i)
		n := min(longTitle, max(shortTitle, (o.room-len(more)-1)/(len(o.titles)-i)-len("- \n")))
		text := brief.Harmless("- " + t.line(n))
		if last := i == len(o.titles)-1; !last && utf8.RuneCountInString(text)+1+len(more)+1 > o.room || !o.add(text) {
			o.add(more)
			return
		}
	}
}
