package purge

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/admission"
	"github.com/git-sage/git-sage/gitstore/internal/bulk"
	"github.com/git-sage/git-sage/gitstore/internal/cleanse"
	"github.com/git-sage/git-sage/gitstore/internal/git"
	"github.com/git-sage/git-sage/gitstore/internal/gittree"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
)

// doomed finds the objects that are to go: what purges replaced, and what
// of ours a killed or beaten save left that holds the same. Nothing goes that a ref,
// a log, an index, a HEAD of any work tree or what git is in the middle of reaches, and
// nothing that an object of the user's refers to, be it reachable or not. A record that
// came from elsewhere can name anything of the user's: what it names goes only if it is
// ours by its form.
type doomed struct {
	p      *purge
	known  rewritten.Replacements
	begun  map[string]bool
	loose  map[string]string   // by id: the type of every object that nothing reaches
	below  map[string][]string // what such an object refers to
	doomed map[string]bool
	left   []PurgeLeft
}

// doomed looks for them.
func (p *purge) doomed(ctx context.Context) (*doomed, error) {
	d := &doomed{p: p, known: p.s.rewritten.Purges(), begun: p.s.readPurging().objects, loose: map[string]string{}, below: map[string][]string{}, doomed: map[string]bool{}}
	if err := d.unreachable(ctx); err != nil {
		return d, fmt.Errorf("find unreachable objects: %w", err)
	}
	first, err := d.first(ctx)
	if err != nil {
		return d, err
	}
	for _, id := range first {
		d.doom(id, d.mine(id))
	}
	if err := d.spread(); err != nil {
		return d, err
	}
	d.spare()
	return d, ctx.Err()
}

// first are those that are to go for what they are, and not for what they hang on.
// All of them are read, in bulk where there are many.
func (d *doomed) first(ctx context.Context) (first []string, err error) {
	judge := func(id, typ string, data []byte, err error) {
		if d.mine(id) || err == nil && (d.befell(id) && d.isMemory(typ, data) || d.holds(typ, data)) { // git fsck names what is damaged
			first = append(first, id)
		} else if err == nil && d.befell(id) {
			d.left = append(d.left, PurgeLeft{Name: id, Why: "listed as purged, but not a memory object and maybe yours; no branch holds it, so 'git prune' removes it"})
		}
	}
	read, whole := map[string]bool{}, false
	for part := range bulk.Listed(ctx, d.p.s.repo.Git, &whole, d.list) {
		for _, o := range part {
			d.refer(o.ID, o.Typ, o.Data)
			judge(o.ID, o.Typ, o.Data, nil)
			read[o.ID] = true
		}
	}
	for id, typ := range d.loose {
		if read[id] {
			continue
		}
		data, err := d.read(id, typ)
		if err != nil {
			data, err = d.read(id, typ) // the git that was asked may have been killed
		}
		if err != nil && d.befell(id) { // what it refers to would stay
			return nil, fmt.Errorf("read the objects to remove: %w", err)
		}
		judge(id, typ, data, err)
	}
	return first, nil
}

// list writes the ids of what has to be read.
func (d *doomed) list(_ context.Context, to io.Writer) error {
	out := bufio.NewWriter(to)
	for id, typ := range d.loose {
		if d.mustRead(id, typ) {
			if _, err := out.WriteString(id + "\n"); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// mustRead reports whether what an object holds counts: a blob refers to nothing.
func (d *doomed) mustRead(id, typ string) bool {
	return typ != "blob" || d.p.clean.Rule.Match != nil || d.befell(id)
}

// befell reports whether any record names an object.
func (d *doomed) befell(id string) bool { _, ok := d.known[id]; return ok }

// mine reports whether a purge of this clone took an object out of history.
func (d *doomed) mine(id string) bool {
	_, now := d.p.clean.Did[id]
	return now || d.begun[id]
}

// isMemory tells our commits and files from the user's by their form. What a record names
// and holds what this purge is to take out may be of one that was killed; so may a note.
func (d *doomed) isMemory(typ string, data []byte) bool {
	again := d.p.clean.Rule.Match
	switch {
	case typ == "commit":
		return cleanse.ParseRaw("", data).Ours || again != nil && strings.HasPrefix(cleanse.ParseRaw("", data).Message, "Notes ")
	case typ != "blob":
		return false
	}
	return admission.ReadsAs("", data) || again != nil && len(again(string(data))) > 0
}

// mayGo reports whether a folder or file that hangs on a commit of ours is ours by its
// form: who sends that can have it hold any.
func (d *doomed) mayGo(id string) bool {
	if d.mine(id) {
		return true
	}
	o, err := d.p.s.repo.Object(id)
	if err != nil {
		return errors.Is(err, git.ErrMissing)
	}
	if d.loose[id] == "blob" {
		return d.isMemory("blob", o.Data)
	}
	return !slices.ContainsFunc(gittree.Parse(o.Data, d.p.s.repo.IDSize()), func(e gittree.Entry) bool {
		return e.Mode != gittree.ModeDir && (e.Mode != gittree.ModeFile || !admission.IsNamed(e.Name, ".md") && !admission.IsNamed(e.Name, ".yaml") && !record.IsHex(e.Name))
	})
}

// unreachable lists the objects that nothing reaches.
func (d *doomed) unreachable(ctx context.Context) error {
	seed := maphash.MakeSeed() // nobody can make an id that is taken for another
	var reached []uint64       // two million take 16 MB
	err := git.Lines(func(out io.Writer) error {
		noted := strings.NewReader(strings.Join(d.p.s.admission.NotedIDs(), "\n") + "\n")
		return d.p.s.repo.Git.Pipe(ctx, noted, out, "rev-list", "--objects", "--no-object-names", "--all", "--reflog", "--indexed-objects", "--missing=allow-any", "--ignore-missing", "--stdin")
	}, func(l []byte) { reached = append(reached, maphash.Bytes(seed, l)) })
	if err != nil {
		return err
	}
	slices.Sort(reached)
	return git.Lines(func(out io.Writer) error {
		return d.p.s.repo.Git.Pipe(ctx, nil, out, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname) %(objecttype)")
	}, func(l []byte) {
		id, typ, _ := bytes.Cut(l, []byte(" "))
		if _, ok := slices.BinarySearch(reached, maphash.Bytes(seed, id)); !ok {
			d.loose[string(id)] = string(typ)
		}
	})
}

// read reads an object and notes what it refers to.
func (d *doomed) read(id, typ string) ([]byte, error) {
	if !d.mustRead(id, typ) {
		return nil, nil
	}
	o, err := d.p.s.repo.Object(id)
	if err != nil {
		return nil, err
	}
	d.refer(id, typ, o.Data)
	return o.Data, nil
}

// refer notes what an object refers to.
func (d *doomed) refer(id, typ string, data []byte) {
	switch typ {
	case "commit":
		x := cleanse.ParseRaw(id, data)
		d.below[id] = append(slices.Clone(x.Parents), x.Tree)
	case "tree":
		for _, e := range gittree.Parse(data, d.p.s.repo.IDSize()) {
			d.below[id] = append(d.below[id], e.ID)
		}
	case "tag":
		first, _, _ := strings.Cut(string(data), "\n")
		d.below[id] = []string{strings.TrimPrefix(first, "object ")}
	}
}

// holds reports whether an object is one of ours by its form, and holds what the
// pattern matches.
func (d *doomed) holds(typ string, data []byte) bool {
	m := d.p.clean.Rule.Match
	return m != nil && isOurs(typ, data, d.p.s.repo.IDSize()) && len(m(string(searched(typ, data, d.p.s.repo.IDSize())))) > 0
}

// isOurs tells our objects from the user's by their form.
func isOurs(typ string, data []byte, idSize int) bool {
	switch typ {
	case "commit":
		return cleanse.ParseRaw("", data).Ours
	case "tree":
		e := gittree.Parse(data, idSize)
		return len(e) == 1 && e[0].Mode == gittree.ModeFile && (e[0].Name == "checkpoint.md" || e[0].Name == "tombstone.yaml")
	}
	return bytes.HasPrefix(data, []byte("---\ntype: checkpoint\n"))
}

// doom condemns an object and, of a commit or a folder, what only hangs on it: of one that
// a purge of this clone took out all, else what may go.
func (d *doomed) doom(id string, mine bool) {
	if d.doomed[id] || d.loose[id] == "" {
		return
	}
	d.doomed[id] = true
	for _, b := range d.below[id] {
		if typ := d.loose[b]; typ != "" && typ != "commit" && (mine || d.mayGo(b)) {
			d.doom(b, mine)
		}
	}
}

// spread condemns what is ours and refers to what goes, such as the commit of a
// save that another was faster than: it would be left without what it continues.
func (d *doomed) spread() error {
	for again := true; again; {
		again = false
		for id, below := range d.below {
			if d.doomed[id] || !slices.ContainsFunc(below, func(b string) bool { return d.doomed[b] }) {
				continue
			}
			o, err := d.p.s.repo.Object(id)
			if err != nil && !errors.Is(err, git.ErrMissing) { // it may have to go
				return err
			}
			if err == nil && isOurs(o.Type, o.Data, d.p.s.repo.IDSize()) {
				d.doom(id, false)
				again = true
			}
		}
	}
	return nil
}

// spare keeps what an object of the user's refers to.
func (d *doomed) spare() {
	for again := true; again; {
		again = false
		for id, below := range d.below {
			if d.doomed[id] {
				continue
			}
			for _, b := range below {
				if d.doomed[b] {
					delete(d.doomed, b)
					d.left = append(d.left, PurgeLeft{Name: b, Why: fmt.Sprintf("an unreachable %s of yours refers to it: %s; 'git prune' removes both", d.loose[id], record.Short(id))})
					again = true
				}
			}
		}
	}
}

// searched is the part of an object in which text can stand: of a tree its names,
// of a commit all but the ids.
func searched(typ string, data []byte, idSize int) []byte {
	switch typ {
	case "tree":
		var b bytes.Buffer
		for rest := data; len(rest) > 0; {
			head, after, ok := bytes.Cut(rest, []byte{0})
			if !ok {
				break
			}
			_, name, _ := bytes.Cut(head, []byte(" "))
			b.Write(append(slices.Clone(name), '\n'))
			rest = after[min(len(after), idSize):]
		}
		return b.Bytes()
	case "commit":
		var b bytes.Buffer
		for l := range bytes.Lines(data) {
			if !bytes.HasPrefix(l, []byte("tree ")) && !bytes.HasPrefix(l, []byte("parent ")) {
				b.Write(l)
			}
		}
		return b.Bytes()
	}
	return data
}
