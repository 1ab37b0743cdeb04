package similarity

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/prose/compare"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
	"github.com/git-sage/git-sage/recall/provenance"
)

// A Held is what somebody concluded: a checkpoint by what its message tells.
type Held struct {
	ID       string    `json:"id"`
	Author   string    `json:"author"`
	Email    string    `json:"email"`
	Mine     bool      `json:"mine,omitempty"` // this user made it, here
	Line     string    `json:"line,omitempty"` // that holds it; "" is the current one
	At       time.Time `json:"at"`
	Question string    `json:"question,omitempty"`
	Thesis   string    `json:"thesis"`
}

// An Opposed is two checkpoints of two people that oppose each other, the newer first.
type Opposed struct {
	Newer Held   `json:"newer"`
	Older Held   `json:"older"`
	How   string `json:"how"` // as [compare.Stance.Opposes] says it
}

const (
	// mostHeld is how many checkpoints are compared with each other, the newest: what was
	// concluded long ago and never brought together is not missed.
	mostHeld = 100
	// mostThesis is how much of a thesis is compared, in bytes: its first clauses count.
	mostThesis = 500
	// shownThesis is how much of one is quoted, in characters.
	shownThesis = 80
	// mostOwn is how many checkpoints of this user new ones are compared with.
	mostOwn = 100
)

// opposing is what is kept between two questions.
type opposing struct {
	Tips map[string]string `json:"tips"`
	Held []Held            `json:"held"` // of others
	List []Opposed         `json:"list"`
}

// Opposing lists the checkpoints of two people that oppose each other, on lines that nobody
// brought together, newest first: what one continues, or a later checkpoint that continues
// both, has settled it, and so has one that says it otherwise on its own line. It is kept until
// a line moves. What the user refused opposes nothing.
func (co *Comparer) Opposing(ctx context.Context) ([]Opposed, error) {
	list, err := co.everyOpposed(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	isRefused, err := co.stores.Store.Commits.Refusals(ctx)
	return slices.DeleteFunc(slices.Clone(list), func(o Opposed) bool { return err == nil && (isRefused(o.Newer.ID) || isRefused(o.Older.ID)) }), err
}

func (co *Comparer) everyOpposed(ctx context.Context) ([]Opposed, error) {
	store := co.stores.Store
	tips, err := store.Repo.Tips(ctx)
	if err != nil {
		return nil, err
	}
	closed := store.Checkpoints.ClosedLines(ctx)
	tips[gitstore.KnowledgeRef] = strings.Join(slices.Sorted(maps.Keys(closed)), " ") // all that counts of it
	kept := co.keptOpposing()
	if maps.Equal(kept.Tips, tips) {
		return kept.List, nil
	}
	parted, err := store.Activity.Parted(ctx, closed, mostHeld)
	if err != nil {
		return nil, err
	}
	held, err := co.held(ctx, parted.List)
	if err != nil {
		return nil, err
	}
	kept = opposing{Tips: tips}
	for i, h := range held {
		if !h.Mine {
			kept.Held = append(kept.Held, h.Held)
		}
		for k := i + 1; k < len(held); k++ {
			if how := h.opposes(held[k]); how != "" && parted.Apart(i, k) && !isOver(parted, held, i) && !isOver(parted, held, k) {
				kept.List = append(kept.List, Opposed{h.Held, held[k].Held, how})
			}
		}
	}
	if b, err := json.Marshal(kept); err == nil {
		_ = store.Activity.KeepOpposing(b) // or it is found again, as where one may only read
	}
	return kept.List, nil
}

func (co *Comparer) keptOpposing() (kept opposing) {
	if json.Unmarshal(co.stores.Store.Activity.KeptOpposing(), &kept) != nil {
		return opposing{}
	}
	return kept
}

// isOver reports whether a later checkpoint continues one and answers its question anew, or
// opposes it.
func isOver(p *gitstore.Parted, held []claim, old int) bool {
	for i, h := range held[:old] {
		anew := h.Question != "" && h.Question == held[old].Question
		if (anew || h.stance.Opposes(held[old].stance) != "") && p.Continues(i, old) {
			return true
		}
	}
	return false
}

// held reads what checkpoints hold.
func (co *Comparer) held(ctx context.Context, list []gitstore.Sighting) (out []claim, err error) {
	ids := make([]string, len(list))
	for i, s := range list {
		ids[i] = s.ID
	}
	records, err := co.stores.Store.Commits.Records(ctx, ids)
	for i, r := range records {
		out = append(out, claimOf(heldOf(list[i], r)))
	}
	return out, err
}

func heldOf(s gitstore.Sighting, r gitstore.Record) Held {
	return Held{r.ID, r.Author, r.Email, s.Mine, s.Line, s.At, r.Question, cut.Bytes(r.Thesis, mostThesis)}
}

// A claim is what somebody holds, taken apart.
type claim struct {
	Held

	stance *compare.Stance
}

func claimOf(h Held) claim { return claim{h, compare.NewStance(h.Question, h.Thesis)} }

// opposes says in what two checkpoints of two people oppose each other.
func (c claim) opposes(o claim) string {
	if c.Mine && o.Mine || strings.EqualFold(c.Email, o.Email) {
		return ""
	}
	return c.stance.Opposes(o.stance)
}

// Opposes says of a checkpoint that was saved what of somebody else it opposes: of the last
// few that it continues, or of those on other lines that [Comparer.Opposing] saw last; nil if
// nothing. In a memory of one's own alone that reads one file that is not there.
func (co *Comparer) Opposes(ctx context.Context, saved gitstore.Saved) *remedy.Note {
	made := co.stores.Store.Ownership.Maker()
	var others []Held
	for _, r := range co.stores.Store.Commits.Recent(ctx, saved.Follows, RepeatDepth) {
		if !made(r.ID) {
			others = append(others, heldOf(gitstore.Sighting{ID: r.ID, At: r.Recorded, Line: saved.Line}, r))
		}
	}
	behind := len(others)
	others = append(others, co.keptOpposing().Held...)
	if len(others) == 0 {
		return nil
	}
	by, err := co.stores.Store.Commits.Record(ctx, saved.ID)
	if err != nil {
		return nil
	}
	now := claimOf(heldOf(gitstore.Sighting{Mine: true}, by))
	for i, o := range others {
		if !now.stance.MayConcern(o.Question, o.Thesis) || now.opposes(claimOf(o)) == "" {
			continue
		}
		r, err := co.stores.Store.Commits.Record(ctx, o.ID)
		if err != nil || !r.Counts() || i >= behind && co.stores.Store.Commits.IsAncestor(ctx, o.ID, saved.ID) {
			continue
		}
		note := remedy.Notef("it contradicts %s by %s, %s", brief.ShortID(o.ID), provenance.Name(o.Author, 40), brief.Age(co.stores.Now().Sub(o.At)))
		if provenance.MayQuote(o.Thesis) {
			note.Text += ": '" + brief.Line(o.Thesis, shownThesis) + "'"
		}
		if i >= behind && o.Line != "" && o.Line != saved.Line {
			note.Remedies = append(note.Remedies, remedy.MergeFork.On(o.Line).To("brings both together"))
		}
		note.Remedies = append(note.Remedies, remedy.CompareTwo.On(brief.ShortID(o.ID), "@"))
		return &note
	}
	return nil
}

// OpposeOwn lists what new checkpoints of others oppose of the last that this user made,
// whatever line both are on.
func (co *Comparer) OpposeOwn(ctx context.Context, list []gitstore.Sighting) (out []Opposed, err error) {
	newer, err := co.held(ctx, cut.First(list, mostHeld))
	if err != nil {
		return nil, err
	}
	own, err := co.stores.Store.Activity.Own(ctx, mostOwn)
	if err != nil {
		return nil, err
	}
	older, err := co.held(ctx, own)
	for _, n := range newer {
		for _, o := range older {
			if how := n.opposes(o); how != "" {
				out = append(out, Opposed{n.Held, o.Held, how})
				break
			}
		}
	}
	return out, err
}
