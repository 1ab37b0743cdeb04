package converge

import "slices"

// An Act is what is to be done with a ref.
type Act int

// What may be done.
const (
	Stay    Act = iota // all that others have is here
	Forward            // move to the one tip
	Join               // make a join whose parents are the tips
	Wait               // another clone will join; if it does not, join the tips
)

// A Step is what to do, and with which tips, which are sorted.
type Step struct {
	Act  Act
	Tips []string
	// Patience is how many tips that bring nothing new are to be looked at before
	// waiting ends.
	Patience int
}

// A Ref is what a clone knows about one of its refs.
type Ref struct {
	Local   string   // its tip; "" if there is none
	Made    bool     // the tip is a join that was made here
	Offered []string // tips of other clones that are to be taken in
	Remotes int      // how many other clones have the ref
	Known   []string // tips of other clones, offered or not
}

// Decide says what to do with a ref.
func Decide(g Graph, ref Ref) (Step, error) {
	tips := slices.Clone(ref.Offered)
	if ref.Local != "" {
		tips = append(tips, ref.Local)
	}
	tips, err := g.Independent(tips)
	switch {
	case err != nil || len(tips) == 0:
		return Step{}, err
	case len(tips) == 1 && tips[0] == ref.Local:
		return Step{Act: Stay, Tips: tips}, nil
	case len(tips) == 1:
		return Step{Act: Forward, Tips: tips}, nil
	}
	r := newRanking(g)
	same, err := r.same(tips)
	if err != nil || !same {
		return Step{Act: Join, Tips: tips}, err
	}
	return r.settle(ref, tips)
}

func (r *ranking) same(tips []string) (bool, error) {
	first, err := r.headsOf(tips[0])
	for _, t := range tips[1:] {
		h, e := r.headsOf(t)
		if err != nil || e != nil || h != first {
			return false, firstOf(err, e)
		}
	}
	return true, err
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// settle decides between tips that differ in joins only.
func (r *ranking) settle(ref Ref, tips []string) (Step, error) {
	if !slices.Contains(tips, ref.Local) { // some of them continue it, or there is none
		ahead, err := r.ahead(ref.Local, tips)
		if err != nil {
			return Step{}, err
		}
		best, err := r.greatest(ahead)
		return Step{Act: Forward, Tips: []string{best}}, err
	}
	rivals := slices.Clone(tips)
	for _, k := range ref.Known {
		if same, err := r.same([]string{ref.Local, k}); err != nil || !same {
			continue // what cannot be read ranks nowhere
		}
		rivals = append(rivals, k)
	}
	best, err := r.greatest(rivals)
	leads := best == ref.Local && ref.Made
	if ref.Remotes == 1 {
		leads = best != ref.Local
	}
	if err != nil || leads {
		return Step{Act: Join, Tips: tips}, err
	}
	own, err := r.rank(ref.Local)
	return Step{Wait, tips, 2 * ref.Remotes * len(own)}, err
}

// ahead are those of tips that continue id.
func (r *ranking) ahead(id string, tips []string) (out []string, err error) {
	if id == "" {
		return tips, nil
	}
	for _, t := range tips {
		both, err := r.Independent([]string{id, t})
		if err != nil {
			return nil, err
		}
		if len(both) == 1 && both[0] == t {
			out = append(out, t)
		}
	}
	return out, nil
}
