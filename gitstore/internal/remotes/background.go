package remotes

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
)

// An Auto says what happens with remotes unasked.
type Auto string

// What happens unasked. Nothing is ever sent to a remote that nobody shared with.
const (
	AutoOff   Auto = "off"
	AutoFetch Auto = "fetch" // what remotes have that a person took in before is taken in; of others it is noticed
	AutoBoth  Auto = "both"  // and what is shared is sent
)

// How often a remote is asked in the background.
const (
	noticeEvery = 24 * time.Hour   // whether it has a memory at all
	fetchEvery  = 5 * time.Minute  // what one has that was taken in before
	failedEvery = 10 * time.Minute // behind a failure
	silentTime  = 20 * time.Second
	turnTime    = 2 * time.Minute // all that is done at once
)

// DueToFetch reports whether a remote is to be asked in the background. It reads two small files.
func (r *Remotes) DueToFetch(auto Auto) bool {
	if auto == AutoOff || auto == "" {
		return false
	}
	states, now := r.states(), r.repo.Options.Now()
	for _, c := range r.candidates() {
		if due(c, states[c.Name], now) {
			return true
		}
	}
	return false
}

// DueToPush reports whether something is to be sent in the background, now that it was saved.
func (r *Remotes) DueToPush(auto Auto) bool {
	if auto != AutoBoth {
		return false
	}
	states, now := r.states(), r.repo.Options.Now()
	return slices.ContainsFunc(r.agreements(), func(c agreement) bool {
		s := states[c.Name]
		return len(c.Push) > 0 && (s.Why == "" || now.Sub(s.Tried) >= failedEvery)
	})
}

func due(c agreement, s State, now time.Time) bool {
	every := fetchEvery
	switch {
	case s.Why != "":
		every = failedEvery
	case !c.Joined && len(c.Push) == 0:
		every = noticeEvery
	}
	ago := now.Sub(s.Tried)
	return ago >= every || ago < -every // the clock went back
}

// configured are the remotes that the configuration gives an address, which git need not be asked
// for.
func (r *Remotes) configured() (all []string) {
	for _, key := range r.repo.ConfigKeys("remote.") {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url"); ok && !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// candidates are the remotes that are asked unasked: those that something was said of, and
// origin, or the only one there is. They are read from what is known of the configuration.
func (r *Remotes) candidates() (out []agreement) {
	all := slices.DeleteFunc(r.configured(), func(name string) bool { return strings.ContainsAny(name, oddInName) })
	for _, c := range r.agreements() {
		if slices.Contains(all, c.Name) {
			out = append(out, c)
		}
	}
	known := func(name string) bool {
		return slices.ContainsFunc(out, func(c agreement) bool { return c.Name == name })
	}
	switch {
	case slices.Contains(all, "origin") && !known("origin"):
		out = append(out, agreement{Name: "origin"})
	case len(all) == 1 && !known(all[0]):
		out = append(out, agreement{Name: all[0]})
	}
	return out
}

// Background does what is due with remotes, as nobody waits for it. Of several processes one does
// it, and begins again if another one asked meanwhile.
func (r *Remotes) Background(ctx context.Context, auto Auto) error {
	if auto == AutoOff || auto == "" {
		return nil
	}
	again := r.repo.Dir("sync.again")
	for {
		if err := fsx.WriteDerived(again, nil, 0o600); err != nil {
			return err
		}
		now, cancel := context.WithCancel(ctx)
		cancel() // it does not wait
		lock, _, err := fsx.TryLock(now, r.repo.Dir("sync.lock"))
		if err != nil || lock == nil { // who has it finds that it was asked
			return nil
		}
		for fsx.There(again) && ctx.Err() == nil {
			_ = fsx.Remove(again)
			err = cmp.Or(err, r.turn(ctx, auto))
		}
		lock.Unlock()
		if !fsx.There(again) || ctx.Err() != nil || err != nil {
			return err
		}
	}
}

// turn does once what is due. What was not tried for longest comes first, so that a remote that
// does not answer keeps none from its turn.
func (r *Remotes) turn(ctx context.Context, auto Auto) (err error) {
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	w := Way{alone: true, Background: true, Silence: silentTime, Time: turnTime}
	states := r.states()
	list := r.candidates()
	slices.SortStableFunc(list, func(a, b agreement) int { return states[a.Name].Tried.Compare(states[b.Name].Tried) })
	for _, c := range list {
		toFetch := due(c, r.state(c.Name), r.repo.Options.Now())
		var e error
		switch {
		case ctx.Err() != nil:
			return cmp.Or(err, ctx.Err())
		case auto == AutoBoth && len(c.Push) > 0 && (toFetch || r.hasUnsent(ctx, c.Name)):
			_, e = r.Sync(ctx, c.Name, w)
			r.noteTried(c.Name, e)
		case !toFetch:
		case c.Joined:
			_, e = r.Pull(ctx, c.Name, w)
		default:
			e = r.notice(ctx, c, w)
		}
		err = cmp.Or(err, e)
	}
	return err
}

func (r *Remotes) hasUnsent(ctx context.Context, name string) bool {
	plan, err := r.Unpushed(ctx, name)
	return err == nil && len(plan) > 0
}

func (r *Remotes) noteTried(name string, err error) {
	if err != nil {
		r.keep(name, func(s *State) { s.Tried, s.Why = r.repo.Options.Now(), err.Error() })
	}
}

// Notice asks a remote whether it has a memory, and fetches that beside ours if it has.
func (r *Remotes) Notice(ctx context.Context, name string, w Way) error {
	return r.notice(ctx, r.agreed(name), w)
}

func (r *Remotes) notice(ctx context.Context, c agreement, w Way) error {
	ctx, done := w.within(ctx)
	defer done()
	out, err := r.talk(ctx, w, c.Name, nil, "ls-remote", "--refs", "--upload-pack=git-upload-pack", "--end-of-options", c.Name, "refs/sage/heads/*", "refs/sage/knowledge", refname.VaultRef, underBranch+"*")
	if err == nil && len(lines(out)) > 0 {
		var got Arrived
		got, err = r.Fetch(ctx, c.Name, w)
		r.noteFetched(c.Name, got, err)
		return err
	}
	r.noteFetched(c.Name, Arrived{}, err)
	return err
}

// A Noticed is the memory of a remote, as it was fetched, of which something was not taken in.
type Noticed struct {
	Waiting
	Items  int       // of its knowledge
	Last   time.Time // when it was saved to last
	Joined bool      // a person took in before what it has
}

// Noticed are the memories of remotes that were noticed and hold something that is not here. It
// asks nobody.
func (r *Remotes) Noticed(ctx context.Context) (out []Noticed) {
	for _, c := range r.candidates() {
		w, err := r.Waiting(ctx, c.Name)
		if err != nil || w.Checkpoints == 0 && !w.Knowledge {
			continue
		}
		n := Noticed{Waiting: w, Joined: c.Joined, Last: r.lastOf(ctx, c.Name)}
		if tip, err := r.repo.Tip(ctx, refname.TrackingRef(c.Name, refname.KnowledgeRef)); err == nil && tip != "" {
			n.Items = r.countItems(ctx, tip)
		}
		out = append(out, n)
	}
	return out
}

// lastOf is when the newest commit of what a remote has was made, never later than now.
func (r *Remotes) lastOf(ctx context.Context, name string) time.Time {
	out, err := r.repo.Git.Run(ctx, "for-each-ref", "--count=1", "--sort=-committerdate", "--format=%(committerdate:unix)", refname.RemotePrefix+name+"/")
	n, err2 := strconv.ParseInt(git.Text(out), 10, 64)
	if err != nil || err2 != nil {
		return time.Time{}
	}
	at, now := time.Unix(n, 0), r.repo.Options.Now()
	if at.After(now) {
		return now
	}
	return at
}
