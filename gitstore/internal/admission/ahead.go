package admission

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
)

// Objects that are asked for one after another cost two changes of processes each, and a look
// for a loose file. So long history is read ahead: all commits at once, then in parts what
// these bring, in the order in which they are judged and as far as judging will ask for it.
// One part is read while another is judged. What is read is judged as if it had been asked for,
// and what was not is asked for.
//
// To have git list the objects instead takes as long as to have it read them all: 0.3 s for
// 20,000 commits with as many trees and files.
const (
	aheadFrom  = 50      // commits; a fetch of fewer leaves loose files, which need no git
	aheadBytes = 4 << 20 // of a part; twice that are kept of one
	aheadMost  = 1000    // commits of a part
	aheadDepth = 4       // folders in each other, one more than FORMAT.md has
)

// An ahead reads what a list of commits brings.
type ahead struct {
	git    *git.Bulk
	size   int      // of an id, in bytes
	places bool     // files below the topmost folder are not read, see [Verifier.all]
	order  []string // commits to be read
	step   func(id string) step
	have   [2]part   // what was read last
	coming chan part // what follows, being read; nil if nothing is
}

// A part is objects by id, and for how many of the commits they are.
type part struct {
	objects map[string]git.Object
	commits int
	left    int // of those, before the next part is needed
}

// A step is what is read for a commit: its tree as it differs from those of its parents.
type step struct {
	text string // the commit itself, to be read; "" if that is known
	tree pair
}

// A pair is a tree, and those that lie at its place in the parents of its commit.
type pair struct {
	id    string
	bases []string
}

// object reads an object, of what was read ahead if it is there.
func (v *Verifier) object(id string) (git.Object, error) {
	for _, p := range v.ahead.have {
		if o, ok := p.objects[id]; ok {
			return o, nil
		}
	}
	return v.s.repo.Object(id)
}

// readCommits reads all commits behind the tip that is judged. What fails here is met again,
// and told, where it is asked for.
func (v *Verifier) readCommits() {
	last := len(v.tips) - 1
	revs := v.tips[last] + "\n"
	for _, known := range slices.Concat(v.tips[:last], v.behind) {
		revs += "^" + known + "\n"
	}
	out, err := v.s.repo.Git.Feed(v.ctx, []byte(revs), "rev-list", "--max-count="+fmt.Sprint(maxJudged), "--ignore-missing", "--missing=allow-any", "--stdin")
	if err != nil {
		return
	}
	_ = v.s.repo.Batch.Each(strings.Fields(string(out)), func(id string, o git.Object, err error) {
		if _, known := v.judged[id]; !known && err == nil {
			_, _ = v.parse(id, o)
		}
	})
}

// readAhead begins to read what some commits bring, which are judged in their order.
func (v *Verifier) readAhead(order []string) {
	if len(order) >= v.LongFrom {
		v.ahead = ahead{git: v.s.repo.Git.Bulk(), size: v.s.repo.IDSize(), places: v.all, order: order, step: v.step}
		v.ahead.start(v.LongFrom)
	}
}

// step is what is to be read for a commit.
func (v *Verifier) step(id string) (s step) {
	j := v.judged[id]
	s.tree.id = j.tree
	for _, p := range j.parents {
		if b, err := v.read(p); err == nil {
			s.tree.bases = append(s.tree.bases, b.tree)
		}
	}
	if _, told := v.told[id]; !told && !v.all && j.kind != record.KindKnowledge {
		s.text = id
	}
	return s
}

// advance says that one more commit is judged.
func (a *ahead) advance() {
	now := &a.have[1]
	if now.left--; now.left >= 0 || a.coming == nil {
		return
	}
	a.have[0], *now = *now, <-a.coming
	now.left = now.commits - 1
	size := 1
	for _, o := range now.objects {
		size += len(o.Data)
	}
	a.start(max(1, min(aheadMost, 2*now.commits, now.commits*aheadBytes/size)))
}

// start begins to read what the next commits bring, n of them at most.
func (a *ahead) start(n int) {
	n = min(n, len(a.order))
	if a.coming = nil; n == 0 {
		return
	}
	steps, before, out := make([]step, n), a.have[1].objects, make(chan part, 1)
	for i := range steps {
		steps[i] = a.step(a.order[i])
	}
	a.coming, a.order = out, a.order[n:]
	go func() { out <- a.read(steps, before) }()
}

// end ends what is being read.
func (a *ahead) end() {
	if a.coming != nil {
		<-a.coming
	}
	if a.git != nil {
		_ = a.git.Close()
	}
	*a = ahead{}
}

// read reads what steps bring, beside what the part before has: the trees of all, then what
// lies below these and in none of their bases, a level at a time.
func (a *ahead) read(steps []step, before map[string]git.Object) part {
	p := part{objects: map[string]git.Object{}, commits: len(steps)}
	var files []string
	var pairs []pair
	for _, s := range steps {
		if pairs = append(pairs, s.tree); s.text != "" {
			files = append(files, s.text)
		}
	}
	size := 0
	for depth := range aheadDepth {
		ids := files
		for _, t := range pairs {
			ids = append(append(ids, t.id), t.bases...)
		}
		asked := make(map[string]bool, len(ids))
		ids = slices.DeleteFunc(ids, func(id string) bool {
			_, was := before[id]
			_, is := p.objects[id]
			known := was || is || asked[id]
			asked[id] = true
			return known
		})
		err := a.git.Each(ids, func(id string, o git.Object, err error) {
			if err == nil && size+len(o.Data) <= 2*aheadBytes {
				size += len(o.Data)
				p.objects[id] = o
			}
		})
		if files, pairs = a.below(pairs, !a.places || depth == 0, func(id string) []byte {
			o, ok := p.objects[id]
			if !ok {
				o = before[id]
			}
			if o.Type != "tree" {
				return nil // as what is missing, or was too much to keep
			}
			return o.Data
		}); err != nil || len(files)+len(pairs) == 0 {
			break
		}
	}
	return p
}

// below is what lies in trees and not in their bases, the files if these are wanted.
func (a *ahead) below(pairs []pair, wanted bool, tree func(id string) []byte) (files []string, dirs []pair) {
	for _, t := range pairs {
		if slices.Contains(t.bases, t.id) {
			continue
		}
		var bases [][]byte
		for _, b := range t.bases {
			bases = append(bases, tree(b))
		}
		if slices.ContainsFunc(bases, func(b []byte) bool { return b == nil }) {
			continue // all would seem new
		}
		gittree.Changed(tree(t.id), bases, a.size, func(e gittree.Raw, before [][]byte) bool {
			switch id := hex.EncodeToString(e.ID); {
			case e.IsDir():
				d := pair{id: id}
				for _, b := range before {
					d.bases = append(d.bases, hex.EncodeToString(b))
				}
				dirs = append(dirs, d)
			case wanted:
				files = append(files, id)
			}
			return true
		})
	}
	return files, dirs
}
