package activity

import (
	"context"
	"slices"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// Parted are checkpoints that some open lines hold and others do not, newest first.
type Parted struct {
	List  []Sighting
	index *commits.CommitIndex
	at    []int    // of each, where it is in the index
	on    [][]byte // of each, a bit for every tip that holds it
}

// Apart reports whether no tip holds both of two.
func (p *Parted) Apart(i, k int) bool {
	for b := range p.on[i] {
		if p.on[i][b]&p.on[k][b] != 0 {
			return false
		}
	}
	return true
}

// Continues reports whether one continues another, however far behind that is.
func (p *Parted) Continues(i, old int) bool {
	behind := make([]int, len(p.index.List))
	p.index.Behind(p.at[i], 1, behind)
	return i != old && behind[p.at[old]] > 0
}

// Parted lists the checkpoints that lines which are not closed disagree in having, at most so
// many. A merge whose theses nobody settled brings nothing together: its sides count as tips.
// Records of sessions and joins, which nobody thought, are left out.
func (o *Observer) Parted(ctx context.Context, closed map[string]string, most int) (*Parted, error) {
	ctx = o.commits.Viewing(ctx)
	snap, err := o.commits.Look(ctx).Get()
	if err != nil {
		return nil, err
	}
	a, err := o.commits.Index(ctx, snap)
	if err != nil {
		return nil, err
	}
	out := &Parted{index: &a}
	tips, carried := o.tips(ctx, &a, snap.Refs, closed)
	if len(tips) < 2 {
		return out, nil
	}
	size := (len(tips) + 7) / 8
	all := make([]byte, size*len(a.List))
	on := func(i int) []byte { return all[i*size : (i+1)*size : (i+1)*size] }
	apart := map[int][]byte{} // by unsettled merge, the bits of those that go on from it
	for bit, tip := range tips {
		on(tip)[bit/8] |= 1 << (bit % 8)
		if m, is := carried[tip]; is {
			if apart[m] == nil {
				apart[m] = make([]byte, size)
			}
			apart[m][bit/8] |= 1 << (bit % 8)
		}
	}
	for _, i := range a.ChildrenFirst() {
		bits := on(i)
		if not := apart[i]; not != nil {
			bits = slices.Clone(bits)
			for b := range bits {
				bits[b] &^= not[b]
			}
		}
		for _, p := range a.List[i].Parents {
			for b := range bits {
				on(p)[b] |= bits[b]
			}
		}
	}
	everywhere := make([]byte, size)
	for bit := range tips {
		everywhere[bit/8] |= 1 << (bit % 8)
	}
	at := map[string]int{}
	out.List, err = o.sightings(ctx, func(_ *commits.CommitIndex, i int) (_ time.Time, ok bool) {
		set := on(i)
		ok = !a.List[i].Recovery && !slices.Equal(set, everywhere) && slices.ContainsFunc(set, func(b byte) bool { return b != 0 })
		if ok {
			at[a.List[i].ID] = i
		}
		return time.Unix(a.List[i].Recorded, 0), ok
	})
	if len(out.List) > most {
		out.List = out.List[:most]
	}
	for _, s := range out.List {
		out.at, out.on = append(out.at, at[s.ID]), append(out.on, on(at[s.ID]))
	}
	return out, err
}

// tips are the commits that the lines and forks end with; of a merge that nobody settled those
// that it merges. carried are such merges behind them, which what was saved since does not settle.
func (o *Observer) tips(ctx context.Context, a *commits.CommitIndex, refs []refname.Ref, closed map[string]string) (tips []int, carried map[int]int) {
	carried = map[int]int{}
	var ids []string
	for _, r := range refs {
		l, isLine := commits.LineOf(r)
		if _, isClosed := closed[l.Name]; isLine && !isClosed {
			ids = append(ids, r.ID)
		}
	}
	var todo []int
	for _, i := range a.OrdinalsOf(ids, nil, nil) {
		todo = append(todo, i)
	}
	for seen := map[int]bool{}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case seen[i]:
		case len(a.List[i].Parents) > 1 && o.isUnsettled(a.List[i].ID):
			todo = append(todo, a.List[i].Parents...)
		default:
			tips = append(tips, i)
			if m, is := o.openBehind(ctx, a, i); is {
				carried[i], todo = m, append(todo, a.List[m].Parents...)
			}
		}
		seen[i] = true
	}
	slices.Sort(tips)
	return tips, carried
}

// openBehind is the merge that nobody settled before a commit, see [commits.Commits.Unsettled].
func (o *Observer) openBehind(ctx context.Context, a *commits.CommitIndex, i int) (merge int, is bool) {
	r, err := o.commits.CommitRecord(a.List[i].ID)
	if err != nil {
		return 0, false
	}
	m := o.commits.Unsettled(ctx, r)
	if m == nil {
		return 0, false
	}
	merge, is = a.OrdinalsOf([]string{m.ID}, nil, nil)[m.ID]
	return merge, is && merge != i
}

func (o *Observer) isUnsettled(id string) bool {
	r, err := o.commits.CommitRecord(id)
	return err == nil && r.Thesis == sage.NeedsSynthesis
}
