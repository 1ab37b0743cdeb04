package gitstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/gitstore/sage"
)

// maxTries bounds how often a save starts over because another writer was
// faster. With the queue one or two are enough; without it 64 writers need 40.
const maxTries = 200

// Save writes a checkpoint and moves its line on. When it returns nil the
// checkpoint is on disk and stays there; when it returns an error nothing of it
// is reachable.
func (s *Store) Save(ctx context.Context, d Draft) (Saved, error) {
	c, found, err := s.prepare(d)
	if err != nil {
		return Saved{}, err
	}
	w := s.newWork(ctx, c, KindCheckpoint, d)
	defer w.stop()
	w.saved.Redacted = found
	if !s.flag("sage.enabled", true) {
		return Saved{}, ErrDisabled
	}
	w.fill(ctx, s, d.Automatic)
	done, waited := s.queue(ctx)
	defer done()
	for try := range maxTries {
		p, err := s.place(ctx, d, waited || try > 0)
		if err != nil {
			return Saved{}, err
		}
		err = s.attempt(ctx, w, p)
		if !errors.Is(err, errMoved) {
			return s.concluded(w, p, err)
		}
		time.Sleep(rand.N(3 * time.Millisecond))
	}
	return Saved{}, fmt.Errorf("save: other writers were faster %d times", maxTries)
}

// concluded records where the session stands after a save.
func (s *Store) concluded(w *work, p place, err error) (Saved, error) {
	if err != nil {
		return Saved{}, err
	}
	if w.saved.Continues == "" && len(p.parents) > 0 {
		if r, err := s.commitRecord(p.parents[0]); err == nil {
			w.saved.Continues = r.Description
		}
	}
	if s.o.Session != "" || p.stand.Seen != "" || p.stand.Ref != "" {
		p.stand.Seen, p.stand.Ref = w.saved.ID, p.ref
		if err := s.keepStand(p.stand); err != nil {
			w.saved.Warnings = append(w.saved.Warnings, err.Error())
		}
	}
	s.advanceCache(p.ref, p.old, w.saved.ID)
	return w.saved, nil
}

// prepare returns what is to be written: a copy with what the store knows
// filled in and secrets taken out. It fails closed.
func (s *Store) prepare(d Draft) (*sage.Checkpoint, []redact.Finding, error) {
	c := d.Checkpoint.Clone()
	if c.Time.IsZero() {
		c.Time = s.o.Now()
	}
	c.Time = c.Time.UTC().Truncate(time.Second)
	if c.Trigger == "" {
		c.Trigger = sage.Manual
	}
	if c.Session == "" {
		c.Session = s.o.Session
	}
	if c.Agent == "" {
		c.Agent = s.o.Agent
	}
	found, err := s.o.Redact.Checkpoint(c)
	if err != nil {
		return nil, nil, fmt.Errorf("look for secrets: %w: nothing was saved", err)
	}
	return c, found, nil
}

// A work is a checkpoint on its way into the store.
type work struct {
	c          *sage.Checkpoint
	kind       Kind
	blob, tree loose.Object
	author     person
	committer  person
	now        time.Time
	sign       bool
	automatic  bool
	mover      func() *git.Waiting // started before its input is known; nil once it is used
	trailers   [][2]string         // further lines of the last paragraph
	written    []loose.Object
	saved      Saved
}

func (s *Store) newWork(ctx context.Context, c *sage.Checkpoint, kind Kind, d Draft) *work {
	w := &work{c: c, kind: kind, now: s.o.Now()}
	w.saved.Description = sage.Describe(c, c.MessageCount)
	w.mover = early(func() *git.Waiting {
		m, _ := s.mover(ctx, w.why()) // if it cannot start now, attempt says so
		return m
	})
	if !d.NoCode {
		s.codeState(ctx, c)
	}
	w.blob = s.objects.New("blob", sage.Marshal(c))
	w.tree = s.objects.New("tree", encodeTree(treeEntry{"100644", "checkpoint.md", w.blob.ID}))
	return w
}

// takeMover returns the git that was started early, once.
func (w *work) takeMover() *git.Waiting {
	if w.mover == nil {
		return nil
	}
	m := w.mover()
	w.mover = nil
	return m
}

// stop ends what was started for a work that came to nothing.
func (w *work) stop() { w.takeMover().Cancel() }

// why is what the log of a ref says of the move.
func (w *work) why() string { return "sage: " + string(w.kind) + ": " + w.saved.Description }

func (w *work) fill(ctx context.Context, s *Store, automatic bool) {
	var nobodyA, nobodyC bool
	w.author, nobodyA = s.identity(ctx, "author")
	w.committer, nobodyC = s.identity(ctx, "committer")
	if nobodyA || nobodyC {
		w.saved.Warnings = append(w.saved.Warnings, "git knows no identity here; saved as "+nobody.String()+" (set user.name and user.email)")
	}
	w.sign, w.automatic = s.signs(), automatic
}

// A place is where a save goes.
type place struct {
	ref     string // to move
	old     string // its value; "" to create it
	parents []string
	line    string
	forked  bool
	stand   stand
}

// place decides where a save goes. The cases, in order:
//
//  1. a line is named, or nobody restored anything: the tip of that line
//  2. a session's first save: the same
//  3. what was last seen is still the tip of its ref: that ref
//  4. only removals lie between what was seen and the tip: the tip
//  5. the line moved: a fork beside it, whose parent is what was seen
func (s *Store) place(ctx context.Context, d Draft, stale bool) (place, error) {
	t := s.stand()
	if d.Line != "" {
		if err := CheckName(d.Line); err != nil {
			return place{}, err
		}
		if d.Line != t.Line {
			t = stand{Session: t.Session, Line: d.Line, Began: t.Began}
		}
	}
	if d.Parent != "" {
		id, err := s.Resolve(ctx, d.Parent)
		if err != nil {
			return place{}, err
		}
		t.Seen = id
	}
	tip, err := s.tipOf(ctx, t, stale)
	if err != nil {
		return place{}, err
	}
	if tip == "" && t.Ref != "" && t.Ref != headRef(t.Line) { // the fork was merged meanwhile
		t.Ref = ""
		if tip, err = s.tip(ctx, t.ref()); err != nil {
			return place{}, err
		}
	}
	p := place{ref: t.ref(), old: tip, line: t.Line, stand: t}
	if tip != "" {
		p.parents = []string{tip}
	}
	if t.Seen == "" || t.Seen == tip || s.onlyRemovals(ctx, t.Seen, tip) { // 1-4
		return p, nil
	}
	return s.fork(ctx, p)
}

// tipOf is the value of the ref that t is on. The one that the discovery brought
// is good enough for what compare-and-swap guards, if it is what t saw; whether
// the line moved must be asked anew.
func (s *Store) tipOf(ctx context.Context, t stand, stale bool) (string, error) {
	if !stale && s.where.ref == t.ref() && (t.Seen == "" || t.Seen == s.where.tip) {
		return s.where.tip, nil
	}
	return s.tip(ctx, t.ref())
}

// fork places a save whose parent is no tip: 5.
func (s *Store) fork(ctx context.Context, p place) (place, error) {
	seen := p.stand.Seen
	who := s.o.Session
	if who == "" {
		who = s.where.gitDir
	}
	taken, err := s.refs(ctx, forksPrefix+p.line)
	if err != nil {
		return p, err
	}
	p.parents, p.old, p.forked = []string{seen}, "", true
	name := session8(who)
	for n := 2; ; n++ {
		p.ref = forkRef(p.line, name)
		if !contains(taken, p.ref) {
			return p, nil
		}
		name = fmt.Sprintf("%s-%d", session8(who), n)
	}
}

func contains(refs []ref, name string) bool {
	for _, r := range refs {
		if r.name == name {
			return true
		}
	}
	return false
}

// onlyRemovals reports whether nothing but tombstones lies between seen and tip.
func (s *Store) onlyRemovals(ctx context.Context, seen, tip string) bool {
	if tip == "" || seen == "" {
		return false
	}
	for at := tip; at != seen; {
		r, err := s.commitRecord(at)
		if err != nil || r.Kind != KindTombstone || len(r.Parents) != 1 {
			return false
		}
		at = r.Parents[0]
	}
	return true
}

// attempt writes the commit and moves the ref, then makes sure that what it
// acknowledges is there.
func (s *Store) attempt(ctx context.Context, w *work, p place, also ...move) error {
	m := message(w.c, w.kind, w.saved.Description, w.trailers...)
	if w.sign { // git writes the commit, and looks for its tree
		if err := s.put(ctx, w.blob, w.tree); err != nil {
			return err
		}
	}
	o, err := s.commit(ctx, w, commit{
		tree: w.tree.ID, parents: p.parents, message: m,
		author: w.author.stamp(w.c.Time.In(w.now.Location())), committer: w.committer.stamp(w.now),
	})
	if err != nil {
		return err
	}
	mover := w.takeMover()
	if mover == nil {
		if mover, err = s.mover(ctx, w.why()); err != nil {
			return err
		}
	}
	if err := s.moveBy(mover, append([]move{{p.ref, p.old, o.ID}}, also...)); err != nil {
		return err
	}
	w.saved.ID, w.saved.Ref, w.saved.Line, w.saved.Parents, w.saved.Forked = o.ID, p.ref, p.line, p.parents, p.forked
	return s.verify(ctx, append(w.written, w.blob, w.tree, o)...)
}

// verify reads back what was written, after the ref moved and after any gc
// that ran meanwhile, and writes again what is gone.
func (s *Store) verify(ctx context.Context, objects ...loose.Object) error {
	s.awaitGC(ctx)
	for _, o := range objects {
		if o.Data == nil || s.objects.Holds(o) {
			continue
		}
		if got, err := s.batch.Get(o.ID); err == nil && string(got.Data) == string(o.Data) {
			continue // packed meanwhile
		}
		if err := s.put(ctx, o); err != nil {
			return fmt.Errorf("write again what a gc removed: %w", err)
		}
	}
	return nil
}

// put writes objects by the way that suits the repository.
func (s *Store) put(ctx context.Context, objects ...loose.Object) error {
	if v, _, ok := s.Config("core.sharedrepository"); ok && !isFalse(v) {
		return s.putShared(ctx, objects)
	}
	to := s.objects
	to.Durable = s.durable()
	return to.Write(objects...)
}

func (s *Store) durable() bool { return s.flag("sage.durable", true) }

func isFalse(v string) bool {
	switch strings.ToLower(v) {
	case "", "0", "false", "no", "off", "umask":
		return true
	}
	return false
}

// putShared lets git write, which knows the modes of a shared repository.
func (s *Store) putShared(ctx context.Context, objects []loose.Object) error {
	for _, o := range objects {
		out, err := s.git.Feed(ctx, o.Data, "-c", "core.fsync=loose-object,reference", "hash-object", "-w", "--no-filters", "--stdin", "-t", o.Type)
		if err != nil {
			return fmt.Errorf("write object %s: %w", o.ID, err)
		}
		if text(out) != o.ID {
			return fmt.Errorf("write object %s: git made %s of it", o.ID, text(out))
		}
		if err := s.objects.Settle(o.ID); err != nil {
			return fmt.Errorf("write object %s: %w", o.ID, err)
		}
	}
	return nil
}
