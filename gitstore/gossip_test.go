package gitstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A gossip is clones that save, remove, write knowledge and fetch from one another
// by plain git, each by a clock of its own.
type gossip struct {
	*testing.T
	*rand.Rand
	w      *storetest.World
	clones []*replica
	saved  []string // ids of everything that was saved
	files  map[string]bool
}

type replica struct {
	name string
	*gitstore.Store
	session *gitstore.Store // an agent's, beside the person's
	behind  *gitstore.Store // an agent's that looks up rarely, and so makes forks
}

func newGossip(t *testing.T, clones int, seed uint64) *gossip {
	g := &gossip{T: t, Rand: rand.New(rand.NewPCG(seed, 1)), w: storetest.New(t), files: map[string]bool{}}
	g.w.Git("", "config", "--global", "sage.durable", "false")
	for i := range clones {
		name := fmt.Sprintf("c%d", i)
		g.w.Git("", "init", "-q", name)
		now := skewed(g.Rand, i)
		at := func(o *gitstore.Options) { o.Now = now }
		g.clones = append(g.clones, &replica{name, open(t, g.w, name, at),
			open(t, g.w, name, at, session(fmt.Sprintf("agent%03d-x", i))), open(t, g.w, name, at, session(fmt.Sprintf("idler%03d-x", i)))})
	}
	return g
}

// skewed is a clock that is right, stands still, or is years off.
func skewed(r *rand.Rand, i int) func() time.Time {
	at := storetest.Epoch
	switch r.IntN(4) {
	case 0:
		return func() time.Time { return at } // so that dates are equal
	case 1:
		at = at.AddDate(-10, 0, i)
	case 2:
		at = at.AddDate(10+r.IntN(60), 0, i)
	}
	return func() time.Time { at = at.Add(time.Second); return at }
}

func (g *gossip) one() *replica { return g.clones[g.IntN(len(g.clones))] }

func (g *gossip) word(kind string) string { return fmt.Sprint(kind, g.IntN(5)) }

// live does something at random in some clone.
func (g *gossip) live() {
	c := g.one()
	switch g.IntN(12) {
	case 0, 1, 2:
		g.save(c.Store, gitstore.Draft{Line: []string{"main", "main", "side"}[g.IntN(3)]})
	case 3:
		g.save(c.session, gitstore.Draft{})
	case 4:
		g.save(c.behind, gitstore.Draft{})
	case 5:
		g.bury(c)
	case 6:
		_, err := c.Checkpoints.Merge(ctx, gitstore.MergeRequest{Thesis: g.word("synthesis ")})
		g.mind(err)
	case 7:
		_, err := c.Checkpoints.Merge(ctx, gitstore.MergeRequest{})
		g.mind(err)
	case 8:
		g.know(c)
	default:
		if from := g.one(); from != c {
			g.fetch(c, from)
			if g.IntN(2) == 0 {
				g.merge(c, from.name)
			}
		}
	}
}

// mind fails on errors that are no answer.
func (g *gossip) mind(err error) {
	for _, known := range []error{nil, gitstore.ErrNothing, gitstore.ErrNotFound, gitstore.ErrExists} {
		if errors.Is(err, known) {
			return
		}
	}
	g.Helper()
	g.Fatal(err)
}

func (g *gossip) save(s *gitstore.Store, d gitstore.Draft) {
	d.NoCode = true
	d.Checkpoint = sage.Checkpoint{Thesis: g.word("thesis "), CoreQuestion: g.word("question "), KeyEvidence: []string{g.word("e"), g.word("e")}}
	if g.IntN(4) == 0 { // a short one says no more than that
		d.Checkpoint.CoreQuestion, d.Checkpoint.KeyEvidence = "", nil
	}
	got, err := s.Checkpoints.Save(ctx, d)
	if err != nil {
		g.Fatal(err)
	}
	g.saved = append(g.saved, got.ID)
}

func (g *gossip) bury(c *replica) {
	recs, err := c.Commits.Log(ctx, gitstore.Query{All: true, Removed: true, Max: 6})
	g.mind(err)
	if len(recs) == 0 {
		return
	}
	r := recs[g.IntN(len(recs))]
	if act := c.Checkpoints.Remove; g.IntN(3) > 0 {
		_, err = act(ctx, []string{r.ID})
	} else {
		_, err = c.Checkpoints.RestoreRemoved(ctx, []string{r.ID})
	}
	g.mind(err)
}

func (g *gossip) know(c *replica) {
	path := fmt.Sprintf("knowledge/a%d/item%d.md", g.IntN(2), g.IntN(3))
	content := fmt.Appendf(nil, "---\nid: %s\ntype: %s\nkeywords: [%s, %s]\nupdated: 20%d-01-01\n---\n\n%s\n", path[13:18], g.word("t"), g.word("k"), g.word("k"), 10+g.IntN(90), g.word("text "))
	switch g.IntN(5) {
	case 0:
		content = nil
	case 1:
		path, content = "lines/side.yaml", fmt.Appendf(nil, "branches: [%s, %s]\n", g.word("b"), g.word("b"))
	case 2:
		path, content = "core.yaml", fmt.Appendf(nil, "a.txt:\n    files: [%s]\n    summary: %s\n", g.word("f"), g.word("n"))
	}
	g.mind(c.Tree.WriteFiles(ctx, "change "+path, map[string][]byte{path: content}))
}

func (g *gossip) fetch(c, from *replica) {
	args := append([]string{"fetch", "-q", "--no-write-fetch-head", "--no-auto-gc", g.w.Path(from.name)}, fetchSpecs(from.name)...)
	g.w.Git(c.name, args...)
}

func (g *gossip) merge(c *replica, remotes ...string) {
	list, err := c.Exchange.MergeFetched(ctx, remotes...)
	if err != nil && !errors.Is(err, gitstore.ErrNothing) { // from one that has nothing
		g.Fatal(err)
	}
	for _, f := range list {
		if f.Act == gitstore.FetchedRefused {
			g.Fatalf("%s: %+v", c.name, f)
		}
	}
}

// refs are the refs of a clone that all should have.
func (g *gossip) refs(c *replica) string {
	return g.w.Git(c.name, "for-each-ref", "--format=%(refname) %(objectname)", "refs/sage/heads", "refs/sage/forks", "refs/sage/tags", "refs/sage/knowledge")
}

func (g *gossip) met() bool {
	first := g.refs(g.clones[0])
	return !slices.ContainsFunc(g.clones, func(c *replica) bool { return g.refs(c) != first })
}

// sync lets everybody fetch from everybody, in any order, and merge each time, and
// returns how many rounds of that it took until all refs were the same.
func (g *gossip) sync(most int) int {
	for n := range most + 1 {
		if g.met() {
			return n
		}
		for _, k := range g.Perm(len(g.clones) * len(g.clones)) {
			if c, from := g.clones[k/len(g.clones)], g.clones[k%len(g.clones)]; c != from {
				g.fetch(c, from)
				g.merge(c, from.name)
			}
		}
	}
	for _, c := range g.clones {
		g.Logf("%s:\n%s", c.name, g.refs(c))
	}
	g.Fatalf("no agreement after %d rounds", most)
	return 0
}

// check looks at what all agreed upon.
func (g *gossip) check() {
	list := ""
	for i, c := range g.clones {
		here := map[string]bool{}
		for _, id := range strings.Fields(g.w.Git(c.name, "rev-list", "--glob=refs/sage/heads", "--glob=refs/sage/forks")) {
			here[id] = true
		}
		for _, id := range g.saved {
			if !here[id] {
				g.Errorf("%s lost %s", c.name, id)
			}
		}
		recs, err := c.Commits.Log(ctx, gitstore.Query{All: true})
		if err != nil {
			g.Fatal(err)
		}
		var b strings.Builder
		for _, r := range recs {
			b.WriteString(r.ID + "\n")
		}
		if i > 0 && b.String() != list {
			g.Errorf("%s lists other checkpoints than %s:\n%s\n%s", c.name, g.clones[0].name, list, b.String())
		}
		list = b.String()
		found, err := c.Fsck.Findings(ctx)
		for _, f := range found {
			if !f.Warning {
				g.Errorf("%s: %v", c.name, f)
			}
		}
		g.mind(err)
	}
	g.w.Git(g.clones[0].name, "fsck", "--full", "--strict")
	g.oneTreeOfHeads()
}

// oneTreeOfHeads checks that joins of the same heads have the same tree, in whatever
// order the heads came together.
func (g *gossip) oneTreeOfHeads() {
	type node struct {
		tree    string
		parents []string
		join    bool
	}
	all, joins := map[string]node{}, 0
	out := g.w.Git(g.clones[0].name, "log", "--all", "--topo-order", "--reverse", "--format=%H %T %(trailers:key=Sage-Trigger,valueonly,separator=%x2c) %P")
	above, heads := map[string]map[string]bool{}, map[string]map[string]bool{}
	trees := map[string]string{}
	for l := range strings.Lines(out) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), " ")
		n := node{f[1], f[3:], f[2] == "sync"}
		all[f[0]] = n
		up, hs := map[string]bool{f[0]: true}, map[string]bool{f[0]: true}
		if n.join {
			clear(hs)
		}
		for _, p := range n.parents {
			for a := range above[p] {
				up[a] = true
			}
			for h := range heads[p] {
				if n.join {
					hs[h] = true
				}
			}
		}
		above[f[0]] = up
		for h := range hs { // those that others contain are none
			for o := range hs {
				if h != o && above[o][h] {
					delete(hs, h)
				}
			}
		}
		heads[f[0]] = hs
		if !n.join {
			continue
		}
		joins++
		var key []string
		for h := range hs {
			key = append(key, h)
		}
		slices.Sort(key)
		k := strings.Join(key, " ")
		if t, ok := trees[k]; ok && t != n.tree {
			g.Errorf("two joins of %s have trees %s and %s", k, t, n.tree)
		}
		trees[k] = n.tree
	}
	g.Logf("%d commits, %d joins of %d sets of heads", len(all), joins, len(trees))
}

func (g *gossip) play(steps, rounds int) {
	for range steps {
		g.live()
	}
	n := g.sync(rounds)
	g.Logf("%d clones, %d saves: all the same after %d rounds", len(g.clones), len(g.saved), n)
	g.check()
}

// Clones that lived apart, criss-cross, with clocks that are years off, agree on
// every commit after at most five rounds of plain fetches, and nothing is lost.
func TestClonesMeet(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			newGossip(t, 2+int(seed), seed).play(40, 5)
		})
	}
}

// A secret that spread before somebody purged it, also into merges that the one who
// purges has never seen, is in no history in the end, and all agree on what is.
func TestClonesMeetPurged(t *testing.T) {
	const secret = "hush-hush"
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			g := newGossip(t, 3, 200+seed)
			save(t, g.clones[0].Store, "Ground.")
			save(t, g.clones[0].Store, secret+" is the word.")
			for range 25 {
				g.live()
			}
			if _, err := g.clones[0].Purge.Run(ctx, gitstore.PurgeRequest{Match: secret}); err != nil {
				t.Fatal(err)
			}
			for range 10 {
				g.live()
			}
			n := g.sync(6)
			t.Logf("all the same after %d rounds", n)
			for _, c := range g.clones {
				if out := g.w.Git(c.name, "log", "--all", "--format=%H %s", "--grep="+secret); out != "" {
					t.Errorf("%s still tells:\n%s", c.name, out)
				}
				for _, id := range strings.Fields(g.w.Git(c.name, "rev-list", "--all")) {
					if out, err := g.w.TryGit(c.name, "grep", "-l", secret, id); err == nil {
						t.Errorf("%s still holds: %s", c.name, out)
					}
				}
			}
			g.w.Git(g.clones[0].name, "fsck", "--full", "--strict")
		})
	}
}
