package gitstore

import (
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// object reads an object by its id, or <id>:<path> below a commit or tree. What lies loose,
// as most of what was saved lately does, is read here, any other through git: to start
// one takes 2 to 3 ms of a hook's 15.
func (s *Store) object(name string) (git.Object, error) {
	if o, ok, err := s.looseAt(name); ok {
		return git.Object(o), err
	}
	return s.batch.Get(name)
}

// fewAsked is up to how many objects are looked for as files of their own, before git
// is asked: of more it reads these as well.
const fewAsked = 200

// eachObject calls fn with every object in turn, or with why it cannot be read.
func (s *Store) eachObject(ids []string, fn func(id string, o git.Object, err error)) error {
	if len(ids) >= fewAsked {
		return s.batch.Each(ids, fn)
	}
	for i, id := range ids {
		o, ok := s.looseByID(id)
		if !ok {
			return s.batch.Each(ids[i:], fn)
		}
		fn(id, git.Object(o), nil)
	}
	return nil
}

// looseAt is object as far as loose objects tell; ok is false where git has to be asked.
func (s *Store) looseAt(name string) (o loose.Object, ok bool, err error) {
	id, path, below := strings.Cut(name, ":")
	switch {
	case id == s.objects.Zero(): // of no commit, see knowledge
		return o, true, git.ErrMissing
	case !below:
		o, ok = s.looseByID(id)
		return o, ok, nil
	case path == "":
		o, ok = s.looseTreeOf(id)
		return o, ok, nil
	}
	for part := range strings.SplitSeq(path, "/") {
		entries, ok := s.looseTree(id)
		if !ok || part == "" || part == "." || part == ".." {
			return o, false, nil
		}
		i := slices.IndexFunc(entries, func(e treeEntry) bool { return e.name == part })
		if i < 0 {
			return o, true, git.ErrMissing
		}
		id = entries[i].id
	}
	o, ok = s.looseByID(id)
	return o, ok, nil
}

// looseTree is a tree, or that of a commit.
func (s *Store) looseTree(id string) ([]treeEntry, bool) {
	if entries, ok := s.trees.get(id); ok {
		return entries, true
	}
	o, ok := s.looseTreeOf(id)
	if !ok {
		return nil, false
	}
	entries := parseTree(o.Data, s.idSize())
	s.trees.put(id, entries)
	return entries, true
}

func (s *Store) looseTreeOf(id string) (loose.Object, bool) {
	o, ok := s.looseByID(id)
	if ok && o.Type == "commit" {
		o, ok = s.looseByID(treeOf(o.Data))
	}
	return o, ok && o.Type == "tree"
}

// A treeCache has the trees that were read last: the way to fifty items goes through the
// same two, which takes 8 ms for a store of 10,000 without it.
type treeCache struct {
	mu   sync.Mutex
	byID map[string][]treeEntry
}

// mostTrees bounds a cache; then it begins anew.
const mostTrees = 64

func (c *treeCache) get(id string) ([]treeEntry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, ok := c.byID[id]
	return entries, ok
}

func (c *treeCache) put(id string, entries []treeEntry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil || len(c.byID) >= mostTrees {
		c.byID = map[string][]treeEntry{}
	}
	c.byID[id] = entries
}

func (s *Store) looseByID(id string) (loose.Object, bool) {
	if !s.isID(id) {
		return loose.Object{}, false
	}
	return s.objects.Read(id)
}

// isID says whether a text is a whole id, as objects have them here.
func (s *Store) isID(id string) bool { return len(id) == len(s.objects.Zero()) && isHex(id) }
