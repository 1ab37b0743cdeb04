package gitstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// A cleaner rewrites history: what a purge asks for, and what earlier purges did.
// Its work is a function of history, the records and the rule alone, so that two
// clones make the same commits. It writes nothing; what it made is in made.
type cleaner struct {
	s     *Store
	rule  rule
	known fates // by earlier purges
	kins  map[string]kin
	clean map[string]bool
	dry   bool            // nothing of what is made will be written
	notes map[string]bool // commits of the notes ref, which have no message of ours

	commits map[string][]string // what each commit became: mostly one
	trees   map[string]string
	files   map[string]string // "" is gone
	traces  map[string]trace
	old     map[string][]treeEntry // by tree: the files in it that a purge changed
	diffs   map[string][]string
	made    map[string]loose.Object
	did     fates // what this run changed
	hits    []hit
	unread  error // why an object could not be read that is there
	ctx     context.Context
	strange map[string]bool // what records put in the place of something, and is no memory; nil before that is asked

	warmed map[string]git.Object // commits and trees that were just read and found good
	spared map[string]struct{}   // files that the pattern leaves as they are, by id and form
}

// A rule is what one purge takes out.
type rule struct {
	drop    map[string]bool // commits
	path    string          // a file or folder of the knowledge tree
	foreign bool            // what is no memory
	gone    map[string]bool // files that ever lay at path
	match   matcher         // nil is nothing
	hint    *regexp.Regexp  // what is found in every text that match finds something in, see hintOf; may be nil
}

// A hit is a commit whose own content holds what is purged.
type hit struct{ id, description string }

func (s *Store) newCleaner(r rule) *cleaner {
	return &cleaner{
		s: s, rule: r, known: s.purges(), commits: map[string][]string{}, trees: map[string]string{}, files: map[string]string{},
		traces: map[string]trace{}, old: map[string][]treeEntry{}, diffs: map[string][]string{}, made: map[string]loose.Object{}, did: fates{}, notes: map[string]bool{}, spared: map[string]struct{}{},
	}
}

// run rewrites the history of tips, but for what clean tips reach, and says what
// each of tips became.
func (c *cleaner) run(ctx context.Context, tips, clean []string) (map[string][]string, error) {
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
		result[id] = c.commits[id]
	}
	return result, nil
}

// before learns what must be known before the first commit is worked on.
func (c *cleaner) before(ctx context.Context, revs string, clean bool) error {
	if !clean && c.rule.path == "" {
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
func (c *cleaner) history(ctx context.Context, revs string) ([]string, error) {
	out, err := c.s.git.Feed(ctx, []byte(revs), "rev-list", "--topo-order", "--reverse", "--ignore-missing", "--stdin")
	return strings.Fields(string(out)), err
}

// commit returns what takes the place of a commit: itself, another, or, where it
// leaves history, what it continued.
func (c *cleaner) commit(id string) ([]string, error) {
	if out, ok := c.commits[id]; ok {
		return out, nil
	}
	c.commits[id] = []string{id} // who comes back here by a circle of records stays
	out, err := c.judge(id)
	if err == nil {
		out, err = c.onward(id, out)
	}
	if err != nil {
		return nil, fmt.Errorf("commit %s: %w", short(id), err)
	}
	c.commits[id] = out
	return out, nil
}

func (c *cleaner) judge(id string) ([]string, error) {
	x, befell := c.known[id]
	if _, todo := c.clean[id]; c.clean != nil && !todo && !befell {
		return []string{id}, nil
	}
	raw, err := c.read(id)
	if err != nil && !befell {
		return []string{id}, nil // behind where a shallow clone ends
	}
	old := parseRaw(id, raw.Data)
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
	if c.rule.foreign && raw.Type == "commit" && !old.ours && !c.notes[id] {
		return nil, nil // it stays where it is the user's
	}
	if raw.Type != "commit" || !old.ours && !c.notes[id] {
		return []string{id}, nil
	}
	parents, err := c.all(old.parents)
	if err != nil {
		return nil, err
	}
	if c.rule.foreign {
		parents = slices.DeleteFunc(parents, func(p string) bool { return c.isKnowledge(p) != (old.kind == kindKnowledge) })
	}
	k, rival := c.rivals(id)
	if rival && k.gone || x.gone {
		c.did[id] = fate{now: parents, gone: true}
		return parents, nil
	}
	if rival && id != k.ends[0] {
		now, err := c.commit(k.ends[0])
		if err == nil && len(now) == 1 && now[0] != id {
			c.did[id] = fate{now: now}
		}
		return now, err
	}
	if c.rule.drop[id] {
		c.drop(old, parents)
		return parents, nil
	}
	return c.rewrite(old, parents)
}

// recorded is what the records name in place of a commit that has this fate, if that
// is here, or what became of it in turn. What a purge of somebody else's made may not
// have come along; what one of ours made in its place counts then.
func (c *cleaner) recorded(x fate) ([]string, bool) {
	if c.leads(x, map[string]bool{}) {
		return x.now, true
	}
	for _, id := range x.rivals {
		if now := []string{id}; !x.gone && c.leads(fate{now: now}, map[string]bool{}) {
			return now, true
		}
	}
	return nil, false
}

func (c *cleaner) leads(x fate, seen map[string]bool) bool {
	for _, id := range x.now {
		next := c.known[id]
		if seen[id] || !c.holdsAny([]string{id}) && (!next.old() || !c.leads(next, seen)) {
			return false
		}
		seen[id] = true
	}
	return x.old()
}

// onward follows what was made of a commit where it turned out to be one that was
// purged in its turn.
func (c *cleaner) onward(id string, made []string) ([]string, error) {
	if !slices.ContainsFunc(made, func(n string) bool { return n != id && c.known[n].old() }) {
		return made, nil
	}
	return c.all(made)
}

// holdsAny reports whether the commits are here. Where a record names what did not
// come along, the old commit is worked on anew, which ends in the same. What is no memory
// counts as not here.
func (c *cleaner) holdsAny(ids []string) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { _, err := c.read(id); return err != nil || c.isStrange(id) })
}

// isStrange reports whether a record puts what is no memory in the place of something.
// When the record came that may not have been here: an id is known before its object is
// staged, or fetched from another clone.
func (c *cleaner) isStrange(id string) bool {
	if c.strange == nil {
		var err error
		if c.strange, err = c.s.strange(c.ctx, c.known); err != nil {
			c.unread = cmp.Or(c.unread, err)
			return true
		}
	}
	return c.strange[id]
}

// read reads an object of the repository. One that is missing may lie behind the end
// of a shallow clone, and is an answer; one that cannot be read may hold what is to
// go, and ends the run: taken for missing it would stay, and nobody be told.
func (c *cleaner) read(id string) (git.Object, error) {
	if o, ok := c.warmed[id]; ok {
		return o, nil
	}
	o, err := c.s.object(id)
	if errors.Is(err, git.ErrMissing) {
		if _, there := fsx.Lstat(c.s.objectFile(id)); there == nil { // as git says of one that is damaged, too
			err = fmt.Errorf("object %s is %w; run 'git sage fsck'", short(id), errDamaged)
		}
	}
	return c.noted(o, err)
}

func (c *cleaner) noted(o git.Object, err error) (git.Object, error) {
	if err != nil && !errors.Is(err, git.ErrMissing) && c.unread == nil {
		c.unread = err
	}
	return o, err
}

// all is what takes the place of several commits, each once.
func (c *cleaner) all(ids []string) (out []string, err error) {
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

func (c *cleaner) isKnowledge(id string) bool {
	o, err := c.get(id)
	return err == nil && parseRaw(id, o.Data).kind == kindKnowledge
}

func (c *cleaner) drop(old rawCommit, parents []string) {
	c.did[old.id] = fate{now: parents, gone: true}
	c.hits = append(c.hits, hit{old.id, old.subject()})
}

func (c *cleaner) rewrite(old rawCommit, parents []string) ([]string, error) {
	next := old
	next.parents = parents
	var err error
	if old.kind == KindTombstone {
		var empty bool
		if next, empty, err = c.tombstone(next); err != nil {
			return nil, err
		}
		if empty {
			c.did[old.id] = fate{now: parents, gone: true}
			return parents, nil
		}
	}
	if next.tree == old.tree && !c.treesStay() {
		if next.tree, err = c.tree(old.tree, "", c.site(old)); err != nil {
			return nil, err
		}
	}
	k, rival := c.rivals(old.id)
	if rival {
		if err := c.meetWords(&next, k.ends); err != nil {
			return nil, err
		}
	}
	if err := c.words(old, &next, rival); err != nil {
		return nil, err
	}
	own := next.tree != old.tree || next.head != old.head || next.message != old.message
	if own && !c.notes[old.id] {
		c.hits = append(c.hits, hit{old.id, next.subject()})
	}
	if !own && slices.Equal(next.parents, old.parents) {
		return []string{old.id}, nil
	}
	o := c.add("commit", next.encode())
	c.did[old.id] = fate{now: []string{o}}
	return []string{o}, nil
}

func (c *cleaner) add(typ string, data []byte) string {
	o := c.s.objects.New(typ, data)
	if c.made[o.ID] = o; c.dry && typ == "commit" { // which nobody reads again
		c.made[o.ID] = loose.Object{ID: o.ID, Type: typ}
	}
	return o.ID
}

// get reads an object of the repository, or one that was just made.
func (c *cleaner) get(id string) (loose.Object, error) {
	if o, ok := c.made[id]; ok {
		return o, nil
	}
	o, err := c.read(id)
	return loose.Object{ID: id, Type: o.Type, Data: o.Data}, err
}

// errShape says that a pattern matches the form of our files.
var errShape = errors.New("the pattern matches the form of a checkpoint and not only its text: choose a narrower one")
