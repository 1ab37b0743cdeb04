package gitstore_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
	"github.com/git-sage/git-sage/gitstore/storetest"
)

// A team is clones of one bare remote. They live apart, each by a clock of its own, and
// sync as docs/team.md says: plain git fetches and pushes without force, and is retried by
// a clone that another outraced.
//
// Everything that somebody writes has a mark, such as s17, in the subject of its commit, by
// which it is found again in the end, whatever a purge made of its id.
type team struct {
	*testing.T
	*rand.Rand
	w      *storetest.World
	mates  []*mate
	deeds  []deed
	purged []string          // words that nobody may have any more, and ids of objects
	gone   map[string]bool   // marks of checkpoints that were purged
	buried map[string]string // by mark of a checkpoint: "removed", or "both" if it was restored, too
	outrun int               // pushes that were refused
	waited int               // refs that waited for another clone
	purges int
	quiet  bool // nobody does anything new
}

type mate struct {
	name   string
	person *gitstore.Store
	agent  *gitstore.Store // a session that looks up rarely, and so makes forks
	finish bool            // somebody else's purge came in: docs/team.md says what to run
}

// A deed is what was acknowledged.
type deed struct {
	mark, who string
	key       string   // of an item, if it changed what that says
	texts     []string // what the item says since then
}

// teamSpecs are those of docs/team.md.
var (
	teamPush  = []string{"refs/sage/heads/*", "refs/sage/forks/*", "refs/sage/tags/*", "refs/sage/knowledge*"}
	teamFetch = fetchSpecs("origin")
)

func newTeam(t *testing.T, clones int, seed uint64) *team {
	g := &team{T: t, Rand: rand.New(rand.NewPCG(seed, 2)), w: storetest.New(t), gone: map[string]bool{}, buried: map[string]string{}}
	g.w.Git("", "config", "--global", "sage.durable", "false")
	g.w.Git("", "config", "--global", "fetch.unpackLimit", "20")
	g.w.Git("", "init", "-q", "--bare", "hub.git")
	for i := range clones {
		name := fmt.Sprintf("m%02d", i)
		g.w.Git("", "init", "-q", "--template=", name)
		f, err := os.OpenFile(g.w.Path(name, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, "[user]\n\tname = Mate %d\n\temail = %s@example.com\n[remote \"origin\"]\n\turl = ../hub.git\n", i, name)
		for _, spec := range teamFetch {
			fmt.Fprintf(f, "\tfetch = %s\n", spec)
		}
		must(t, f.Close())
		now := teamClock(g.Rand, i)
		at := func(o *gitstore.Options) { o.Now = now }
		g.mates = append(g.mates, &mate{name: name, person: open(t, g.w, name, at, person), agent: open(t, g.w, name, at, session("agent"+name))})
	}
	return g
}

// teamClock is a clock that is right, stands still, runs backwards, or is years off.
func teamClock(r *rand.Rand, i int) func() time.Time {
	if r.IntN(5) > 0 {
		return skewed(r, i)
	}
	at := storetest.Epoch
	return func() time.Time { at = at.Add(-time.Hour); return at }
}

func (g *team) one() *mate { return g.mates[g.IntN(len(g.mates))] }

func (g *team) word(kind string) string { return fmt.Sprint(kind, g.IntN(4)) }

// must fails on errors that are no answer, and reports whether there was none.
func (g *team) must(m *mate, err error) bool {
	g.Helper()
	for _, known := range []error{gitstore.ErrNothing, gitstore.ErrNotFound, gitstore.ErrExists} {
		if errors.Is(err, known) {
			return false
		}
	}
	if err != nil {
		g.Fatalf("%s: %v", m.name, err)
	}
	return true
}

func (g *team) acknowledge(d deed) { g.deeds = append(g.deeds, d) }

func (g *team) mark(kind string) string { return fmt.Sprint(kind, len(g.deeds)) }

// live does something at random in one clone.
func (g *team) live(m *mate) {
	switch g.IntN(20) {
	case 0, 1, 2, 3:
		g.save(m, m.person, []string{"", "", "side", "deep"}[g.IntN(4)])
	case 4, 5:
		g.save(m, m.agent, "")
	case 6:
		g.merge(m)
	case 7, 8:
		g.bury(m)
	case 9, 10:
		g.lines(m)
	case 11:
		_, err := m.person.Lines.Tag(ctx, g.word("v"), "", false)
		g.must(m, err)
	case 12:
		g.note(m)
	default:
		g.item(m)
	}
}

func (g *team) save(m *mate, s *gitstore.Store, line string) {
	mark := g.mark("s")
	d := gitstore.Draft{Line: line, NoCode: true}
	d.Checkpoint = sage.Checkpoint{Thesis: g.word("thesis ") + " " + mark, CoreQuestion: g.word("question "), KeyEvidence: []string{g.word("e"), g.word("e")}, OpenQuestions: []string{g.word("open ")}}
	if g.IntN(4) == 0 { // a short one says no more than that
		d.Checkpoint.CoreQuestion, d.Checkpoint.KeyEvidence = "", nil
	}
	if _, err := s.Checkpoints.Save(ctx, d); g.must(m, err) {
		g.acknowledge(deed{mark: mark, who: m.name})
	}
}

// merge unites a fork or another line with the current one, or settles what disagrees.
func (g *team) merge(m *mate) {
	mark := g.mark("s")
	req := gitstore.MergeRequest{Rev: []string{"", "", "side", "deep"}[g.IntN(4)]}
	if g.IntN(2) == 0 {
		req.Thesis = g.word("synthesis ") + " " + mark
	}
	out, err := m.person.Checkpoints.Merge(ctx, req)
	if g.must(m, err) && req.Thesis != "" && !out.UpToDate && !out.FastForward {
		g.acknowledge(deed{mark: mark, who: m.name})
	}
}

var marked = regexp.MustCompile(`\b[sik]\d+$`)

// bury removes a checkpoint, or restores one.
func (g *team) bury(m *mate) {
	recs, err := m.person.Commits.Log(ctx, gitstore.Query{All: true, Removed: true, Max: 6})
	recs = slices.DeleteFunc(recs, func(r gitstore.Record) bool { return r.IsJoin() }) // it can have the mark of another
	if !g.must(m, err) || len(recs) == 0 {
		return
	}
	r := recs[g.IntN(len(recs))]
	mark, state := marked.FindString(r.Description), "removed"
	act := m.person.Checkpoints.Remove
	if g.IntN(3) == 0 {
		act, state = m.person.Checkpoints.RestoreRemoved, "both"
	}
	if _, err = act(ctx, []string{r.ID}); g.must(m, err) && g.buried[mark] != "both" {
		g.buried[mark] = state
	}
}

// lines makes, renames and closes them, and saves on one that is closed.
func (g *team) lines(m *mate) {
	old, name := g.word("line"), g.word("line")
	var err error
	switch g.IntN(5) {
	case 0, 1:
		_, err = m.person.Lines.Branch(ctx, name, "")
	case 2:
		if m.person.Session.CurrentLine() != old {
			err = m.person.Lines.Rename(ctx, old, name)
		}
	case 3:
		err = m.person.Lines.Delete(ctx, old)
	case 4:
		g.save(m, m.person, old)
	}
	if err != nil && !strings.Contains(err.Error(), "is closed") && !strings.Contains(err.Error(), "was renamed to") {
		g.must(m, err)
	}
}

// note writes what is no item: pinned notes, core files, templates.
func (g *team) note(m *mate) {
	switch g.IntN(4) {
	case 0:
		g.must(m, m.person.Knowledge.MarkCore(ctx, g.word("f")+".go", g.word("summary ")))
	case 1:
		g.must(m, m.person.Knowledge.UnmarkCore(ctx, g.word("f")+".go"))
	case 2:
		g.must(m, m.person.Tree.WriteFiles(ctx, "template", map[string][]byte{"templates/" + g.word("t") + ".yaml": fmt.Appendf(nil, "name: t\ndescription: %s\noptional_fields: [%s]\n", g.word("about "), g.word("field"))}))
	default:
		name := "system/" + g.word("note") + ".md"
		g.must(m, m.person.Tree.WriteFiles(ctx, "note", map[string][]byte{name: fmt.Appendf(nil, "---\nid: %s\ntype: knowledge\nkeywords: [%s]\n---\n\n%s\n", name[7:len(name)-3], g.word("k"), g.word("pinned "))}))
	}
}

// item adds, edits or removes one of a few items.
func (g *team) item(m *mate) {
	key, mark := g.word("item"), g.mark("i")
	text := g.word("text ") + " " + mark
	c := gitstore.ItemChange{Key: key}
	switch g.IntN(8) {
	case 0:
		c.Remove = true
	case 1:
		c.Edit = func(it *sage.Item) error { it.Keywords = []string{g.word("k"), g.word("k")}; return nil }
	case 2:
		c.Edit = func(it *sage.Item) error {
			it.Status = []sage.Status{sage.Active, sage.Archived, sage.Deprecated}[g.IntN(3)]
			return nil
		}
	case 3:
		c.Edit = func(it *sage.Item) error {
			it.Links = []sage.Link{{Kind: sage.LinkKinds[g.IntN(4)], To: g.word("item")}}
			it.Links = slices.DeleteFunc(it.Links, func(l sage.Link) bool { return l.To == key })
			return nil
		}
	case 4, 5:
		c.Edit = func(it *sage.Item) error { it.Content = text; return nil }
	default:
		c.Item = &sage.Item{ID: key, Type: sage.Knowledge, Content: text, Keywords: []string{g.word("k")}}
		c.Replace = g.IntN(2) == 0
	}
	before := g.itemTexts(m, key)
	out, err := m.person.Knowledge.WriteItems(ctx, "item "+mark, c)
	if err != nil && strings.Contains(err.Error(), "which supersedes it") { // no two may replace each other
		return
	}
	if !g.must(m, err) || out.Commit == "" {
		return
	}
	d := deed{mark: mark, who: m.name}
	if after := g.itemTexts(m, key); !slices.Equal(before, after) {
		d.key = key
		d.texts = slices.DeleteFunc(after, func(text string) bool { return slices.Contains(before, text) })
	}
	g.acknowledge(d)
}

// itemTexts are the versions of what an item says, as it lies in the tree, and not as its
// user left it.
func (g *team) itemTexts(m *mate, key string) []string {
	b, err := m.person.Tree.ReadFile(ctx, fmt.Sprintf("knowledge/%.2x/%s.md", sha256.Sum256([]byte(key)), key))
	g.must(m, err)
	_, body, _ := strings.Cut(string(b), "\n---\n")
	return versions.Split(strings.TrimSpace(body))
}

// purge saves a secret, lets some clones fetch it, and purges it; or purges a checkpoint.
func (g *team) purge(m *mate) {
	g.purges++
	word := fmt.Sprintf("hush%d-word", g.purges)
	mark := g.mark("s")
	saved, err := m.person.Checkpoints.Save(ctx, gitstore.Draft{NoCode: true, Line: "vault", Checkpoint: sage.Checkpoint{Thesis: "Says " + word + " " + mark}})
	g.must(m, err)
	g.acknowledge(deed{mark: mark, who: m.name})
	key := "secret" + strconv.Itoa(g.purges)
	_, err = m.person.Knowledge.WriteItems(ctx, "item "+g.mark("i"), gitstore.ItemChange{Item: &sage.Item{ID: key, Type: sage.Knowledge, Content: "It is " + word}})
	g.must(m, err)
	g.acknowledge(deed{mark: g.mark("i"), who: m.name})
	for _, k := range g.Perm(len(g.mates))[:3] {
		g.sync(m)
		g.sync(g.mates[k])
		g.save(g.mates[k], g.mates[k].person, "vault")
	}
	req := gitstore.PurgeRequest{Match: word}
	g.purged = append(g.purged, word)
	if g.IntN(3) == 0 {
		req = gitstore.PurgeRequest{Revs: []string{saved.ID}}
		g.gone[mark], g.purged[len(g.purged)-1] = true, saved.ID+" commit" // merges may quote it
	}
	_, err = m.person.Purge.Run(ctx, req)
	g.must(m, err)
	m.finish = true
	g.sync(m)
}

// sync is what docs/team.md says, until the push is taken.
func (g *team) sync(m *mate) {
	for try := range 12 {
		g.w.Git(m.name, "fetch", "-q", "--no-write-fetch-head", "--no-auto-gc", "origin")
		waits := g.mergeFetched(m)
		if m.finish {
			g.finish(m)
		}
		if try == 0 && !g.quiet && g.IntN(4) == 0 { // somebody is faster
			if other := g.one(); other != m {
				g.live(other)
				g.w.Git(other.name, "fetch", "-q", "--no-write-fetch-head", "--no-auto-gc", "origin")
				g.mergeFetched(other)
				g.push(other)
			}
		}
		if g.push(m) {
			return
		}
		g.outrun++
		g.waited += waits
	}
	out, _ := g.w.TryGit(m.name, append([]string{"push", "origin"}, teamPush...)...)
	g.Fatalf("%s cannot push:\n%s", m.name, out)
}

func (g *team) push(m *mate) bool {
	out, err := g.w.TryGit(m.name, append([]string{"push", "-q", "origin"}, teamPush...)...)
	return err == nil || strings.HasPrefix(out, "No refs in common") // it has none yet
}

// mergeFetched returns how many refs wait. A tag that is another elsewhere is given up.
func (g *team) mergeFetched(m *mate) (waits int) {
	list, err := m.person.Exchange.MergeFetched(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNothing) {
		g.Fatalf("%s: merge: %v", m.name, err)
	}
	again := false
	for _, f := range list {
		switch name, isTag := strings.CutPrefix(f.Ref, "refs/sage/tags/"); {
		case f.Act == gitstore.FetchedWaits:
			waits++
		case f.Act == gitstore.FetchedHolds || f.Act == gitstore.FetchedPurged:
			m.finish = true
		case f.Act == gitstore.FetchedRefused && isTag:
			if err := m.person.Lines.DeleteTag(ctx, name); err != nil {
				g.Fatalf("%s: %v", m.name, err)
			}
			again = true
		case f.Act == gitstore.FetchedRefused:
			g.Fatalf("%s: %+v", m.name, f)
		}
	}
	if again {
		return waits + g.mergeFetched(m)
	}
	return waits
}

// finish is 'git sage purge --finish --push'.
func (g *team) finish(m *mate) {
	_, err := m.person.Purge.Run(ctx, gitstore.PurgeRequest{})
	g.must(m, err)
	pushes, err := m.person.Purge.Push(ctx)
	g.must(m, err)
	m.finish = slices.ContainsFunc(pushes, func(p gitstore.PurgePush) bool { return p.Err != nil })
}

// refs are the refs of a clone, or of the hub, that all should have.
func (g *team) refs(dir string, prefixes ...string) string {
	return g.w.Git(dir, append([]string{"for-each-ref", "--format=%(refname) %(objectname)"}, prefixes...)...)
}

// agree syncs everybody, in any order, until all have the same refs.
func (g *team) agree() {
	g.quiet = true
	every, shared := []string{"refs/sage/heads", "refs/sage/forks", "refs/sage/tags", "refs/sage/knowledge"}, []string{"refs/sage/heads", "refs/sage/tags", "refs/sage/knowledge"}
	for pass := range 8 {
		hub := g.refs("hub.git", shared...)
		first, moved := g.refs(g.mates[0].name, every...), 0
		for _, k := range g.Perm(len(g.mates)) {
			m := g.mates[k]
			if m.finish || g.refs(m.name, every...) != first || g.refs(m.name, shared...) != hub {
				moved++
				g.sync(m)
			}
		}
		if moved == 0 {
			g.Logf("all the same after %d passes", pass)
			return
		}
		g.sync(g.mates[0]) // beside which the others are
	}
	for _, m := range g.mates {
		g.Logf("%s:\n%s", m.name, g.refs(m.name, every...))
	}
	g.Fatal("no agreement")
}

// A node is a commit of what all agreed upon.
type node struct {
	subject  string
	children []string
}

// history reads all commits of a clone, and by mark those that somebody made.
func (g *team) history(m *mate) (nodes map[string]*node, at map[string]string) {
	nodes, at = map[string]*node{}, map[string]string{}
	for l := range strings.Lines(g.w.Git(m.name, "log", "--topo-order", "--reverse", "--format=%H%x09%P%x09%s", "--glob=refs/sage/heads", "--glob=refs/sage/forks", "refs/sage/knowledge")) {
		f := strings.Split(strings.TrimSuffix(l, "\n"), "\t")
		nodes[f[0]] = &node{subject: f[2]}
		for _, p := range strings.Fields(f[1]) {
			nodes[p].children = append(nodes[p].children, f[0])
		}
		if mark := marked.FindString(f[2]); mark != "" && at[mark] == "" && !strings.HasPrefix(f[2], "remove ") && !strings.HasPrefix(f[2], "restore ") {
			at[mark] = f[0] // a join of it has the same
		}
	}
	return nodes, at
}

// check looks at what all agreed upon: nothing acknowledged is lost, nothing purged is left.
func (g *team) check(fsck int) {
	m := g.mates[0]
	nodes, at := g.history(m)
	for _, d := range g.deeds {
		if at[d.mark] == "" && !g.gone[d.mark] {
			g.Errorf("%s of %s is lost", d.mark, d.who)
		}
	}
	g.checkListed()
	g.checkItems(nodes, at)
	for _, dir := range append([]string{"hub.git"}, g.names()...) {
		if dir == "hub.git" {
			g.w.Git(dir, "gc", "-q", "--prune=now")
		}
		out := ""
		if len(g.purged) > 0 {
			out = g.w.Git(dir, "cat-file", "--batch-all-objects", "--batch")
		}
		for _, word := range g.purged {
			if at := strings.Index(out, word); at >= 0 {
				g.Errorf("%s still has %q: %s", dir, word, out[max(0, at-200):min(len(out), at+100)])
			}
		}
	}
	for _, k := range g.Perm(len(g.mates))[:fsck] {
		found, err := g.mates[k].person.Fsck.Findings(ctx)
		g.must(g.mates[k], err)
		for _, f := range found {
			if !f.Warning {
				g.Errorf("%s: %v", g.mates[k].name, f)
			}
		}
	}
	g.w.Git("hub.git", "fsck", "--full", "--strict")
}

func (g *team) names() (names []string) {
	for _, m := range g.mates {
		names = append(names, m.name)
	}
	return names
}

// checkListed checks that all clones list the same, what nobody removed, and nothing that
// nobody restored, but for one's own that only others removed.
func (g *team) checkListed() {
	want := ""
	for _, m := range g.mates {
		recs, err := m.person.Commits.Log(ctx, gitstore.Query{All: true})
		g.must(m, err)
		stay, err := m.person.Commits.RemovedElsewhere(ctx)
		g.must(m, err)
		var got []string
		for _, r := range recs {
			if i := slices.Index(stay, r.ID); i >= 0 {
				stay = slices.Delete(stay, i, i+1)
			} else if !r.IsJoin() { // which can have the description of one that was removed since
				got = append(got, r.ID+" "+r.Description)
			}
		}
		if len(stay) > 0 {
			g.Errorf("%s lists no more what others removed of theirs: %v", m.name, stay)
		}
		slices.Sort(got)
		list := strings.Join(got, "\n")
		if want == "" {
			want = list
		} else if list != want {
			g.Errorf("%s lists other checkpoints than %s:\n%s\n\n%s", m.name, g.mates[0].name, list, want)
		}
	}
	listed := map[string]bool{}
	for l := range strings.Lines(want) {
		listed[marked.FindString(strings.TrimSpace(l))] = true
	}
	for _, d := range g.deeds {
		if d.mark[0] != 's' || g.gone[d.mark] {
			continue
		}
		if state := g.buried[d.mark]; state == "" && !listed[d.mark] || state == "removed" && listed[d.mark] {
			g.Errorf("%s of %s: listed is %v, it was %q", d.mark, d.who, listed[d.mark], state)
		}
	}
}

// checkItems checks that each text of an item that nobody changed knowing it is there.
func (g *team) checkItems(nodes map[string]*node, at map[string]string) {
	list, err := g.mates[0].person.Knowledge.Items(ctx)
	g.must(g.mates[0], err)
	for _, e := range list {
		if e.Err != nil {
			g.Errorf("item %s: %v", e.Key, e.Err)
		}
	}
	for _, d := range g.deeds {
		if d.key == "" || at[d.mark] == "" || g.isSuperseded(d, nodes, at) {
			continue
		}
		final := strings.Join(g.itemTexts(g.mates[0], d.key), "\n")
		for _, text := range d.texts {
			if !strings.Contains(final, strings.TrimSpace(text)) {
				g.Errorf("%s of %s, which nobody changed, is not in %s: %q, but %q", d.mark, d.who, d.key, text, final)
			}
		}
	}
}

// isSuperseded reports whether somebody changed an item knowing a deed.
func (g *team) isSuperseded(d deed, nodes map[string]*node, at map[string]string) bool {
	knew := map[string]bool{}
	for todo := []string{at[d.mark]}; len(todo) > 0; {
		id := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !knew[id] {
			knew[id], todo = true, append(todo, nodes[id].children...)
		}
	}
	return slices.ContainsFunc(g.deeds, func(later deed) bool { return later.key == d.key && later.mark != d.mark && knew[at[later.mark]] })
}

// play has clones live and sync for some rounds, and then agree. In a round one clone does
// up to three things and syncs, another only lives.
func (g *team) play(rounds, purges, fsck int) {
	for n := range rounds {
		m := g.mates[n%len(g.mates)]
		if n >= len(g.mates) {
			m = g.one()
		}
		for range 1 + g.IntN(3) {
			g.live(m)
		}
		if g.IntN(3) > 0 {
			g.sync(m)
		} else {
			g.live(g.one())
		}
		if purges > 0 && n%(rounds/purges) == rounds/purges/2 {
			g.purge(g.one())
		}
	}
	g.agree()
	g.check(fsck)
	g.Logf("%d clones, %d deeds, %d purges; %d pushes were outraced, %d refs waited", len(g.mates), len(g.deeds), g.purges, g.outrun, g.waited)
}

// teamSeed is what TEAMSEED says, to play again what failed.
func teamSeed(t *testing.T, or uint64) uint64 {
	or = fromEnv(t, "TEAMSEED", or)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("TEAMSEED=%d go test ./gitstore -run '^%s$' plays this again", or, t.Name())
		}
	})
	return or
}

// fromEnv is the number that a variable of the environment says, if it is set.
func fromEnv(t *testing.T, name string, or uint64) uint64 {
	s := os.Getenv(name)
	if s == "" {
		return or
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Fifty clones of one remote, whose clocks are years off, agree on every ref in the end, and
// nothing acknowledged is lost.
func TestTeamAgrees(t *testing.T) {
	t.Parallel()
	newTeam(t, 50, teamSeed(t, 1)).play(50, 2, 3)
}
