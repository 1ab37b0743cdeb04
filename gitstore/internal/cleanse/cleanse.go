package cleanse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
	"github.com/git-sage/git-sage/gitstore/internal/objects"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// A Cleaner rewrites history: what a purge asks for, and what earlier purges did.
// Its work is a function of history, the records and the rule alone, so that two
// clones make the same commits. It writes nothing; what it made is in made.
type Cleaner struct {
	s     *Cleanser
	Rule  Rule
	Known rewritten.Replacements // by earlier purges
	kins  map[string]rewritten.ConflictingRewrites
	clean map[string]bool
	Dry   bool            // nothing of what is made will be written
	Notes map[string]bool // commits of the notes ref, which have no message of ours

	Commits map[string][]string // what each commit became: mostly one
	trees   map[string]string
	files   map[string]string // "" is gone
	traces  map[string]trace
	old     map[string][]gittree.Entry // by tree: the files in it that a purge changed
	diffs   map[string][]string
	made    map[string]loose.Object
	Did     rewritten.Replacements // what this run changed
	Lay     map[string]bool        // paths below that of the rule at which files lay, and whether all go
	now     map[string]bool        // files that are there now and stay, see [Rule.Past]
	Hits    []hit
	unread  error // why an object could not be read that is there
	ctx     context.Context
	strange map[string]bool // what records put in the place of something, and is no memory; nil before that is asked

	warmed map[string]git.Object // commits and trees that were just read and found good
	spared map[string]struct{}   // files that the pattern leaves as they are, by id and form
}

// A Rule is what one purge takes out.
type Rule struct {
	Drop    map[string]bool // commits
	Path    string          // a file or folder of the knowledge tree
	Past    bool            // but for what lies there now
	Foreign bool            // what is no memory
	gone    map[string]bool // files that ever lay at path
	Match   Matcher         // nil is nothing
	Hint    string          // a word in every text that match finds something in, see HintOf; "" if none is known

	// Left is, with Past, the file that is shown in the place of what lies at a path, as its user
	// left it; "" is none.
	Left func(path string) string
}

// A hit is a commit whose own content holds what is purged.
type hit struct{ ID, Description string }

func (cl *Cleanser) NewCleaner(r Rule) *Cleaner {
	return &Cleaner{
		s: cl, Rule: r, Known: cl.rewritten.Purges(), Commits: map[string][]string{}, trees: map[string]string{}, files: map[string]string{},
		traces: map[string]trace{}, old: map[string][]gittree.Entry{}, diffs: map[string][]string{}, made: map[string]loose.Object{}, Did: rewritten.Replacements{}, Notes: map[string]bool{}, spared: map[string]struct{}{},
	}
}

// Run rewrites the history of tips, but for what clean tips reach, and says what
// each of tips became.
func (c *Cleaner) Run(ctx context.Context, tips, clean []string) (map[string][]string, error) {
	c.ctx, c.strange = ctx, nil
	var in strings.Builder
	for _, id := range tips {
		in.WriteString(id + "\n")
	}
	for _, id := range clean {
		in.WriteString("^" + id + "\n")
	}
	if err := c.before(ctx, in.String(), len(clean) > 0); err != nil {
		return nil, err
	}
	whole, err := c.glance(ctx, in.String())
	if err != nil {
		return nil, err
	}
	todo := tips
	if !whole {
		if todo, err = c.history(ctx, in.String()); err != nil {
			return nil, err
		}
		todo = append(todo, tips...)
	}
	for _, id := range todo {
		if err := c.one(ctx, id); err != nil {
			return nil, err
		}
	}
	result := map[string][]string{}
	for _, id := range tips {
		result[id] = c.Commits[id]
	}
	return result, nil
}

// before learns what must be known before the first commit is worked on.
func (c *Cleaner) before(ctx context.Context, revs string, clean bool) error {
	if !clean && c.Rule.Path == "" {
		return nil
	}
	todo, err := c.history(ctx, revs)
	if err != nil {
		return err
	}
	if clean {
		c.clean = map[string]bool{}
		for _, id := range todo {
			c.clean[id] = false
		}
	}
	return c.filesAt(todo)
}

// history lists commits, the oldest first.
func (c *Cleaner) history(ctx context.Context, revs string) ([]string, error) {
	out, err := c.s.repo.Git.Feed(ctx, []byte(revs), "rev-list", "--topo-order", "--reverse", "--ignore-missing", "--stdin")
	return strings.Fields(string(out)), err
}

// commit returns what takes the place of a commit: itself, another, or, where it
// leaves history, what it continued.
func (c *Cleaner) commit(id string) ([]string, error) {
	if out, ok := c.Commits[id]; ok {
		return out, nil
	}
	c.Commits[id] = []string{id} // who comes back here by a circle of records stays
	out, err := c.judge(id)
	if err == nil {
		out, err = c.onward(id, out)
	}
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", record.Short(id), err)
	}
	c.Commits[id] = out
	return out, nil
}

func (c *Cleaner) judge(id string) ([]string, error) {
	x, befell := c.Known[id]
	if _, todo := c.clean[id]; c.clean != nil && !todo && !befell {
		return []string{id}, nil
	}
	raw, err := c.read(id)
	if err != nil && !befell {
		return []string{id}, nil // behind where a shallow clone ends
	}
	old := ParseRaw(id, raw.Data)
	if err == nil && (befell || raw.Type == "commit") {
		if err := c.look(old); err != nil {
			return nil, err
		}
	}
	if befell {
		if now, ok := c.recorded(x); ok {
			return c.all(now)
		}
	}
	if c.Rule.Foreign && raw.Type == "commit" && !old.Ours && !c.Notes[id] {
		return nil, nil // it stays where it is the user's
	}
	if raw.Type != "commit" || !old.Ours && !c.Notes[id] {
		return []string{id}, nil
	}
	parents, err := c.all(old.Parents)
	if err != nil {
		return nil, err
	}
	if c.Rule.Foreign {
		parents = slices.DeleteFunc(parents, func(p string) bool { return c.isKnowledge(p) != (old.kind == record.KindKnowledge) })
	}
	k, rival := c.rivals(id)
	if rival && k.Gone || x.Gone {
		c.Did[id] = rewritten.Replacement{Now: parents, Gone: true}
		return parents, nil
	}
	if rival && id != k.Final[0] {
		now, err := c.commit(k.Final[0])
		if err == nil && len(now) == 1 && now[0] != id {
			c.Did[id] = rewritten.Replacement{Now: now}
		}
		return now, err
	}
	if c.Rule.Drop[id] {
		c.drop(old, parents)
		return parents, nil
	}
	return c.rewrite(old, parents)
}

// recorded is what the records name in place of a commit that was replaced, if that
// is here, or what became of it in turn. What a purge of somebody else's made may not
// have come along; what one of ours made in its place counts then.
func (c *Cleaner) recorded(x rewritten.Replacement) ([]string, bool) {
	if c.leads(x, map[string]bool{}) {
		return x.Now, true
	}
	for _, id := range x.Conflicts {
		if now := []string{id}; !x.Gone && c.leads(rewritten.Replacement{Now: now}, map[string]bool{}) {
			return now, true
		}
	}
	return nil, false
}

func (c *Cleaner) leads(x rewritten.Replacement, seen map[string]bool) bool {
	for _, id := range x.Now {
		next := c.Known[id]
		if seen[id] || !c.holdsAny([]string{id}) && (!next.Old() || !c.leads(next, seen)) {
			return false
		}
		seen[id] = true
	}
	return x.Old()
}

// onward follows what was made of a commit where it turned out to be one that was
// purged in its turn.
func (c *Cleaner) onward(id string, made []string) ([]string, error) {
	if !slices.ContainsFunc(made, func(n string) bool { return n != id && c.Known[n].Old() }) {
		return made, nil
	}
	return c.all(made)
}

// holdsAny reports whether the commits are here. Where a record names what did not
// come along, the old commit is worked on anew, which ends in the same. What is no memory
// counts as not here.
func (c *Cleaner) holdsAny(ids []string) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { _, err := c.read(id); return err != nil || c.isStrange(id) })
}

// isStrange reports whether a record puts what is no memory in the place of something.
// When the record came that may not have been here: an id is known before its object is
// staged, or fetched from another clone.
func (c *Cleaner) isStrange(id string) bool {
	if c.strange == nil {
		var err error
		if c.strange, err = c.s.admission.Strange(c.ctx, c.Known); err != nil {
			c.unread = cmp.Or(c.unread, err)
			return true
		}
	}
	return c.strange[id]
}

// read reads an object of the repository. One that is missing may lie behind the end
// of a shallow clone, and is an answer; one that cannot be read may hold what is to
// go, and ends the run: taken for missing it would stay, and nobody be told.
func (c *Cleaner) read(id string) (git.Object, error) {
	if o, ok := c.warmed[id]; ok {
		return o, nil
	}
	o, err := c.s.repo.Object(id)
	if errors.Is(err, git.ErrMissing) {
		if _, there := fsx.Lstat(c.s.repo.ObjectFile(id)); there == nil { // as git says of one that is damaged, too
			err = repo.Unsoundf("object %s is %w", record.Short(id), objects.ErrOtherBytes)
		}
	}
	return c.noted(o, err)
}

func (c *Cleaner) noted(o git.Object, err error) (git.Object, error) {
	if err != nil && !errors.Is(err, git.ErrMissing) && c.unread == nil {
		c.unread = err
	}
	return o, err
}

// all is what takes the place of several commits, each once.
func (c *Cleaner) all(ids []string) (out []string, err error) {
	for _, id := range ids {
		now, err := c.commit(id)
		if err != nil {
			return nil, err
		}
		for _, n := range now {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out, nil
}

func (c *Cleaner) isKnowledge(id string) bool {
	o, err := c.Get(id)
	return err == nil && ParseRaw(id, o.Data).kind == record.KindKnowledge
}

func (c *Cleaner) drop(old rawCommit, parents []string) {
	c.Did[old.id] = rewritten.Replacement{Now: parents, Gone: true}
	c.Hits = append(c.Hits, hit{old.id, old.subject()})
}

func (c *Cleaner) rewrite(old rawCommit, parents []string) ([]string, error) {
	next := old
	next.Parents = parents
	var err error
	if old.kind == record.KindTombstone {
		var empty bool
		if next, empty, err = c.tombstone(next); err != nil {
			return nil, err
		}
		if empty {
			c.Did[old.id] = rewritten.Replacement{Now: parents, Gone: true}
			return parents, nil
		}
	}
	if next.Tree == old.Tree && (!c.treesStay() || c.Notes[old.id]) {
		if next.Tree, err = c.tree(old.Tree, "", c.site(old)); err != nil {
			return nil, err
		}
	}
	k, rival := c.rivals(old.id)
	if rival {
		if err := c.meetWords(&next, k.Final); err != nil {
			return nil, err
		}
	}
	if err := c.words(old, &next, rival); err != nil {
		return nil, err
	}
	own := next.Tree != old.Tree || next.head != old.head || next.Message != old.Message
	if own && !c.Notes[old.id] {
		c.Hits = append(c.Hits, hit{old.id, next.subject()})
	}
	if !own && slices.Equal(next.Parents, old.Parents) {
		return []string{old.id}, nil
	}
	o := c.add("commit", next.encode())
	c.Did[old.id] = rewritten.Replacement{Now: []string{o}}
	return []string{o}, nil
}

func (c *Cleaner) add(typ string, data []byte) string {
	o := c.s.repo.Objects.New(typ, data)
	if c.made[o.ID] = o; c.Dry && typ == "commit" { // which nobody reads again
		c.made[o.ID] = loose.Object{ID: o.ID, Type: typ}
	}
	return o.ID
}

// Get reads an object of the repository, or one that was just made.
func (c *Cleaner) Get(id string) (loose.Object, error) {
	if o, ok := c.made[id]; ok {
		return o, nil
	}
	o, err := c.read(id)
	return loose.Object{ID: id, Type: o.Type, Data: o.Data}, err
}

// errShape says that a pattern matches the form of our files.
var errShape = errors.New("the pattern also matches the structure of checkpoints; choose a narrower one")
