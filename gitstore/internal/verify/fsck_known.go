package verify

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// was is the last value of a ref that somebody remembers.
type was struct {
	id     string
	when   time.Time     // zero where nobody says
	source string        // who remembers: "the journal", "the log of the ref", ...
	may    journal.Entry // of the journal
}

// remembered are the last readable values of a ref, newest source first, without
// those that a later one contains. One is what the ref should be; with several
// only a person can tell.
func (k *checker) remembered(name string) []was {
	var all []was
	add := func(w was) bool {
		if w.id == "" || !k.fits(name, w.id) {
			return false
		}
		if !slices.ContainsFunc(all, func(o was) bool { return o.id == w.id }) {
			all = append(all, w)
		}
		return true
	}
	add(k.known[name])
	for _, w := range k.logged(name) { // newest first: the first that can be read
		if add(w) {
			break
		}
	}
	add(k.backedUp(name))
	add(was{id: k.packed(name), source: "packed-refs"})
	add(was{id: k.beneath(name), source: "the history of its tip"})
	return slices.DeleteFunc(slices.Clone(all), func(w was) bool {
		return slices.ContainsFunc(all, func(o was) bool { return o.id != w.id && k.contains(o.id, w.id) })
	})
}

// foreignMost bounds how many commits of others are looked under.
const foreignMost = 100

// beneath is the newest commit of ours that a foreign one on a ref was put upon,
// or "".
func (k *checker) beneath(name string) string {
	at := k.idOf(name)
	for range foreignMost {
		o, err := k.anywhere(at)
		if err != nil || o.Type != "commit" || k.fits(name, at) {
			break
		}
		r := record.Record{ID: at}
		if r.ParseCommit(o.Data); len(r.Parents) == 0 {
			return ""
		}
		at = r.Parents[0]
	}
	return at
}

// fits reports whether id is a commit that a ref of this name may point to.
func (k *checker) fits(name, id string) bool {
	if k.s.rewritten.StandIn(id) != id { // a purge took it away for good
		return false
	}
	o, err := k.anywhere(id)
	r := record.Record{ID: id}
	return err == nil && o.Type == "commit" && r.ParseCommit(o.Data) && (r.Kind == "knowledge") == (name == repo.KnowledgeRef)
}

// contains reports whether history from id leads to old, also where parts of it
// lie elsewhere.
func (k *checker) contains(id, old string) bool {
	seen := map[string]bool{}
	for todo := []string{id}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == old {
			return true
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		if o, err := k.anywhere(at); err == nil {
			r := record.Record{ID: at}
			r.ParseCommit(o.Data)
			todo = append(todo, r.Parents...)
		}
	}
	return false
}

// logged are the values in the log of a ref, newest first. Torn lines are passed
// over.
func (k *checker) logged(name string) (out []was) {
	b, err := fsx.ReadFile(filepath.Join(k.s.repo.Where.CommonDir, "logs", filepath.FromSlash(name)))
	if err != nil {
		return nil
	}
	for line := range bytes.Lines(b) {
		f := strings.Fields(string(line))
		if len(f) < 2 || len(f[0]) != len(f[1]) || !k.isID(f[1]) {
			continue
		}
		out = append(out, was{id: f[1], when: repo.LoggedAt(string(line)), source: "the log of the ref"})
	}
	slices.Reverse(out)
	return out
}

// A logged move is what the log of a ref says of the commit that it went to.
type logged struct {
	about  string // the description of the commit
	before string // what the ref was until then: its first parent; "" is none
}

// heard is what the logs of our refs say of a commit, also when it is gone.
func (k *checker) heard(id string) logged {
	if k.rumour == nil {
		k.rumour = map[string]logged{}
		_ = fsx.WalkDir(filepath.Join(k.s.repo.Where.CommonDir, "logs", "refs", "sage"), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				b, _ := fsx.ReadFile(path)
				for line := range bytes.Lines(b) {
					k.hear(repo.Text(line))
				}
			}
			return nil
		})
	}
	return k.rumour[id]
}

func (k *checker) hear(line string) {
	head, said, _ := strings.Cut(line, "\t")
	f := strings.Fields(head)
	if len(f) < 2 || !k.isID(f[1]) {
		return
	}
	l := k.rumour[f[1]]
	if _, about, ok := strings.Cut(strings.TrimPrefix(said, "sage: "), ": "); ok {
		l.about = about
	}
	if k.isID(f[0]) {
		l.before = f[0]
	}
	k.rumour[f[1]] = l
}

// isID reports whether s is an id of this repository, and not the one that
// stands for none.
func (k *checker) isID(s string) bool {
	zero := k.s.repo.Objects.Zero()
	return len(s) == len(zero) && s != zero && record.IsHex(s)
}

// packed is the value that packed-refs has for a ref, or "".
func (k *checker) packed(name string) string {
	b, _ := fsx.ReadFile(filepath.Join(k.s.repo.Where.CommonDir, "packed-refs"))
	for line := range bytes.Lines(b) {
		if id, n, ok := strings.Cut(repo.Text(line), " "); ok && n == name && k.isID(id) {
			return id
		}
	}
	return ""
}
