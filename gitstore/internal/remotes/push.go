package remotes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/backup"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/notes"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/wording"
	"github.com/git-sage/git-sage/gitstore/remedy"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// A Sent is what became of one ref on a remote.
type Sent struct {
	Ref      string // our full name of it
	Old, New string // what the remote had, as far as that is known, and what it was to get
	Err      error  // why it has it not; nil is that it confirmed it
	outraced bool   // somebody else moved it first
	there    bool   // it had it already
}

// Name is the ref as people type it.
func (s Sent) Name() string { return refname.ShortRef(s.Ref) }

// A Pushed is what a push did.
type Pushed struct {
	Sent   []Sent
	Held   []string // our names of refs that are private, or on a line that is not shared
	Again  []string // those that the remote had deleted: they wait for a person to send them again
	Branch bool     // the remote refused refs/sage/* and took branches, just now
	Off    []Sent   // forks that their line has, and that were taken off the remote
	Notes  []remedy.Note
	Anew   bool // of an encrypted remote: all of it was encrypted again
}

func (p *Pushed) outraced() bool {
	return slices.ContainsFunc(p.Sent, func(s Sent) bool { return s.outraced })
}

// Push sends a remote what it lacks of what is shared with it: each ref as an id and a name, and
// only where that continues what it has. A ref leaves the list of what waits when the remote has
// confirmed it; the list is what our refs and refs/sage/remotes/ differ in, and cannot be lost.
// It returns [ErrUnshared] if nobody said that the memory may go there.
func (r *Remotes) Push(ctx context.Context, name string, w Way) (p Pushed, err error) {
	ctx, done := r.alone(ctx, &w)
	defer done()
	if err := r.Check(ctx, name); err != nil {
		return p, err
	}
	plan, err := r.plan(ctx, name, w, &p)
	if err == nil && r.Sealed(name) {
		return p, r.pushSealed(ctx, w, name, plan, &p)
	}
	if err != nil || len(plan) == 0 {
		return p, err
	}
	if r.becameSealed(ctx, name) {
		return p, fmt.Errorf("nothing is sent: '%s' became an encrypted remote just now; run it again", legible.OneLine(name))
	}
	c := r.agreed(name)
	if err := r.inBatches(ctx, w, name, c.Branch, plan, &p); err != nil {
		return p, err
	}
	if _, theirs, err := r.refs(ctx, name); err == nil && !c.Branch && len(theirs) == 0 && allRefused(p.Sent) {
		return p, r.asBranches(ctx, w, name, plan, &p)
	}
	return p, nil
}

// Leaving lists what a push would send now.
func (r *Remotes) Leaving(ctx context.Context, name string, w Way) (Pushed, error) {
	var p Pushed
	plan, err := r.plan(ctx, name, w, &p)
	p.Sent = append(p.Sent, plan...)
	if ours, theirs, e := r.refs(ctx, name); err == nil && e == nil {
		p.Off = r.folded(ctx, name, ours, theirs, tipsOf(ours))
	}
	return p, err
}

// plan is what is to be sent; what must not leave is noted in p. Where nothing is, git is not
// asked for addresses.
func (r *Remotes) plan(ctx context.Context, name string, w Way, p *Pushed) ([]Sent, error) {
	c := r.agreed(name)
	if len(c.Push) == 0 {
		return nil, ErrUnshared
	}
	if c.Sealed && !r.Sealed(name) { // it was removed, and added again by git alone
		return nil, remedy.For(fmt.Errorf("'%s' was shared as an encrypted remote, and is a plain one now", legible.OneLine(name)), remedy.ShareAgain.On(wording.InShell(name)).To("shares with that"))
	}
	plan, theirs, err := r.planned(ctx, name, c, w, p)
	if err != nil || len(plan) == 0 && w.Background && !r.Sealed(name) {
		return nil, err
	}
	push, err := r.pushURLs(ctx, name)
	if err != nil {
		return nil, err
	}
	if r.Moved(name, push) {
		return nil, remedy.For(fmt.Errorf("'%s' leads to %s now, and was shared as %s", legible.OneLine(name), wording.Quoted(r.places(push)), wording.Quoted(c.Push)), remedy.ShareAgain.On(wording.InShell(name)))
	}
	return r.guarded(ctx, plan, theirs, p)
}

// planned is what a remote lacks, as far as that is known, before it is judged.
func (r *Remotes) planned(ctx context.Context, name string, c agreement, w Way, p *Pushed) (plan []Sent, theirs map[string]string, err error) {
	ours, theirs, err := r.refs(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	mayLeave := r.leaving(ctx, c, ours)
	for _, ref := range ours {
		old := theirs[ref.Name]
		switch {
		case old == ref.ID, old != "" && !r.commits.IsAncestor(ctx, old, ref.ID): // it is there, or waits for a merge
		case !mayLeave(ref):
			p.Held = append(p.Held, ref.Name)
		case old == "" && !w.Again && slices.Contains(r.state(name).Gone, ref.Name):
			p.Again = append(p.Again, ref.Name)
		default:
			plan = append(plan, Sent{Ref: ref.Name, Old: old, New: ref.ID})
		}
	}
	return plan, theirs, nil
}

// leaving is what mayLeave says of our refs. Where some lines are shared, only tags on these are.
func (r *Remotes) leaving(ctx context.Context, c agreement, ours []refname.Ref) func(refname.Ref) bool {
	var tips []string
	mayLeave := r.mayLeave(c)
	for _, ref := range ours {
		if lineOf(ref.Name) != "" && mayLeave(ref.Name) {
			tips = append(tips, ref.ID)
		}
	}
	return func(ref refname.Ref) bool {
		isTag := strings.HasPrefix(ref.Name, refname.TagsPrefix)
		return mayLeave(ref.Name) && (!isTag || len(c.Lines) == 0 || slices.ContainsFunc(tips, func(tip string) bool {
			return tip == ref.ID || r.commits.IsAncestor(ctx, ref.ID, tip)
		}))
	}
}

// mayLeave tells whether what a person said lets a ref go. Notes tell of all lines.
func (r *Remotes) mayLeave(c agreement) func(ref string) bool {
	isPrivate := r.repo.Privacy()
	return func(ref string) bool {
		line := lineOf(ref)
		if line == "" {
			return ref != notes.TrackedAs || len(c.Lines) == 0
		}
		return !isPrivate(line) && (len(c.Lines) == 0 || slices.Contains(c.Lines, line))
	}
}

// lineOf is the line that a ref is of, "" for a tag and the knowledge.
func lineOf(ref string) string {
	if line, ok := strings.CutPrefix(ref, refname.HeadsPrefix); ok {
		return line
	}
	line, ok := strings.CutPrefix(ref, refname.ForksPrefix)
	if !ok {
		return ""
	}
	line, _, _ = strings.Cut(line, "/")
	return line
}

// guarded leaves out what is not memory alone, and what is private.
func (r *Remotes) guarded(ctx context.Context, plan []Sent, theirs map[string]string, p *Pushed) (out []Sent, err error) {
	if len(plan) == 0 {
		return nil, nil
	}
	var tips, has []string
	ends := map[string]bool{}
	for _, s := range plan {
		if s.Ref != notes.TrackedAs {
			tips = append(tips, s.New)
		}
	}
	for ref, id := range theirs {
		if ref != notes.TrackedAs {
			has, ends[id] = append(has, id), true
		}
	}
	_, met := r.commits.Near(tips, ends)
	v, err := r.admission.Leaving(ctx, tips, has, met)
	if err != nil {
		return nil, err
	}
	private, err := r.repo.PrivateCheckpoints(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range plan {
		if s.Ref == notes.TrackedAs {
			s.Err = r.notes.MayLeave(ctx, s.New, s.Old)
		} else if s.Err = v.MayLeave(s.New); s.Err == nil {
			s.Err = privates(private).of(ctx, r, s)
		}
		if s.Err != nil {
			p.Sent = append(p.Sent, s)
		} else {
			out = append(out, s)
		}
	}
	return out, ctx.Err()
}

const (
	mostAtOnce = 200 // refs of one push: they are arguments
	mostPushes = 100 // of one turn: what is refused is looked for by halves
)

// inBatches pushes refs, those that were refused before behind all others and each by itself.
func (r *Remotes) inBatches(ctx context.Context, w Way, name string, branch bool, plan []Sent, p *Pushed) error {
	refused := r.state(name).Refused
	var first, last []Sent
	for _, s := range plan {
		if refused[s.Ref] == s.New {
			last = append(last, s)
		} else {
			first = append(first, s)
		}
	}
	left := mostPushes
	for batch := range slices.Chunk(first, mostAtOnce) {
		if err := r.halved(ctx, w, name, branch, batch, &left, p); err != nil {
			return err
		}
	}
	for _, s := range last {
		if err := r.halved(ctx, w, name, branch, []Sent{s}, &left, p); err != nil {
			return err
		}
	}
	return nil
}

// halved pushes refs and, where the remote refuses all of them for the sake of one, halves of
// them, until that one is alone and named.
func (r *Remotes) halved(ctx context.Context, w Way, name string, branch bool, batch []Sent, left *int, p *Pushed) error {
	if *left--; *left < 0 {
		return fmt.Errorf("remote '%s' refused %d pushes: the rest waits for the next", legible.OneLine(name), mostPushes)
	}
	done, err := r.push(ctx, w, name, branch, batch)
	if err != nil {
		return err
	}
	if err := r.confirmed(ctx, name, done); err != nil {
		return err
	}
	if len(batch) == 1 || !allRefused(done) {
		p.Sent = append(p.Sent, done...)
		return nil
	}
	half := len(batch) / 2
	for _, part := range [][]Sent{batch[:half], batch[half:]} {
		if err := r.halved(ctx, w, name, branch, part, left, p); err != nil {
			return err
		}
	}
	return nil
}

func allRefused(sent []Sent) bool {
	return len(sent) > 0 && !slices.ContainsFunc(sent, func(s Sent) bool { return s.Err == nil || s.outraced })
}

// pushing is a push of ids to names, of which each is told what became of it.
var pushing = []string{"push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags", "--no-recurse-submodules", "--receive-pack=git-receive-pack", "--progress"}

// noting is the configuration with which the git that pushes notes what the remote has now.
func noting(name string, branch bool) (config []string) {
	for _, spec := range refspecs(name, branch) {
		config = append(config, "remote."+name+".fetch="+spec)
	}
	return config
}

// An answer is what a push says of one ref: its flag, the name of the ref there, and why.
type answer struct{ flag, there, summary string }

// answers are those in what a push with --porcelain says.
func answers(out []byte) (list []answer) {
	for l := range strings.Lines(string(out)) {
		if f := strings.SplitN(strings.TrimRight(l, "\n"), "\t", 3); len(f) == 3 {
			_, there, _ := strings.Cut(f[1], ":")
			list = append(list, answer{f[0], there, f[2]})
		}
	}
	return list
}

// push is one push. It is an error if the remote said nothing of any ref.
func (r *Remotes) push(ctx context.Context, w Way, name string, branch bool, batch []Sent) ([]Sent, error) {
	args := append(slices.Clone(pushing), "--end-of-options", name)
	by := map[string]int{}
	done := slices.Clone(batch)
	for i, s := range batch {
		there := placeOf(s.Ref, branch)
		by[there] = i
		args = append(args, s.New+":"+there)
	}
	out, err := r.talk(ctx, w, name, noting(name, branch), args...)
	var e *git.Error
	_ = errors.As(err, &e)
	said := 0
	for _, a := range answers(out) {
		i, ok := by[a.there]
		if !ok {
			continue
		}
		said++
		switch a.flag { // of several addresses each says it
		case "!":
			done[i].Err, done[i].outraced = refusal(a.summary, e.SaidOf(a.there))
		case "=":
			done[i].there = true
		}
	}
	if said >= len(batch) {
		return done, nil
	}
	if err == nil {
		err = fmt.Errorf("remote '%s' did not confirm what was pushed", legible.OneLine(name))
	}
	return nil, err
}

// placeOf is where a remote has a ref of ours.
func placeOf(ref string, branch bool) string {
	if ref == notes.TrackedAs && !branch {
		return backup.NotesRef
	}
	return under(branch) + strings.TrimPrefix(ref, underSage)
}

// refusal is what a remote, or git on its behalf, said against one ref: "[remote rejected] (hook
// declined)", "[rejected] (fetch first)". said is what the programs of the remote said.
func refusal(summary, said string) (err error, outraced bool) {
	by, why, ok := strings.Cut(summary, "(")
	if why = strings.TrimSuffix(why, ")"); !ok {
		why = summary
	}
	outraced = git.Outraced(why)
	switch {
	case said != "" && strings.Contains(by, "remote"):
		why += ": " + said
	case outraced:
		why = "somebody else moved it meanwhile"
	}
	return errors.New(legible.OneLine(why)), outraced
}

// confirmed notes what a remote has now: what a fetch would find. The git that pushed has done so,
// unless the user's own refspecs have another place for that.
func (r *Remotes) confirmed(ctx context.Context, name string, sent []Sent) error {
	_, theirs, err := r.refs(ctx, name)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, s := range sent {
		if s.Err == nil && theirs[s.Ref] != s.New {
			fmt.Fprintf(&b, "update %s %s\n", refname.TrackingRef(name, s.Ref), s.New)
		}
	}
	if b.Len() == 0 {
		return nil
	}
	if _, err := r.repo.Git.Feed(ctx, []byte(b.String()), "update-ref", "--stdin"); err != nil {
		return fmt.Errorf("note what '%s' has now: %w", legible.OneLine(name), err)
	}
	return nil
}

// asBranches tries whether a remote that takes no refs/sage/* takes branches, and sends all as
// such if it takes one.
func (r *Remotes) asBranches(ctx context.Context, w Way, name string, plan []Sent, p *Pushed) error {
	try, err := r.push(ctx, w, name, true, plan[:1])
	if err != nil || try[0].Err != nil {
		return nil // it refuses the memory by any name, and has said why
	}
	if err := r.say(name, func(c *agreement) { c.Branch = true }); err != nil {
		return err
	}
	p.Sent = slices.DeleteFunc(p.Sent, func(s Sent) bool {
		return slices.ContainsFunc(plan, func(o Sent) bool { return o.Ref == s.Ref })
	})
	p.Sent, p.Branch = append(p.Sent, try...), true
	if err := r.confirmed(ctx, name, try); err != nil {
		return err
	}
	return r.inBatches(ctx, w, name, true, plan[1:], p)
}

// unhide sends as branches what a remote takes as refs/sage/* and shows nobody: it said that it has
// that already, or something else, and a fetch finds nothing.
func (r *Remotes) unhide(ctx context.Context, w Way, name string, out *Synced) error {
	var plan []Sent
	hidden := false
	for _, s := range out.Pushed.Sent {
		hidden = hidden || s.there || s.outraced
		if s.Err == nil || s.outraced {
			plan = append(plan, Sent{Ref: s.Ref, New: s.New})
		}
	}
	if !hidden || out.Arrived.Has > 0 || r.agreed(name).Branch {
		return nil
	}
	again, err := r.Fetch(ctx, name, w)
	if err != nil || again.Has > 0 {
		return err
	}
	out.Arrived.Gone = nil
	return r.asBranches(ctx, w, name, plan, &out.Pushed)
}

// Unpushed are the refs that wait to be sent to a remote. It asks nobody.
func (r *Remotes) Unpushed(ctx context.Context, name string) (plan []Sent, err error) {
	var p Pushed
	plan, _, err = r.planned(ctx, name, r.agreed(name), Way{}, &p)
	return plan, err
}
